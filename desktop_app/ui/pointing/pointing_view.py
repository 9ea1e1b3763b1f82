"""The point picker: takes the place of the canvas while the user points at things in a picture.

Must not know sessions: it is given a picture and marks, and emits what the user accepted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from desktop_app.ui.pointing.candidate_strip import CandidateStrip
from desktop_app.ui.pointing.drawing import BEST, READINGS, Drawing, MarkedObject
from desktop_app.ui.pointing.drawing_editor import Editing, Marks
from desktop_app.ui.pointing.header import BackendChoice, PickerHeader, PickerHints, side, stage
from desktop_app.ui.pointing.mark_table import PointList
from desktop_app.ui.pointing.marks import Mark
from desktop_app.ui.pointing.mask_card import MaskCard
from desktop_app.ui.pointing.mask_preview import FoundMask, MaskPreview, MaskReading, Preview
from desktop_app.ui.pointing.picture_view import PointView
from desktop_app.ui.pointing.rasterize import fitted
from desktop_app.ui.pointing.tool_bar import ToolPalette, tool_actions, wider
from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import Button, divider, px, row
from nodes.api import ResourceType

_SIDE, _SLIM, _SLIM_SIDE = 300, 600, 210
"""Width of the panel at the side; in a picker under the second width it is narrower, and scrolls."""
_ALL = frozenset({"point", "box", "brush", "eraser", "lasso", "scribble"})


@dataclass(frozen=True)
class Drawn:
    """What was accepted where points alone do not say it: the drawing, and the mask of all its things.

    `mask` is uint8 (height, width), 255 = selected; None where the tool makes all of it again.
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
        self._edit = Editing(self._show)
        self._boxes = self._masked = self._mask_wanted = self._accepting = False
        self._found: FoundMask | None = None
        self._mask = MaskPreview(self)
        self.view, self.list = PointView(), PointList()
        self.tools, self.strip, self.mask_card = ToolPalette(), CandidateStrip(), MaskCard()
        self.backend, self._edges = BackendChoice(), False
        self._header, self._hints = PickerHeader(), PickerHints()
        self._title, self._subject = self._header.title, self._header.subject
        body = row(parent=self, gap=0)
        self.use = Button(self.tr("Use points"), "check", "primary")
        self.cancel = Button(self.tr("Cancel"))
        body.addWidget(stage(self._header, self.tools, self.view, self._hints, self.strip), 1)
        body.addWidget(divider(vertical=True))
        self._side = side(self.list, self.mask_card, self.backend, self.cancel, self.use)
        body.addWidget(self._side)
        self._connect()
        self._connect_parts()

    def point_at(
        self,
        image: QImage,
        title: str,
        subject: str,
        points: Marks = (),
        preview: Preview | None = None,
        boxes: bool = False,
        *,
        drawing: Drawing | None = None,
        readings: bool = False,
        mask_wanted: bool = False,
        paint: bool = True,
        look: Callable[[], Awaitable[Any]] | None = None,
        edge: tuple[int, int] | None = None,
    ) -> None:
        """Starts pointing at `image` with the given points, or boxes where these are wanted, or a whole `drawing`.

        `preview(points)` gives a mask, uint8 (height, width), or None; with `readings` also `preview(points, reading)`.
        With `mask_wanted` the mask itself is the answer, even when points would say it. Without `paint` only points (or
        boxes) can be used. `look()` lets the tool see the picture ahead of the first click. `edge` are the furthest, in
        pixels, that the tool can grow and feather its mask; None where it cannot.
        """
        self._found = None
        self._title.set_text(title)
        self._subject.set_text(subject)
        self._boxes, self._mask_wanted = boxes, mask_wanted
        self._masked = preview is not None and paint and not boxes
        self._accepting = False
        self.list.want_boxes(boxes, self._masked)
        self._header.glyph.set_type(ResourceType.BOXES if boxes else ResourceType.POINTS)
        self.tools.offer(frozenset({"box"} if boxes else _ALL if self._masked else {"point"}))
        self.view.set_picture(image)
        self.strip.set_picture(image)
        self.strip.setVisible(self._masked)
        self.strip.offer_readings(readings)
        self._mask.use(preview, (max(1, image.width()), max(1, image.height())), readings, boxes, look)
        self.mask_card.setVisible(preview is not None)
        self._edges = edge is not None and self._masked
        self.mask_card.edge.setVisible(self._edges)
        if edge is not None:
            self.mask_card.edge.offer(*edge, max(image.width(), image.height()))
        self.take_tool("box" if boxes else "point")
        given = drawing if drawing is not None and self._masked else Drawing((MarkedObject(1, marks=points),))
        self._edit.begin(image.width(), image.height(), given)
        self.view.setFocus()

    def let_go(self) -> None:
        """Gives back the memory of the picture, which no one sees any more; what was to be used once its mask is there
        is not.
        """
        self._accepting = False
        self.view.set_picture(QImage())

    def find_anew(self, preview: Preview) -> None:
        """Finds the mask of the same marks by another `preview` from now on."""
        self._mask.find_anew(preview)

    @property
    def points(self) -> Marks:
        return self._edit.marks

    @property
    def drawing(self) -> Drawing:
        return self._edit.drawing

    @property
    def selected(self) -> int:
        """Index of the chosen mark, -1 for none."""
        return self._edit.selected

    def undo(self) -> None:
        self._edit.undo()

    def redo(self) -> None:
        self._edit.redo()

    def add(self, point: Mark) -> None:
        self._edit.add(point)

    def remove(self, index: int) -> None:
        self._edit.remove(index)

    def take_tool(self, tool: str) -> None:
        if self.tools.offers(tool):
            self.tools.show_tool(tool)
            self.view.set_tool(tool)
            self._hints.show_tool(tool, self.view.cross is not None)
            self._hints.brush.show_size(self.view.brush_size)

    def set_brush(self, size: int) -> None:
        """The width of brush and eraser in pixels of the picture."""
        self.view.set_brush(size)
        self._hints.brush.show_size(self.view.brush_size)

    def read_as(self, reading: str) -> None:
        """Takes one of the readings of the present thing's points; one undo step."""
        usual = next((c.reading.name for c in self.strip.cards if c.reading.usual), "")
        self._edit.go(self.drawing.with_thing(reading=BEST if reading == usual else reading))

    def add_thing(self) -> None:
        self._edit.go(self.drawing.added(), -1)
        self.view.setFocus()

    def accept(self) -> None:
        """Emits what was marked, if anything was; where the mask itself is needed, as soon as it is there."""
        if not self.drawing.marked:
            return
        if not self._masked or (self.drawing.plain and not self._mask_wanted):
            if points := self._said():
                self.accepted.emit(points)
            return
        if self._edges and self.drawing.unpainted:  # the node has a value for all that was said
            self.drawn.emit(Drawn(self.drawing, None))
            return
        self._accepting = True
        self._emit_drawn()

    def _said(self) -> Marks:
        """The boxes, or all marks of the one thing as points."""
        only = self.drawing.marked[0]
        return (only.clicks if any(p.include for p in only.clicks) else only.marks) if self._masked else only.marks

    def _emit_drawn(self) -> None:
        found = self._found
        if self._accepting and found is not None and found.drawing == self.drawing:
            self._accepting = False
            size = self.view.picture_size
            self.drawn.emit(Drawn(self.drawing, fitted(found.whole, size.width(), size.height())))

    def _connect(self) -> None:
        view, table, edit = self.view, self.list, self._edit
        view.added.connect(self.add)
        view.drag_started.connect(edit.start_drag)
        view.dragged.connect(edit.drag)
        view.removed.connect(lambda: edit.remove(edit.selected))
        view.nudged.connect(edit.nudge)
        view.hovered.connect(self._say_place)
        view.zoomed.connect(lambda zoom: self._hints.zoom.setText(f"{zoom:.0%}".replace("%", " %")))
        table.chosen.connect(edit.choose)
        table.moved.connect(edit.move)
        table.removed.connect(edit.remove)
        table.turned.connect(edit.turn)
        table.nudged.connect(edit.nudge)
        table.cleared.connect(lambda: edit.change((), -1))
        table.add_asked.connect(lambda: edit.add_in_the_middle(self._boxes or view.tool == "box"))
        table.resized.connect(edit.resize)

    def _connect_parts(self) -> None:
        self._mask.came.connect(self._show_mask)
        self._mask.asked.connect(lambda: self._header.say(self.tr("Finding the mask…"), False))
        self._mask.read.connect(self._show_readings)
        self.mask_card.less.connect(self.read_as)
        self.tools.chosen.connect(self.take_tool)
        self._hints.brush.changed.connect(self.set_brush)
        self._hints.fit.clicked.connect(self.view.fit)
        self._header.back.clicked.connect(self.cancelled)
        self.cancel.clicked.connect(self.cancelled)
        self.use.clicked.connect(self.accept)
        self._header.undo.clicked.connect(self.undo)
        self._header.redo.clicked.connect(self.redo)
        strip, edit = self.strip, self._edit
        strip.reading.connect(self.read_as)
        strip.added.connect(self.add_thing)
        strip.chosen.connect(self.choose_thing)
        strip.removed.connect(lambda index: edit.go(self.drawing.without(index)))
        edge = self.mask_card.edge
        edge.began.connect(self._edit.start_edge)
        edge.moved.connect(self._edit.drag_edge)
        edge.chosen.connect(self._edit.set_edge)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._header.set_width(self.width())
        self._side.setFixedWidth(px(_SIDE if self.width() >= px(_SLIM) else _SLIM_SIDE))
        self.mask_card.set_small(self.height() < px(660))
        self.backend.set_small(self.height() < px(560))
        self.strip.set_quiet(self.height() < px(640))
        self.tools.set_columns(2 if self.height() < px(580) else 1)

    def keyPressEvent(self, event) -> None:
        if not press((*pointing_actions(), *tool_actions()), self, event):
            super().keyPressEvent(event)

    def step_brush(self, up: bool) -> None:
        self.set_brush(wider(self.view.brush_size, up))

    def fit(self) -> None:
        self.view.fit()

    def key_object(self) -> bool:
        """The key for one more object; False where there is only one."""
        if self._masked:
            self.add_thing()
        return self._masked

    def key_reading(self, index: int) -> bool:
        """The key of a reading; False where none are offered."""
        if self.strip.cards:
            self.read_as(READINGS[index])
        return bool(self.strip.cards)

    def _show(self) -> None:
        edit, drawing = self._edit, self._edit.drawing
        self._accepting = False
        self.view.set_points(edit.marks, edit.selected)
        self.list.set_points(edit.marks, edit.selected, (edit.width, edit.height))
        self.strip.show_drawing(drawing)
        self.strip.show_reading(drawing.thing.reading)
        self.mask_card.edge.show_values(drawing.grow, drawing.feather)
        self.use.setEnabled(bool(drawing.marked))
        self._name_use()
        self._header.undo.setEnabled(edit.can_undo)
        self._header.redo.setEnabled(edit.can_redo)
        self._mask.ask(drawing)

    def _name_use(self) -> None:
        if self._boxes:
            self.use.set_words(self.tr("Use boxes"))
        elif self._mask_wanted or not (self.drawing.plain or not self.drawing.marked):
            self.use.set_words(self.tr("Use mask"))
        else:
            self.use.set_words(self.tr("Use points"))

    def _show_mask(self, found: FoundMask | None, words: str, trouble: bool) -> None:
        self._found = found
        if found is None:
            self.view.set_mask(None)
            self.mask_card.show_nothing(words if trouble else "")
        else:
            self.view.set_mask(found.overlay, found.step)
            self.mask_card.show_found(found)
        self._header.say(self.tr("No mask") if trouble else words, found is not None)
        self._doubt()
        self._emit_drawn()

    def _show_readings(self, found: tuple[MaskReading, ...]) -> None:
        self.strip.show_readings(found, self.drawing.thing.reading)
        self._doubt()

    def _doubt(self) -> None:
        """Says when clicks, and nothing painted, selected most of the picture."""
        clicked = self._found is not None and self.drawing.unpainted
        fraction = self._found.fraction if clicked and self._found is not None else 0.0
        self.mask_card.show_doubt(fraction, tuple(card.reading for card in self.strip.cards))

    def choose_thing(self, index: int) -> None:
        self._edit.choose_thing(index)
        self.view.setFocus()

    def _say_place(self, pixel: tuple[int, int] | None, include: bool) -> None:
        self._hints.show_tool(self.view.tool, self.view.cross is not None)
        if pixel is None:
            self._hints.place.setText("")
            return
        kind = self.tr("include") if include else self.tr("exclude")
        said = f"{pixel[0]}, {pixel[1]} · {kind}" if self.view.tool == "point" else f"{pixel[0]}, {pixel[1]}"
        self._hints.place.setText(f"{said}   ")


def pointing_actions() -> tuple[Action[PointPicker], ...]:
    """What is done while pointing, wherever in the picker the keyboard is; its tools are actions too (tool_bar)."""
    readings = (
        translate("Take the first reading"),
        translate("Take the second reading"),
        translate("Take the third reading"),
    )
    return (
        Action("use", translate("Use what was pointed at"), "check", lambda p: p.accept(), ("Return", "Enter")),
        Action("cancel", translate("Leave pointing"), "x", lambda p: p.cancelled.emit(), ("Esc",)),
        Action("fit", translate("Fit the picture"), "maximize", lambda p: p.fit(), ("F",)),
        Action("narrower", translate("Narrower brush"), "minus", lambda p: p.step_brush(False), ("[",)),
        Action("wider", translate("Wider brush"), "plus", lambda p: p.step_brush(True), ("]",)),
        Action("object", translate("Mark one more thing"), "plus", lambda p: p.key_object(), ("N",)),
        *(
            Action(f"reading_{index + 1}", text, "layers", partial(_read, index), (str(index + 1),))
            for index, text in enumerate(readings)
        ),
    )


def _read(index: int, picker: PointPicker) -> bool:
    return picker.key_reading(index)
