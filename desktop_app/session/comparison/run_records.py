"""What came of the workflows of a conversation: looking at another one, or running it, loses no result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import NodeRun, Outputs, Run, taken_over
from desktop_app.session.comparison.traces import Tools, Traces
from desktop_app.storage.resources import Resource

KEPT_RUNS = 16  # chosen
_KEPT_NODES = 4000


class Records:
    """What came of the workflows of one conversation, so that looking at another one does not lose it.

    Kept are the latest run of each workflow, at most KEPT_RUNS of them, and the latest result of each trace.
    """

    def __init__(self, tools: Tools = MappingProxyType({})) -> None:
        self._traces = Traces(tools)
        self.latest: object = None
        """Another object after each change."""
        self._runs: dict[frozenset[tuple[str, str]], tuple[Workflow, Run]] = {}
        self._nodes: dict[str, NodeRun] = {}

    @property
    def runs(self) -> tuple[tuple[Workflow, Run], ...]:
        """The workflows that ran, the latest last, with their runs."""
        return tuple(self._runs.values())

    def keep(self, workflow: Workflow, run: Run) -> None:
        """Remembers a run that ended, in place of the one before of the same workflow."""
        if not run.id:
            return
        self.latest = object()
        known = self._traces.of(workflow)
        signature = frozenset(known.items())
        self._runs.pop(signature, None)
        self._runs[signature] = (workflow, run)
        while len(self._runs) > KEPT_RUNS:
            del self._runs[next(iter(self._runs))]
        for id, node in run.nodes.items():
            if node.state == "done" and (trace := node.trace or known.get(id, "")):
                self._keep_node(trace, node)

    def _keep_node(self, trace: str, node: NodeRun) -> None:
        before = self._nodes.pop(trace, None)
        if before is not None and node.cached and before.outputs == node.outputs:
            node = before  # it knows how long it took
        self._nodes[trace] = node
        while len(self._nodes) > _KEPT_NODES:
            del self._nodes[next(iter(self._nodes))]

    def result(self, trace: str) -> NodeRun | None:
        """The latest result of that trace, None when there is none."""
        return self._nodes.get(trace)

    def run(self, traces: Mapping[str, str]) -> Run | None:
        """The latest run of a workflow with these traces, None when there is none."""
        return self._runs.get(frozenset(traces.items()), (None, None))[1]

    def of(self, workflow: Workflow) -> Run:
        """The latest run of that workflow; its nodes that have not run in it, but elsewhere, are known from there.

        A Run without id when this workflow never ran.
        """
        known = self._traces.of(workflow)
        _, run = self._runs.get(frozenset(known.items()), (None, Run()))
        nodes = {id: node for id, node in run.nodes.items() if not node.trace or node.trace == known.get(id)}
        beside = {id for id in known if id not in nodes}
        for id, trace in known.items():
            node = self._nodes.get(trace)
            if node is not None and (id not in nodes or nodes[id].state != "done"):
                nodes[id] = taken_over(node)
        return replace(run, nodes=MappingProxyType(nodes), beside=frozenset(run.beside | (beside & nodes.keys())))

    def seconds(self, workflow: Workflow) -> dict[str, float]:
        """By node, how long it took when it was computed last; without those that were never computed here."""
        known = self._traces.of(workflow)
        done = ((id, self._nodes.get(trace)) for id, trace in known.items())
        return {id: node.seconds for id, node in done if node is not None and not node.cached}

    def restore(self, runs: Iterable[tuple[Workflow, Run]]) -> None:
        for workflow, run in runs:
            self.keep(workflow, run)


def renamed(run: Run, resources: Mapping[str, Resource]) -> Run:
    """The run, with other names for results whose names stand for other contents in `resources`."""

    def digest(name: str) -> str:
        return resources[name].digest if name in resources else ""

    nodes = {id: replace(node, outputs=named(node.outputs, digest)) for id, node in run.nodes.items() if node.outputs}
    return replace(run, nodes=MappingProxyType({**run.nodes, **nodes}))


def named(outputs: Outputs, digest: Callable[[str], str]) -> Outputs:
    """The results under names that stand for no other content; `digest` tells that of a name, "" of a free one."""

    def of(resource: Resource) -> Resource:
        name = unused_name(resource.name, lambda name: digest(name) not in ("", resource.digest), NUMBERED_FILE)
        return resource if name == resource.name else replace(resource, name=name)

    return {
        name: tuple(of(one) for one in value) if isinstance(value, tuple) else of(value)
        for name, value in outputs.items()
    }
