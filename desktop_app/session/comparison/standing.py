"""What a run says of a graph that may have been changed since: which results still are those of their nodes.

A result belongs to what it was made from (its trace), not to the id of a node. Must not know how anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import NodeRun, Run, outdated, taken_over
from desktop_app.session.comparison.run_records import Records
from desktop_app.session.comparison.traces import Tools, Traces

_Made = dict[str, tuple[NodeRun, NodeRun]]
"""By node, a record and what was made of it."""
_GOING = frozenset({"waiting", "queued", "running"})


class Standing:
    """Remembers what it said last: asked again for the same run and graph it gives the same Run, and in another one the
    same NodeRun for what is as it was. To be used on one thread.
    """

    def __init__(self, tools: Tools, records: Records) -> None:
        self.traces = Traces(tools)
        self._records = records
        self._asked: tuple[object, ...] = ()
        self._seen = Run()
        self._nodes: _Made = {}

    def of(self, run: Run, workflow: Workflow) -> Run:
        """The run as it stands to the graph; an earlier one that was of this very graph, if the run was of another.

        What was done or failed, and would come to something else now, is "outdated", its results kept; unless what it
        would come to is known from another run. What was not run, and was changed since, is left out. So is nothing
        while it goes on, nor what tells of no trace. Nodes that took no part, whose results are known, are `beside`.
        """
        traces = self.traces.of(workflow)
        asked = (run, traces, self._records.latest)
        if len(self._asked) == len(asked) and all(a is b for a, b in zip(self._asked, asked, strict=True)):
            return self._seen
        if not run.running and any(node.trace != traces.get(id, "") for id, node in run.nodes.items() if node.trace):
            run = self._records.run(traces) or run
        before, self._nodes = self._nodes, {}
        nodes: dict[str, NodeRun] = {}
        for id, node in run.nodes.items():
            now = traces.get(id, "")
            if not node.trace or node.trace == now or (node.state in _GOING and run.running):
                nodes[id] = node
            elif (other := self._records.result(now)) is not None:
                nodes[id] = self._once(id, other, before, taken_over)
            elif node.state in ("done", "failed"):
                nodes[id] = self._once(id, node, before, outdated)
        beside = set()
        for id, trace in traces.items():
            if id not in run.nodes and (other := self._records.result(trace)) is not None:
                nodes[id] = self._once(id, other, before, taken_over)
                beside.add(id)
        self._asked = asked
        unchanged = not beside and len(nodes) == len(run.nodes) and all(nodes[id] is run.nodes[id] for id in nodes)
        self._seen = run if unchanged else replace(run, nodes=MappingProxyType(nodes), beside=run.beside | beside)
        return self._seen

    def _once(self, id: str, node: NodeRun, before: _Made, make: Callable[[NodeRun], NodeRun]) -> NodeRun:
        """What `make` made of the node, the same object as the last time."""
        known = before.get(id)
        made = known[1] if known is not None and known[0] is node else make(node)
        self._nodes[id] = (node, made)
        return made
