"""The picture with its marks on which the user points: mouse, keys, zoom, pan, and what each tool does.

Marks are in whole pixels of the picture, (0, 0) top left, at most (width - 1, height - 1). Must not know sessions.
"""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QPointF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGraphicsItem, QGraphicsPixmapItem, QGraphicsScene, QGraphicsView

from desktop_app.ui.pointing.mark_items import BoxOutline, Cross, Marker, Ring, StrokeLine
from desktop_app.ui.pointing.marks import Mark, Place, Stroke, between, handle
from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.wheel import pan_of, zoom_of
from desktop_app.ui.theme import theme
from nodes.api import Box, Point

MARGIN = 16
_HIT = 14.0  # at 100 %
_STEPS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
SMALLEST, LARGEST = 1, 500
"""Pixels of the picture that the brush is wide."""
ZOOM_STEP = 1.5


class PointView(QGraphicsView):
    """Shows the picture and the marks of its owner; tells what the user wants, changes no marks itself.

    `added` brings a Point, Box or Stroke. `hovered` brings the pixel under the pointer, or None.
    """

    added = Signal(object)
    dragged = Signal(int, float, float)
    drag_started = Signal(int)
    removed = Signal()
    nudged = Signal(int, int)
    hovered = Signal(object, bool)
    zoomed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._picture, self._mask = QGraphicsPixmapItem(), QGraphicsPixmapItem()
        self._ring, self._cross = Ring(), Cross()
        for item in (self._picture, self._mask, self._ring, self._cross):
            self._scene.addItem(item)
        self._markers: list[QGraphicsItem] = []
        self._points: tuple[Mark, ...] = ()
        self._selected = -1
        self._draft: QGraphicsItem | None = None
        self._tools = point_tools(self)
        self.tool = "point"
        self.brush_size = 24
        self._panning: QPointF | None = None
        self._space = False
        self._fitted = True
        self._fade = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=80)
        self._fade.valueChanged.connect(self._mask.setOpacity)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("surface", "canvas")
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setAccessibleName(self.tr("Picture to point at"))
        self.show_cursor()

    def set_picture(self, image: QImage) -> None:
        self._picture.setPixmap(QPixmap.fromImage(image))
        self._mask.setPixmap(QPixmap())
        self.hide_cross()
        self._fitted = True
        self.fit()

    @property
    def picture_size(self) -> QSize:
        return self._picture.pixmap().size()

    def set_mask(self, mask: QImage | None, step: int = 1) -> None:
        """Lays a picture with alpha over it, of the same size or smaller by `step`."""
        new = self._mask.pixmap().isNull()
        self._mask.setPixmap(QPixmap.fromImage(mask) if mask is not None else QPixmap())
        self._mask.setScale(step)
        if new and mask is not None:
            self._fade.start()

    def set_tool(self, tool: str) -> None:
        """Takes another tool; what was begun with the one before is dropped."""
        self._tools[self.tool].cancel()
        self.tool = tool
        self._ring.hide()
        self.show_cursor()

    def set_brush(self, size: int) -> None:
        """The width of brush and eraser in pixels of the picture."""
        self.brush_size = min(max(size, SMALLEST), LARGEST)
        if self._ring.isVisible():
            centre = self._ring.rect().center()
            self._ring.show_at((math.floor(centre.x()), math.floor(centre.y())), self.brush_size)

    def set_points(self, points: tuple[Mark, ...], selected: int) -> None:
        for marker in self._markers:
            self._scene.removeItem(marker)
        self._points, self._selected = points, selected
        self._markers = []
        for i, mark in enumerate(points):
            chosen = i == selected
            if isinstance(mark, Box):
                self._markers.append(BoxOutline(mark, chosen))
            if isinstance(mark, Stroke) and (chosen or mark.kind == "scribble"):
                self._markers.append(StrokeLine(mark, chosen))
            if not isinstance(mark, Stroke) or chosen:
                self._markers.append(Marker(i + 1, mark, chosen))
        for marker in self._markers:
            self._scene.addItem(marker)

    def show_draft(self, mark: Mark | None) -> None:
        if self._draft is not None:
            self._scene.removeItem(self._draft)
        self._draft = BoxOutline(mark, True) if isinstance(mark, Box) else None
        if isinstance(mark, Stroke):
            self._draft = StrokeLine(mark, False, draft=True)
        if self._draft is not None:
            self._scene.addItem(self._draft)

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
        # Enlarged pixels are seen as what they are: a click means one of them.
        sharp = Qt.TransformationMode.FastTransformation if zoom >= 4 else Qt.TransformationMode.SmoothTransformation
        self._picture.setTransformationMode(sharp)
        self._mask.setTransformationMode(sharp)
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
            if isinstance(self._points[index], Stroke) and index != self._selected:
                continue  # it shows no marker
            off = self.on_screen(self._points[index]) - position
            if math.hypot(off.x(), off.y()) <= _HIT * theme.current().scale:
                return index
        return -1

    def scroll_by(self, step: QPointF) -> None:
        """Moves the picture by so many pixels of the viewport."""
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - round(step.x()))
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(step.y()))

    def _give_room(self) -> None:
        """Half a view free on each side: what is under the pointer can stay there, and edges come to the middle."""
        size, view = self._picture.pixmap().size(), self.viewport().size()
        across = max(MARGIN, view.width() / 2) / self.zoom
        down = max(MARGIN, view.height() / 2) / self.zoom
        self.setSceneRect(-across, -down, size.width() + 2 * across, size.height() + 2 * down)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        elif not self._picture.pixmap().isNull():
            self._give_room()

    def wheelEvent(self, event: QWheelEvent) -> None:
        moved = pan_of(event)
        if moved is not None:
            self.scroll_by(moved)
        else:
            self.set_zoom(self.zoom * zoom_of(event), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        self.hide_cross()
        place, button = event.position(), event.button()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if button == Qt.MouseButton.MiddleButton or self._space:
            self._panning = place
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            include = button == Qt.MouseButton.LeftButton and not alt
            self._tools[self.tool].press(self.pixel(place), include, place)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if self._panning is not None:
            step, self._panning = place - self._panning, place
            self.scroll_by(step)
        else:
            self._tools[self.tool].move(self.pixel(place), place)
        inside = self._picture.contains(self.place(place))
        if self._tools[self.tool].brush:
            self._ring.show_at(self.pixel(place), self.brush_size)
        self.hovered.emit(self.pixel(place) if inside else None, not alt)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panning is None:
            self._tools[self.tool].release(self.pixel(event.position()))
        self._panning = None
        self.show_cursor()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)  # two quick clicks are two clicks

    def leaveEvent(self, event) -> None:
        self._ring.hide()
        self.hovered.emit(None, True)
        super().leaveEvent(event)

    @property
    def cross(self) -> Place | None:
        """The pixel under the keyboard's cross, None while it is not shown."""
        return self._cross.pixel if self._cross.isVisible() else None

    def show_cross(self) -> None:
        self._cross.move_to(self.pixel(QPointF(self.viewport().rect().center())))
        self._cross.show()
        self.hovered.emit(self._cross.pixel, True)

    def hide_cross(self) -> None:
        """Takes the cross away, and drops what was begun with it."""
        if self._cross.isVisible():
            self._tools[self.tool].cancel()
            self._cross.hide()

    def _move_cross(self, right: int, down: int) -> None:
        size = self._picture.pixmap().size()
        x, y = self._cross.pixel
        pixel = min(max(x + right, 0), size.width() - 1), min(max(y + down, 0), size.height() - 1)
        self._cross.move_to(pixel)
        self.ensureVisible(pixel[0], pixel[1], 1, 1, 40, 40)
        self._tools[self.tool].move(pixel, None)
        self.hovered.emit(pixel, True)

    def _press_cross(self, include: bool) -> None:
        """Enter: sets a point, or begins and ends what is drawn."""
        tool, pixel = self._tools[self.tool], self._cross.pixel
        if tool.busy:
            tool.release(pixel)
        else:
            tool.press(pixel, include, None)
            if self.tool in ("point", "zoom", "pan"):
                tool.release(pixel)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press(picture_actions(), self, event):
            super().keyPressEvent(event)

    def hold_pan(self) -> None:
        """The picture can be moved until the key is let go."""
        self._space = True
        self.show_cursor()

    def toggle_cross(self) -> None:
        """Shows the cross that the arrow keys move, or takes it away."""
        self.hide_cross() if self.cross else self.show_cross()

    def leave_cross(self) -> bool:
        """Takes the cross away; False when there is none."""
        there = self.cross is not None
        self.hide_cross()
        return there

    def press_at_cross(self, include: bool) -> bool:
        """A click where the cross is; False when there is none."""
        there = self.cross is not None
        if there:
            self._press_cross(include)
        return there

    def step(self, right: int, down: int) -> None:
        """Moves the cross, else the chosen mark; without both the cross is shown."""
        if self.cross is not None:
            self._move_cross(right, down)
        elif self._selected >= 0:
            self.nudged.emit(right, down)
        else:
            self.show_cross()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.show_cursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event) -> None:
        self._space = False
        super().focusOutEvent(event)

    def show_cursor(self) -> None:
        open_hand = Qt.CursorShape.OpenHandCursor
        self.viewport().setCursor(open_hand if self._space else self._tools[self.tool].cursor)


