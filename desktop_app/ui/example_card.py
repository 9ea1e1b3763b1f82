"""A card of the first screen: an example request with what it works on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_app.examples import Example
from desktop_app.resource import type_of_name
from desktop_app.ui import icons, media, theme
from desktop_app.ui.glyphs import Lines, paint_lines, type_glyph
from desktop_app.ui.loader import Loader
from desktop_app.ui.player import paint_waveform
from desktop_app.ui.widgets import ClickableFrame, color, px, row
from nodes.api import ResourceType

_T = ResourceType
_EXCERPT = 260
_ICONS = {_T.AUDIO: "audio-lines", _T.VIDEO: "film", _T.TEXT: "file-text", _T.TABLE: "table"}


class Face(QWidget):
    """The upper half of a card: a picture, a waveform, or the first words; read on a thread."""

    def __init__(self, example: Example, loader: Loader) -> None:
        super().__init__()
        self._content: Any = None
        self._shown: Path | None = example.picture or (example.files[0] if example.files else None)
        self._type = type_of_name(self._shown.name) if self._shown else _T.TEXT
        self.setFixedHeight(px(136))
        if self._shown is not None:
            loader.run(partial(_read, self._shown, self._type), self._came)

    def _came(self, content: Any) -> None:
        self._content = content
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        radius = px(9)
        path.addRoundedRect(QRectF(0, 0, self.width(), self.height() + radius), radius, radius)
        painter.setClipPath(path)
        painter.fillRect(self.rect(), color("background.field"))
        inner = self.rect().adjusted(px(16), px(14), -px(16), -px(8))
        if isinstance(self._content, QImage):
            self._paint_picture(painter, self._content)
        elif isinstance(self._content, media.Sound):
            paint_waveform(painter, QRectF(inner).adjusted(0, px(22), 0, -px(22)), self._content.peaks)
        elif isinstance(self._content, str):
            self._paint_words(painter, inner, self._content)
        elif self._content is not None or self._shown is None:
            side = px(28)
            place = QRectF(0, 0, side, side)
            place.moveCenter(QRectF(self.rect()).center())
            icons.paint(painter, place, _ICONS.get(self._type, "image"), color("text.tertiary"))
        painter.end()

    def _paint_picture(self, painter: QPainter, image: QImage) -> None:
        if image.isNull():
            return
        factor = max(self.width() / image.width(), self.height() / image.height())
        wide, high = round(self.width() / factor), round(self.height() / factor)
        source = QRect((image.width() - wide) // 2, (image.height() - high) // 2, wide, high)
        painter.drawImage(self.rect(), image, source)

    def _paint_words(self, painter: QPainter, inner: QRect, text: str) -> None:
        painter.setFont(theme.current().font("small"))
        painter.setPen(color("text.secondary"))
        paint_lines(painter, QRectF(inner), text)


def _read(path: Path, type: ResourceType) -> Any:
    if type in media.PICTURES:
        return media.picture(path, type, 480)
    if type is _T.VIDEO:
        return media.frame(path, 480)
    if type is _T.AUDIO:
        return media.outline(path, 120)
    if type is _T.TEXT:
        return str(media.value(path, type))[:_EXCERPT].strip()
    return None


class ExampleCard(ClickableFrame):
    """A click asks for the example: it plans, it does not run."""

    def __init__(self, example: Example, loader: Loader) -> None:
        super().__init__(example.request)
        self.example = example
        self.setProperty("surface", "raised")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        glyphs = [type_glyph(ResourceType(name), 11) for name in example.types if name in set(ResourceType)]
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, px(10))
        column.setSpacing(px(8))
        column.addWidget(Face(example, loader))
        column.addLayout(row(Lines(example.request, 2, "text.primary", "control"), margins=(12, 2, 12, 0)))
        column.addLayout(row(*glyphs, None, gap=8, margins=(12, 0, 12, 0)))
