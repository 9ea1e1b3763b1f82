"""The picture with its markers on which the user points: mouse, keys, zoom and pan.

Points are whole pixels of the picture, (0, 0) top left, at most (width - 1, height - 1). Where boxes are wanted,
dragging draws one. Must not know sessions.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsItem,
    QGraphicsPixmapItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsView,
)

from desktop_app.ui import theme
from desktop_app.ui.glyphs import paint_point
from desktop_app.ui.point_marks import Mark, between, handle
from nodes.api import Box, Point

MARGIN = 16
_RADIUS = 9.0  # at 100 %; markers grow with the scale of the window
_HIT = 14.0
STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Marker(QGraphicsItem):
    """A numbered plus or minus that keeps its size at every zoom. Sits on the centre of its pixel."""

    def __init__(self, number: int, mark: Mark, selected: bool) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(10 + selected)
        include = mark.include if isinstance(mark, Point) else True
        self._number, self._include, self._chosen = number, include, selected
        x, y = handle(mark)
        self.setPos(x + 0.5, y + 0.5)

    def boundingRect(self) -> QRectF:
        grown = theme.current().scale
        return QRectF(-16 * grown, -20 * grown, 54 * grown, 38 * grown)

    def paint(self, painter: QPainter, option, widget=None) -> None:
        now = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(now.scale, now.scale)
        if self._chosen:
            painter.setPen(QPen(now.color("accent.line"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(0, 0), _RADIUS + 4, _RADIUS + 4)
        paint_point(painter, QPointF(0, 0), _RADIUS, self._include)
        self._paint_number(painter)

    def _paint_number(self, painter: QPainter) -> None:
        now = theme.current()
        plate = QColor(now.color("marker.label_background"))
        plate.setAlphaF(0.85)
        box = QRectF(12, -15, 10 + 7 * len(str(self._number)), 15)
        path = QPainterPath()
        path.addRoundedRect(box, 7.5, 7.5)
        painter.fillPath(path, plate)
        font = QFont(now.font("key"))
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(now.color("marker.label_text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self._number))


class Frame(QGraphicsRectItem):
    """The outline of a box, of the same width at every zoom."""

    def __init__(self, box: Box, selected: bool) -> None:
        super().__init__(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
        self.setZValue(8 + selected)
        pen = QPen(theme.current().color("accent.line" if selected else "mask_overlay.edge"), 2)
        pen.setCosmetic(True)
        self.setPen(pen)
        self.setBrush(theme.current().tint("mask_overlay.fill", 0.16))


class PointView(QGraphicsView):
    """Shows the picture and the points of its owner; tells what the user wants, changes no points itself."""

    added = Signal(object)
    dragged = Signal(int, float, float)
    drag_started = Signal(int)
    chosen = Signal(int)
    removed = Signal()
    nudged = Signal(int, int)
    hovered = Signal(object, bool)
    zoomed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._picture = QGraphicsPixmapItem()
        self._picture.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._mask = QGraphicsPixmapItem()
        self._mask.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._scene.addItem(self._picture)
        self._scene.addItem(self._mask)
        self._markers: list[QGraphicsItem] = []
        self._points: tuple[Mark, ...] = ()
        self._boxes = False
        self._from: tuple[int, int] | None = None
        self._band: Frame | None = None
        self._moving = -1
        self._panning: QPointF | None = None
        self._space = False
        self._fitted = True
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("surface", "canvas")
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setAccessibleName(self.tr("Picture to point at"))
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    def set_picture(self, image: QImage) -> None:
        """Shows the picture whole."""
        self._picture.setPixmap(QPixmap.fromImage(image))
        self._mask.setPixmap(QPixmap())
        self._fitted = True
        self.fit()

    def set_mask(self, mask: QImage | None, step: int = 1) -> None:
        """Lays a picture with alpha over it, of the same size or smaller by `step`."""
        self._mask.setPixmap(QPixmap.fromImage(mask) if mask is not None else QPixmap())
        self._mask.setScale(step)

    def want_boxes(self, boxes: bool) -> None:
        """True: dragging draws a box. False: a click sets a point."""
        self._boxes = boxes

    def set_points(self, points: tuple[Mark, ...], selected: int) -> None:
        """Draws the markers anew."""
        for marker in self._markers:
            self._scene.removeItem(marker)
        self._points = points
        self._markers = [Marker(i + 1, point, i == selected) for i, point in enumerate(points)]
        self._markers += [Frame(mark, i == selected) for i, mark in enumerate(points) if isinstance(mark, Box)]
        for marker in self._markers:
            self._scene.addItem(marker)

    @property
    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        return self.transform().m11()

    def fit(self) -> None:
        """Zooms so that the whole picture is seen, with 16 pixels free around it."""
        size = self._picture.pixmap().size()
        if size.isEmpty() or self.viewport().width() <= 2 * MARGIN:
            return
        room = self.viewport().size()
        zoom = min((room.width() - 2 * MARGIN) / size.width(), (room.height() - 2 * MARGIN) / size.height())
        self.set_zoom(max(zoom, 0.01))
        self.centerOn(size.width() / 2, size.height() / 2)
        self._fitted = True

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Zooms to `zoom`, keeping the place `about` (viewport pixels, else the centre) where it is."""
        zoom = min(64.0, max(0.01, zoom))
        about = about or QPointF(self.viewport().rect().center())
        before = self.place(about)
        self.resetTransform()
        self.scale(zoom, zoom)
        self._give_room()
        moved = self.viewportTransform().map(before) - about
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + round(moved.x()))
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + round(moved.y()))
        self._fitted = False
        self.zoomed.emit(zoom)

    def place(self, position: QPointF) -> QPointF:
        """The place in the picture, in its pixels with fractions, under a place of the viewport. Not clamped."""
        inverse, _ = self.viewportTransform().inverted()
        return inverse.map(position)

    def pixel(self, position: QPointF) -> tuple[int, int]:
        """The pixel of the picture under a place of the viewport; the nearest one when that is outside."""
        place, size = self.place(position), self._picture.pixmap().size()
        x, y = math.floor(place.x() + 1e-9), math.floor(place.y() + 1e-9)
        return min(max(x, 0), size.width() - 1), min(max(y, 0), size.height() - 1)

    def on_screen(self, mark: Mark) -> QPointF:
        """Where the middle of the mark's pixel lies in the viewport."""
        x, y = handle(mark)
        return self.viewportTransform().map(QPointF(x + 0.5, y + 0.5))

    def marker_at(self, position: QPointF) -> int:
        """The index of the topmost marker there, -1 when there is none."""
        for index in range(len(self._points) - 1, -1, -1):
            off = self.on_screen(self._points[index]) - position
            if math.hypot(off.x(), off.y()) <= _HIT * theme.current().scale:
                return index
        return -1

    def _give_room(self) -> None:
        size, free = self._picture.pixmap().size(), MARGIN / self.zoom
        width = max(self.viewport().width() / self.zoom, size.width() + 2 * free)
        height = max(self.viewport().height() / self.zoom, size.height() + 2 * free)
        self.setSceneRect((size.width() - width) / 2, (size.height() - height) / 2, width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        elif not self._picture.pixmap().isNull():
            self._give_room()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.set_zoom(self.zoom * 1.0015 ** event.angleDelta().y(), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        place = event.position()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.button() == Qt.MouseButton.MiddleButton or self._space:
            self._panning = place
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and not alt and (index := self.marker_at(place)) >= 0:
            self._moving = index
            self.drag_started.emit(index)
        elif self._boxes:
            self._from = self.pixel(place) if event.button() == Qt.MouseButton.LeftButton else None
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            include = event.button() == Qt.MouseButton.LeftButton and not alt
            x, y = self.pixel(place)
            self.added.emit(Point(float(x), float(y), include))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if self._panning is not None:
            step = place - self._panning
            self._panning = place
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - round(step.x()))
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(step.y()))
        elif self._from is not None:
            self._show_band(between(self._from, self.pixel(place)))
        elif self._moving >= 0:
            self.dragged.emit(self._moving, *map(float, self.pixel(place)))
        inside = self._picture.contains(self.place(place))
        self.hovered.emit(self.pixel(place) if inside else None, not alt)
        event.accept()

    def _show_band(self, box: Box | None) -> None:
        if self._band is not None:
            self._scene.removeItem(self._band)
        self._band = Frame(box, True) if box is not None else None
        if self._band is not None:
            self._scene.addItem(self._band)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        start, self._from = self._from, None
        self._show_band(None)
        if start is not None and (box := between(start, self.pixel(event.position()))) is not None:
            self.added.emit(box)
        self._moving, self._panning = -1, None
        self._point_cursor()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)  # two quick clicks are two clicks

    def leaveEvent(self, event) -> None:
        self.hovered.emit(None, True)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Space:
            self._space = True
            self._point_cursor()
        elif key in STEPS:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.nudged.emit(STEPS[key][0] * far, STEPS[key][1] * far)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._point_cursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event) -> None:
        self._space = False
        super().focusOutEvent(event)

    def _point_cursor(self) -> None:
        self.viewport().setCursor(Qt.CursorShape.OpenHandCursor if self._space else Qt.CursorShape.CrossCursor)
