"""The table of marks beside the picture: points and boxes with their numbers, which can be typed, and strokes."""

from __future__ import annotations

import itertools
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from desktop_app.ui.pointing.marks import Mark, Stroke, handle
from desktop_app.ui.widgets.basic import (
    Button,
    ClickableFrame,
    IconButton,
    clear,
    divider,
    label,
    mark,
    px,
    row,
    scroll_area,
    stack,
)
from desktop_app.ui.widgets.glyphs import KindGlyph
from nodes.api import Box, Point


class NumberField(QLineEdit):
    """A whole number; arrow keys up and down are told, not taken."""

    def __init__(self, largest: int, name: str) -> None:
        super().__init__("0")
        self.setValidator(QIntValidator(0, largest, self))
        self.setAccessibleName(name)
        self.setFixedWidth(px(56))
        self.setProperty("small", True)
        self.setStyleSheet(f"padding: 0 {px(7)}px;")


class PointRow(QFrame):
    """One point: sign, number, kind (a button that turns it), x, y, remove."""

    def __init__(self, index: int, point: Point, selected: bool, size: tuple[int, int]) -> None:
        super().__init__()
        self.index = index
        self.point: Point | None = None
        self.setProperty("surface", "panel")
        self.sign = KindGlyph()
        self.number = label(str(index + 1), "heading")
        self.number.setFixedWidth(px(16))
        self.kind = Button(kind="quiet", small=True, tip=self.tr("Turn between include and exclude"))
        self.kind.setFixedWidth(px(70))
        self.kind.setStyleSheet("padding: 0; text-align: left;")
        self.x_field = NumberField(size[0] - 1, self.tr("x of point {n}, pixels").format(n=index + 1))
        self.y_field = NumberField(size[1] - 1, self.tr("y of point {n}, pixels").format(n=index + 1))
        self.fields = [self.x_field, self.y_field]
        self.drop = IconButton("x", self.tr("Remove point {n}").format(n=index + 1), 24)
        self.setLayout(
            row(self.sign, self.number, self.kind, self.x_field, self.y_field, self.drop, gap=6, margins=(8, 3, 4, 3))
        )
        self.update_point(point, selected)

    def update_point(self, point: Point, selected: bool) -> None:
        """Shows the point; a number that is being typed stays."""
        mark(self, "surface", "hover" if selected else "panel")
        if point == self.point:
            return
        self.point = point
        self.sign.set_include(point.include)
        self.kind.set_words(self.tr("Include") if point.include else self.tr("Exclude"))
        self.x_field.setText(str(int(point.x)))
        self.y_field.setText(str(int(point.y)))


class BoxRow(QFrame):
    """One box: number, left, top, right, bottom, remove. Right and bottom are the first pixels outside."""

    def __init__(self, index: int, box: Box, selected: bool, size: tuple[int, int]) -> None:
        super().__init__()
        self.index = index
        self.point: Box | None = None
        self.setProperty("surface", "panel")
        self.number = label(str(index + 1), "heading")
        self.number.setFixedWidth(px(16))
        names = (self.tr("left"), self.tr("top"), self.tr("right"), self.tr("bottom"))
        self.fields = [
            NumberField(size[i % 2], self.tr("{edge} of box {n}, pixels").format(edge=name, n=index + 1))
            for i, name in enumerate(names)
        ]
        for field in self.fields:
            field.setFixedWidth(px(50))
        self.drop = IconButton("x", self.tr("Remove box {n}").format(n=index + 1), 24)
        self.setLayout(row(self.number, *self.fields, None, self.drop, gap=4, margins=(8, 3, 4, 3)))
        self.update_point(box, selected)

    def update_point(self, point: Box, selected: bool) -> None:
        """Shows the box; a number that is being typed stays."""
        mark(self, "surface", "hover" if selected else "panel")
        if point == self.point:
            return
        self.point = point
        for field, value in zip(self.fields, point[:4], strict=True):
            field.setText(str(int(value)))


