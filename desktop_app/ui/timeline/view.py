"""The bars of a run over time: which piece of it is seen, where things are in it, and their words.

What mouse and keys do there, and how it is painted, are other files.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.ui.support import formatting, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import theme
from desktop_app.ui.timeline.bars import Bar, Names, bars_of, lanes_of
from desktop_app.ui.timeline.time_range import Span
from desktop_app.ui.widgets.basic import px

ROW, ROOMY_ROW, SCALE = 26, 44, 22


class TimelineView(QWidget):
    """All of the run is shown, and followed, until somebody looks closer. `clicked` carries the node of a bar."""

    clicked = Signal(str)
    zoom_changed = Signal()

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._names = Names(ui.session.workflow, ui.session.tools)
        self.bars: list[Bar] = []
        self.lanes: list[str] = []
        self.now = 0.0
        self.whole = Span(0.0, 1.0)
        """All of the run, with a little room after it."""
        self.run_id = ""
        self._zoom: Span | None = None
        self._left = px(60)
        self._roomy = False
        self.setMinimumWidth(px(240))
        self.setAccessibleName(self.tr("Run timeline"))
        self._tell()

    # What is shown

    def show_run(self, run: Run, now: float) -> None:
        """`now` in seconds since the start of the run; 0 when it is over."""
        self.bars = bars_of(run, now)
        self.now = now if run.running else 0.0
        self.lanes = lanes_of(self.bars)
        longest = max([bar.end for bar in self.bars] + [self.now], default=1.0)
        self.whole = Span(0.0, max(0.05, longest * 1.06))
        self._left = self._room_for_lanes()
        self.setMinimumHeight(px(SCALE) + px(ROW) * max(1, len(self.lanes)) + px(4))
        session = self._ui.session
        if session.workflow is not self._names.workflow:
            self._names = Names(session.workflow, session.tools)
        if run.id != self.run_id:
            self.run_id = run.id
            self.look(None)
        self.update()

    def _room_for_lanes(self) -> int:
        metrics = QFontMetrics(theme.current().font("caption"))
        wide = max((metrics.horizontalAdvance(lane) for lane in self.lanes), default=px(40))
        return min(px(130), max(px(60), wide + px(14)))

    def sizeHint(self) -> QSize:
        return QSize(px(400), self.minimumHeight())

    @property
    def span(self) -> Span:
        """The piece of time that is seen."""
        return self._zoom or self.whole

    @property
    def zoomed(self) -> bool:
        """True while less than all of the run is seen."""
        return self._zoom is not None

    def look(self, span: Span | None) -> None:
        """Shows that piece of time; None shows all of the run and follows it."""
        if span != self._zoom:
            self._zoom = span
            self._tell()
            self.zoom_changed.emit()
            self.update()

    def zoom(self, by: float, at: float | None = None) -> None:
        """Closer by a factor above 1, farther by one below; the time `at` stays in its place, or else the middle."""
        if self.bars:
            self.look(self.span.zoomed(by, self.span.at(0.5) if at is None else at, self.whole))

    def move_by(self, fraction: float) -> None:
        """Later by a part of what is seen, earlier by a negative one."""
        if self._zoom is not None:
            self.look(self._zoom.moved(fraction * self._zoom.seconds, self.whole))

    def set_roomy(self, roomy: bool) -> None:
        """Lets rows be higher than they have to be, with more words in the bars."""
        self._roomy = roomy
        self.update()

    def _tell(self) -> None:
        keys = self.tr("Plus and minus zoom, 0 shows the whole run, the arrow keys move.")
        self.setAccessibleDescription(f"{self.zoom_words()} {keys}".strip())

    def zoom_words(self) -> str:
        """`3.2 s to 4.8 s is shown`; "" while all is."""
        if self._zoom is None:
            return ""
        start, end = (exactly(seconds, self._zoom.seconds) for seconds in (self._zoom.start, self._zoom.end))
        return self.tr("{start} to {end} is shown").format(start=start, end=end)

    # Places

    @property
    def plot(self) -> QRectF:
        """Where the bars are, right of the names of the lanes."""
        wide, high = self.width() - self._left - px(12), self.height() - px(SCALE)
        return QRectF(self._left, px(SCALE), max(1, wide), max(1, high))

    @property
    def row_height(self) -> float:
        """Of a lane, in pixels."""
        if not self._roomy:
            return px(ROW)
        room = (self.height() - px(SCALE) - px(4)) / max(1, len(self.lanes))
        return max(px(ROW), min(px(ROOMY_ROW), room))

    def x_of(self, seconds: float) -> float:
        """The place of a time."""
        span, wide = self.span, max(1, self.width() - self._left - px(12))
        return self._left + (seconds - span.start) / span.seconds * wide

    def time_at(self, x: float, span: Span | None = None) -> float:
        """The time at a place, now or when `span` was shown."""
        plot = self.plot
        return (span or self.span).at((x - plot.left()) / plot.width())

    def rect_of(self, bar: Bar) -> QRectF:
        """The place of a bar; it may lie outside of what is seen."""
        top = px(SCALE) + self.lanes.index(bar.lane) * self.row_height + px(3)
        left, right = self.x_of(bar.start), self.x_of(bar.end)
        return QRectF(left, top, max(px(4), right - left), self.row_height - px(6))

    def bar_at(self, place: QPointF) -> Bar | None:
        """The bar there, or within two pixels."""
        if place.x() < self._left - 2:
            return None
        near = (bar for bar in reversed(self.bars) if self.rect_of(bar).adjusted(-2, -2, 2, 2).contains(place))
        return next(near, None)

    def on_axis(self, place: QPointF) -> bool:
        """True where the seconds are written."""
        return bool(self.bars) and place.y() < px(SCALE) and place.x() >= self.plot.left()

    # Words

    def node_of(self, bar: Bar) -> NodeRun:
        """The record of a bar's node."""
        return self._ui.session.run.nodes.get(bar.node, NodeRun())

    def words_of(self, bar: Bar) -> str:
        """All that is to be said of a bar."""
        node = self.node_of(bar)
        note = formatting.said(node.note if node.state == "running" else node.notice)
        return " · ".join(part for part in (self.title_of(bar.node), bar.lane, self.state_of(bar), note) if part)

    def state_of(self, bar: Bar) -> str:
        """How a node is, and how long it took or takes."""
        node = self.node_of(bar)
        return time_left.running_words(node, self.now) if node.state == "running" else formatting.state_words(node)

    def title_of(self, id: str) -> str:
        """The title of a node, also of one that is gone from the graph since."""
        node = self._ui.session.run.nodes.get(id)
        then = node.workflow if node is not None else None
        if then is None or self._names.workflow.find(id) is not None:
            return self._names.title(id)
        return formatting.node_title(then, id, self._ui.session.tools)

    def type_of(self, id: str) -> str:
        """The type of what a node gives."""
        return self._names.type(id)


def exactly(seconds: float, seen: float) -> str:
    """A time to about a hundredth of what is seen: `3.25 s`."""
    places = 3 if seen < 0.2 else 2 if seen < 2 else 1 if seen < 20 else 0
    return f"{seconds:.{places}f} s"
