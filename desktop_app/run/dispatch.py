"""Brings the jobs of one run to lanes, and back comes what became of each: an answer, or the death of its process.

Knows nothing of the graph. When memory runs out it tries again, first with an emptied lane, then on the CPU.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from desktop_app.run.jobs import Job
from desktop_app.run.lane import Lane, Message
from desktop_app.run.pool import Pool
from desktop_app.run.queues import Queue


class Owner(Protocol):
    """Who hears what became of the jobs. Called on the loop's thread."""

    def on_start(self, id: str, lane: str) -> None:
        """The node was given to the lane of that name."""
        ...

    def on_progress(self, id: str, fraction: float, note: str, preview: str) -> None:
        """The node reported."""
        ...

    def on_answer(self, id: str, message: Message) -> None:
        """The node ended: `message` as the worker says it."""
        ...

    def on_death(self, id: str, code: int, last_words: str) -> None:
        """The process ended under the node."""
        ...

    def on_no_lane(self, id: str, reason: str) -> None:
        """No process could be started for it."""
        ...

    def on_turn(self) -> None:
        """Something ended: there may be new jobs, and lanes are free."""
        ...


class Dispatcher:
    """The jobs of a run that wait for lanes or run on them. `seconds` and `ranks` as in Queue."""

    def __init__(
        self,
        pool: Pool,
        loop: asyncio.AbstractEventLoop,
        owner: Owner,
        seconds: Mapping[str, float],
        ranks: Mapping[str, float],
    ) -> None:
        self._pool, self._loop, self._owner = pool, loop, owner
        self._queues = {kind: Queue(seconds, ranks) for kind in pool.kinds()}
        self._jobs: dict[str, Job] = {}
        self._running: dict[str, Lane] = {}
        self._made_in: dict[str, Lane] = {}
        self._emptied: set[str] = set()
        for lane in pool.lanes():
            self._listen_to(lane)

    @property
    def busy(self) -> bool:
        """True while a node runs."""
        return bool(self._running)

    def runs(self, id: str) -> bool:
        """True while that node runs."""
        return id in self._running

    def add(self, job: Job) -> None:
        """Queues a job; `fill` starts it."""
        self._jobs[job.node.id] = job
        self._queues[self._pool.kind(job.backend)].add(job)

    def remove(self, id: str) -> bool:
        """Takes a job out of the queue; False when it was not in."""
        return any(queue.remove(id) for queue in self._queues.values())

    def stop(self, id: str) -> None:
        """Asks a running node to stop; after the grace its process is killed."""
        self._running[id].cancel()

    def kill(self) -> list[str]:
        """Ends the processes under all running nodes at once, and returns those nodes. Nothing is heard of them."""
        killed = list(self._running)
        for lane in self._running.values():
            lane.kill()
            lane.free()
        self._running.clear()
        return killed

    def fill(self) -> None:
        """Gives waiting jobs to idle lanes, and starts lanes when enough waits."""
        for kind, queue in self._queues.items():
            while queue:
                idle = self._pool.idle(kind) or self._new_lane(kind, queue)
                if not idle and not self._pool.living(kind):
                    continue  # all failed that waited, which may have let others in
                taken = queue.take(idle, self._made_in, self.busy) if idle else None
                if taken is None:
                    break
                self._give(*taken)

    def _new_lane(self, kind: str, queue: Queue) -> list[Lane]:
        living = self._pool.living(kind)
        if self._pool.full(kind) or (living and not queue.worth_another_lane()):
            return []
        try:
            lane = self._pool.start(kind, self._loop)
        except OSError as error:
            # While other lanes live the jobs can wait for those.
            for id in () if living else queue.clear():
                self._owner.on_no_lane(id, f"A process could not be started ({error.strerror or error}).")
            return []
        assert lane is not None  # the pool is not full
        self._listen_to(lane)
        return [lane]

    def _listen_to(self, lane: Lane) -> None:
        lane.on_messages, lane.on_end = self._heard, self._lost

    def _give(self, job: Job, lane: Lane) -> None:
        if not lane.send(job.message(lane.device)):
            self.add(job)
            return
        self._running[job.node.id] = lane
        if job.backend.model:
            lane.models.add(job.backend.model)
        self._owner.on_start(job.node.id, lane.name)

    def _heard(self, lane: Lane, messages: Sequence[Message]) -> None:
        for message in messages:
            if "progress" in message:
                self._progressed(lane, message)
                continue
            id = message.get("done") or message.get("failed") or message.get("cancelled")
            if id is not None and lane.node == id:
                self._answered(id, lane, message)
        self._owner.on_turn()

    def _progressed(self, lane: Lane, message: Message) -> None:
        id = message["progress"]
        if lane.node == id and not lane.stopping:
            self._owner.on_progress(id, message["fraction"], message["note"], message["preview"])

    def _answered(self, id: str, lane: Lane, message: Message) -> None:
        stopping = lane.stopping
        lane.free()
        del self._running[id]
        if message.get("memory") and not stopping and self._tries_again(id, lane):
            return
        if "done" in message:
            self._made_in[id] = lane
        self._owner.on_answer(id, message)

    def _tries_again(self, id: str, lane: Lane) -> bool:
        """True when a job for which the memory was too small gets another chance, which the user is told."""
        job = self._jobs[id]
        others = lane.models - {job.backend.model}
        if id not in self._emptied and (lane.device != "cpu" or others):
            self._emptied.add(id)
            lane.kill()
            note, kind = f"The memory of {lane.name} was full: it is emptied, and tries again", ""
        elif lane.device != "cpu":
            note, kind = f"The memory of {lane.name} is too small: runs on the CPU, which is slower", "cpu"
        else:
            return False
        self._owner.on_progress(id, 0.0, note, "")
        self._queues[kind or self._pool.kind(job.backend)].add(job)
        return True

    def _lost(self, lane: Lane, code: int) -> None:
        id = lane.node
        lane.free()
        if id is not None and self._running.get(id) is lane:
            del self._running[id]
            self._owner.on_death(id, code, lane.last_words)
        self._owner.on_turn()
