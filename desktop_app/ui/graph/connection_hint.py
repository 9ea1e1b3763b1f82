"""Why a join cannot be made, in words, where it was tried, with one button: the converter that would help."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import Button, IconButton, label, px, row, stack
from desktop_app.ui.widgets.glyphs import state_glyph

_WIDTH = 272


class ConnectionHint(QFrame):
    """`add_wanted` asks for the converter. It goes away with Esc, its cross, or the next action on the canvas."""

    add_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._home = parent
        self.setProperty("surface", "overlay")
        self.setAccessibleName(translate("Why this join cannot be made"))
        self._words = label("", "", True)
        self.add = Button(translate("Add a converter"), "plus", "primary", small=True)
        self.add.clicked.connect(self._take)
        close = IconButton("x", translate("Close (Esc)"), 24)
        close.clicked.connect(self._leave)
        head = row(state_glyph("input", side=16), self._words, close, gap=8, grow=1)
        head.setAlignment(close, Qt.AlignmentFlag.AlignTop)
        column = stack(head, parent=self, margins=(12, 8, 8, 10))
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFixedWidth(px(_WIDTH))
        self.hide()

    def say(self, reason: str, converter: str) -> None:
        """`converter` is the title of a tool, "" when none helps."""
        self._words.setText(translate("{reason}.").format(reason=reason[:1].upper() + reason[1:]))
        self.setAccessibleDescription(reason)
        self.add.set_words(translate("Add {title}").format(title=converter) if converter else "")
        self.add.setVisible(bool(converter))
        height = self._words.heightForWidth(px(_WIDTH - 84))
        self._words.setMinimumHeight(height)
        self.adjustSize()

    @property
    def words(self) -> str:
        return self._words.text()

    def _take(self) -> None:
        self._leave()
        self.add_wanted.emit()

    def _leave(self) -> None:
        """The keyboard goes back to the canvas, not on to what happens to come next."""
        held = self.focusWidget()
        if held is not None and held.hasFocus():
            self._home.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)
