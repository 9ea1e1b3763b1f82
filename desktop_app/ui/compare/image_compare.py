"""Two pictures in one place: under a slider, side by side, one after the other, or their difference.

Must not know where the pictures come from: films give theirs frame by frame.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.compare.pixel_difference import Difference
from desktop_app.ui.compare.sides import SIDES, other, paint_side_plate
from desktop_app.ui.support.wheel import zoom_of
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import Painted, color, px
from desktop_app.ui.widgets.picture import paint_plate

SLIDER, BESIDE, FLIP, DIFFERENCE = "slider", "beside", "flip", "difference"
PICTURE_MODES = (SLIDER, BESIDE, FLIP, DIFFERENCE)
_STEP, _BIG_STEP = 0.01, 0.1
_MOST_ZOOM = 40.0


class PictureCompare(Painted, QWidget):
    """`first` is the side seen first: left of the slider, on the left, or alone. `switched` tells that it changed.

    Tab changes the sides, the arrow keys move the slider; Shift and Tab goes back to the other controls.
    """

    switched = Signal(str)
    difference_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode = SLIDER
        self.first = "a"
        self.split = 0.5
        self._titles = {"a": "", "b": ""}
        self._images: dict[str, QImage] = {}
        self._difference: Difference | None = None
        self.zoom, self._pan = 1.0, QPointF()
        self._drag: tuple[str, QPointF, QPointF] | None = None
        self._scaled: dict[str, tuple[object, QPixmap]] = {}
        self._by_key = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(px(160), px(110))
        self.setToolTip(self.tr("Wheel: zoom · right button: move the picture · double click: all of it"))
        theme.signals().changed.connect(self.update)
        self._say()

    # What it shows

    def set_images(self, a: QImage | None, b: QImage | None) -> None:
        self._images = {side: image for side, image in zip(SIDES, (a, b), strict=True) if image is not None}
        self._difference = None
        if self.mode == DIFFERENCE:
            self.difference_wanted.emit()
        self.update()

    def image(self, side: str) -> QImage | None:
        """The picture of a side, None when there is none yet."""
        return self._images.get(side)

    def set_titles(self, a: str, b: str) -> None:
        self._titles = {"a": a, "b": b}
        self._say()
        self.update()

    def set_difference(self, found: Difference) -> None:
        self._difference = found
        self._say()
        self.update()

    def set_mode(self, mode: str) -> None:
        self.mode = mode
        if mode == DIFFERENCE and self._difference is None:
            self.difference_wanted.emit()
        self._say()
        self.update()

    def switch(self, side: str = "") -> None:
        """Shows that side first, or the other one than now."""
        side = side or other(self.first)
        if side != self.first:
            self.first = side
            self._say()
            self.update()
            self.switched.emit(side)

    def slide(self, split: float) -> None:
        """Moves the slider to that fraction of the picture, 0..1."""
        self.split = min(1.0, max(0.0, split))
        self._say()
        self.update()

    def fit(self) -> None:
        self.zoom, self._pan = 1.0, QPointF()
        self.update()

    def zoom_by(self, factor: float, place: QPointF | None = None) -> None:
        area = self._area_at(place or QRectF(self.rect()).center())
        before = self._frame(area)
        place = place or area.center()
        zoom = min(_MOST_ZOOM, max(1.0, self.zoom * factor))
        grown = zoom / self.zoom
        self.zoom = zoom
        wanted = place + (before.center() - place) * grown
        self._pan = QPointF() if zoom == 1.0 else wanted - area.center()
        self._bound(area)
        self.update()

    def _say(self) -> None:
        said = {side: f"{side.upper()}, {self._titles[side]}" for side in SIDES}
        first, second = said[self.first], said[other(self.first)]
        if self.mode == SLIDER:
            text = self.tr("Slider at {percent}: left {first}; right {second}")
            text = text.format(percent=f"{self.split:.0%}", first=first, second=second)
        elif self.mode == BESIDE:
            text = self.tr("Side by side: left {first}; right {second}").format(first=first, second=second)
        elif self.mode == FLIP:
            text = self.tr("Shown: {first}").format(first=first)
        else:
            text = self.difference_words() or self.tr("The difference is being worked out")
        self.setAccessibleName(text)

    def difference_words(self) -> str:
        """How much differs; "" while that is not known."""
        found = self._difference
        if found is None:
            return ""
        if found.share == 0:
            return self.tr("No pixel differs visibly")
        return self.tr("{share} of the pixels differ · by {mean} of 255 in the mean").format(
            share=f"{found.share:.1%}".replace("%", " %"), mean=f"{found.mean:.1f}"
        )

    # Where it is

    def _areas(self) -> tuple[QRectF, ...]:
        whole = QRectF(self.rect())
        if self.mode != BESIDE:
            return (whole,)
        wide = (whole.width() - px(8)) / 2
        return QRectF(0, 0, wide, whole.height()), QRectF(whole.width() - wide, 0, wide, whole.height())

    def _area_at(self, place: QPointF) -> QRectF:
        areas = self._areas()
        return next((area for area in areas if area.contains(place)), areas[0])

    def _size(self) -> QSizeF:
        known = self._images.get("a") or self._images.get("b")
        return QSizeF(known.size()) if known is not None else QSizeF(3, 2)

    def _fitted(self, area: QRectF) -> QSizeF:
        size = self._size().scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
        most = self._size() * (4 / self.devicePixelRatioF())  # a tiny picture is not blown up without end
        return size if size.width() <= most.width() else most

    def _frame(self, area: QRectF) -> QRectF:
        """Where the picture of A lies, partly outside of the area when zoomed."""
        size = self._fitted(area) * self.zoom
        frame = QRectF(QPointF(), size)
        frame.moveCenter(area.center() + self._pan)
        return frame

    def _seen(self, area: QRectF) -> QRectF:
        return self._frame(area).intersected(area)

    def _bound(self, area: QRectF) -> None:
        size = self._fitted(area) * self.zoom
        across = max(0.0, (size.width() - area.width()) / 2)
        down = max(0.0, (size.height() - area.height()) / 2)
        self._pan = QPointF(min(across, max(-across, self._pan.x())), min(down, max(-down, self._pan.y())))

    def _slider_x(self) -> float:
        seen = self._seen(self._areas()[0])
        return seen.left() + self.split * seen.width()

    def picture_rect(self) -> QRectF:
        """What is seen of the picture, in the widget."""
        return self._seen(self._areas()[0])

    # Painting

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        areas = self._areas()
        if self.mode == BESIDE:
            for area, side in zip(areas, (self.first, other(self.first)), strict=True):
                self._paint_side(painter, area, side)
                paint_side_plate(painter, self._seen(area), side, self._titles[side])
        elif self.mode == FLIP:
            self._paint_side(painter, areas[0], self.first)
            paint_side_plate(painter, self._seen(areas[0]), self.first, self._titles[self.first])
        elif self.mode == DIFFERENCE:
            self._paint_difference(painter, areas[0])
        else:
            self._paint_slider(painter, areas[0])
        if self.hasFocus() and self._by_key:
            painter.setPen(QPen(color("accent.line"), px(2)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for area in areas:
                painter.drawRoundedRect(self._seen(area).adjusted(1, 1, -1, -1), px(8), px(8))

    def _paint_side(self, painter: QPainter, area: QRectF, side: str, clip: QRectF | None = None) -> None:
        image = self._images.get(side)
        self._paint_image(painter, area, side, image, clip)
        if image is None:
            painter.setFont(theme.current().font("small"))
            painter.setPen(color("text.secondary"))
            painter.drawText(self._seen(area), Qt.AlignmentFlag.AlignCenter, self.tr("Reading the picture…"))

    def _paint_image(
        self, painter: QPainter, area: QRectF, key: str, image: QImage | None, clip: QRectF | None = None
    ) -> None:
        frame, seen = self._frame(area), self._seen(area)
        path = QPainterPath()
        path.addRoundedRect(seen, px(8), px(8))
        painter.save()
        painter.setClipPath(path)
        if clip is not None:
            painter.setClipRect(clip, Qt.ClipOperation.IntersectClip)
        painter.fillRect(seen, color("background.field"))
        if image is not None:
            place = QRectF(QPointF(), QSizeF(image.size()).scaled(frame.size(), Qt.AspectRatioMode.KeepAspectRatio))
            place.moveCenter(frame.center())
            pixmap = self._pixmap(key, image, place)
            painter.drawPixmap(place, pixmap, QRectF(pixmap.rect()))
        painter.restore()

    def _pixmap(self, key: str, image: QImage, place: QRectF) -> QPixmap:
        """Scaled well once for each size; as it is when it is enlarged."""
        pixels = (place.size() * self.devicePixelRatioF()).toSize()
        small = pixels.width() < image.width()
        wanted = (image.cacheKey(), (pixels.width(), pixels.height()) if small else None)
        if key not in self._scaled or self._scaled[key][0] != wanted:
            fitted = image.scaled(
                pixels, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            ) if small else image  # fmt: skip
            self._scaled[key] = (wanted, QPixmap.fromImage(fitted))
        return self._scaled[key][1]

    def _paint_slider(self, painter: QPainter, area: QRectF) -> None:
        x, seen = self._slider_x(), self._seen(area)
        left, right = QRectF(area), QRectF(area)
        left.setRight(x)
        right.setLeft(x)
        second = other(self.first)
        self._paint_side(painter, area, self.first, left)
        self._paint_side(painter, area, second, right)
        if self.split > 0:
            plate = QRectF(seen)
            plate.setRight(max(seen.left() + px(52), x))
            paint_side_plate(painter, plate, self.first, self._titles[self.first])
        if self.split < 1:
            plate = QRectF(seen)
            plate.setLeft(min(seen.right() - px(52), x))
            paint_side_plate(painter, plate, second, self._titles[second], right=True)
        self._paint_handle(painter, QPointF(x, seen.center().y()), seen)

    def _paint_handle(self, painter: QPainter, middle: QPointF, seen: QRectF) -> None:
        edge = theme.faded(color("marker.glyph"), 0.35)
        for ink, wide in ((edge, px(4)), (color("marker.outline"), px(2))):
            painter.setPen(QPen(ink, wide))
            painter.drawLine(QPointF(middle.x(), seen.top()), QPointF(middle.x(), seen.bottom()))
        radius = px(17)
        painter.setPen(QPen(edge, px(1)))
        painter.setBrush(color("marker.outline"))
        painter.drawEllipse(middle, radius, radius)
        side = px(16)
        for name, left in (("chevron-left", middle.x() - side + px(1)), ("chevron-right", middle.x() - px(1))):
            icons.paint(painter, QRectF(left, middle.y() - side / 2, side, side), name, color("marker.glyph"))

    def _paint_difference(self, painter: QPainter, area: QRectF) -> None:
        found = self._difference
        if found is None:  # the first picture until then: an empty stage would look like a failure
            self._paint_side(painter, area, "a")
        else:
            self._paint_image(painter, area, "difference", found.image)
        paint_plate(painter, self._seen(area), self.difference_words() or self.tr("Working out the difference…"))

    # Hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        place = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.mode == SLIDER:
            self._drag = ("slider", place, self._pan)
            self._slide_to(place)
        elif left and self.mode == FLIP and self.zoom == 1.0:
            self.switch()
        else:
            self._drag = ("pan", place, self._pan)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is None:
            near = self.mode == SLIDER and abs(event.position().x() - self._slider_x()) < px(18)
            self.setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)
            return
        what, start, pan = self._drag
        if what == "slider":
            self._slide_to(event.position())
        else:
            self._pan = pan + event.position() - start
            self._bound(self._area_at(start))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_by(zoom_of(event), event.position())

    def _slide_to(self, place: QPointF) -> None:
        seen = self._seen(self._areas()[0])
        self.slide((place.x() - seen.left()) / max(1.0, seen.width()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._by_key = event.reason() in keys  # a ring is for those who came by the keyboard
        super().focusInEvent(event)
        self.update()

    def focusNextPrevChild(self, next: bool) -> bool:
        return False if next else super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        step = _BIG_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
        if key == Qt.Key.Key_Tab:
            self.switch()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.mode == SLIDER:
            self.slide(self.split + (step if key == Qt.Key.Key_Right else -step))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.mode == FLIP:
            self.switch()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.mode == SLIDER:
            self.slide(0.0 if key == Qt.Key.Key_Home else 1.0)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1.25)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(0.8)
        elif key == Qt.Key.Key_F:
            self.fit()
        else:
            super().keyPressEvent(event)
