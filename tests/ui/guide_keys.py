"""Writes the guide's table of keys from the registry of actions: `python -m tests.ui.guide_keys`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from desktop_app.core.paths import RESOURCES
from desktop_app.ui.main_window.action_registry import places

PAGE = RESOURCES / "guide" / "keyboard.md"


def known() -> frozenset[str]:
    """Every key of the program, as Qt writes it."""
    return frozenset(_plain(keys) for actions in places().values() for action in actions for keys in action.keys)


def _plain(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


def is_known(keys: str) -> bool:
    """True when the program does something at these keys."""
    return _plain(keys) in known()


def looks_like_keys(text: str) -> bool:
    """True for what is meant as keys: `Ctrl+K`, `F1`, `Esc`, one letter."""
    names = "Esc|Tab|Space|Return|Del|Backspace|Left|Right|Up|Down|Home|End"
    return bool(re.fullmatch(rf"(?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9,+\-\[\]]|F\d+|{names})", text))


def page() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Keys"
    yield ""
    yield "Everything can be done without a mouse. On a Mac, Ctrl is the command key. This page is made from the"
    yield "program's own tables (`python -m tests.ui.guide_keys`)."
    for place, actions in places().items():
        keys: dict[str, list[str]] = {}
        for action in actions:
            if action.keys:  # several keys that do the same are one line
                keys.setdefault(action.name, []).extend(action.keys)
        yield from ("", f"## {place}", "", "| keys | what they do |", "|---|---|")
        for name, row in keys.items():
            yield f"| {', '.join(f'`{one}`' for one in row)} | {name[:1].lower() + name[1:]} |"
    yield ""
    yield "[To the first page](index.md)"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
