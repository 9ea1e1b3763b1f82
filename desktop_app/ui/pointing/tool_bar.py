"""The tools beside the picture: which one is in hand, and how wide the brush is. Must not know what they do."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QSlider, QWidget

from desktop_app.ui.pointing.picture_view import LARGEST, SMALLEST
from desktop_app.ui.support.actions import Action
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import IconButton, divider, label, px, row


def tool_actions() -> tuple[Action[Any], ...]:
    """The tools, by their names. Space pans while it is held."""
    tools = (
        ("point", "mouse-pointer-2", translate("Points: click includes, right click excludes"), "V"),
        ("box", "square-dashed", translate("Box: drag around it"), "R"),
        ("brush", "brush", translate("Brush: paint what is selected"), "B"),
        ("eraser", "eraser", translate("Eraser: paint what is not"), "E"),
        ("lasso", "lasso", translate("Lasso: draw around it, with the right button to take away"), "L"),
        ("scribble", "scribble", translate("Scribble: a line over it, with the right button over what is not"), "S"),
        ("pan", "hand", translate("Move the picture, also with Space held"), "H"),
        ("zoom", "zoom-in", translate("Zoom in, with the right button out"), "Z"),
    )
    return tuple(
        Action(name, text, icon, lambda on, name=name: on.take_tool(name), (key,)) for name, icon, text, key in tools
    )


class ToolPalette(QFrame):
    """A column of buttons, one of them down."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "overlay")
        self.setAccessibleName(self.tr("Tools"))
        self.buttons: dict[str, IconButton] = {}
        group = QButtonGroup(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(px(5), px(6), px(5), px(6))
        self._grid.setSpacing(px(4))
        self._columns = 0
        self._line = divider()
        for tool in tool_actions():
            button = IconButton(tool.icon, tool.tip, 32, checkable=True)
            button.setProperty("tool", True)
            button.clicked.connect(lambda _=False, name=tool.id: self.chosen.emit(name))
            group.addButton(button)
            self.buttons[tool.id] = button
        self._offered = frozenset(self.buttons)
        self.set_columns(1)

    def set_columns(self, columns: int) -> None:
        if columns != self._columns:
            self._columns = columns
            self._place()

    def _place(self) -> None:
        for widget in (*self.buttons.values(), self._line):
            self._grid.removeWidget(widget)
        at = 0
        for name, button in self.buttons.items():
            if name == "pan":
                at += -at % self._columns
                self._grid.addWidget(self._line, at // self._columns, 0, 1, self._columns)
                at += self._columns
            if name in self._offered:
                self._grid.addWidget(button, *divmod(at, self._columns))
                at += 1
            button.setVisible(name in self._offered)  # in its place: else it were shown as a window for a moment

    def offer(self, tools: frozenset[str]) -> None:
        self._offered = tools | {"pan", "zoom"}
        self._place()

    def offers(self, tool: str) -> bool:
        return tool in self._offered

    def show_tool(self, tool: str) -> None:
        self.buttons[tool].setChecked(True)


class BrushSize(QWidget):
    """A slider for the width of the brush, and the width in pixels of the picture."""

    changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setFixedWidth(px(110))
        self.slider.setAccessibleName(self.tr("Width of the brush"))
        self.slider.setToolTip(self.tr("Width of the brush in pixels of the picture ([ and ])"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._size = label("", "caption")
        self._size.setFixedWidth(px(46))
        self.slider.valueChanged.connect(lambda at: self.changed.emit(_width(at)))
        self.setLayout(row(label(self.tr("Width"), "caption"), self.slider, self._size, gap=6))

    def show_size(self, size: int) -> None:
        self._size.setText(f"{size} px")
        if _width(self.slider.value()) != size:
            self.slider.blockSignals(True)
            self.slider.setValue(min(range(101), key=lambda at: abs(_width(at) - size)))
            self.slider.blockSignals(False)


def _width(at: int) -> int:
    """The width at a place of the slider, 0 to 100: small ones are finely chosen."""
    return round(SMALLEST * (LARGEST / SMALLEST) ** (at / 100))


def wider(size: int, up: bool) -> int:
    """The next width with ] or, not `up`, with [."""
    step = max(1, round(size * 0.2))
    return min(max(size + step if up else size - step, SMALLEST), LARGEST)
