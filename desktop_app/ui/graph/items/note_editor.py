"""Writing into a note or the title of a frame: a field that lies over it while one writes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop_app.ui.theme import theme


class NoteEditor(QPlainTextEdit):
    """`written(id, text)` when the user is done: with Esc, with Enter in a title, with Ctrl+Enter in a note, or by
    going elsewhere. Undo takes it back.
    """

    written = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._id, self._before, self._one_line = "", "", False
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()

    def write(self, id: str, text: str, area: QRect, zoom: float, name: str, one_line: bool) -> None:
        """Opens over `area` of the parent with that text; `zoom` scales the letters, `name` says what is written."""
        self.finish()
        self._id, self._before, self._one_line = id, text, one_line
        font = theme.current().font("node_title" if one_line else "node_label")
        font.setPointSizeF(max(8.0, font.pointSizeF() * zoom))
        self.setFont(font)
        self.setStyleSheet(f"font-size: {font.pointSizeF():.2f}pt; padding: 2px 4px;")
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if one_line else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        self.setAccessibleName(name)
        least = self.fontMetrics().lineSpacing() + 16
        self.setGeometry(area.x(), area.y(), max(area.width(), 120), max(area.height(), least))
        self.setPlainText(text)
        self.selectAll() if one_line else self.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def finish(self) -> None:
        if not self._id:
            return
        id, self._id = self._id, ""
        text = self.toPlainText().strip()
        parent = self.parentWidget()
        if parent is not None and self.hasFocus():
            parent.setFocus()
        self.hide()
        if text != self._before:
            self.written.emit(id, text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        done = enter and (self._one_line or event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if done or event.key() == Qt.Key.Key_Escape:
            self.finish()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the keys of the window, such as undo, are the field's while one writes
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finish()
