"""The frame around the picture in which the user points: header, hints, where the parts lie. Must not know marks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from desktop_app.run.backends import selection
from desktop_app.ui.pointing.picture_view import MARGIN
from desktop_app.ui.pointing.tool_bar import BrushSize
from desktop_app.ui.support import costs
from desktop_app.ui.support.costs import unmet
from desktop_app.ui.widgets.basic import (
    Button,
    Caption,
    ElidedLabel,
    IconButton,
    clear,
    divider,
    label,
    px,
    row,
    scroll_area,
    stack,
    surface,
)
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import KeyHint, state_glyph, type_glyph
from nodes.api import Backend, ResourceType, Tool


class PickerHeader(QFrame):
    """Back, what is pointed at and for what, how the mask is coming on, undo and redo."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(46))
        self.back = Button(self.tr("Graph"), "chevron-left", "quiet", tip=self.tr("Back to the graph (Esc)"))
        self.title = ElidedLabel(role="title")
        self.subject = ElidedLabel(role="secondary")
        self.busy = Notice()
        self.glyph = type_glyph(ResourceType.POINTS, 14)
        self.undo = IconButton("undo-2", self.tr("Undo (Ctrl+Z)"))
        self.redo = IconButton("redo-2", self.tr("Redo (Ctrl+Shift+Z)"))
        layout = row(
            self.back, divider(True, 18), 4, self.glyph, self.title, self.subject, self.busy, self.undo, self.redo,
            margins=(8, 8, 12, 8),
        )  # fmt: skip
        layout.setStretchFactor(self.subject, 1)
        self.setLayout(layout)
        self._narrow = False

    def say(self, words: str, done: bool) -> None:
        """How the mask is coming on; `done` when it is there."""
        self.busy.show_words(words, done)
        self.busy.setVisible(bool(words) and not self._narrow)

    def set_width(self, width: int) -> None:
        self.subject.setVisible(width > px(820))
        self._narrow = width <= px(760)
        self.busy.setVisible(bool(self.busy.words.text()) and not self._narrow)


