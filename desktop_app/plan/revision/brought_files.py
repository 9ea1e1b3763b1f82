"""A file that comes with a message is what the message is about, whatever was made before."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.ranking.plan_judge import first_of, named_items
from desktop_app.plan.types import Plan, Request


def with_brought_alone(request: Request, plan: Plan) -> Request | None:
    """The request with what came with it and nothing else; None where the plan works on that, or nothing came beside
    something earlier.
    """
    brought = tuple(given for given in request.resources if not given.earlier)
    if not brought or len(brought) == len(request.resources) or works_on_brought(request, plan):
        return None
    return replace(request, resources=brought, history=())


def works_on_brought(request: Request, plan: Plan) -> bool:
    """True where the first way takes one of the files that came with the request, and asks for none."""
    first, names = first_of(plan), {given.name for given in request.resources if not given.earlier}
    asks = any(question.kind == "file" for question in first.questions)
    return not asks and any(item.name in names for step in first.steps for item in named_items(step))
