"""What is being fetched for this program: models and their runtime, one after the other, told as they come.

Verbs are called on the thread of the loop, and listeners are told there. What is not finished when the program ends
stays on the disk and is offered to be gone on with.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from desktop_app.core.errors import AppError, DownloadFailed
from desktop_app.models import runtime, store
from desktop_app.models.catalogue import find
from nodes.phrase import Phrase

WAITING, LOOKING, FETCHING, INSTALLING, PAUSED, FAILED, DONE = (
    "waiting", "looking", "fetching", "installing", "paused", "failed", "done",
)  # fmt: skip
GOING = (WAITING, LOOKING, FETCHING, INSTALLING)
_TICK_SECONDS = 0.1
_SPEED_SECONDS = 5.0  # chosen: the speed is that of the last seconds


@dataclass(frozen=True)
class Download:
    """`id` is that of a model, or runtime.ID. `state` is one of the words above; `message` and `fix` say why it failed.

    `speed` is in bytes a second over the last few seconds, 0 before it is known.
    """

    id: str
    title: str
    state: str = WAITING
    done_bytes: int = 0
    total_bytes: int = 0
    speed: float = 0.0
    message: str = ""
    fix: str = ""

    @property
    def fraction(self) -> float:
        """0..1."""
        return min(1.0, self.done_bytes / self.total_bytes) if self.total_bytes else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None while it is not known."""
        left = self.total_bytes - self.done_bytes
        return left / self.speed if self.speed > 0 and self.state == FETCHING else None


class Speed:
    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def at(self, now: float, done: int) -> float:
        """Bytes a second, with `done` of them at the time `now`; 0 before one can tell."""
        self._seen.append((now, done))
        while now - self._seen[0][0] > _SPEED_SECONDS and len(self._seen) > 2:
            self._seen.popleft()
        (first, before) = self._seen[0]
        return max(0.0, (done - before) / (now - first)) if now - first > _TICK_SECONDS else 0.0


class Stopped(Exception):
    pass


class _Job:
    """One of them: how far it is, what tells its thread to stop, and what those wait for who want it."""

    def __init__(self, download: Download, end: asyncio.Future[bool]) -> None:
        self.download, self.end = download, end
        self.stop = threading.Event()
        self.task: asyncio.Task[None] | None = None


class Downloads:
    def __init__(self) -> None:
        self._jobs: dict[str, _Job] = {}
        self._listeners: list[Callable[[], None]] = []
        self._turn: asyncio.Lock | None = None

    @property
    def all(self) -> Mapping[str, Download]:
        """By id; also those that have ended in this program, until they are asked for again."""
        return {id: job.download for id, job in self._jobs.items()}

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls it when anything of `all` has changed, at most ten times a second for each."""
        self._listeners.append(listener)

    def forget_all(self) -> None:
        """Calls nobody any more: their window is gone."""
        self._listeners.clear()

    def forget(self, listener: Callable[[], None]) -> None:
        with contextlib.suppress(ValueError):
            self._listeners.remove(listener)

    async def get(self, ids: Iterable[str]) -> bool:
        """Fetches these; true when all are there. While one is paused it waits for what becomes of it."""
        jobs = [self.begin(id) for id in dict.fromkeys(ids)]
        return all(await asyncio.gather(*(asyncio.shield(job) for job in jobs)))

    def begin(self, id: str) -> asyncio.Future[bool]:
        """Begins to fetch it, or goes on; what it gives is told by the future: true when it is there.

        Raises BadRequest for an unknown id.
        """
        title = runtime.TITLE if id == runtime.ID else find(id).title
        job = self._jobs.get(id)
        if job is None or job.download.state in (DONE, FAILED) or job.end.done():
            job = self._jobs[id] = _Job(Download(id, title), asyncio.get_running_loop().create_future())
        if job.task is None or job.stop.is_set():
            job.stop.clear()
            job.task = job.task or asyncio.ensure_future(self._work(job))
            self._tell(job, state=WAITING, message="", fix="")
        return job.end

    def pause(self, id: str) -> None:
        """Pauses it, and says so at once; its thread may learn of that later, when the server says something."""
        job = self._jobs.get(id)
        if job is not None and job.task is not None and not job.stop.is_set():
            job.stop.set()
            self._tell(job, state=PAUSED, speed=0.0)

    def drop(self, id: str) -> None:
        """Gives it up; what has arrived stays until it is removed. Its thread ends when the server says something."""
        job = self._jobs.pop(id, None)
        if job is None:
            return
        job.stop.set()
        if not job.end.done():
            job.end.set_result(False)
        self.tell()

    def close(self) -> None:
        for id in list(self._jobs):
            self.drop(id)

    async def _work(self, job: _Job) -> None:
        self._turn = self._turn or asyncio.Lock()
        try:
            async with self._turn:
                fetched = await self._as_wanted(job)
        except AppError as error:
            job.task = None
            self._tell(job, state=FAILED, message=error.message, fix=error.fix, speed=0.0)
        else:
            job.task = None
            self._tell(job, state=DONE if fetched else PAUSED, speed=0.0)
        if job.download.state in (DONE, FAILED) and not job.end.done():
            job.end.set_result(job.download.state == DONE)

    async def _as_wanted(self, job: _Job) -> bool:
        """Fetches it; false when it is paused. Who goes on before its thread has learned of the pause is served."""
        while not job.stop.is_set():
            self._tell(job, state=LOOKING)
            try:
                await self._on_thread(job)
            except Stopped:
                continue
            return True
        return False

    async def _on_thread(self, job: _Job) -> None:
        """Fetches on a thread that a server which says nothing cannot make the program wait for at its end."""
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()

        def end(error: BaseException | None) -> None:
            if not over.done():
                over.set_result(None) if error is None else over.set_exception(error)

        def work() -> None:
            error: BaseException | None = None
            try:
                self._fetch(job, loop)
            except (AppError, Stopped) as raised:
                error = raised
            with contextlib.suppress(RuntimeError):  # the loop was closed
                loop.call_soon_threadsafe(end, error)

        threading.Thread(target=work, name=f"download {job.download.id}", daemon=True).start()
        await over

    def _fetch(self, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        """On a thread of its own. Raises AppError, or Stopped."""
        speed, last = Speed(), 0.0

        def report(done: int, total: int, name: str) -> None:
            nonlocal last
            if job.stop.is_set():
                raise Stopped
            now = time.monotonic()
            if now - last < _TICK_SECONDS and done < total:
                return
            last = now
            state = FETCHING if name else INSTALLING if total and done >= total else LOOKING
            fields = {"state": state, "done_bytes": done, "total_bytes": total, "speed": speed.at(now, done)}
            with contextlib.suppress(RuntimeError):  # the loop was closed
                loop.call_soon_threadsafe(self._tell_going, job, fields)

        try:
            if job.download.id == runtime.ID:
                runtime.install(report)
            else:
                store.download(find(job.download.id), report)
        except (AppError, Stopped):
            raise
        except Exception as error:  # the edge: whatever is wrong with a server ends as a failed download
            raise DownloadFailed(
                Phrase("'{id}' could not be fetched: {error}.", id=job.download.title, error=f"{error!r}"[:300])
            ) from error

    def _tell_going(self, job: _Job, fields: Mapping[str, object]) -> None:
        if job.task is not None and not job.stop.is_set():
            self._tell(job, **fields)

    def _tell(self, job: _Job, **fields: object) -> None:
        job.download = replace(job.download, **fields)  # type: ignore[arg-type]
        self.tell()

    def tell(self) -> None:
        for listener in list(self._listeners):
            listener()
