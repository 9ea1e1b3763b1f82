"""`graphwright models check`: runs models on bundled media and compares with the facts stated for them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from desktop_app.app import new_session
from desktop_app.cli import exit_codes
from desktop_app.core.paths import RESOURCES
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.models import facts, store
from desktop_app.models.catalogue import Model, catalogue, find
from desktop_app.models.facts import FactCheck
from desktop_app.session.session import Session

HOLDS, FAILS, ABSENT, UNSTATED = "holds", "fails", "not on this computer", "no check is stated for its task"
_COUNTED = {
    HOLDS: "{} as stated",
    FAILS: "{} not as stated",
    ABSENT: "{} not on this computer",
    UNSTATED: "{} without a check",
}
_FEW = 20  # chosen: as many lines as are read


@dataclass(frozen=True)
class Subject:
    """A model, or a back end whose network ships with the program, by its id, and what has to hold of it."""

    id: str
    task: str
    checks: tuple[FactCheck, ...]
    model: Model | None = None


def subjects(ids: Sequence[str]) -> list[Subject]:
    """Those of these ids; all that there are without any. Raises BadRequest."""
    built = facts.shipped()
    wanted = ids or [*built, *(model.id for model in catalogue().values() if model.family)]
    return [_built(id, built[id]) if id in built else _of_model(find(id)) for id in wanted]


def _built(id: str, checks: tuple[FactCheck, ...]) -> Subject:
    return Subject(id, checks[0].tool.replace("_", " "), checks)


def _of_model(model: Model) -> Subject:
    return Subject(model.id, model.task, facts.of_model(model), model)


async def run(wanted: Sequence[Subject], as_json: bool) -> int:
    """Checks these one after the other; 0 when nothing that is here fails, 4 when something does.

    Of many, those that cannot be checked are only counted.
    """
    rows, few = [], len(wanted) <= _FEW
    session = new_session()  # one for all: a lane that has loaded the libraries serves the next model too
    try:
        for subject in wanted:
            row = await _checked(session, subject)
            rows.append(row)
            if not as_json and (few or row["state"] in (HOLDS, FAILS)):
                told = " · ".join(part for part in (row["state"], row["fact"], row["why"]) if part)
                print(f"{subject.id:28} {told}", flush=True)
    finally:
        await session.close()
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
    counts = {state: sum(row["state"] == state for row in rows) for state in (HOLDS, FAILS, ABSENT, UNSTATED)}
    print(", ".join(_COUNTED[state].format(count) for state, count in counts.items() if count), file=sys.stderr)
    if counts[ABSENT] and not as_json:
        print("Get one with: graphwright models download ID", file=sys.stderr)
    return exit_codes.FAILED if counts[FAILS] else exit_codes.OK if counts[HOLDS] else exit_codes.MISSING


async def _checked(session: Session, subject: Subject) -> dict[str, Any]:
    fact = "; ".join(check.words for check in subject.checks)
    row = {"id": subject.id, "task": subject.task, "fact": fact, "seconds": 0.0, "why": ""}
    if not subject.checks:
        return row | {"state": UNSTATED}
    if subject.model is not None and not store.present(subject.model):
        return row | {"state": ABSENT}
    start = time.monotonic()
    whys = [await _why_not(session, subject.id, check) for check in subject.checks]
    why = "; ".join(why for why in whys if why)
    return row | {"state": FAILS if why else HOLDS, "why": why, "seconds": round(time.monotonic() - start, 2)}


async def _why_not(session: Session, backend: str, check: FactCheck) -> str:
    """Why the fact does not hold, "" when it does."""
    tool = session.tools[check.tool]
    if tool.backend(backend) is None:
        return f"{check.tool} does not run it"
    files = {port: session.attach(RESOURCES / "examples" / name) for port, name in check.files.items()}
    links = tuple(Link(made.name, RESOURCE_OUTPUT, "check", port) for port, made in files.items())
    session.edit(Workflow(tuple(files.values()), (Node("check", tool.id, dict(check.values), backend),), links))
    await session.start()
    node = session.run.nodes.get("check")
    if node is None or node.state != "done":
        return f"{node.message} {node.fix}".strip() if node is not None else "it did not run"
    made = node.outputs[check.output or tool.outputs[0].name]
    value = session.value_of(made[0] if isinstance(made, tuple) else made)
    width = next((int(resource.facets.get("width", 0)) for resource in files.values()), 0)
    return "" if check.holds(value, width) else f"it gave {_short(value)}"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.shape[1]} x {value.shape[0]} of mean {value.mean():.0f}, deviation {value.std():.0f}"
    return str(value)[:200]
