"""What mouse, wheel and keys do on the timeline: draw a bar's edge, mark a piece of the axis, zoom, move, choose."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu

from desktop_app.ui.support.actions import Action, add_to_menu, press
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.timeline.bars import Bar
from desktop_app.ui.timeline.time_range import Span, between
from desktop_app.ui.timeline.view import TimelineView
from desktop_app.ui.widgets.basic import px

EDGE, AXIS, GROUND = "edge", "axis", "ground"
_GRIP = 4
_STEP, _WHEEL_STEP = 1.5, 1.25
_MOVE = 0.1
"""A turn of the wheel, or an arrow key, moves by this part of what is seen."""


@dataclass
class _Held:
    """What the mouse holds since it was pressed at `place`, when `span` was seen.

    `kind`: the EDGE of a bar, the AXIS, or the GROUND. Of an edge `grip` is its time, and `hold` that of the other one;
    on the axis they are the ends of what is marked.
    """

    kind: str
    place: QPointF
    span: Span
    bar: Bar | None = None
    grip: float = 0.0
    hold: float = 0.0
    moved: bool = False


class Hands:
    """Belongs to one chart."""

    def __init__(self, chart: TimelineView) -> None:
        self._chart = chart
        self._held: _Held | None = None

    def let_go(self) -> None:
        """Ends what the mouse holds, without doing anything."""
        self._held = None

    @property
    def marked(self) -> Span | None:
        """The piece of the axis that is being marked."""
        held = self._held
        return between(held.grip, held.hold, self._chart.whole) if held and held.kind == AXIS and held.moved else None

    def _edge_at(self, place: QPointF) -> tuple[Bar, float, float] | None:
        """The bar whose edge is there, the time of that edge and of the other; narrow bars have none to hold."""
        chart = self._chart
        for bar in reversed(chart.bars):
            rect = chart.rect_of(bar)
            if rect.width() < 3 * px(_GRIP) or not rect.top() <= place.y() <= rect.bottom():
                continue
            for x, grip, hold in ((rect.right(), bar.end, bar.start), (rect.left(), bar.start, bar.end)):
                if abs(place.x() - x) <= px(_GRIP):
                    return bar, grip, min(max(hold, chart.span.start), chart.span.end)
        return None

    # The mouse

    def press(self, event: QMouseEvent) -> None:
        """Takes hold."""
        chart, place = self._chart, event.position()
        if event.button() != Qt.MouseButton.LeftButton or not chart.bars:
            return
        if (edge := self._edge_at(place)) is not None:
            self._held = _Held(EDGE, place, chart.span, *edge)
        elif chart.on_axis(place):
            time = chart.time_at(place.x())
            self._held = _Held(AXIS, place, chart.span, None, time, time)
        else:
            self._held = _Held(GROUND, place, chart.span, chart.bar_at(place))
        if self._held.bar is None or self._held.kind == EDGE:
            chart.setFocus(Qt.FocusReason.MouseFocusReason)

    def move(self, event: QMouseEvent) -> None:
        """Drags what is held; shows what could be."""
        held, chart, place = self._held, self._chart, event.position()
        if held is None:
            self._hover(place)
            return
        held.moved |= (place - held.place).manhattanLength() >= QApplication.startDragDistance()
        if not held.moved:
            return
        to = chart.time_at(place.x(), held.span)
        if held.kind == EDGE:
            chart.look(held.span.stretched(held.grip, held.hold, to, chart.whole))
        elif held.kind == AXIS:
            held.hold = to
        elif chart.zoomed:
            chart.setCursor(Qt.CursorShape.ClosedHandCursor)
            chart.look(held.span.moved(chart.time_at(held.place.x(), held.span) - to, chart.whole))
        chart.update()

    def release(self, event: QMouseEvent) -> None:
        """Shows what was marked; a bar that was only clicked is chosen."""
        held, chart = self._held, self._chart
        if held is None or event.button() != Qt.MouseButton.LeftButton:
            return
        marked, self._held = self.marked, None
        if marked is not None:
            chart.look(marked)
        elif not held.moved and held.bar is not None:
            chart.clicked.emit(held.bar.node)
        self._hover(event.position())
        chart.update()

    def _hover(self, place: QPointF) -> None:
        chart, shape = self._chart, Qt.CursorShape
        bar, on_axis = chart.bar_at(place), chart.on_axis(place)
        if self._edge_at(place) is not None:
            chart.setCursor(shape.SizeHorCursor)
        else:
            chart.setCursor(shape.PointingHandCursor if bar else shape.CrossCursor if on_axis else shape.ArrowCursor)
        help = chart.tr("Drag here to see that part closer · Ctrl+wheel: zoom · double click: the whole run")
        chart.setToolTip(chart.words_of(bar) if bar else help if on_axis else "")

    def wheel(self, event: QWheelEvent) -> None:
        """With Ctrl zooms at the place; else moves what is seen, or the lanes while all is."""
        chart, turn = self._chart, event.angleDelta()
        notches = (turn.y() or turn.x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            chart.zoom(_WHEEL_STEP**notches, chart.time_at(event.position().x()))
        elif chart.zoomed:
            chart.move_by(-_MOVE * notches)
        else:
            event.ignore()
            return
        event.accept()

    # The keyboard, the menu

    def key(self, event: QKeyEvent) -> bool:
        """Does what the key stands for; False when that is nothing."""
        return press(timeline_actions(), self._chart, event)

    def menu(self, place: QPoint) -> QMenu:
        """What wheel and keys do, and a closer look at the bar that is there."""
        chart = self._chart
        bar, at = chart.bar_at(QPointF(place)), chart.time_at(place.x())
        made = QMenu(chart)
        if bar is not None:
            margin = (bar.end - bar.start) * 0.05
            closer = made.addAction(chart.tr("Zoom to {title}").format(title=chart.title_of(bar.node)))
            closer.triggered.connect(lambda: chart.look(between(bar.start - margin, bar.end + margin, chart.whole)))
            made.addSeparator()
        closer, farther, whole, *_ = timeline_actions()
        add_to_menu(made, closer, chart, lambda chart: chart.zoom(_STEP, at)).setEnabled(bool(chart.bars))
        add_to_menu(made, farther, chart, lambda chart: chart.zoom(1 / _STEP, at)).setEnabled(chart.zoomed)
        add_to_menu(made, whole, chart).setEnabled(chart.zoomed)
        made.aboutToHide.connect(made.deleteLater)
        return made


def timeline_actions() -> tuple[Action[TimelineView], ...]:
    """What keys do on the timeline."""
    return (
        Action("closer", translate("Zoom in"), "plus", lambda c: c.zoom(_STEP), ("+", "=")),
        Action("farther", translate("Zoom out"), "minus", lambda c: c.zoom(1 / _STEP), ("-",)),
        Action("whole", translate("Whole run"), "maximize", lambda c: c.look(None), ("0",)),
        Action("earlier", translate("Earlier"), "", partial(_go, -_MOVE), ("Left",)),
        Action("later", translate("Later"), "", partial(_go, _MOVE), ("Right",)),
        Action("begin", translate("To the beginning"), "", partial(_go, -math.inf), ("Home",)),
        Action("end", translate("To the end"), "", partial(_go, math.inf), ("End",)),
    )


def _go(part: float, chart: TimelineView) -> bool:
    """Moves by that part of what is seen, at most to an end; False when all is seen."""
    far = chart.whole.seconds / chart.span.seconds
    if chart.zoomed:
        chart.move_by(max(-far, min(far, part)))
    return chart.zoomed
