"""What is saved at the end of a wish is what the wish made: "summarise letter.docx and save that as a PDF"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_app.plan.arguments.value_tables import Word, read_words, tables
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import PortSpec, ToolSpec

_WRITTEN = ("text", "table")
_SURE = 0.7
"""A clause that hardly asks for anything is for the tool that is so likely, if it saves what was made."""


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
    for number in range(1, len(clauses)):
        saver = _saver(clauses[number], text, graph)
        maker = _last_maker(clauses[:number], saver, graph) if saver is not None else None
        if saver is not None and maker is not None:
            clauses[number] = replace(clauses[number], tool=saver.id)
            links |= {(one, other): 0.0 for one, other in links if other == number}
            links[maker, number] = 1.0
    if clauses == list(reading.clauses) and links == dict(reading.links):
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


def _saver(clause: ToolClause, text: str, graph: ToolGraph) -> ToolSpec | None:
    """The tool that saves a table as a file of some form, where the clause names no file and no original."""
    said = _words(text, clause)
    others = clause.others[:1] if not clause.tool and _names(said) else ()
    tool = graph.tools.get(next((tool for tool, share in others if share >= _SURE), clause.tool))
    if tool is None or [port.type for port in tool.inputs if port.required] != ["table"]:
        return None
    saves = [out.type for out in tool.outputs] == ["file"] and any(port.name == "format" for port in tool.inputs)
    return None if not saves or any(word.kind == "hole" for word in said) or _is_original(said) else tool


def _last_maker(clauses: Sequence[ToolClause], saver: ToolSpec, graph: ToolGraph) -> int | None:
    """The number of the last clause whose tool makes what the other one saves."""
    kinds = {port.type for port in saver.inputs if port.required}
    made = {tool.id for tool in graph.tools.values() if kinds & {out.type for out in tool.outputs[:1]}}
    return next((n for n in range(len(clauses) - 1, -1, -1) if clauses[n].tool in made), None)


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
