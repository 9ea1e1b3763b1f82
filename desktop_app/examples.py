"""The bundled example requests: resources/examples/examples.json with the media beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from desktop_app.paths import RESOURCES


@dataclass(frozen=True)
class Example:
    """A request that works at once. `picture` is shown on its card; `types` are the resource types it uses.

    `demo` marks the three that `--demo` runs.
    """

    request: str
    files: tuple[Path, ...]
    picture: Path | None
    types: tuple[str, ...]
    demo: bool = False


def load_examples(language: str = "en") -> tuple[Example, ...]:
    """The bundled examples in that language, in the order of the first screen."""
    folder = RESOURCES / "examples"
    rows = json.loads((folder / "examples.json").read_text("utf-8"))
    return tuple(
        Example(
            row.get(language) or row["request"],
            tuple(folder / name for name in row["files"]),
            folder / row["picture"] if row.get("picture") else None,
            tuple(row["types"]),
            bool(row.get("demo")),
        )
        for row in rows
    )
