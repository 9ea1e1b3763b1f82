"""The recorded runs as a list over the window, to be replayed; with search."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop_app.core.paths import home
from desktop_app.run.events import recordings
from desktop_app.run.events.recordings import Recorded
from desktop_app.ui.history.conversation_list import when
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, label, row
from desktop_app.ui.widgets.glyphs import state_glyph
from desktop_app.ui.widgets.incremental_list import Rows
from desktop_app.ui.widgets.list_row import ListRow
from desktop_app.ui.widgets.popup_panel import Overlay

_GLYPHS = {"ok": "done", "failed": "failed", "cancelled": "skipped", "lost": "failed"}


class RecordedRow(ListRow):
    """How the run ended, what ran, when and for how long."""

    def __init__(self, recorded: Recorded, title: str) -> None:
        super().__init__(title)
        self.recorded = recorded
        said = said_of(recorded)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addWidget(ElidedLabel(title, "control"))
        text.addWidget(label(said, "caption"))
        glyph = state_glyph(_GLYPHS.get(recorded.outcome, "waiting"), side=16)
        layout = row(glyph, text, gap=10, margins=(8, 5, 8, 5))
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.setToolTip(self.tr("Replay this run"))
        self.setAccessibleDescription(said)


class RecordingList(Overlay):
    """A click replays the run; `file_wanted` when another recording is to be looked for."""

    file_wanted = Signal()

    def __init__(self, window: QWidget, ui: UiContext) -> None:
        super().__init__(window, formatting.translate("Recorded runs"), 380)
        self._ui = ui
        self._found: tuple[Recorded, ...] = ()
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the tools that ran"))
        self.search.setAccessibleName(self.tr("Search recorded runs"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._fill)
        self.file = Button(self.tr("Other file…"), "folder-open", small=True, tip=self.tr("Replay any recording"))
        self.file.clicked.connect(self._other)
        self._top = row(self.search, self.file, gap=8, margins=(12, 10, 12, 6))
        self.column.insertLayout(2, self._top)
        body = QWidget()
        self._rows = Rows(QVBoxLayout(body), self.search, self.show_whole)
        self.set_body(body)

    def open_below(self, anchor: QWidget) -> None:
        self.search.clear()
        super().open_below(anchor)
        self._ui.loader.run(partial(recordings.listed, home() / "runs"), self._came)

    def dismiss(self) -> None:
        super().dismiss()
        self._rows.shorten()

    def first_focus(self) -> QWidget:
        return self.search

    def extra_height(self) -> int:
        return self._top.sizeHint().height()

    def _came(self, found: object) -> None:
        self._found = found if isinstance(found, tuple) else ()
        self._fill()

    @property
    def rows(self) -> list[RecordedRow]:
        """Those that are there so far."""
        return cast(list[RecordedRow], self._rows.made)

    def _fill(self, *_: object) -> None:
        sought = self.search.text().lower().split()
        titled = [(one, self._title(one)) for one in self._found]
        found = [(one, title) for one, title in titled if all(word in title.lower() for word in sought)]
        empty = self.tr("No run has been recorded yet.") if not self._found else self.tr("No run has these words.")
        self._rows.fill([partial(self._row, one, title) for one, title in found], empty)
        self.place()

    def _row(self, recorded: Recorded, title: str) -> RecordedRow:
        made = RecordedRow(recorded, title)
        made.clicked.connect(partial(self._open, recorded))
        return made

    def _title(self, recorded: Recorded) -> str:
        tools = self._ui.session.tools
        counts = Counter(tools[id].title if id in tools else id for id in recorded.tools)
        return " → ".join(title if count == 1 else f"{title} (×{count})" for title, count in counts.items())

    def _open(self, recorded: Recorded) -> None:
        self.dismiss()
        self._ui.signals.show_recording.emit(recorded.path)

    def _other(self) -> None:
        self.dismiss()
        self.file_wanted.emit()

    def keyPressEvent(self, event) -> None:
        if not self._rows.press(event):
            super().keyPressEvent(event)


def said_of(recorded: Recorded) -> str:
    """`Today 10:42 · 6 nodes · failed after 4.0 s`."""
    count = len(recorded.tools)
    nodes = formatting.translate("1 node") if count == 1 else formatting.translate("{n} nodes").format(n=count)
    ends = {
        "ok": formatting.translate("done in {time}"),
        "failed": formatting.translate("failed after {time}"),
        "lost": formatting.translate("the program died after {time}"),
        "": formatting.translate("goes on"),
    }
    end = ends.get(recorded.outcome, formatting.translate("stopped after {time}"))
    return " · ".join((when(recorded.time, time.time()), nodes, end.format(time=formatting.duration(recorded.seconds))))
