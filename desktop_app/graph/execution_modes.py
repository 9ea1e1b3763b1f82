"""What bypassed and muted nodes mean for a run: a plain workflow in which nobody is bypassed, and who is skipped.

Must not know how a workflow is run. A bypassed node passes, to each output, its first input whose value is of the
output's type; where there is none, those that take the output are skipped and told so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from nodes.api import Port, ResourceType, Tool

MUTED = "muted"
BYPASSED = "bypassed"


@dataclass(frozen=True)
class Skip:
    """Why a node is not run: it, or the node `because`, is "muted", or that one is "bypassed" and passes nothing on.

    The latter when no input fits the output.
    """

    because: str
    cause: str


@dataclass(frozen=True)
class Runnable:
    """`workflow` has no bypassed nodes; muted ones are still in it. `skipped` are the first of those that are not to be
    run, by id: what depends on them is not run either. `passed` tells, by (bypassed node, output), what leaves there.
    """

    workflow: Workflow
    skipped: Mapping[str, Skip]
    passed: Mapping[tuple[str, str], Passed]

    def upto(self, id: str) -> tuple[str, ...]:
        """The nodes to run in order to get what leaves the node: itself, or for a bypassed one what it passes on.

        Raises BadWorkflow when there is nothing to run.
        """
        outputs = [passed for (node, _), passed in self.passed.items() if node == id]
        if not outputs:
            return (id,)
        known = set(self.workflow.ids())
        found = tuple(dict.fromkeys(s for passed in outputs for s, _ in passed.sources if s in known))
        if not found:
            raise BadWorkflow("This node is bypassed, and nothing before it is to be run.", "Switch it on again.")
        return found


@dataclass(frozen=True)
class Passed:
    """What leaves an output: the (card, output) pairs that feed it, or a literal. Nothing of both: nothing fits."""

    sources: tuple[tuple[str, str], ...] = ()
    literal: Any = None
    blocker: str = ""
    """The bypassed node at which nothing fits, or "" when something does."""


def runnable(workflow: Workflow, tools: Mapping[str, Tool]) -> Runnable:
    """The workflow as an engine is to run it. Comes back as it is when no node has a mode. Raises BadWorkflow."""
    if not any(node.mode for node in workflow.nodes):
        return Runnable(workflow, {}, {})
    return _BypassResolver(workflow, tools).resolve()


def results(workflow: Workflow, tools: Mapping[str, Tool]) -> tuple[tuple[str, str], ...]:
    """As Workflow.results, of what a run can give: what a bypassed node passes on, and nothing of what is skipped."""
    plain = runnable(workflow, tools)
    if plain.workflow is workflow:
        return workflow.results(tools)
    dead = plain.workflow.downstream(*plain.skipped)
    alive = plain.workflow.without(*dead)
    # An output whose only takers are skipped is not what was asked for, unless nothing else is.
    ends = set(plain.workflow.results(tools))
    return tuple(pair for pair in alive.results(tools) if pair in ends) or alive.results(tools)


class _BypassResolver:
    """Works through the nodes in order, so that what a bypassed node passes is known before it is asked for."""

    def __init__(self, workflow: Workflow, tools: Mapping[str, Tool]) -> None:
        self._workflow, self._tools = workflow, tools
        self._passed: dict[tuple[str, str], Passed] = {}
        self._skipped: dict[str, Skip] = {}

    def resolve(self) -> Runnable:
        nodes: dict[str, Node] = {}
        links: list[Link] = []
        for id in self._workflow.order():
            node = self._workflow.node(id)
            if node.mode == "bypass":
                self._bypass(node)
                continue
            if node.mode == "mute":
                self._skipped[id] = Skip(id, MUTED)
            nodes[id] = node
            for link in self._workflow.links_into(id):
                nodes[id], new = self._rerouted(nodes[id], link)
                links += new
        plain = replace(
            self._workflow,
            nodes=tuple(nodes[id] for id in self._workflow.ids() if id in nodes),
            links=tuple(dict.fromkeys(links)),
            wanted=self._wanted(),
        )
        return Runnable(plain, self._skipped, self._passed)

    def _bypass(self, node: Node) -> None:
        tool = self._tools.get(node.tool)
        outputs = [p.name for p in tool.outputs] if tool else []
        outputs += [k.output for k in self._workflow.links if k.source == node.id]
        for name in dict.fromkeys(outputs):
            port = tool.output(name) if tool else None
            self._passed[node.id, name] = self._through(node, tool, port) if tool and port else Passed(blocker=node.id)

    def _through(self, node: Node, tool: Tool, output: Port) -> Passed:
        blocked = Passed(blocker=node.id)
        for port in tool.inputs:
            feeds = [self._source(k) for k in self._workflow.links_into(node.id) if k.port == port.name]
            if feeds:
                first = next((feed for feed in feeds if feed.blocker), None)
                if first is not None:
                    blocked = first if port.type.is_a(output.type) else blocked
                elif all(self._fits(feed, port, output) for feed in feeds):
                    if len(feeds) == 1:
                        return feeds[0]
                    sources = tuple(pair for feed in feeds for pair in feed.sources)
                    if output.many and all(feed.sources for feed in feeds):
                        return Passed(sources)
            elif node.values.get(port.name) is not None and port.type.is_a(output.type) and port.many == output.many:
                return Passed(literal=node.values[port.name])
        return blocked

    def _source(self, link: Link) -> Passed:
        return self._passed.get((link.source, link.output)) or Passed(((link.source, link.output),))

    def _fits(self, feed: Passed, port: Port, output: Port) -> bool:
        types = [self._type(*source) for source in feed.sources] or [port.type]
        return all(type is not None and type.is_a(output.type) for type in types)

    def _type(self, source: str, output: str) -> ResourceType | None:
        return self._workflow.type_of(source, output, self._tools)

    def _rerouted(self, node: Node, link: Link) -> tuple[Node, list[Link]]:
        """The node and its links in the place of one that may come from a bypassed node."""
        if (link.source, link.output) not in self._passed:
            return node, [link]
        passed = self._source(link)
        if passed.blocker:
            self._skipped.setdefault(node.id, Skip(passed.blocker, BYPASSED))
            return node, []
        if passed.sources:
            return node, [Link(source, output, link.target, link.port) for source, output in passed.sources]
        tool = self._tools.get(node.tool)
        port = tool.input(link.port) if tool else None
        if port is not None and port.many and not isinstance(passed.literal, list):
            self._skipped.setdefault(node.id, Skip(link.source, BYPASSED))
            return node, []
        return replace(node, values={**node.values, link.port: passed.literal}), []

    def _wanted(self) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for pair in self._workflow.wanted:
            found += self._passed[pair].sources if pair in self._passed else (pair,)
        nodes = self._workflow.nodes_by_id
        return tuple(dict.fromkeys(pair for pair in found if pair[0] in nodes and pair[1] != RESOURCE_OUTPUT))
