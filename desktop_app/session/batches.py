"""Several files that are one: the planner is told of two of them, and what it plans for each becomes one step for all.

So it sees in what is given that there are several, plans as for two, and a graph of forty files is no larger than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.types import FromNode, FromResource, Plan, Question, Solution, Step
from desktop_app.storage.resources import Resource

_TOLD = 2
"""So many of a batch stand for all of it: enough to be several."""


@dataclass(frozen=True)
class Batches:
    """By a name that the planner is told: `whole`, the resource that it stands for, and `part`, the file itself."""

    whole: Mapping[str, str]
    part: Mapping[str, str]

    @staticmethod
    def of(resources: Iterable[Resource]) -> Batches:
        """Of the batches among these, and of the results that nodes have made for several values at once."""
        resources = tuple(resources)
        told = [(one, file) for one in resources for file in one.files[:_TOLD]]
        made = [(row[0], one) for row in _made(resources).values() if len(row) > _TOLD for one in row]
        return Batches(
            {_name(*pair): pair[0].name for pair in told} | {one.name: first.name for first, one in made},
            {_name(*pair): pair[1].name for pair in told},
        )

    def plan(self, plan: Plan) -> Plan:
        """The plan for all of each batch: one step in the place of those that do the same for two of its files."""
        if not self.whole:
            return plan
        questions = tuple(replace(one, resource=self.whole.get(one.resource, one.resource)) for one in plan.questions)
        return replace(plan, solutions=tuple(map(self._folded, plan.solutions)), questions=questions)

    def _folded(self, solution: Solution) -> Solution:
        whole = self._renamed(solution, self.whole)
        if any(_meets_itself(old, new) for old, new in zip(solution.steps, whole.steps, strict=True)):
            return self._renamed(solution, self.part)  # "blend these two" is of the files, not of all with all
        return _joined(whole, set(self.whole.values()))

    def _renamed(self, solution: Solution, names: Mapping[str, str]) -> Solution:
        def of(argument: Any) -> Any:
            if isinstance(argument, tuple):
                return tuple(dict.fromkeys(map(of, argument))) if _are_sources(argument) else argument
            return FromResource(names.get(argument.name, argument.name)) if _is_file(argument) else argument

        steps = [Step(s.id, s.tool, {port: of(each) for port, each in s.arguments.items()}) for s in solution.steps]
        asked = (replace(one, resource=names.get(one.resource, one.resource)) for one in solution.questions)
        return replace(solution, steps=tuple(steps), questions=tuple(asked))


def given(resources: Sequence[Resource], text: str) -> list[tuple[str, Resource]]:
    """What the planner is told of, by name: of a batch two files, or those that the text names; of the several results
    that a node has made of one type the first two, but for those that the text names."""
    later = {one.name for row in _made(resources).values() for one in row[_TOLD:] if len(row) > _TOLD}
    found: list[tuple[str, Resource]] = []
    for one in resources:
        named = [file for file in one.files if file.name in text]
        if named:
            found += [(file.name, file) for file in named]
        elif one.files:
            found += [(_name(one, file), one) for file in one.files[:_TOLD]]
        elif one.name not in later or one.name in text:
            found.append((one.name, one))
    return found


def known(resources: Mapping[str, Resource]) -> dict[str, Resource]:
    """With the files of batches, by their own names where nothing else has these."""
    return {file.name: file for one in resources.values() for file in one.files} | dict(resources)


def told_as(argument: Any, resources: Mapping[str, Resource]) -> Any:
    """An argument of a graph in the words of `given`."""
    if isinstance(argument, tuple):
        return tuple(told_as(one, resources) for one in argument)
    batch = resources.get(argument.name) if _is_file(argument) else None
    return FromResource(_name(batch, batch.files[0])) if batch is not None and batch.files else argument


def whole_name(name: str) -> str:
    """The name of the resource for which the planner is told `name`."""
    return name.partition("/")[0]


def _name(batch: Resource, file: Resource) -> str:
    return f"{batch.name}/{file.name}"


def _made(resources: Iterable[Resource]) -> dict[tuple[str, str], list[Resource]]:
    rows: dict[tuple[str, str], list[Resource]] = {}
    for one in resources:
        if one.made_by:
            rows.setdefault((one.made_by, str(one.type)), []).append(one)
    return rows


def _is_file(argument: Any) -> bool:
    return isinstance(argument, FromResource)


def _are_sources(argument: tuple[Any, ...]) -> bool:
    return all(isinstance(one, FromNode | FromResource) for one in argument)


def _meets_itself(old: Step, new: Step) -> bool:
    """True where two inputs that had two files have the same now."""
    before, after = ([each for each in step.arguments.values() if _is_file(each)] for step in (old, new))
    return len(set(after)) < len(set(before))


def _joined(solution: Solution, batches: set[str]) -> Solution:
    """With one step for all that do the very same with a batch, or with what was made of one."""
    names: dict[str, str] = {}
    first: dict[str, str] = {}
    steps: list[Step] = []
    for step in solution.steps:
        arguments = {port: _moved(each, names) for port, each in step.arguments.items()}
        sources = [one for each in arguments.values() for one in several(each)]
        of_batch = any(
            (isinstance(one, FromResource) and one.name in batches) or (isinstance(one, FromNode) and one.node in names)
            for one in sources
        )
        key = repr((step.tool, solution.backends.get(step.id), sorted(arguments.items())))
        kept = first.setdefault(key, step.id) if of_batch else step.id
        if of_batch:
            names[step.id] = kept
        if kept == step.id:
            steps.append(replace(step, arguments=arguments))
    gone = {id for id, kept in names.items() if id != kept}
    wanted = tuple(dict.fromkeys((names.get(id, id), output) for id, output in solution.wanted))
    return replace(solution, steps=tuple(steps), wanted=wanted, questions=_asked(solution.questions, gone))


def _moved(argument: Any, names: Mapping[str, str]) -> Any:
    if isinstance(argument, tuple) and _are_sources(argument):
        return tuple(dict.fromkeys(_moved(one, names) for one in argument))
    return (
        replace(argument, node=names.get(argument.node, argument.node)) if isinstance(argument, FromNode) else argument
    )


def _asked(questions: tuple[Question, ...], gone: set[str]) -> tuple[Question, ...]:
    return tuple(dict.fromkeys(one for one in questions if one.step not in gone))
