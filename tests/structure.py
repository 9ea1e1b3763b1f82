"""The large scale of the code in numbers: `python -m tests.structure [FOLDER] [--trace]` prints one JSON object a line.

FOLDER holds the project, today's by default, so that older states can be set beside it. Files and lines of each room,
circles of imports (those under TYPE_CHECKING and inside functions counted), imports against the direction that the
rooms have; with `--trace` the files and functions that one request on the command line enters, with and without those
of the planner, and one click on a picture in the window, in the order in which they are entered first, and the files
that desktop_app/README.md names for it and that it does not enter.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
REQUEST = "rotate cat.jpg by 90 degrees"
_PACKAGE = "desktop_app"


def modules(project: Path) -> dict[str, Path]:
    """Every module of the application, by its dotted name."""
    found = {}
    for path in sorted((project / _PACKAGE).rglob("*.py")):
        parts = path.relative_to(project).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: Mapping[str, Path]) -> set[str]:
    """The modules of the application that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found.update(name if name in known else node.module for name in names)
    return found & known.keys()


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other (strongly connected components of more than one; Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in graph[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for name in graph:
        if name not in index:
            visit(name)
    return found


def layers() -> Iterator[tuple[str, list[tuple[bool, set[str]]]]]:
    """The rooms' order as pyproject.toml fixes it: where they lie, and the rooms from the left to the right.

    Those of a row stand side by side; it begins with True where they may know each other.
    """
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        if contract["type"] == "layers":
            for container in contract.get("containers", [""]):
                yield container, [_row(row) for row in contract["layers"]]


def _row(row: str) -> tuple[bool, set[str]]:
    return ":" in row, {name.strip(" ()") for name in row.replace(":", "|").split("|")}


def against(graph: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Imports that run from the right to the left, or between rooms that are not to know each other ("a | b")."""
    found = set()
    for container, rows in layers():
        place = {f"{container}.{name}" if container else name: at for at, (_, row) in enumerate(rows) for name in row}

        def room(name: str, place: Mapping[str, int] = place) -> str:
            return max((r for r in place if name == r or name.startswith(f"{r}.")), key=len, default="")

        for name, others in graph.items():
            for other in others:
                a, b = room(name), room(other)
                if a and b and a != b and (place[a] > place[b] or (place[a] == place[b] and not rows[place[a]][0])):
                    found.add((name, other))
    return sorted(found)


def trace(what: str) -> dict[str, Any]:
    """The files, in order, and the number of functions of the application that are entered."""
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "told.json"
        env = {**os.environ, "GRAPHWRIGHT_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run(
            [sys.executable, "-m", "tests.structure_trace", what, str(told)], env=env, check=True, cwd=PROJECT,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return json.loads(told.read_text("utf-8"))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PROJECT)
    parser.add_argument("--trace", action="store_true")
    asked = parser.parse_args()
    known = modules(asked.folder)
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in known.values():
        room = path.parent.relative_to(asked.folder).as_posix()
        files[room] += path.name != "__init__.py"
        lines[room] += path.read_text("utf-8").count("\n")
    for room in sorted(files):
        _say(room=room, files=files[room], lines=lines[room])
    graph = {name: imports(path, known) - {name} for name, path in known.items()}
    planner = sum(count for room, count in lines.items() if f"{room}/".startswith(f"{_PACKAGE}/plan/"))
    sizes = defaultdict(int, files)
    _say(files=sum(files.values()), lines=lines.total(), lines_without_planner=lines.total() - planner,
         most_files_in_a_room=max(sizes.values()))  # fmt: skip
    found = circles(graph)
    _say(circles=len(found), modules_in_circles=sum(map(len, found)), which=found)
    wrong = against(graph)
    _say(imports=sum(map(len, graph.values())), against_the_direction=len(wrong), which=wrong)
    for what in ("request", "click", "value") if asked.trace else ():
        told = trace(what)
        _say(**told, named_and_not_entered=[name for name in walk(what) if not _ends(name, told["order"])])


def walk(what: str) -> list[str]:
    """The files that the page of words and walks names for it; of the worker's end another process tells nothing."""
    page = (PROJECT / _PACKAGE / "README.md").read_text("utf-8").split("\n## ")[2:]
    part = page[("request", "click", "value").index(what)]
    return [name for name in re.findall(r"`([\w/]+\.py)`", part) if not name.endswith("worker_main.py")]


def _ends(name: str, places: list[str]) -> bool:
    return any(f"/{place}".endswith(f"/{name}") for place in places)


def _say(**figures: object) -> None:
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