def picture_actions() -> tuple[Action[PointView], ...]:
    by_one, by_ten = translate("Move the chosen mark by 1 pixel"), translate("Move the chosen mark by 10 pixels")
    return (
        Action("hold", translate("Hold: move the picture"), "", lambda v: v.hold_pan(), ("Space",)),
        *(Action(f"move_{key}", by_one, "", partial(_move, x, y), (key,)) for key, (x, y) in _STEPS.items()),
        *(
            Action(f"move_far_{key}", by_ten, "", partial(_move, 10 * x, 10 * y), (f"Shift+{key}",))
            for key, (x, y) in _STEPS.items()
        ),
        Action(
            "remove", translate("Remove the chosen mark"), "trash-2", lambda v: v.removed.emit(), ("Del", "Backspace")
        ),
        Action("cross", translate("A cross that the arrow keys move"), "crosshair", lambda v: v.toggle_cross(), ("C",)),
        Action(
            "press", translate("Click at the cross"), "", lambda v: v.press_at_cross(True), ("Return", "Enter")
        ),
        Action(
            "press_out", translate("Exclude at the cross"), "", lambda v: v.press_at_cross(False),
            ("Shift+Return", "Alt+Return"),
        ),
        Action("leave_cross", translate("Take the cross away"), "", lambda v: v.leave_cross(), ("Esc",)),
    )  # fmt: skip


