"""What each tool does with press, move and release on the picture: one object for each tool.

It tells the view what was drawn; it changes no marks itself.
"""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QWidget

from desktop_app.ui.pointing.marks import Mark, Place, Stroke, between
from nodes.api import Point

ZOOM_STEP = 1.5


class Surface(Protocol):
    """What tools need of the view on the picture."""

    brush_size: int
    added: Any  # Signal(Mark)
    dragged: Any  # Signal(int, float, float)
    drag_started: Any  # Signal(int)

    @property
    def zoom(self) -> float: ...
    def marker_at(self, position: QPointF, /) -> int: ...
    def show_draft(self, mark: Mark | None, /) -> None: ...
    def show_cursor(self) -> None: ...
    def scroll_by(self, step: QPointF, /) -> None: ...
    def set_zoom(self, zoom: float, about: QPointF | None = None, /) -> None: ...
    def viewport(self) -> QWidget: ...


class PointTool:
    """`place` is in pixels of the viewport, `pixel` in those of the picture, clamped to it.

    `include` is false for the right button or with Alt. The keyboard's cross gives no `place`.
    """

    cursor = Qt.CursorShape.CrossCursor
    brush = False

    def __init__(self, view: Surface) -> None:
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

    def __init__(self, view: Surface) -> None:
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
    def __init__(self, view: Surface) -> None:
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

    def __init__(self, view: Surface, kind: str) -> None:
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

    def __init__(self, view: Surface) -> None:
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


def point_tools(view: Surface) -> dict[str, PointTool]:
    made: dict[str, PointTool] = {"point": PointsTool(view), "box": BoxTool(view)}
    made |= {kind: StrokeTool(view, kind) for kind in ("brush", "eraser", "lasso", "scribble")}
    return made | {"pan": PanTool(view), "zoom": ZoomTool(view)}
