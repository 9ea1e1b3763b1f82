"""One run from its first event to its last: what is ready goes to a lane, what is known is taken from the cache,
what fails stops only what depends on it. Everything here happens on the loop's thread.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Collection, Mapping
from typing import Any

from desktop_app.history import History
from desktop_app.resource import Resource
from desktop_app.run import available, events
from desktop_app.run.cache import Kept, ResultCache
from desktop_app.run.delivery import Delivery
from desktop_app.run.dispatch import Dispatcher
from desktop_app.run.jobs import Fault, Job, other_backends, prepare
from desktop_app.run.keys import Linked, key_of
from desktop_app.run.lane import Message, words_of_end
from desktop_app.run.names import Names
from desktop_app.run.pool import Pool
from desktop_app.run.schedule import Schedule
from desktop_app.run.values import PROMISE
from desktop_app.workflow import RESOURCE_OUTPUT, Link, Workflow
from nodes.api import ResourceType, Tool

_SLICE_SECONDS = 0.008
_UNKNOWN_SECONDS = 1.0
_QUICK_SECONDS = 0.01


class Execution:
    """A run in progress. `finished` is set when the last event has been delivered."""

    def __init__(
        self,
        run: str,
        workflow: Workflow,
        upto: str | None,
        tools: Mapping[str, Tool],
        history: History,
        cache: ResultCache,
        pool: Pool,
        loop: asyncio.AbstractEventLoop,
        delivery: Delivery,
    ) -> None:
        """Raises BadWorkflow when the workflow runs in a circle or has no node `upto`."""
        order = workflow.order()
        self._run, self._tools, self._history, self._cache = run, tools, history, cache
        self._loop, self._delivery = loop, delivery
        self._nodes = {node.id: node for node in workflow.nodes}
        self._into: dict[str, list[Link]] = {}
        for link in workflow.links:
            self._into.setdefault(link.target, []).append(link)
        wanted = set(order) if upto is None else self._needed(workflow.node(upto).id)
        self.order = tuple(node for node in order if node in wanted)
        links = [(k.source, k.target) for k in workflow.links if k.target in wanted and k.source in wanted]
        self._schedule = Schedule(self.order, links)
        self._names = Names(workflow, order, self._into, tools)
        self._values: dict[tuple[str, str], Linked] = {(r.name, RESOURCE_OUTPUT): r for r in workflow.resources}
        seconds = _estimates(workflow, tools, history)
        ranks = self._schedule.ranks(seconds)
        self._dispatcher = Dispatcher(pool, loop, self, seconds, ranks)
        self._ready: deque[str] = deque()
        self._jobs: dict[str, Job] = {}
        self._keys: dict[str, bytes | None] = {}
        self._flights: dict[bytes, list[str]] = {}
        self._stopping: set[str] = set()
        self._again: asyncio.Handle | None = None
        self._started = False
        self._cancelled_early: list[str | None] = []
        self._counts: Counter[str] = Counter()
        self._start = time.perf_counter()
        self.notice = ""
        self.finished: asyncio.Future[None] = loop.create_future()

    def start(self) -> None:
        """Begins; returns at once."""
        self._start = time.perf_counter()
        self._started = True
        self._delivery.add(events.RunStarted(self._run, self.order, time.time()))
        self._ready.extend(self._schedule.first())
        for node in self._cancelled_early:
            self.cancel(node)
        self._pump()

    def cancel(self, node: str | None = None) -> None:
        """Stops a node, which skips what depends on it, or everything. What already ended stays as it is."""
        if not self._started:
            self._cancelled_early.append(node)
            return
        if node is not None:
            self._cancel_one(node)
        else:
            self._ready.clear()
            for waiting in self._schedule.unsettled:
                if self._dispatcher.runs(waiting):
                    self._stop(waiting)
                else:
                    self._take_out(waiting)
                    self._schedule.discard(waiting)
                    self._tell_cancelled(waiting)
        self._pump()

    def abort(self) -> None:
        """Ends the run as cancelled now, killing what runs."""
        if not self._started:
            self._cancelled_early.append(None)
            self.start()
        self.cancel()
        for node in self._dispatcher.kill():
            self._schedule.discard(node)
            self._tell_cancelled(node)
        if self._again is not None:
            self._again.cancel()
            self._again = None
        self._pump()

    # What is ready

    def _pump(self) -> None:
        """Settles what needs no lane, in slices so that a window's loop keeps breathing, and fills the lanes."""
        if self._again is not None or self.finished.done():
            return
        until = time.perf_counter() + _SLICE_SECONDS
        while self._ready:
            self._admit(self._ready.popleft())
            if time.perf_counter() > until:
                self._again = self._loop.call_soon(self._pump_again)
                break
        self._dispatcher.fill()
        if self._schedule.settled and not self._dispatcher.busy:
            self._finish()

    def _pump_again(self) -> None:
        self._again = None
        self._pump()

    def _admit(self, id: str) -> None:
        if not self._schedule.is_open(id):
            return
        prepared = prepare(self._nodes[id], self._tools, self._into.get(id, ()), self._value)
        if isinstance(prepared, Fault):
            self._fail(id, prepared.message, prepared.port, prepared.fix)
            return
        tool, values = prepared.tool, prepared.node.values
        key = None if tool.outside else key_of(tool, prepared.backend, values, prepared.linked)
        self._jobs[id], self._keys[id] = prepared, key
        if key is not None and self._found(id, key):
            return
        self._delivery.add(events.NodeQueued(id))
        if key is not None and key in self._flights:
            self._flights[key].append(id)  # the same is being computed already
            return
        self._enqueue(id)

    def _enqueue(self, id: str) -> None:
        key = self._keys[id]
        if key is not None:
            self._flights.setdefault(key, [])
        self._dispatcher.add(self._jobs[id])

    def _value(self, source: str, output: str) -> Linked | None:
        return self._values.get((source, output))

    def _found(self, id: str, key: bytes) -> bool:
        kept = self._cache.get(key)
        if kept is None or kept.keys() != {port.name for port in self._jobs[id].tool.outputs}:
            return False
        self._done(id, kept, 0.0, cached=True)
        return True

    def _needed(self, id: str) -> set[str]:
        needed, reached = {id}, [id]
        for node in reached:
            for link in self._into.get(node, ()):
                if link.source in self._nodes and link.source not in needed:
                    needed.add(link.source)
                    reached.append(link.source)
        return needed

    # What lanes say

    def on_start(self, id: str, lane: str) -> None:
        """A lane took the node."""
        self._delivery.add(events.NodeStarted(id, lane, self._time()))

    def on_progress(self, id: str, fraction: float, note: str, preview: str) -> None:
        """The node reported."""
        self._delivery.add(events.NodeProgress(id, fraction, note, preview))

    def after(self, id: str, train: Collection[str]) -> Job | None:
        """The one node that takes what this one gives, if it is quick and has, or will have from `train`, all else."""
        targets = self._schedule.targets(id)
        if len(targets) != 1 or targets[0] in self._jobs or not self._schedule.is_open(targets[0]):
            return None
        node = self._nodes[targets[0]]
        tool = self._tools.get(node.tool)
        backend = available.preferred(tool, node.backend) if tool is not None else None
        if tool is None or backend is None or tool.side_effects:
            return None
        seconds = self._history.seconds(tool.id, backend.id)
        if seconds is None or seconds > _QUICK_SECONDS:
            return None
        links = self._into.get(node.id, ())
        prepared = prepare(node, self._tools, links, lambda source, output: self._promised(source, output, train))
        return prepared if isinstance(prepared, Job) else None

    def _promised(self, source: str, output: str, train: Collection[str]) -> Linked | None:
        """What leaves there, or stands for what will, in the words that the worker understands."""
        value = self._values.get((source, output))
        if value is not None or source not in train:
            return value
        tool = self._tools.get(self._nodes[source].tool)
        port = tool.output(output) if tool is not None else None
        return Resource("", port.type, f"{PROMISE}{source}", output) if port is not None and not port.many else None

    def on_turn(self) -> None:
        """A node ended."""
        self._pump()

    def on_answer(self, id: str, message: Message) -> None:
        """The node ended by itself."""
        job, seconds = self._jobs[id], message["seconds"]
        if "done" in message:
            kept = message["outputs"]
            self._cache.put(self._keys[id], kept, seconds, job.tool.id, job.backend.id)
            if id not in self._stopping:
                self._done(id, kept, seconds, cached=False)
                self._share(id, kept)
                return
        if id in self._stopping or "cancelled" in message:
            self._tell_stopped(id)
        else:
            hint = other_backends(job.tool, job.backend) if not message["port"] else ""
            fix = f"{message['fix']}{hint}".strip()
            self._fail(id, message["message"], message["port"], fix, message["cause"], seconds)
        self._promote(id)

    def on_death(self, id: str, code: int, last_words: str) -> None:
        """The process ended under the node."""
        if id in self._stopping:
            self._tell_stopped(id)
        else:
            job = self._jobs[id]
            fix = "Run again; if it happens again, try something smaller or other values."
            self._fail(
                id,
                f"The process that ran {job.tool.title} ended ({words_of_end(code)}).",
                "",
                f"{fix}{other_backends(job.tool, job.backend)}",
                last_words,
            )
        self._promote(id)

    def on_no_lane(self, id: str, reason: str) -> None:
        """There is nothing to run the node with."""
        self._fail(id, reason, "", "Close other programs and run again.")
        self._promote(id)

    # How nodes end

    def _done(self, id: str, kept: Kept, seconds: float, cached: bool) -> None:
        job = self._jobs[id]
        outputs: dict[str, Linked] = {}
        for port in job.tool.outputs:
            value = self._resources(id, port.name, kept[port.name], port.many)
            outputs[port.name] = self._values[id, port.name] = value
        self._counts["done"] += 1
        self._counts["cached"] += cached
        self._delivery.add(events.NodeFinished(id, outputs, seconds, cached, self._time(), job.backend.id))
        self._ready.extend(self._schedule.done(id))

    def _resources(self, id: str, port: str, kept: list[Any], many: bool) -> Linked:
        if many:
            return tuple(_resource(self._names.item(id, port, i), item, id) for i, item in enumerate(kept))
        return _resource(self._names.stem(id, port), kept, id)

    def _share(self, id: str, kept: Kept) -> None:
        """Gives a result to the nodes that waited for the same."""
        for follower in self._flights.pop(self._keys[id] or b"", ()):
            self._done(follower, kept, 0.0, cached=True)

    def _promote(self, id: str) -> None:
        """A node did not finish: the next that waited for the same result computes it."""
        followers = self._flights.pop(self._keys[id] or b"", [])
        if followers:
            self._enqueue(followers[0])
            key = self._keys[followers[0]]
            assert key is not None
            self._flights[key] = followers[1:]

    def _fail(
        self, id: str, message: str, port: str = "", fix: str = "", cause: str = "", seconds: float = 0.0
    ) -> None:
        self._counts["failed"] += 1
        self._delivery.add(events.NodeFailed(id, message, port, fix, cause, seconds, self._time()))
        self._skip_after(id)

    def _skip_after(self, id: str) -> None:
        for skipped in self._schedule.drop(id):
            self._counts["skipped"] += 1
            self._delivery.add(events.NodeSkipped(skipped, id))

    def _cancel_one(self, id: str) -> None:
        if self._dispatcher.runs(id):
            self._stop(id)
        elif id in self._nodes and self._schedule.is_open(id):
            self._take_out(id)
            self._tell_stopped(id)

    def _stop(self, id: str) -> None:
        self._stopping.add(id)
        self._dispatcher.stop(id)

    def _take_out(self, id: str) -> None:
        """Out of the queue, or of those that wait for another's result."""
        if self._dispatcher.remove(id):
            self._promote(id)
            return
        for followers in self._flights.values():
            if id in followers:
                followers.remove(id)

    def _tell_cancelled(self, id: str) -> None:
        self._counts["cancelled"] += 1
        self._delivery.add(events.NodeCancelled(id))

    def _tell_stopped(self, id: str) -> None:
        self._tell_cancelled(id)
        self._skip_after(id)

    def _finish(self) -> None:
        outcome = "failed" if self._counts["failed"] else "cancelled" if self._counts["cancelled"] else "ok"
        self._cache.close()
        notice = " ".join(dict.fromkeys(filter(None, (self.notice, self._cache.trouble))))
        self._delivery.add(events.RunFinished(self._run, outcome, self._time(), dict(self._counts), notice))
        self._delivery.flush()
        self.finished.set_result(None)

    def _time(self) -> float:
        return time.perf_counter() - self._start


def _resource(stem: str, kept: list[Any], node: str) -> Resource:
    digest, suffix, type, facets, _ = kept
    return Resource(stem + suffix, ResourceType(type), digest, suffix, facets, node)


def _estimates(workflow: Workflow, tools: Mapping[str, Tool], history: History) -> dict[str, float]:
    """How long each node will take, by what the same tool with the same back end took before."""
    known: dict[tuple[str, str | None], float] = {}
    for name, id in {(node.tool, node.backend) for node in workflow.nodes if node.tool in tools}:
        backend = available.preferred(tools[name], id)
        seconds = history.seconds(name, backend.id) if backend else None
        known[name, id] = _UNKNOWN_SECONDS if seconds is None else seconds
    return {node.id: known.get((node.tool, node.backend), 0.0) for node in workflow.nodes}
