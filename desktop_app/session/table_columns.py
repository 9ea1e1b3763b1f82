"""Asks for a column where the request names one that its table does not have: before the run, with those there are.

Knows workflows and the names of columns; must not know how tables are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Workflow
from desktop_app.plan.types import Question
from nodes.api import ResourceType, Tool
from nodes.phrase import Phrase

_NEAR = 75
"""So like a column (0 to 100) is what tools take for it."""
_MOST_OFFERED = 12

Columns = Mapping[str, Sequence[str]]
"""The names of the columns of tables, by the digest of the file."""


def asked(workflow: Workflow, tools: Mapping[str, Tool], columns: Columns) -> tuple[Workflow, tuple[Question, ...]]:
    """The workflow without the columns that are not in the user's own tables, and a question for each."""
    questions = []
    for node, port, name, there in _unknown(workflow, tools, columns):
        workflow = workflow.with_value(node, port, None)
        text = Phrase("There is no column “{name}” here. Which one do you mean?", name=name)
        questions.append(Question(text, "text", tuple(there[:_MOST_OFFERED]), node, port))
    return workflow, tuple(questions)


def _unknown(
    workflow: Workflow, tools: Mapping[str, Tool], columns: Columns
) -> Iterator[tuple[str, str, str, Sequence[str]]]:
    """Node, port, and the name that is none of the columns of the only table that comes into the node."""
    for node in workflow.nodes:
        tool = tools.get(node.tool)
        port = tool.input("column") if tool is not None else None
        name = node.values.get("column")
        if tool is None or port is None or port.choices or not isinstance(name, str) or not name:
            continue
        links = [k for k in workflow.links_into(node.id) if (p := tool.input(k.port)) and p.type is ResourceType.TABLE]
        source = workflow.resource(links[0].source) if len(links) == 1 else None
        there = columns.get(source.digest, ()) if source is not None and links[0].output == RESOURCE_OUTPUT else ()
        if there and not _is_one(name, there):
            yield node.id, "column", name, there


def _is_one(name: str, columns: Sequence[str]) -> bool:
    """As the tools find a column: by its name whatever the case, by its number, or by what is like it."""
    from rapidfuzz import fuzz, process  # here: the first window does without

    wanted, names = " ".join(name.split()).casefold(), [" ".join(one.split()).casefold() for one in columns]
    if wanted in names or (wanted.isdigit() and 1 <= int(wanted) <= len(names)):
        return True
    return process.extractOne(wanted, names, scorer=fuzz.ratio, score_cutoff=_NEAR) is not None
