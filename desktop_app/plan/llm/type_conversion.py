"""Finds, in the tool graph, the tools that turn a result into the type that an input wants."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from desktop_app.plan.ranking.port_fit import makes_up
from desktop_app.plan.search.search import Have, Limits, Made, search
from desktop_app.plan.tools.tool_graph import REGIONS, SETTINGS, ToolGraph, main_inputs
from desktop_app.plan.types import READY, Argument, FromNode, FromResource, PortSpec, Solution, Step, step_id

Source = FromNode | FromResource
_LIMITS = Limits(depth=2, tools=3, examined=600, threshold=2.0)
_LOOKED_AT = 60


class Converters:
    """Immutable. `speaks_of` tells which tools the user's words name: those are preferred."""

    def __init__(self, graph: ToolGraph, named: Collection[str] = ()) -> None:
        self.graph = graph
        self._named = frozenset(named)

    def way(self, source: str, port: PortSpec, others: Sequence[str]) -> Made | None:
        """The best way from a thing of type `source` to what the port wants. Things of the types `others` may help,
        the first ones rather, as a picture helps to make a mask of boxes. In the way, the thing is called "0" and the
        others "1", "2" and so on.
        """
        have = [Have("0", source), *(Have(str(n), type, 0.5 + 0.01 * n) for n, type in enumerate(others, 1))]
        have.append(Have("", "number", 3.0))  # so that a number that a tool makes counts as more than a setting
        ways = search(self.graph, have, port.type, self._assess, "adaptive", _LIMITS, allowed=self.is_plain)
        names = {item.name for item in have} - {""}
        made = (way for way in islice(ways, _LOOKED_AT) if isinstance(way, Made))
        return next((way for way in made if {"0"} <= set(leaves(way)) <= names and self._reads_well(way)), None)

    def _reads_well(self, way: Made) -> bool:
        """False where a mask that was made on the way would be read like a picture."""
        ports = {port.name: port.type for port in self.graph.tools[way.tool].inputs}
        return all(
            self._reads_well(source) and (ports[name] in REGIONS or not self._makes_region(source, ports[name]))
            for name, source in way.inputs
            if isinstance(source, Made)
        )

    def _makes_region(self, way: Made, wanted: str) -> bool:
        output = self.graph.output(way.tool, wanted)
        return output is not None and output.type in REGIONS

    def _assess(self, tool: str) -> float:
        spec = self.graph.tools[tool]
        return min(5.0, 1.0 + 2.5 * spec.quality * (spec.quality >= READY) + 1.5 * (tool in self._named))

    def is_plain(self, tool: str) -> bool:
        """True for a plain conversion: it makes nothing up, changes the type, reaches nothing outside, and has to be
        told nothing.
        """
        spec = self.graph.tools[tool]
        takes = {port.type for port in main_inputs(spec)} - SETTINGS
        gives = {port.type for port in spec.outputs}
        texts = sum(port.type == "text" and not port.choices for port in main_inputs(spec))
        told = texts > 1 or (texts == 1 and len(takes) > 1)
        return bool(self.graph.needs[tool]) and not (spec.outside or told or gives <= takes or makes_up(takes, gives))


def leaves(way: Made) -> Iterator[str]:
    """The names of what goes into a way."""
    for _, source in way.inputs:
        if isinstance(source, Made):
            yield from leaves(source)
        else:
            yield source.name


class Steps:
    """The steps of a solution that is put together; grows as tools are added."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.steps: list[Step] = list(steps)

    def add(self, tool: str, arguments: Mapping[str, object]) -> str:
        """The id of a new step that does this. Another may do just the same: what they are set to is not known yet,
        so that `merged` is called when it is.
        """
        id = step_id(tool, self.steps)
        self.steps.append(Step(id, tool, arguments))
        return id

    def place(self, way: Made, sources: Mapping[str, object], graph: ToolGraph, wanted: str) -> FromNode:
        """Adds the steps of a way; `sources` are the arguments by the names in it. Its result of type `wanted`."""
        arguments: dict[str, object] = {}
        for port, source in way.inputs:
            spec = next(p for p in graph.tools[way.tool].inputs if p.name == port)
            if isinstance(source, Made):
                value: object = self.place(source, sources, graph, spec.type)
            elif source.name not in sources:
                continue  # the user's clicks or words: asked for later
            else:
                value = sources[source.name]
            arguments[port] = (value,) if spec.many and not isinstance(value, tuple) else value
        output = graph.output(way.tool, wanted) or graph.tools[way.tool].outputs[0]
        return FromNode(self.add(way.tool, arguments), output.name)


def merged(solution: Solution, graph: ToolGraph) -> Solution:
    """The solution with equal steps on equal inputs as one; to be called when everything is filled in. A tool that
    makes something else each time is run as often as it stands there.
    """
    names: dict[str, str] = {}
    steps: list[Step] = []
    for step in solution.steps:
        arguments = {port: _renamed(value, names) for port, value in step.arguments.items()}
        anew = any(port.name == "seed" for port in graph.tools[step.tool].inputs)
        same = next((s for s in steps if s.tool == step.tool and dict(s.arguments) == arguments and not anew), None)
        names[step.id] = same.id if same else step.id
        if same is None:
            steps.append(Step(step.id, step.tool, arguments))
    here = {step.id for step in steps}
    return replace(
        solution,
        steps=tuple(steps),
        wanted=tuple(dict.fromkeys((names.get(id, id), output) for id, output in solution.wanted)),
        questions=tuple(question for question in solution.questions if not question.step or question.step in here),
        origins={place: origin for place, origin in solution.origins.items() if place[0] in here},
    )


def _renamed(value: Argument, names: Mapping[str, str]) -> Argument:
    if isinstance(value, FromNode):
        return replace(value, node=names.get(value.node, value.node))
    return tuple(_renamed(item, names) for item in value) if isinstance(value, tuple) else value
