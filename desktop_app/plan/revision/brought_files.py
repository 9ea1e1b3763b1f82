"""A file that comes with a message is what the message is about, whatever was made before."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.values import several
from desktop_app.plan.language.file_choice import called
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.ranking.plan_judge import first_of, named_items
from desktop_app.plan.types import FromResource, Plan, Request

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
    a collage of these".
    """
    brought = {given.name for given in request.resources if not given.earlier}
    if {*plain_words(request.text)} & _WHAT_WAS_THERE:
        return False
    earlier = {given.name for given in request.resources if given.earlier and not called(given.name, request.text)}
    joined = (
        {item.name for item in several(value) if isinstance(item, FromResource)}
        for step in first_of(plan).steps
        for value in step.arguments.values()
    )
    return any(len(names & brought) > 1 and names & earlier for names in joined)


def works_on_brought(request: Request, plan: Plan) -> bool:
    """True where the first way takes one of the files that came with the request, and asks for none."""
    first, names = first_of(plan), {given.name for given in request.resources if not given.earlier}
    asks = any(question.kind == "file" for question in first.questions)
    return not asks and any(item.name in names for step in first.steps for item in named_items(step))