class StrokeRow(ClickableFrame):
    """One stroke: sign, number, what it is and where it begins, remove. A click chooses it."""

    def __init__(self, index: int, stroke: Stroke, selected: bool) -> None:
        super().__init__("")
        self.index = index
        self.point: Stroke | None = None
        self.fields: list[NumberField] = []
        self.sign = KindGlyph()
        self.number = label(str(index + 1), "heading")
        self.number.setFixedWidth(px(16))
        self.words = label("")
        self.more = label("", "caption")
        self.drop = IconButton("x", self.tr("Remove stroke {n}").format(n=index + 1), 24)
        self.setLayout(row(self.sign, self.number, self.words, self.more, None, self.drop, gap=6, margins=(8, 3, 4, 3)))
        self.update_point(stroke, selected)

    def update_point(self, point: Stroke, selected: bool) -> None:
        mark(self, "surface", "hover" if selected else "panel")
        if point == self.point:
            return
        self.point = point
        self.sign.set_include(point.include)
        kinds = {
            "brush": self.tr("Brush") if point.include else self.tr("Brush, takes away"),
            "eraser": self.tr("Eraser"),
            "lasso": self.tr("Lasso") if point.include else self.tr("Lasso, takes away"),
            "scribble": self.tr("Scribble") if point.include else self.tr("Scribble, not this"),
        }
        said = kinds.get(point.kind, point.kind)
        x, y = handle(point)
        wide = self.tr("{n} px wide").format(n=point.size) if point.kind in ("brush", "eraser") else ""
        self.words.setText(said)
        self.more.setText(wide or f"{x}, {y}")
        self.setAccessibleName(f"{self.index + 1} {said} {wide}".strip())


Row = PointRow | BoxRow | StrokeRow


def _fits(shown: Row, mark: Mark) -> bool:
    return isinstance(mark, {PointRow: Point, BoxRow: Box, StrokeRow: Stroke}[type(shown)])


