"""Comparing two ways: what both share, what differs, and what came of each.

Must not know how workflows are planned, run or shown. What a node's result depends on is its trace: two nodes of the
same trace, be it in two alternatives or before and after an edit, have the same result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from desktop_app import modes, wording
from desktop_app.errors import BadWorkflow
from desktop_app.resource import Resource, unused_name
from desktop_app.run.record import NodeRun, Run
from desktop_app.workflow import Link, Node, Workflow
from nodes.api import ResourceType, Tool

Tools = Mapping[str, Tool]
KEPT_RUNS = 16
_KEPT_NODES = 4000
SHARED, ALIKE, CHANGED, REPLACED, ONLY = "shared", "alike", "changed", "replaced", "only"
PICTURES = frozenset(
    {"image", "mask", "edge", "line", "soft_edge", "scribble", "pose", "depth", "normal", "segmentation"}
)
_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode


# What a result depends on


def traces(workflow: Workflow, tools: Tools) -> dict[str, str]:
    """By node, a digest of all that its result depends on: tool, back end, values, and what feeds it, up to the files.

    A value that says what the tool takes anyway counts as left out. Empty when the workflow runs in a circle.
    """
    found: dict[str, str] = {}
    files = {r.name: f"{r.type}:{r.digest}{r.suffix}" for r in workflow.resources}
    nodes = {node.id: node for node in workflow.nodes}
    into: dict[str, list[Link]] = {}
    for link in workflow.links:
        into.setdefault(link.target, []).append(link)
    try:
        order = workflow.order()
    except BadWorkflow:
        return {}
    for id in order:
        fed = [(k.port, k.output, files.get(k.source) or found.get(k.source, "")) for k in into.get(id, ())]
        fed.sort(key=lambda each: each[0])  # stable: links into a port of many keep their order
        found[id] = hashlib.sha256(_text([_self_of(nodes[id], tools), fed]).encode()).hexdigest()
    return found


def _self_of(node: Node, tools: Tools) -> list[Any]:
    """What a node is, whatever feeds it."""
    return [node.tool, node.backend or "", node.mode, own_values(node, tools)]


def own_values(node: Node, tools: Tools) -> dict[str, Any]:
    """The values of a node that differ from what its tool takes by itself."""
    tool = tools.get(node.tool)
    usual = {port.name: port.default for port in tool.inputs if not port.required} if tool else {}
    return {name: value for name, value in node.values.items() if name not in usual or usual[name] != value}


# Records of runs


class Records:
    """What came of the workflows of one conversation, so that looking at another one does not lose it.

    Kept are the latest run of each workflow, at most KEPT_RUNS of them, and the latest result of each trace.
    """

    def __init__(self, tools: Tools = MappingProxyType({})) -> None:
        self._tools = tools
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
        known = traces(workflow, self._tools)
        signature = frozenset(known.items())
        self._runs.pop(signature, None)
        self._runs[signature] = (workflow, run)
        while len(self._runs) > KEPT_RUNS:
            del self._runs[next(iter(self._runs))]
        for id, node in run.nodes.items():
            if node.state == "done" and id in known:
                self._keep_node(known[id], node)

    def _keep_node(self, trace: str, node: NodeRun) -> None:
        before = self._nodes.pop(trace, None)
        if before is not None and node.cached and before.outputs == node.outputs:
            node = before  # it knows how long it took
        self._nodes[trace] = node
        while len(self._nodes) > _KEPT_NODES:
            del self._nodes[next(iter(self._nodes))]

    def of(self, workflow: Workflow) -> Run:
        """The latest run of that workflow; its nodes that have not run in it, but elsewhere, are known from there.

        A Run without id when this workflow never ran.
        """
        known = traces(workflow, self._tools)
        _, run = self._runs.get(frozenset(known.items()), (None, Run()))
        nodes = dict(run.nodes)
        for id, trace in known.items():
            node = self._nodes.get(trace)
            if node is not None and (id not in nodes or nodes[id].state != "done"):
                nodes[id] = replace(node, cached=True, start=0.0, seconds=0.0)
        return replace(run, nodes=MappingProxyType(nodes))

    def seconds(self, workflow: Workflow) -> dict[str, float]:
        """By node, how long it took when it was computed last; without those that were never computed here."""
        known = traces(workflow, self._tools)
        done = ((id, self._nodes.get(trace)) for id, trace in known.items())
        return {id: node.seconds for id, node in done if node is not None and not node.cached}

    def restore(self, runs: Iterable[tuple[Workflow, Run]]) -> None:
        """Takes over what an earlier program kept."""
        for workflow, run in runs:
            self.keep(workflow, run)


def renamed(run: Run, resources: Mapping[str, Resource]) -> Run:
    """The run, with other names for results whose names stand for other contents in `resources`."""

    def of(resource: Resource) -> Resource:
        others = frozenset(name for name, known in resources.items() if known.digest != resource.digest)
        return replace(resource, name=unused_name(resource.name, others))

    def outputs(node: NodeRun) -> dict[str, Resource | tuple[Resource, ...]]:
        return {
            name: tuple(of(one) for one in value) if isinstance(value, tuple) else of(value)
            for name, value in node.outputs.items()
        }

    nodes = {id: replace(node, outputs=outputs(node)) if node.outputs else node for id, node in run.nodes.items()}
    return replace(run, nodes=MappingProxyType(nodes))


# Two workflows


@dataclass(frozen=True)
class Pair:
    """Cards of A and B that belong together; "" where one has none. `kind` is

    SHARED (the same result), ALIKE (the same but for what feeds it), CHANGED (other values or another back end),
    REPLACED (another tool for the same type), ONLY.
    """

    kind: str
    a: str = ""
    b: str = ""

    def of(self, side: str) -> str:
        """The card of side "a" or "b"."""
        return self.a if side == "a" else self.b


@dataclass(frozen=True)
class Comparison:
    """Two workflows with their nodes and their resources in pairs, each in the order of the graph."""

    a: Workflow
    b: Workflow
    nodes: tuple[Pair, ...]
    resources: tuple[Pair, ...]

    def workflow(self, side: str) -> Workflow:
        """The workflow of side "a" or "b"."""
        return self.a if side == "a" else self.b

    def count(self, *kinds: str) -> int:
        """How many pairs of nodes are of these kinds."""
        return sum(pair.kind in kinds for pair in self.nodes)


def compare(a: Workflow, b: Workflow, tools: Tools) -> Comparison:
    """Finds what two workflows share and what differs."""
    pairs = _Pairing(a, b, tools).nodes()
    place = {id: i for i, id in enumerate(_order(a))} | {("b", id): i for i, id in enumerate(_order(b))}
    pairs.sort(key=lambda p: (place[p.a] if p.a else place["b", p.b], not p.a))
    return Comparison(a, b, tuple(pairs), _resources(a, b))


def _order(workflow: Workflow) -> tuple[str, ...]:
    try:
        return workflow.order()
    except BadWorkflow:
        return workflow.ids()


def _resources(a: Workflow, b: Workflow) -> tuple[Pair, ...]:
    left = list(b.resources)
    pairs: list[Pair] = []
    alone: list[Resource] = []
    for resource in a.resources:
        same = next((r for r in left if (r.digest, r.type) == (resource.digest, resource.type)), None)
        if same is None:
            alone.append(resource)
            continue
        left.remove(same)
        pairs.append(Pair(SHARED, resource.name, same.name))
    for resource in alone:
        other = next((r for r in left if r.type == resource.type), None)
        if other is not None:
            left.remove(other)
        pairs.append(Pair(REPLACED if other else ONLY, resource.name, other.name if other else ""))
    return (*pairs, *(Pair(ONLY, "", r.name) for r in left))


class _Pairing:
    """Joins nodes of two workflows, by the strictest rule first; each rule in the order of the graph."""

    def __init__(self, a: Workflow, b: Workflow, tools: Tools) -> None:
        self._a, self._b, self._tools = a, b, tools
        self._left_a, self._left_b = list(_order(a)), list(_order(b))
        self._nodes_a = {node.id: node for node in a.nodes}
        self._nodes_b = {node.id: node for node in b.nodes}

    def nodes(self) -> list[Pair]:
        traces_a, traces_b = traces(self._a, self._tools), traces(self._b, self._tools)
        pairs = self._join(SHARED, lambda id: traces_a.get(id, ("a", id)), lambda id: traces_b.get(id, ("b", id)))
        pairs += self._join(
            ALIKE,
            lambda id: _text(_self_of(self._nodes_a[id], self._tools)),
            lambda id: _text(_self_of(self._nodes_b[id], self._tools)),
        )
        pairs += self._join(CHANGED, lambda id: self._nodes_a[id].tool, lambda id: self._nodes_b[id].tool)
        pairs += self._join(
            REPLACED, lambda id: self._gives(self._nodes_a[id]), lambda id: self._gives(self._nodes_b[id])
        )
        return [*pairs, *(Pair(ONLY, id) for id in self._left_a), *(Pair(ONLY, "", id) for id in self._left_b)]

    def _join(self, kind: str, of_a: Callable[[str], Any], of_b: Callable[[str], Any]) -> list[Pair]:
        waiting: dict[Any, list[str]] = {}
        for id in self._left_b:
            waiting.setdefault(of_b(id), []).append(id)
        found = [Pair(kind, id, ids.pop(0)) for id in self._left_a if (ids := waiting.get(of_a(id)))]
        self._left_a = [id for id in self._left_a if id not in {pair.a for pair in found}]
        self._left_b = [id for id in self._left_b if id not in {pair.b for pair in found}]
        return found

    def _gives(self, node: Node) -> str:
        tool = self._tools.get(node.tool)
        if tool is None or not tool.outputs:
            return f"?{node.tool}"
        return family(tool.outputs[0].type)


def family(type: ResourceType | str) -> str:
    """What can be laid over each other: every kind of picture is "picture", "html" and "url" are themselves."""
    return "picture" if str(type) in PICTURES else str(type)


def merged(comparison: Comparison) -> tuple[Workflow, dict[str, Pair]]:
    """Both workflows as one, in which what they share stands once; and the pair of each of its cards.

    Cards of A are called "a:id" and those of B "b:id"; shared ones have the name that they have in A.
    """
    names: dict[tuple[str, str], str] = {}
    pairs: dict[str, Pair] = {}
    for pair in (*comparison.resources, *comparison.nodes):
        for side in "ab":
            if id := pair.of(side):
                name = f"a:{pair.a}" if pair.kind == SHARED else f"{side}:{id}"
                names[side, id] = name
                pairs[name] = pair
    resources: dict[str, Resource] = {}
    nodes: dict[str, Node] = {}
    links: dict[Link, None] = {}
    for side in "ab":
        workflow = comparison.workflow(side)
        for resource in workflow.resources:
            name = names[side, resource.name]
            resources.setdefault(name, replace(resource, name=name))
        for node in workflow.nodes:
            id = names[side, node.id]
            nodes.setdefault(id, replace(node, id=id, position=None))
        for link in workflow.links:
            ends = names.get((side, link.source)), names.get((side, link.target))
            if ends[0] and ends[1]:
                links[Link(ends[0], link.output, ends[1], link.port)] = None
    return Workflow(tuple(resources.values()), tuple(nodes.values()), tuple(links)), pairs


# What came of them


@dataclass(frozen=True)
class Made:
    """What one side gives at one place: a result, or several, or none with the state of the node ("" : never ran)."""

    node: str
    output: str
    values: tuple[Resource, ...] = ()
    state: str = ""
    message: str = ""


@dataclass(frozen=True)
class Outcome:
    """What A and B give that can be compared; `type` is A's (or B's where A has none). `final`: it was asked for."""

    type: ResourceType
    a: Made | None
    b: Made | None
    final: bool = True

    def of(self, side: str) -> Made | None:
        """What side "a" or "b" gives."""
        return self.a if side == "a" else self.b


def outcomes(comparison: Comparison, run_a: Run, run_b: Run, tools: Tools) -> tuple[Outcome, ...]:
    """What can be compared: first the results that were asked for, then those of the steps on the way that differ."""
    runs = {"a": run_a, "b": run_b}
    ends = {side: list(modes.results(comparison.workflow(side), tools)) for side in "ab"}

    def type_of(side: str, place: tuple[str, str]) -> ResourceType:
        return comparison.workflow(side).type_of(*place, tools) or ResourceType.FILE

    def made(side: str, place: tuple[str, str] | None) -> Made | None:
        return _made(runs[side], place) if place else None

    found: list[Outcome] = []
    left = list(ends["b"])
    for place in ends["a"]:
        kind = family(type_of("a", place))
        other = next((o for o in left if family(type_of("b", o)) == kind), None)
        if other is not None:
            left.remove(other)
        found.append(Outcome(type_of("a", place), made("a", place), made("b", other)))
    found += [Outcome(type_of("b", place), None, made("b", place)) for place in left]
    found.sort(key=lambda each: each.a is None or each.b is None)  # stable: what both have first
    for pair in comparison.nodes:
        if pair.kind in (ALIKE, CHANGED, REPLACED):
            found += _on_the_way(comparison, pair, ends, type_of, made, tools)
    return tuple(found)


def _on_the_way(comparison: Comparison, pair: Pair, ends: Any, type_of: Any, made: Any, tools: Tools) -> list[Outcome]:
    """What a pair of nodes gives to others, where both give the like."""
    place_a, place_b = (_first_output(comparison.workflow(side), pair.of(side), tools) for side in "ab")
    if place_a is None or place_b is None or (place_a in ends["a"] and place_b in ends["b"]):
        return []
    if family(type_of("a", place_a)) != family(type_of("b", place_b)):
        return []
    return [Outcome(type_of("a", place_a), made("a", place_a), made("b", place_b), False)]


def _first_output(workflow: Workflow, id: str, tools: Tools) -> tuple[str, str] | None:
    node = next((n for n in workflow.nodes if n.id == id), None)
    tool = tools.get(node.tool) if node else None
    return (id, tool.outputs[0].name) if tool and tool.outputs else None


def _made(run: Run, place: tuple[str, str]) -> Made:
    node = run.nodes.get(place[0])
    if node is None:
        return Made(*place)
    value = node.outputs.get(place[1], ())
    values = value if isinstance(value, tuple) else (value,)
    return Made(*place, values, node.state, node.message)


def has_run(workflow: Workflow, run: Run, tools: Tools) -> bool:
    """True when there is something to look at, and nothing that was asked for is still to be run: what another way
    has computed along with its own may be known without that.
    """
    wanted = [_made(run, place) for place in modes.results(workflow, tools)]
    return any(made.values for made in wanted) and all(made.state for made in wanted)


def left_to_run(workflow: Workflow, run: Run) -> tuple[str, ...]:
    """The nodes that a run would have to compute, as far as is known."""
    idle = workflow.idle()
    return tuple(
        node.id for node in workflow.nodes
        if node.id not in idle and (node.id not in run.nodes or run.nodes[node.id].state != "done")
    )  # fmt: skip


def told(title: str, run: Run, workflow: Workflow, tools: Tools) -> str:
    """What came of an alternative that ran beside the one shown, as a sentence."""
    failed = next(iter(run.failures()), "")
    if failed:
        tool = tools.get(workflow.node(failed).tool)
        why = wording.shown(run.nodes[failed].message)
        said = "“{title}” ran too, and failed: {tool} - {why}"
        return wording.say(said, title=title, tool=tool.title if tool else failed, why=why)
    known = sum(node.cached for node in run.nodes.values())
    total = len(run.nodes)
    reused = wording.say("; {n} of {total} steps were known", n=known, total=total) if known else ""
    said = "“{title}” ran too, in {seconds} s{reused}. Compare it with the one that is shown."
    return wording.say(said, title=title, seconds=f"{run.seconds:.1f}", reused=reused)