def _move(right: int, down: int, view: PointView) -> None:
    view.step(right, down)


class PointTool:
    """`place` is in pixels of the viewport, `pixel` in those of the picture, clamped to it.

    `include` is false for the right button or with Alt. The keyboard's cross gives no `place`.
    """

    cursor = Qt.CursorShape.CrossCursor
    brush = False

    def __init__(self, view: PointView) -> None:
        self.view = view

    @property
    def busy(self) -> bool:
        """True between press and release."""
        return False

    def press(self, pixel: Place, include: bool, place: QPointF | None) -> None:
        """The button goes down."""

    def move(self, pixel: Place, place: QPointF | None) -> None:
        """The pointer moves, whether or not a button is down."""

    def release(self, pixel: Place) -> None:
        """The button goes up."""

    def cancel(self) -> None: ...


class Mover(PointTool):
    """Takes hold of the marker that is pressed, and moves it."""

    def __init__(self, view: PointView) -> None:
        super().__init__(view)
        self._moving = -1

    def press(self, pixel: Place, include: bool, place: QPointF | None) -> None:
        index = self.view.marker_at(place) if place is not None and include else -1
        if index >= 0:
            self._moving = index
            self.view.drag_started.emit(index)
        else:
            self.begin(pixel, include)

    def begin(self, pixel: Place, include: bool) -> None:
        """No marker was there."""

    def move(self, pixel: Place, place: QPointF | None) -> None:
        if self._moving >= 0:
            self.view.dragged.emit(self._moving, *map(float, pixel))

    def release(self, pixel: Place) -> None:
        self._moving = -1

    def cancel(self) -> None:
        self._moving = -1


