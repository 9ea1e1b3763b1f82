"""The run of a conversation's workflow: its present record, and which node made which result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from desktop_app.comparing.records import Records, renamed
from desktop_app.resource import Resource
from desktop_app.run.record import Run, fold_all
from desktop_app.workflow import Workflow
from nodes.api import Tool

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine
    from desktop_app.run.events import Event


class Running:
    """`run` is the record, `made` tells (node, output) by the name of the resource that was made there.

    `aside_run` is that of a run beside it, while it goes on; `records` has what came of every workflow that ran.
    `forget` begins anew: what a run of before still tells is no longer heard.
    """

    def __init__(self, engine: Engine, tools: Mapping[str, Tool] = MappingProxyType({})) -> None:
        self.engine = engine
        self._tools = tools
        self.records = Records(tools)
        self.run = self.aside_run = Run()
        self.made: dict[str, tuple[str, str]] = {}
        self._free = asyncio.Lock()
        self._life = 0

    def forget(self) -> None:
        """Stops what runs, and starts with an empty record."""
        self.engine.cancel()
        self._life += 1
        self.run, self.made, self.aside_run = Run(), {}, Run()
        self.records = Records(self._tools)

    def keep(self, run: Run, made: dict[str, tuple[str, str]]) -> None:
        """Takes over the record of a run that ended earlier."""
        self.run, self.made = run, made

    async def go(
        self, workflow: Workflow, upto: str | Collection[str] | None, told: Callable[[], None],
        again: Collection[str] = (), before: Run | None = None,
    ) -> None:  # fmt: skip
        """Runs it, or only the nodes `upto` with what they need; `again` as in Engine.run; `told` hears that `run`
        changed. Nodes that this run leaves alone keep in it the record that they have in `before`.

        Raises AppError when it cannot begin.
        """
        life = self._life
        now = Run()
        self.run = before if before is not None else now

        def hear(batch: Sequence[Event]) -> None:
            nonlocal now
            if life == self._life:
                now = fold_all(now, batch)
                self.run = joined(before, now)
                told()

        async with self._free:  # the run of a conversation that was left may still be ending
            run = await self.engine.run(workflow, hear, upto, again)
        if life == self._life:
            self.run = joined(before, run)
            self.records.keep(workflow, self.run)
            told()

    async def aside(self, workflow: Workflow, told: Callable[[], None]) -> Run:
        """Runs a workflow that is not shown: `run` stays as it is, `aside_run` tells how far this one is.

        Raises AppError when it cannot begin.
        """
        life = self._life

        def hear(batch: Sequence[Event]) -> None:
            if life == self._life:
                self.aside_run = fold_all(self.aside_run, batch)
                told()

        try:
            async with self._free:
                run = await self.engine.run(workflow, hear)
            if life == self._life:
                self.records.keep(workflow, run)
        finally:
            if life == self._life:
                self.aside_run = Run()
        return run

    def show(self, workflow: Workflow, resources: Mapping[str, Resource]) -> None:
        """Takes over what came of another workflow; `resources` are those of the conversation, whose names stay theirs.

        Does nothing while a run goes on.
        """
        if not self.run.running:
            self.run = renamed(self.records.of(workflow), resources)
            self.made = {name: place for name, place in self.made.items() if place[0] not in self.run.nodes}

    def results(self) -> Iterator[Resource]:
        """Every resource that the run made so far; `made` knows them from then on."""
        for id, node in self.run.nodes.items():
            for output, value in node.outputs.items():
                for resource in value if isinstance(value, tuple) else (value,):
                    self.made[resource.name] = (id, output)
                    yield resource


def joined(before: Run | None, now: Run) -> Run:
    """The run, with the nodes that only the one before had: to this run, what they made was known."""
    if before is None or not now.id:
        return now
    known = {
        id: replace(node, cached=True, start=0.0, seconds=0.0) if node.state == "done" else node
        for id, node in before.nodes.items()
    }
    return replace(now, nodes={**known, **now.nodes})
