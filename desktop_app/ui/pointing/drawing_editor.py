"""What the user does to a drawing: marks added, moved, turned, removed; things; undo. Must not know widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_app.ui.pointing.drawing import Drawing
from desktop_app.ui.pointing.marks import Mark, clamped, handle, moved
from nodes.api import Box, Point

Marks = tuple[Mark, ...]


class Editing:
    """The drawing in a picture of that size, and the chosen mark of the present thing (-1 for none); `told()` hears of
    every change. Marks are brought to whole pixels inside the picture.
    """

    def __init__(self, told: Callable[[], None]) -> None:
        self.drawing = Drawing()
        self.selected = -1
        self.width = self.height = 1
        self._told = told
        self._past: list[Drawing] = []
        self._future: list[Drawing] = []

    def begin(self, width: int, height: int, drawing: Drawing) -> None:
        """Another picture, with that drawing and no past."""
        self.width, self.height = max(1, width), max(1, height)
        self._past, self._future = [], []
        things = tuple(replace(t, marks=tuple(map(self._clamped, t.marks))) for t in drawing.things)
        self._show(replace(drawing, things=things), len(drawing.thing.marks) - 1)

    @property
    def marks(self) -> Marks:
        return self.drawing.thing.marks

    # Undo

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> None:
        while self._past and self._past[-1] == self.drawing:
            self._past.pop()  # a marker that was pressed, but not moved
        if self._past:
            self._future.append(self.drawing)
            self._show(self._past.pop(), self.selected)

    def redo(self) -> None:
        if self._future:
            self._past.append(self.drawing)
            self._show(self._future.pop(), self.selected)

    def _remember(self) -> None:
        self._past.append(self.drawing)
        self._future = []

    # Marks

    def add(self, mark: Mark) -> None:
        self.change((*self.marks, self._clamped(mark)), len(self.marks))

    def add_in_the_middle(self, box: bool) -> None:
        x, y = float(self.width // 2), float(self.height // 2)
        across, down = max(1, self.width // 8), max(1, self.height // 8)
        self.add(Box(x - across, y - down, x + across, y + down) if box else Point(x, y))

    def move(self, index: int, x: float, y: float) -> None:
        """Moves a mark to the pixel (x, y), or the nearest one inside the picture. One undo step."""
        self._remember()
        self.drag(index, x, y)

    def nudge(self, right: int, down: int) -> None:
        """Moves the chosen mark by so many pixels."""
        if 0 <= self.selected < len(self.marks):
            x, y = handle(self.marks[self.selected])
            self.move(self.selected, x + right, y + down)

    def start_drag(self, index: int) -> None:
        """A marker is pressed: all moves until the next change are one undo step."""
        self.choose(index)
        self._remember()

    def drag(self, index: int, x: float, y: float) -> None:
        if 0 <= index < len(self.marks):
            new = moved(self.marks[index], x, y, self.width, self.height)
            self._show(self.drawing.with_thing(marks=self._with(index, new)), index)

    def remove(self, index: int) -> None:
        if 0 <= index < len(self.marks):
            kept = self.marks[:index] + self.marks[index + 1 :]
            self.change(kept, min(index, len(kept) - 1))

    def turn(self, index: int) -> None:
        """Makes an including point an excluding one, and the reverse."""
        mark = self.marks[index]
        if isinstance(mark, Point):
            self.change(self._with(index, Point(mark.x, mark.y, not mark.include)), index)

    def resize(self, index: int, box: Box) -> None:
        self.change(self._with(index, self._clamped(box)), index)

    def choose(self, index: int) -> None:
        if index != self.selected:
            self._show(self.drawing, index)

    def change(self, marks: Marks, selected: int) -> None:
        """Other marks for the present thing: one undo step."""
        self.go(self.drawing.with_thing(marks=marks), selected)

    # The edge

    def set_edge(self, grow: int, feather: int) -> None:
        """Moves the edge by so many pixels and softens it: one undo step."""
        self.go(replace(self.drawing, grow=grow, feather=feather))

    def start_edge(self) -> None:
        """A slider is pressed: all that `drag_edge` does until the next change is one undo step."""
        self._remember()

    def drag_edge(self, grow: int, feather: int) -> None:
        """As `set_edge`, within the step that has begun."""
        self._show(replace(self.drawing, grow=grow, feather=feather), self.selected)

    # Things

    def choose_thing(self, index: int) -> None:
        self._show(replace(self.drawing, current=index), len(self.drawing.things[index].marks) - 1)

    def go(self, drawing: Drawing, selected: int | None = None) -> None:
        """Goes on to another drawing: one undo step."""
        if drawing != self.drawing:
            self._remember()
        if selected is None:
            selected = self.selected if drawing.thing.marks == self.marks else len(drawing.thing.marks) - 1
        self._show(drawing, selected)

    def _show(self, drawing: Drawing, selected: int) -> None:
        self.drawing = drawing
        self.selected = min(selected, len(self.marks) - 1)
        self._told()

    def _with(self, index: int, mark: Mark) -> Marks:
        return (*self.marks[:index], mark, *self.marks[index + 1 :])

    def _clamped(self, mark: Mark) -> Mark:
        return clamped(mark, self.width, self.height)
