"""A file that comes with a message is what the message is about, whatever was made before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from desktop_app.core.values import several
from desktop_app.plan.language.file_choice import called
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.ranking.one_of_several import speaks_of_others
from desktop_app.plan.ranking.plan_judge import first_of
from desktop_app.plan.tools.rewiring import files, results, taken
from desktop_app.plan.types import FromResource, Plan, Request, Solution

_WHAT_WAS_THERE = frozenset(("it", "ihn", "dazu", "daneben", "它"))
"""Words for what was there before: "put it beside these two"."""


def with_brought_alone(request: Request, plan: Plan) -> Request | None:
    """The request with what came with it and nothing else; None where the plan works on that, or nothing came beside
    something earlier.
    """
    brought = tuple(given for given in request.resources if not given.earlier)
    if not brought or len(brought) == len(request.resources):
        return None
    if works_on_brought(request, plan) and not _mixes(request, plan):
        return None
    return replace(request, resources=brought, history=())


def _mixes(request: Request, plan: Plan) -> bool:
    """True where a step joins several files that came with the request, and an earlier one that it does not name: "make
    a collage of these"; and where the same is done to what came, and to an earlier file of its type: "make b.jpg
    brighter, too" is of b.jpg.
    """
    brought = {given.name for given in request.resources if not given.earlier}
    earlier = {given.name for given in request.resources if given.earlier and not called(given.name, request.text)}
    alone = not speaks_of_others(request.text) or any(called(name, request.text) for name in brought)
    if alone and _does_the_same_to_both(request, first_of(plan), earlier):
        return True
    if {*plain_words(request.text)} & _WHAT_WAS_THERE:
        return False
    joined = (
        {item.name for item in several(value) if isinstance(item, FromResource)}
        for step in first_of(plan).steps
        for value in step.arguments.values()
    )
    return any(len(names & brought) > 1 and names & earlier for names in joined)


def _does_the_same_to_both(request: Request, solution: Solution, earlier: Collection[str]) -> bool:
    """True where one result is made of what came alone, and another with the same tools of an earlier file of its type:
    the noise is taken out of the old recording, too.
    """
    types = {given.name: given.type for given in request.resources}
    made = [(tools, {types[name] for name in names if name in types}, names <= {*earlier})
            for tools, names in _results(solution) if names]  # fmt: skip
    return any(old and not fresh and tools == others and kinds & other
               for tools, kinds, old in made for others, other, fresh in made)  # fmt: skip


def _results(solution: Solution) -> list[tuple[frozenset[str], set[str]]]:
    """Of each step that no other takes: the tools, and the files, that it is made of."""
    found: dict[str, tuple[frozenset[str], set[str]]] = {}
    for step in solution.steps:
        behind = [found[item.node] for item in results(step) if item.node in found]
        names = {item.name for item in files(step)}
        tools = frozenset((step.tool,)).union(*(tools for tools, _ in behind))
        found[step.id] = tools, names.union(*(names for _, names in behind))
    return [made for id, made in found.items() if id not in taken(solution.steps)]


def works_on_brought(request: Request, plan: Plan) -> bool:
    """True where the first way takes one of the files that came with the request, and asks for none."""
    first, names = first_of(plan), {given.name for given in request.resources if not given.earlier}
    asks = any(question.kind == "file" for question in first.questions)
    return not asks and any(item.name in names for step in first.steps for item in files(step))
