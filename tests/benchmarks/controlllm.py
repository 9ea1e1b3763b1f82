"""How the offline planner does on ControlLLM's instructions: `python -m tests.benchmarks.controlllm [--long]`.

Their decompositions were written by a model and name no tools, so they are no truth; what can be asked of a plan
is whether there is one, whether it is sound (HR, CR), and whether it gives a resource of the type with which the
decomposition ends.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_app.core.paths import PROJECT
from desktop_app.plan.batch import request_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_file
from desktop_app.plan.types import Request, Solution
from tests.benchmarks.figures import figure
from tests.plan.worlds import faults

DATA = PROJECT.parent / "shared" / "data" / "planning"
_SHORT = 250
_SAME = {
    "category": "text", "labels": "text", "response": "text", "tags": "text", "title": "text", "bbox": "boxes",
    "hed": "soft_edge",
}  # fmt: skip
"""Types of the decompositions, or of the planner, that the tool set calls otherwise."""


def main() -> None:
    """Prints the figures of every tenth request, with --long of all."""
    file = DATA / "controlllm_dev.jsonl"
    if not Path(file).exists():
        print(json.dumps({"name": "controlllm", "skipped": "../shared/data/planning is not there"}))
        return
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows = rows if "--long" in sys.argv else rows[:: max(1, len(rows) // _SHORT)]
    planner = OfflinePlanner(from_file(DATA / "controlllm_toolbox.json"))
    tools = list(planner.graph.tools.values())
    answered = ends = invented = unfit = total = 0
    seconds: list[float] = []
    for row in rows:
        request = request_of(row)
        started = time.perf_counter()
        plan = planner.plan(request)
        seconds.append(time.perf_counter() - started)
        answered += bool(plan.solutions)
        for solution in plan.solutions:
            found = faults(solution, request, tools)
            total += 1
            invented += any("invented" in fault for fault in found)
            unfit += any("takes" in fault for fault in found)
        ends += bool(plan.solutions) and _ends_like(plan.solutions[0], row, request, planner)
    figure("ControlLLM: answered", 100 * answered / len(rows), "%")
    figure("ControlLLM: gives the type that the decomposition ends with", 100 * ends / len(rows), "%")
    figure("ControlLLM: HR", invented / max(1, total), "part", 0.0)
    figure("ControlLLM: CR", 1 - unfit / max(1, total), "part")
    figure("ControlLLM: seconds a request, median", statistics.median(seconds), "s")
    figure("ControlLLM: seconds a request, p95", sorted(seconds)[int(0.95 * (len(seconds) - 1))], "s", 0.05)


def _ends_like(solution: Solution, row: Mapping[str, Any], request: Request, planner: OfflinePlanner) -> bool:
    """Whether an output of the last steps is of a type with which the decomposition ends."""
    taken = {dep for task in row["subtasks"] for dep in task["dep"]}
    last = [task for task in row["subtasks"] if task["id"] not in taken]
    wanted = {_SAME.get(one["type"], one["type"]) for task in last for one in task["returns"]}
    tool = {step.id: planner.graph.tools[step.tool] for step in solution.steps}
    given = {port.type for node, output in solution.wanted for port in tool[node].outputs if port.name == output}
    return bool({_SAME.get(type, type.rpartition(".")[2]) for type in given} & wanted)


if __name__ == "__main__":
    main()
