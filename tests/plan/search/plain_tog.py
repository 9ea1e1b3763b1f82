"""The paper's search, kept plain: a readable specification of ours, and the yardstick for its speed.

Algorithm 1 of Liu et al. 2023 (ControlLLM, section 3.2.3) walks depth first through sequences of tools, from the
resources at hand, up to a length limit. Here each step also says which resource feeds which input, so that a solution
is a graph; a sequence counts when its last tool gives the wanted type and nothing in it was made in vain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from desktop_app.plan.tools.tool_graph import fits, main_inputs
from desktop_app.plan.types import ToolSpec


class Resource(NamedTuple):
    """A resource at hand: its type, and the expression that made it (its name, or (tool, (input, ...)))."""

    type: str
    made: object


def solutions(tools: Sequence[ToolSpec], have: dict[str, str], wanted: str, longest: int) -> set[object]:
    """All expressions for `wanted` out of `have` (type by name) with at most `longest` tools."""
    resources = [Resource(type, name) for name, type in have.items()]
    return {made for made in _search(tools, resources, wanted, longest) if _size(made) <= longest}


def sequences(tools: Sequence[ToolSpec], have: Sequence[str], wanted: str, longest: int) -> Iterator[list[str]]:
    """Algorithm 1 to the letter: tool sequences by types alone, without saying what feeds what."""
    yield from _sequences(tools, list(have), wanted, longest, [])


def _sequences(
    tools: Sequence[ToolSpec], types: list[str], wanted: str, longest: int, done: list[str]
) -> Iterator[list[str]]:
    if len(done) >= longest:
        return
    for tool in tools:
        if tool.id in done or not all(any(fits(t, p.type) for t in types) for p in main_inputs(tool)):
            continue
        done.append(tool.id)
        given = [port.type for port in tool.outputs]
        if any(fits(type, wanted) for type in given):
            yield list(done)
        types.extend(given)
        yield from _sequences(tools, types, wanted, longest, done)
        del types[len(types) - len(given) :]
        done.pop()


def _search(tools: Sequence[ToolSpec], have: list[Resource], wanted: str, left: int) -> Iterator[object]:
    if left == 0:
        return
    for tool in tools:
        choices = [[r for r in have if fits(r.type, port.type)] for port in main_inputs(tool)]
        for inputs in product(*choices):
            made = (tool.id, tuple(resource.made for resource in inputs))
            if any(tool.id in _tools(resource.made) for resource in inputs):
                continue  # a tool never works on its own result
            for port in tool.outputs[:1]:
                if fits(port.type, wanted):
                    yield made
                yield from _search(tools, [*have, Resource(port.type, made)], wanted, left - 1)


def _tools(made: object) -> set[str]:
    if isinstance(made, str):
        return set()
    tool, inputs = made  # type: ignore[misc]
    return {tool}.union(*(_tools(source) for source in inputs))


def _size(made: object) -> int:
    return 0 if isinstance(made, str) else 1 + sum(_size(source) for source in made[1])  # type: ignore[index]
