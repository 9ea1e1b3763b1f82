"""What the steps of a plan take of each other and of the files, and how that is changed: the one place where a source
is put in another's place, or a step is taken out and its neighbours are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from desktop_app.core.values import several
from desktop_app.plan.types import Argument, FromNode, FromResource, Solution, Step

Source = FromNode | FromResource


def is_source(value: Any) -> TypeGuard[Source]:
    """True for what another step makes, and for a file; false for what is typed in."""
    return isinstance(value, FromNode | FromResource)


def is_fed(argument: Argument) -> bool:
    """True where some part of an argument comes from a step or a file."""
    return any(map(is_source, several(argument)))


def items(step: Step) -> list[Any]:
    """All that the step takes, one by one."""
    return [item for argument in step.arguments.values() for item in several(argument)]


def sources(step: Step) -> list[Source]:
    """What the step takes from other steps and from files."""
    return [*filter(is_source, items(step))]


def results(step: Step) -> list[FromNode]:
    """What it takes from other steps."""
    return [item for item in items(step) if isinstance(item, FromNode)]


def files(step: Step) -> list[FromResource]:
    """What it takes from files, and from what was made before."""
    return [item for item in items(step) if isinstance(item, FromResource)]


def taken(steps: Iterable[Step]) -> set[str]:
    """The steps of whose results another one takes something."""
    return {item.node for step in steps for item in results(step)}


def takers(id: str, steps: Iterable[Step]) -> list[Step]:
    """The steps that take what the step of that id makes."""
    return [step for step in steps if id in taken((step,))]


def behind(ends: Iterable[str], steps: Iterable[Step]) -> set[str]:
    """These steps and all on which they rest."""
    by_id = {step.id: step for step in steps}
    found, left = set[str](), [*ends]
    while left:
        if (step := by_id.get(left.pop())) is not None and step.id not in found:
            found.add(step.id)
            left += taken((step,))
    return found


def mapped(argument: Argument, change: Callable[[Any], Any]) -> Argument:
    """The argument with each of its parts changed."""
    return tuple(map(change, argument)) if isinstance(argument, tuple) else change(argument)


def rewired(step: Step, change: Callable[[Any], Any]) -> Step:
    """The step with each part of its arguments changed."""
    return replace(step, arguments={name: mapped(value, change) for name, value in step.arguments.items()})


def instead_of(old: Mapping[str, Source]) -> Callable[[Any], Any]:
    """A change for `rewired`: a source in the place of whatever these steps made."""
    return lambda item: old.get(item.node, item) if isinstance(item, FromNode) else item


def ends_at(wanted: Iterable[tuple[str, str]], old: Mapping[str, FromNode]) -> tuple[tuple[str, str], ...]:
    """The wanted (step, port) pairs, those of these steps at other results, each once."""
    made = (old.get(id, FromNode(id, port)) for id, port in wanted)
    return tuple(dict.fromkeys((one.node, one.port) for one in made))


def put_in_place(steps: Sequence[Step], old: Step, made: Sequence[Step], result: FromNode) -> list[Step]:
    """The steps with what was `made` in the place of one, whose takers take the `result` now."""
    found = list[Step]()
    for step in steps:
        found += made if step is old else [rewired(step, instead_of({old.id: result}))]
    return found


def taken_out(solution: Solution, old: Mapping[str, Source]) -> Solution:
    """Without these steps: what took their results takes these sources, and what was wanted of them is wanted there;
    nothing where the source is a file.
    """
    through = {id: _through(source, old) for id, source in old.items()}
    steps = tuple(rewired(step, instead_of(through)) for step in solution.steps if step.id not in old)
    ends = {id: source for id, source in through.items() if isinstance(source, FromNode)}
    wanted = [(id, port) for id, port in solution.wanted if id in ends or id not in old]
    return replace(solution, steps=steps, wanted=ends_at(wanted, ends))


def _through(source: Source, old: Mapping[str, Source]) -> Source:
    while isinstance(source, FromNode) and source.node in old:
        source = old[source.node]
    return source
