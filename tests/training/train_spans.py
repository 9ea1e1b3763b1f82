"""`python -m tests.training.train_spans`: learns which stretch of a request is the text for a port; writes spans.npz.

Out of the marked wishes in tests/data/planning. `--half` trains on the first set alone and says how often the stretch
for a port of the second is found. The same data give the same weights.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.span_labels import BUCKETS, Grid, files_allowed, grid, pieces_of, texts_allowed
from desktop_app.plan.language.stand_ins import stand_ins
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given, PortSpec, ToolSpec
from nodes import load_tools
from tests.training import composed

_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_NAME = re.compile(r"\.\w{2,5}$")
_QUOTES = (("'", "'"), ('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"))
_VARIED = 3
_EPOCHS, _RATE, _DECAY = 8, 0.1, 1e-3


@dataclass(frozen=True)
class Example:
    """A request for one port: its features, and the pieces of the stretch (first, last), or None."""

    grid: Grid
    wanted: tuple[int, int] | None
    port: str
    file: bool


def is_worded(port: PortSpec) -> bool:
    """True for a text in words."""
    return port.type == "text" and not port.choices and not port.many and "colour" not in port.name


def examples(sets: Sequence[int], tools: dict[str, ToolSpec], varied: int = _VARIED) -> list[Example]:
    """Of the wishes of these sets; beside each what it becomes with other texts in the place of its own."""
    rows = [row for row in composed.wishes(*sets) if row["tool"] in tools]
    fillers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        for said, port in _typed(row["text"], tools[row["tool"]]):
            fillers[port, row["language"]].append(said)
            fillers["", row["language"]].append(said)
    chance = random.Random(0)
    found: list[Example] = []
    for row in rows:
        tool, text = tools[row["tool"]], row["text"]
        found += _of_wish(text, tool)
        own = dict.fromkeys(port for _, port in _typed(text, tool))
        for _ in range(varied if own else 0):

            def other(match: re.Match[str], own: Collection[str] = own, language: str = row["language"]) -> str:
                if match[2] not in own:
                    return match[0]
                said = chance.choice(fillers[match[2] if chance.random() < 0.7 else "", language])
                said = said.lower() if chance.random() < 0.3 else said
                opening, closing = chance.choice(_QUOTES) if chance.random() < 0.2 else ("", "")
                return f"{opening}[{said}|{match[2]}]{closing}"

            found += [example for example in _of_wish(_SPAN.sub(other, text), tool) if not example.file]
    return found


def _typed(marked: str, tool: ToolSpec) -> list[tuple[str, str]]:
    """The texts that are typed into the request, with their ports."""
    worded = {port.name for port in tool.inputs if is_worded(port)}
    return [(said, port) for said, port in _SPAN.findall(marked) if port in worded and not _NAME.search(said)]


def _of_wish(marked: str, tool: ToolSpec) -> Iterator[Example]:
    types = {port.name: port.type for port in tool.inputs}
    names = [Given(said, types.get(port, "file")) for said, port in _SPAN.findall(marked) if _NAME.search(said)]
    plain = stand_ins([one for one in names if not one.name.startswith("http")])
    marked = _SPAN.sub(lambda m: f"[{plain.get(m[1], m[1])}|{m[2]}]", marked)
    text, spans = "", {}
    at = 0
    for match in _SPAN.finditer(marked):
        text += marked[at : match.start()]
        spans.setdefault(match[2], []).append((len(text), len(text) + len(match[1])))
        text += match[1]
        at = match.end()
    text += marked[at:]
    pieces = pieces_of(text)

    def places(start: int, end: int) -> tuple[int, int] | None:
        inside = [n for n, piece in enumerate(pieces) if piece.start < end and start < piece.end]
        return (inside[0], inside[-1]) if inside else None

    files = {plain.get(one.name, one.name): one.type for one in names}
    for port in tool.inputs:
        held = spans.get(port.name, [])
        if is_worded(port) and tool.id != "chat":
            said = [span for span in held if text[slice(*span)] not in files]
            wanted = places(*said[0]) if said else None
            allowed = texts_allowed(text)
            if wanted is None or allowed[wanted]:
                yield Example(
                    grid(text, tool.id, port.name, port.type, allowed), wanted, f"{tool.id}.{port.name}", False
                )
        elif port.type not in ("number", "flag") and not port.choices and not port.many:
            alike = [n for n, type in files.items() if type == port.type]
            wanted = places(*held[0]) if held else None
            allowed = files_allowed(text, alike)
            if alike and (wanted is None or allowed[wanted]):
                yield Example(
                    grid(text, tool.id, port.name, port.type, allowed), wanted, f"{tool.id}.{port.name}", True
                )


def fit(found: list[Example]) -> NDArray[np.float32]:
    """Softmax over all stretches and none; Adagrad, one request at a time."""
    weights, squares = np.zeros(BUCKETS, np.float32), np.full(BUCKETS, 1e-3, np.float32)
    chance = np.random.default_rng(0)
    for epoch in range(_EPOCHS):
        for number in chance.permutation(len(found)):
            one = found[number]
            scores, none = one.grid.scores(weights)
            top = max(float(scores.max()), none)
            raised, left = np.exp(scores - top), np.exp(none - top)
            whole = raised.sum() + left
            share, left = raised / whole, left / whole
            if one.wanted is None:
                left -= 1
            else:
                share[one.wanted] -= 1
            slope = np.zeros(BUCKETS, np.float32)
            g = one.grid
            np.add.at(slope, g.starts, share.sum(1)[:, None])
            np.add.at(slope, g.ends, share.sum(0)[:, None])
            inside = np.zeros(len(share) + 1)
            rows, columns = share.sum(1), share.sum(0)
            inside = np.cumsum(rows) - np.concatenate([[0.0], np.cumsum(columns)[:-1]])
            np.add.at(slope, g.insides, inside[:, None])
            far = np.clip(np.arange(len(share))[None, :] - np.arange(len(share))[:, None], 0, len(g.lengths) - 1)
            np.add.at(slope, g.lengths, np.bincount(far.ravel(), share.ravel(), len(g.lengths))[:, None])
            np.add.at(slope, g.none, left)
            touched = np.flatnonzero(slope)
            part = slope[touched] + _DECAY * weights[touched]
            squares[touched] += part * part
            weights[touched] -= _RATE * (1 - epoch / _EPOCHS) * part / np.sqrt(squares[touched])
    return weights


def report(found: list[Example], weights: NDArray[np.float32]) -> None:
    """Prints how often the stretch is the wanted one."""
    for label, file in (("texts", False), ("files", True)):
        for said in (True, False):
            part = [one for one in found if one.file == file and (one.wanted is not None) == said]
            right = 0
            for one in part:
                scores, none = one.grid.scores(weights)
                best = np.unravel_index(scores.argmax(), scores.shape)
                chosen = tuple(int(n) for n in best) if scores.max() > none else None
                right += chosen == one.wanted
            print(f"{label}, {'said' if said else 'not said'}: {100 * right / max(len(part), 1):.1f} % of {len(part)}")


def main() -> None:
    """Trains and writes the weights."""
    tools = {tool.id: tool for tool in from_tools(load_tools().tools)}
    found = examples([1] if "--half" in sys.argv else [1, 2], tools)
    weights = fit(found)
    if "--half" in sys.argv:
        report(examples([2], tools, 0), weights)
    ports = sorted({example.port for example in found if example.wanted is not None})
    np.savez_compressed(RESOURCES / "planner" / "spans.npz", weights=weights.astype(np.float16), ports=np.array(ports))


if __name__ == "__main__":
    main()
