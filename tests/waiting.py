"""Waiting for what is on its way, however long a busy machine takes for it; never for a span of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which what should come does not."""


async def until(true: Callable[[], object]) -> None:
    """Waits until `true()` is. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


async def turns(count: int = 20) -> None:
    """Lets everything of the loop that can go on do so, and what goes on because of that."""
    for _ in range(count):
        await asyncio.sleep(0)


class FakeTimeLoop(asyncio.SelectorEventLoop):
    """A loop whose clock moves only when all of it waits, and then at once to the next timer: nothing takes time.

    For coroutines and timers; threads and processes are not waited for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        waiting = self._selector.select

        def select_now(timeout: float | None = None):
            self._now += timeout or 0.0
            return waiting(0)

        self._selector.select = select_now  # type: ignore[method-assign]

    def time(self) -> float:
        return self._now
