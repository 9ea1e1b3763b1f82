"""Run: what one gets by folding events. Read by the window, the answer and the tests; it computes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from desktop_app.graph.workflow import Workflow
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.resources import Resource

ENDED = frozenset({"done", "failed", "skipped", "cancelled", "outdated"})
Outputs = Mapping[str, Resource | tuple[Resource, ...]]


class Origin(NamedTuple):
    """Where a result came from: an output of a node of a workflow that was run."""

    workflow: Workflow
    node: str
    output: str


@dataclass(frozen=True)
class NodeRun:
    """One node in a run. `state` is waiting, queued, running, done, failed, skipped or cancelled; seen beside a graph
    that was changed since, also outdated (comparing.standing).

    `start` and `seconds` in seconds, `start` from the start of the run. `cached`: done without computing.
    `because` names the node for whose sake this one was skipped, `cause` then as in NodeSkipped. `seconds_left` is an
    estimate made at its start or its latest progress, None when there is none or it ended; `usual` is how long it takes
    as a rule, if known. `items`, `failed`, `notice`, `other` and `model` as in NodeFinished and NodeFailed,
    `going` as in NodeProgress. `workflow` is the graph that was run, and `trace` what the node depended on in it
    (comparing.traces); None and "" where nobody knows.
    """

    state: str = "waiting"
    lane: str = ""
    start: float = 0.0
    seconds: float = 0.0
    fraction: float = 0.0
    note: str = ""
    preview: str = ""
    cached: bool = False
    backend: str = ""
    outputs: Outputs = field(default_factory=dict)
    message: str = ""
    port: str = ""
    fix: str = ""
    cause: str = ""
    because: str = ""
    seconds_left: float | None = None
    usual: float | None = None
    items: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    notice: str = ""
    other: str = ""
    model: str = ""
    going: events.Items = ()
    trace: str = ""
    workflow: Workflow | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Run:
    """A run so far. `outcome` is "" until it ends, then ok, failed, cancelled or lost; `notice` as in RunFinished.

    `beside` are nodes that take no part in it, whose results are known from another run.
    """

    id: str = ""
    time: float = 0.0
    nodes: Mapping[str, NodeRun] = field(default_factory=dict)
    outcome: str = ""
    seconds: float = 0.0
    notice: str = ""
    beside: frozenset[str] = frozenset()

    @property
    def running(self) -> bool:
        """True from the first event to the last."""
        return bool(self.id) and not self.outcome

    @property
    def fraction(self) -> float:
        """How much of the run is behind us, 0..1, each node counting the same; what was stopped counts nothing."""
        parts = [float(self._is_behind(node)) if node.state in ENDED else node.fraction
                 for node in self.taking_part.values()]  # fmt: skip
        return sum(parts) / len(parts) if parts else 0.0

    @property
    def ended(self) -> int:
        """How many nodes came to an end of their own: those that were stopped, and what waited for them, did not."""
        return sum(self._is_behind(node) for node in self.taking_part.values())

    def _is_behind(self, node: NodeRun) -> bool:
        if node.state != "skipped":
            return node.state in ENDED and node.state != "cancelled"
        cause = self.nodes.get(node.because)
        return self.outcome != "cancelled" and (cause is None or cause.state != "cancelled")

    @property
    def taking_part(self) -> Mapping[str, NodeRun]:
        """The nodes without those beside."""
        return {id: node for id, node in self.nodes.items() if id not in self.beside} if self.beside else self.nodes

    @property
    def asks(self) -> bool:
        """True when it ended where a node has to be told something, see `waiting_for`."""
        return bool(self.outcome) and any(node.state == "waiting" and node.port for node in self.nodes.values())

    def failures(self) -> dict[str, NodeRun]:
        return {id: node for id, node in self.nodes.items() if node.state == "failed"}


_NEW = NodeRun()


def fold(run: Run, event: Event) -> Run:
    """The run after the event. Events of unknown nodes add them; nothing is ever lost by order of arrival."""
    if isinstance(event, events.RunStarted):
        nodes = dict.fromkeys(event.nodes, _NEW)
        alike = {seconds: NodeRun(usual=seconds) for seconds in set(event.usual.values())}  # few tools, many nodes
        nodes |= {id: alike[seconds] for id, seconds in event.usual.items() if id in nodes}
        return Run(event.run, event.time, MappingProxyType(nodes))
    if isinstance(event, events.RunFinished):
        return replace(run, outcome=event.outcome, seconds=event.seconds, notice=event.notice)
    before = run.nodes.get(event.node, _NEW)
    return replace(run, nodes=MappingProxyType({**run.nodes, event.node: _after(before, event)}))


def marked(run: Run, workflow: Workflow | None, traces: Mapping[str, str]) -> Run:
    """The run, with every node of which it is not known yet telling which workflow was run, and its trace in it."""
    nodes = {
        id: node if node.trace or id not in traces else _changed(node, trace=traces[id], workflow=workflow)
        for id, node in run.nodes.items()
    }
    return replace(run, nodes=MappingProxyType(nodes))


def waiting_for(run: Run, unclear: Collection[str]) -> Run:
    """The run with those of its nodes that failed, and all that was skipped for their sake, waiting for what the user
    has to tell: stopped and not failed, where nothing else failed.
    """
    waits = {id for id, node in run.nodes.items() if id in unclear or node.because in unclear}
    nodes = {id: _changed(node, state="waiting") if id in waits else node for id, node in run.nodes.items()}
    failed = any(node.state == "failed" for node in nodes.values())
    outcome = "cancelled" if run.outcome == "failed" and not failed else run.outcome
    return replace(run, nodes=MappingProxyType(nodes), outcome=outcome)


def outdated(node: NodeRun) -> NodeRun:
    """The node as something that ran, and would come to something else now."""
    return _changed(node, state="outdated", going=(), seconds_left=None)


def taken_over(node: NodeRun) -> NodeRun:
    """The node as one whose result was there when a later run began."""
    return _changed(node, cached=True, start=0.0, seconds=0.0)


def fold_all(run: Run, batch: Iterable[Event]) -> Run:
    """`fold` over many events, copying the nodes once."""
    nodes = dict(run.nodes)
    for event in batch:
        if isinstance(event, events.RunStarted | events.RunFinished):
            run = fold(replace(run, nodes=MappingProxyType(nodes)), event)
            nodes = dict(run.nodes)
        else:
            nodes[event.node] = _after(nodes.get(event.node, _NEW), event)
    return replace(run, nodes=MappingProxyType(nodes))


def _changed(node: NodeRun, **fields: Any) -> NodeRun:
    """As `dataclasses.replace`, which takes five times as long: a thousand reports a second come through here."""
    made = object.__new__(NodeRun)
    made.__dict__.update(node.__dict__)
    made.__dict__.update(fields)
    return made


def _after(node: NodeRun, event: Event) -> NodeRun:
    match event:
        case events.NodeQueued():
            return _changed(node, state="queued")
        case events.NodeStarted():
            return _changed(
                node, state="running", lane=event.lane, start=event.time, seconds_left=event.seconds_left,
                backend=event.backend,
            )  # fmt: skip
        case events.NodeProgress():
            return _changed(
                node, fraction=event.fraction, note=event.note, preview=event.preview or node.preview,
                seconds_left=event.seconds_left, going=event.going,
            )  # fmt: skip
        case events.NodeFinished():
            start = node.start or max(0.0, event.time - event.seconds)
            return _changed(
                node, state="done", start=start, seconds=event.seconds, fraction=1.0, cached=event.cached,
                backend=event.backend, outputs=event.outputs, items=event.items, failed=event.failed,
                notice=event.notice, seconds_left=None, going=(),
            )  # fmt: skip
        case events.NodeFailed():
            return _changed(
                node, state="failed", seconds=event.seconds, message=event.message, port=event.port,
                fix=event.fix, cause=event.cause, other=event.other, model=event.model, failed=event.failed,
                seconds_left=None, going=(),
            )  # fmt: skip
        case events.NodeSkipped():
            return _changed(node, state="skipped", because=event.because, cause=event.cause)
        case events.NodeCancelled():
            return _changed(node, state="cancelled", seconds_left=None, going=())
    return node
