"""Keys as they are drawn: `Ctrl ↵`, `Alt ←`, `Ctrl K`. Must not know what they do."""

from __future__ import annotations

import re
import sys

from PySide6.QtGui import QKeySequence

_SIGNS = {
    "Return": "↵", "Enter": "↵", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Del": "Del", "Backspace": "⌫",
}  # fmt: skip
_BETWEEN = re.compile(r"\+(?!$)")


def key_words(keys: str) -> str:
    """The words for keys written as Qt does (`Ctrl+Return`), with signs for what is on keyboards as a sign."""
    sequence = QKeySequence(keys)
    if sys.platform == "darwin":
        return sequence.toString(QKeySequence.SequenceFormat.NativeText)
    said = sequence.toString(QKeySequence.SequenceFormat.PortableText)  # the same in every language, as keys are
    return " ".join(_SIGNS.get(part, part) for part in _BETWEEN.split(said))
