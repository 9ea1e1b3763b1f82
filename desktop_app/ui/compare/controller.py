"""From a wish to compare to the stage: which two, what is known of them, and what is done with them then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.errors import AppError
from desktop_app.core.values import first
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison import fulfilment, outcomes
from desktop_app.session.comparison.outcomes import Outcome
from desktop_app.session.comparison.pairs import SHARED, Comparison, compare
from desktop_app.session.session import Change
from desktop_app.storage.resources import Resource
from desktop_app.ui.compare import diff_text
from desktop_app.ui.compare.compare_view import ComparedItem, CompareModel, CompareView
from desktop_app.ui.compare.sides import SIDES, Side
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from nodes.api import Tool

_PAUSE_MILLISECONDS = 120


class Comparing(QObject):
    """`opened` and `closed` tell the window when the stage is to be seen."""

    opened = Signal()
    closed = Signal()

    def __init__(self, ui: UiContext, stage: CompareView, parent: QObject) -> None:
        super().__init__(parent)
        self._ui, self._stage = ui, stage
        self._ways: dict[str, int] = {}
        self._results: dict[str, Resource] = {}
        self._solutions: tuple[object, ...] = ()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.refresh)
        stage.closed.connect(self.close)
        stage.keep.connect(self.keep)
        stage.open_wanted.connect(self.open_graph)
        stage.run_wanted.connect(self.run)
        stage.stop_wanted.connect(lambda: ui.session.stop())
        ui.listen(self._on_change)

    # Which two

    def compare(self, what: Sequence[object] = ()) -> None:
        """Compares two alternatives (by index), or two results. With one alternative: the shown one and that; with
        none: the shown one and the best other.
        """
        if len(what) == 2 and all(isinstance(one, Resource) for one in what):
            self.compare_results(*what)  # type: ignore[arg-type]
            return
        session = self._ui.session
        picks = [one for one in what if isinstance(one, int)]
        if len(picks) < 2:
            picks = [session.chosen, *(picks or self._others())][:2]
        if len(picks) < 2 or picks[0] == picks[1]:
            text = self.tr("There is nothing to compare: only one way was found.")
            self._ui.calls.failed.emit(text, self.tr("Ask for something that can be done in several ways."))
            return
        self._ways, self._results = dict(zip(SIDES, picks, strict=True)), {}
        self._solutions = tuple(way.solution for way in session.alternatives)
        self._open()

    def _others(self) -> list[int]:
        """The alternative to compare the shown one with: the best that has run, else the best."""
        session = self._ui.session
        rest = [i for i in range(len(session.alternatives)) if i != session.chosen]
        return sorted(rest, key=lambda i: (not self._has_run(i), i))[:1]

    def compare_cards(self, ids: Sequence[str]) -> None:
        """Compares the first results of two cards of the shown graph; says which has none."""
        found = {id: self._result_of(id) for id in ids}
        empty = next((id for id, resource in found.items() if resource is None), None)
        if empty is not None:
            title = self._ui.session.workflow.title_of(empty, self._ui.session.tools)
            text = self.tr("{title} has no result to compare yet.").format(title=title)
            self._ui.calls.failed.emit(text, self.tr("Run it first."))
            return
        a, b = (resource for resource in found.values() if resource is not None)
        self.compare_results(a, b)

    def _result_of(self, id: str) -> Resource | None:
        session = self._ui.session
        node = session.run.nodes.get(id)
        return session.workflow.resource(id) or (first(next(iter(node.outputs.values()), None)) if node else None)

    def compare_results(self, a: Resource, b: Resource) -> None:
        self._ways, self._results = {}, {"a": a, "b": b}
        self._open()

    def _open(self) -> None:
        self._stage.forget()
        self.refresh()
        self.opened.emit()
        self._stage.take_focus()

    # What is done with them

    def keep(self, side: str) -> None:
        """Goes on with that side's way, one undo step, and back to the graph."""
        index = self._ways.get(side)
        if index is not None:
            self.close()
            if index != self._ui.session.chosen:  # the shown one is kept with the user's changes
                self._ui.calls.now(self._ui.session.choose, index)

    def open_graph(self, side: str) -> None:
        """Shows that side's graph, with the node chosen that gives what is compared."""
        entry = self._entry()
        self.keep(side)
        made = entry.made.get(side) if entry else None
        if made is not None:
            self._ui.signals.select_node.emit(made.node)

    def _entry(self) -> ComparedItem | None:
        subject = self._stage.subject
        return subject.entries[self._stage.entry] if subject and subject.entries else None

    def run(self) -> None:
        missing = [index for index in self._ways.values() if not self._has_run(index)]
        self._ui.calls.later(self._ui.session.run_ways(*missing))

    def close(self) -> None:
        self._ways, self._results = {}, {}
        self._timer.stop()
        self._stage.forget()
        self.closed.emit()

    def _on_change(self, change: Change) -> None:
        if not self._ways:
            return
        session = self._ui.session
        if tuple(way.solution for way in session.alternatives) != self._solutions:
            self.close()  # there is another plan
        elif change & (Change.RUN | Change.PLAN | Change.WORKFLOW | Change.BUSY) and not self._timer.isActive():
            self._timer.start(_PAUSE_MILLISECONDS)

    # What is known of them

    def _has_run(self, index: int) -> bool:
        session = self._ui.session
        workflow = session.workflow_of(index)
        return outcomes.has_run(workflow, session.results_of(workflow), session.tools)

    def refresh(self) -> None:
        if self._ways:
            self._stage.show_subject(self._subject())
        elif self._results:
            self._stage.show_subject(self._plain_subject())

    def _plain_subject(self) -> CompareModel:
        sides = {side: Side(side, r.name, has_run=True, result=self._size(r)) for side, r in self._results.items()}
        name = " / ".join(r.name for r in self._results.values())
        return CompareModel(sides, (ComparedItem(name, {}, dict(self._results)),), note=self.tr("two results"))

    def _subject(self) -> CompareModel:
        session = self._ui.session
        plain = {side: self._side(side, index) for side, index in self._ways.items()}
        comparison = compare(plain["a"].workflow, plain["b"].workflow, session.tools)
        found = outcomes.outcomes(comparison, plain["a"].run, plain["b"].run, session.tools)
        entries = _entries(found, comparison, session.tools)
        sides = {side: self._with_result(one, entries) for side, one in plain.items()}
        seconds = {side: session.seconds_of(one.workflow) for side, one in sides.items()}
        left = [side for side in SIDES if not sides[side].has_run]
        why, button = self._missing(left)
        running = next((one for one in sides.values() if one.running), None)
        return CompareModel(
            sides, entries, comparison,
            diff_text.rows(comparison, sides, seconds, session.tools),
            diff_text.summary(comparison, session.tools), self._ran(), why,
            self._cost(comparison, sides, left), diff_text.shared_words(comparison) if left else "", button,
            self.tr("Running {letter}: {title}").format(letter=running.letter, title=running.title) if running else "",
            running.fraction if running else 0.0, [_why(entry, sides) for entry in entries],
        )  # fmt: skip

    def _side(self, side: str, index: int) -> Side:
        session = self._ui.session
        way, workflow = session.alternatives[index], session.workflow_of(index)
        running = session.going.running and session.running_way == index
        run = session.going if running else session.results_of(workflow)
        known, idle = session.seconds_of(workflow), workflow.idle()
        times = [known.get(node.id) for node in workflow.nodes if node.id not in idle]
        title, why = formatting.said(way.solution.title), formatting.said(way.solution.reason)
        return Side(
            side, title, formatting.reason_of(title, why, way.workflow, session.tools), index, workflow, run,
            workflow != way.workflow, not running and outcomes.has_run(workflow, run, session.tools),
            _failure(workflow, run, session.tools), outcomes.left_to_run(workflow, run), running, run.fraction,
            sum(t for t in times if t is not None) if None not in times else None, way.memory_bytes,
            way.download_bytes, fulfilment=self._fulfilment(workflow, run),
        )  # fmt: skip

    def _fulfilment(self, workflow: Workflow, run: Run) -> fulfilment.Fulfilment | None:
        session = self._ui.session
        asked = fulfilment.asked_for(session.alternatives[0].workflow, session.tools)
        return fulfilment.fulfilment(asked, workflow, run, session.tools) if asked else None

    def _with_result(self, side: Side, entries: Sequence[ComparedItem]) -> Side:
        resource = entries[0].resources.get(side.side) if entries else None
        return replace(side, result=self._size(resource))

    def _size(self, resource: Resource | None) -> str:
        if resource is None:
            return ""
        try:
            size = self._ui.session.path_of(resource).stat().st_size
        except (AppError, OSError):
            size = None
        return diff_text.result_words(resource, size)

    def _ran(self) -> str:
        """`2 of 3 ways have run`."""
        total = len(self._ui.session.alternatives)
        n = sum(self._has_run(index) for index in range(total))
        return self.tr("{n} of {total} ways have run").format(n=n, total=total)

    def _missing(self, left: Sequence[str]) -> tuple[str, str]:
        """What stands where a result is missing, and on the button that makes it."""
        if not left:
            return "", ""
        if len(left) == 2:
            return self.tr("Neither way has run yet"), self.tr("Run A and B")
        letter = left[0].upper()
        return self.tr("{letter} has not run yet").format(letter=letter), self.tr("Run {letter}").format(letter=letter)

    def _cost(self, comparison: Comparison, sides: dict[str, Side], left: Sequence[str]) -> str:
        """What running those that have not run takes; what both share counts once."""
        if not left:
            return ""
        twice = {pair.b for pair in comparison.nodes if pair.kind == SHARED} if len(left) == 2 else set()
        seconds, unknown = 0.0, 0
        for side in left:
            known = self._ui.session.seconds_of(sides[side].workflow)
            for id in sides[side].left:
                if side == "b" and id in twice:
                    continue
                seconds += known.get(id, 0.0)
                unknown += id not in known
        time = formatting.duration(seconds) if seconds else ""
        more = (
            self.tr("{n} steps of unknown length").format(n=unknown)
            if unknown > 1
            else (self.tr("1 step of unknown length") if unknown else "")
        )
        time = self.tr("about {time}").format(time=time) if time else ""
        memory = max(sides[side].memory_bytes for side in left)
        download = sum(sides[side].download_bytes for side in left)
        parts = [
            self.tr(" and ").join(part for part in (time, more) if part),
            self.tr("{size} of memory at most").format(size=formatting.size(memory)) if memory else "",
            self.tr("{size} to download").format(size=formatting.size(download))
            if download
            else self.tr("no download"),
        ]
        text = " · ".join(part for part in parts if part)
        return text[:1].upper() + text[1:]


def _entries(found: Sequence[Outcome], comparison: Comparison, tools: Mapping[str, Tool]) -> tuple[ComparedItem, ...]:
    entries = []
    for outcome in found:
        values = {side: made.values if (made := outcome.of(side)) else () for side in SIDES}
        many = max(1, *(len(value) for value in values.values()))
        for index in range(many):
            name = diff_text.outcome_name(outcome, index, many, comparison, tools)
            made = {side: outcome.of(side) for side in SIDES}
            pair = {side: value[index] if index < len(value) else None for side, value in values.items()}
            entries.append(ComparedItem(name, made, pair))
    return tuple(entries)


def _why(entry: ComparedItem, sides: dict[str, Side]) -> str:
    lacking = [side for side in SIDES if entry.resources[side] is None]
    return " ".join(diff_text.why_nothing(entry.made[side], sides[side]) for side in lacking)


def _failure(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> str:
    failed = next(iter(run.failures().items()), None)
    if failed is None or failed[0] not in workflow.ids():
        return ""
    return formatting.pair(workflow.title_of(failed[0], tools), formatting.said(failed[1].message))
