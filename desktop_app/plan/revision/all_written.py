"""All that is written in a picture is its text, which a document is made of: not its tables alone, nor its parts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.word_patterns import any_of, lists_of
from desktop_app.plan.ranking.explanations import reason_for, worded
from desktop_app.plan.tools.rewiring import behind
from desktop_app.plan.tools.tool_graph import ToolGraph, main_inputs
from desktop_app.plan.types import SAID, FromNode, FromResource, Plan, Request, Solution, Step, ToolSpec, step_id
from nodes.api import CONVERTS, READS

_WRITTEN = "all_written"
_FORM = "docx"


def with_all_written(plan: Plan, request: Request, graph: ToolGraph) -> Plan:
    """The plan in which a document is written of the text that was read in the picture, where the request asks for all
    that is written there and a document of it."""
    pictures = [one.name for one in request.resources if one.type == "image" and not one.earlier]
    reader, writer = graph.doing(READS), _writer(graph)
    if len(pictures) != 1 or len(request.resources) != 1 or reader is None or writer is None:
        return plan
    if not plan.solutions or not _says_all(request.text):
        return plan
    first = plan.solutions[0]
    found = _written(first, pictures[0], reader, writer, request.text, graph)
    if found is first:
        return plan
    others = tuple(one for one in plan.solutions[1:] if one.steps != found.steps)
    return replace(plan, solutions=worded((found, *others), graph), questions=(), causes=())


def _says_all(text: str) -> bool:
    text = re.sub("[,，]", " ", text)
    return any(re.search(said, text, re.I) and not re.search(other, text, re.I) for said, other in _patterns())


@cache
def _patterns() -> tuple[tuple[str, str], ...]:
    """What asks for all that is written, and what for something else, by language."""
    return tuple((any_of(own["said"], own), any_of(own["other"], own)) for own in lists_of(_WRITTEN).values())


def _says_document(text: str) -> bool:
    phrases = (_FORM, *tables().choices.get(_FORM, ()))
    return any(re.search(rf"(?<![a-z]){re.escape(one)}(?![a-z])", text, re.I) for one in phrases)


def _writer(graph: ToolGraph) -> ToolSpec | None:
    """The tool that writes a document of a text, of a table, or of both."""
    return next((tool for tool in graph.tools.values() if tool.does == CONVERTS and _writes_documents(tool)), None)


def _writes_documents(tool: ToolSpec) -> bool:
    return any(_FORM in port.choices for port in tool.inputs)


def _written(
    solution: Solution, picture: str, reader: ToolSpec, writer: ToolSpec, text: str, graph: ToolGraph
) -> Solution:
    documents = [step for step in solution.steps if step.tool == writer.id]
    if len(documents) > 1 or solution.kept or not (documents or _says_document(text)):
        return solution
    old = documents[0] if documents else Step(step_id(writer.id, solution.steps), writer.id, {"format": _FORM})
    read = next((step for step in solution.steps if step.tool == reader.id), None)
    read = read or Step(
        step_id(reader.id, solution.steps), reader.id, {main_inputs(reader)[0].name: FromResource(picture)}
    )
    made = FromNode(read.id, reader.outputs[0].name)
    if old.arguments.get("text") == made and "table" not in old.arguments:
        return solution
    kept = {name: value for name, value in old.arguments.items() if name not in ("text", "table")}
    new = replace(old, arguments={**kept, "text": made})
    others = [step for step in solution.steps if step not in (old, read)]
    answers = [step for step in others if _tells(step, graph)]
    needed = behind((new.id, *(step.id for step in answers)), [*others, read, new])
    steps = [step for step in (*others, read, new) if step.id in needed]
    wanted = (
        *((step.id, graph.tools[step.tool].outputs[0].name) for step in answers),
        (new.id, writer.outputs[0].name),
    )
    ids = {step.id for step in steps}
    questions = tuple(one for one in solution.questions if one.step in ids and one.kind != "confirm")
    score = max(solution.score, SAID)
    return replace(solution, steps=tuple(steps), wanted=wanted, questions=questions, score=score,
                   reason=reason_for(steps, (), graph))  # fmt: skip


def _tells(step: Step, graph: ToolGraph) -> bool:
    """Whether it answers a question of its own: the total of a receipt."""
    tool = graph.tools[step.tool]
    is_asked = any(port.type == "text" and port.required and port.name in step.arguments for port in tool.inputs)
    return is_asked and [out.type for out in tool.outputs][:1] == ["text"]
