"""In place of two results of which one is not there: why, what it would cost to make it, and the button for that."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from desktop_app.ui.widgets.basic import Button, label, px, row, stack
from desktop_app.ui.widgets.glyphs import ProgressLine


class MissingResult(QFrame):
    """`run` is the button that runs what is missing, `stop` ends that."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._why = label("", "heading", True)
        self._cost = label("", "secondary", True)
        self._shared = label("", "tertiary", True)
        for words in (self._why, self._cost, self._shared):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.run = Button(self.tr("Run"), "play-solid", "primary")
        self.stop = Button(self.tr("Stop"), "stop-solid", tip=self.tr("Stop the run"))
        self._line = ProgressLine()
        self._line.setFixedWidth(px(260))
        column = stack(None, parent=self, gap=10, margins=(24, 12, 24, 12))
        for words in (self._why, self._cost, self._shared):
            column.addWidget(words)
        column.addLayout(row(None, self._line, None))
        column.addLayout(row(None, self.run, self.stop, None))
        column.addStretch(1)

    def show_missing(self, why: str, cost: str, shared: str, button: str) -> None:
        """`button` says what will happen; "" when nothing can be run."""
        self._say(why, cost, shared)
        self.run.set_words(button)
        self.run.setToolTip("\n".join(part for part in (cost, shared) if part))
        self.run.setVisible(bool(button))
        self.stop.hide()
        self._line.hide()

    def show_running(self, what: str, fraction: float) -> None:
        self._say(what, "", "")
        self.run.hide()
        self.stop.show()
        self._line.show()
        self._line.set_fraction(fraction)

    def _say(self, *texts: str) -> None:
        for words, text in zip((self._why, self._cost, self._shared), texts, strict=True):
            words.setText(text)
            words.setVisible(bool(text))
        self.setAccessibleName(" ".join(text for text in texts if text))
