"""The ground of the graph: NodeGraphQt's viewer with exact zoom, panning, dots, and its own edits switched off.

NodeGraphQt gives the viewer, the scene, the items' base classes, selection and the zoom range. Its
controller (NodeGraph) is not used: it keeps a model and an undo list of its own, and the Workflow is the truth
here. Must not know cards, nor what the mouse does to them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QCursor, QFocusEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QTransform, QWheelEvent
from PySide6.QtWidgets import QFrame, QGraphicsView

from desktop_app.ui.graph.nodegraphqt_adapter import NodeViewer
from desktop_app.ui.support.wheel import pan_of, zoom_of
from desktop_app.ui.theme import theme

ZOOM_RANGE = (0.08, 3.0)
_BY_KEYS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
_GRID = theme.tokens()["layout"]["grid_step"]
_DOT = theme.tokens()["layout"]["dot_radius"]
_CLOSEST = 20


class PaintsAll(Protocol):
    """Paints all items at once, on frames for which it is `due`, and is told of each one that was `painted`. `moving`
    while the view does.
    """

    moving: bool

    @property
    def due(self) -> bool: ...

    def paint(self, painter: QPainter, seen: QRectF, density: float) -> None: ...

    def painted(self) -> None: ...


class GraphViewport(NodeViewer):
    """Places are in the scene unless said otherwise. `message` stands in the middle when it is not empty.

    `together` paints all items at once when it is due; otherwise each is painted by itself.
    """

    view_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._search_widget.setParent(self)
        self._search_widget.hide()
        self._ctx_menu_bar.hide()
        self.message = ""
        self.batch_painter: PaintsAll | None = None
        self._ring = False
        self._whole: tuple[QRectF, float, float, float] | None = None
        self._top: int | None = None
        self._look_at(QPointF(0, 0), theme.current().scale)

    # Where one looks

    @property
    def zoom(self) -> float:
        """Pixels on screen for each pixel of the scene."""
        return self.transform().m11()

    @zoom.setter
    def zoom(self, value: float) -> None:
        self._look_at(self._scene_range.center(), value)

    def look(self, rect: QRectF, most: float = 1.0, margin: float = 24.0, below: float = 56.0) -> None:
        """Shows the whole of `rect`, no larger than `most`; `below` is kept for what floats at the bottom.

        `margin` and `below` are pixels of the 100 % design.
        """
        wanted = (QRectF(rect), most, margin, below)
        room, px = self.viewport().size(), theme.current().px
        margin, below = px(margin), px(below)
        wide, high = max(1.0, room.width() - 2 * margin), max(1.0, room.height() - 2 * margin - below)
        fitting = min(wide / max(1.0, rect.width()), high / max(1.0, rect.height()), most)
        self._look_at(rect.center() + QPointF(0, below / 2 / fitting), fitting)
        self._whole = wanted

    @property
    def shows_whole(self) -> bool:
        """True while nobody has looked elsewhere since everything was shown."""
        return self._whole is not None

    def centre_on(self, place: QPointF) -> None:
        self._look_at(place, self.zoom)

    def show_place(self, rect: QRectF) -> None:
        """Pans just far enough that `rect` is seen."""
        seen = self._scene_range.adjusted(24, 24, -24, -24)
        dx = min(0.0, rect.left() - seen.left()) or max(0.0, rect.right() - seen.right())
        dy = min(0.0, rect.top() - seen.top()) or max(0.0, rect.bottom() - seen.bottom())
        if dx or dy:
            self._look_at(self._scene_range.center() + QPointF(dx, dy), self.zoom)

    @property
    def seen(self) -> QRectF:
        return QRectF(self._scene_range)

    def _look_at(self, center: QPointF, zoom: float) -> None:
        self._whole = None
        zoom = _within(zoom)
        size = QSizeF(self.viewport().size()) / zoom
        self._scene_range = QRectF(center - QPointF(size.width() / 2, size.height() / 2), size)
        self._update_scene()

    def zoom_by(self, factor: float, place: QPoint | None = None) -> None:
        """Zooms about a place of the viewport, its middle by default."""
        place = place if place is not None else self.viewport().rect().center()
        fixed = self.mapToScene(place)
        zoom = _within(self.zoom * factor)
        shift = QPointF(place) - QPointF(self.viewport().width() / 2, self.viewport().height() / 2)
        self._look_at(fixed - shift / zoom, zoom)

    def pan_by(self, pixels: QPointF) -> None:
        """Moves the view by pixels on screen."""
        self._look_at(self._scene_range.center() + pixels / self.zoom, self.zoom)

    def _update_scene(self) -> None:
        # fitInView, which NodeGraphQt uses, leaves a margin: 100 % would never be 100 %
        wide = self._scene_range.width()
        zoom = self.viewport().width() / wide if wide else 1.0
        self.setTransform(QTransform.fromScale(zoom, zoom))
        self.setSceneRect(self._scene_range)
        self.view_changed.emit()

    def stay(self) -> None:
        """From now on what is seen stays where it is when the room changes, as somebody works here."""
        self._whole = None

    def resizeEvent(self, event) -> None:
        center, zoom, whole = self._scene_range.center(), self.zoom, self._whole
        QGraphicsView.resizeEvent(self, event)
        top, before = self.mapTo(self.window(), QPoint(0, 0)).y(), self._top
        self._top = top
        if before is not None and top != before:  # what stands above has folded, or opened: cards keep their places
            center += QPointF(0, (top - before + (self.height() - event.oldSize().height()) / 2) / zoom)
        self._whole = whole
        if self._whole is not None:  # nobody has looked elsewhere since everything was shown
            self.look(*self._whole)
        else:
            self._look_at(center, zoom)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.batch_painter is not None and self.batch_painter.due:
            self._paint_at_once(self.batch_painter, event)
        else:
            super().paintEvent(event)
        if self.batch_painter is not None:
            self.batch_painter.painted()

    def _paint_at_once(self, batch_painter: PaintsAll, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHints(self.renderHints())
        place = self.viewportTransform()
        seen = place.inverted()[0].mapRect(QRectF(event.rect()).adjusted(-1, -1, 1, 1))
        density = painter.device().devicePixelRatioF()
        painter.setTransform(place)
        painter.fillRect(seen, theme.current().color("background.canvas"))
        if batch_painter.moving:
            paint_moving_dots(painter, seen, density)
        else:
            paint_dots(painter, seen, self.zoom)
        batch_painter.paint(painter, seen, density)
        self.drawForeground(painter, seen)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(rect, theme.current().color("background.canvas"))
        paint_dots(painter, rect, self.zoom)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        painter.resetTransform()
        if self._ring:
            painter.setPen(QPen(theme.current().color("accent.line"), 2))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))
        if not self.message:
            return
        painter.setPen(theme.current().color("text.tertiary"))
        painter.setFont(theme.current().font("body"))
        painter.drawText(self.viewport().rect(), int(Qt.AlignmentFlag.AlignCenter), self.message)

    def wheelEvent(self, event: QWheelEvent) -> None:
        moved = pan_of(event)
        if moved is not None:
            self.pan_by(-moved)
        else:
            self.zoom_by(zoom_of(event), event.position().toPoint())
        event.accept()

    # Focus

    def focusNextPrevChild(self, next: bool) -> bool:
        return False if next else super().focusNextPrevChild(next)  # Tab opens the search, Shift+Tab leaves

    def focusInEvent(self, event: QFocusEvent) -> None:
        QGraphicsView.focusInEvent(self, event)
        self._show_ring(event.reason() in _BY_KEYS)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        QGraphicsView.focusOutEvent(self, event)
        self._show_ring(False)

    def _show_ring(self, shown: bool) -> None:
        if shown is not self._ring:
            self._ring = shown
            self.viewport().update()

    def cursor_place(self) -> QPointF:
        """Where the mouse is in the scene, the middle of the view when it is elsewhere."""
        place = self.viewport().mapFromGlobal(QCursor.pos())
        inside = self.viewport().rect().contains(place) and self.underMouse()
        return self.mapToScene(place) if inside else self._scene_range.center()

    # What NodeGraphQt's scene calls

    def sceneMousePressEvent(self, event) -> None:
        return

    def sceneMouseMoveEvent(self, event) -> None:
        return

    def sceneMouseReleaseEvent(self, event) -> None:
        return


def _within(zoom: float) -> float:
    """A zoom that may be. 300 % are three times the user's scale, so that a larger scale takes no zoom away."""
    return min(ZOOM_RANGE[1] * max(1.0, theme.current().scale), max(ZOOM_RANGE[0], zoom))


