"""A whole conversation as one value, to and from JSON text, so that it survives the program.

Must not know where the text is kept, nor how anything is run or shown.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from desktop_app.core.errors import AppError, BadWorkflow
from desktop_app.core.plain import from_plain, to_plain
from desktop_app.graph.workflow import Workflow, veiled
from desktop_app.llm.token_usage import Spent
from desktop_app.plan.types import Plan, Solution
from desktop_app.run.events.run_record import NodeRun, Origin, Run
from desktop_app.session.messages import Alternative, Message
from desktop_app.session.state import GraphState
from desktop_app.storage.resources import Resource
from nodes.api import Point
from nodes.phrase import Phrase, listed

FORMAT = 2
STEPS = 50
"""So many steps of undo are kept, fewer when together they have more than NODES nodes."""
NODES = 2000
ORIGIN_NODES = 10_000
"""The workflows that made results are kept, the latest, that have so many nodes in all."""
_SAID = frozenset(("text", "why", "fix", "title", "reason", "wish", "edits"))
"""Of messages, ways and states, what holds words in which the user may have written a password."""
_T = TypeVar("_T")
_DAMAGE = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, BadWorkflow,
)  # fmt: skip
LOST_GRAPHS, LOST_WAYS, LOST_STEPS, LOST_MESSAGES, LOST_FILES, LOST_RESULTS = (
    "graphs", "ways", "steps", "messages", "files", "results",
)  # fmt: skip
ONE_LOST = {
    LOST_GRAPHS: "a part of the graph", LOST_WAYS: "1 alternative", LOST_STEPS: "1 step of undo",
    LOST_MESSAGES: "1 message", LOST_FILES: "1 file", LOST_RESULTS: "1 result",
}  # fmt: skip
SEVERAL_LOST = {
    LOST_GRAPHS: "{n} parts of the graph", LOST_WAYS: "{n} alternatives", LOST_STEPS: "{n} steps of undo",
    LOST_MESSAGES: "{n} messages", LOST_FILES: "{n} files", LOST_RESULTS: "{n} results",
}  # fmt: skip


@dataclass(frozen=True)
class Snapshot:
    """What a Session holds, at one moment. `made` tells (node, output) by resource name.

    `undo` and `redo` are the states before and after the present one, the nearest last. `runs` are the latest runs of
    the workflows that ran, `spent` the tokens that the conversation has cost. `past` are the runs that ended, as they
    went, and `origins` tells what made each result, by its name and digest. `source` and `allowed` as source and tools
    of consent.Consent. `ids` are all that nodes ever had; None in a conversation of a time when other nodes could get
    the same. `lost` says in a sentence what could not be read.
    """

    id: str
    title: str = ""
    messages: tuple[Message, ...] = ()
    resources: tuple[Resource, ...] = ()
    state: GraphState = field(default_factory=GraphState)
    undo: tuple[GraphState, ...] = ()
    redo: tuple[GraphState, ...] = ()
    made: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    run: Run = field(default_factory=Run)
    plan: Plan | None = None
    runs: tuple[tuple[Workflow, Run], ...] = ()
    spent: Spent = field(default_factory=Spent)
    past: tuple[Run, ...] = ()
    origins: Mapping[tuple[str, str], Origin] = field(default_factory=dict)
    source: str = ""
    allowed: tuple[str, ...] = ()
    ids: frozenset[str] | None = None
    lost: str = ""


def to_text(snapshot: Snapshot, secrets: frozenset[str] = frozenset()) -> str:
    """JSON text; `from_text` reverses it, except that a run or an answer in progress has ended then, and for what is
    secret in its graphs, or in the `secrets` that are known besides.

    Steps of the planner's solutions are left out: their workflows say the same.
    """
    graphs, secrets = _Graphs(), secrets | secrets_of(snapshot)
    data = {
        "format": FORMAT,
        "id": snapshot.id,
        "title": veiled(snapshot.title, secrets),
        "messages": [_veiled(to_plain(message), secrets) for message in snapshot.messages],
        "resources": [resource.to_json() for resource in snapshot.resources],
        "state": graphs.state(snapshot.state),
        "undo": [graphs.state(state) for state in _latest(snapshot.undo)],
        "redo": [graphs.state(state) for state in _latest(snapshot.redo)],
        "made": {name: list(place) for name, place in snapshot.made.items()},
        "run": _run_to_json(snapshot.run, graphs),
        "runs": [[graphs.number(flow), _run_to_json(run, graphs)] for flow, run in _latest_runs(snapshot.runs)],
        "past": [_run_to_json(run, graphs) for run in _told(snapshot)],
        "origins": [
            [*key, graphs.number(flow), node, output] for key, (flow, node, output) in _latest_origins(snapshot.origins)
        ],
        "plan": _plan_to_json(snapshot.plan) if snapshot.plan else None,
        "spent": to_plain(snapshot.spent),
        "source": snapshot.source,
        "allowed": list(snapshot.allowed),
        **({"ids": sorted(snapshot.ids)} if snapshot.ids is not None else {}),
    }
    ways = [[_veiled(way, secrets) for way in several] for several in graphs.ways]
    for state in (data["state"], *data["undo"], *data["redo"]) if secrets else ():
        state |= veiled({name: state[name] for name in _SAID & state.keys()}, secrets)
    return json.dumps({**data, "workflows": graphs.data, "ways": ways}, ensure_ascii=False, default=str)


def secrets_of(snapshot: Snapshot) -> frozenset[str]:
    """What is secret in its graphs: what was typed, and is shown, stands in what was said, too."""
    states = (snapshot.state, *snapshot.undo, *snapshot.redo)
    ways = (way.workflow for state in states for way in state.alternatives)
    graphs = (*(state.workflow for state in states), *ways, *(workflow for workflow, _ in snapshot.runs))
    distinct = {id(graph): graph for graph in graphs}.values()
    return frozenset().union(*(graph.secrets() for graph in distinct))


def _veiled(data: dict[str, Any], secrets: frozenset[str]) -> dict[str, Any]:
    """Plain data of a message or a way, without the secrets in its words."""
    return {**data, **veiled({name: data[name] for name in _SAID & data.keys()}, secrets)} if secrets else data


def from_text(text: str) -> Snapshot:
    """What can be read; `Snapshot.lost` tells of the rest. Raises BadWorkflow when the text is no conversation at all,
    or one of a newer program.
    """
    try:
        data = json.loads(text)
        if data["format"] > FORMAT:
            raise BadWorkflow("The conversation was kept by a newer Graphwright.", "Update Graphwright.")
        return _SnapshotReader(_modern(data)).snapshot()
    except AppError:
        raise
    except _DAMAGE as error:
        raise BadWorkflow(
            Phrase("The conversation is damaged ({name}: {error}).", name=type(error).__name__, error=str(error)[:200]),
            "Delete it, or open another one.",
        ) from error


def _modern(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Data of any format in that of today. Format 1 took back workflows only."""
    if data["format"] > 1:
        return data
    here = {"ways": 0, "points": data["points"]}
    earlier = {
        name: [{**here, "workflow": graph, "chosen": chosen} for graph, chosen in data[name]]
        for name in ("undo", "redo")
    }
    state = {**here, "workflow": data["workflow"], "chosen": data["chosen"]}
    return {**data, **earlier, "state": state, "ways": [data["alternatives"]]}


