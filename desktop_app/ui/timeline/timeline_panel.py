"""The run as bars over time, one row for each lane, with its header. Must not know how nodes are scheduled."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.run.events.run_record import Run
from desktop_app.session.session import Change
from desktop_app.ui.support import formatting, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.timeline.chart import Chart
from desktop_app.ui.widgets.basic import ElidedLabel, IconButton, divider, px, row, stack
from desktop_app.ui.widgets.memory_bar import MemoryBar

_HIGH, _FOLDED = 156, 36


class Timeline(QFrame):
    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._ui = ui
        self.folded = False
        self._in_strip = True
        self._words = ElidedLabel(role="tertiary")
        self.fold = IconButton("chevron-down", self.tr("Fold the timeline"))
        self.fold.clicked.connect(lambda: self.set_folded(not self.folded))
        self.log = IconButton("file-text", self.tr("Log of the run (Ctrl+L)"))
        self.log.clicked.connect(ui.signals.show_log)
        self.chart = Chart(ui)
        self.chart.clicked.connect(ui.signals.select_node)
        heading = ElidedLabel(self.tr("Run timeline"), "heading")
        header = row(heading, 4, self._words, self.log, self.fold, gap=4, margins=(14, 2, 8, 0))
        header.setStretchFactor(self._words, 1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self.chart)
        self.memory, self._line = MemoryBar(ui), divider(vertical=True)
        self._body = QWidget()
        row(scroll, self._line, self.memory, gap=14, margins=(14, 2, 16, 6), grow=0, parent=self._body)
        stack(header, self._body, parent=self, grow=1, gap=0)
        self._timer = QTimer(self, interval=100)
        self._timer.timeout.connect(self.refresh)
        ui.listen(self._on_change)
        self.set_folded(False)
        self.refresh()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for part in (self.memory, self._line):
            part.setVisible(self.width() > px(640))

    def set_folded(self, folded: bool) -> None:
        self.folded = folded
        self._body.setVisible(not folded)
        self.fold.set_icon("chevron-up" if folded else "chevron-down")
        said = self.tr("Unfold the timeline") if folded else self.tr("Fold the timeline")
        self.fold.setToolTip(said)
        self.fold.setAccessibleName(said)
        self._fit_height()
        self.refresh()

    def set_in_strip(self, in_strip: bool) -> None:
        """Above or below the graph it is as high as it has use for; elsewhere it takes the room there is."""
        self._in_strip = in_strip
        self._fit_height()

    def _fit_height(self) -> None:
        high = px(_FOLDED) if self.folded else px(_HIGH)
        self.setMinimumHeight(high)
        self.setMaximumHeight(high if self._in_strip else 16_777_215)

    def refresh(self) -> None:
        run = self._ui.session.run
        now = max(0.0, time.time() - run.time) if run.running else 0.0
        if not self.folded:
            self.chart.show_run(run, now)
        self._words.set_text(summary(run, now, self._ui.run_clock.left))
        if run.running != self._timer.isActive():
            self._timer.start() if run.running else self._timer.stop()

    def _on_change(self, change: Change) -> None:
        if change & (Change.RUN | Change.WORKFLOW):
            self.refresh()


def summary(run: Run, now: float, left: float | None = None) -> str:
    """The run in a few words. `now` in seconds since its start, `left` the seconds that it will still take."""
    if not run.id:
        return formatting.translate("Nothing has run yet")
    nodes = run.taking_part.values()
    cached = sum(node.cached for node in nodes)
    outdated = sum(node.state == "outdated" for node in nodes)
    failed = len(run.failures())
    parts = []
    if run.running:
        parts.append(formatting.translate("Running for {time}").format(time=formatting.duration(now)))
    else:
        ended = {"ok": formatting.translate("Done in {time}"), "failed": formatting.translate("Ended after {time}")}
        said = ended.get(run.outcome, formatting.translate("Stopped after {time}"))
        said = formatting.translate("Waits for your answer") if run.asks else said
        parts.append(said.format(time=formatting.duration(run.seconds)))
    if cached:
        parts.append(formatting.translate("{n} done before").format(n=cached))
    if failed:
        parts.append(formatting.translate("{n} failed").format(n=failed))
    if outdated:
        parts.append(formatting.translate("{n} out of date").format(n=outdated))
    if left is not None:
        parts.append(time_left.about(left))
    return " · ".join(parts)
