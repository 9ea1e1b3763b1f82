"""Events on their way to the listener: gathered into batches, at most 30 a second, newest progress only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from desktop_app.run.events.events import Event, NodeProgress

_TICK = 1 / 30


class Delivery:
    """Takes events one by one on the loop's thread and hands them on as batches, the first of a quiet time at once.

    `keep` is called with each batch before the listener is: what is told is already safe. A listener that raises
    is reported to the loop and called again.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        keep: Callable[[Sequence[Event]], None],
        listener: Callable[[Sequence[Event]], None],
    ) -> None:
        self._loop, self._keep, self._listener = loop, keep, listener
        self._waiting: list[Event] = []
        self._progress: dict[str, int] = {}
        self._last = -1.0
        self._timer: asyncio.Handle | None = None

    def add(self, event: Event) -> None:
        """Takes an event. Progress takes the place of older progress of its node that has not left yet."""
        if isinstance(event, NodeProgress):
            index = self._progress.get(event.node)
            if index is not None:
                self._waiting[index] = event
                return
            self._progress[event.node] = len(self._waiting)
        else:
            self._progress.pop(getattr(event, "node", ""), None)
        self._waiting.append(event)
        if self._timer is None:
            delay = self._last + _TICK - self._loop.time()
            self._timer = self._loop.call_later(delay, self.flush) if delay > 0 else self._loop.call_soon(self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        batch, self._waiting = tuple(self._waiting), []
        self._progress.clear()
        self._keep(batch)
        try:
            self._listener(batch)
        except Exception as error:  # an edge: a window's fault must not stop the run
            self._loop.call_exception_handler({"message": "The listener of a run failed", "exception": error})
        self._last = self._loop.time()
