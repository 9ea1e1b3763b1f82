"""What the result is saved as: its name, and the form of its file."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_app.plan.modes.edits import Edit, Name, Present, SaveAs
from desktop_app.plan.modes.follow_up_words import Look, StepWords
from desktop_app.plan.tools.tool_graph import fits, main_inputs
from desktop_app.plan.types import ToolSpec


class Saving(StepWords):
    """Reads under which name and in which form results shall be saved."""

    def _name(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        spans = said.spans("name")
        if not spans or spans[0][1] + 1 >= len(said.words):
            return None
        before = said.left(("filler", "no", "thanks"), [(spans[0][0], len(said.words))])
        name = said.piece(spans[0][1] + 1, len(said.words) - 1).strip(" .!?。！？\"'“”„«»‘’")
        forms = said.meanings("forms")
        if before or not name or len(name) > 60 or len(name.split()) > 6:
            return None
        if forms and name.lower().strip(". ").removeprefix("a ") in {"jpeg", *forms}:
            return None  # "save as jpg"
        return Name(name)

    def _save(self, reading: Look, present: Present) -> Edit | None:
        said = reading.said
        forms = said.meanings("forms")
        if not forms or reading.foreign or not present.steps:
            return None
        rest = said.left(("save", "forms", "filler", "as", "picture", "instead", "choose", "no"))
        return SaveAs(forms[-1]) if not rest else None


def form_port(tools: Iterable[ToolSpec], type: str, form: str) -> tuple[str, str, str] | None:
    """The tool that makes a file of that form from such a thing: its id, the port that takes the thing, the port that
    takes the form ("" where it makes no other); None when none does. None that has to be told more, as which chapter.
    """
    for tool in tools:
        port = next((p for p in tool.inputs if p.name == "format" and form in p.choices), None)
        main = [*main_inputs(tool), *(p for p in tool.inputs if p.name in tool.any_of)]
        source = next((p for p in main if fits(type, p.type)), None)
        more = any(p.required for p in tool.inputs if p not in (port, source))
        makes = port is not None or tool.id.endswith(f"_to_{form}")
        if makes and source is not None and not more:
            return tool.id, source.name, port.name if port is not None else ""
    return None
