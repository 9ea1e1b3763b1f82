"""How well the offline planner does on what people say in the plainest words.

`python -m tests.benchmarks.plain_requests [--misses]` reads tests/data/planning/plain.tsv.xz: two or three requests for
each tool, by two authors who knew only the tools' titles and descriptions; tab-separated: language, files as
"name:type, ...", request, tools ("a+b", others that serve as well behind " / "), values as JSON. Every second row was
looked at; `--misses` prints what went wrong among these. The rest is only measured.

Right: the plan has just the wanted tools and the values that the request says, and asks nothing; a doubt is no
question.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from nodes.api import Tool
from tests.benchmarks.figures import figure
from tests.benchmarks.own_requests import says, values_of

_FILE = Path(__file__).parent.parent / "data" / "planning" / "plain.tsv.xz"
_DOUBT = "confirm"


@dataclass(frozen=True)
class Row:
    """`tools` are sets of tools that serve, `values` by "tool.port"."""

    language: str
    resources: tuple[dict[str, str], ...]
    request: str
    tools: tuple[frozenset[str], ...]
    values: dict[str, Any]


def rows() -> Iterator[Row]:
    """Those of the file."""
    for line in lzma.decompress(_FILE.read_bytes()).decode().splitlines():
        language, files, request, wanted, values = line.split("\t")[:5]
        parts = (file.rpartition(":") for file in files.split(", ") if file.strip())
        resources = tuple({"name": name.strip(), "type": type.strip()} for name, _, type in parts)
        ways = tuple(frozenset(way.strip().split("+")) for way in wanted.split("/"))
        yield Row(language, resources, request, ways, json.loads(values or "{}"))


def main() -> None:
    """Plans every row once, and prints the totals."""
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for number, row in enumerate(rows()):
        answer = plan_row(planner, {"request": row.request, "resources": row.resources})
        fault = _fault(row, answer, tools)
        half = "only measured" if number % 2 else "looked at"
        for group in (half, f"{half}, {row.language}"):
            found[group][fault] += 1
        if fault and not number % 2 and "--misses" in sys.argv:
            print(fault, row, answer["solutions"][:1], answer["questions"], sep="\n  ")
    for group, faults in sorted(found.items()):
        figure(f"plain requests, {group}: right", 100 * faults[""] / faults.total(), "%", rows=faults.total())


def _fault(row: Row, answer: Mapping[str, Any], tools: Mapping[str, Tool]) -> str:
    """What is wrong with a plan in a word; "" where nothing is."""
    first = next(iter(answer["solutions"]), None)
    if first is None:
        return "refused"
    planned = frozenset(node["tool"] for node in first["nodes"])
    if planned not in row.tools:
        return "tools"
    clicked = any("point" in name for name in planned)
    if any(one["kind"] != _DOUBT and not (clicked and one["kind"] == "point") for one in answer["questions"]):
        return "asks"
    held = values_of(first, tools)
    wanted = {port: value for port, value in row.values.items() if port.partition(".")[0] in planned}
    return "" if all(says(port, value, held.get(port, [])) for port, value in wanted.items()) else "values"


if __name__ == "__main__":
    main()
