"""The field in which a message is written, and what is dropped or pasted into it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.incoming import files_of, holds_picture
from desktop_app.ui.widgets.basic import px

_LINES = 8


class Field(QPlainTextEdit):
    """Grows with its text up to eight lines. Enter sends, Shift+Enter makes a new line."""

    sent = Signal()
    pasted = Signal(object)

    def __init__(self, lines: int = 1) -> None:
        super().__init__()
        self._least = lines
        self.setProperty("bare", True)
        self.setProperty("large", lines > 1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.textChanged.connect(self._fit)
        self.setAcceptDrops(False)  # the composer takes drops as a whole
        self._fit()
        self.document().clearUndoRedoStacks()  # the margin is no change of the user's

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and keys == Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the window's key for running
        elif not press(writing_actions(), self, event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """With nothing to take back here, undo and redo are those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            document, keys = self.document(), QKeySequence.StandardKey
            undo = event.matches(keys.Undo) and not document.isUndoAvailable()
            if undo or (event.matches(keys.Redo) and not document.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return holds_picture(source) or source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if files_of(source) or holds_picture(source):
            self.pasted.emit(source)
        else:
            self.insertPlainText(source.text())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(px(200), self.height())

    def _fit(self) -> None:
        shown = self.document().documentLayout().documentSize().height()  # in lines, for plain text
        lines = min(_LINES, max(self._least, round(shown)))
        high = lines * self.fontMetrics().lineSpacing() + px(8)
        if self.height() != high or self.minimumHeight() != high:
            self.setFixedHeight(high)


def writing_actions() -> tuple[Action[Field], ...]:
    """What keys do while a message is written."""
    return (
        Action("send", translate("Send"), "", lambda field: field.sent.emit(), ("Return", "Enter")),
        Action("line", translate("A new line"), "", lambda field: field.insertPlainText("\n"), ("Shift+Return",)),
    )
