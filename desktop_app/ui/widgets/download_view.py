"""Downloads one below the other: how far each is, with a button that pauses it or goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from desktop_app.i18n import catalogue
from desktop_app.models import downloads
from desktop_app.models.downloads import Download, Downloads
from desktop_app.ui.support import formatting
from desktop_app.ui.support.costs import download_words
from desktop_app.ui.widgets.basic import Caption, ElidedLabel, IconButton, Words, row, stack
from desktop_app.ui.widgets.glyphs import ProgressLine


class DownloadRow(QFrame):
    """One of them; `turn` pauses it or goes on with it."""

    def __init__(self, turn: Callable[[], None]) -> None:
        super().__init__()
        self.title, self.words = ElidedLabel("", "control"), Caption()
        self.line, self.why = ProgressLine(), Words()
        self.why.setProperty("role", "caption")
        self.why.hide()
        self.button = IconButton("pause", self.tr("Pause"), 26)
        self.button.clicked.connect(lambda: turn())
        text = stack(gap=4)
        for widget in (self.title, self.line, self.words, self.why):
            text.addWidget(widget)
        row(text, self.button, gap=8, grow=0, parent=self)

    def show_download(self, download: Download) -> None:
        title, words = formatting.said(download.title), download_words(download)
        self.title.set_text(title[:1].upper() + title[1:])
        self.words.setText(words)
        stopped, failed = download.state == downloads.PAUSED, download.state == downloads.FAILED
        self.words.set_tone("state.failed" if failed else "state.input" if stopped else "")
        token = {downloads.FAILED: "state.failed", downloads.PAUSED: "state.input", downloads.DONE: "state.done"}
        self.line.set_fraction(download.fraction, token.get(download.state, "state.running"))
        self.why.setText(" ".join(formatting.said(part) for part in (download.message, download.fix) if part))
        self.why.setVisible(failed and bool(download.message))
        self.button.set_icon("refresh-cw" if failed else "play" if stopped else "pause")
        tip = self.tr("Try again") if failed else self.tr("Go on") if stopped else self.tr("Pause")
        self.button.setToolTip(tip)
        self.button.setAccessibleName(f"{tip}: {title}")
        self.button.setVisible(download.state != downloads.DONE)
        self.setAccessibleName(f"{title}: {words}")


class DownloadsView(QFrame):
    """Those of some ids, as far as they were begun; `again(id)` begins one anew. Follows them while it lives."""

    begun = Signal()

    def __init__(self, every: Downloads, ids: Sequence[str], again: Callable[[str], None]) -> None:
        super().__init__()
        self._every, self._ids, self._again = every, ids, again
        self.language = catalogue.language()
        self.rows: dict[str, DownloadRow] = {}
        self._column = stack(parent=self, gap=10)
        every.listen(self.follow)
        self.destroyed.connect(lambda: every.forget(self.follow))
        self.follow()

    @catalogue.spoken
    def follow(self) -> None:
        if not shiboken6.isValid(self):
            return
        for id in self._ids:
            download = self._every.all.get(id)
            if download is None:
                continue
            if id not in self.rows:
                self.rows[id] = DownloadRow(lambda id=id: self._turn(id))
                self._column.addWidget(self.rows[id])
                self.begun.emit()
            self.rows[id].show_download(download)
        if self.parentWidget() is not None:  # else it were a window of its own
            self.setVisible(bool(self.rows))

    def _turn(self, id: str) -> None:
        download = self._every.all.get(id)
        if download is not None and download.state in downloads.GOING:
            self._every.pause(id)
        else:
            self._again(id)
