"""What a user can do in one place of the window, as entries of a table: keys, menus, tips and the guide are made of it.

Must not know any place: each has its table where it acts (`main_window/action_registry` gathers them all).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from desktop_app.ui.theme import icons

_On = TypeVar("_On", contravariant=True)

_SIGNS = {
    "Return": "↵", "Enter": "↵", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Del": "Del", "Backspace": "⌫",
}  # fmt: skip
_BETWEEN = re.compile(r"\+(?!$)")


def _never(_: object) -> str:
    return ""


@dataclass(frozen=True)
class Action(Generic[_On]):
    """`run(on)` does it; where it returns False its key meant nothing, and goes on to who may know it. `keys` are
    written as Qt does, the first is the one that is shown. `refusal(on)` says why not now, "" when it can.

    Without an icon it is there for its keys alone, and neither menus nor the search offer it.
    """

    id: str
    text: str
    icon: str
    run: Callable[[_On], object]
    keys: tuple[str, ...] = ()
    refusal: Callable[[_On], str] = _never

    @property
    def name(self) -> str:
        """Its text without the sign that more is asked for then."""
        return self.text.rstrip("…")

    @property
    def tip(self) -> str:
        """Its name with its key: `Undo (Ctrl+Z)`."""
        return f"{self.name} ({self.keys[0]})" if self.keys else self.name


def by_id(actions: Iterable[Action[_On]]) -> dict[str, Action[_On]]:
    """The table by ids. Raises ValueError for two of one id."""
    table: dict[str, Action[_On]] = {}
    for action in actions:
        if action.id in table:
            raise ValueError(f"Two actions are called {action.id!r}.")
        table[action.id] = action
    return table


def press(actions: Iterable[Action[_On]], on: _On, event: QKeyEvent) -> bool:
    """Does what the key means; False when it means nothing here."""
    keymap = {QKeySequence(k)[0].toCombined(): action for action in actions for k in action.keys}  # type: ignore[index]
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    action = keymap.get(QKeyCombination(modifiers, Qt.Key(event.key())).toCombined())
    if action is None and modifiers == Qt.KeyboardModifier.ShiftModifier and not event.text().isalpha():
        action = keymap.get(QKeyCombination(Qt.Key(event.key())).toCombined())  # + and the like need Shift
    return action is not None and action.run(on) is not False


def add_to_menu(menu: QMenu, action: Action[_On], on: _On, run: Callable[[_On], object] | None = None) -> QAction:
    """An entry of the menu; `run` instead of what the action does, where the menu knows more (the place, say)."""
    shown = QKeySequence(action.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if action.keys else ""
    made = menu.addAction(icons.icon(action.icon), f"{action.text}\t{shown}" if shown else action.text)
    made.triggered.connect(lambda checked=False: (run or action.run)(on))
    return made


def key_words(keys: str) -> str:
    """The words for keys written as Qt does (`Ctrl+Return`), with signs for what is on keyboards as a sign."""
    sequence = QKeySequence(keys)
    if sys.platform == "darwin":
        return sequence.toString(QKeySequence.SequenceFormat.NativeText)
    said = sequence.toString(QKeySequence.SequenceFormat.PortableText)  # the same in every language, as keys are
    return " ".join(_SIGNS.get(part, part) for part in _BETWEEN.split(said))
