"""The run of a conversation's workflow: its present record, and which node made which result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_app.resource import Resource
from desktop_app.run.record import Run, fold_all
from desktop_app.workflow import Workflow

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine
    from desktop_app.run.events import Event


class Running:
    """`run` is the record, `made` tells (node, output) by the name of the resource that was made there.

    `forget` begins anew: what a run of before still tells is no longer heard.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.run = Run()
        self.made: dict[str, tuple[str, str]] = {}
        self._free = asyncio.Lock()
        self._life = 0

    def forget(self) -> None:
        """Stops what runs, and starts with an empty record."""
        self.engine.cancel()
        self._life += 1
        self.run, self.made = Run(), {}

    def keep(self, run: Run, made: dict[str, tuple[str, str]]) -> None:
        """Takes over the record of a run that ended earlier."""
        self.run, self.made = run, made

    async def go(self, workflow: Workflow, upto: str | None, told: Callable[[], None]) -> None:
        """Runs it, or only the node `upto` with what it needs; `told` hears that `run` changed.

        Raises AppError when it cannot begin.
        """
        life = self._life
        self.run = Run()

        def hear(batch: Sequence[Event]) -> None:
            if life == self._life:
                self.run = fold_all(self.run, batch)
                told()

        async with self._free:  # the run of a conversation that was left may still be ending
            run = await self.engine.run(workflow, hear, upto)
        if life == self._life:
            self.run = run
            told()

    def results(self) -> Iterator[Resource]:
        """Every resource that the run made so far; `made` knows them from then on."""
        for id, node in self.run.nodes.items():
            for output, value in node.outputs.items():
                for resource in value if isinstance(value, tuple) else (value,):
                    self.made[resource.name] = (id, output)
                    yield resource
