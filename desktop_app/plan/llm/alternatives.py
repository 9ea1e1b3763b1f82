"""Other ways to do what a plan does: the same graph with one step done by another tool, found by Thoughts-on-Graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from desktop_app.plan.llm.type_conversion import Steps, merged
from desktop_app.plan.ranking.explanations import reason_for
from desktop_app.plan.search.search import Have, Limits, Made, search
from desktop_app.plan.tools.rewiring import ends_at, put_in_place, results, sources
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Argument, FromResource, PortSpec, Request, Solution, Step

_LIMITS = Limits(depth=3, tools=4, examined=600)
_LOOKED_AT = 24
_WORTH = 0.9
"""How much of a plan's score another way has that the model named without judging the whole."""


class Swaps:
    """The ways beside one solution in which another tool does one of its steps."""

    def __init__(self, solution: Solution, request: Request, graph: ToolGraph, strategy: str) -> None:
        self._solution, self._graph, self._strategy = solution, graph, strategy
        self._types = {given.name: given.type for given in request.resources}

    def ways(self, others: Mapping[str, Sequence[str]]) -> Iterator[Solution]:
        """One way for each tool that could do a step (by id) instead, where the graph has one."""
        for step in self._solution.steps:
            for tool in others.get(step.id, ()):
                if tool != step.tool and (found := self._with(step, tool)) is not None:
                    yield found

    def _with(self, step: Step, tool: str) -> Solution | None:
        port = self._used(step)
        fed = sources(step)
        words = {p: v for p, v in step.arguments.items() if isinstance(v, str)}
        have = [Have(str(number), self._type(source)) for number, source in enumerate(fed)]
        found = search(
            self._graph, [*have, Have("", "text", 0.4)], port.type, lambda id: 5.0 if id == tool else 3.0,
            self._strategy, _LIMITS, allowed=lambda id: id == tool or not self._graph.tools[id].outside, prefer=[tool],
        )  # fmt: skip
        ways = (way for way in islice(found, _LOOKED_AT) if isinstance(way, Made))
        way = next((one for one in ways if tool in one.tools() and (one.rests_on_something() or not have)), None)
        if way is None or self._graph.tools[tool].outside:
            return None
        before = list(self._solution.steps[: self._solution.steps.index(step)])
        after = self._solution.steps[len(before) + 1 :]
        making = Steps([*before, *after])  # so that no id is used twice
        result = making.place(way, {str(n): source for n, source in enumerate(fed)}, self._graph, port.type)
        new = [self._worded(one, words) for one in making.steps[len(before) + len(after) :]]
        steps = tuple(put_in_place(self._solution.steps, step, new, result))
        wanted = ends_at(self._solution.wanted, {step.id: result})
        open_ports = [p for one in new for p in self._graph.tools[one.tool].inputs
                      if p.required and p.name not in one.arguments]  # fmt: skip
        if open_ports:
            return None
        title = f"{self._solution.title}: {self._graph.tools[tool].title}"
        return merged(
            replace(
                self._solution,
                title=title,
                reason=reason_for(steps, (), self._graph),
                score=self._solution.score * _WORTH,
                steps=steps,
                wanted=wanted,
            ),
            self._graph,
        )

    def _worded(self, step: Step, words: Mapping[str, str]) -> Step:
        """With the words that the former tool was told, in inputs of the same name or in the only one for words."""
        texts = [p for p in self._graph.tools[step.tool].inputs
                 if p.type == "text" and p.required and not p.choices and p.name not in step.arguments]  # fmt: skip
        told = {p.name: words[p.name] for p in texts if p.name in words}
        if len(texts) == 1 and len(words) == 1:
            told = {texts[0].name: next(iter(words.values()))}
        return replace(step, arguments={**step.arguments, **told})

    def _used(self, step: Step) -> PortSpec:
        """The output that other steps take, or that is wanted; else the first."""
        taken = {item.port for one in self._solution.steps for item in results(one) if item.node == step.id}
        taken |= {output for id, output in self._solution.wanted if id == step.id}
        outputs = self._graph.tools[step.tool].outputs
        return next((port for port in outputs if port.name in taken), outputs[0])

    def _type(self, source: Argument) -> str:
        if isinstance(source, FromResource):
            return self._types.get(source.name, "file")
        tool = next(self._graph.tools[one.tool] for one in self._solution.steps if one.id == source.node)
        return next(port.type for port in tool.outputs if port.name == source.port)