def paint_dots(painter: QPainter, rect: QRectF, zoom: float) -> None:
    """Paints those in `rect`, in the scene's coordinates; `zoom` are pixels for each of the scene's."""
    step = _step(zoom)
    first_x, first_y = int(rect.left() // step), int(rect.top() // step)
    last_x, last_y = int(rect.right() // step) + 1, int(rect.bottom() // step) + 1
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen())
    painter.drawPoints(_dots(first_x, last_x, first_y, last_y, step))


@lru_cache(4)
def _dots(first_x: int, last_x: int, first_y: int, last_y: int, step: float) -> QPolygonF:
    """All in a part of the scene; a view at rest in which something runs paints the same ones again and again."""
    columns = [x * step for x in range(first_x, last_x + 1)]
    return QPolygonF([QPointF(x, y * step) for y in range(first_y, last_y + 1) for x in columns])


def paint_moving_dots(painter: QPainter, rect: QRectF, density: float) -> None:
    """As `paint_dots`, at a tenth of its cost: one row is painted, and put wherever there is one, on whole pixels of
    the device, of which each of the painter's has `density`.
    """
    place = painter.transform()
    zoom, step = place.m11(), _step(place.m11())
    window = place.mapRect(rect)
    left = math.floor(window.left())
    row = QPixmap(math.ceil((window.width() + 2) * density), math.ceil(6 * density))
    row.setDevicePixelRatio(density)
    row.fill(Qt.GlobalColor.transparent)
    on_row = QPainter(row)
    on_row.setRenderHint(QPainter.RenderHint.Antialiasing)
    on_row.setPen(_pen())
    first, last = int(rect.left() // step), int(rect.right() // step) + 1
    on_row.drawPoints(QPolygonF([QPointF(x * step * zoom + place.dx() - left, 3) for x in range(first, last + 1)]))
    on_row.end()
    painter.save()
    painter.resetTransform()
    for y in range(int(rect.top() // step), int(rect.bottom() // step) + 2):
        down = round((y * step * zoom + place.dy()) * density) / density
        painter.drawPixmap(QPointF(left, down - 3), row)
    painter.restore()


def _step(zoom: float) -> float:
    step = float(_GRID)
    while step * zoom < _CLOSEST:
        step *= 2
    return step


def _pen() -> QPen:
    pen = QPen(theme.current().color("background.grid"), 2 * _DOT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setCosmetic(True)
    return pen
