"""The run as bars over time, one row for each lane. Must not know how nodes are scheduled."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_app.run.record import NodeRun, Run
from desktop_app.session import Change
from desktop_app.ui import shapes, theme, time_left, words
from desktop_app.ui.desk import Desk
from desktop_app.ui.memory_bar import MemoryBar
from desktop_app.ui.widgets import ElidedLabel, IconButton, color, divider, label, px, row

_ROW = 26
_SCALE = 22
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600)


@dataclass(frozen=True)
class Bar:
    """A node on a lane, in seconds since the run started; `end` may lie ahead."""

    node: str
    lane: str
    start: float
    end: float
    sure: float


def bars_of(run: Run, now: float) -> list[Bar]:
    """The bars of all nodes that started; `sure` is where what has happened ends and the estimate begins."""
    bars = []
    for id, node in run.nodes.items():
        if node.state == "running":
            left = time_left.of_node(node, now)
            bars.append(Bar(id, node.lane, node.start, now + (left or 0.0), now))
        elif node.state in ("done", "failed") and (node.lane or node.seconds or node.start):
            end = node.start + (0.0 if node.cached else node.seconds)
            bars.append(Bar(id, node.lane or words.translate("Cache"), node.start, end, end))
    return bars


class Chart(QWidget):
    """Painted bars; a click selects the node."""

    clicked = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._bars: list[Bar] = []
        self._lanes: list[str] = []
        self._now = 0.0
        self.setMouseTracking(True)
        self.setMinimumWidth(px(240))
        self.setAccessibleName(self.tr("Run timeline"))

    def show_run(self, run: Run, now: float) -> None:
        """`now` in seconds since the start of the run; 0 when it is over."""
        self._bars = bars_of(run, now)
        self._now = now if run.running else 0.0
        self._lanes = sorted({bar.lane for bar in self._bars}, key=lambda lane: (not lane.startswith("GPU"), lane))
        self.setMinimumHeight(px(_SCALE) + px(_ROW) * max(1, len(self._lanes)) + px(4))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(400), self.minimumHeight())

    def _span(self) -> float:
        longest = max([bar.end for bar in self._bars] + [self._now], default=1.0)
        return max(0.05, longest * 1.06)

    def _left(self) -> int:
        metrics = self.fontMetrics()
        wide = max((metrics.horizontalAdvance(lane) for lane in self._lanes), default=px(40))
        return min(px(130), max(px(60), wide + px(14)))

    def _x(self, seconds: float) -> float:
        return self._left() + seconds / self._span() * (self.width() - self._left() - px(12))

    def _rect(self, bar: Bar) -> QRectF:
        top = px(_SCALE) + self._lanes.index(bar.lane) * px(_ROW) + px(3)
        left, right = self._x(bar.start), self._x(bar.end)
        return QRectF(left, top, max(px(4), right - left), px(_ROW) - px(6))

    def _bar_at(self, place: QPointF) -> Bar | None:
        return next(
            (bar for bar in reversed(self._bars) if self._rect(bar).adjusted(-2, -2, 2, 2).contains(place)), None
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        bar = self._bar_at(event.position())
        if bar is not None:
            self.clicked.emit(bar.node)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        bar = self._bar_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if bar else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self._words(bar) if bar else "")

    def _words(self, bar: Bar) -> str:
        node = self._desk.session.run.nodes.get(bar.node, NodeRun())
        running = node.state == "running"
        said = time_left.running_words(node, self._now) if running else words.state_words(node)
        parts = (self._title(bar.node), bar.lane, said, words.said(node.note if running else node.notice))
        return " · ".join(part for part in parts if part)

    def _title(self, id: str) -> str:
        return words.node_title(self._desk.session.workflow, id, self._desk.session.tools)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.current().font("caption"))
        if not self._bars:
            painter.setPen(color("text.tertiary"))
            text = self.tr("Starting…") if self._now else self.tr("Bars appear here while the plan runs.")
            painter.drawText(self.rect().adjusted(px(2), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
            painter.end()
            return
        self._paint_scale(painter)
        for index, lane in enumerate(self._lanes):
            painter.setPen(color("text.secondary"))
            box = QRectF(0, px(_SCALE) + index * px(_ROW), self._left() - px(8), px(_ROW))
            text = painter.fontMetrics().elidedText(lane, Qt.TextElideMode.ElideRight, round(box.width()))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        for bar in self._bars:
            self._paint_bar(painter, bar)
        if self._now:
            self._paint_now(painter)
        painter.end()

    def _paint_scale(self, painter: QPainter) -> None:
        room = max(1, (self.width() - self._left()) // px(80))
        step = next((s for s in _STEPS if self._span() / s <= room), _STEPS[-1])
        tick = 0.0
        while tick <= self._span():
            x = self._x(tick)
            painter.setPen(QPen(color("background.border"), 1))
            painter.drawLine(QPointF(x, px(_SCALE)), QPointF(x, self.height()))
            painter.setPen(color("text.tertiary"))
            box = QRectF(x - px(30), 0, px(60), px(_SCALE) - px(4))
            box.moveLeft(min(box.left(), self.width() - box.width() + px(12)))
            if abs(x - self._x(self._now)) > px(44) or not self._now:
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{tick:g} s")
            tick = round(tick + step, 6)

    def _paint_bar(self, painter: QPainter, bar: Bar) -> None:
        node = self._desk.session.run.nodes.get(bar.node, NodeRun())
        rect, radius = self._rect(bar), px(4)
        base = (
            shapes.state_color("failed" if node.state == "failed" else "running")
            if node.state != "done"
            else (theme.current().type_color(self._type(bar.node)))
        )
        soft = QColor(base)
        soft.setAlphaF(0.30)
        painter.setPen(QPen(base, 1, Qt.PenStyle.DashLine) if bar.end > bar.sure else Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        painter.drawRoundedRect(rect, radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        if bar.end > bar.sure:
            done = QRectF(rect)
            done.setRight(self._x(bar.sure))
            painter.drawRoundedRect(done, radius, radius)
        painter.setBrush(base)
        painter.drawRoundedRect(QRectF(rect.left(), rect.top(), px(3), rect.height()), px(1), px(1))
        self._paint_title(painter, bar, rect)

    def _paint_title(self, painter: QPainter, bar: Bar, rect: QRectF) -> None:
        inner = rect.adjusted(px(8), 0, -px(4), 0)
        if inner.width() > px(30):
            painter.setPen(color("text.primary"))
            text = painter.fontMetrics().elidedText(
                self._title(bar.node), Qt.TextElideMode.ElideRight, round(inner.width())
            )
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)

    def _type(self, id: str) -> str:
        session = self._desk.session
        node = next((n for n in session.workflow.nodes if n.id == id), None)
        tool = session.tools.get(node.tool) if node else None
        return str(tool.outputs[0].type) if tool and tool.outputs else "any"

    def _paint_now(self, painter: QPainter) -> None:
        x, text = self._x(self._now), words.duration(self._now)
        painter.setPen(QPen(color("accent.line"), 1.5))
        painter.drawLine(QPointF(x, px(_SCALE) - px(3)), QPointF(x, self.height()))
        wide = painter.fontMetrics().horizontalAdvance(text) + px(14)
        plate = QRectF(min(x - wide / 2, self.width() - wide), px(1), wide, px(_SCALE) - px(5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("accent.solid"))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(color("text.on_accent"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


class Timeline(QFrame):
    """The chart with a header; folds to the header."""

    folded_changed = Signal(bool)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._desk = desk
        self._folded = False
        self._words = ElidedLabel(role="tertiary")
        self.fold = IconButton("chevron-down", self.tr("Fold the timeline"))
        self.fold.clicked.connect(lambda: self.set_folded(not self._folded))
        self.log = IconButton("file-text", self.tr("Log of the run (Ctrl+L)"))
        self.log.clicked.connect(desk.wishes.show_log)
        heading = label(self.tr("Run timeline"), "heading")
        header = row(heading, self._words, self.log, self.fold, gap=4, margins=(14, 2, 8, 0))
        header.setStretch(1, 1)
        self.chart = Chart(desk)
        self.chart.clicked.connect(desk.wishes.select_node)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.chart)
        self.memory, self._line = MemoryBar(desk), divider(vertical=True)
        self._body = QWidget()
        body = row(scroll, self._line, self.memory, gap=14, margins=(14, 2, 16, 6))
        body.setStretch(0, 1)
        self._body.setLayout(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self._body, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self.refresh)
        desk.session.listen(self._on_change)
        self.set_folded(False)
        self.refresh()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for part in (self.memory, self._line):
            part.setVisible(self.width() > px(640))

    @property
    def folded(self) -> bool:
        """True when only the header is seen."""
        return self._folded

    def set_folded(self, folded: bool) -> None:
        """Folds to 36, or opens to 156."""
        self._folded = folded
        self._body.setVisible(not folded)
        self.setFixedHeight(px(36 if folded else 156))
        self.fold.set_icon("chevron-up" if folded else "chevron-down")
        tip = self.tr("Unfold the timeline") if folded else self.tr("Fold the timeline")
        self.fold.setToolTip(tip)
        self.fold.setAccessibleName(tip)
        self.folded_changed.emit(folded)

    def refresh(self) -> None:
        """Draws the run as it is now."""
        run = self._desk.session.run
        now = max(0.0, time.time() - run.time) if run.running else 0.0
        if not self._folded:
            self.chart.show_run(run, now)
        self._words.set_text(summary(run, now, self._desk.pulse.left))
        if run.running != self._timer.isActive():
            self._timer.start() if run.running else self._timer.stop()

    def _on_change(self, change: Change) -> None:
        if change & (Change.RUN | Change.WORKFLOW):
            self.refresh()


def summary(run: Run, now: float, left: float | None = None) -> str:
    """The run in a few words. `now` in seconds since its start, `left` the seconds that it will still take."""
    if not run.id:
        return words.translate("Nothing has run yet")
    cached = sum(node.cached for node in run.nodes.values())
    failed = len(run.failures())
    parts = []
    if run.running:
        parts.append(words.translate("Running for {time}").format(time=words.duration(now)))
    else:
        ended = {"ok": words.translate("Done in {time}"), "failed": words.translate("Ended after {time}")}
        said = ended.get(run.outcome, words.translate("Stopped after {time}"))
        parts.append(said.format(time=words.duration(run.seconds)))
    if cached:
        parts.append(words.translate("{n} from cache").format(n=cached))
    if failed:
        parts.append(words.translate("{n} failed").format(n=failed))
    if left is not None:
        parts.append(time_left.about(left))
    return " · ".join(parts)
