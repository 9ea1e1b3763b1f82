"""The field in which a message is written, and what is dropped or pasted into it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop_app.core.paths import home, make_private
from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.formatting import translate
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and keys == Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the window's key for running
        elif not press(writing_actions(), self, event):
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasImage() or source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if files_of(source) or source.hasImage():
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


def files_of(source: QMimeData) -> list[Path]:
    """The local files that are dropped or pasted."""
    return [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []


def keep_pasted(image: QImage) -> Path:
    """Writes a picture of the clipboard to a file of its own. Raises OSError. May run on a thread."""
    folder = home() / "pasted"
    make_private(folder)
    number = 1
    while (path := folder / f"pasted-{number}.png").exists():
        number += 1
    if not image.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise OSError(f"{path} cannot be written")
    return path