class Notice(QFrame):
    """A few words on a plate, with a tick when what they tell of is done."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._tick = state_glyph("done")
        self.words = label("", "caption")  # whole: the title beside it gives way
        self.setLayout(row(self._tick, self.words, gap=6, margins=(8, 3, 8, 3)))
        self.hide()

    def show_words(self, words: str, done: bool) -> None:
        self.words.setText(words)
        self._tick.setVisible(done)


class PickerHints(QWidget):
    """What keys and buttons do with the tool in hand; the width of the brush; the place and the zoom."""

    def __init__(self) -> None:
        super().__init__()
        self._pairs = QWidget()
        self._flow = FlowLayout(px(14), self._pairs)
        self._pairs.setFixedHeight(px(20))  # one line; what does not fit is not seen
        self.brush = BrushSize()
        self.place = label("", "caption")
        self.zoom = label("100 %", "caption")
        self.fit = IconButton("maximize", self.tr("Fit the picture (F)"))
        parts = self.brush, self._pairs, self.place, self.zoom, self.fit
        row(*parts, gap=10, margins=(MARGIN, 4, 12, 6), grow=1, parent=self)
        self.brush.hide()
        self._shown = ("", False)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        small = self.width() < px(460)  # what asks for more would be cut by the table of marks
        self.brush.slider.setFixedWidth(px(48 if small else 110))
        self.place.setHidden(small)

    def show_tool(self, tool: str, cross: bool = False) -> None:
        if (tool, cross) == self._shown:
            return
        self._shown = tool, cross
        clear(self._flow)
        pairs = self._for_cross(tool) if cross else self._for_tool(tool)
        for key, meaning in pairs:
            pair = QWidget()
            pair.setLayout(row(KeyHint(key), label(meaning, "caption"), gap=6))
            self._flow.addWidget(pair)
        self.brush.setVisible(tool in ("brush", "eraser"))

    def _for_cross(self, tool: str) -> tuple[tuple[str, str], ...]:
        enter = self.tr("include") if tool == "point" else self.tr("begin and end")
        return (
            (self.tr("Arrows"), self.tr("move by 1 px")),
            (self.tr("Shift"), self.tr("by 10")),
            (self.tr("Enter"), enter),
            (self.tr("Shift+Enter"), self.tr("exclude")),
            (self.tr("Esc"), self.tr("put the cross away")),
        )

    def _for_tool(self, tool: str) -> tuple[tuple[str, str], ...]:
        drag, click, right = self.tr("Drag"), self.tr("Click"), self.tr("Right click")
        takes_away = (self.tr("Right button"), self.tr("take away"))
        remove, cross = (self.tr("Del"), self.tr("remove")), ("C", self.tr("cross for the keys"))
        pan, wheel = (self.tr("Space"), self.tr("pan")), (self.tr("Wheel"), self.tr("zoom"))
        return {
            "point": ((click, self.tr("include")), (right, self.tr("exclude")), remove, cross, wheel, pan),
            "box": ((drag, self.tr("draw a box")), remove, cross, wheel, pan),
            "brush": ((drag, self.tr("paint")), takes_away, ("[ ]", self.tr("width")), wheel, pan),
            "eraser": ((drag, self.tr("take away")), ("[ ]", self.tr("width")), wheel, pan),
            "lasso": ((drag, self.tr("draw around it")), takes_away, wheel, pan),
            "scribble": ((drag, self.tr("over what is meant")), (right, self.tr("over what is not")), wheel, pan),
            "pan": ((drag, self.tr("move the picture")), wheel),
            "zoom": ((click, self.tr("larger")), (right, self.tr("smaller")), wheel, pan),
        }[tool]


def stage(header: QWidget, tools: QWidget, view: QWidget, hints: QWidget, strip: QWidget) -> QWidget:
    """The picture with its tools at the left, between header and hints; below them the strip."""
    made = surface("canvas")
    view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # it asks for its least, no more
    middle = row(stack(tools, None, margins=(0, 16, 0, 8)), view, gap=0, margins=(12, 0, 0, 0), grow=1)
    stack(header, divider(), middle, hints, divider(), strip, parent=made, gap=0, grow=2)
    return scroll_area(made)  # where a low window has no room for all of it


def side(marks: QWidget, mask_card: QWidget, backend: QWidget, cancel: QWidget, use: QWidget) -> QWidget:
    """The table of marks, the mask, what finds it, and below them what ends it."""
    made = surface("panel")
    foot = row(cancel, None, use, margins=(12, 10, 12, 10))
    inside = QWidget()
    marks.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
    stack(marks, mask_card, backend, parent=inside, gap=0, grow=0)
    upper = scroll_area(inside)
    upper.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    stack(upper, divider(), foot, parent=made, gap=0, grow=0)
    return made


class BackendChoice(QFrame):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._tool: Tool | None = None
        self._now: Backend | None = None
        self._usual: Callable[[Backend], float | None] = lambda backend: None
        self._heading = label(self.tr("Back end"), "caption")
        self.title = ElidedLabel(role="heading")
        self.facts = label("", "caption", True)
        self.trouble = Caption("", "state.failed")
        self.change = Button(self.tr("Change"), "chevron-down", small=True, tip=self.tr("Find the mask another way"))
        self.change.clicked.connect(self.open)
        text = stack(gap=0)
        for part in (self._heading, self.title, self.facts, self.trouble):
            text.addWidget(part)
        line = row(text, self.change, gap=8, margins=(16, 8, 16, 10), grow=0)
        stack(divider(), line, parent=self, gap=0)
        self.hide()

    def set_small(self, small: bool) -> None:
        self._heading.setVisible(not small)
        self.facts.setVisible(not small)

    def show_tool(
        self,
        tool: Tool | None,
        id: str | None = None,
        changeable: bool = False,
        usual: Callable[[Backend], float | None] | None = None,
    ) -> None:
        """The tool that finds the mask, on the back end `id` (None: the one that a run would take); None hides all.

        `usual(backend)` is how long it took before, in seconds, None when that is not known.
        """
        self._tool, self._usual = tool, usual or self._usual
        self.setVisible(tool is not None)
        if tool is None:
            return
        now = self._now = selection.shown(tool, id)
        said, trouble = costs.of_backend(now, self._usual(now)), unmet(now)
        self.title.set_text(now.title)
        self.title.setToolTip(f"{now.title}\n{said}")
        self.facts.setText(said)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.change.setVisible(changeable and len(tool.backends) > 1)
        self.change.setAccessibleName(self.tr("Change the back end, now {name}").format(name=now.title))

    def menu(self) -> QMenu:
        """Every back end with what it costs; the one in use is marked."""
        made = QMenu(self)
        group = QActionGroup(made)
        for backend in self._tool.backends if self._tool else ():
            cost = unmet(backend) or costs.of_backend(backend, self._usual(backend))
            action = made.addAction(f"{backend.title}  ·  {cost}".replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(backend is self._now)
            group.addAction(action)
            action.triggered.connect(lambda _=False, id=backend.id: self._take(id))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def open(self) -> None:
        menu = self.menu()
        size = menu.sizeHint()
        menu.popup(self.change.mapToGlobal(QPoint(self.change.width() - size.width(), -size.height() - px(4))))

    def _take(self, id: str) -> None:
        if self._now is None or id != self._now.id:
            self.chosen.emit(id)
