"""A whole conversation as one value, to and from JSON text, so that it survives the program.

Must not know where the text is kept, nor how anything is run or shown.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from desktop_app.conversation import Alternative, Message, Reference
from desktop_app.edits import State
from desktop_app.errors import AppError, BadWorkflow
from desktop_app.llm.tokens import Spent
from desktop_app.plan.request import Plan, Question, Solution
from desktop_app.resource import Resource
from desktop_app.run.record import NodeRun, Origin, Run
from desktop_app.workflow import Workflow
from nodes.api import Point

FORMAT = 2
STEPS = 50
"""So many steps of undo are kept, fewer when together they have more than NODES nodes."""
NODES = 2000
ORIGIN_NODES = 10_000
"""The workflows that made results are kept, the latest, that have so many nodes in all."""


@dataclass(frozen=True)
class Snapshot:
    """What a Session holds, at one moment. `made` tells (node, output) by resource name.

    `undo` and `redo` are the states before and after the present one, the nearest last. `runs` are the latest runs of
    the workflows that ran, `spent` the tokens that the conversation has cost. `past` are the runs that ended, as they
    went, and `origins` tells what made each result, by its name and digest.
    `source` and `allowed` as source and tools of consent.Consent.
    """

    id: str
    title: str = ""
    messages: tuple[Message, ...] = ()
    resources: tuple[Resource, ...] = ()
    state: State = field(default_factory=State)
    undo: tuple[State, ...] = ()
    redo: tuple[State, ...] = ()
    made: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    run: Run = field(default_factory=Run)
    plan: Plan | None = None
    runs: tuple[tuple[Workflow, Run], ...] = ()
    spent: Spent = field(default_factory=Spent)
    past: tuple[Run, ...] = ()
    origins: Mapping[tuple[str, str], Origin] = field(default_factory=dict)
    source: str = ""
    allowed: tuple[str, ...] = ()


def to_text(snapshot: Snapshot) -> str:
    """JSON text; `from_text` reverses it, except that a run or an answer in progress has ended then.

    Steps of the planner's solutions are left out: their workflows say the same.
    """
    graphs = _Graphs()
    data = {
        "format": FORMAT,
        "id": snapshot.id,
        "title": snapshot.title,
        "messages": [asdict(message) for message in snapshot.messages],
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
        "plan": {"mode": snapshot.plan.mode, "notice": snapshot.plan.notice} if snapshot.plan else None,
        "spent": asdict(snapshot.spent),
        "source": snapshot.source,
        "allowed": list(snapshot.allowed),
    }
    return json.dumps({**data, "workflows": graphs.data, "ways": graphs.ways}, ensure_ascii=False, default=str)


def from_text(text: str) -> Snapshot:
    """Raises BadWorkflow when the text is no conversation, or one of a newer program."""
    try:
        data = json.loads(text)
        if data["format"] > FORMAT:
            raise BadWorkflow("The conversation was kept by a newer Graphwright.", "Update Graphwright.")
        return _snapshot(_modern(data), [Workflow.from_json(graph) for graph in data["workflows"]])
    except AppError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise BadWorkflow(
            f"The conversation is damaged ({type(error).__name__}: {str(error)[:200]}).",
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


def _latest(steps: Sequence[State]) -> Sequence[State]:
    """The latest steps that are kept."""
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


def _snapshot(data: Mapping[str, Any], graphs: Sequence[Workflow]) -> Snapshot:
    plan = data.get("plan")
    ways = [tuple(_alternative(way, graphs) for way in several) for several in data["ways"]]
    return Snapshot(
        str(data["id"]),
        str(data["title"]),
        tuple(_message(message) for message in data["messages"]),
        tuple(Resource.from_json(resource) for resource in data["resources"]),
        _state(data["state"], graphs, ways),
        tuple(_state(state, graphs, ways) for state in data["undo"]),
        tuple(_state(state, graphs, ways) for state in data["redo"]),
        {name: (place[0], place[1]) for name, place in data["made"].items()},
        _run(data["run"], graphs),
        Plan((), mode=plan["mode"], notice=plan["notice"]) if plan else None,
        tuple((graphs[number], _run(run, graphs)) for number, run in data.get("runs", ())),
        _spent(data.get("spent", {})),
        tuple(_run(run, graphs) for run in data.get("past", ())),
        {
            (name, digest): Origin(graphs[number], node, output)
            for name, digest, number, node, output in data.get("origins", ())
        },
        str(data.get("source", "")),
        tuple(str(tool) for tool in data.get("allowed", ())),
    )


def _state(data: Mapping[str, Any], graphs: Sequence[Workflow], ways: Sequence[tuple[Alternative, ...]]) -> State:
    points = {name: tuple(Point(*point) for point in points) for name, points in data["points"].items()}
    return State(graphs[data["workflow"]], int(data["chosen"]), ways[data["ways"]], points)


def _spent(data: Mapping[str, Any]) -> Spent:
    return Spent(int(data.get("sent", 0)), int(data.get("received", 0)), bool(data.get("guessed", False)))


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

    def state(self, state: State) -> dict[str, Any]:
        points = {name: [list(point) for point in points] for name, points in state.points.items()}
        graph, ways = self.number(state.workflow), self._ways(state.alternatives)
        return {"workflow": graph, "chosen": state.chosen, "ways": ways, "points": points}

    def _ways(self, alternatives: tuple[Alternative, ...]) -> int:
        for index, known in enumerate(self._known_ways):
            if known is alternatives:
                return index
        self._known_ways.append(alternatives)
        self.ways.append([_alternative_to_json(way, self) for way in alternatives])
        return len(self._known_ways) - 1


def _message(data: Mapping[str, Any]) -> Message:
    return Message(
        int(data["id"]),
        str(data["role"]),
        str(data["text"]),
        str(data["kind"]),
        tuple(data["resources"]),
        tuple(_question(question) for question in data["questions"]),
        tuple(Reference(**reference) for reference in data["references"]),
        bool(data["open"]),
        False,
        str(data["fix"]),
        str(data.get("node", "")),
        str(data.get("state", "")),
        str(data.get("why", "")),
        str(data.get("run", "")),
    )


def _question(data: Mapping[str, Any]) -> Question:
    return Question(**{**data, "choices": tuple(data["choices"])})


def _alternative_to_json(way: Alternative, graphs: _Graphs) -> dict[str, Any]:
    solution = way.solution
    return {
        "title": solution.title,
        "reason": solution.reason,
        "score": solution.score,
        "wanted": [list(pair) for pair in solution.wanted],
        "questions": [asdict(question) for question in solution.questions],
        "reasons": dict(solution.reasons),
        "workflow": graphs.number(way.workflow),
        "seconds": way.seconds,
        "download_bytes": way.download_bytes,
        "memory_bytes": way.memory_bytes,
    }


def _alternative(data: Mapping[str, Any], graphs: Sequence[Workflow]) -> Alternative:
    solution = Solution(
        str(data["title"]),
        str(data["reason"]),
        float(data["score"]),
        (),
        tuple((node, output) for node, output in data["wanted"]),
        tuple(_question(question) for question in data["questions"]),
        reasons=dict(data.get("reasons", {})),
    )
    costs = data["seconds"], int(data["download_bytes"]), int(data["memory_bytes"])
    return Alternative(solution, graphs[data["workflow"]], *costs)


def _run_to_json(run: Run, graphs: _Graphs) -> dict[str, Any]:
    nodes = {
        id: {
            **vars(node),
            "outputs": _outputs_to_json(node),
            "workflow": graphs.number(node.workflow) if node.workflow is not None else None,
        }
        for id, node in run.nodes.items()
    }
    return {"id": run.id, "time": run.time, "outcome": run.outcome, "seconds": run.seconds, "nodes": nodes}


def _outputs_to_json(node: NodeRun) -> dict[str, Any]:
    return {
        name: [one.to_json() for one in value] if isinstance(value, tuple) else value.to_json()
        for name, value in node.outputs.items()
    }


def _run(data: Mapping[str, Any], graphs: Sequence[Workflow]) -> Run:
    """The run; one that had no end was lost with the program, and so was what it had in hand."""
    nodes = {id: _node_run(node, graphs) for id, node in data["nodes"].items()}
    outcome = str(data["outcome"])
    if data["id"] and not outcome:
        outcome = "lost"
        unended = ("waiting", "queued", "running")
        nodes = {id: replace(n, state="cancelled") if n.state in unended else n for id, n in nodes.items()}
    return Run(str(data["id"]), float(data["time"]), nodes, outcome, float(data["seconds"]))


def _node_run(data: Mapping[str, Any], graphs: Sequence[Workflow]) -> NodeRun:
    outputs = {
        name: tuple(Resource.from_json(one) for one in value) if isinstance(value, list) else Resource.from_json(value)
        for name, value in data["outputs"].items()
    }
    known = {name: value for name, value in data.items() if name in NodeRun.__dataclass_fields__}
    number = data.get("workflow")
    graph = graphs[number] if number is not None else None
    return NodeRun(**{**known, "outputs": outputs, "preview": "", "workflow": graph})
