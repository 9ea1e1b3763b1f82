"""Jobs that wait for a lane, and which of them goes to which lane next."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Mapping, Sequence

import psutil

from desktop_app.core.values import several
from desktop_app.run.scheduling.job import Job
from desktop_app.run.workers.worker_process import Lane

_LOOKED_AT = 32  # chosen: so many of the most urgent are looked through for a lane that has their model
_WORTH_A_LANE_SECONDS = 0.2  # chosen: about what it takes to start a process
_SMALL_BYTES = 200 << 20  # chosen: less is taken without asking how much memory is free


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
