"""A picture with rounded corners, its name on a dark plate, scaled to the width it is given."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QImage, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.theme.shapes import paint_board
from desktop_app.ui.widgets.basic import ClickableFrame, Painted, color, px
from desktop_app.ui.widgets.glyphs import paint_point
from nodes.api import Point, ResourceType

_FAINT = 0.4
_MOST_TIMES = 4
"""A picture is not shown larger than that: a stamp as wide as the chat would be a blur."""


class Picture(Painted, ClickableFrame):
    """Shows the thumbnail of a picture or film as soon as it is read. A click or Enter opens it.

    `tallest` bounds the height; a taller picture is cut (`cut`) or made narrower.
    """

    opened = Signal(object)

    def __init__(
        self, ui: UiContext, resource: Resource, tallest: int = 220, cut: bool = True, plate: bool = True
    ) -> None:
        self._caption = formatting.caption_of(as_saved(ui, resource))
        super().__init__(translate("{name}, open large").format(name=self._caption))
        self._ui, self.resource = ui, resource
        self._tallest, self._cut, self._plate = px(tallest), cut, plate
        self._override: QImage | None = None
        self.faint = False
        self._points: tuple[Point, ...] = ()
        self._cache: tuple[object, QPixmap] | None = None
        """What it was painted from last: by then the thumbnail may have made room for others."""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(px(48))
        self.setToolTip(self._caption)
        self.clicked.connect(lambda: self.opened.emit(self.resource))
        ui.thumbnails.ready.connect(self._came)
        ui.thumbnails.failed.connect(self._came)

    def set_points(self, points: tuple[Point, ...]) -> None:
        if points != self._points:
            self._points = points
            self.update()

    def set_faint(self, faint: bool) -> None:
        """True lets it fade: it is out of date."""
        self.faint = faint
        self.update()

    def set_preview(self, image: QImage | None) -> None:
        """Shows another picture in its place."""
        self._override, self._cache = image, None
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), self.heightForWidth(px(240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(48), px(40))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        wide, high = self._proportions()
        own = int(self.resource.facets.get("height", 0)) if self._override is None and not self._cut else 0
        most = min(self._tallest, px(_MOST_TIMES * own)) if own else self._tallest
        return max(px(40), min(most, round(width * high / wide)))

    def _proportions(self) -> tuple[int, int]:
        size = self._size()
        if size is not None and not size.isEmpty():
            return size.width(), size.height()
        facets = self.resource.facets
        return max(1, int(facets.get("width", 3))), max(1, int(facets.get("height", 2)))

    def _size(self) -> QSize | None:
        return self._override.size() if self._override else self._ui.thumbnails.size(self.resource)

    def _image(self) -> QImage | None:
        return self._override or self._ui.thumbnails.image(self.resource)

    def _came(self, digest: str) -> None:
        if digest == self.resource.digest:
            self._cache = None
            self.updateGeometry()
            self.update()

    def paint(self, painter: QPainter) -> None:
        size = self._size()
        target = QRectF() if size is None or size.isEmpty() else self._target(size)
        pixmap = self._rounded(target)
        if pixmap is None:
            self._paint_empty(painter)
        else:
            painter.setOpacity(_FAINT if self.faint else 1.0)
            painter.drawPixmap(target.topLeft(), pixmap)
            painter.setOpacity(1.0)
            painter.setPen(color("background.border"))  # else a white edge would end nowhere on a white ground
            painter.drawRoundedRect(target.adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))
            self._paint_over(painter, target)
        if self.hasFocus():
            painter.setPen(color("accent.line"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(8), px(8))

    def _target(self, size: QSize) -> QRectF:
        room = QRectF(self.rect())
        if self._cut:
            return room
        size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(0, 0, size.width(), size.height())
        target.moveTop(room.center().y() - target.height() / 2)
        return target  # at the left, where its caption begins

    def _rounded(self, target: QRectF) -> QPixmap | None:
        """None while there is nothing to paint: it is still to be read."""
        density, size = self.devicePixelRatioF(), target.size().toSize()
        key = (size, density, theme.current().name)
        if self._cache is None or self._cache[0] != key:
            image = self._image() if not size.isEmpty() else None
            if image is None or image.isNull():
                return None
            self._cache = (key, _rounded(image, size, density, px(8)))
        return self._cache[1]

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("background.field"))
        painter.drawRoundedRect(QRectF(self.rect()), px(8), px(8))
        painter.setPen(color("text.tertiary"))
        painter.setFont(theme.current().font("caption"))
        trouble = formatting.said(self._ui.thumbnails.trouble(self.resource))
        inner = self.rect().adjusted(px(10), px(6), -px(10), -px(6))
        words = trouble or self.tr("Reading the picture…")
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        if not inner.contains(painter.fontMetrics().boundingRect(inner, flags, words)):
            side = min(px(20), self.height() - px(8))  # a word from the middle would say nothing
            sign = QRectF(0, 0, side, side)
            sign.moveCenter(QRectF(self.rect()).center())
            icons.paint(painter, sign, "file-x" if trouble else "image", color("text.tertiary"))
            return
        if trouble and inner.height() > px(64):
            sign = QRectF(0, 0, px(20), px(20))
            sign.moveCenter(QPointF(inner.center().x(), inner.top() + px(14)))
            icons.paint(painter, sign, "file-x", color("text.tertiary"))
            inner.setTop(inner.top() + px(28))
        painter.drawText(inner, flags, words)

    def _paint_over(self, painter: QPainter, target: QRectF) -> None:
        self._paint_points(painter, target)
        if self.resource.type is ResourceType.VIDEO and self._override is None:
            paint_play(painter, target)
        if self._plate and self._caption:  # beside a tall picture there is room for it
            place = QRectF(target.topLeft(), QPointF(self.width(), target.bottom()))
            paint_plate(painter, place, self._caption)

    def _paint_points(self, painter: QPainter, target: QRectF) -> None:
        wide, high = self.resource.facets.get("width"), self.resource.facets.get("height")
        if not self._points or not wide or not high:
            return
        factor = max(target.width() / wide, target.height() / high) if self._cut else target.width() / wide
        left = target.center().x() - wide * factor / 2
        top = target.center().y() - high * factor / 2
        for x, y, include in self._points:
            place = target.topLeft()
            place.setX(left + (x + 0.5) * factor)
            place.setY(top + (y + 0.5) * factor)
            paint_point(painter, place, px(5), include)


def cut_caption(text: str, metrics: QFontMetrics | QFontMetricsF, room: float) -> str:
    """A name and its facts in that much room: the name is cut, and where that is not enough the facts are left out;
    half a size would be another one."""
    name, dot, facts = text.partition(" · ")
    left = room - metrics.horizontalAdvance(dot + facts)
    if dot and left < min(metrics.horizontalAdvance(name), metrics.horizontalAdvance("xx…xx")):
        return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(room))
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(left)) + dot + facts


def paint_plate(painter: QPainter, target: QRectF, text: str) -> None:
    """A line of text on a dark plate at the bottom left of `target`."""
    painter.setFont(theme.current().font("caption"))
    metrics = painter.fontMetrics()
    room = round(target.width()) - px(28)
    if room < px(30):
        return
    text = cut_caption(text, metrics, room)
    height = metrics.height() + px(4)
    plate = QRectF(target.left() + px(6), target.bottom() - height - px(6), 0, height)
    plate.setWidth(metrics.horizontalAdvance(text) + px(14))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color("on_picture.background"))
    painter.drawRoundedRect(plate, px(5), px(5))
    painter.setPen(color("on_picture.text"))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def paint_play(painter: QPainter, target: QRectF) -> None:
    """A dark disc with a play sign in the middle of `target`."""
    radius = min(px(19), round(target.height() / 3))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color("on_picture.background"))
    painter.drawEllipse(target.center(), radius, radius)
    sign = QRectF(0, 0, radius, radius)
    sign.moveCenter(target.center())
    icons.paint(painter, sign, "play", color("on_picture.text"))


def _rounded(image: QImage, size: QSize, density: float, radius: int) -> QPixmap:
    """The image scaled to cover `size`, cut at the middle, corners rounded; sharp at `density`. Alpha on a board."""
    pixels = size * density
    scaled = image.scaled(
        pixels, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    out = QPixmap(pixels)
    out.fill(Qt.GlobalColor.transparent)
    painter = QPainter(out)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    path.addRoundedRect(QRectF(out.rect()), radius * density, radius * density)
    painter.setClipPath(path)
    if image.hasAlphaChannel():
        paint_board(painter, out.rect(), round(8 * density))
    painter.drawImage((out.width() - scaled.width()) // 2, (out.height() - scaled.height()) // 2, scaled)
    painter.end()
    out.setDevicePixelRatio(density)
    return out


class StepPicture(Painted, QWidget):
    """A picture that is still being made, with a note on a plate."""

    def __init__(self) -> None:
        super().__init__()
        self._image, self._note = QImage(), ""
        self.setFixedHeight(px(180))

    def set_image(self, image: QImage, note: str) -> None:
        self._image, self._note = image, note
        self.update()

    def paint(self, painter: QPainter) -> None:
        if not self._image.isNull():
            pixmap = _rounded(self._image, self.size(), self.devicePixelRatioF(), px(8))
            painter.drawPixmap(0, 0, pixmap)
            if self._note:
                paint_plate(painter, QRectF(self.rect()), self._note)
