"""The engine: runs workflows on lanes, one after the other, and tells what happens as events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence

from desktop_app.errors import StorageError
from desktop_app.history import History
from desktop_app.paths import home
from desktop_app.resource import Store
from desktop_app.run import available, events, record
from desktop_app.run.cache import ResultCache
from desktop_app.run.delivery import Delivery
from desktop_app.run.events import Event
from desktop_app.run.execution import Execution
from desktop_app.run.pool import Pool, clear_scratch
from desktop_app.run.record import Run
from desktop_app.run.recording import KEPT, Recording, close_lost
from desktop_app.run.tidy import Tidy
from desktop_app.workflow import Workflow
from nodes.api import Tool

CAP_BYTES = 20 << 30


class Engine:
    """Holds the lanes and the cache. All verbs are called on the thread of the loop that runs `run`.

    `lost` has the ids of runs that an earlier program left without an end: it died in them. When nothing ran for
    `idle_seconds`, models are dropped from memory. After a run that leaves more than `cap_bytes` of results on disk,
    those cheapest to compute again go, but for what this program or a kept conversation shows.
    """

    def __init__(self, store: Store, history: History, tools: Mapping[str, Tool], cpu_lanes: int | None = None) -> None:
        self._store, self._history, self._tools = store, history, tools
        self._pool = Pool(store.folder, cpu_lanes)
        self._execution: Execution | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._written: tuple[Workflow | None, str] = (None, "")
        self._tidy = Tidy(store)
        self.idle_seconds = 600.0
        self.cap_bytes = CAP_BYTES
        self.lost = close_lost(home() / "runs")
        for run in self.lost:
            with contextlib.suppress(StorageError):
                history.end_run(run, "lost", 0.0)
        with contextlib.suppress(StorageError):
            history.forget_runs(KEPT)
        clear_scratch()

    async def run(
        self, workflow: Workflow, listener: Callable[[Sequence[Event]], None], upto: str | None = None
    ) -> Run:
        """Runs the workflow, or only the node `upto` and what it needs, and returns the record of the run.

        Nodes fail by events, never by exceptions. Raises BadWorkflow when there is a circle or no such node, and
        RuntimeError while another run goes on. Cancelling the task cancels the run.
        """
        if self._execution is not None:
            raise RuntimeError("This engine is running a workflow already.")
        loop = asyncio.get_running_loop()
        self._rest(None)
        await self._tidy.done()
        if self._execution is not None:
            raise RuntimeError("This engine is running a workflow already.")
        available.look_again()
        self._pool.bind(loop)
        cache = ResultCache(self._history, self._store)
        id = f"{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:8]}"
        keeper = _Keeper(id, cache, listener)
        delivery = Delivery(loop, keeper.keep, keeper.tell)
        self._execution = execution = Execution(
            id, workflow, upto, self._tools, self._history, cache, self._pool, loop, delivery
        )
        try:
            try:
                await asyncio.sleep(0)  # a large graph takes a while to prepare: the window breathes between the steps
                self._remember_start(id, workflow, cache)
                await asyncio.sleep(0)
                execution.notice = keeper.open()
                execution.start()
                await asyncio.shield(execution.finished)
            except asyncio.CancelledError:
                execution.abort()
                raise
        finally:
            self._execution = None
            keeper.close()
            self._remember_end(id, keeper.run)
            self._rest(loop)
            self._tidy.visible |= {*keeper.made, *(resource.digest for resource in workflow.resources)}
            self._tidy.after(self._history.path, cache.put_bytes, self.cap_bytes)
        return keeper.run

    def cancel(self, node: str | None = None) -> None:
        """Stops a node of the run, or the whole run. Returns at once; nothing happens when none goes on."""
        if self._execution is not None:
            self._execution.cancel(node)

    def warm(self) -> None:
        """Starts the lanes ahead of the first run. To be called while a loop runs."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while self._pool.start("cpu", loop) is not None:
                pass

    def release(self) -> int:
        """Gives back the memory of models that no node is using now; returns how many processes ended for it."""
        return self._pool.release()

    async def close(self) -> None:
        """Ends the run, if one goes on, and all lanes."""
        self._rest(None)
        execution = self._execution
        if execution is not None:
            execution.abort()
            await execution.finished
        for lane in self._pool.close():
            await lane.gone()
        await self._tidy.done()

    def _rest(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Starts the clock after which models are dropped, or with None stops it."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = loop.call_later(self.idle_seconds, self.release) if loop else None

    def _remember_start(self, id: str, workflow: Workflow, cache: ResultCache) -> None:
        if self._written[0] is not workflow:
            self._written = (workflow, json.dumps(workflow.to_json(), default=str))
        try:
            self._history.save_run(id, time.time(), self._written[1])
        except StorageError as error:
            cache.trouble = str(error)

    def _remember_end(self, id: str, run: Run) -> None:
        with contextlib.suppress(StorageError):
            self._history.end_run(id, run.outcome, run.seconds)
        if self._history.log_bytes > 4 << 20:
            threading.Thread(target=self._history.checkpoint, daemon=True).start()


class _Keeper:
    """Keeps each batch (results first, then the recording, then the record) before the listener hears of it."""

    def __init__(self, id: str, cache: ResultCache, listener: Callable[[Sequence[Event]], None]) -> None:
        self.run = Run()
        self.made: set[str] = set()
        self._id, self._cache, self._listener = id, cache, listener
        self._recording: Recording | None = None

    def open(self) -> str:
        """Begins the recording; returns why it cannot be made, or ""."""
        self._recording = Recording(home() / "runs", self._id)
        return self._recording.failure

    def keep(self, batch: Sequence[Event]) -> None:
        self._cache.commit()
        if self._recording is not None:
            self._recording.write(batch)
        self.run = record.fold_all(self.run, batch)
        for event in batch:
            if isinstance(event, events.NodeFinished):
                self.made.update(resource.digest for resource in events.resources(event))

    def tell(self, batch: Sequence[Event]) -> None:
        self._listener(batch)

    def close(self) -> None:
        if self._recording is not None:
            self._recording.close()
