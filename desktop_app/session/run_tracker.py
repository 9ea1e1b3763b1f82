"""The run of a conversation's workflow: its present record, those before, and what made each result."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.values import several
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.events import NodeFailed, NodeFinished, NodeSkipped, RunFinished, RunStarted
from desktop_app.run.events.run_record import NodeRun, Origin, Run, fold_all, marked, taken_over, waiting_for
from desktop_app.services import mask_preview
from desktop_app.session import consent
from desktop_app.session.comparison.run_records import Records, named, renamed
from desktop_app.session.comparison.standing import Standing
from desktop_app.session.comparison.traces import traces
from desktop_app.session.messages import Change
from desktop_app.session.state import SessionState
from desktop_app.storage.resources import Resource

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine
    from desktop_app.run.events.events import Event


KEPT_NODES = 4000
"""Runs of so many nodes in all are remembered, the latest."""


class RunTracker:
    """`run` is the record, as it was told; `shown` says what it means for the graph of now.

    `made` tells (node, output) by the name of the latest resource that was made there, `origins` what made each result,
    by name and digest. `past` are the runs that ended, by id. `aside_run` is that of a run beside it, while it goes on;
    `records` has what came of every workflow that ran. No result takes the name of another resource of the
    conversation. `forget` begins anew: what a run of before still tells is no longer heard.
    """

    def __init__(self, engine: Engine, state: SessionState) -> None:
        self.engine = engine
        self._state, self._tools = state, state.tools
        self._empty()
        self._free = asyncio.Lock()
        self._life = 0

    def forget(self) -> None:
        self.engine.cancel()
        self._life += 1
        self._empty()

    def _empty(self) -> None:
        self.run, self.aside_run = Run(), Run()
        self.made: dict[str, tuple[str, str]] = {}
        self.origins: dict[tuple[str, str], Origin] = {}
        self.past: dict[str, Run] = {}
        self.records = Records(self._tools)
        self._standing = Standing(self._tools, self.records)
        self._names: dict[str, str] = {}
        self._told: dict[str, NodeRun] = {}

    @property
    def shown(self) -> Run:
        """The run as it stands to the graph that is shown: what is out of date says so (comparison.standing)."""
        return self._standing.of(self.run, self._state.workflow)

    @property
    def going(self) -> Run:
        """The run that goes on, be it of another alternative than the one shown; else the latest."""
        return self.aside_run if self.aside_run.running else self.shown

    def traces(self, workflow: Workflow) -> Mapping[str, str]:
        """As comparison.traces; quick for the graph that is shown."""
        return self._standing.traces.of(workflow)

    def ran(self, id: str) -> Run | None:
        """The run of that id as it went, whatever became of the graph; None when it is no longer known."""
        return self.run if self.run.id == id and self.run.running else self.past.get(id)

    def restore(
        self,
        run: Run,
        made: dict[str, tuple[str, str]],
        runs: Iterable[tuple[Workflow, Run]],
        past: Iterable[Run],
        origins: Mapping[tuple[str, str], Origin],
        workflow: Workflow,
    ) -> None:
        """Takes over what an earlier program kept. What does not tell of its workflow - an older program kept it - has
        that of `runs`, or else counts as made by `workflow`, that of the conversation, and has no origin.
        """
        told = [(graph, marked(one, graph, traces(graph, self._tools))) for graph, one in runs]
        self.records.restore(told)
        graph = next((graph for graph, one in told if one.id == run.id), None)
        self.run = marked(run, graph, traces(graph or workflow, self._tools))
        self.made = made
        for one in sorted((*(one for _, one in told), *past, self.run), key=lambda one: one.time):
            self._find_origins(one.nodes)
            if one.id:
                self._remember(one)
        self.origins |= origins

    async def go(
        self, workflow: Workflow, upto: str | Collection[str] | None, told: Callable[[], None],
        again: Collection[str] = (), before: Run | None = None, asks: bool = False,
    ) -> None:  # fmt: skip
        """Runs it, or only the nodes `upto` with what they need; `again` as in Engine.run; `told` hears that `run`
        changed. Nodes that this run leaves alone keep in it the record that they have in `before`. Where it `asks`,
        what has to be told which thing of its picture is meant waits for that, and did not fail.

        Raises AppError when it cannot begin.
        """
        consent.check(workflow, upto, self._tools, self._state.agreed)
        life = self._life
        now = Run()
        known = self._standing.traces.of(workflow, afresh=True)
        self.run = before if before is not None else now

        def hear(batch: Sequence[Event]) -> None:
            nonlocal now
            if life == self._life:
                now = fold_all(now, self._named(batch))
                if any(isinstance(event, RunStarted) for event in batch):
                    now = marked(now, workflow, known)
                if asks and any(isinstance(event, NodeFailed | NodeSkipped | RunFinished) for event in batch):
                    now = waiting_for(now, {node for node, _ in mask_preview.untold(workflow, self._tools, now)})
                self.run = joined(before, now)
                told()

        async with self._free:  # the run of a conversation that was left may still be ending
            await self.engine.run(workflow, hear, upto, again)
        if life == self._life:
            self.records.keep(workflow, self.run)
            self._remember(self.run)
            told()

    def _named(self, batch: Sequence[Event]) -> list[Event]:
        """What was told, with results under names that nothing else in the conversation has."""
        return [self._with_names(event) if isinstance(event, NodeFinished) else event for event in batch]

    def _with_names(self, event: NodeFinished) -> NodeFinished:
        resources = self._state.known()

        def digest(name: str) -> str:
            return self._names.get(name) or (resources[name].digest if name in resources else "")

        outputs = named(event.outputs, digest)
        for value in outputs.values():
            self._names |= {one.name: one.digest for one in several(value)}
        return replace(event, outputs=outputs)

    def _remember(self, run: Run) -> None:
        """Keeps what was told of a run that ended, and forgets the earliest when there are many."""
        self.past.pop(run.id, None)
        self.past[run.id] = run
        nodes = itertools.accumulate(len(one.nodes) for one in reversed(self.past.values()))
        for id in list(self.past)[: -max(1, sum(count <= KEPT_NODES for count in nodes))]:
            del self.past[id]

    async def aside(self, workflow: Workflow, told: Callable[[], None]) -> Run:
        """Runs a workflow that is not shown: `run` stays as it is, `aside_run` tells how far this one is.

        Raises AppError when it cannot begin.
        """
        consent.check(workflow, None, self._tools, self._state.agreed)
        life, known = self._life, traces(workflow, self._tools)

        def hear(batch: Sequence[Event]) -> None:
            if life == self._life:
                self.aside_run = fold_all(self.aside_run, batch)
                told()

        try:
            async with self._free:
                run = await self.engine.run(workflow, hear)
            if life == self._life:
                run = marked(run, workflow, known)
                self.records.keep(workflow, run)
                self._find_origins(run.nodes)
        finally:
            if life == self._life:
                self.aside_run = Run()
        return run

    async def look(self, workflow: Workflow) -> Run:
        """Runs a small workflow of which nothing is shown and nothing kept. Raises AppError when it cannot begin."""
        async with self._free:
            return await self.engine.run(workflow, lambda _: None)

    def show(self, workflow: Workflow) -> None:
        """Another workflow takes the place of the one shown: with it, what came of that; not while a run goes on."""
        if not self.run.running:
            self.run = renamed(self.records.of(workflow), self._state.resources)
            self.made = {name: place for name, place in self.made.items() if place[0] not in self.run.nodes}
            self._told = {}
        self._gather()

    def taking_back(self) -> Callable[[], None]:
        """What undoes a `show` that comes next, when no run goes on then or began since."""
        run, made = self.run, dict(self.made)

        def take_back() -> None:
            if not run.running:
                self.run, self.made, self._told = run, dict(made), {}

        return take_back

    def went_on(self) -> None:
        """The run went on: its results are resources of the conversation."""
        self._gather()
        self._state.emit(Change.RUN)

    def _gather(self) -> None:
        """What the run made is a resource of the conversation; what takes the place of another comes last."""
        resources = self._state.resources
        for resource, news in self._results():
            if news:
                resources.pop(resource.name, None)
            resources[resource.name] = resource

    def _results(self) -> Iterator[tuple[Resource, bool]]:
        """Every resource that the run made since this was asked last, and whether it takes the place of what its node
        made before; `made` and `origins` know them from then on.
        """
        fresh = {id: node for id, node in self.run.nodes.items() if node.outputs and self._told.get(id) is not node}
        if not fresh:
            return
        self._told |= fresh
        self._find_origins(fresh)
        earlier: dict[tuple[str, str], set[str]] = {}
        for name, place in self.made.items():
            earlier.setdefault(place, set()).add(name)
        for id, node in fresh.items():
            for output, value in node.outputs.items():
                gone = earlier.get((id, output), set()) - {resource.name for resource in several(value)}
                for name in gone:
                    if self.made.get(name) == (id, output):
                        del self.made[name]
                for resource in several(value):
                    self.made[resource.name] = (id, output)
                    yield resource, bool(gone)

    def origin(self, resource: Resource) -> Origin | None:
        found = self.origins.get((resource.name, resource.digest))
        if found is None:
            return None
        ids = set(found.workflow.ids())  # what was known from another workflow goes by its id there
        node = next((id for id in (resource.made_by, found.node) if id in ids), "")
        return found._replace(node=node) if node else None

    def part_of(self, resource: Resource) -> Workflow | None:
        """The part of the workflow that made a result when it was run, whatever became of the graph since; None when
        nothing here did, or it is not known any more.
        """
        origin = self.origin(resource)
        return origin.workflow.part(origin.node, origin.output) if origin is not None else None

    def _find_origins(self, nodes: Mapping[str, NodeRun]) -> None:
        for id, node in nodes.items():
            if (workflow := node.workflow) is not None:
                for output, value in node.outputs.items():
                    for one in several(value):
                        self.origins[one.name, one.digest] = Origin(workflow, id, output)


def joined(before: Run | None, now: Run) -> Run:
    """The run, with the nodes that only the one before had: to this run, what they made was known."""
    if before is None or not now.id:
        return now
    known = {id: taken_over(node) if node.state == "done" else node for id, node in before.nodes.items()}
    return replace(now, nodes={**known, **now.nodes})