def _latest(steps: Sequence[GraphState]) -> Sequence[GraphState]:
    nodes, count = 0, 0
    for state in reversed(steps[-STEPS:]):
        nodes += len(state.workflow.nodes)
        if count and nodes > NODES:
            break
        count += 1
    return steps[len(steps) - count :]


def _latest_runs(runs: Sequence[tuple[Workflow, Run]]) -> Sequence[tuple[Workflow, Run]]:
    """The latest runs that together have at most NODES nodes."""
    nodes = list(itertools.accumulate(len(workflow.nodes) for workflow, _ in reversed(runs)))
    return runs[len(runs) - sum(count <= NODES for count in nodes) :]


def _told(snapshot: Snapshot) -> list[Run]:
    """The latest runs of which messages tell, that together have at most NODES nodes."""
    named = {message.run for message in snapshot.messages}
    told = [run for run in snapshot.past if run.id in named]
    nodes = list(itertools.accumulate(len(run.nodes) for run in reversed(told)))
    return told[len(told) - sum(count <= NODES for count in nodes) :]


def _latest_origins(origins: Mapping[tuple[str, str], Origin]) -> list[tuple[tuple[str, str], Origin]]:
    """The latest, of workflows that together have at most ORIGIN_NODES nodes."""
    found, known, nodes = [], set(), 0
    for key, origin in reversed(list(origins.items())):
        if id(origin.workflow) not in known:
            known.add(id(origin.workflow))
            nodes += len(origin.workflow.nodes)
        if nodes > ORIGIN_NODES:
            break
        found.append((key, origin))
    return found[::-1]


