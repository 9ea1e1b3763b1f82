"""Pages are numbered through: files that are joined are joined before, whichever is said first."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.ranking.joint_selection import Reading
from desktop_app.plan.ranking.one_of_several import speaks_of_each
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import Request, ToolSpec

_NUMBERING = "pagination"
"""What the texts of a tool that numbers pages say."""


def with_pages_numbered_last(reading: Reading, request: Request, graph: ToolGraph) -> Reading:
    """The reading in which the files are joined first, all of them where none is named; the same object where pages are
    not numbered, or in each file for itself.
    """
    tools = [graph.tools.get(clause.tool) for clause in reading.clauses]
    numbering = [n for n, tool in enumerate(tools) if tool is not None and _NUMBERING in tool.words]
    joining = [n for n, tool in enumerate(tools) if tool is not None and _joins(tool)]
    if len(numbering) != 1 or len(joining) != 1 or numbering > joining or speaks_of_each(request.text):
        return reading
    order = [n for n in range(len(tools)) if n not in numbering]
    at = order.index(joining[0])
    order.insert(at + 1, numbering[0])
    moved = reading.of(order)
    there = {number: of for number, of in moved.files.items() if number != at + 1}
    if at in there:
        files = [file for file in request.resources if file.name in there[at]]
        there[at] = dict.fromkeys(files_meant(request.text, files) or there[at], 1.0)
    return replace(moved, links={**moved.links, (at, at + 1): 1.0}, files=there)


def _joins(tool: ToolSpec) -> bool:
    return [(port.type, port.many) for port in main_inputs(tool)] == [("file", True)] and (
        [(out.type, out.many) for out in tool.outputs] == [("file", False)]
    )
