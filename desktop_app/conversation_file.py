"""A whole conversation as one value, to and from JSON text, so that it survives the program.

Must not know where the text is kept, nor how anything is run or shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from desktop_app.conversation import Alternative, Message, Reference
from desktop_app.errors import AppError, BadWorkflow
from desktop_app.plan.request import Plan, Question, Solution
from desktop_app.resource import Resource
from desktop_app.run.record import NodeRun, Run
from desktop_app.workflow import Workflow
from nodes.api import Point

FORMAT = 1
STEPS = 50
"""So many steps of undo are kept, fewer when together they have more than NODES nodes."""
NODES = 2000

Step = tuple[Workflow, int]


@dataclass(frozen=True)
class Snapshot:
    """What a Session holds, at one moment. `made` tells (node, output) by resource name.

    `undo` and `redo` are the earlier workflows with their chosen alternative, the latest last.
    """

    id: str
    title: str = ""
    messages: tuple[Message, ...] = ()
    resources: tuple[Resource, ...] = ()
    points: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    alternatives: tuple[Alternative, ...] = ()
    workflow: Workflow = field(default_factory=Workflow)
    chosen: int = 0
    made: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    undo: tuple[Step, ...] = ()
    redo: tuple[Step, ...] = ()
    run: Run = field(default_factory=Run)
    plan: Plan | None = None


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
        "points": {name: [list(point) for point in points] for name, points in snapshot.points.items()},
        "workflow": graphs.number(snapshot.workflow),
        "chosen": snapshot.chosen,
        "alternatives": [_alternative_to_json(way, graphs) for way in snapshot.alternatives],
        "made": {name: list(place) for name, place in snapshot.made.items()},
        "undo": [[graphs.number(workflow), chosen] for workflow, chosen in _latest(snapshot.undo)],
        "redo": [[graphs.number(workflow), chosen] for workflow, chosen in _latest(snapshot.redo)],
        "run": _run_to_json(snapshot.run),
        "plan": {"mode": snapshot.plan.mode, "notice": snapshot.plan.notice} if snapshot.plan else None,
    }
    return json.dumps({**data, "workflows": graphs.data}, ensure_ascii=False, default=str)


def from_text(text: str) -> Snapshot:
    """Raises BadWorkflow when the text is no conversation, or one of a newer program."""
    try:
        data = json.loads(text)
        if data["format"] > FORMAT:
            raise BadWorkflow("The conversation was kept by a newer Graphwright.", "Update Graphwright.")
        return _snapshot(data, [Workflow.from_json(graph) for graph in data["workflows"]])
    except AppError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise BadWorkflow(
            f"The conversation is damaged ({type(error).__name__}: {error}).", "Delete it, or open another one."
        ) from error


def _latest(steps: Sequence[Step]) -> Sequence[Step]:
    """The latest steps that are kept."""
    nodes, count = 0, 0
    for workflow, _ in reversed(steps[-STEPS:]):
        nodes += len(workflow.nodes)
        if count and nodes > NODES:
            break
        count += 1
    return steps[len(steps) - count :]


def _snapshot(data: Mapping[str, Any], graphs: Sequence[Workflow]) -> Snapshot:
    plan = data.get("plan")
    return Snapshot(
        str(data["id"]),
        str(data["title"]),
        tuple(_message(message) for message in data["messages"]),
        tuple(Resource.from_json(resource) for resource in data["resources"]),
        {name: tuple(Point(*point) for point in points) for name, points in data["points"].items()},
        tuple(_alternative(way, graphs) for way in data["alternatives"]),
        graphs[data["workflow"]],
        int(data["chosen"]),
        {name: (place[0], place[1]) for name, place in data["made"].items()},
        tuple((graphs[number], chosen) for number, chosen in data["undo"]),
        tuple((graphs[number], chosen) for number, chosen in data["redo"]),
        _run(data["run"]),
        Plan((), mode=plan["mode"], notice=plan["notice"]) if plan else None,
    )


class _Graphs:
    """Each workflow is written once, however often it occurs among the steps of undo."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self._known: list[Workflow] = []

    def number(self, workflow: Workflow) -> int:
        for index, known in enumerate(self._known):
            if known is workflow or known == workflow:
                return index
        self._known.append(workflow)
        self.data.append(workflow.to_json())
        return len(self._known) - 1


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
    )
    costs = data["seconds"], int(data["download_bytes"]), int(data["memory_bytes"])
    return Alternative(solution, graphs[data["workflow"]], *costs)


def _run_to_json(run: Run) -> dict[str, Any]:
    nodes = {id: {**vars(node), "outputs": _outputs_to_json(node)} for id, node in run.nodes.items()}
    return {"id": run.id, "time": run.time, "outcome": run.outcome, "seconds": run.seconds, "nodes": nodes}


def _outputs_to_json(node: NodeRun) -> dict[str, Any]:
    return {
        name: [one.to_json() for one in value] if isinstance(value, tuple) else value.to_json()
        for name, value in node.outputs.items()
    }


def _run(data: Mapping[str, Any]) -> Run:
    """The run; one that had no end was lost with the program, and so was what it had in hand."""
    nodes = {id: _node_run(node) for id, node in data["nodes"].items()}
    outcome = str(data["outcome"])
    if data["id"] and not outcome:
        outcome = "lost"
        unended = ("waiting", "queued", "running")
        nodes = {id: replace(n, state="cancelled") if n.state in unended else n for id, n in nodes.items()}
    return Run(str(data["id"]), float(data["time"]), nodes, outcome, float(data["seconds"]))


def _node_run(data: Mapping[str, Any]) -> NodeRun:
    outputs = {
        name: tuple(Resource.from_json(one) for one in value) if isinstance(value, list) else Resource.from_json(value)
        for name, value in data["outputs"].items()
    }
    known = {name: value for name, value in data.items() if name in NodeRun.__dataclass_fields__}
    return NodeRun(**{**known, "outputs": outputs, "preview": ""})
