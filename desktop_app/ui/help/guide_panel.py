"""The user guide in a panel over the window: the pages of resources/guide in the language in use. Uses no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QImage, QImageReader, QKeyEvent, QTextDocument
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.ui.widgets.basic import IconButton, px, row, stack
from desktop_app.ui.widgets.markdown_view import MarkdownText, browse
from desktop_app.ui.widgets.popup_panel import PopupPanel

FOLDER = RESOURCES / "guide"
FIRST = "index.md"
_WIDE, _MARGIN = 820, 24
_BACK = Qt.KeyboardModifier.AltModifier | Qt.Key.Key_Left


def page_file(name: str) -> Path:
    """The page in the language in use, or in English where that lacks it."""
    own = FOLDER / catalogue.language() / name
    return own if own.is_file() else FOLDER / name


def pages() -> dict[str, str]:
    """The title of each page by its file name: the first page, then the others in the order in which it names them."""
    named = re.findall(r"\]\(([\w-]+\.md)", page_file(FIRST).read_text("utf-8"))
    return {name: page_file(name).read_text("utf-8").split("\n", 1)[0].lstrip("# ") for name in (FIRST, *named)}


class GuideText(MarkdownText):
    """A page; `page_wanted` names another one, `back_wanted` asks for the one before. Reads the guide's pictures and
    nothing else.
    """

    page_wanted, back_wanted = Signal(str), Signal()
    own = True
    _folder = FOLDER

    def set_page(self, page: Path) -> None:
        self._folder = page.parent
        self.set_text(page.read_text("utf-8"))

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        path = (self._folder / (name.toString() if isinstance(name, QUrl) else name)).resolve()
        if (
            type != QTextDocument.ResourceType.ImageResource.value
            or FOLDER.resolve() not in path.parents
            or not path.is_file()
        ):
            return QImage()
        reader = QImageReader(str(path))
        density, room = self.devicePixelRatioF(), px(_WIDE - 2 * _MARGIN - 12)
        size = reader.size()
        if size.width() > room * density:
            reader.setScaledSize(
                size.scaled(QSize(round(room * density), size.height()), Qt.AspectRatioMode.KeepAspectRatio)
            )
        image = reader.read()
        image.setDevicePixelRatio(density)
        return image

    def backward(self) -> None:
        """Alt+Left, for which Qt knows only pages that it opened."""
        self.back_wanted.emit()

    def _follow(self, url: QUrl) -> None:
        if url.isRelative() and url.path().endswith(".md"):
            self.page_wanted.emit(url.path())
        else:
            browse(url)


class GuidePanel(PopupPanel):
    """Opens on the first page, and later on the one that was read last."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, self.tr("User guide"), _WIDE)
        self._read: list[str] = []
        self.page = ""
        self.text = GuideText()
        self.text.setAccessibleName(self.tr("Page of the user guide"))
        self.text.page_wanted.connect(self.show_page)
        self.text.back_wanted.connect(self.go_back)
        self.chapters = QComboBox()
        self.chapters.setAccessibleName(self.tr("Chapter"))
        self.chapters.setToolTip(self.tr("The chapters of the guide"))
        self.back = IconButton("chevron-left", self.tr("The page before (Alt+Left)"), 24)
        self.back.clicked.connect(self.go_back)
        self.head.insertLayout(1, row(self.back, self.chapters, gap=6, margins=(12, 0, 0, 0)))
        for name, title in pages().items():
            self.chapters.addItem(title, name)
        self.chapters.activated.connect(lambda: self.show_page(self.chapters.currentData()))
        body = QWidget()
        stack(self.text, None, parent=body, margins=(_MARGIN, 12, _MARGIN, 16))
        self.set_body(body)

    def open_below(self, anchor: QWidget) -> None:
        if not self.page:
            self.show_page(FIRST)
        super().open_below(anchor)

    def first_focus(self) -> QWidget:
        return self.chapters

    def show_page(self, name: str) -> None:
        at = self.chapters.findData(name)
        if at < 0 or name == self.page:
            return
        if self.page:
            self._read.append(self.page)
        self._show(name)

    def go_back(self) -> None:
        if self._read:
            self._show(self._read.pop())

    def _show(self, name: str) -> None:
        self.page = name
        self.chapters.setCurrentIndex(self.chapters.findData(name))
        self.text.set_page(page_file(name))
        self.back.setEnabled(bool(self._read))
        self.scroll_up()

    def event(self, event: QEvent) -> bool:
        """Alt+Left is its own while the keyboard is in here, though the window has that key too."""
        if not isinstance(event, QKeyEvent) or event.keyCombination() != _BACK:
            return super().event(event)
        if event.type() == QEvent.Type.KeyPress:
            self.go_back()
        event.accept()
        return True
