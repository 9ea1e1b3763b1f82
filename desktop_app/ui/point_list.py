"""The table of points beside the picture: their kind and their numbers, which can be typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from desktop_app.ui.glyphs import KindGlyph
from desktop_app.ui.point_scene import STEPS
from desktop_app.ui.widgets import Button, IconButton, clear, divider, label, mark, px, row
from nodes.api import Point


class NumberField(QLineEdit):
    """A whole number; arrow keys up and down are told, not taken."""

    def __init__(self, value: int, largest: int, name: str) -> None:
        super().__init__(str(value))
        self.setValidator(QIntValidator(0, largest, self))
        self.setAccessibleName(name)
        self.setFixedWidth(px(56))
        self.setProperty("small", True)


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
        self.kind.setStyleSheet("padding: 0;")
        self.x_field = NumberField(0, size[0] - 1, self.tr("x of point {n}, pixels").format(n=index + 1))
        self.y_field = NumberField(0, size[1] - 1, self.tr("y of point {n}, pixels").format(n=index + 1))
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


class PointList(QWidget):
    """Shows the points it is given and tells what the user wants."""

    chosen = Signal(int)
    moved = Signal(int, float, float)
    removed = Signal(int)
    turned = Signal(int)
    nudged = Signal(int, int)
    cleared = Signal()
    add_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._size = (1, 1)
        self.rows: list[PointRow] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.add = Button(self.tr("Add by number"), "plus", small=True)
        self.add.clicked.connect(self.add_asked)
        column.addLayout(row(label(self.tr("Points"), "heading"), None, self.add, margins=(16, 7, 12, 7)))
        column.addWidget(divider())
        column.addLayout(self._make_head())
        self._rows = QVBoxLayout()
        self._rows.setSpacing(px(2))
        self._rows.setContentsMargins(px(8), 0, px(8), 0)
        inside = QWidget()
        inside_column = QVBoxLayout(inside)
        inside_column.setContentsMargins(0, 0, 0, 0)
        inside_column.addLayout(self._rows)
        inside_column.addLayout(self._make_foot())
        inside_column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        column.addWidget(scroll, 1)

    def _make_head(self) -> QGridLayout:
        head = QGridLayout()
        head.setContentsMargins(px(62), px(8), px(8), px(4))
        for place, (text, width) in enumerate(((self.tr("Kind"), 70), (self.tr("x, px"), 56), (self.tr("y, px"), 56))):
            made = label(text, "caption")
            made.setFixedWidth(px(width))
            head.addWidget(made, 0, place)
        head.setColumnStretch(3, 1)
        head.setHorizontalSpacing(px(6))
        return head

    def _make_foot(self) -> QVBoxLayout:
        self._empty = label(self.tr("Click into the picture, or add a point and type its numbers."), "secondary", True)
        self._hint = label(self.tr("Arrow keys move the chosen point by 1 px, with Shift by 10."), "caption", True)
        self.clear_all = Button(self.tr("Clear"), kind="danger", small=True, tip=self.tr("Remove all points"))
        self.clear_all.clicked.connect(self.cleared)
        foot = QVBoxLayout()
        foot.setContentsMargins(px(16), px(8), px(12), px(8))
        foot.addWidget(self._empty)
        line = row(self._hint, self.clear_all)
        line.setStretch(0, 1)
        foot.addLayout(line)
        return foot

    def set_points(self, points: tuple[Point, ...], selected: int, size: tuple[int, int]) -> None:
        """`size` is (width, height) of the picture."""
        if len(points) != len(self.rows) or size != self._size:
            self._size = size
            self._rebuild(points, selected)
        else:
            for shown, (index, point) in zip(self.rows, enumerate(points), strict=True):
                shown.update_point(point, index == selected)
        self._empty.setVisible(not points)
        self._hint.setVisible(bool(points))
        self.clear_all.setVisible(bool(points))

    def _rebuild(self, points: tuple[Point, ...], selected: int) -> None:
        clear(self._rows)
        self.rows = [PointRow(i, point, i == selected, self._size) for i, point in enumerate(points)]
        for shown in self.rows:
            self._rows.addWidget(shown)
            self._connect(shown)

    def _connect(self, shown: PointRow) -> None:
        index = shown.index
        shown.kind.clicked.connect(lambda: self.turned.emit(index))
        shown.drop.clicked.connect(lambda: self.removed.emit(index))
        for field in (shown.x_field, shown.y_field):
            field.editingFinished.connect(lambda: self._typed(shown))
            field.installEventFilter(self)
            field.setProperty("row", index)

    def _typed(self, shown: PointRow) -> None:
        if shown.point is None or not (shown.x_field.hasAcceptableInput() and shown.y_field.hasAcceptableInput()):
            return
        x, y = float(shown.x_field.text()), float(shown.y_field.text())
        if (x, y) != (shown.point.x, shown.point.y):
            self.moved.emit(shown.index, x, y)

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
        up = -STEPS[key][1] * far  # in a field, up makes the number larger
        self.nudged.emit(*((up, 0) if field is self.rows[field.property("row")].x_field else (0, up)))
        return True
