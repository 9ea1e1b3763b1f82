"""Writes the guide's table of keys from the program's own tables: `python -m tests.ui.guide_keys`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from desktop_app.core.paths import PROJECT, RESOURCES
from desktop_app.ui.graph.actions import registry
from desktop_app.ui.main_window.actions import window_commands
from desktop_app.ui.pointing.tool_bar import KEYS

PAGE = RESOURCES / "guide" / "keyboard.md"
_UI = PROJECT / "desktop_app" / "ui"
_TOOLS = {
    "point": "Points", "box": "Box", "brush": "Brush", "eraser": "Eraser", "lasso": "Lasso", "scribble": "Scribble",
    "pan": "Move the picture", "zoom": "Zoom",
}  # fmt: skip
ELSEWHERE = {
    "Anywhere": (
        ("Ctrl+K", "search everything: commands, nodes, tools, conversations", "main_window/shortcuts.py", "Ctrl+K"),
        ("F6", "the next part of the window", "main_window/shortcuts.py", "F6"),
        ("Shift+F6", "the part before", "main_window/shortcuts.py", "Shift+F6"),
        (
            "Esc",
            "close what is open, leave pointing or comparing, stop the run",
            "main_window/main_window.py",
            "Key_Escape",
        ),
    ),
    "Writing a message": (
        ("Return", "send", "chat/composer_edit.py", "Key_Return"),
        ("Shift+Return", "a new line", "chat/composer_edit.py", "Key_Return"),
    ),
    "Pointing": (
        *(
            (chr(key), f"{_TOOLS[tool]} (tool)", "pointing/tool_bar.py", f"Key_{chr(key)}")
            for key, tool in KEYS.items()
        ),
        ("C", "a cross that the arrow keys move", "pointing/picture_view.py", "Key_C"),
        ("Left", "move the chosen mark by 1 pixel; with Shift by 10", "pointing/picture_view.py", "Key_Left"),
        ("Del", "remove the chosen mark", "pointing/picture_view.py", "Key_Delete"),
        ("Space", "hold: move the picture", "pointing/picture_view.py", "Key_Space"),
        ("[", "narrower brush", "pointing/pointing_view.py", "Key_BracketLeft"),
        ("]", "wider brush", "pointing/pointing_view.py", "Key_BracketRight"),
        ("N", "one more object", "pointing/pointing_view.py", "Key_N"),
        ("1", "take the first reading; 2 and 3 the others", "pointing/pointing_view.py", "Key_1"),
        ("F", "fit the picture", "pointing/pointing_view.py", "Key_F"),
        ("Return", "use what was pointed at", "pointing/pointing_view.py", "Key_Return"),
    ),
    "Comparing": (
        ("A", "A in front", "compare/compare_view.py", "Key_A"),
        ("B", "B in front", "compare/compare_view.py", "Key_B"),
        ("D", "fold or unfold what differs", "compare/compare_view.py", "Key_D"),
        ("1", "the first way to look; 2, 3, 4 the others", "compare/compare_view.py", "Key_1"),
        ("F", "fit the picture", "compare/compare_view.py", "Key_F"),
    ),
    "The run timeline": (
        ("+", "zoom in", "timeline/interaction.py", "Key_Plus"),
        ("-", "zoom out", "timeline/interaction.py", "Key_Minus"),
        ("0", "the whole run", "timeline/interaction.py", "Key_0"),
        ("Left", "earlier; Right: later", "timeline/interaction.py", "Key_Left"),
        ("Home", "the beginning; End: the end", "timeline/interaction.py", "Key_Home"),
    ),
}
"""By place: keys, what they do, and the file of the window in which that word says so."""


def known() -> frozenset[str]:
    """Every key of the program, as Qt writes it."""
    tables = (*window_commands().values(), *registry.commands().values())
    said = [keys for command in tables for keys in command.keys]
    said += [keys for rows in ELSEWHERE.values() for keys, *_ in rows]
    return frozenset(_plain(keys) for keys in (*said, "Right", "Up", "Down", "2", "3", "4", "Shift+Left"))


def _plain(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


def is_known(keys: str) -> bool:
    """True when the program does something at these keys."""
    return _plain(keys) in known()


def looks_like_keys(text: str) -> bool:
    """True for what is meant as keys: `Ctrl+K`, `F1`, `Esc`, one letter."""
    names = "Esc|Tab|Space|Return|Del|Backspace|Left|Right|Up|Down"
    return bool(re.fullmatch(rf"(?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9,+\-\[\]]|F\d+|{names})", text))


def page() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Keys"
    yield ""
    yield "Everything can be done without a mouse. On a Mac, Ctrl is the command key. This page is made from the"
    yield "program's own tables (`python -m tests.ui.guide_keys`)."
    anywhere = [(c.keys, c.words.rstrip("…").lower()) for c in window_commands().values() if c.keys]
    anywhere += [((keys,), what) for keys, what, *_ in ELSEWHERE["Anywhere"]]
    yield from _table("Anywhere", anywhere)
    graph = [(c.keys, c.words.rstrip("…").lower()) for c in registry.commands().values() if c.keys and c.words]
    yield from _table("In the graph", [*graph, (("Left", "Right", "Up", "Down"), "move what is chosen, or the view")])
    for place, rows in ELSEWHERE.items():
        if place != "Anywhere":
            yield from _table(place, [((keys,), what) for keys, what, *_ in rows])
    yield ""
    yield "[To the first page](index.md)"


def _table(heading: str, rows: list[tuple[tuple[str, ...], str]]) -> Iterator[str]:
    yield from ("", f"## {heading}", "", "| keys | what they do |", "|---|---|")
    for keys, what in rows:
        yield f"| {', '.join(f'`{one}`' for one in keys)} | {what} |"


def source(name: str) -> str:
    """The text of a file of the window."""
    return (_UI / name).read_text("utf-8")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
