"""How well the offline planner does over tool sets that it was not made for: `python -m tests.benchmarks.planning_sets`

Reads tests/data/tool_sets.json: small sets of other domains (a laboratory, maps, an office, a recording studio, a farm,
a shop), with requests and the graphs that are right. `--misses` prints what went wrong. The sets "farm" and "shop" were
written after the others had been worked on, and are only measured.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_data
from tests.benchmarks.figures import figure
from tests.benchmarks.own_requests import Graph, f1

SETS = Path(__file__).parent.parent / "data" / "tool_sets.json"


def planned(tool_set: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Graph, Graph]]:
    """Each request of a set with the labelled graph and that of the first solution."""
    planner = OfflinePlanner(from_data(tool_set))
    for row in tool_set["requests"]:
        request = {key: value for key, value in row.items() if key != "gold"}
        solutions = plan_row(planner, request)["solutions"]
        found = Graph.of_solution(solutions[0]) if solutions else Graph(Counter(), Counter())
        yield row, Graph.of_label(row["gold"]), found


def main() -> None:
    """Prints the figures of each set and of all."""
    every: list[tuple[Graph, Graph]] = []
    for name, tool_set in json.loads(SETS.read_text("utf-8")).items():
        pairs = []
        for row, wanted, found in planned(tool_set):
            pairs.append((wanted, found))
            if "--misses" in sys.argv and wanted != found:
                print(f"{row['id']}: {row['request']}\n   planned {found}\n   wanted  {wanted}")
        report(name, pairs)
        every += pairs
    report("all", every)


def report(name: str, pairs: list[tuple[Graph, Graph]]) -> None:
    """Prints how many graphs are right, and F1 of tools and links."""
    right = 100 * sum(wanted == found for wanted, found in pairs) / len(pairs)
    figure(f"other tool sets, {name}: first solution right", right, "%")
    figure(f"other tool sets, {name}: node F1", 100 * f1((w.nodes, p.nodes) for w, p in pairs), "%")
    figure(f"other tool sets, {name}: edge F1", 100 * f1((w.links, p.links) for w, p in pairs), "%")


if __name__ == "__main__":
    main()
