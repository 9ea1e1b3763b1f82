"""The log of the session's run, read from its recording while it grows."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.run.events import recording
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import NodeRun
from desktop_app.session.view import SessionView
from desktop_app.ui.support import formatting, log_lines
from desktop_app.ui.support.log_lines import Line
from desktop_app.ui.support.thread_pool import BackgroundReader
from nodes.api import Tool

_MILLISECONDS = 200


class RunLog(QObject):
    """`read` looks for news, on a thread; `changed` when there were any. Nothing is read unless it is asked for."""

    changed = Signal()

    def __init__(self, session: SessionView, loader: BackgroundReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._loader = session, loader
        self._path: Path | None = None
        self._offset = 0
        self._told: list[tuple[float, Event]] = []
        self._reading = self._again = False
        self._rest = QTimer(self, singleShot=True, interval=_MILLISECONDS)
        self._rest.timeout.connect(self._rested)

    def read(self) -> None:
        """Reads what was recorded since the last time, a few times a second at most."""
        if self._rest.isActive():
            self._again = True
        else:
            self._rest.start()
            self._read()

    def _rested(self) -> None:
        if self._again:
            self._again = False
            self.read()

    def _read(self) -> None:
        path = self._session.recording
        if path != self._path:
            self._path, self._offset, self._told = path, 0, []
            self.changed.emit()
        if path is None:
            return
        if self._reading:
            self._again = True
        else:
            self._reading = True
            self._loader.run(partial(recording.news, path, self._offset), partial(self._came, path))

    def lines(self, node: str = "") -> list[Line]:
        told = self._told
        if node:
            told = [entry for entry in told if getattr(entry[1], "node", "") == node]
        return log_lines.lines(told, self.title, self.tool)

    def lines_of(self, id: str, node: NodeRun) -> list[Line]:
        """What was recorded of a node, else what its record tells."""
        found = self.lines(id) or log_lines.lines(log_lines.told_of(id, node), self.title, self.tool)
        return [*found, Line(-1, id, formatting.translate("Out of date"))] if node.state == "outdated" else found

    def title(self, node: str) -> str:
        session = self._session
        return formatting.title_of_node(node, session.workflow, session.run, session.tools)

    def tool(self, node: str) -> Tool | None:
        found = self._session.workflow.find(node)
        return self._session.tools.get(found.tool) if found is not None else None

    def _came(self, path: Path, found: object) -> None:
        self._reading = False
        if path == self._path and isinstance(found, tuple):
            told, self._offset = found
            self._told += told
            if told:
                self.changed.emit()
        if self._again:
            self._rest.start()
