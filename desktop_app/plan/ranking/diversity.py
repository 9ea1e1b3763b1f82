"""Which variants of a solution are worth showing: sound ones, and such as differ in kind. Knows no wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from desktop_app.core.values import several
from desktop_app.plan.tools.tool_graph import SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import READY, FromResource, Solution

_LONGER = 2
"""So many steps more than the first solution may an alternative have."""

_OF_ONE_KIND = 2
"""Solutions of one kind that are shown; a third "other filter" helps nobody."""


def is_sound(solution: Solution, first: Solution, graph: ToolGraph) -> bool:
    """False for a variant that leaves out a file, asks for more, goes a long way round, or ends in something else."""
    if len(solution.steps) > len(first.steps) + _LONGER or not _named(first) <= _named(solution):
        return False
    if _asked(solution) > _asked(first):
        return False
    ends, wanted = list(_ends(solution, graph)), list(_ends(first, graph))
    return not wanted or any(fits(end, want) or fits(want, end) for end in ends for want in wanted)


def of_several_kinds(found: Sequence[Solution], graph: ToolGraph) -> list[Solution]:
    """The first solution, and of the others, best first, no two with the same tools and few of one kind."""
    kept = [found[0]]
    for solution in sorted(found[1:], key=lambda s: -s.score):
        kinds = [_kind(other, graph) for other in kept]
        same = any({step.tool for step in other.steps} == {step.tool for step in solution.steps} for other in kept)
        if not same and kinds.count(_kind(solution, graph)) < _OF_ONE_KIND:
            kept.append(solution)
    return kept


def _kind(solution: Solution, graph: ToolGraph) -> tuple[object, ...]:
    """What goes in and comes out at each step, whether the user has to show or draw something, and whether a tool
    runs only with a model that is not here.
    """
    tools = [graph.tools[step.tool] for step in solution.steps]
    shapes = {
        (
            tuple(sorted(port.type for port in main_inputs(tool) if port.type not in SETTINGS)),
            tuple(sorted(port.type for port in tool.outputs)),
        )
        for tool in tools
    }
    shown = frozenset(question.kind for question in solution.questions)
    return frozenset(shapes), shown, any(tool.quality < READY for tool in tools)


def _named(solution: Solution) -> set[str]:
    return {item.name for item in _items(solution) if isinstance(item, FromResource)}


def _items(solution: Solution) -> Iterator[object]:
    for step in solution.steps:
        for argument in step.arguments.values():
            yield from several(argument)


def _asked(solution: Solution) -> int:
    """How often the user has to write or attach something; to point at something is little trouble."""
    return sum(question.kind in ("text", "file") for question in solution.questions)


def _ends(solution: Solution, graph: ToolGraph) -> Iterable[str]:
    tools = {step.id: graph.tools[step.tool] for step in solution.steps}
    return (port.type for id, name in solution.wanted for port in tools[id].outputs if port.name == name)
