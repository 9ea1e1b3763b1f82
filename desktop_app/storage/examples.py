"""The bundled example requests: resources/examples/examples.json with the media beside it, and what came of each.

What came of them (resources/examples/results) is made by `python -m tests.make_example_results`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from desktop_app.core.paths import RESOURCES

FOLDER = RESOURCES / "examples"
RESULTS = FOLDER / "results"


@dataclass(frozen=True)
class ExampleResult:
    """What this program made of an example. `digest` is that of the example it was made from (tests check it).

    At most one of these is there, but for a text that is also spoken: `picture` (a small one; of a film its first,
    then `film`), `words` (the beginning of a text), `peaks` (a sound's loudness 0..1 in equal stretches, `before` that
    of the one it was made of), `number` with the `boxes` (x, y, width, height as fractions of the picture) it counts.
    `files` are the digests of the media, `tools` the ids of the tools (sorted).
    """

    digest: str
    files: frozenset[str]
    tools: tuple[str, ...]
    picture: Path | None = None
    film: bool = False
    words: str = ""
    peaks: tuple[float, ...] = ()
    before: tuple[float, ...] = ()
    number: str = ""
    boxes: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True)
class Example:
    """A request that works at once. `picture` is shown on its card; `types` are the resource types it uses.

    `demo` marks the three that `--demo` runs. `points` are (x, y, include) in pixels of the picture: what its result
    was made with, where the request asks to point.
    """

    request: str
    files: tuple[Path, ...]
    picture: Path | None
    types: tuple[str, ...]
    demo: bool = False
    points: tuple[tuple[float, float, bool], ...] = ()
    result: ExampleResult | None = None


@cache
def example_requests() -> frozenset[str]:
    """What the examples ask for, in every language that they have."""
    rows = json.loads((FOLDER / "examples.json").read_text("utf-8"))
    return frozenset(row[key] for row in rows for key in ("request", "zh"))


def load_examples(language: str = "en") -> tuple[Example, ...]:
    rows = json.loads((FOLDER / "examples.json").read_text("utf-8"))
    results = load_results()
    return tuple(
        Example(
            row.get(language) or row["request"],
            tuple(FOLDER / name for name in row["files"]),
            FOLDER / row["picture"] if row.get("picture") else None,
            tuple(row["types"]),
            bool(row.get("demo")),
            tuple((x, y, include) for x, y, include in row.get("points", ())),
            results.get(row["request"]),
        )
        for row in rows
    )


def load_results() -> dict[str, ExampleResult]:
    """What came of the examples, by their requests in English."""
    rows = json.loads((RESULTS / "results.json").read_text("utf-8"))
    return {request: _result(row) for request, row in rows.items()}


def _result(row: dict[str, Any]) -> ExampleResult:
    return ExampleResult(
        row["digest"],
        frozenset(row["files"]),
        tuple(row["tools"]),
        RESULTS / row["picture"] if row.get("picture") else None,
        bool(row.get("film")),
        row.get("words", ""),
        tuple(row.get("peaks", ())),
        tuple(row.get("before", ())),
        row.get("number", ""),
        tuple((x, y, width, height) for x, y, width, height in row.get("boxes", ())),
    )
