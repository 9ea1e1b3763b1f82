"""The jobs of one run by what they make: what is known is not computed, equal jobs are computed once, the rest goes to
lanes. Knows nothing of the graph; says what became of each job to its owner. All on the loop's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Protocol

from desktop_app.run.backends.selection import Backends, Fault
from desktop_app.run.cache.cache_keys import key_of
from desktop_app.run.cache.result_cache import Kept, ResultCache, items
from desktop_app.run.scheduling.dispatcher import Dispatcher
from desktop_app.run.scheduling.job import Job
from desktop_app.run.workers.protocol import Message
from desktop_app.run.workers.worker_pool import WorkerPool
from desktop_app.run.workers.worker_process import words_of_end
from nodes.phrase import Phrase

_AT_ONCE_BYTES = 2 << 20
_AT_ONCE_FILES = 1000
"""Up to so much, in so many files, is looked through while the window waits: a few milliseconds."""


class RunListener(Protocol):
    """Who hears what became of the jobs."""

    def on_queued(self, job: Job) -> None:
        """Its result is not known: it waits."""
        ...

    def on_started(self, job: Job, lane: str) -> None:
        """The lane of that name took it."""
        ...

    def on_progress(self, job: Job, fraction: float, note: str, preview: str) -> None: ...

    def on_done(self, job: Job, kept: Kept, seconds: float, cached: bool) -> None: ...

    def on_failed(self, job: Job, fault: Fault, seconds: float) -> None: ...

    def on_stopped(self, job: Job) -> None:
        """It was running, and ended because that was asked for."""
        ...

    def after(self, id: str, train: Collection[str]) -> Job | None: ...

    def on_turn(self) -> None: ...


class Work:
    """What is begun ends with exactly one of `on_done`, `on_failed` and `on_stopped`, unless it is dropped."""

    def __init__(
        self,
        pool: WorkerPool,
        loop: asyncio.AbstractEventLoop,
        cache: ResultCache,
        backends: Backends,
        owner: RunListener,
        seconds: Mapping[str, float],
        ranks: Mapping[str, float],
        again: frozenset[str] = frozenset(),
    ) -> None:
        """`seconds` and `ranks` of nodes as in Queue; what the nodes `again` give is computed even when it is known."""
        self._again, self._loop = again, loop
        self._cache, self._backends, self._owner = cache, backends, owner
        self._dispatcher = Dispatcher(pool, loop, self, seconds, ranks)
        self._jobs: dict[str, Job] = {}
        self._keys: dict[str, bytes | None] = {}
        self._flights: dict[bytes, list[str]] = {}
        self._stopping: set[str] = set()
        self._checked: set[str] = set()
        self._retried: set[str] = set()

    @property
    def busy(self) -> bool:
        """True while a job runs, or a large result is read through."""
        return self._dispatcher.busy or bool(self._checked)

    def knows(self, id: str) -> bool:
        return id in self._keys

    def begin(self, job: Job) -> None:
        """Takes the result if it is known, else queues the job, which `fill` starts."""
        id, key = job.id, None
        if job.tool.cacheable:
            key = key_of(job.tool, job.backend, job.node.values, job.linked, job.choice.models)
        self._keys[id] = key
        kept = self._cache.find(key) if key is not None and job.node.id not in self._again else None
        if kept is not None and kept.keys() != {port.name for port in job.tool.outputs}:
            kept = None
        beside = kept is not None and len(items(kept)) > _AT_ONCE_FILES
        unread = self._cache.unread_bytes(kept) if kept is not None and not beside else -1
        beside = beside or unread > _AT_ONCE_BYTES
        if kept is not None and (unread == 0 or (unread > 0 and not beside and self._cache.whole(kept))):
            self._owner.on_done(job, kept, 0.0, True)
            return
        self._jobs[id] = job
        self._owner.on_queued(job)
        if key is not None and key in self._flights:
            self._flights[key].append(id)  # the same is being computed already
        elif kept is not None and key is not None and beside:
            self._check_beside(id, key, kept)
        else:
            self._enqueue(id)

    def _check_beside(self, id: str, key: bytes, kept: Kept) -> None:
        """Reads a large result through on another thread; then it is taken, or computed when it is damaged."""
        self._flights[key] = []
        self._checked.add(id)
        reading = self._loop.run_in_executor(None, self._cache.whole, kept)
        reading.add_done_callback(lambda done: self._on_checked(id, kept, done))

    def _on_checked(self, id: str, kept: Kept, done: asyncio.Future[bool]) -> None:
        if id not in self._checked or done.cancelled():
            return  # it was dropped meanwhile
        self._checked.remove(id)
        if done.exception() is None and done.result():
            self._owner.on_done(self._jobs[id], kept, 0.0, True)
            self._share(id, kept)
        else:
            self._enqueue(id)
        self._owner.on_turn()

    def fill(self) -> None:
        self._dispatcher.fill()

    def runs(self, id: str) -> bool:
        return self._dispatcher.runs(id)

    def stop(self, id: str) -> None:
        """Asks a running job to end; `on_stopped` follows."""
        self._stopping.add(id)
        self._dispatcher.stop(id)

    def drop(self, id: str) -> None:
        """Forgets a job that waits in the queue or for the result of another. Nothing is heard of it."""
        if id in self._checked or self._dispatcher.remove(id):
            self._checked.discard(id)
            self._promote(id)
            return
        for followers in self._flights.values():
            if id in followers:
                followers.remove(id)

    def kill(self) -> list[Job]:
        """Ends the processes under all running jobs and returns these. Nothing is heard of them."""
        return [self._jobs[id] for id in self._dispatcher.kill()]

    # What lanes say

    def on_start(self, id: str, lane: str) -> None:
        self._owner.on_started(self._jobs[id], lane)

    def on_progress(self, id: str, fraction: float, note: str, preview: str) -> None:
        self._owner.on_progress(self._jobs[id], fraction, note, preview)

    def after(self, id: str, train: Collection[str]) -> Job | None:
        return self._owner.after(id, train)

    def on_turn(self) -> None:
        self._owner.on_turn()

    def on_answer(self, id: str, message: Message) -> None:
        job, seconds = self._jobs[id], message["seconds"]
        if "done" in message:
            kept = message["outputs"]
            self._cache.put(self._keys[id], kept, seconds, job.tool.id, job.backend.id, job.size)
            if id not in self._stopping:
                self._owner.on_done(job, kept, seconds, False)
                self._share(id, kept)
                return
        if "damaged" in message:
            self._cache.remove_damaged(message["damaged"])
        if id not in self._stopping | self._retried and not message.keys().isdisjoint(("damaged", "cancelled")):
            # What lay in the way is gone; or the lane left it out, as it had been given the job before what went wrong.
            self._retried.add(id)
            self._dispatcher.add(job)
            return
        if id in self._stopping or "cancelled" in message:
            self._owner.on_stopped(job)
        else:
            said = job.reworded(message["message"])
            fault = Fault(said, message["port"], message["fix"], message["cause"])
            if not fault.port:
                fault = self._backends.with_others(fault, job.tool, job.backend)
            self._owner.on_failed(job, fault, seconds)
        self._promote(id)

    def on_death(self, id: str, code: int, last_words: str, garbled: str, exceeded_bytes: int) -> None:
        job = self._jobs[id]
        if id in self._stopping:
            self._owner.on_stopped(job)
        else:
            fault = _garbled(job, garbled, last_words) if garbled else _death(job, code, last_words)
            if exceeded_bytes:
                fault = _exceeded(job, exceeded_bytes)
            self._owner.on_failed(job, self._backends.with_others(fault, job.tool, job.backend), 0.0)
        self._promote(id)

    def on_no_lane(self, id: str, reason: str) -> None:
        self._owner.on_failed(self._jobs[id], Fault(reason, "", "Close other programs and run again."), 0.0)
        self._promote(id)

    # Equal jobs

    def _enqueue(self, id: str) -> None:
        key = self._keys[id]
        if key is not None:
            self._flights.setdefault(key, [])
        self._dispatcher.add(self._jobs[id])

    def _share(self, id: str, kept: Kept) -> None:
        """Gives a result to the jobs that waited for the same."""
        for follower in self._flights.pop(self._keys[id] or b"", ()):
            self._owner.on_done(self._jobs[follower], kept, 0.0, True)

    def _promote(self, id: str) -> None:
        """A job did not finish: the next that waited for the same result computes it."""
        followers = self._flights.pop(self._keys[id] or b"", [])
        if followers:
            self._enqueue(followers[0])
            key = self._keys[followers[0]]
            assert key is not None
            self._flights[key] = followers[1:]


def _death(job: Job, code: int, last_words: str) -> Fault:
    said = Phrase(
        "The process that ran {tool} ended ({words_of_end}).",
        tool=Phrase(job.tool.title, "tools"),
        words_of_end=words_of_end(code),
    )
    return Fault(said, "", "Run again; if it happens again, try something smaller or other values.", last_words)


def _exceeded(job: Job, limit_bytes: int) -> Fault:
    said = Phrase(
        "{tool} took more memory than the {limit_bytes} GB that it may take here, and was ended.",
        tool=Phrase(job.tool.title, "tools"),
        limit_bytes=f"{limit_bytes / 1e9:.1f}",
    )
    return Fault(said, "", "Work on something smaller, or choose another back end.")


def _garbled(job: Job, found: str, last_words: str) -> Fault:
    said = Phrase(
        "The tool has a fault: {tool} wrote into the pipe through which its process reports to "
        "Graphwright, so that process was ended.",
        tool=Phrase(job.tool.title, "tools"),
    )
    fix = "Try other values or another back end, and report the fault."
    return Fault(said, "", fix, f"{found}\n{last_words}".strip())
