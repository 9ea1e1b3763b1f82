"""Paints the timeline: axis, lanes, bars, the present moment. Must not change anything."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui.support import formatting
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.timeline.bars import Bar
from desktop_app.ui.timeline.time_range import Span
from desktop_app.ui.timeline.view import TimelineView
from desktop_app.ui.widgets.basic import color, px

_SCALE = 22
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600)
_TWO_LINES = 34
_LEAST_TITLE = 30


def paint_chart(chart: TimelineView, marked: Span | None, ringed: bool) -> None:
    """All of the chart, as it is now: with a piece of the axis that is being `marked`; `ringed` for the keyboard."""
    painter = QPainter(chart)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.current().font("caption"))
    if chart.bars:
        _Painting(chart, painter, marked).paint()
    else:
        painter.setPen(color("text.tertiary"))
        text = chart.tr("Starting…") if chart.now else chart.tr("Bars appear here while the plan runs.")
        painter.drawText(chart.rect().adjusted(px(2), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
    if ringed:
        painter.setPen(QPen(color("accent.line"), px(2)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(chart.rect()).adjusted(1, 1, -1, -1), px(6), px(6))
    painter.end()


def _tick(seconds: float, step: float, end: float) -> str:
    """`0.2 s`; `20 ms` where one cannot tell tenths apart and thousandths are few."""
    return f"{seconds * 1000:g} ms" if step < 0.1 and end < 1 else f"{seconds:g} s"


class _Painting:
    """One time: what does not change meanwhile is looked up once."""

    def __init__(self, chart: TimelineView, painter: QPainter, marked: Span | None) -> None:
        self._chart, self._painter, self._marked = chart, painter, marked
        self._plot, self._span = chart.plot, chart.span

    def paint(self) -> None:
        painter, plot = self._painter, self._plot
        self._paint_axis()
        self._paint_lanes()
        painter.save()
        painter.setClipRect(plot.adjusted(-px(1), 0, px(12), 0))
        for bar, free in self._seen():
            self._paint_bar(bar, free)
        painter.restore()
        if self._chart.zoomed:
            self._paint_part()
        self._paint_marked()
        if self._chart.now and self._span.start <= self._chart.now <= self._span.end:
            self._paint_now()

    def _seen(self) -> list[tuple[Bar, float]]:
        """The bars that are not outside of what is shown, each with the place where the next on its lane begins."""
        chart, found = self._chart, []
        begins: dict[str, float] = {}
        for bar in sorted(chart.bars, key=lambda bar: -bar.start):
            if bar.end >= self._span.start and bar.start <= self._span.end:
                found.append((bar, begins.get(bar.lane, self._plot.right() + px(12))))
            begins[bar.lane] = chart.x_of(bar.start)
        return found[::-1]

    def _paint_axis(self) -> None:
        chart, painter, plot, span = self._chart, self._painter, self._plot, self._span
        room = max(1, plot.width() // px(80))
        step = next((s for s in _STEPS if span.seconds / s <= room), _STEPS[-1])
        for number in range(math.ceil(span.start / step - 1e-9), math.floor(span.end / step + 1e-9) + 1):
            tick = round(number * step, 6)
            x = chart.x_of(tick)
            painter.setPen(QPen(color("background.border"), 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(color("text.tertiary"))
            text = _tick(tick, step, span.end)
            wide = painter.fontMetrics().horizontalAdvance(text) + px(4)
            box = QRectF(min(x - wide / 2, chart.width() - wide), 0, wide, px(_SCALE) - px(4))
            if not chart.now or abs(x - chart.x_of(chart.now)) > px(44):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_lanes(self) -> None:
        chart, painter = self._chart, self._painter
        painter.setPen(color("text.secondary"))
        for index, lane in enumerate(chart.lanes):
            box = QRectF(0, px(_SCALE) + index * chart.row_height, self._plot.left() - px(8), chart.row_height)
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
        soft = QColor(base)
        soft.setAlphaF(0.12 if state == "outdated" else 0.30)
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
        """In the bar, as far as that is seen; beside it when it is too narrow and nothing else is there."""
        inner = rect.intersected(self._plot.adjusted(0, 0, px(12), 0)).adjusted(px(8), 0, -px(4), 0)
        beside = QRectF(rect.right() + px(5), rect.top(), free - rect.right() - px(9), rect.height())
        wide = self._painter.fontMetrics().horizontalAdvance(self._chart.title_of(bar.node))
        roomy = beside.width() > 2 * px(_LEAST_TITLE) and rect.right() >= self._plot.left()
        if inner.width() > px(_LEAST_TITLE) and not (inner.width() < wide < beside.width() and roomy):
            self._write(bar, inner, "text.primary")
        elif roomy:
            self._write(bar, beside, "text.secondary")

    def _write(self, bar: Bar, box: QRectF, token: str) -> None:
        title, says = self._chart.title_of(bar.node), ""
        if box.height() >= px(_TWO_LINES):
            says = self._chart.state_of(bar)
        high = self._painter.fontMetrics().lineSpacing()
        if not says:
            self._line(box, title, token)
            return
        upper = QRectF(box.left(), box.center().y() - high, box.width(), high)
        self._line(upper, title, token)
        self._line(upper.translated(0, high), says, "text.secondary")

    def _line(self, box: QRectF, text: str, token: str) -> None:
        painter = self._painter
        painter.setPen(color(token))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_part(self) -> None:
        """Over the axis, how much of the run is shown, and where in it."""
        painter, plot, whole = self._painter, self._plot, self._chart.whole
        line = QRectF(plot.left(), 0, plot.width(), px(2))
        painter.fillRect(line, color("background.border"))
        left = plot.left() + self._span.start / whole.seconds * plot.width()
        wide = max(px(6), self._span.seconds / whole.seconds * plot.width())
        painter.fillRect(QRectF(left, 0, wide, px(2)), color("text.tertiary"))

    def _paint_marked(self) -> None:
        marked = self._marked
        if marked is None:
            return
        left, right = self._chart.x_of(marked.start), self._chart.x_of(marked.end)
        rect = QRectF(left, 0, right - left, self._chart.height()).intersected(QRectF(self._chart.rect()))
        self._painter.fillRect(rect, theme.current().tint("accent.line", 0.18))
        self._painter.setPen(QPen(color("accent.line"), 1))
        for x in (rect.left(), rect.right()):
            self._painter.drawLine(QPointF(x, 0), QPointF(x, rect.bottom()))

    def _paint_now(self) -> None:
        chart, painter = self._chart, self._painter
        x, text = chart.x_of(chart.now), formatting.duration(chart.now)
        painter.setPen(QPen(color("accent.line"), 1.5))
        painter.drawLine(QPointF(x, px(_SCALE) - px(3)), QPointF(x, chart.height()))
        wide = painter.fontMetrics().horizontalAdvance(text) + px(14)
        plate = QRectF(min(x - wide / 2, chart.width() - wide), px(1), wide, px(_SCALE) - px(5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("accent.solid"))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(color("text.on_accent"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