class PointsTool(Mover):
    def begin(self, pixel: Place, include: bool) -> None:
        self.view.added.emit(Point(float(pixel[0]), float(pixel[1]), include))


class BoxTool(Mover):
    def __init__(self, view: PointView) -> None:
        super().__init__(view)
        self._from: Place | None = None

    @property
    def busy(self) -> bool:
        return self._from is not None

    def begin(self, pixel: Place, include: bool) -> None:
        self._from = pixel if include else None

    def move(self, pixel: Place, place: QPointF | None) -> None:
        super().move(pixel, place)
        if self._from is not None:
            self.view.show_draft(between(self._from, pixel))

    def release(self, pixel: Place) -> None:
        super().release(pixel)
        start = self._from
        self.cancel()
        if start is not None and (box := between(start, pixel)) is not None:
            self.view.added.emit(box)

    def cancel(self) -> None:
        super().cancel()
        self._from = None
        self.view.show_draft(None)


class StrokeTool(PointTool):
    """Draws a stroke of its kind from press to release."""

    def __init__(self, view: PointView, kind: str) -> None:
        super().__init__(view)
        self._kind = kind
        self._path: list[Place] = []
        self._include = True
        self.brush = kind in ("brush", "eraser")

    @property
    def busy(self) -> bool:
        return bool(self._path)

    def press(self, pixel: Place, include: bool, place: QPointF | None) -> None:
        self._path, self._include = [pixel], include and self._kind != "eraser"
        self.view.show_draft(self._stroke())

    def move(self, pixel: Place, place: QPointF | None) -> None:
        if self._path and pixel != self._path[-1]:
            self._path.append(pixel)
            self.view.show_draft(self._stroke())

    def release(self, pixel: Place) -> None:
        self.move(pixel, None)
        stroke = self._stroke() if self._path else None
        self.cancel()
        if stroke is not None and (self._kind != "lasso" or len(set(stroke.path)) > 2):
            self.view.added.emit(stroke)

    def cancel(self) -> None:
        self._path = []
        self.view.show_draft(None)

    def _stroke(self) -> Stroke:
        return Stroke(self._kind, tuple(self._path), self._include, self.view.brush_size if self.brush else 1)


class PanTool(PointTool):
    cursor = Qt.CursorShape.OpenHandCursor

    def __init__(self, view: PointView) -> None:
        super().__init__(view)
        self._at: QPointF | None = None

    @property
    def busy(self) -> bool:
        return self._at is not None

    def press(self, pixel: Place, include: bool, place: QPointF | None) -> None:
        self._at = place
        self.view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, pixel: Place, place: QPointF | None) -> None:
        if self._at is not None and place is not None:
            self.view.scroll_by(place - self._at)
            self._at = place

    def release(self, pixel: Place) -> None:
        self.cancel()

    def cancel(self) -> None:
        self._at = None
        self.view.show_cursor()


class ZoomTool(PointTool):
    """A click makes larger, with the right button or Alt smaller."""

    def press(self, pixel: Place, include: bool, place: QPointF | None) -> None:
        self.view.set_zoom(self.view.zoom * (ZOOM_STEP if include else 1 / ZOOM_STEP), place)


def point_tools(view: PointView) -> dict[str, PointTool]:
    made: dict[str, PointTool] = {"point": PointsTool(view), "box": BoxTool(view)}
    made |= {kind: StrokeTool(view, kind) for kind in ("brush", "eraser", "lasso", "scribble")}
    return made | {"pan": PanTool(view), "zoom": ZoomTool(view)}
