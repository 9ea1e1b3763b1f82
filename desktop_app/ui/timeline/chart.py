"""The bars of a run over time, and their words: where things are in it, how it is painted, what a click chooses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.ui.support import formatting, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.widgets.basic import Painted, color, px

ROW, SCALE = 26, 22
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600)
_LEAST_TITLE = 30


@dataclass(frozen=True)
class Bar:
    """A node on a lane, in seconds since the run started; `end` may lie ahead.

    `sure` is where what has happened ends and the estimate begins.
    """

    node: str
    lane: str
    start: float
    end: float
    sure: float


def bars_of(run: Run, now: float) -> list[Bar]:
    """The bars of all nodes that started; `now` in seconds since then."""
    bars = []
    for id, node in run.taking_part.items():
        if node.state == "running":
            left = time_left.of_node(node, now)
            bars.append(Bar(id, node.lane, node.start, now + (left or 0.0), now))
        elif node.state in ("done", "failed", "cancelled", "outdated") and (node.lane or node.seconds or node.start):
            end = node.start + (0.0 if node.cached else node.seconds)
            if node.state == "cancelled":  # how long it took nobody tells
                end = max(node.start, run.seconds or now)
            bars.append(Bar(id, node.lane or formatting.translate("Before"), node.start, end, end))
    return bars


def lanes_of(bars: Iterable[Bar]) -> list[str]:
    """The lanes in the order of their rows: what was done before, graphics cards, the others by number."""
    before = formatting.translate("Before")
    return sorted({bar.lane for bar in bars}, key=lambda at: (at != before, not at.startswith("GPU"), len(at), at))


class Chart(Painted, QWidget):
    """All of the run is shown, and followed. `clicked` carries the node of a bar."""

    clicked = Signal(str)

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self.bars: list[Bar] = []
        self.lanes: list[str] = []
        self.now = 0.0
        self.seconds = 1.0
        """How long the run takes, with a little room after it, and with as much as its last titles need."""
        self._left = px(60)
        self.setMinimumWidth(px(240))
        self.setAccessibleName(self.tr("Run timeline"))
        self.setMouseTracking(True)

    # What is shown

    def show_run(self, run: Run, now: float) -> None:
        """`now` in seconds since the start of the run; 0 when it is over."""
        self.bars = bars_of(run, now)
        self.now = now if run.running else 0.0
        self.lanes = lanes_of(self.bars)
        self._left = self._room_for_lanes()
        self._scale()
        self.setMinimumHeight(px(SCALE) + px(ROW) * max(1, len(self.lanes)) + px(4))
        self.update()

    def _room_for_lanes(self) -> int:
        metrics = QFontMetrics(theme.current().font("caption"))
        wide = max((metrics.horizontalAdvance(lane) for lane in self.lanes), default=px(40))
        return min(px(130), max(px(60), wide + px(14)))

    def _scale(self) -> None:
        longest = max([bar.end for bar in self.bars] + [self.now], default=1.0)
        self.seconds = max(0.05, longest * 1.06)
        if not self.now:  # while it runs, bars and titles would jump
            self.seconds = max([self.seconds, *map(self._seconds_with_title, self.bars)])

    def _seconds_with_title(self, bar: Bar) -> float:
        """How long the axis has to be for the title of a bar that is too narrow for it to be read after it."""
        metrics, whole = QFontMetrics(theme.current().font("caption")), self.plot.width()
        wide = metrics.horizontalAdvance(self.title_of(bar.node)) + px(12)
        is_last = all(other.start <= bar.start for other in self.bars if other.lane == bar.lane)
        if not is_last or wide > whole / 2 or (bar.end - bar.start) / self.seconds * whole > wide:
            return 0.0
        return bar.end * whole / (whole - wide)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._scale()

    def sizeHint(self) -> QSize:
        return QSize(px(400), self.minimumHeight())

    # Places

    @property
    def plot(self) -> QRectF:
        wide, high = self.width() - self._left - px(12), self.height() - px(SCALE)
        return QRectF(self._left, px(SCALE), max(1, wide), max(1, high))

    def x_of(self, seconds: float) -> float:
        return self._left + seconds / self.seconds * max(1, self.width() - self._left - px(12))

    def rect_of(self, bar: Bar) -> QRectF:
        top = px(SCALE) + self.lanes.index(bar.lane) * px(ROW) + px(3)
        left, right = self.x_of(bar.start), self.x_of(bar.end)
        return QRectF(left, top, max(px(4), right - left), px(ROW) - px(6))

    def bar_at(self, place: QPointF) -> Bar | None:
        """The bar there, or within two pixels."""
        if place.x() < self._left - 2:
            return None
        near = (bar for bar in reversed(self.bars) if self.rect_of(bar).adjusted(-2, -2, 2, 2).contains(place))
        return next(near, None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        bar = self.bar_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if bar else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self.words_of(bar) if bar else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # else it is the ground's, and so is what follows

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (bar := self.bar_at(event.position())) is not None:
            self.clicked.emit(bar.node)

    def paint(self, painter: QPainter) -> None:
        painter.setFont(theme.current().font("caption"))
        if self.bars:
            _Painting(self, painter).paint()
        else:
            painter.setPen(color("text.tertiary"))
            text = self.tr("Starting…") if self.now else self.tr("Bars appear here while the plan runs.")
            painter.drawText(self.rect().adjusted(px(2), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    # Words

    def node_of(self, bar: Bar) -> NodeRun:
        return self._ui.session.run.nodes.get(bar.node, NodeRun())

    def words_of(self, bar: Bar) -> str:
        node = self.node_of(bar)
        note = formatting.said(node.note if node.state == "running" else node.notice)
        return " · ".join(part for part in (self.title_of(bar.node), bar.lane, self.state_of(bar), note) if part)

    def state_of(self, bar: Bar) -> str:
        """How a node is, and how long it took or takes."""
        node = self.node_of(bar)
        return time_left.running_words(node, self.now) if node.state == "running" else formatting.state_words(node)

    def title_of(self, id: str) -> str:
        session = self._ui.session
        return formatting.title_of_node(id, session.workflow, session.run, session.tools)

    def type_of(self, id: str) -> str:
        return self._ui.session.workflow.kind_of(id, self._ui.session.tools)


def _tick(seconds: float, step: float, end: float) -> str:
    """`0.2 s`; `20 ms` where one cannot tell tenths apart and thousandths are few."""
    return f"{seconds * 1000:g} ms" if step < 0.1 and end < 1 else f"{seconds:g} s"


class _Painting:
    """One time: what does not change meanwhile is looked up once."""

    def __init__(self, chart: Chart, painter: QPainter) -> None:
        self._chart, self._painter, self._plot = chart, painter, chart.plot

    def paint(self) -> None:
        painter, plot = self._painter, self._plot
        self._paint_axis()
        self._paint_lanes()
        painter.save()
        painter.setClipRect(plot.adjusted(-px(1), 0, px(12), 0))
        self._untold: dict[str, list[str]] = {}
        for bar, free in self._with_room():
            self._paint_bar(bar, free)
        painter.restore()
        if self._chart.now:
            self._paint_now()

    def _with_room(self) -> list[tuple[Bar, float]]:
        chart, found = self._chart, []
        begins: dict[str, float] = {}
        for bar in sorted(chart.bars, key=lambda bar: bar.start)[::-1]:
            found.append((bar, begins.get(bar.lane, self._plot.right() + px(12))))
            begins[bar.lane] = chart.x_of(bar.start)
        return found[::-1]

    def _paint_axis(self) -> None:
        chart, painter, plot = self._chart, self._painter, self._plot
        room = max(1, plot.width() // px(80))
        longest = math.ceil(chart.seconds / room / _STEPS[-1]) * _STEPS[-1]  # of a run of days
        step = next((s for s in _STEPS if chart.seconds / s <= room), longest)
        for number in range(math.floor(chart.seconds / step + 1e-9) + 1):
            tick = round(number * step, 6)
            x = chart.x_of(tick)
            painter.setPen(QPen(color("background.border"), 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(color("text.tertiary"))
            text = _tick(tick, step, chart.seconds)
            wide = painter.fontMetrics().horizontalAdvance(text) + px(4)
            box = QRectF(min(x - wide / 2, chart.width() - wide), 0, wide, px(SCALE) - px(4))
            if not chart.now or abs(x - chart.x_of(chart.now)) > px(44):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_lanes(self) -> None:
        chart, painter = self._chart, self._painter
        painter.setPen(color("text.secondary"))
        for index, lane in enumerate(chart.lanes):
            box = QRectF(0, px(SCALE) + index * px(ROW), self._plot.left() - px(8), px(ROW))
            text = painter.fontMetrics().elidedText(lane, Qt.TextElideMode.ElideRight, round(box.width()))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_bar(self, bar: Bar, free: float) -> None:
        chart, painter = self._chart, self._painter
        state = chart.node_of(bar).state
        rect, radius = chart.rect_of(bar), px(4)
        if state == "done":
            base = theme.current().type_color(chart.type_of(bar.node))
        else:
            base = shapes.state_color(state if state in ("failed", "outdated") else "running")
        soft = theme.faded(base, 0.12 if state == "outdated" else 0.30)
        dashed = bar.end > bar.sure or state == "outdated"
        painter.setPen(QPen(base, 1, Qt.PenStyle.DashLine) if dashed else Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        painter.drawRoundedRect(rect, radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        if bar.end > bar.sure:
            done = QRectF(rect)
            done.setRight(chart.x_of(bar.sure))
            painter.drawRoundedRect(done, radius, radius)
        painter.setBrush(base)
        painter.drawRoundedRect(QRectF(rect.left(), rect.top(), px(3), rect.height()), px(1), px(1))
        self._paint_title(bar, rect, free)

    def _paint_title(self, bar: Bar, rect: QRectF, free: float) -> None:
        """In the bar, as far as that is seen; beside it when it is too narrow and nothing else is there, after those of
        the bars before it that had no room.
        """
        inner = rect.intersected(self._plot.adjusted(0, 0, px(12), 0)).adjusted(px(8), 0, -px(4), 0)
        beside = QRectF(rect.right() + px(5), rect.top(), free - rect.right() - px(9), rect.height())
        untold, title = self._untold.pop(bar.lane, []), self._chart.title_of(bar.node)
        wide = self._painter.fontMetrics().horizontalAdvance(title)
        roomy = beside.width() >= min(wide, 2 * px(_LEAST_TITLE)) and rect.right() >= self._plot.left()
        if inner.width() > px(_LEAST_TITLE) and not (inner.width() < wide < beside.width() and roomy):
            self._write(title, inner, "text.primary")
        elif roomy:
            every = ", ".join([*untold, title])
            fits = self._painter.fontMetrics().horizontalAdvance(every) <= beside.width()
            self._write(every if fits else title, beside, "text.secondary")
        else:
            self._untold[bar.lane] = [*untold, title]

    def _write(self, title: str, box: QRectF, token: str) -> None:
        painter = self._painter
        painter.setPen(color(token))
        text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_now(self) -> None:
        chart, painter = self._chart, self._painter
        x, text = chart.x_of(chart.now), formatting.duration(chart.now)
        painter.setPen(QPen(color("accent.line"), 1.5))
        painter.drawLine(QPointF(x, px(SCALE) - px(3)), QPointF(x, chart.height()))
        wide = painter.fontMetrics().horizontalAdvance(text) + px(14)
        plate = QRectF(min(x - wide / 2, chart.width() - wide), px(1), wide, px(SCALE) - px(5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("accent.solid"))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(color("text.on_accent"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
