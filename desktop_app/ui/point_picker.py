"""The point picker: takes the place of the canvas while the user points at things in a picture.

Must not know sessions: it is given a picture and points, and emits the points that the user accepted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.ui.flow_layout import FlowLayout
from desktop_app.ui.glyphs import KeyHint, type_glyph
from desktop_app.ui.mask_card import MaskCard
from desktop_app.ui.point_list import PointList
from desktop_app.ui.point_marks import Mark, clamped, handle, moved
from desktop_app.ui.point_mask import Found, MaskPreview
from desktop_app.ui.point_scene import MARGIN, PointView
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton, divider, label, px, row
from nodes.api import Box, Point, ResourceType

Points = tuple[Mark, ...]
Preview = Callable[[Points], Awaitable[Any]]


class PointPicker(QWidget):
    """Left click includes, right click or Alt excludes; markers are dragged, deleted, moved by keys, undone.

    Points are whole pixels of the picture, 0 <= x < width, 0 <= y < height. Where boxes are wanted, dragging draws one.
    """

    accepted = Signal(tuple)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: Points = ()
        self._selected = -1
        self._past: list[Points] = []
        self._future: list[Points] = []
        self._width = self._height = 1
        self._mask = MaskPreview(self)
        self._boxes = False
        self._mask.came.connect(self._show_mask)
        self._mask.asked.connect(lambda: self._say(self.tr("Finding the mask…")))
        self._view = PointView()
        self._list = PointList()
        body = QHBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self._make_stage(), 1)
        body.addWidget(divider(vertical=True))
        body.addWidget(self._make_side())
        self._connect()

    def point_at(
        self,
        image: QImage,
        title: str,
        subject: str,
        points: Points = (),
        preview: Preview | None = None,
        boxes: bool = False,
    ) -> None:
        """Starts pointing at `image` with the given points, or boxes where these are wanted.

        `preview(points)` gives a mask, uint8 (height, width), or None.
        """
        self._width, self._height = max(1, image.width()), max(1, image.height())
        self._past, self._future = [], []
        self._title.set_text(title)
        self._subject.set_text(subject)
        self._boxes = boxes
        self._view.want_boxes(boxes)
        self._list.want_boxes(boxes)
        self._glyph.set_type(ResourceType.BOXES if boxes else ResourceType.POINTS)
        self.use.set_words(self.tr("Use boxes") if boxes else self.tr("Use points"))
        for hint, for_boxes in self._hints:
            hint.setVisible(for_boxes == boxes)
        self._view.set_picture(image)
        self._mask.use(preview)
        self.mask_card.setVisible(preview is not None)
        self._show(tuple(self._clamped(p) for p in points), len(points) - 1)
        self._view.setFocus()

    @property
    def points(self) -> Points:
        """The points as they are now."""
        return self._points

    @property
    def selected(self) -> int:
        """Index of the chosen point, -1 for none."""
        return self._selected

    @property
    def view(self) -> PointView:
        """The picture with the markers."""
        return self._view

    @property
    def list(self) -> PointList:
        """The table of the points."""
        return self._list

    def undo(self) -> None:
        """Takes the last change of the points back."""
        while self._past and self._past[-1] == self._points:
            self._past.pop()  # a marker that was pressed, but not moved
        if self._past:
            self._future.append(self._points)
            self._show(self._past.pop(), self._selected)

    def redo(self) -> None:
        """Does again what was undone."""
        if self._future:
            self._past.append(self._points)
            self._show(self._future.pop(), self._selected)

    def add(self, point: Mark) -> None:
        """Adds a point or box, as the last and chosen one."""
        self._change((*self._points, self._clamped(point)), len(self._points))

    def move_point(self, index: int, x: float, y: float) -> None:
        """Moves a point to the pixel (x, y), or the nearest one inside the picture. One undo step."""
        self._remember()
        self._drag(index, x, y)

    def remove(self, index: int) -> None:
        """Removes a point."""
        if 0 <= index < len(self._points):
            kept = self._points[:index] + self._points[index + 1 :]
            self._change(kept, min(index, len(kept) - 1))

    def accept(self) -> None:
        """Emits the points, if there is at least one."""
        if self._points:
            self.accepted.emit(self._points)

    def _connect(self) -> None:
        view, table = self._view, self._list
        view.added.connect(self.add)
        view.drag_started.connect(self._start_drag)
        view.dragged.connect(self._drag)
        view.removed.connect(lambda: self.remove(self._selected))
        view.nudged.connect(self._nudge)
        view.hovered.connect(self._say_place)
        view.zoomed.connect(lambda zoom: self._zoom.setText(f"{zoom:.0%}".replace("%", " %")))
        table.chosen.connect(self._choose)
        table.moved.connect(self.move_point)
        table.removed.connect(self.remove)
        table.turned.connect(self._turn)
        table.nudged.connect(self._nudge)
        table.cleared.connect(lambda: self._change((), -1))
        table.add_asked.connect(self._add_in_the_middle)
        table.resized.connect(self._resize)

    def _make_stage(self) -> QWidget:
        stage = QFrame()
        stage.setProperty("surface", "canvas")
        column = QVBoxLayout(stage)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_header())
        column.addWidget(divider())
        column.addWidget(self._view, 1)
        column.addLayout(self._make_hints())
        return stage

    def _make_header(self) -> QWidget:
        header = QFrame()
        header.setProperty("surface", "panel")
        header.setFixedHeight(px(46))
        back = Button(self.tr("Graph"), "chevron-left", "quiet", tip=self.tr("Back to the graph (Esc)"))
        back.clicked.connect(self.cancelled)
        self._title = ElidedLabel(role="title")
        self._subject = ElidedLabel(role="secondary")
        self._busy = ElidedLabel(role="caption")
        self._glyph = type_glyph(ResourceType.POINTS, 14)
        self._undo = IconButton("undo-2", self.tr("Undo (Ctrl+Z)"))
        self._redo = IconButton("redo-2", self.tr("Redo (Ctrl+Shift+Z)"))
        self._undo.clicked.connect(self.undo)
        self._redo.clicked.connect(self.redo)
        layout = row(
            back, divider(True, 18), 4, self._glyph, self._title, self._subject, self._busy,
            self._undo, self._redo, margins=(8, 8, 12, 8),
        )  # fmt: skip
        layout.setStretchFactor(self._subject, 1)
        header.setLayout(layout)
        return header

    def _make_hints(self) -> QHBoxLayout:
        hints = (
            (self.tr("Drag"), self.tr("draw a box"), True),
            (self.tr("Click"), self.tr("include"), False),
            (self.tr("Right click"), self.tr("exclude"), False),
            (self.tr("Del"), self.tr("remove"), None),
            (self.tr("Wheel"), self.tr("zoom"), None),
            (self.tr("Space"), self.tr("pan"), None),
        )
        self._hints: list[tuple[QWidget, bool]] = []
        holder = QWidget()
        flow = FlowLayout(px(14), holder)
        for key, meaning, for_boxes in hints:
            pair = QWidget()
            pair.setLayout(row(KeyHint(key), label(meaning, "caption"), gap=6))
            flow.addWidget(pair)
            if for_boxes is not None:
                self._hints.append((pair, for_boxes))
        holder.setFixedHeight(px(20))  # one line; what does not fit is not seen
        layout = row(holder, gap=6, margins=(MARGIN, 6, 12, 10))
        layout.setStretch(0, 1)
        self._place = label("", "caption")
        self._zoom = label("100 %", "caption")
        fit = IconButton("maximize", self.tr("Fit the picture (F)"))
        fit.clicked.connect(self._view.fit)
        for widget in (self._place, self._zoom, fit):
            layout.addWidget(widget)
        return layout

    def _make_side(self) -> QWidget:
        side = QFrame()
        side.setProperty("surface", "panel")
        side.setFixedWidth(px(300))
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._list, 1)
        self.mask_card = MaskCard()
        column.addWidget(self.mask_card)
        column.addWidget(divider())
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.cancelled)
        self.use = Button(self.tr("Use points"), "check", "primary")
        self.use.clicked.connect(self.accept)
        column.addLayout(row(cancel, None, self.use, margins=(12, 10, 12, 10)))
        return side

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._subject.setVisible(self.width() > px(820))
        self._busy.setVisible(self.width() > px(760))
        self.mask_card.set_small(self.height() < px(560))

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_F:
            self._view.fit()
        else:
            super().keyPressEvent(event)

    def _clamped(self, point: Mark) -> Mark:
        return clamped(point, self._width, self._height)

    def _add_in_the_middle(self) -> None:
        x, y = float(self._width // 2), float(self._height // 2)
        across, down = max(1, self._width // 8), max(1, self._height // 8)
        self.add(Box(x - across, y - down, x + across, y + down) if self._boxes else Point(x, y))

    def _remember(self) -> None:
        self._past.append(self._points)
        self._future = []

    def _change(self, points: Points, selected: int) -> None:
        if points != self._points:
            self._remember()
        self._show(points, selected)

    def _show(self, points: Points, selected: int) -> None:
        self._points = points
        self._selected = min(selected, len(points) - 1)
        self._view.set_points(points, self._selected)
        self._list.set_points(points, self._selected, (self._width, self._height))
        self.use.setEnabled(bool(points))
        self._undo.setEnabled(bool(self._past))
        self._redo.setEnabled(bool(self._future))
        self._mask.ask(points)

    def _show_mask(self, found: Found | None, words: str, trouble: bool) -> None:
        if found is None:
            self._view.set_mask(None)
            self.mask_card.show_nothing(words if trouble else "")
        else:
            self._view.set_mask(found.overlay, found.step)
            self.mask_card.show_found(found)
        self._say(self.tr("No mask") if trouble else words)

    def _say(self, words: str) -> None:
        self._busy.set_text(words)

    def _choose(self, index: int) -> None:
        if index != self._selected:
            self._show(self._points, index)

    def _start_drag(self, index: int) -> None:
        self._choose(index)
        self._remember()

    def _drag(self, index: int, x: float, y: float) -> None:
        if not 0 <= index < len(self._points):
            return
        new = moved(self._points[index], x, y, self._width, self._height)
        self._show((*self._points[:index], new, *self._points[index + 1 :]), index)

    def _turn(self, index: int) -> None:
        mark = self._points[index]
        if isinstance(mark, Point):
            turned = Point(mark.x, mark.y, not mark.include)
            self._change((*self._points[:index], turned, *self._points[index + 1 :]), index)

    def _resize(self, index: int, box: Box) -> None:
        self._change((*self._points[:index], self._clamped(box), *self._points[index + 1 :]), index)

    def _nudge(self, right: int, down: int) -> None:
        if 0 <= self._selected < len(self._points):
            x, y = handle(self._points[self._selected])
            self.move_point(self._selected, x + right, y + down)

    def _say_place(self, pixel: tuple[int, int] | None, include: bool) -> None:
        if pixel is None:
            self._place.setText("")
        else:
            kind = self.tr("include") if include else self.tr("exclude")
            said = f"{pixel[0]}, {pixel[1]}" if self._boxes else f"{pixel[0]}, {pixel[1]} · {kind}"
            self._place.setText(f"{said}   ")
