"""The engine: runs workflows on lanes, one after the other, and tells what happens as events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from desktop_app.core.paths import home
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.run.backends import availability
from desktop_app.run.cache.eviction import Tidy, used_bytes
from desktop_app.run.cache.result_cache import ResultCache
from desktop_app.run.events import events, run_record
from desktop_app.run.events.batching import Delivery
from desktop_app.run.events.events import Event
from desktop_app.run.events.recording import Recording, close_lost
from desktop_app.run.events.run_record import Run
from desktop_app.run.execution import Execution
from desktop_app.run.workers.worker_pool import Services, WorkerPool, clear_scratch
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes.api import Tool

CAP_BYTES = 20 << 30


@dataclass(frozen=True)
class Loaded:
    """A model in the memory of a lane. `size_bytes` is estimated from its weights; `busy` while the lane works."""

    model: str
    lane: str
    size_bytes: int
    busy: bool


class Engine:
    """Holds the lanes and the cache. All verbs are called on the thread of the loop that runs `run`.

    `lost` has the ids of runs that an earlier program left without an end: it died in them. When nothing ran for
    `idle_seconds`, models are dropped from memory; 0 is never. After a run that leaves more than `cap_bytes` of results
    on disk, those cheapest to compute again go, but for what this program or a kept conversation shows; None keeps all.
    """

    def __init__(self, store: Store, history: History, tools: Mapping[str, Tool], cpu_lanes: int | None = None) -> None:
        self._store, self._history, self._tools = store, history, tools
        self._pool = WorkerPool(store.folder, cpu_lanes)
        self._execution: Execution | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._written: tuple[Workflow | None, str] = (None, "")
        self._tidy = Tidy(store)
        self.cap_bytes: int | None = CAP_BYTES
        self.lost = close_lost(home() / "runs")
        clear_scratch()

    def use_services(self, services: Services | None) -> None:
        """Back ends of kind "endpoint" ask these."""
        self._pool.services = services

    async def run(
        self,
        workflow: Workflow,
        listener: Callable[[Sequence[Event]], None],
        upto: str | Collection[str] | None = None,
        again: Collection[str] = (),
    ) -> Run:
        """Runs the workflow, or only the nodes `upto` and what they need, and returns the record of the run.

        What is known is not computed, but for the nodes `again`. Bypassed and muted nodes are not run (modes.py).

        Nodes fail by events, never by exceptions. Raises BadWorkflow when there is a circle or no such node, and
        RuntimeError while another run goes on. Cancelling the task cancels the run.
        """
        if self._execution is not None:
            raise RuntimeError("This engine is running a workflow already.")
        loop = self._loop = asyncio.get_running_loop()
        self._rest(None)
        await self._tidy.done()
        if self._execution is not None:
            raise RuntimeError("This engine is running a workflow already.")
        availability.look_again()
        self._pool.renew()
        self._pool.bind(loop)
        cache = ResultCache(self._history, self._store)
        id = f"{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:8]}"
        keeper = _Keeper(id, cache, listener)
        delivery = Delivery(loop, keeper.keep, keeper.tell)
        plain = execution_modes.runnable(workflow, self._tools)
        ends = None if upto is None else [end for node in ([upto] if isinstance(upto, str) else upto)
                                          for end in plain.upto(node)]  # fmt: skip
        self._execution = execution = Execution(
            id, plain.workflow, ends, self._tools, self._history, cache, self._pool, loop, delivery,
            plain.skipped, frozenset(again),
        )  # fmt: skip
        try:
            try:
                await asyncio.sleep(0)  # a large graph takes a while to prepare: the window breathes between the steps
                if self._written[0] is not workflow:
                    self._written = (workflow, json.dumps(workflow.to_json(), default=str))
                await asyncio.sleep(0)
                execution.note(keeper.open(self._written[1]))
                execution.start()
                await asyncio.shield(execution.finished)
            except asyncio.CancelledError:
                execution.abort()
                raise
        finally:
            self._execution = None
            keeper.close()
            self._pool.tidy()
            if self._history.log_bytes > 4 << 20:
                threading.Thread(target=self._history.checkpoint, daemon=True).start()
            self._rest(loop)
            self._tidy.visible |= {*keeper.made, *(digest for one in workflow.resources for digest in one.contents)}
            self._tidy.after(self._history.path, cache.put_bytes, self.cap_bytes)
        return keeper.run

    def cancel(self, node: str | None = None, item: int | None = None) -> None:
        """Stops a node of the run, the item of that index of a node with several, or the whole run.

        Returns at once; nothing happens when no run goes on, or what is named has ended.
        """
        if self._execution is None:
            return
        if node is not None and item is not None:
            self._execution.cancel_item(node, item)
        else:
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

    @property
    def idle_seconds(self) -> float:
        """For how long models stay in memory while nothing uses them."""
        return self._pool.idle_seconds

    @idle_seconds.setter
    def idle_seconds(self, seconds: float) -> None:
        self._pool.set_idle(seconds)
        if self._idle is not None and self._loop is not None:
            self._rest(self._loop)

    def models(self) -> tuple[Loaded, ...]:
        """The models in memory, as the lanes tell it."""
        return tuple(
            Loaded(model, lane.name, size, lane.node is not None)
            for lane in self._pool.lanes()
            for model, size in sorted(lane.loaded.items())
        )

    def free(self, model: str) -> None:
        """Gives the memory of a model back: at once, or when its present use ends."""
        for lane in self._pool.lanes():
            lane.drop(model)

    def make_room(self) -> None:
        """Looks in the background whether results take more than the cap. Returns at once; nothing during a run."""
        if self._execution is None:
            self._tidy.look(self._history.path, self.cap_bytes)

    def forget_results(self) -> None:
        """Removes in the background every result that neither this program nor a kept conversation shows.

        Returns at once; nothing during a run.
        """
        if self._execution is None:
            self._tidy.look(self._history.path, 0)

    @property
    def tidying(self) -> bool:
        """True while results are being removed, or it is looked whether any have to be."""
        return self._tidy.working

    def used_bytes(self) -> int:
        """What kept results take on disk. May be called on any thread. Raises StorageError."""
        return used_bytes(self._history.path)

    async def close(self) -> None:
        self._rest(None)
        execution = self._execution
        if execution is not None:
            execution.abort()
            await execution.finished
        for lane in self._pool.close():
            await lane.gone()
        if self._pool.services is not None:
            await asyncio.to_thread(self._pool.services.close)
        await self._tidy.done()

    def _rest(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Starts the clock after which models are dropped, or with None stops it."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = loop.call_later(self.idle_seconds, self.release) if loop and self.idle_seconds > 0 else None


class _Keeper:
    """Keeps each batch (results first, then the recording, then the record) before the listener hears of it."""

    def __init__(self, id: str, cache: ResultCache, listener: Callable[[Sequence[Event]], None]) -> None:
        self.run = Run()
        self.made: set[str] = set()
        self._id, self._cache, self._listener = id, cache, listener
        self._recording: Recording | None = None

    def open(self, workflow: str) -> str:
        """Begins the recording of the workflow, given as JSON; returns why it cannot be made, or ""."""
        self._recording = Recording(home() / "runs", self._id, workflow)
        return self._recording.failure

    def keep(self, batch: Sequence[Event]) -> None:
        self._cache.commit()
        if self._recording is not None:
            self._recording.write(batch)
        self.run = run_record.fold_all(self.run, batch)
        for event in batch:
            if isinstance(event, events.NodeFinished):
                self.made.update(resource.digest for resource in events.resources(event))

    def tell(self, batch: Sequence[Event]) -> None:
        self._listener(batch)

    def close(self) -> None:
        if self._recording is not None:
            self._recording.close()
