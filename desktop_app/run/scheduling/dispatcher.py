"""Brings the jobs of one run to lanes, and back comes what became of each: an answer, or the death of its process.

Knows nothing of the graph. Of a chain of quick jobs a lane is given several ahead, so that not each pays for the way
to the lane and back; what comes of them counts when their turn has come, and only then. When memory runs out it tries
again, first with an emptied lane, then on the CPU.
"""

from __future__ import annotations

import asyncio
import bisect
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import psutil

from desktop_app.core.errors import AppError
from desktop_app.core.values import several
from desktop_app.run.cache.result_cache import is_many, items
from desktop_app.run.scheduling.job import Job
from desktop_app.run.workers.protocol import Message
from desktop_app.run.workers.worker_pool import WorkerPool
from desktop_app.run.workers.worker_process import Lane
from nodes import phrase
from nodes.api import NodeError
from nodes.phrase import Phrase

_FEW_AHEAD = 4  # chosen: a lane that still has more than that is given none
_MOST_AHEAD = 16  # chosen: quick jobs in a row that a lane is given at once
_SHOWN = 200
_LOOKED_AT = 32  # chosen: so many of the most urgent are looked through for a lane that has their model
_WORTH_A_LANE_SECONDS = 0.2  # chosen: about what it takes to start a process
_SMALL_BYTES = 200 << 20  # chosen: less is taken without asking how much memory is free


class JobListener(Protocol):
    """Who hears what became of the jobs. Called on the loop's thread."""

    def on_start(self, id: str, lane: str) -> None:
        """The job of that id was given to the lane of that name."""
        ...

    def on_progress(self, id: str, fraction: float, note: str, preview: str) -> None: ...

    def on_answer(self, id: str, message: Message) -> None:
        """The job ended: `message` as the worker says it."""
        ...

    def on_death(self, id: str, code: int, last_words: str, garbled: str, exceeded_bytes: int) -> None:
        """The process ended under the job; `garbled` and `exceeded_bytes` as in Lane: it was ended for that."""
        ...

    def on_no_lane(self, id: str, reason: str) -> None:
        """No process could be started for it."""
        ...

    def after(self, id: str, train: Collection[str]) -> Job | None:
        """A quick job that surely runs next after that one, if what is in `train` gives what it needs."""
        ...

    def on_turn(self) -> None:
        """Something ended: there may be new jobs, and lanes are free."""
        ...


