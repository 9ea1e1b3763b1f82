"""The point picker: takes the place of the canvas while the user points at things in a picture.

Must not know sessions: it is given a picture and marks, and emits what the user accepted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.ui.mask_card import MaskCard
from desktop_app.ui.point_drawing import BEST, READINGS, Drawing, Thing
from desktop_app.ui.point_header import PickerHeader, PickerHints, side, stage
from desktop_app.ui.point_list import PointList
from desktop_app.ui.point_marks import Mark, clamped, handle, moved
from desktop_app.ui.point_mask import Found, MaskPreview, Preview
from desktop_app.ui.point_scene import PointView
from desktop_app.ui.point_strip import Strip
from desktop_app.ui.point_tools import KEYS, ToolPalette, wider
from desktop_app.ui.widgets import Button, divider, px
from nodes.api import Box, Point, ResourceType

Points = tuple[Mark, ...]
_ALL = frozenset({"point", "box", "brush", "eraser", "lasso", "scribble"})


@dataclass(frozen=True)
class Drawn:
    """What was accepted where points alone do not say it: the drawing, and the mask of all its things.

    `mask` is uint8 (height, width), 255 = selected.
    """

    drawing: Drawing
    mask: Any


class PointPicker(QWidget):
    """Left click includes, right click or Alt excludes; markers are dragged, deleted, moved by keys, undone.

    Points are whole pixels of the picture, 0 <= x < width, 0 <= y < height. Where boxes are wanted, dragging draws one.
    Where a mask is shown things can be painted too, there may be several, and each may be read in three ways.
    `accepted` brings points or boxes, `drawn` a Drawn where these do not say all.
    """

    accepted = Signal(tuple)
    drawn = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = Drawing()
        self._selected = -1
        self._past: list[Drawing] = []
        self._future: list[Drawing] = []
        self._width = self._height = 1
        self._boxes = self._masked = self._mask_wanted = self._accepting = False
        self._found: Found | None = None
        self._mask = MaskPreview(self)
        self._view, self._list = PointView(), PointList()
        self.tools, self.strip, self.mask_card = ToolPalette(), Strip(), MaskCard()
        self._header, self._hints = PickerHeader(), PickerHints()
        self._title, self._subject, self._busy = self._header.title, self._header.subject, self._header.busy
        body = QHBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        self.use = Button(self.tr("Use points"), "check", "primary")
        self.cancel = Button(self.tr("Cancel"))
        body.addWidget(stage(self._header, self.tools, self._view, self._hints, self.strip), 1)
        body.addWidget(divider(vertical=True))
        body.addWidget(side(self._list, self.mask_card, self.cancel, self.use))
        self._connect()
        self._connect_parts()

    def point_at(
        self,
        image: QImage,
        title: str,
        subject: str,
        points: Points = (),
        preview: Preview | None = None,
        boxes: bool = False,
        *,
        drawing: Drawing | None = None,
        readings: bool = False,
        mask_wanted: bool = False,
        paint: bool = True,
        look: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Starts pointing at `image` with the given points, or boxes where these are wanted, or a whole `drawing`.

        `preview(points)` gives a mask, uint8 (height, width), or None; with `readings` also `preview(points, reading)`.
        With `mask_wanted` the mask itself is the answer, even when points would say it. Without `paint` only points (or
        boxes) can be used. `look()` lets the tool see the picture ahead of the first click.
        """
        self._width, self._height = max(1, image.width()), max(1, image.height())
        self._past, self._future, self._found = [], [], None
        self._title.set_text(title)
        self._subject.set_text(subject)
        self._boxes, self._mask_wanted = boxes, mask_wanted
        self._masked = preview is not None and paint and not boxes
        self._accepting = False
        self._list.want_boxes(boxes, self._masked)
        self._header.glyph.set_type(ResourceType.BOXES if boxes else ResourceType.POINTS)
        self.tools.offer(frozenset({"box"} if boxes else _ALL if self._masked else {"point"}))
        self._view.set_picture(image)
        self.strip.set_picture(image)
        self.strip.setVisible(self._masked)
        self.strip.offer_readings(readings)
        self._mask.use(preview, (self._width, self._height), readings, boxes, look)
        self.mask_card.setVisible(preview is not None)
        self.take_tool("box" if boxes else "point")
        given = drawing if drawing is not None and self._masked else Drawing((Thing(1, marks=points),))
        things = tuple(
            Thing(t.number, t.name, tuple(map(self._clamped, t.marks)), t.reading, t.hidden) for t in given.things
        )
        self._show(Drawing(things, given.current), len(given.thing.marks) - 1)
        self._view.setFocus()

    @property
    def points(self) -> Points:
        """The marks of the present thing as they are now."""
        return self._drawing.thing.marks

    @property
    def drawing(self) -> Drawing:
        """All things with their marks."""
        return self._drawing

    @property
    def selected(self) -> int:
        """Index of the chosen mark, -1 for none."""
        return self._selected

    @property
    def view(self) -> PointView:
        """The picture with the markers."""
        return self._view

    @property
    def list(self) -> PointList:
        """The table of the marks."""
        return self._list

    def undo(self) -> None:
        """Takes the last change of the marks back."""
        while self._past and self._past[-1] == self._drawing:
            self._past.pop()  # a marker that was pressed, but not moved
        if self._past:
            self._future.append(self._drawing)
            self._show(self._past.pop(), self._selected)

    def redo(self) -> None:
        """Does again what was undone."""
        if self._future:
            self._past.append(self._drawing)
            self._show(self._future.pop(), self._selected)

    def add(self, point: Mark) -> None:
        """Adds a point, box or stroke, as the last and chosen one."""
        self._change((*self.points, self._clamped(point)), len(self.points))

    def move_point(self, index: int, x: float, y: float) -> None:
        """Moves a mark to the pixel (x, y), or the nearest one inside the picture. One undo step."""
        self._remember()
        self._drag(index, x, y)

    def remove(self, index: int) -> None:
        """Removes a mark."""
        if 0 <= index < len(self.points):
            kept = self.points[:index] + self.points[index + 1 :]
            self._change(kept, min(index, len(kept) - 1))

    def take_tool(self, tool: str) -> None:
        """Takes a tool in hand, if it is offered."""
        if self.tools.offers(tool):
            self.tools.show_tool(tool)
            self._view.set_tool(tool)
            self._hints.show_tool(tool, self._view.cross is not None)
            self._hints.brush.show_size(self._view.brush_size)

    def set_brush(self, size: int) -> None:
        """The width of brush and eraser in pixels of the picture."""
        self._view.set_brush(size)
        self._hints.brush.show_size(self._view.brush_size)

    def read_as(self, reading: str) -> None:
        """Takes one of the readings of the present thing's points; one undo step."""
        usual = next((c.reading.name for c in self.strip.cards if c.reading.usual), "")
        self._to(self._drawing.with_thing(reading=BEST if reading == usual else reading))

    def add_thing(self) -> None:
        """One more thing, which is marked from now on."""
        self._to(self._drawing.added(), -1)
        self._view.setFocus()

    def accept(self) -> None:
        """Emits what was marked, if anything was; where the mask itself is needed, as soon as it is there."""
        if not self._drawing.marked:
            return
        if not self._masked or (self._drawing.plain and not self._mask_wanted):
            if points := self._said():
                self.accepted.emit(points)
            return
        self._accepting = True
        self._emit_drawn()

    def _said(self) -> Points:
        """The boxes, or all marks of the one thing as points."""
        only = self._drawing.marked[0]
        return (only.clicks if any(p.include for p in only.clicks) else only.marks) if self._masked else only.marks

    def _emit_drawn(self) -> None:
        found = self._found
        if self._accepting and found is not None and found.drawing == self._drawing:
            self._accepting = False
            self.drawn.emit(Drawn(self._drawing, found.whole))

    def _connect(self) -> None:
        view, table = self._view, self._list
        view.added.connect(self.add)
        view.drag_started.connect(self._start_drag)
        view.dragged.connect(self._drag)
        view.removed.connect(lambda: self.remove(self._selected))
        view.nudged.connect(self._nudge)
        view.hovered.connect(self._say_place)
        view.zoomed.connect(lambda zoom: self._hints.zoom.setText(f"{zoom:.0%}".replace("%", " %")))
        table.chosen.connect(self._choose)
        table.moved.connect(self.move_point)
        table.removed.connect(self.remove)
        table.turned.connect(self._turn)
        table.nudged.connect(self._nudge)
        table.cleared.connect(lambda: self._change((), -1))
        table.add_asked.connect(self._add_in_the_middle)
        table.resized.connect(self._resize)

    def _connect_parts(self) -> None:
        self._mask.came.connect(self._show_mask)
        self._mask.asked.connect(lambda: self._say(self.tr("Finding the mask…")))
        self._mask.read.connect(lambda found: self.strip.show_readings(found, self._drawing.thing.reading))
        self.tools.chosen.connect(self.take_tool)
        self._hints.brush.changed.connect(self.set_brush)
        self._hints.fit.clicked.connect(self._view.fit)
        self._header.back.clicked.connect(self.cancelled)
        self.cancel.clicked.connect(self.cancelled)
        self.use.clicked.connect(self.accept)
        self._header.undo.clicked.connect(self.undo)
        self._header.redo.clicked.connect(self.redo)
        strip = self.strip
        strip.reading.connect(self.read_as)
        strip.added.connect(self.add_thing)
        strip.chosen.connect(self.choose_thing)
        strip.removed.connect(lambda index: self._to(self._drawing.without(index)))
        strip.hidden.connect(lambda i: self._to(self._drawing.at(i, hidden=not self._drawing.things[i].hidden)))
        strip.renamed.connect(self._rename)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._header.set_width(self.width())
        self.mask_card.set_small(self.height() < px(560))
        self.strip.set_quiet(self.height() < px(640))
        self.tools.set_columns(2 if self.height() < px(580) else 1)

    def keyPressEvent(self, event) -> None:
        key = Qt.Key(event.key())
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif held or not self._key(key):
            super().keyPressEvent(event)

    def _key(self, key: Qt.Key) -> bool:
        """Does what a key without Control or Alt asks for; false when it asks for nothing."""
        if key == Qt.Key.Key_F:
            self._view.fit()
        elif key in KEYS:
            self.take_tool(KEYS[key])
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.set_brush(wider(self._view.brush_size, key == Qt.Key.Key_BracketRight))
        elif key == Qt.Key.Key_N and self._masked:
            self.add_thing()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_3 and self.strip.cards:
            self.read_as(READINGS[key - Qt.Key.Key_1])
        else:
            return False
        return True

    def _clamped(self, point: Mark) -> Mark:
        return clamped(point, self._width, self._height)

    def _add_in_the_middle(self) -> None:
        x, y = float(self._width // 2), float(self._height // 2)
        across, down = max(1, self._width // 8), max(1, self._height // 8)
        boxes = self._boxes or self._view.tool == "box"
        self.add(Box(x - across, y - down, x + across, y + down) if boxes else Point(x, y))

    def _remember(self) -> None:
        self._past.append(self._drawing)
        self._future = []

    def _change(self, points: Points, selected: int) -> None:
        self._to(self._drawing.with_thing(marks=points), selected)

    def _to(self, drawing: Drawing, selected: int | None = None) -> None:
        """Goes on to another drawing: one undo step."""
        if drawing != self._drawing:
            self._remember()
        if selected is None:
            selected = self._selected if drawing.thing.marks == self.points else len(drawing.thing.marks) - 1
        self._show(drawing, selected)

    def _show(self, drawing: Drawing, selected: int) -> None:
        self._drawing = drawing
        self._accepting = False
        self._selected = min(selected, len(self.points) - 1)
        self._view.set_points(self.points, self._selected)
        self._list.set_points(self.points, self._selected, (self._width, self._height))
        self.strip.show_drawing(drawing)
        self.strip.show_reading(drawing.thing.reading)
        self.use.setEnabled(bool(drawing.marked))
        self._name_use()
        self._header.undo.setEnabled(bool(self._past))
        self._header.redo.setEnabled(bool(self._future))
        self._mask.ask(drawing)

    def _name_use(self) -> None:
        """The button says what will happen."""
        if self._boxes:
            self.use.set_words(self.tr("Use boxes"))
        elif self._mask_wanted or not (self._drawing.plain or not self._drawing.marked):
            self.use.set_words(self.tr("Use mask"))
        else:
            self.use.set_words(self.tr("Use points"))

    def _show_mask(self, found: Found | None, words: str, trouble: bool) -> None:
        self._found = found
        if found is None:
            self._view.set_mask(None)
            self.mask_card.show_nothing(words if trouble else "")
        else:
            self._view.set_mask(found.overlay, found.step)
            self.mask_card.show_found(found)
        self._say(self.tr("No mask") if trouble else words)
        self._emit_drawn()

    def _say(self, words: str) -> None:
        self._busy.set_text(words)

    def choose_thing(self, index: int) -> None:
        """Works on that thing from now on."""
        self._show(Drawing(self._drawing.things, index), len(self._drawing.things[index].marks) - 1)
        self._view.setFocus()

    def _rename(self, index: int, name: str) -> None:
        self._to(self._drawing.at(index, name=name))
        self._view.setFocus()

    def _choose(self, index: int) -> None:
        if index != self._selected:
            self._show(self._drawing, index)

    def _start_drag(self, index: int) -> None:
        self._choose(index)
        self._remember()

    def _drag(self, index: int, x: float, y: float) -> None:
        if not 0 <= index < len(self.points):
            return
        new = moved(self.points[index], x, y, self._width, self._height)
        self._show(self._drawing.with_thing(marks=self._with(index, new)), index)

    def _with(self, index: int, mark: Mark) -> Points:
        return (*self.points[:index], mark, *self.points[index + 1 :])

    def _turn(self, index: int) -> None:
        mark = self.points[index]
        if isinstance(mark, Point):
            self._change(self._with(index, Point(mark.x, mark.y, not mark.include)), index)

    def _resize(self, index: int, box: Box) -> None:
        self._change(self._with(index, self._clamped(box)), index)

    def _nudge(self, right: int, down: int) -> None:
        if 0 <= self._selected < len(self.points):
            x, y = handle(self.points[self._selected])
            self.move_point(self._selected, x + right, y + down)

    def _say_place(self, pixel: tuple[int, int] | None, include: bool) -> None:
        self._hints.show_tool(self._view.tool, self._view.cross is not None)
        if pixel is None:
            self._hints.place.setText("")
            return
        kind = self.tr("include") if include else self.tr("exclude")
        said = f"{pixel[0]}, {pixel[1]} · {kind}" if self._view.tool == "point" else f"{pixel[0]}, {pixel[1]}"
        self._hints.place.setText(f"{said}   ")
