"""Builds one graph out of the trees that the search found for each subtask: what feeds what, and how often.

Knows no scores and no language model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_app.core.values import several
from desktop_app.plan.llm.subtasks import SubtaskResult, Wish
from desktop_app.plan.llm.type_conversion import Converters, Steps, leaves
from desktop_app.plan.search.search import Made
from desktop_app.plan.tools.tool_graph import REGIONS, SETTINGS, ToolGraph, fits
from desktop_app.plan.types import Argument, FromNode, FromResource, PortSpec, Step

Items = tuple[Argument, ...]


def may_become(type: str, wanted: str) -> bool:
    """True for what fits, and for parts of a picture told in another way."""
    return fits(type, wanted) or (type in REGIONS and wanted in REGIONS)


class Joiner:
    """For one graph; make a new one for each."""

    def __init__(self, graph: ToolGraph, converters: Converters) -> None:
        self.graph = graph
        self._converters = converters
        self._steps = Steps()
        self._made: dict[SubtaskResult, Items] = {}

    def join(self, parts: Sequence[tuple[Wish, Sequence[Made]]]) -> list[Step]:
        """The steps of all subtasks in order; each comes with a tree for every type that it wants."""
        for wish, found in parts:
            trees = dict(zip(dict.fromkeys(wish.subtask.wanted), found, strict=True))
            for number, wanted in enumerate(wish.subtask.wanted):
                made = _Application(self, wish, trees[wanted], wanted).apply()
                self._made[SubtaskResult(wish.subtask.id, number)] = made
        return self._steps.steps


class _Application:
    """One tree on what one subtask takes."""

    def __init__(self, joiner: Joiner, wish: Wish, tree: Made, wanted: str) -> None:
        self.graph = joiner.graph
        self._converters = joiner._converters
        self._steps = joiner._steps
        self._tree = tree
        self._wanted = wanted
        self._spec = self.graph.tools[tree.tool]
        self._ports = {port.name: port for port in self._spec.inputs}
        self._sources: dict[str, Items] = {
            str(number): joiner._made[source] if isinstance(source, SubtaskResult) else (source,)
            for number, (source, _) in enumerate(wish.sources)
        }
        self._types = {str(number): type for number, (_, type) in enumerate(wish.sources)}
        self._used = set(leaves(tree)) - {""}

    def apply(self) -> Items:
        """The results: one, or one for each thing of a kind where the tools take one at a time."""
        unused = [name for name in self._sources if name not in self._used]
        extra, taken = self._extra(unused)
        spread = next((name for name in sorted(self._used) if not self._gathers(self._types[name])), "")
        if not spread:
            return (self._place({name: _one(self._sources[name]) for name in self._used}, extra),)
        alike = [n for n in unused if self._types[n] == self._types[spread] and n not in taken]
        found = []
        for item in [item for name in (spread, *alike) for item in self._sources[name]]:
            values = {name: _one(self._sources[name]) for name in self._used} | {spread: item}
            found.append(self._place(values, extra))
        return tuple(dict.fromkeys(found))

    def _gathers(self, type: str) -> bool:
        """True when the tool takes any number of such things at once, or several of them by name."""
        fitting = [port for port in self._spec.inputs if port.required and fits(type, port.type)]
        return any(port.many for port in fitting) or len(fitting) > 1

    def _extra(self, unused: Sequence[str]) -> tuple[dict[str, Items], list[str]]:
        """What else the subtask takes, by the input that may have it; and the names of what found a place."""
        values: dict[str, Items] = {}
        taken: list[str] = []
        for name in unused:
            port = next((p for p in self._free(values) if may_become(self._types[name], p.type)), None)
            if port is not None:
                taken.append(name)
                values[port.name] = (*values.get(port.name, ()), *self._sources[name])
        return values, taken

    def _free(self, values: Mapping[str, Items]) -> list[PortSpec]:
        """Inputs for any number of things, then those that may stay open; no settings."""
        many = [port for port in self._spec.inputs if port.many and port.required]
        fed = {name for name, _ in self._tree.inputs} | set(values)
        kept = [p for p in self._spec.inputs if not (p.required or p.type in SETTINGS or p.choices or p.picked_on)]
        return [*many, *(port for port in kept if port.many or port.name not in fed)]

    def _place(self, values: dict[str, Argument], extra: Mapping[str, Items]) -> FromNode:
        arguments: dict[str, Argument] = {}
        for name, source in self._tree.inputs:
            port = self._ports[name]
            if isinstance(source, Made):
                value: Argument = self._steps.place(source, values, self.graph, port.type)
            elif source.name in values:
                value = values[source.name]
            else:
                continue  # the user's clicks or words, which are asked for later
            items = several(value)
            arguments[name] = tuple(dict.fromkeys((*items, *extra.get(name, ())))) if port.many else items[0]
        for name, items in extra.items():
            fitted = () if name in arguments else self._fitted(items, self._ports[name], arguments)
            if fitted:
                arguments[name] = fitted if self._ports[name].many else fitted[0]
        output = self.graph.output(self._tree.tool, self._wanted) or self._spec.outputs[0]
        return FromNode(self._steps.add(self._tree.tool, arguments), output.name)

    def _fitted(self, items: Sequence[Argument], port: PortSpec, arguments: Mapping[str, Argument]) -> Items:
        """Boxes as a mask, made on the picture that the step works on; what fits stays as it is."""
        kinds = {item: self._types[name] for name, group in self._sources.items() for item in group}
        beside = [
            value for value in arguments.values() if isinstance(value, FromNode | FromResource) and value in kinds
        ]
        found: list[Argument] = []
        for item in items:
            if fits(kinds[item], port.type):
                found.append(item)
                continue
            way = self._converters.way(kinds[item], port, [kinds[one] for one in beside])
            if way is not None:
                sources = {str(number): one for number, one in enumerate([item, *beside])}
                found.append(self._steps.place(way, sources, self.graph, port.type))
        return tuple(found)


def _one(items: Items) -> Argument:
    return items[0] if len(items) == 1 else items
