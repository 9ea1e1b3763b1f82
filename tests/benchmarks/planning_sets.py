"""How well the offline planner does over tool sets that it was not made for: `python -m tests.benchmarks.planning_sets`

Reads tests/data/tool_sets.json.xz: small sets of other domains (a laboratory, maps, an office, a recording studio, a
farm, a shop), with requests and their right graphs. `--misses` prints what went wrong. The sets "farm" and "shop"
were written after the others had been worked on, and are only measured.

`--sealed` takes the requests of described_sealed.jsonl.xz instead: by authors who knew only the tools' names and
descriptions, over two sets of their own and the three of ../shared/data/planning (left out where that is not there).
Nobody reads them: only totals are printed. `--words` plans by the lexicon alone.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_data
from tests.benchmarks.figures import figure
from tests.benchmarks.own_requests import Graph, f1
from tests.benchmarks.planning import DATA
from tests.training.composed import rows

SETS = Path(__file__).parent.parent / "data" / "tool_sets.json.xz"


def tool_sets() -> dict[str, Any]:
    """Those of tool_sets.json.xz, by name."""
    return json.loads(lzma.decompress(SETS.read_bytes()))


def planned(tool_set: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Graph, Graph]]:
    """Each request of a set with the labelled graph and that of the first solution."""
    planner = OfflinePlanner(from_data(tool_set))
    for row in tool_set["requests"]:
        request = {key: value for key, value in row.items() if key != "gold"}
        solutions = plan_row(planner, request)["solutions"]
        found = Graph.of_solution(solutions[0]) if solutions else Graph(Counter(), Counter())
        yield row, Graph.of_label(row["gold"]), found


def sealed() -> None:
    """Prints the totals of each set, and of all by kind and language."""
    every: list[tuple[Graph, Graph]] = []
    right: dict[str, list[bool]] = defaultdict(list)
    wrong_as_ready: list[bool] = []
    for one in rows("described_sealed.jsonl.xz"):
        box = DATA / one.get("toolbox", "")
        if "toolbox" in one and not box.exists():
            continue
        planner = OfflinePlanner(from_data(json.loads(box.read_text("utf-8")) if "toolbox" in one else one))
        own: list[tuple[Graph, Graph]] = []
        for row in one["requests"]:
            answer = plan_row(planner, {key: row.get(key, ()) for key in ("request", "resources")})
            solutions = answer["solutions"]
            found = Graph.of_solution(solutions[0]) if solutions else Graph(Counter(), Counter())
            labels = [_graph_of(label) for label in (row, *row.get("also", ()))]
            own.append((max(labels, key=lambda label, found=found: f1([(label.nodes, found.nodes)])), found))
            for kind in (row["split"], row["language"], "all"):
                right[kind].append(found in labels)
            if solutions and not any(question.get("kind") == "confirm" for question in answer["questions"]):
                wrong_as_ready.append(found not in labels)
        report(one["name"], own)
        every += own
    report("all", every)
    for kind, hits in right.items():
        figure(
            f"other tool sets, sealed, {kind}: first solution right", 100 * sum(hits) / len(hits), "%", rows=len(hits)
        )
    ready = len(wrong_as_ready)
    figure("other tool sets, sealed: wrong of those shown as ready", 100 * sum(wrong_as_ready) / ready, "%", rows=ready)


def _graph_of(label: Mapping[str, Any]) -> Graph:
    """Of a row whose links are pairs of places in its nodes."""
    names = [node["tool"] if isinstance(node, dict) else node for node in label["nodes"]]
    return Graph(Counter(names), Counter((names[source], names[target]) for source, target in label["links"]))


def main() -> None:
    """Prints the figures of each set and of all."""
    if "--sealed" in sys.argv:
        sealed()
        return
    every: list[tuple[Graph, Graph]] = []
    for name, tool_set in tool_sets().items():
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
    if "--words" in sys.argv and os.environ.get("GRAPHWRIGHT_JUDGE") != "0":
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "GRAPHWRIGHT_JUDGE": "0"})
    main()