class Dispatcher:
    """The jobs of a run that wait for lanes or run on them. `seconds` and `ranks` as in Queue."""

    def __init__(
        self,
        pool: WorkerPool,
        loop: asyncio.AbstractEventLoop,
        owner: JobListener,
        seconds: Mapping[str, float],
        ranks: Mapping[str, float],
    ) -> None:
        self._pool, self._loop, self._owner = pool, loop, owner
        self._queues = {kind: Queue(seconds, ranks) for kind in pool.kinds()}
        self._jobs: dict[str, Job] = {}
        self._running: dict[str, Lane] = {}
        self._made_in: dict[str, Lane] = {}
        self._emptied: set[str] = set()
        self._ahead: dict[str, Lane] = {}
        self._early: dict[str, Message] = {}
        self._serving: dict[str, asyncio.Task[None]] = {}
        for lane in pool.lanes():
            self._listen_to(lane)

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def runs(self, id: str) -> bool:
        return id in self._running

    def add(self, job: Job) -> None:
        """Queues a job, which `fill` starts; or finds that a lane has it already."""
        id = job.id
        self._jobs[id] = job
        lane = self._ahead.pop(id, None)
        answer = self._early.pop(id, None)
        if lane is None or (answer is None and lane.ended):
            self._queues[self._pool.kind(job.backend)].add(job)
            return
        self._running[id] = lane
        self._owner.on_start(id, lane.name)
        self._extend(lane)
        if answer is not None:
            self._ended(id, lane, answer)

    def remove(self, id: str) -> bool:
        return any(queue.remove(id) for queue in self._queues.values())

    def stop(self, id: str) -> None:
        """Asks a running job to stop; after the grace its process is killed."""
        self._running[id].cancel()

    def kill(self) -> list[str]:
        """Ends the processes under all running jobs at once, and returns their ids. Nothing is heard of them."""
        killed = list(self._running)
        for id in killed:
            self._leave(id)
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
                self._give(queue, *taken)

    def _new_lane(self, kind: str, queue: Queue) -> list[Lane]:
        living = self._pool.living(kind)
        if self._pool.full(kind) or (living and not queue.worth_another_lane()):
            return []
        try:
            lane = self._pool.start(kind, self._loop)
        except OSError as error:
            # While other lanes live the jobs can wait for those.
            for id in () if living else queue.clear():
                why = Phrase("A process could not be started ({why}).", why=error.strerror or error)
                self._owner.on_no_lane(id, why)
            return []
        assert lane is not None  # the pool is not full
        self._listen_to(lane)
        return [lane]

    def _listen_to(self, lane: Lane) -> None:
        lane.on_messages, lane.on_end = self._heard, self._lost

    def _give(self, queue: Queue, job: Job, lane: Lane) -> None:
        if not lane.send(job.message(lane.device)):
            queue.add(job)
            return
        self._running[job.id] = lane
        self._pool.memory_watch.wake()
        if job.backend.model:
            lane.models.add(job.backend.model)
        self._owner.on_start(job.id, lane.name)
        self._extend(lane)

    def _extend(self, lane: Lane) -> None:
        """Gives a lane that will soon be through with what it has the quick jobs that come after."""
        if lane.node is None or lane.stopping or len(lane.ahead) > _FEW_AHEAD:
            return
        train, messages = {lane.node, *lane.ahead}, []
        last = lane.ahead[-1] if lane.ahead else lane.node
        while len(train) <= _MOST_AHEAD and (job := self._owner.after(last, train)) is not None:
            if self._pool.kind(job.backend) != lane.kind:
                break
            last = job.id
            train.add(last)
            messages.append(job.message(lane.device))
            self._jobs[last], self._ahead[last] = job, lane
        if messages:
            lane.send_ahead(messages)

    def _heard(self, lane: Lane, messages: Sequence[Message]) -> None:
        for message in messages:
            if "progress" in message:
                self._progressed(lane, message)
                continue
            if "ask" in message:
                if not self._asked(lane, message):
                    return
                continue
            id = message.get("done") or message.get("failed") or message.get("cancelled")
            if id is None:
                continue
            if lane.node == id and self._fits(id, message):
                self._answered(id, lane, message)
                self._owner.on_turn()
            elif not lane.ended:
                lane.spoil(f"An answer that nobody asked for: {str(message)[:_SHOWN]}")
                return

    def _asked(self, lane: Lane, message: Message) -> bool:
        """Has a service of the program answer a job; false when that job may ask for none, which ends its lane."""
        job = self._jobs.get(message["ask"])
        allowed = job is not None and f"service:{message['service']}" in job.backend.requires
        if job is None or lane.node != job.id or job.backend.kind != "endpoint" or not allowed:
            lane.spoil(f"A request that it may not make: {str(message)[:_SHOWN]}")
            return False
        task = self._loop.create_task(self._serve(lane, job, message))
        self._serving[job.id] = task
        task.add_done_callback(lambda _: self._serving.pop(job.id, None))
        return True

    async def _serve(self, lane: Lane, job: Job, message: Message) -> None:
        services = self._pool.services
        try:
            if services is None:
                raise NodeError("No language model is connected here.", "", "Choose one in the settings.")
            answer = {"answer": await services.serve(job.tool.id, message["service"], message["request"])}
        except (AppError, NodeError) as error:
            answer = {"refused": [phrase.to_json(error.message), phrase.to_json(error.fix)]}
        if lane.node == job.id and not lane.ended:
            lane.reply(job.id, message["number"], answer)

    def _leave(self, id: str) -> None:
        """The job has ended: nobody waits any more for what it asked."""
        task = self._serving.pop(id, None)
        if task is not None:
            task.cancel()

    def _fits(self, id: str, message: Message) -> bool:
        """False for results that the job's tool does not give."""
        job = self._jobs.get(id)
        if job is None or "done" not in message:
            return True
        ports = {port.name: port.many for port in job.tool.outputs}
        kept = message["outputs"]
        return ports.keys() == kept.keys() and all(is_many(value) == ports[name] for name, value in kept.items())

    def _progressed(self, lane: Lane, message: Message) -> None:
        id = message["progress"]
        if lane.node == id and self._running.get(id) is lane and not lane.stopping:
            self._owner.on_progress(id, message["fraction"], message["note"], message["preview"])

    def _answered(self, id: str, lane: Lane, message: Message) -> None:
        stopping = lane.stopping
        self._leave(id)
        lane.free()
        if self._running.get(id) is lane:
            self._ended(id, lane, message, stopping)
        elif self._ahead.get(id) is lane:
            self._early[id] = message

    def _ended(self, id: str, lane: Lane, message: Message, stopping: bool = False) -> None:
        del self._running[id]
        if message.get("memory") and not stopping and self._tries_again(id, lane):
            return
        for item in items(message["outputs"]) if "done" in message else ():
            self._made_in[item[0]] = lane
        self._owner.on_answer(id, message)

    def _tries_again(self, id: str, lane: Lane) -> bool:
        """True when a job for which the memory was too small gets another chance, which the user is told."""
        job = self._jobs[id]
        others = lane.models - {job.backend.model}
        if id not in self._emptied and (lane.device != "cpu" or others):
            self._emptied.add(id)
            lane.kill()
            note, kind = Phrase("The memory of {lane} was full: it is emptied, and tries again", lane=lane.name), ""
        elif lane.device != "cpu":
            note = Phrase("The memory of {lane} is too small: runs on the CPU, which is slower", lane=lane.name)
            kind = "cpu"
        else:
            return False
        self._owner.on_progress(id, 0.0, note, "")
        self._queues[kind or self._pool.kind(job.backend)].add(job)
        return True

    def _lost(self, lane: Lane, code: int) -> None:
        dead, stopping = lane.node, lane.stopping
        self._leave(dead or "")
        lane.ahead.clear()
        lane.free()
        for id in [id for id, where in self._running.items() if where is lane]:
            del self._running[id]
            if stopping or (id == dead and not lane.unread):
                self._owner.on_death(id, code, lane.last_words, lane.garbled, lane.exceeded_bytes)
            else:  # the process was dead before it read of it, or it waited there behind one whose result was known
                self.add(self._jobs[id])
        self._owner.on_turn()