class _SnapshotReader:
    """Reads each part of a conversation by itself, so that a damaged one costs no other."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._id, self._messages = str(data["id"]), data["messages"]
        self._lost: Counter[str] = Counter()
        self._files: list[Resource] = self._each("resources", Resource.from_json, LOST_FILES)
        self._graphs: dict[int, tuple[Workflow, int]] = {}
        self._sets = {
            number: self._ways(ways) for number, ways in enumerate(_list(data.get("ways"))) if isinstance(ways, list)
        }

    def snapshot(self) -> Snapshot:
        data = self._data
        plan = _dict(data.get("plan"))
        ids = data.get("ids")
        run = self._one(self._run, data.get("run", {"nodes": {}}), LOST_RESULTS) or Run()
        found = Snapshot(
            self._id,
            str(data.get("title", "")),
            tuple(self._each("messages", _message, LOST_MESSAGES)),
            tuple(self._files),
            self._one(self._state, data.get("state"), LOST_GRAPHS) or self._rest(_dict(data.get("state"))),
            tuple(self._each("undo", self._state, LOST_STEPS)),
            tuple(self._each("redo", self._state, LOST_STEPS)),
            dict(self._each_of("made", lambda name, place: (str(name), (str(place[0]), str(place[1]))))),
            run,
            self._one(_plan, plan, "") if plan else None,
            tuple(self._each("runs", lambda one: (self._graph(one[0]), self._run(one[1])), LOST_RESULTS)),
            self._one(lambda spent: from_plain(Spent, spent), data.get("spent", {}), "") or Spent(),
            tuple(self._each("past", self._run, LOST_RESULTS)),
            dict(self._each("origins", self._origin, LOST_RESULTS)),
            str(data.get("source", "")),
            tuple(self._each("allowed", _text, LOST_RESULTS)),
            frozenset(map(str, ids)) if isinstance(ids, list) else None,
        )
        return replace(found, lost=_in_words(self._lost))

    def _one(self, read: Callable[[Any], _T], data: Any, what: str) -> _T | None:
        """What `read` makes of the data; None where it cannot, which is noted."""
        try:
            return read(data)
        except _DAMAGE:
            self._lost[what] += 1
            return None

    def _each(self, section: str, read: Callable[[Any], _T], what: str) -> list[_T]:
        read_so_far = [self._one(read, one, what) for one in _list(self._data.get(section))]
        return [one for one in read_so_far if one is not None]

    def _each_of(self, section: str, read: Callable[[Any, Any], _T]) -> list[_T]:
        found = [
            self._one(lambda pair: read(*pair), pair, LOST_RESULTS) for pair in _dict(self._data.get(section)).items()
        ]
        return [one for one in found if one is not None]

    def _graph(self, number: Any, in_part: bool = False) -> Workflow:
        """The workflow of that number. Raises BadWorkflow when something of it is lost, unless that is expected."""
        if number not in self._graphs:
            data = _list(self._data.get("workflows"))[number]
            try:
                self._graphs[number] = Workflow.from_json(data), 0
            except BadWorkflow:
                self._graphs[number] = Workflow.salvaged(data, self._files)
        workflow, lost = self._graphs[number]
        if lost and not in_part:
            raise BadWorkflow(Phrase("{lost} parts of a workflow are damaged.", lost=lost), "")
        return workflow

    def _state(self, data: Mapping[str, Any]) -> GraphState:
        said = str(data.get("wish", "")), str(data.get("saved_as", "")), _texts(data.get("edits", ()))
        return GraphState(self._graph(data["workflow"]), *self._chosen(data), self._points(data), *said)

    def _rest(self, data: Mapping[str, Any]) -> GraphState:
        """What can be read of the present state, where not all can."""
        try:
            workflow = self._graph(data.get("workflow"), in_part=True)
        except _DAMAGE:
            workflow = Workflow()
        try:
            return GraphState(workflow, *self._chosen(data), self._points(data))
        except _DAMAGE:
            return GraphState(workflow)

    def _chosen(self, data: Mapping[str, Any]) -> tuple[int, tuple[Alternative, ...]]:
        """Which alternative is shown, and all; none where the one that is shown is lost."""
        (places, ways), chosen = self._sets[data["ways"]], int(data["chosen"])
        if places and chosen not in places:
            return 0, ()
        return places.index(chosen) if places else 0, ways

    def _points(self, data: Mapping[str, Any]) -> dict[str, tuple[Point, ...]]:
        return {name: tuple(Point(*point) for point in points) for name, points in data["points"].items()}

    def _ways(self, several: list[Any]) -> tuple[list[int], tuple[Alternative, ...]]:
        """Those that can be read, and their places among all. States of the same alternatives share them."""
        read = {place: way for place, one in enumerate(several) if (way := self._one(self._way, one, LOST_WAYS))}
        return list(read), tuple(read.values())

    def _way(self, data: Mapping[str, Any]) -> Alternative:
        solution = from_plain(Solution, {**data, "steps": []})
        costs = {name: data[name] for name in _COSTS & data.keys()}
        return Alternative(solution, self._graph(data["workflow"]), **costs)

    def _run(self, data: Mapping[str, Any]) -> Run:
        """The run; one that had no end was lost with the program, and so was what it had in hand."""
        read = ((str(id), self._one(self._node_run, node, LOST_RESULTS)) for id, node in data["nodes"].items())
        nodes = {id: node for id, node in read if node is not None}
        if not data.get("id"):
            return Run(nodes=nodes)
        outcome = str(data["outcome"])
        if not outcome:
            outcome = "lost"
            unended = ("waiting", "queued", "running")
            nodes = {id: replace(n, state="cancelled") if n.state in unended else n for id, n in nodes.items()}
        return Run(str(data["id"]), float(data["time"]), nodes, outcome, float(data["seconds"]))

    def _node_run(self, data: Mapping[str, Any]) -> NodeRun:
        special = {Workflow: self._graph, Resource: Resource.from_json}
        return replace(from_plain(NodeRun, data, special), preview="")

    def _origin(self, data: Sequence[Any]) -> tuple[tuple[str, str], Origin]:
        name, digest, number, node, output = data
        return (_text(name), _text(digest)), Origin(self._graph(number), _text(node), _text(output))


def _in_words(lost: Mapping[str, int]) -> str:
    """What could not be read, as a sentence; "" for nothing."""
    parts = [Phrase(ONE_LOST[what]) if n == 1 else Phrase(SEVERAL_LOST[what], n=n) for what, n in lost.items() if what]
    if not parts:
        return ""
    said = "This conversation is damaged. What can be read is here; this could not be read: {list}."
    return Phrase(said, list=listed(parts, "; "))


def _list(data: Any) -> list[Any]:
    return data if isinstance(data, list) else []


def _dict(data: Any) -> Mapping[str, Any]:
    return data if isinstance(data, dict) else {}


class _Graphs:
    """Each workflow and each set of alternatives is written once, however many steps of undo hold it."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self.ways: list[list[dict[str, Any]]] = []
        self._known: list[Workflow] = []
        self._numbers: dict[int, int] = {}
        self._known_ways: list[tuple[Alternative, ...]] = []

    def number(self, workflow: Workflow) -> int:
        number = self._numbers.get(id(workflow))  # all of them live as long as the snapshot
        if number is None:
            number = next((index for index, known in enumerate(self._known) if known == workflow), len(self._known))
            self._numbers[id(workflow)] = number
            if number == len(self._known):
                self._known.append(workflow)
                self.data.append(workflow.to_json())
        return number

    def state(self, state: GraphState) -> dict[str, Any]:
        points = {name: [list(point) for point in points] for name, points in state.points.items()}
        graph, ways = self.number(state.workflow), self._ways(state.alternatives)
        said = {name: text for name in ("wish", "saved_as", "edits") if (text := getattr(state, name))}
        return {"workflow": graph, "chosen": state.chosen, "ways": ways, "points": points, **said}

    def _ways(self, alternatives: tuple[Alternative, ...]) -> int:
        for index, known in enumerate(self._known_ways):
            if known is alternatives:
                return index
        self._known_ways.append(alternatives)
        self.ways.append([_alternative_to_json(way, self) for way in alternatives])
        return len(self._known_ways) - 1