class PointList(QWidget):
    """Shows the marks it is given and tells what the user wants."""

    chosen = Signal(int)
    moved = Signal(int, float, float)
    removed = Signal(int)
    turned = Signal(int)
    nudged = Signal(int, int)
    cleared = Signal()
    add_asked = Signal()
    resized = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self._size = (1, 1)
        self._boxes = False
        self.rows: list[Any] = []
        self.add = Button(self.tr("Add by number"), "plus", small=True)
        self.add.clicked.connect(self.add_asked)
        self._heading = label(self.tr("Points"), "heading")
        column = stack(row(self._heading, None, self.add, margins=(16, 7, 12, 7)), divider(), parent=self, gap=0)
        self._heads = [
            self._make_head(62, ((self.tr("Kind"), 70), (self.tr("x, px"), 56), (self.tr("y, px"), 56)), 6),
            self._make_head(
                36, ((self.tr("left"), 50), (self.tr("top"), 50), (self.tr("right"), 50), (self.tr("bottom"), 50)), 4
            ),
        ]
        for head in self._heads:
            column.addWidget(head)
        self._rows = stack(gap=2, margins=(8, 0, 8, 0))
        inside = QWidget()
        inside_column = QVBoxLayout(inside)
        inside_column.setContentsMargins(0, 0, 0, 0)
        inside_column.addLayout(self._rows)
        inside_column.addLayout(self._make_foot())
        inside_column.addStretch(1)
        column.addWidget(scroll_area(inside), 1)
        self.want_boxes(False)

    def want_boxes(self, boxes: bool, drawn: bool = False) -> None:
        """What can be marked: boxes, or points, or with `drawn` whatever says which pixels are meant."""
        self._boxes = boxes
        points = self.tr("Marks") if drawn else self.tr("Points")
        self._heading.setText(self.tr("Boxes") if boxes else points)
        click, drag = (
            self.tr("Click into the picture, or add a point and type its numbers."),
            self.tr("Drag in the picture, or add a box and type its numbers."),
        )
        self._empty.setText(drag if boxes else click)
        moves, moves_box = (
            self.tr("Arrow keys move the chosen point by 1 px, with Shift by 10."),
            self.tr("Arrow keys move the chosen box by 1 px, with Shift by 10."),
        )
        self._hint.setText((moves_box if boxes else moves).replace("1 px", "1\N{NO-BREAK SPACE}px"))
        clear(self._rows)
        self.rows = []

    def _make_head(self, left: int, columns: tuple[tuple[str, int], ...], gap: int) -> QWidget:
        head = QWidget()
        names = []
        for text, width in columns:
            made = label(text, "caption")
            made.setFixedWidth(px(width))
            names.append(made)
        head.setLayout(row(*names, None, gap=gap, margins=(left, 8, 8, 4)))
        return head

    def _make_foot(self) -> QVBoxLayout:
        self._empty = label("", "secondary", True)
        self._hint = label("", "caption", True)
        self.clear_all = Button(self.tr("Clear"), kind="danger", small=True, tip=self.tr("Remove all points"))
        self.clear_all.clicked.connect(self.cleared)
        foot = QVBoxLayout()
        foot.setContentsMargins(px(16), px(8), px(12), px(8))
        foot.addWidget(self._empty)
        line = row(self._hint, self.clear_all, grow=0)
        foot.addLayout(line)
        return foot

    def set_points(self, points: tuple[Mark, ...], selected: int, size: tuple[int, int]) -> None:
        """`size` is (width, height) of the picture."""
        kept = 0  # rows from the top that can show what is there now; making one takes milliseconds
        if size == self._size:
            kept = sum(1 for _ in itertools.takewhile(lambda pair: _fits(*pair), zip(self.rows, points, strict=False)))
        self._size = size
        self._cut(kept)
        for shown, (index, point) in zip(self.rows, enumerate(points), strict=False):
            shown.update_point(point, index == selected)
        for index in range(kept, len(points)):
            self._append(index, points[index], index == selected)
        kinds = {type(point) for point in points}
        self._heads[0].setVisible(Point in kinds)
        self._heads[1].setVisible(kinds == {Box})
        self._rows.setContentsMargins(px(8), px(8) if kinds and Point not in kinds and kinds != {Box} else 0, px(8), 0)
        self._empty.setVisible(not points)
        self._hint.setVisible(bool(points))
        self.clear_all.setVisible(bool(points))

    def _cut(self, count: int) -> None:
        """Removes all rows but the first `count`."""
        for shown in self.rows[count:]:
            self._rows.removeWidget(shown)
            shown.hide()
            shown.deleteLater()
        del self.rows[count:]

    def _append(self, index: int, point: Mark, selected: bool) -> None:
        shown = self._row(index, point, selected)
        self.rows.append(shown)
        self._rows.addWidget(shown)
        self._connect(shown)

    def _row(self, index: int, point: Mark, selected: bool) -> Row:
        if isinstance(point, Stroke):
            return StrokeRow(index, point, selected)
        kind = BoxRow if isinstance(point, Box) else PointRow
        return kind(index, point, selected, self._size)  # type: ignore[arg-type]

    def _connect(self, shown: Row) -> None:
        index = shown.index
        shown.drop.clicked.connect(lambda: self.removed.emit(index))
        if isinstance(shown, StrokeRow):
            shown.clicked.connect(lambda: self.chosen.emit(index))
        if isinstance(shown, PointRow):
            shown.kind.clicked.connect(lambda: self.turned.emit(index))
        for field in shown.fields:
            field.editingFinished.connect(lambda: self._typed(shown))
            field.installEventFilter(self)
            field.setProperty("row", index)

    def _typed(self, shown: Row) -> None:
        if isinstance(shown, StrokeRow) or shown.point is None:
            return
        if not all(field.hasAcceptableInput() for field in shown.fields):
            return
        numbers = [float(field.text()) for field in shown.fields]
        if isinstance(shown, BoxRow):
            if numbers != list(shown.point[:4]):
                x0, y0, x1, y1 = numbers
                self.resized.emit(shown.index, Box(x0, y0, x1, y1))
        elif numbers != [shown.point.x, shown.point.y]:
            self.moved.emit(shown.index, *numbers)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QLineEdit):
            if event.type() == QEvent.Type.FocusIn:
                self.chosen.emit(watched.property("row"))
            elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._key(watched, event)
        return super().eventFilter(watched, event)

    def _key(self, field: QLineEdit, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return False
        far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        up = far if key == Qt.Key.Key_Up else -far  # in a field, up makes the number larger
        across = self.rows[field.property("row")].fields.index(field) % 2 == 0
        self.nudged.emit(*((up, 0) if across else (0, up)))
        return True
