"""How what is said of a plan that is there is read: as a change of it, as talk, or as a further wish.

`python -m tests.benchmarks.follow_ups [--misses] [--no-plans]` reads the turns of follow_ups.jsonl.xz
(tests/data/planning), by an author who knew only the tools' titles. A third is held back: totals only;
`--misses` shows those of the others.

A change is right where it is the kind that is meant and hits what is meant: the step, port and value, the step, the
tool, the file. A value that is said vaguely ("thicker") may also just go in the right direction. A further wish is
right where its plan is (see own_requests.py). Files that no step before took count as brought with the message.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes import edits
from desktop_app.plan.modes.conversation import Talk, talk_in
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Step, ToolSpec
from nodes import load_tools
from nodes.api import Tool
from tests.benchmarks import own_requests
from tests.benchmarks.figures import figure

DATA = Path(__file__).parent.parent / "data" / "planning" / "follow_ups.jsonl.xz"
WISHES = ("add", "new")
_KINDS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((Talk,), "talk"),
    ((edits.SetValues, edits.AskValue, edits.Rephrase), "value"),
    ((edits.Remove,), "remove"),
    ((edits.UseFile, edits.Repeat), "file"),
    ((edits.UseTool,), "tool"),
    ((edits.Undo, edits.Redo, edits.BackTo, edits.UseWay), "undo"),
)


@dataclass(frozen=True)
class Reading:
    """A turn as it was read. `near` is right but for a vague value that only goes in the right direction."""

    row: Mapping[str, Any]
    found: edits.Edit | Talk | None
    kind: str
    kind_right: bool
    right: bool
    near: bool


def is_held_back(row: Mapping[str, Any]) -> bool:
    """True for rows that nobody looks at."""
    return sum(map(ord, row["id"])) % 3 == 0


def present(row: Mapping[str, Any], tools: Mapping[str, ToolSpec]) -> edits.Present:
    """The graph of the steps before, and the files, as the session would show them."""
    types = {given["name"]: given["type"] for given in row["resources"]}
    made: dict[str, FromNode] = {}
    steps = []
    for number, one in enumerate(row["before"]):
        spec, fed = tools[one["tool"]], defaultdict[str, list[Any]](list)
        for name in one.get("files", ()):
            port = _port_for(types.get(name, "file"), spec, fed)
            if port:
                fed[port].append(made.get(name, FromResource(name)))
        links = {port: items[0] if len(items) == 1 else tuple(items) for port, items in fed.items()}
        steps.append(Step(f"step{number}", spec.id, {**one.get("args", {}), **links}))
        for name in one.get("makes", ()):
            output = next((o.name for o in spec.outputs if o.type == types.get(name)), spec.outputs[0].name)
            made[name] = FromNode(f"step{number}", output)
    own = tuple(Given(name, type) for name, type in types.items() if name not in made)
    taken = {name for one in row["before"] for name in one.get("files", ())}
    wish = next((turn["text"] for turn in reversed(row["history"]) if turn["role"] == "user"), "")
    brought = tuple(given.name for given in own if given.name not in taken)
    return edits.Present(tuple(steps), own, wish=wish, brought=brought)


def _port_for(type: str, spec: ToolSpec, fed: Mapping[str, Sequence[Any]]) -> str:
    ports = [port for port in spec.inputs if fits(type, port.type) and not port.choices]
    free = [port for port in ports if not fed.get(port.name)]
    ports = sorted(free, key=lambda port: (not port.required, port.type != type)) or ports
    return ports[0].name if ports else ""


def read(planner: OfflinePlanner, row: Mapping[str, Any]) -> edits.Edit | Talk | None:
    """As the session reads it; None for a wish that is to be planned."""
    return talk_in(row["request"]) or planner.follow_ups.read(row["request"], present(row, planner.graph.tools))


def judged(planner: OfflinePlanner, tools: Mapping[str, Tool], row: Mapping[str, Any], plans: bool) -> Reading:
    """A row against what is meant. Without `plans` a wish that was read as one is right."""
    found, change = read(planner, row), row["gold"]["change"]
    kind = next((name for types, name in _KINDS if isinstance(found, types)), "wish")
    meant = "wish" if change["kind"] in WISHES else change["kind"]
    strict = near = kind == meant and _hits(found, change)
    if kind == "wish" and plans:
        verdict = own_requests.judge(row, plan_row(planner, row), tools)
        reply = verdict.reply_right
        strict = near = reply if reply is not None else verdict.right and not verdict.wrong_args
    elif kind == "value":
        near = strict or (meant == kind and _goes_there(found, change, row, planner.graph.tools))
    return Reading(row, found, kind, kind == meant, strict, near)


def _hits(found: edits.Edit | Talk | None, change: Mapping[str, Any]) -> bool:
    step = f"step{change.get('step')}"
    match found:
        case edits.SetValues(values):
            return set(values) == {(step, change["port"])} and _same(values[step, change["port"]], change["value"])
        case edits.Remove(steps):
            return steps == (step,)
        case edits.UseTool(old, tool, _, _):
            return (old, tool) == (step, change["tool"])
        case edits.UseFile(_, new):
            return new == change["file"]
        case edits.Repeat(_, files):
            return files == (change["file"],)
        case edits.AskValue() | edits.Rephrase():
            return False
        case _:
            return True


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return any(_same(value, one) for one in wanted["any"])
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return abs(value - wanted) <= 0.02 * abs(wanted) + 1e-9
    return _plain(value) == _plain(wanted)


def _plain(value: Any) -> str:
    return " ".join(str(value).casefold().split()).rstrip(".!?。！？")


def _goes_there(found: Any, change: Mapping[str, Any], row: Mapping[str, Any], tools: Mapping[str, ToolSpec]) -> bool:
    """For a vague value: the right port, and more where all the accepted ones are more."""
    key, wanted = (f"step{change['step']}", change["port"]), change["value"]
    if not isinstance(found, edits.SetValues) or set(found.values) != {key} or not isinstance(wanted, dict):
        return False
    before = row["before"][change["step"]]
    port = next(port for port in tools[before["tool"]].inputs if port.name == change["port"])
    old = before.get("args", {}).get(port.name, port.default)
    numbers = [one for one in (found.values[key], old, *wanted["any"]) if isinstance(one, int | float)]
    return len(numbers) == 2 + len(wanted["any"]) and all((one > old) == (numbers[0] > old) for one in numbers[2:])


def main() -> None:
    """Reads every row once, and prints the totals."""
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    rows = own_requests.load_rows(tools, DATA)
    readings = [judged(planner, tools, row, "--no-plans" not in sys.argv) for row in rows]
    for held, name in ((False, "looked at"), (True, "held back")):
        _print(name, [one for one in readings if is_held_back(one.row) == held])
    for one in readings if "--misses" in sys.argv else ():
        if not one.near and not is_held_back(one.row):
            _show(one)


def _show(one: Reading) -> None:
    before = "; ".join(f"{step['tool']} {step.get('args', {})}" for step in one.row["before"])
    print(f"{one.row['id']} [{before}] {one.row['request']!r}\n    meant {one.row['gold']['change']}")
    print(f"    {one.kind} {one.found or ''}{'' if one.kind_right else '  (another kind)'}")


def _print(name: str, readings: Sequence[Reading]) -> None:
    groups: dict[str, list[Reading]] = defaultdict(list)
    for one in readings:
        for group in ("all", one.row["gold"]["change"]["kind"], one.row["language"]):
            groups[group].append(one)
    for group, some in groups.items():
        figure(f"follow-ups {name}, {group}: kind right", _share([one.kind_right for one in some]), "%", rows=len(some))
        near = round(_share([one.near for one in some]), 1)
        figure(f"follow-ups {name}, {group}: right", _share([one.right for one in some]), "%", with_vague_values=near)
    wishes = [one for one in readings if one.row["gold"]["change"]["kind"] in WISHES]
    others = [one for one in readings if one not in wishes]
    changes = [one.kind not in ("wish", "talk") for one in wishes]
    figure(f"follow-ups {name}: wishes taken for a change of the graph", _share(changes), "%", rows=len(wishes))
    planned = [one.kind == "wish" for one in others]
    figure(f"follow-ups {name}: changes and talk taken for a wish", _share(planned), "%", rows=len(others))


def _share(claims: Sequence[bool]) -> float:
    return 100 * sum(claims) / len(claims) if claims else 0.0


if __name__ == "__main__":
    main()