def _message(data: Mapping[str, Any]) -> Message:
    return replace(from_plain(Message, data), streaming=False)


def _plan_to_json(plan: Plan) -> dict[str, Any]:
    """What is said of a plan as long as its graph is shown."""
    said = {"left_out": plan.left_out} if plan.left_out else {}
    doubts = [to_plain(question) for question in plan.questions if question.kind == "confirm"]
    return {"mode": plan.mode, "notice": to_plain(plan.notice), **said, **({"doubts": doubts} if doubts else {})}


def _plan(data: Mapping[str, Any]) -> Plan:
    return from_plain(Plan, {**data, "solutions": [], "questions": data.get("doubts", [])})


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise TypeError(f"{data!r} is no text")
    return data


def _texts(data: Any) -> tuple[str, ...]:
    return tuple(map(_text, data))


_COSTS = frozenset(("seconds", "download_bytes", "memory_bytes", "rough"))


def _alternative_to_json(way: Alternative, graphs: _Graphs) -> dict[str, Any]:
    """Without the steps, and what is said of these by (step, port): the workflow has it."""
    solution = replace(way.solution, steps=(), origins={}, backends={}, kept=frozenset())
    costs = {name: getattr(way, name) for name in sorted(_COSTS)}
    return {**to_plain(solution), **costs, "workflow": graphs.number(way.workflow)}


def _run_to_json(run: Run, graphs: _Graphs) -> dict[str, Any]:
    nodes = to_plain(run.nodes, {Workflow: graphs.number, Resource: Resource.to_json})
    return {"id": run.id, "time": run.time, "outcome": run.outcome, "seconds": run.seconds, "nodes": nodes}
