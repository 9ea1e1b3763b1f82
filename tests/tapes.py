"""Recordings of runs for tests: events with the moments at which they were told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from desktop_app.graph.workflow import Workflow
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.run.events.recording import to_json

BEGUN = 1_700_000_000.0


def tape(path: Path, workflow: Workflow | None, told: Iterable[tuple[float, Event]]) -> Path:
    """Writes the file of a recording."""
    lines: list[dict] = [{"event": "Owner", "pid": 1, "born": 0.0, "time": BEGUN}]
    lines += [{"event": "Workflow", "workflow": workflow.to_json()}] if workflow is not None else []
    lines += [{**to_json(event), "at": at} for at, event in told]
    path.write_text("".join(json.dumps(line, default=str, separators=(",", ":")) + "\n" for line in lines), "utf-8")
    return path


def chain(workflow: Workflow, seconds: float = 4.0) -> list[tuple[float, Event]]:
    """Every node after the other, each with four reports; the last one fails, with another back end to try."""
    ids = workflow.ids()
    told: list[tuple[float, Event]] = [(0.0, events.RunStarted("taped", ids, BEGUN, dict.fromkeys(ids, seconds)))]
    now = 0.0
    for id in ids:
        told.append((now, events.NodeStarted(id, "CPU 1", now, seconds)))
        for step in range(1, 5):
            at, part = now + step * seconds / 5, step / 5
            told.append((at, events.NodeProgress(id, part, f"step {step} of 5", "gone.png", seconds * (1 - part))))
        now += seconds
        if id == ids[-1]:
            told.append((now, events.NodeFailed(id, "It broke.", fix="Mend it.", seconds=seconds, time=now)))
        else:
            told.append((now, events.NodeFinished(id, {}, seconds, False, now, "built-in")))
    counts = {"done": len(ids) - 1, "failed": 1}
    return [*told, (now, events.RunFinished("taped", "failed", now, counts))]
