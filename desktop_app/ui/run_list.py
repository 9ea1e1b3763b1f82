"""The run as a list in the chat: one line for each node with its state, then a line of progress."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop_app.run.record import NodeRun, Run
from desktop_app.ui import words
from desktop_app.ui.desk import Desk
from desktop_app.ui.glyphs import ProgressLine, state_glyph
from desktop_app.ui.widgets import Caption, ClickableFrame, ElidedLabel, clear, label, px, row

_MOST = 12
_URGENT = {"failed": 0, "running": 1, "queued": 2, "waiting": 3}


class RunRow(ClickableFrame):
    """State, title and time of one node."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._title = title
        self._glyph = state_glyph("waiting", side=15)
        self._words = Caption()
        layout = row(self._glyph, ElidedLabel(title), self._words, gap=8, margins=(6, 0, 6, 0))
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.setFixedHeight(px(26))

    def update_node(self, node: NodeRun, cause: str) -> None:
        """Shows the state; `cause` is the title of the node for whose sake this one was skipped."""
        state = words.state_of(node)
        self._glyph.set_state(state, node.fraction)
        text = words.state_words(node)
        if node.state == "skipped" and cause:
            text = self.tr("needs {title}").format(title=cause)
        text = words.shorter(text, 18)
        if text != self._words.text():
            self._words.setText(text)
        self._words.set_tone("state.failed" if state == "failed" else "")
        self.setAccessibleName(f"{self._title}: {words.state_words(node)}")


class RunList(QFrame):
    """Live while its run is the session's run; afterwards it keeps what it showed last."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._desk = desk
        self._rows: dict[str, RunRow] = {}
        self._run = ""
        self._heading = label("", "heading")
        self._count = label("", "caption")
        self._more = label("", "caption")
        self._lines = QVBoxLayout()
        self._lines.setSpacing(px(1))
        self._progress = ProgressLine()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(6), px(8), px(6), px(8))
        column.setSpacing(px(2))
        column.addLayout(row(self._heading, None, self._count, margins=(6, 0, 6, 2)))
        column.addLayout(self._lines)
        column.addLayout(row(self._more, margins=(6, 0, 6, 0)))
        self._foot = QWidget()
        self._foot.setLayout(row(self._progress, margins=(6, 6, 6, 4)))
        column.addWidget(self._foot)
        self.show_run(Run())

    def show_run(self, run: Run) -> None:
        """Shows the run so far; another run than the one shown before is left to its own list."""
        if self._run and run.id != self._run:
            return
        self._run = run.id
        self._heading.setText(self._headline(run))
        ended = sum(node.state in ("done", "failed", "skipped", "cancelled") for node in run.nodes.values())
        self._count.setText(self.tr("{n} of {total}").format(n=ended, total=len(run.nodes)) if run.nodes else "")
        shown = self._shown(run.nodes)
        if list(shown) != list(self._rows):
            self._rebuild(list(shown))
        for id, node in shown.items():
            cause = self._title(node.because) if node.because else ""
            self._rows[id].update_node(node, cause)
        hidden = len(run.nodes) - len(shown)
        self._more.setText(self.tr("and {n} more").format(n=hidden) if hidden else "")
        self._more.setVisible(hidden > 0)
        self._progress.set_fraction(run.fraction, "state.failed" if run.outcome == "failed" else "state.running")
        self._foot.setVisible(not run.outcome)

    def _headline(self, run: Run) -> str:
        if not run.outcome:
            return self.tr("Running the plan") if run.id else self.tr("Starting")
        took = words.duration(run.seconds)
        if run.outcome == "ok":
            return self.tr("Done in {time}").format(time=took)
        if run.outcome == "failed":
            return self.tr("Ended with {n} failed").format(n=len(run.failures()))
        return self.tr("Stopped after {time}").format(time=took)

    def _shown(self, nodes: Mapping[str, NodeRun]) -> dict[str, NodeRun]:
        """All nodes; of many, the twelve that matter most, in their order."""
        if len(nodes) <= _MOST:
            return dict(nodes)
        ranked = sorted(nodes, key=lambda id: _URGENT.get(nodes[id].state, 4))[:_MOST]
        return {id: node for id, node in nodes.items() if id in ranked}

    def _rebuild(self, ids: list[str]) -> None:
        clear(self._lines)
        self._rows = {}
        for id in ids:
            made = RunRow(self._title(id))
            made.clicked.connect(lambda id=id: self._desk.wishes.select_node.emit(id))
            self._rows[id] = made
            self._lines.addWidget(made)

    def _title(self, id: str) -> str:
        return words.node_title(self._desk.session.workflow, id, self._desk.session.tools)
