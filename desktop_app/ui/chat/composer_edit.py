"""The field in which a message is written, and what is dropped or pasted into it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop_app.core.paths import home, make_private
from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import px

_LINES = 8
_ENCODED = (
    "image/png", "image/jpeg", "image/webp", "image/tiff", "image/bmp", "image/gif", "image/avif",
    'application/x-qt-windows-mime;value="PNG"', "application/x-qt-image",
)  # fmt: skip
"""Forms in which others offer a picture as a file, best first. What Qt passes on under its own name is a PNG, too."""
_BEGINNINGS = (
    (b"\xff\xd8", ".jpg"), (b"RIFF", ".webp"), (b"II*\0", ".tif"), (b"MM\0*", ".tif"), (b"BM", ".bmp"),
    (b"GIF8", ".gif"), (b"\0\0\0", ".avif"),
)  # fmt: skip


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


def files_of(source: QMimeData) -> list[Path]:
    """The local files that are dropped or pasted."""
    return [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []


def holds_picture(source: QMimeData) -> bool:
    """True when a picture is dropped or pasted."""
    return source.hasImage() or any(kind.startswith("image/") for kind in source.formats())


def picture_of(source: QMimeData) -> bytes | QImage | None:
    """The picture that is dropped or pasted: the bytes of its file, which nothing has decoded, or pixels.

    Pixels are taken only where there are no such bytes, as they are in this program and on Windows and macOS: Qt would
    decode here and now what another program offers. None for a form that is not read.
    """
    offered = source.formats()
    for kind in _ENCODED:
        if kind in offered and (data := bytes(source.data(kind).data())):
            return data
    if any(kind.startswith("image/") for kind in offered):
        return None
    image = source.imageData()
    if isinstance(image, QPixmap):
        image = image.toImage()
    return QImage(image) if isinstance(image, QImage) and not image.isNull() else None


def keep_pasted(picture: bytes | QImage) -> Path:
    """Writes a picture of the clipboard to a file of its own. Raises OSError. May run on a thread."""
    folder = home() / "pasted"
    make_private(folder)
    ending = _ending(picture) if isinstance(picture, bytes) else ".png"
    number = 1
    while any(folder.glob(f"pasted-{number}.*")):
        number += 1
    path = folder / f"pasted-{number}{ending}"
    if isinstance(picture, bytes):
        path.write_bytes(picture)
    elif not picture.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise OSError(f"{path} cannot be written")
    return path


def _ending(data: bytes) -> str:
    return next((ending for begin, ending in _BEGINNINGS if data.startswith(begin)), ".png")
