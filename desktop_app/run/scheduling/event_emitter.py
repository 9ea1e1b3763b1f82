"""What a run tells of its nodes: events with their times and estimates, and how many nodes ended how.

Must not know what is to be run next.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

from desktop_app.run.backends.selection import Fault, SelectedBackend
from desktop_app.run.cache.cache_keys import Linked
from desktop_app.run.events import events
from desktop_app.run.events.batching import Delivery
from desktop_app.run.scheduling.durations import seconds_left
from desktop_app.run.workers import notices
from nodes.phrase import joined

Pairs = tuple[tuple[str, str], ...]


class EventEmitter:
    """Of one run. `notice` is what the user should know though no node failed by it."""

    def __init__(self, run: str, delivery: Delivery) -> None:
        self.notice = ""
        self._run, self._delivery = run, delivery
        self._start = time.perf_counter()
        self._began: dict[str, float] = {}
        self._counts: Counter[str] = Counter()

    def begin(self, order: tuple[str, ...], usual: Mapping[str, float]) -> None:
        self._start = time.perf_counter()
        self._delivery.add(events.RunStarted(self._run, order, time.time(), usual))

    def queued(self, id: str) -> None:
        self._delivery.add(events.NodeQueued(id))

    def started(self, id: str, lane: str, usual: float | None, backend: str) -> None:
        """A lane took the node, or the first of its items."""
        self._began[id] = now = self._time()
        self._delivery.add(events.NodeStarted(id, lane, now, seconds_left(0.0, 0.0, usual), backend))

    def progress(
        self, id: str, fraction: float, note: str, preview: str, usual: float | None, going: events.Items = ()
    ) -> None:
        left = seconds_left(self.seconds_of(id), fraction, usual)
        self._delivery.add(events.NodeProgress(id, fraction, note, preview, left, going))

    def seconds_of(self, id: str) -> float:
        return self._time() - self._began[id] if id in self._began else 0.0

    def done(
        self, id: str, outputs: Mapping[str, Linked], seconds: float, cached: bool, choice: SelectedBackend,
        items: int = 0, failed: Pairs = (), notice: str = "",
    ) -> None:  # fmt: skip
        """The node has its result; of several `items` some may have `failed`."""
        self._counts["done"] += 1
        self._counts["cached"] += cached
        said = notice or joined(choice.notice, notices.found(outputs))
        end = events.NodeFinished(id, outputs, seconds, cached, self._time(), choice.backend.id, items, failed, said)
        self._delivery.add(end)

    def note(self, text: str) -> None:
        """One more thing that the user should know at the end."""
        self.notice = joined(self.notice, text)

    def failed(self, id: str, fault: Fault, seconds: float = 0.0, failed: Pairs = ()) -> None:
        self._counts["failed"] += 1
        told = (fault.message, fault.port, fault.fix, fault.cause, seconds, self._time(), fault.other, fault.model)
        self._delivery.add(events.NodeFailed(id, *told, failed))

    def skipped(self, id: str, because: str, cause: str = "") -> None:
        self._counts["skipped"] += 1
        self._delivery.add(events.NodeSkipped(id, because, cause))

    def cancelled(self, id: str) -> None:
        self._counts["cancelled"] += 1
        self._delivery.add(events.NodeCancelled(id))

    def end(self, trouble: str) -> None:
        """The run is over; `trouble` is what went wrong with remembering results, or "". Hands on all that waits."""
        outcome = "failed" if self._counts["failed"] else "cancelled" if self._counts["cancelled"] else "ok"
        notice = joined(*dict.fromkeys((self.notice, trouble)))
        self._delivery.add(events.RunFinished(self._run, outcome, self._time(), dict(self._counts), notice))
        self._delivery.flush()

    def _time(self) -> float:
        return time.perf_counter() - self._start
