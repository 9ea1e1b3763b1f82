"""The questions for what a workflow lacks: one for each open port, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_app.core.values import several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Gap, Workflow
from desktop_app.plan.types import Question
from desktop_app.run.events.run_record import Run
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase

Pictures = Mapping[tuple[str, str], str]
"""Names of results that exist, by (node, output)."""


def of(
    workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures, planned: Sequence[Question] = ()
) -> tuple[Question, ...]:
    """One question for each open port: in the port's plain words, else in the planner's where it asked for that."""
    asked: set[str] = set()
    worded = {(q.step, q.port): q for q in planned if q.port}
    found: list[Question] = []
    for gap in workflow.missing(tools):
        question = worded.get((gap.node, gap.port.name))
        if question is None or (question.kind == "text" and _is_brought(gap.port)):
            question = _question(gap, workflow, tools, pictures)
        question = _in_plain_words(question, gap.port)
        if question.kind == "point" and gap.port.picked_on:
            on = pointed_at(workflow, gap.node, gap.port.picked_on, pictures)
            linked_anew = question.resource not in ("", on)
            question = _question(gap, workflow, tools, pictures) if linked_anew else replace(question, resource=on)
        if question.kind == "point":  # two nodes that wait for clicks on one picture need one answer
            if question.resource in asked:
                continue
            asked.add(question.resource)
        if not any(wants_the_same(question, other) for other in found):
            found.append(question)
    settings = (question for question in planned if _is_open(question, workflow, tools))
    return tuple(dict.fromkeys((*found, *(_worded(question, workflow, tools) for question in settings))))


def _is_brought(port: Port) -> bool:
    """True for a text that people bring rather than say: of what it is the planner asks, not how it is given."""
    return port.type is ResourceType.TEXT and port.name == port.type and not port.question and not port.choices


def _worded(question: Question, workflow: Workflow, tools: Mapping[str, Tool]) -> Question:
    """One about a setting, as its port asks."""
    port = tools[workflow.node(question.step).tool].input(question.port)
    return _in_plain_words(question, port) if port is not None else question


def _in_plain_words(question: Question, port: Port) -> Question:
    """As the port asks, where it does; but not where columns are offered."""
    own = port.question and (port.choices or port.offered or not question.choices)
    return replace(question, text=Phrase(port.question, "docs")) if own else question


def wants_the_same(one: Question, other: Question) -> bool:
    """True for two that ask which of the same files is meant, for two steps: what finds faces and what blurs them."""
    return one.kind == other.kind == "file" and one.choices == other.choices != () and one.step != other.step


def _is_open(question: Question, workflow: Workflow, tools: Mapping[str, Tool]) -> bool:
    """True for a question about a setting that has a default and is not set yet: where a cut shall end."""
    if not question.port or question.step not in workflow.ids():
        return False
    node = workflow.node(question.step)
    port = tools[node.tool].input(question.port) if node.tool in tools else None
    linked = any(link.port == question.port for link in workflow.links_into(question.step))
    return port is not None and not port.required and question.port not in node.values and not linked


def pictures_of(run: Run) -> dict[tuple[str, str], str]:
    """Resource name by (node, output), for what is there and not out of date."""
    return {
        (id, output): one.name
        for id, node in run.nodes.items()
        if node.state == "done"
        for output, value in node.outputs.items()
        for one in several(value)
    }


def _question(gap: Gap, workflow: Workflow, tools: Mapping[str, Tool], pictures: Pictures) -> Question:
    title, port = Phrase(tools[workflow.node(gap.node).tool].title, "tools"), gap.port
    if port.picked_on:
        name = pointed_at(workflow, gap.node, port.picked_on, pictures)
        text = Phrase("Where in {name}? Click on it.", name=name or Phrase("the picture"))
        return Question(text, "point", (), gap.node, port.name, name)
    if port.type is ResourceType.BOXES:
        text = Phrase("{title} needs {what}. Draw them in the picture.", title=title, what=_described(port))
        return Question(text, "box", (), gap.node, port.name)
    if port.type in (ResourceType.TEXT, ResourceType.NUMBER, ResourceType.FLAG, ResourceType.URL):
        text = Phrase("{title} needs {what}. What should it be?", title=title, what=_name(port))
        if port.type is ResourceType.TEXT and not port.choices:
            text = Phrase("“{tool}” needs a text: attach a file, or type it here.", tool=title)
        choices = tuple(choice for choice in port.choices if port.required or choice != port.default)
        return Question(text, "text", choices, gap.node, port.name)
    text = Phrase("{title} needs {what}. Which file?", title=title, what=_described(port))
    return Question(text, "file", (), gap.node, port.name)


def _name(port: Port) -> Phrase:
    return Phrase(port.name, "ports", spelled=port.name.replace("_", " "))


def question_about(tool: Tool, name: str) -> str:
    """What to ask for a value of that input of the tool, as the input asks where it does."""
    port = tool.input(name)
    if port is not None and port.question:
        return Phrase(port.question, "docs")
    words = Phrase(name, "ports", spelled=name.replace("_", " "))
    return Phrase("{title}: which {port}?", title=Phrase(tool.title, "tools"), port=words)


def explained(port: Port) -> str:
    """What an answer looks like: between which numbers, or what the words are; of choices their chips tell."""
    if port.choices or not port.doc:
        return ""
    if port.type is not ResourceType.NUMBER:
        return Phrase("That is: {what}.", what=Phrase(port.doc, "docs"))
    if port.minimum is None or port.maximum is None:
        return Phrase("Write it in digits.")
    unit = f" {port.unit}" if port.unit else ""
    return Phrase("It goes from {low} to {high}{unit}.", low=f"{port.minimum:g}", high=f"{port.maximum:g}", unit=unit)


def _described(port: Port) -> Phrase:
    return Phrase("{port} ({about})", port=_name(port), about=Phrase(port.doc, "docs"))


def pointed_at(workflow: Workflow, node: str, port: str, pictures: Pictures) -> str:
    """The name of the resource that feeds the picture on which the user points, "" when it is not made yet."""
    link = next((k for k in workflow.links_into(node) if k.port == port), None)
    if link is None:
        return ""
    if link.output == RESOURCE_OUTPUT and workflow.resource(link.source):
        return link.source
    return pictures.get((link.source, link.output), "")


def target_of(question: Question, workflow: Workflow) -> tuple[str, str] | None:
    """The (node, port) that a reply fills, None when the question is about no port of the workflow."""
    if question.port and question.step in workflow.ids():
        return question.step, question.port
    return None
