"""The line at the bottom: device, memory, planner, disk, how far the run is. Above it, what went wrong unexpectedly."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.core.paths import home
from desktop_app.run.backends.memory_usage import Usage
from desktop_app.session.session import Change
from desktop_app.ui.support import costs, formatting, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.theme import icons
from desktop_app.ui.widgets.basic import Button, Caption, ElidedLabel, IconButton, Painted, color, label, px, row

_LONGEST_MODEL = 28
_ROOMY = 900
_GAP, _MARGIN = 18, 14


@dataclass(frozen=True)
class Status:
    """What the application knows of the computer. `device_ok` is false when a fall-back is in use."""

    device: str = ""
    device_ok: bool = True
    planner: str = ""


class Item(Painted, QWidget):
    """An icon, or a dot, with words. `told` when they are others."""

    told = Signal()

    def __init__(self, icon: str = "") -> None:
        super().__init__()
        self._icon, self._ok = icon, True
        self._shown: object = None
        self._label = label("", "caption")
        self.setLayout(row(self._label, margins=(18 if icon else 13, 0, 0, 0)))

    def set_words(self, text: str, ok: bool = True, tip: str = "") -> None:
        if (text, ok, tip) == self._shown:
            return
        self._shown = text, ok, tip
        self._ok = ok
        self._label.setText(text)
        self.setToolTip(tip)
        self.updateGeometry()
        self.told.emit()
        self.update()

    @property
    def said(self) -> str:
        """The text, "" when there is nothing to show."""
        return self._label.text()

    def paint(self, painter: QPainter) -> None:
        middle = self.height() / 2
        if self._icon:
            side = px(13)
            icons.paint(painter, QRectF(0, middle - side / 2, side, side), self._icon, color("text.tertiary"))
        else:
            painter.setPen(color("state.done" if self._ok else "state.input"))
            painter.setBrush(color("state.done" if self._ok else "state.input"))
            painter.drawEllipse(QRectF(px(1), middle - px(3), px(6), px(6)))


class StatusBar(QFrame):
    """Reads the planner's mode from the session and the disk from the system; the device is told."""

    def __init__(self, ui: UiContext, status: Status) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(26))
        self._ui = ui
        self._status = status
        self._device, self._planner, self._disk = Item(), Item("message-square"), Item("database")
        self._memory, self._run = Item("memory-stick"), Item("activity")
        self._saved, self.zoom = Caption(), Caption()
        self._has_graph = False
        self._items = (self._device, self._memory, self._planner, self._disk, self._run)
        self.setLayout(row(*self._items, None, self._saved, self.zoom, gap=_GAP, margins=(_MARGIN, 0, _MARGIN, 0)))
        for item in self._items:
            item.told.connect(self._fit)
        self._timer = QTimer(self, interval=30_000)
        self._timer.timeout.connect(self._show_disk)
        self._timer.start()
        ui.listen(self._on_change)
        ui.run_clock.tick.connect(self._show_run)
        ui.meter.measured.connect(self._show_memory)
        self.set_status(status)

    def set_status(self, status: Status) -> None:
        self._status = status
        self._device.set_words(status.device, status.device_ok, self.tr("Where tools run"))
        self._show_planner()
        self._show_disk()

    def show_zoom(self, zoom: float) -> None:
        """How large the graph is seen; 1.0 is 100 %."""
        self.zoom.setText(self.tr("Zoom {percent} %").format(percent=round(zoom * 100)))

    def show_graph(self, there: bool) -> None:
        """Tells the zoom only where there is a graph to be seen."""
        self._has_graph = there
        self._fit()

    def say(self, text: str) -> None:
        """A short note at the right: what was saved."""
        self._saved.set_tone("")
        self._saved.setToolTip("")
        self._saved.setText(text)
        self._fit()

    def saved(self, problem: str) -> None:
        self._saved.set_tone("state.failed" if problem else "")
        if problem:
            self._saved.setText(self.tr("Not saved"))
        else:
            self._saved.setText(self.tr("Autosaved {time}").format(time=time.strftime("%H:%M")))
        self._saved.setToolTip(problem)
        self._fit()

    def _on_change(self, change: Change) -> None:
        if change & (Change.PLAN | Change.BUSY | Change.MESSAGES):
            self._show_planner()
        if change & (Change.RUN | Change.WORKFLOW):
            self._show_run()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.zoom.setVisible(self._has_graph and self.width() > px(_ROOMY))  # the tools on the canvas tell it too
        shown = [item for item in self._items if item.said]
        room = self.width() - px(2 * _MARGIN) - self._saved.sizeHint().width()
        for item in (self._disk, self._planner, self._memory, self._device):  # what is told elsewhere too goes first
            if sum(each.sizeHint().width() + px(_GAP) for each in shown) > room and item in shown:
                shown.remove(item)
        for item in self._items:
            item.setVisible(item in shown)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, px(26))  # what has no room is not shown

    def showEvent(self, event) -> None:
        self._ui.meter.start()

    def _show_run(self) -> None:
        run = self._ui.session.run
        if not run.running:
            self._run.set_words("")
            return
        parts = (time_left.percent(run.fraction), time_left.about(self._ui.run_clock.left))
        text = " · ".join(part for part in parts if part) or self.tr("Running")
        tip = self.tr("{n} of {total} nodes of the run have ended").format(n=run.ended, total=len(run.taking_part))
        self._run.set_words(text, tip=tip)

    def _show_memory(self, usage: Usage) -> None:
        """The memory of the GPU where there is one, else that of the computer."""
        taken, total = usage.gpus[0] if usage.gpus else (usage.taken, usage.total)
        text = self.tr("{taken} of {total}").format(taken=formatting.size(taken), total=formatting.size(total))
        about = self.tr("Tools take {lanes}, this window {window}.").format(
            lanes=formatting.size(usage.lanes), window=formatting.size(usage.window)
        )
        what = self.tr("GPU memory in use.") if usage.gpus else self.tr("Memory in use.")
        self._memory.set_words(text, tip=f"{what} {about}")

    def _show_planner(self) -> None:
        session = self._ui.session
        plan, spent, model = session.plan, session.spent, session.language_model.rpartition("/")[2]
        text = self._status.planner
        if plan is not None and plan.mode == "offline":
            text = self.tr("Offline planner")
        elif plan is not None:
            text = self.tr("Planned with a language model")
        parts, tip = [text], [formatting.said(plan.notice)] if plan else []
        if spent.total:
            offline = plan is not None and plan.mode == "offline"
            parts = [formatting.shorter(model, _LONGEST_MODEL) if model and not offline else text]
            parts.append(costs.of_model(spent))
            tip += [text] if model and not offline else []
            tip.append(self.tr("This conversation: {spent}").format(spent=costs.split_of_model(spent)))
        self._planner.set_words(" · ".join(parts), tip="\n".join(filter(None, tip)))

    def _show_disk(self) -> None:
        try:
            free = formatting.size(shutil.disk_usage(home()).free)
        except OSError:
            return
        self._disk.set_words(self.tr("{size} free").format(size=free), tip=str(home()))


class TroubleBar(QFrame):
    """Hidden until there is something to tell; the latest takes the place of the one before. It takes no focus."""

    log_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(32))
        self._words = ElidedLabel()
        self.show_log = Button(self.tr("Show the log"), "", "quiet")
        self.close_button = IconButton("x", self.tr("Close"), 24)
        self.show_log.clicked.connect(self.log_wanted)
        self.close_button.clicked.connect(self.hide)
        row(self._words, self.show_log, self.close_button, gap=6, margins=(14, 0, 8, 0), grow=0, parent=self)
        self.hide()

    @property
    def said(self) -> str:
        return self._words.accessibleName() if not self.isHidden() else ""

    def tell(self, what: str) -> None:
        said = self.tr("Something went wrong; your work goes on. {what}").format(what=what)
        self._words.set_text(said)
        self.show()
