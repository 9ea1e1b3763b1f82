"""How often the offline planner sets a tool right once the tool is known: values, units, choices, texts, files.

`python -m tests.benchmarks.arguments [--misses]` prints totals by kind of port and by language, over the wishes with
marked values in tests/data/planning: "fitted" is the first set, which was looked at while the reading of values was
worked on; "untouched" is the second, of which only totals were seen. `--misses` lists what was wrong in the
first.

What a marked stretch is worth stands in values.jsonl.xz where the stretch alone does not tell: {"set", "line", "port",
"value"}. "Invented" are wishes in which a setting got a value, other than its default, that nobody marked.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from desktop_app.core.values import several
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.language.stand_ins import in_plain_words, restored, stand_ins
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromResource, Given, PortSpec, Request, Step, ToolSpec
from nodes import load_tools
from tests.benchmarks.figures import figure
from tests.training import composed

SETS = {"fitted": "wishes", "untouched": "wishes2"}
_NUMBERS = {"wishes": 1, "wishes2": 2}
_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_MEDIA = frozenset(("image", "audio", "video", "table", "file", "html", "mask", "depth", "boxes", "labels"))
_ENDING = {
    "image": "png", "audio": "wav", "video": "mp4", "table": "csv", "text": "txt", "file": "pdf", "html": "html",
    "mask": "png", "depth": "png", "boxes": "json", "labels": "json",
}  # fmt: skip
_UNITS = {
    "ms": 0.001, "min": 60, "minutes": 60, "minute": 60, "minuten": 60, "khz": 1000, "mb": 1000, "%": 0.01,
    "percent": 0.01, "per cent": 0.01, "prozent": 0.01,
}  # fmt: skip
_FIGURE = re.compile(r"(?:about |~|ca\. )?(\d+(?:[.,]\d+)?)\s*([^\d\s].*)?", re.I)
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d\d)")


@dataclass(frozen=True)
class Wish:
    """A request for one tool. `marked` are stretches of the text by port, `known` what they are worth."""

    tool: ToolSpec
    text: str
    language: str
    marked: tuple[tuple[str, str], ...]
    known: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """One marked port: right or not; `kind` is what it takes."""

    wish: Wish
    port: str
    kind: str
    wanted: Any
    found: Any

    @property
    def right(self) -> bool:
        """True when the value is the wanted one."""
        return _plain(self.found) == _plain(self.wanted)


def load_wishes(name: str, tools: Mapping[str, ToolSpec]) -> list[Wish]:
    """The wishes of a set in which something is marked."""
    known: dict[int, dict[str, Any]] = defaultdict(dict)
    for row in composed.rows("values.jsonl.xz"):
        if row["set"] == name:
            known[row["line"]][row["port"]] = row["value"]
    wishes = []
    for number, row in enumerate(composed.wishes(_NUMBERS[name]), 1):
        tool = tools.get(row["tool"])
        if tool is not None and _SPAN.search(row["text"]):
            ports = {port.name for port in tool.inputs}
            marked = tuple((port, said) for said, port in _SPAN.findall(row["text"]) if port in ports)
            wishes.append(Wish(tool, _SPAN.sub(r"\1", row["text"]), row["language"], marked, known[number]))
    return wishes


def kind_of(port: PortSpec) -> str:
    """What a port takes, for the totals."""
    if port.choices:
        return "language" if port.name == "language" else "choice"
    if port.type == "text" and ("colour" in port.name or "shadow" in port.name):
        return "colour"
    return "file" if port.type in _MEDIA else port.type


def worth(port: PortSpec, said: str) -> Any:
    """What a stretch says for the port; None where the stretch alone does not tell."""
    small = said.casefold().strip()
    if port.choices:
        return next((c for c in port.choices if c == small), None)
    if port.type == "flag":
        return True
    if port.type != "number":
        return small if kind_of(port) == "colour" and (small.isascii() or small[:1] == "#") else said
    figure, clock = _FIGURE.fullmatch(small), _CLOCK.fullmatch(small)
    if clock:
        return 3600 * int(clock[1] or 0) + 60 * int(clock[2]) + int(clock[3])
    if figure is None or (port.minimum is not None and port.minimum < 0):
        return None
    value, unit = float(figure[1].replace(",", ".")), (figure[2] or "").strip()
    if _UNITS.get(unit) == 0.01:
        return value if port.unit == "%" else value / 100
    return value * _UNITS.get(unit, 1)


def outcomes(wishes: Sequence[Wish], planner: OfflinePlanner) -> Iterator[tuple[list[Outcome], dict[str, Any]]]:
    """By wish: the marked ports, and the settings that got a value of which nothing is marked."""
    for wish in wishes:
        given = _given(wish)
        plan = planned_steps(planner, Request(wish.text, given), wish.tool.id)
        found: dict[str, Any] = {}
        for step in plan:
            if step.tool == wish.tool.id:
                for port, value in step.arguments.items():
                    found.setdefault(port, value)
        ports = {port.name: port for port in wish.tool.inputs}
        marked: list[Outcome] = []
        for name in dict.fromkeys(port for port, _ in wish.marked):
            port, said = ports[name], [text for other, text in wish.marked if other == name]
            wanted = wish.known.get(name)
            if wanted is None:
                values = [worth(port, text) for text in said]
                if None in values:
                    continue
                wanted = values if port.many else values[0]
            kind = (
                "text in a file"
                if kind_of(port) == "text" and any(one.name in said for one in given)
                else kind_of(port)
            )
            marked.append(Outcome(wish, name, kind, wanted, _named(found.get(name, port.default))))
        extra = {
            name: value for name, value in found.items()
            if name in ports and name not in dict(wish.marked) and value != ports[name].default
            and (kind_of(ports[name]) in ("number", "choice", "language", "colour", "flag"))
        }  # fmt: skip
        yield marked, extra


def planned_steps(planner: OfflinePlanner, request: Request, tool: str) -> tuple[Step, ...]:
    """The steps of the first plan in which the whole request means that tool."""
    words = len(words_of(request.text, request.resources))
    shares = np.tile(np.array([1.0, 0.0], np.float32), (words, 1))
    reading = Reading((ToolClause(0, len(request.text), tool, 1.0),), shares, {tool: 0})
    kept = planner.joint
    known: Any = SimpleNamespace(
        judge=SimpleNamespace(
            finder=lambda text: ("", 0.0), thing=lambda words: "", verbatim=kept.judge.verbatim,
            either=kept.judge.either, contents=kept.judge.contents,
        ),
    )  # fmt: skip
    names = stand_ins(request.resources)
    planner.joint = known
    try:
        solutions = restored(planner._by_meaning(in_plain_words(request, names), reading), names).solutions
    finally:
        planner.joint = kept
    return solutions[0].steps if solutions else ()


def _given(wish: Wish) -> tuple[Given, ...]:
    """The files that are named, or one for each port that needs one."""
    types = {port.name: port.type for port in wish.tool.inputs}
    named = [Given(said, types[port]) for port, said in wish.marked if types[port] in _MEDIA]
    named += [
        Given(said, "text") for port, said in wish.marked
        if types[port] == "text" and re.search(r"\.(?:txt|md|srt|vtt)$", said)
    ]  # fmt: skip
    there = {port for port, _ in wish.marked}
    for port in wish.tool.inputs:
        if port.required and port.type in _MEDIA and port.name not in there:
            count = 1 + port.many
            named += [Given(f"{port.type} {n + 1}.{_ENDING[port.type]}", port.type) for n in range(count)]
    return tuple({given.name: given for given in named}.values())


def _named(value: Any) -> Any:
    items = [item.name if isinstance(item, FromResource) else item for item in several(value)]
    return items if isinstance(value, tuple) or not items else items[0]


def _plain(value: Any) -> Any:
    """What two ways to write the same value have in common."""
    if isinstance(value, (list, tuple)):
        parts = [_plain(part) for part in value]
        return parts[0] if len(parts) == 1 else parts
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return " ".join(value.split()).strip("\"'“”„«»「」.?!¿，。？ ").casefold().replace("grey", "gray")
    return round(float(value), 3) if isinstance(value, (int, float)) else str(value)


def main() -> None:
    """Prints the figures."""
    specs = {tool.id: tool for tool in from_tools(load_tools().tools)}
    planner = OfflinePlanner(tuple(specs.values()))
    for label, name in SETS.items():
        right: dict[str, list[bool]] = defaultdict(list)
        whole: list[bool] = []
        invented: list[bool] = []
        for marked, extra in outcomes(load_wishes(name, specs), planner):
            for outcome in marked:
                group = "" if "file" in outcome.kind else outcome.wish.language
                for key in ("all settings" if group else "", outcome.kind, group):
                    right[key].append(outcome.right)
                if label == "fitted" and "--misses" in sys.argv and not outcome.right:
                    print(
                        f"{outcome.kind}: {outcome.wish.tool.id}.{outcome.port} is {outcome.found!r}, "
                        f"wanted {outcome.wanted!r}: {outcome.wish.text}"
                    )
            whole.append(all(outcome.right for outcome in marked) and not extra)
            invented.append(bool(extra))
            if label == "fitted" and "--misses" in sys.argv and extra:
                wish = marked[0].wish if marked else None
                print(f"invented: {wish.tool.id if wish else ''} {extra}: {wish.text if wish else ''}")
        for key in sorted(right, key=lambda k: (k != "all settings", k)):
            if key:
                figure(f"{label} wishes, {key}: right", _share(right[key]), "%", rows=len(right[key]))
        figure(f"{label} wishes: all marked values right and none invented", _share(whole), "%", rows=len(whole))
        figure(f"{label} wishes: a setting invented", _share(invented), "%", rows=len(invented))


def _share(claims: Sequence[bool]) -> float:
    return 100 * sum(claims) / len(claims) if claims else 0.0


if __name__ == "__main__":
    main()
