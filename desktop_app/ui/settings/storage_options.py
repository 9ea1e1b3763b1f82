"""Results in the settings: where they are kept, how much they may take, what goes into saved ones, and how long models
stay in memory.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QVBoxLayout

from desktop_app.core.paths import home, size_on_disk
from desktop_app.core.settings import Settings
from desktop_app.run.maintenance import Upkeep
from desktop_app.ui.settings.edit_form import BoundFields
from desktop_app.ui.support import formatting
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.widgets.basic import Button, label, row, stack

_IDLE_SECONDS = (60, 600, 3600, 0)
_LOOK_MILLISECONDS = 150


class ResultOptions(BoundFields):
    def __init__(self, loader: BackgroundReader, upkeep: Upkeep) -> None:
        super().__init__()
        self._loader, self._upkeep = loader, upkeep
        self._freeing = self._freed = False
        self._watch = QTimer(self, interval=_LOOK_MILLISECONDS)
        self._watch.timeout.connect(self._look)
        column = stack(parent=self)
        self._make_place(column)
        self._make_room(column)
        self._make_idle(column)
        tip = self.tr("A saved picture or sound brings its graph back when it is dropped here")
        self.embeds = self.tick("embed_workflow", self.tr("Put the workflow into saved results"), tip)
        column.addWidget(self.embeds)
        tip = self.tr("Without, a server that words the answers learns names, sizes and figures only")
        said = self.tr("Tell the language model what stands in texts and tables")
        self.tells = self.tick("tell_contents", said, tip)
        column.addWidget(self.tells)
        self.outside_said = label("", "secondary", True)
        tip = self.tr("Be asked again in each conversation before these tools reach outside this computer")
        self.outside = Button(self.tr("Ask again"), "globe", small=True, tip=tip)
        self.outside.clicked.connect(lambda: self.changed.emit({"outside_allowed": ()}))
        line = row(self.outside_said, self.outside, grow=0)
        column.addLayout(line)

    def _make_place(self, column: QVBoxLayout) -> None:
        self.place_said, self.size_said = label("", "secondary", True), label("", "caption")
        self.folder = Button(self.tr("Open the folder"), "folder-open", small=True)
        self.folder.setToolTip(self.tr("Show where results, models and settings are kept"))
        self.folder.clicked.connect(self._open_folder)
        column.addWidget(self.place_said)
        column.addLayout(row(self.size_said, None, self.folder))

    def _open_folder(self) -> None:
        """Where no program shows folders that is said below its path."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(home()))):
            said = formatting.translate("No program on this computer opens {name}.")
            self.size_said.setText(said.format(name=home().name))

    def _make_room(self, column: QVBoxLayout) -> None:
        self.most = self.number("cache_gb", self.tr("Most that kept results take on disk"), 1, 100_000, " GB")
        self.most.setToolTip(self.tr("Above that, the results that are cheapest to compute again go after a run"))
        self.used_said = label("", "caption")
        tip = self.tr("Forget the results that no conversation shows; they are computed again when they are needed")
        self.free = Button(self.tr("Free now"), "trash-2", small=True, tip=tip)
        self.free.clicked.connect(self._free)
        column.addLayout(row(label(self.tr("Keep results up to"), "secondary"), self.most, None, gap=10))
        column.addLayout(row(self.used_said, None, self.free))

    def _make_idle(self, column: QVBoxLayout) -> None:
        times = {float(seconds): self._time(seconds) for seconds in _IDLE_SECONDS}
        tip = self.tr("Models that nothing uses leave the memory after that time")
        self.idle = self.choice("idle_seconds", times, tip)
        self.idle.setAccessibleName(self.tr("Give models' memory back after"))
        column.addLayout(row(label(self.tr("Give models' memory back after"), "secondary"), self.idle, None, gap=10))

    def _time(self, seconds: float) -> str:
        if not seconds:
            return self.tr("never")
        return self.tr("{n} min").format(n=f"{seconds / 60:g}")

    def show_settings(self, settings: Settings) -> None:
        self._freed = False
        self.place_said.setText(self.tr("Kept in {folder}").format(folder=home()))
        allowed = ", ".join(settings.outside_allowed)
        self.outside_said.setText(self.tr("May reach outside without asking: {tools}").format(tools=allowed))
        self.outside_said.setVisible(bool(allowed))
        self.outside.setVisible(bool(allowed))
        if self.idle.findData(float(settings.idle_seconds)) < 0:
            self.idle.addItem(self._time(settings.idle_seconds), float(settings.idle_seconds))
        super().show_settings(settings)

    # What is used

    def measure(self) -> None:
        self.size_said.setText(self.tr("Measuring…"))
        self._loader.run(partial(size_on_disk, home()), self._measured)
        self._loader.run(self._upkeep.used_bytes, self._used)

    def _measured(self, size: object) -> None:
        said = self.tr("{size} in use").format(size=formatting.size(size)) if isinstance(size, int) else str(size)
        self.size_said.setText(said)

    def _used(self, size: object) -> None:
        if self._freeing:
            return
        if isinstance(size, int) and size and self._freed:
            said = self.tr("{size} stays: a conversation shows it, or a run goes on").format(size=formatting.size(size))
        elif isinstance(size, int):
            said = self.tr("Results take {size} now").format(size=formatting.size(size) if size else self.tr("nothing"))
        else:
            said = formatting.said(str(size))
        self.used_said.setText(said)
        self.free.setEnabled(isinstance(size, int) and size > 0)

    def _free(self) -> None:
        self._freeing = True
        self.free.setEnabled(False)
        self.used_said.setText(self.tr("Removing results…"))
        self._upkeep.forget_results()
        self._watch.start()

    def _look(self) -> None:
        if not self._upkeep.tidying:
            self._watch.stop()
            self._freeing, self._freed = False, True
            self.measure()