class Queue:
    """Jobs for lanes of one kind. `seconds` are estimates by node, `ranks` the critical path behind each."""

    def __init__(self, seconds: Mapping[str, float], ranks: Mapping[str, float]) -> None:
        self._seconds, self._ranks = seconds, ranks
        self._waiting: list[tuple[float, int, str]] = []  # the most urgent last
        self._jobs: dict[str, Job] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, job: Job) -> None:
        """Queues a job; of equals the first comes first."""
        self._count += 1
        bisect.insort(self._waiting, (self._ranks[job.node.id], -self._count, job.id))
        self._jobs[job.id] = job

    def remove(self, id: str) -> bool:
        """Takes a job out; False when it was not in."""
        if self._jobs.pop(id, None) is None:
            return False
        self._waiting = [entry for entry in self._waiting if entry[2] != id]
        return True

    def clear(self) -> list[str]:
        """Takes everything out and returns the ids of the jobs."""
        ids = [entry[2] for entry in self._waiting]
        self._waiting.clear()
        self._jobs.clear()
        return ids

    def worth_another_lane(self) -> bool:
        """True when so much waits that starting a process pays."""
        backlog = sum(self._seconds.get(self._jobs[entry[2]].node.id, 1.0) for entry in self._waiting[-256:])
        return backlog > _WORTH_A_LANE_SECONDS

    def take(self, idle: Sequence[Lane], made_in: Mapping[str, Lane], busy: bool) -> tuple[Job, Lane] | None:
        """The job to run next and where; None when nothing fits into memory beside what runs (`busy`).

        First a job whose model one of the `idle` lanes has loaded; then the head of the longest way to the end, in
        the lane that made its inputs (`made_in`, by content), where they still are in memory.
        """
        urgent = range(len(self._waiting) - 1, max(-1, len(self._waiting) - 1 - _LOOKED_AT), -1)
        if any(lane.models for lane in idle):
            for index in urgent:
                model = self._jobs[self._waiting[index][2]].backend.model
                lane = next((lane for lane in idle if model and model in lane.models), None)
                if lane is not None:
                    return self._pop(index), lane
        for index in urgent:
            job = self._jobs[self._waiting[index][2]]
            if not busy or _fits(job):
                return self._pop(index), _nearest(job, idle, made_in)
        return None

    def _pop(self, index: int) -> Job:
        return self._jobs.pop(self._waiting.pop(index)[2])


def _fits(job: Job) -> bool:
    wanted = job.backend.memory_bytes
    return wanted < _SMALL_BYTES or wanted <= psutil.virtual_memory().available


def _nearest(job: Job, idle: Sequence[Lane], made_in: Mapping[str, Lane]) -> Lane:
    if len(idle) == 1:
        return idle[0]
    near: Collection[Lane] = [made_in[digest] for digest in _contents(job) if digest in made_in]
    return next((lane for lane in idle if lane in near), idle[0])


def _contents(job: Job) -> list[str]:
    found = []
    for value in job.linked.values():
        found += [item.digest for item in several(value)]
    return found
