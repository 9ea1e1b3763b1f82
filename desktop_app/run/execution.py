"""One run from its first event to its last: what is ready is worked on, what fails stops only what depends on it.
Everything here happens on the loop's thread.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from desktop_app.core.values import several
from desktop_app.graph.execution_modes import Skip
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.run.backends.selection import Backends, Fault
from desktop_app.run.cache.cache_keys import Linked
from desktop_app.run.cache.result_cache import Kept, ResultCache, items
from desktop_app.run.events.batching import Delivery
from desktop_app.run.result_names import WHOLE, Names
from desktop_app.run.scheduling.batch_node import BatchNode
from desktop_app.run.scheduling.dependency_graph import Schedule
from desktop_app.run.scheduling.durations import UNKNOWN_SECONDS, Estimates, input_size, resource_size
from desktop_app.run.scheduling.event_emitter import EventEmitter
from desktop_app.run.scheduling.inputs import Value
from desktop_app.run.scheduling.job import Batch, Job, item_id, prepare
from desktop_app.run.scheduling.job_tracker import Work
from desktop_app.run.workers.protocol import PROMISE
from desktop_app.run.workers.worker_pool import WorkerPool
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from nodes.api import Tool
from nodes.phrase import Phrase

_SLICE_SECONDS = 0.004
"""Two slices and the telling of what ended meanwhile may come one after the other before the window has its turn."""
_NAMED_AT_ONCE = 500  # chosen: the results of larger batches are named in slices
_QUICK_SECONDS = 0.01  # chosen: what takes no longer is given to a lane ahead of time


class Execution:
    """A run in progress. `finished` is set when the last event has been delivered."""

    def __init__(
        self,
        run: str,
        workflow: Workflow,
        upto: Collection[str] | None,
        tools: Mapping[str, Tool],
        history: History,
        cache: ResultCache,
        pool: WorkerPool,
        loop: asyncio.AbstractEventLoop,
        delivery: Delivery,
        skipped: Mapping[str, Skip] = MappingProxyType({}),
        again: frozenset[str] = frozenset(),
    ) -> None:
        """`skipped` as in modes.Runnable; `again` are computed though their results may be known.

        Raises BadWorkflow when the workflow runs in a circle or lacks a node of `upto`.
        """
        order = workflow.order()
        self._tools, self._cache, self._loop = tools, cache, loop
        self._nodes, self._into = workflow.nodes_by_id, workflow.links_by_target
        wanted = set(order)
        if upto is not None:
            wanted &= workflow.upstream(*(workflow.node(id).id for id in upto))
        self.order = tuple(node for node in order if node in wanted)
        links = [(k.source, k.target) for k in workflow.links if k.target in wanted and k.source in wanted]
        self._schedule = Schedule(self.order, links)
        self._names = Names(workflow, order, self._into, tools)
        self._values: dict[tuple[str, str], Value] = {
            (r.name, RESOURCE_OUTPUT): r.files or r for r in workflow.resources
        }
        self._backends = Backends()
        self._estimates = Estimates(tools, self._backends, history)
        self._known = self._estimates.known(workflow)
        planned = {id: self._known.get(id, UNKNOWN_SECONDS) for id in order}
        ranks = self._schedule.ranks(planned)
        self._work = Work(pool, loop, cache, self._backends, self, planned, ranks, again)
        self._skipped, self._pool = skipped, pool
        self._fans: dict[str, BatchNode] = {}
        self._sizes: dict[str, float] = {}
        self._ready: deque[tuple[str, int]] = deque()  # nodes, and items of nodes
        self._naming: deque[Iterator[None]] = deque()  # large results on their way to their names
        self._again: asyncio.Handle | None = None
        self._started = False
        self._cancelled_early: list[str | None] = []
        self._telling = EventEmitter(run, delivery)
        self.finished: asyncio.Future[None] = loop.create_future()

    def note(self, text: str) -> None:
        """One more thing that the user should know at the end of the run; nothing for ""."""
        if text:
            self._telling.note(text)

    def start(self) -> None:
        self._started = True
        self._telling.begin(self.order, self._known)
        for id in self.order:
            if id in self._skipped and self._schedule.is_open(id):
                self._skip(id, self._skipped[id])
        self._now_ready(self._schedule.first())
        for node in self._cancelled_early:
            self.cancel(node)
        self._pump()

    def cancel(self, node: str | None = None) -> None:
        """Stops a node, which skips what depends on it, or everything. What already ended stays as it is."""
        if not self._started:
            self._cancelled_early.append(node)
            return
        if node is not None:
            if node in self._nodes and self._schedule.is_open(node) and not self._halt(node):
                self._tell_stopped(node)
        else:
            self._ready.clear()
            self._naming.clear()
            for waiting in self._schedule.unsettled:
                if not self._halt(waiting):
                    self._schedule.discard(waiting)
                    self._telling.cancelled(waiting)
        self._pump()

    def cancel_item(self, node: str, index: int) -> None:
        """Stops one item of a node that runs once for each of several: it counts as failed, the others go on."""
        fan = self._fans.get(node)
        if fan is None or fan.halted or not fan.is_open(index):
            return
        id = item_id(node, index)
        if self._work.runs(id):
            self._work.stop(id)  # `on_stopped` follows
            return
        self._work.drop(id)
        fan.leave_out(index)
        self._settle(fan)
        self._pump()

    def abort(self) -> None:
        """Ends the run as cancelled now, killing what runs."""
        if not self._started:
            self._cancelled_early.append(None)
            self.start()
        self.cancel()
        for node in dict.fromkeys(job.node.id for job in self._work.kill()):
            self._schedule.discard(node)
            self._telling.cancelled(node)
        if self._again is not None:
            self._again.cancel()
            self._again = None
        self._pump()

    # What is ready

    def _pump(self) -> None:
        """Settles what needs no lane, in slices so that a window's loop keeps breathing, and fills the lanes."""
        if self._again is not None or self.finished.done():
            return
        until, spent = time.perf_counter() + _SLICE_SECONDS, False
        while (self._naming or self._ready) and not spent:
            if not self._naming:
                self._admit(*self._ready.popleft())
            elif next(self._naming[0], self) is self:
                self._naming.popleft()
            spent = time.perf_counter() > until
        self._work.fill()
        over = self._schedule.settled and not self._work.busy
        if self._ready or self._naming or (over and spent):  # to tell the end of a large batch is a slice of its own
            self._again = self._loop.call_soon(self._pump_again)
        elif over:
            self._finish()

    def _pump_again(self) -> None:
        self._again = None
        self._pump()

    def _now_ready(self, nodes: Sequence[str]) -> None:
        self._ready.extend((node, WHOLE) for node in nodes)

    def _admit(self, id: str, index: int) -> None:
        if not self._schedule.is_open(id):
            return
        if index != WHOLE:
            self._admit_item(self._fans[id], index)
            return
        prepared = prepare(self._nodes[id], self._tools, self._backends, self._into.get(id, ()), self._value)
        if isinstance(prepared, Job):
            self._work.begin(prepared)
        elif isinstance(prepared, Batch):
            fan = self._fans[id] = BatchNode(prepared)
            self._ready.extend((id, item) for item in range(fan.count))
            self._settle(fan)
        else:
            self._fail(id, prepared)

    def _admit_item(self, fan: BatchNode, index: int) -> None:
        if fan.halted or not fan.is_open(index):
            return
        part = fan.batch.part(index)
        if isinstance(part, Job):
            fan.begin(index)
            self._work.begin(part)
            return
        if part is None:
            fan.miss(index)
        else:
            fan.fail(index, part)
        self._settle(fan)

    def _value(self, source: str, output: str) -> Value | None:
        return self._values.get((source, output))

    # What becomes of jobs

    def on_queued(self, job: Job) -> None:
        fan = self._fans.get(job.node.id)
        if fan is None or not fan.queued:
            self._telling.queued(job.node.id)
        if fan is not None:
            fan.queued = True

    def on_started(self, job: Job, lane: str) -> None:
        id, fan = job.node.id, self._fans.get(job.node.id)
        if fan is None or not fan.started:
            self._telling.started(id, lane, self._usual(id), job.backend.id)
        if fan is not None:
            fan.started = True
            fan.start(job.index)
            self._tell_progress(id, fan.fraction, fan.note, "")

    def on_progress(self, job: Job, fraction: float, note: str, preview: str) -> None:
        """It reported. Of a fan the mean is told."""
        id, fan = job.node.id, self._fans.get(job.node.id)
        if fan is not None:
            fan.progress(job.index, fraction)
            fraction = fan.fraction
            note = f"{fan.note}, {note}" if note else fan.note
        self._tell_progress(id, fraction, note, preview)

    def on_done(self, job: Job, kept: Kept, seconds: float, cached: bool) -> None:
        """Its result is there. One of very many values is told later, when `_pump` has named them in slices."""
        naming = self._name(job, kept, seconds, cached)
        if len(items(kept)) > _NAMED_AT_ONCE:
            self._naming.append(naming)
        else:
            deque(naming, maxlen=0)

    def _name(self, job: Job, kept: Kept, seconds: float, cached: bool) -> Iterator[None]:
        """Names the values of a result one by one, and then takes it, unless it was cancelled meanwhile."""
        id, fan = job.node.id, self._fans.get(job.node.id)
        outputs: dict[str, Linked] = {}
        for port in job.tool.outputs:
            named = []
            for value in self._names.made(id, port, job.index, kept[port.name]):
                named.append(value)
                yield
            outputs[port.name] = tuple(named) if port.many else named[0]
        if not self._schedule.is_open(id) or (fan is not None and not fan.is_open(job.index)):
            return
        if fan is None:
            self._values.update({(id, name): value for name, value in outputs.items()})
            self._telling.done(id, outputs, seconds, cached, job.choice)
            self._now_ready(self._schedule.done(id))
            return
        fan.computed |= not cached
        fan.done(job.index, outputs)
        self._settle(fan)

    def on_failed(self, job: Job, fault: Fault, seconds: float) -> None:
        fan = self._fans.get(job.node.id)
        if fan is None:
            self._fail(job.node.id, fault, seconds)
            return
        fan.computed = True
        fan.fail(job.index, fault)
        self._settle(fan)

    def on_stopped(self, job: Job) -> None:
        fan = self._fans.get(job.node.id)
        if fan is not None and not fan.halted:
            fan.leave_out(job.index)
            self._settle(fan)
            return
        if fan is not None:
            fan.stopped(job.index)
            if not self._halt(job.node.id) and self._schedule.is_open(job.node.id):
                self._tell_stopped(job.node.id)
            return
        self._tell_stopped(job.node.id)

    def after(self, id: str, train: Collection[str]) -> Job | None:
        """The one node that takes what this one gives, if it is quick and has, or will have from `train`, all else;
        none that packs things under their names, as these have none yet.
        """
        if id not in self._nodes:
            return None
        targets = self._schedule.targets(id)
        if len(targets) != 1 or self._work.knows(targets[0]) or not self._schedule.is_open(targets[0]):
            return None
        node = self._nodes[targets[0]]
        tool = self._tools.get(node.tool)
        usual = self._known.get(node.id) or self._estimates.usual(node)
        if tool is None or tool.side_effects or usual is None or usual > _QUICK_SECONDS or node.id in self._fans:
            return None
        if any(port.any_kind for port in tool.inputs):
            return None
        prepared = prepare(
            node, self._tools, self._backends, self._into.get(node.id, ()),
            lambda source, output: self._promised(source, output, train),
        )  # fmt: skip
        return prepared if isinstance(prepared, Job) else None

    def _promised(self, source: str, output: str, train: Collection[str]) -> Value | None:
        """What leaves there, or stands for what will, in the words that the worker understands."""
        value = self._values.get((source, output))
        if value is not None or source not in train:
            return value
        tool = self._tools.get(self._nodes[source].tool)
        port = tool.output(output) if tool is not None else None
        return Resource("", port.type, f"{PROMISE}{source}", output) if port is not None and not port.many else None

    def on_turn(self) -> None:
        self._pump()

    # How nodes end

    def _settle(self, fan: BatchNode) -> None:
        """Ends the node when all of its items have ended, else tells how far it is."""
        id = fan.batch.node.id
        if not fan.over:
            if fan.started:
                self._tell_progress(id, fan.fraction, fan.note, "")
            return
        if fan.stopped_whole:
            self._tell_stopped(id)
            return
        result = fan.result()
        seconds = self._telling.seconds_of(id)
        if isinstance(result, Fault):
            self._fail(id, result, seconds, fan.failed)
            return
        self._values.update({(id, name): row for name, row in result.rows.items()})
        end = (not fan.computed, fan.batch.choice, fan.count, result.failed, result.notice)
        self._telling.done(id, result.outputs, seconds, *end)
        if result.failed:
            title = Phrase(self._tools[self._nodes[id].tool].title, "tools")
            self._telling.note(Phrase("{title}: {notice}", title=title, notice=result.notice))
        self._now_ready(self._schedule.done(id))

    def _fail(self, id: str, fault: Fault, seconds: float = 0.0, failed: tuple[tuple[str, str], ...] = ()) -> None:
        self._telling.failed(id, fault, seconds, failed)
        self._skip_after(id)

    def _skip_after(self, id: str) -> None:
        for skipped in self._schedule.drop(id):
            self._telling.skipped(skipped, id)

    def _skip(self, id: str, why: Skip) -> None:
        """A node that the user switched off, or that gets nothing because of one: it and what depends on it."""
        for skipped, because in ((id, why.because), *((after, id) for after in self._schedule.drop(id))):
            self._telling.skipped(skipped, because, why.cause)

    def _halt(self, id: str) -> bool:
        """Stops what runs of a node and takes out what waits; true while some of it still runs."""
        fan = self._fans.get(id)
        if fan is not None:
            fan.halted = True
        running = False
        for job in [id] if fan is None else fan.open_jobs:
            if self._work.runs(job):
                self._work.stop(job)
                running = True
            else:
                self._work.drop(job)
        return running

    def _tell_progress(self, id: str, fraction: float, note: str, preview: str) -> None:
        fan = self._fans.get(id)
        self._telling.progress(id, fraction, note, preview, self._usual(id), fan.going if fan is not None else ())

    def _usual(self, id: str) -> float | None:
        """How long the node takes as a rule for what it works on, all items one after the other."""
        fan = self._fans.get(id)
        usual = self._estimates.usual(self._nodes[id], self._size(id))
        return usual if usual is None or fan is None else usual * fan.count

    def _size(self, id: str) -> float:
        """How much one item of a node that runs works on, 0 where that is not known."""
        if id not in self._sizes:
            node = self._nodes[id]

            def sizes_of(link: Link) -> list[float | None]:
                values = several(self._values.get((link.source, link.output)))
                return [resource_size(value) for value in values if value is not None]

            self._sizes[id] = input_size(self._tools[node.tool], self._into.get(id, ()), sizes_of, node.values)
        return self._sizes[id]

    def _tell_stopped(self, id: str) -> None:
        self._telling.cancelled(id)
        self._skip_after(id)

    def _finish(self) -> None:
        self._cache.close()
        self.note(self._pool.unbound())
        self._telling.end(self._cache.trouble)
        self.finished.set_result(None)
