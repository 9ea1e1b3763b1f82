"""The run as a list in the chat: one line for each node with its state, then a line of progress."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.ui.support import formatting, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import (
    ClickableFrame,
    ElidedLabel,
    IconButton,
    Words,
    clear,
    label,
    px,
    row,
    stack,
)
from desktop_app.ui.widgets.glyphs import ProgressLine, state_glyph

_MOST = 12
_HIGH, _HIGHER = 26, 42
_URGENT = {"failed": 0, "running": 1, "queued": 2, "waiting": 3}


class RunRow(ClickableFrame):
    """State, title and time of one node; below, what a running one is at, and what one should know of its result."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._title = title
        self._glyph = state_glyph("waiting", side=15)
        self._words = ElidedLabel(role="caption")
        self._note = ElidedLabel(role="tertiary")
        self._note.hide()
        text = stack(ElidedLabel(title), self._note, gap=0)
        row(self._glyph, text, self._words, gap=8, margins=(6, 0, 6, 0), grow=1, parent=self)
        self.setFixedHeight(px(_HIGH))

    def update_node(self, node: NodeRun, cause: str, now: float) -> None:
        """Shows the state; `cause` is the title of the node for whose sake this one was skipped, "" for its own.

        `now` in seconds since the start of the run.
        """
        state = formatting.state_of(node)
        self._glyph.set_state(state, node.fraction)
        said = time_left.running_words(node, now) if node.state == "running" else formatting.state_words(node)
        if node.state == "skipped":
            said = self._skipped(node.cause, cause) or said
        if said != self._words.accessibleName():
            self._words.set_text(said)
        odd = node.state == "done" and (node.failed or node.notice)
        self._words.set_tone("state.failed" if state == "failed" else "state.input" if odd else "")
        note = formatting.said(node.note if node.state == "running" else node.notice if node.state == "done" else "")
        self._show_note(note)
        self.setAccessibleName(f"{self._title}: {said}. {note}".rstrip(" ."))

    def _skipped(self, why: str, cause: str) -> str:
        """Why it was not run, "" when nothing is known."""
        if not cause:
            return self.tr("muted") if why == "muted" else ""
        if why == "muted":
            return self.tr("muted: {title}").format(title=cause)
        if why == "bypassed":
            return self.tr("bypassed: {title}").format(title=cause)
        return self.tr("needs {title}").format(title=cause)

    def _show_note(self, note: str) -> None:
        self._note.set_text(note)
        if note:
            self._note.setToolTip(note)
        if bool(note) == self._note.isHidden():
            self._note.setVisible(bool(note))
            self.setFixedHeight(px(_HIGHER if note else _HIGH))


class RunList(QFrame):
    """Live while its run goes on; afterwards it keeps what it showed last: how it went then.

    `folded`: of a run that went well only its heading is seen, until the arrow is pressed.
    """

    def __init__(self, ui: UiContext, folded: bool = False) -> None:
        super().__init__()
        self._folded, self.language = folded, catalogue.language()
        self.setProperty("surface", "raised")
        self._ui = ui
        self._rows: dict[str, RunRow] = {}
        self._run = ""
        self.shown = Run()
        """The run as it is shown."""
        self._heading = label("", "heading")
        self._count = label("", "caption")
        self._left = label("", "caption")
        self._more = label("", "caption")
        self._lines = stack(gap=1)
        self._progress = ProgressLine()
        column = stack(parent=self, gap=2, margins=(6, 8, 6, 8))
        self.fold = IconButton("chevron-down", self.tr("Show the steps"), 24)
        self.fold.clicked.connect(self._toggle)
        if not folded:
            self.fold.hide()
        column.addLayout(row(self._heading, None, self._count, self.fold, margins=(6, 0, 2, 2)))
        self._steps = QWidget()
        stack(self._lines, row(self._more, margins=(6, 0, 6, 0)), parent=self._steps, gap=2)
        column.addWidget(self._steps)
        self._foot = QWidget()
        stack(self._progress, row(self._left, None), parent=self._foot, gap=4, margins=(6, 6, 6, 2))
        column.addWidget(self._foot)
        self._notice = Words()
        self._notice.setProperty("role", "caption")
        self._notice.hide()
        column.addLayout(row(self._notice, margins=(6, 2, 6, 2)))
        ui.run_clock.tick.connect(self._beat)
        self.show_run(Run())

    def show_run(self, run: Run) -> None:
        """Shows the run so far; another run than the one shown before is left to its own list."""
        if self._run and run.id != self._run:
            return
        self._run = run.id
        now = self._ui.run_clock.now if run.running else 0.0
        self.shown = run
        self._heading.setText(self._headline(run))
        self._count.setText(self.tr("{n} of {total}").format(n=run.ended, total=len(run.nodes)) if run.nodes else "")
        shown = self._shown(run.nodes)
        if list(shown) != list(self._rows):
            self._rebuild(list(shown))
        for id, node in shown.items():
            cause = self._title(node.because) if node.because not in ("", id) else ""
            self._rows[id].update_node(node, cause, now)
        hidden = len(run.nodes) - len(shown)
        self._more.setText(self.tr("and {n} more").format(n=hidden) if hidden else "")
        self._more.setVisible(hidden > 0)
        self._progress.set_fraction(run.fraction, "state.failed" if run.outcome == "failed" else "state.running")
        self._show_left(self._ui.run_clock.left if run.running else None)
        self._foot.setVisible(not run.outcome)
        self._notice.setText(formatting.said(run.notice))
        self._notice.setVisible(bool(run.notice))
        self._steps.setVisible(not self._folded or run.outcome != "ok")

    def _toggle(self) -> None:
        self._folded = not self._folded
        self.fold.set_icon("chevron-down" if self._folded else "chevron-up")
        self._steps.setVisible(not self._folded)

    def show_unknown(self) -> None:
        self.show_run(Run(outcome="unknown"))
        self._heading.setText(self.tr("How this run went is not known."))

    def _show_left(self, left: float | None) -> None:
        self._left.setText(time_left.about(left))
        self._left.setVisible(left is not None)

    @catalogue.spoken
    def _beat(self) -> None:
        if self.shown.running:
            self.show_run(self._ui.session.ran(self._run) or self.shown)

    def _headline(self, run: Run) -> str:
        if not run.outcome:
            return self.tr("Running the plan") if run.id else self.tr("Starting")
        took = formatting.duration(run.seconds)
        if run.outcome == "ok":
            return self.tr("Done in {time}").format(time=took)
        if run.outcome == "failed":
            return self.tr("Ended with {n} failed").format(n=len(run.failures()))
        if run.asks:
            return self.tr("Waits for your answer")
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
            made.clicked.connect(lambda id=id: self._ui.signals.select_node.emit(id))
            self._rows[id] = made
            self._lines.addWidget(made)

    def _title(self, id: str) -> str:
        return formatting.title_of_node(id, self._ui.session.workflow, self.shown, self._ui.session.tools)
