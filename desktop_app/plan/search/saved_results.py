"""What is saved at the end of a wish is what the wish made: "summarise letter.docx and save that as a PDF"."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.plan.arguments.value_tables import Word, read_words, tables
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import PortSpec, ToolSpec

_WRITTEN = ("text", "table")


def with_results_saved(reading: Reading, text: str, graph: ToolGraph) -> Reading:
    """The reading in which a text or a table is written into a file of the form that the clause behind it asks for,
    and not the file that was brought into another; the same object where that one is spoken of again.
    """
    clauses, links = list(reading.clauses), dict(reading.links)
    for number in range(1, len(clauses)):
        writer = _writer(clauses[number - 1], clauses[number], text, graph)
        if writer is not None:
            clauses[number] = replace(clauses[number], tool=writer.id)
            links[number - 1, number] = 1.0
    if clauses == list(reading.clauses):
        return reading
    files = {number: of for number, of in reading.files.items() if clauses[number] is reading.clauses[number]}
    return replace(reading, clauses=tuple(clauses), links=links, files=files)


def _writer(made: ToolClause, saved: ToolClause, text: str, graph: ToolGraph) -> ToolSpec | None:
    """The tool that writes what the first clause makes into such a file as the second one asks for."""
    likeliest = saved.tool or next((tool for tool, _ in saved.others), "")
    maker, converter = graph.tools.get(made.tool), graph.tools.get(likeliest)
    form = _form(converter) if converter is not None else None
    type = next((out.type for out in maker.outputs), "") if maker is not None else ""
    if type not in _WRITTEN or form is None:
        return None
    said = _words(text, saved)
    if any(word.kind == "hole" for word in said) or _names(said) & _names(_words(text, made)) or _is_original(said):
        return None
    forms = {choice for choice in form.choices if any(word.text == choice for word in said)}
    return next((tool for tool in graph.tools.values() if _writes(tool, type, form.name, forms)), None)


def _form(tool: ToolSpec) -> PortSpec | None:
    """Of a tool that makes a file out of a file the input that says in which form."""
    if [port.type for port in tool.inputs if port.required] + [out.type for out in tool.outputs] != ["file", "file"]:
        return None
    return next((port for port in tool.inputs if port.choices), None)


def _writes(tool: ToolSpec, type: str, form: str, forms: set[str]) -> bool:
    takes = [port.type for port in tool.inputs if not port.choices]
    if any(port.required and port.type != type for port in tool.inputs):
        return False
    known = next((set(port.choices) for port in tool.inputs if port.name == form), set[str]())
    return type in takes[:2] and bool(forms & known) and [out.type for out in tool.outputs] == ["file"]


def _words(text: str, clause: ToolClause) -> list[Word]:
    return [word for word in read_words(text) if clause.start <= word.start < clause.end]


def _names(words: list[Word]) -> set[str]:
    """Words that may be those for a thing."""
    return {word.text for word in words if len(word.text) > 3 and word.text not in lexicon().skipped}


def _is_original(words: list[Word]) -> bool:
    return any(word.text in tables().small["original"] for word in words)
