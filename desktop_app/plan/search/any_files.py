"""Files of any kind for tools that take any: a photo and a table can be packed together, though neither is a document.

Such a tool takes several files and says of none which ending it has to have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from desktop_app.plan.tools.tool_graph import main_inputs
from desktop_app.plan.types import Plan, Request, ToolSpec


def with_plain_files(request: Request, spoken_of: Callable[[], Sequence[ToolSpec]]) -> Request | None:
    """The request in which all that was brought is a file and no more; None where it is so anyway, or where none of the
    tools that the words speak of takes any file."""
    brought = [given for given in request.resources if given.type != "file"]
    if not brought or not any(map(takes_any, spoken_of())):
        return None
    return replace(request, resources=tuple(replace(given, type="file") for given in request.resources))


def takes_any(tool: ToolSpec) -> bool:
    """Whether it works on several files of any kind."""
    needed = main_inputs(tool)
    return [(port.type, port.many) for port in needed] == [("file", True)] and "." not in needed[0].description


def is_for_any(plan: Plan, other: Plan, tools: Mapping[str, ToolSpec]) -> bool:
    """Whether the plan has nothing but steps that take any file, as others would be given what they cannot read, and is
    at least as likely as the `other`, of files as what they are, where that is for something else."""
    packing, plain = _takes_only_any(plan, tools), _takes_only_any(other, tools)
    return packing and (not other.solutions or plain or plan.solutions[0].score >= other.solutions[0].score)


def _takes_only_any(plan: Plan, tools: Mapping[str, ToolSpec]) -> bool:
    steps = plan.solutions[0].steps if plan.solutions else ()
    return bool(steps) and all(takes_any(tools[step.tool]) for step in steps)
