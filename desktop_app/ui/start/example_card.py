"""A card of the first screen: an example request with what it works on, and what came of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QToolTip

from desktop_app.storage.examples import Example
from desktop_app.ui.start import example_preview
from desktop_app.ui.start.example_preview import Content
from desktop_app.ui.support import formatting
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.widgets.basic import ClickableFrame, Painted, color, px
from desktop_app.ui.widgets.glyphs import paint_lines
from nodes.api import ResourceType

_FACE, _TALLEST, _RATIO, _TALLEST_RATIO = 136, 300, 0.55, 0.8
"""The height of the upper half, on wide cards this part of the width, and the largest where the screen has room."""
_SIDE, _GLYPH = 12, 11


class ExampleCard(Painted, ClickableFrame):
    """A click asks for the example: it plans, it does not run.

    Painted as a whole, and its pictures are read when it is first painted, on a thread: the first screen is there
    sooner.
    """

    def __init__(self, example: Example, loader: BackgroundReader) -> None:
        super().__init__(example.request)
        self.example = example
        self._loader = loader
        self.content: Content | None = None
        self._asked = False
        self._face: tuple[object, QPixmap] | None = None
        self._types = [ResourceType(name) for name in example.types if name in set(ResourceType)]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._line = QFontMetrics(theme.current().font("control")).lineSpacing()
        self._high = 0
        self.show_wide(0)
        self.setToolTip(example.request)
        if (result := example.result) and (said := result.number or result.words):
            self.setAccessibleDescription(self.tr("Result: {words}").format(words=said))

    def show_wide(self, width: float, more: int = 0) -> None:
        """Makes it as high as becomes that width, and by up to `more` pixels higher where its picture gains by it."""
        high = self._face_height(width)
        high = max(high, min(high + more, round(width * _TALLEST_RATIO)))
        if high != self._high:
            self._high = high
            self.setFixedHeight(self._height_with(high))

    def height_for(self, width: float) -> int:
        return self._height_with(self._face_height(width))

    def _face_height(self, width: float) -> int:
        return min(px(_TALLEST), max(px(_FACE), round(width * _RATIO)))

    def _height_with(self, face: int) -> int:
        return face + px(11) + 2 * self._line + px(9) + px(_GLYPH) + px(12)

    def _came(self, content: object) -> None:
        self.content = content if isinstance(content, Content) else Content()
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            for type, place in self._places():
                if place.adjusted(-px(3), -px(6), px(3), px(6)).contains(event.pos().toPointF()):
                    QToolTip.showText(event.globalPos(), formatting.type_word(type), self)
                    return True
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().event(event)

    def _places(self) -> list[tuple[ResourceType, QRectF]]:
        side, top = px(_GLYPH), self.height() - px(12) - px(_GLYPH)
        return [
            (type, QRectF(px(_SIDE) + index * (side + px(8)), top, side, side))
            for index, type in enumerate(self._types)
        ]

    def paint(self, painter: QPainter) -> None:
        if not self._asked:
            self._asked = True
            self._loader.run(partial(example_preview.read, self.example), self._came)
        body = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("background.hover" if self.underMouse() else "background.raised"))
        painter.drawRoundedRect(body, px(10), px(10))
        painter.drawPixmap(0, 0, self._face_pixmap())
        self._paint_words(painter)
        wide = px(2) if self.hasFocus() else 1
        painter.setPen(QPen(color("accent.line" if self.hasFocus() else "background.border"), wide))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(body.adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2), px(10), px(10))

    def _paint_words(self, painter: QPainter) -> None:
        room = QRectF(self.rect()).adjusted(px(_SIDE), self._high + px(11), -px(_SIDE), 0)
        room.setHeight(2 * self._line + 1)
        painter.setFont(theme.current().font("control"))
        painter.setPen(color("text.primary"))
        paint_lines(painter, room, self.example.request)
        for type, place in self._places():
            shapes.paint_type(painter, place.adjusted(0.5, 0.5, -0.5, -0.5), type, True)

    def _face_pixmap(self) -> QPixmap:
        """The upper half with its round corners; painted anew only when something of it changed."""
        density = self.devicePixelRatioF()
        now = (self.width(), self._high, density, theme.current().name, self.content is not None)
        if self._face is None or self._face[0] != now:
            made = QPixmap(round(self.width() * density), round(self._high * density))
            made.setDevicePixelRatio(density)
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            path = QPainterPath()
            path.addRoundedRect(QRectF(0, 0, self.width(), self._high + px(10)), px(10), px(10))
            painter.setClipPath(path)
            area = QRectF(0, 0, self.width(), self._high)
            example_preview.paint(painter, area, self.example, self.content or Content())  # a sign until it is read
            painter.end()
            self._face = (now, made)
        return self._face[1]
