"""What the other ways to do a request are worth: how many requests are offered some, and how often one is right.

`python -m tests.benchmarks.ways [--other]` plans every sixth of the marked requests that are held back from
training, of the half that was looked at while the ways were worked on, or of the `--other` half. Right is what
`tests.benchmarks.blind_requests` takes for right, of each of the first five plans by itself.
"""

from __future__ import annotations

import statistics
import sys
import time
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from desktop_app.plan.batch import request_of, row_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Plan
from nodes import load_tools
from nodes.api import Tool
from tests.benchmarks import own_requests
from tests.benchmarks.blind_requests import LABELS, is_right
from tests.benchmarks.figures import figure
from tests.training import marked

_EVERY, _SHOWN = 6, 5
_UNSEEN = LABELS | {"marked", "before", "takes"}


def main() -> None:
    """Prints the shares, and what a request takes."""
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    rows = _rows("--other" in sys.argv)
    offered: Counter[int] = Counter()
    first = among = planned = shown = good = 0
    seconds: list[float] = []
    for row in rows:
        asked = {key: value for key, value in row.items() if key not in _UNSEEN}
        started = time.perf_counter()
        plan = planner.plan(request_of(asked))
        seconds.append(time.perf_counter() - started)
        verdicts = _verdicts(row, plan, tools)
        first += verdicts[0]
        among += any(verdicts)
        planned += bool(plan.solutions)
        shown += len(verdicts) - 1
        good += sum(verdicts[1:])
        offered[min(3, len(plan.solutions))] += 1
    name, count = ("other half" if "--other" in sys.argv else "seen half"), len(rows)
    figure(f"{name}: first plan right", 100 * first / count, "%", rows=count)
    figure(f"{name}: one of five right", 100 * among / count, "%", gained=round(100 * (among - first) / count, 2))
    for number, what in ((1, "one plan"), (2, "two plans"), (3, "three or more plans")):
        figure(f"{name}: requests with {what}", 100 * offered[number] / max(1, planned), "% of those planned")
    figure(f"{name}: right among the plans beside the first", 100 * good / max(1, shown), "%", shown=shown)
    figure(f"{name}: a plan, median", 1000 * statistics.median(seconds), "ms")
    figure(f"{name}: a plan, p95", 1000 * statistics.quantiles(seconds, n=20)[-1], "ms", 50)


def _rows(other: bool) -> list[dict[str, Any]]:
    held = (row for row in marked.rows() if marked.is_held(row))
    return [row for row in held if zlib.crc32(row["id"].encode()) % 2 == other][::_EVERY]


def _verdicts(row: dict[str, Any], plan: Plan, tools: Mapping[str, Tool]) -> list[bool]:
    """Of each plan that is shown; of a request without one of the answer."""
    found: list[bool] = []
    for solution in plan.solutions[:_SHOWN] or (None,):
        one = replace(plan, solutions=() if solution is None else (solution,))
        found.append(is_right(row, own_requests.judge(row, row_of(one, row["id"], 0.0), tools)))
    return found


if __name__ == "__main__":
    main()
