"""How good and how fast the offline planner is: `python -m tests.benchmarks.planning [--long]`, JSON lines.

Reads the labelled requests of ../shared/data/planning; without them only the search and our own tools are measured.
F1 is pooled over all requests of a set: tool names for nodes, (source, target) pairs of tool names for links. A tool
too many, a tool too few and a request without an answer all count as errors. Resource hallucination (HR) is the part
of solutions with an argument that is neither in the request nor made before, type consistency (CR) that of solutions
in which every type fits (ControlLLM, section 4.2).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import statistics
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from desktop_app.core.paths import PROJECT
from desktop_app.plan.batch import plan_row, request_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.search.search import Have, search
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_file, from_tools
from desktop_app.plan.types import Request, ToolSpec
from nodes import load_tools
from tests.benchmarks import measures, own_requests
from tests.plan.search import plain_tog
from tests.plan.worlds import attached, faults, random_tools

DATA = PROJECT.parent / "shared" / "data" / "planning"
SETS = (
    ("huggingface mixed", "taskbench_huggingface_toolbox.json", "taskbench_huggingface_mixed_dev.jsonl"),
    ("multimedia mixed", "taskbench_multimedia_toolbox.json", "taskbench_multimedia_mixed_dev.jsonl"),
    ("multimedia dag", "taskbench_multimedia_toolbox.json", "taskbench_multimedia_dag_dev.jsonl"),
)
GPT4 = {"huggingface": (81.5, 54.7), "multimedia": (90.9, 69.3)}
NODE_TARGET, EDGE_TARGET, P95_TARGET, SEARCH_TARGET = 85.0, 60.0, 0.05, 0.02
_CONTROLLLM = {"IR": 0.03, "NR": 0.93, "SE": 0.94}
_DANISH = re.compile(r"\b(jeg|vil|og|billede|kan du)\b")
_FRENCH = re.compile(r"\b(je|j'ai|une|les|puis|vidéo|des|est|pouvez)\b")
FILES = ("a.jpg", "b.png", "talk.wav", "clip.mp4", "notes.txt", "data.csv")


def report(name: str, value: float, unit: str, **more: Any) -> None:
    """Prints a measurement; with a target, `met` says whether it is reached (times: at most, others: at least)."""
    line: dict[str, Any] = {"name": name, "value": round(value, 5), "unit": unit}
    target = more.pop("target", None)
    if target is not None:
        line |= {"target": target, "met": value <= target if unit == "s" or more.get("least") else value >= target}
    more.pop("least", None)
    print(json.dumps(line | more | {"machine": _machine()}), flush=True)


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}{load}"


class Pooled:
    """Counts of hits, predictions and labels over many requests."""

    def __init__(self) -> None:
        self.hits = self.said = self.labelled = 0

    def add(self, said: Iterable[Any], labelled: Iterable[Any]) -> None:
        """One request's predictions and labels, as multisets."""
        one, other = Counter(said), Counter(labelled)
        self.hits += sum((one & other).values())
        self.said += sum(one.values())
        self.labelled += sum(other.values())

    @property
    def f1(self) -> float:
        """In percent."""
        return 200 * self.hits / max(1, self.said + self.labelled)


def score(planner: OfflinePlanner, rows: Sequence[dict[str, Any]]) -> tuple[Pooled, Pooled, list[float]]:
    """Nodes, links and seconds of the first solutions."""
    nodes, links, seconds = Pooled(), Pooled(), []
    for row in rows:
        answer = plan_row(planner, row)
        seconds.append(answer["seconds"])
        first = answer["solutions"][0] if answer["solutions"] else {"nodes": [], "links": []}
        tool = {node["id"]: node["tool"] for node in first["nodes"]}
        nodes.add(tool.values(), row["gold"]["nodes"])
        links.add(
            ((tool[link["source"]], tool[link["target"]]) for link in first["links"]),
            (tuple(pair) for pair in row["gold"]["links"]),
        )
    return nodes, links, seconds


def taskbench() -> None:
    """F1 by set and split, over paraphrases by language, and the time that a request takes."""
    seconds: list[float] = []
    for name, toolbox, file in SETS:
        planner = OfflinePlanner(from_file(DATA / toolbox))
        rows = [json.loads(line) for line in (DATA / file).read_text("utf-8").splitlines()]
        splits = {"": rows}
        if len({row["split"] for row in rows}) > 1:
            splits |= {
                f" {split}": [row for row in rows if row["split"] == split] for split in ("single", "chain", "dag")
            }
        for split, chosen in splits.items():
            seconds += _report_f1(planner, f"{name}{split}", chosen, rows is chosen)
        report_measures(name, [(row["split"], measures.labelled(row, plan_row(planner, row))) for row in rows])
        for language, chosen in _paraphrases(rows).items():
            seconds += _report_f1(planner, f"{name}, paraphrases, {language}", chosen, False)
        if rows:
            _report_soundness(planner, name, rows)
    report("seconds a request, median", statistics.median(seconds), "s")
    report("seconds a request, p95", _p95(seconds), "s", target=P95_TARGET)


def _report_f1(planner: OfflinePlanner, name: str, rows: Sequence[dict[str, Any]], whole: bool) -> list[float]:
    if not rows:
        return []
    nodes, links, seconds = score(planner, rows)
    rival = GPT4.get(name.split()[0])
    more = [{"target": t, "rival": {"name": "GPT-4 (published)", "value": r}} for t, r in
            zip((NODE_TARGET, EDGE_TARGET), rival, strict=True)] if whole and rival else [{}, {}]  # fmt: skip
    report(f"node_f1 {name}", nodes.f1, "%", requests=len(rows), **more[0])
    if links.labelled:
        report(f"edge_f1 {name}", links.f1, "%", requests=len(rows), **more[1])
    return seconds


def report_measures(name: str, found: Sequence[tuple[str, measures.Labelled]]) -> None:
    """The measures of HuggingGPT and ControlLLM over (kind of request, plan beside its label)."""
    for kind in ("single", "chain", "dag"):
        chosen = [one for its, one in found if its == kind and one.wanted]
        for what, (value, unit) in measures.hugginggpt(chosen, kind).items() if chosen else ():
            report(f"HuggingGPT's {what} {name}, {kind}", value, unit, requests=len(chosen))
    chosen = [one for _, one in found if one.wanted]
    for what, value in measures.controlllm(chosen).items():
        rival = {"name": "ControlLLM (published, its own requests)", "value": _CONTROLLLM[what]}
        report(f"{what} {name}", value, "part", requests=len(chosen), rival=rival)


def _paraphrases(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        for text in row.get("paraphrases", ()):
            low = text.lower()
            language = "Danish" if _DANISH.search(low) else "French" if _FRENCH.search(low) else "English"
            found.setdefault(language, []).append({**row, "request": text})
    return found


def _report_soundness(planner: OfflinePlanner, name: str, rows: Sequence[dict[str, Any]]) -> None:
    tools = list(planner.graph.tools.values())
    total = invented = unfit = 0
    for row in rows:
        request = request_of(row)
        for solution in planner.plan(request).solutions:
            found = faults(solution, request, tools)
            total += 1
            invented += any("invented" in fault for fault in found)
            unfit += any("takes" in fault for fault in found)
    report(f"HR {name}", invented / max(1, total), "part", target=0.0, least=True, solutions=total)
    report(f"CR {name}", 1 - unfit / max(1, total), "part", target=1.0, solutions=total)


def own_tools() -> None:
    """How often a tool's own example leads to the tool: in the first solution, and in any of the five."""
    specs = from_tools(load_tools().tools)
    planner = OfflinePlanner(specs)
    first = shown = total = 0
    seconds = []
    for spec in specs:
        for text in spec.examples:
            started = time.perf_counter()
            solutions = planner.plan(Request(text, attached(*_files_for(spec)))).solutions
            seconds.append(time.perf_counter() - started)
            total += 1
            first += bool(solutions) and any(step.tool == spec.id for step in solutions[0].steps)
            shown += any(step.tool == spec.id for solution in solutions for step in solution.steps)
    if not total:
        return
    report_own()
    report("own examples, tool in the first solution", 100 * first / total, "%", examples=total, tools=len(specs))
    report("own examples, tool in a solution", 100 * shown / total, "%", examples=total)
    report("own tools, seconds a request, p95", _p95(seconds), "s", target=P95_TARGET)


def report_own() -> None:
    """The papers' measures on our own labelled requests; `tests.benchmarks.own_requests` has the rest."""
    verdicts = [verdict for verdict in own_requests.verdicts() if verdict.best.nodes]
    found = [
        (
            verdict.row["split"],
            measures.Labelled(
                tuple(verdict.planned.nodes.elements()), tuple(verdict.planned.links.elements()),
                tuple(verdict.best.nodes.elements()), tuple(verdict.best.links.elements()),
            ),
        )
        for verdict in verdicts
    ]  # fmt: skip
    report_measures("own requests", found)


def _files_for(spec: ToolSpec) -> list[str]:
    """One attached file for each kind of resource that the tool takes; two where it takes many."""
    names = {"image": "a.jpg", "audio": "talk.wav", "video": "clip.mp4", "text": "notes.txt", "table": "data.csv"}
    return list(dict.fromkeys(names[port.type] for port in spec.inputs if port.required and port.type in names))


def searching(long: bool) -> None:
    """Time to the best five solutions in synthetic tool sets, and that of the paper's algorithm, which must try every
    sequence of up to three tools before it can name the best; beyond 100 tools it does not end in reasonable time.
    """
    for count in (100, 1_000, 10_000, 100_000):
        _report_search(count, 5 if long or count < 100_000 else 3)


def _report_search(count: int, times: int) -> None:
    types = tuple(f"type{i}" for i in range(max(12, count // 100)))
    tools = random_tools(1, count, types)
    started = time.perf_counter()
    graph = ToolGraph(tools)
    report(f"tool graph of {count} tools", time.perf_counter() - started, "s")
    have = [Have("one", types[0]), Have("two", types[1])]
    wanted = _reachable_in(graph, have, 3)
    rival = {}
    if count <= 100:
        plain = _median(lambda: list(plain_tog.sequences(tools, types[:2], wanted, 3)), 1)
        rival = {"rival": {"name": "Algorithm 1, plain", "value": round(plain, 5)}}
    gc.collect()
    ours = _median(lambda: list(islice(search(graph, have, wanted, lambda _: 3.0), 5)), times)
    report(f"search among {count} tools", ours, "s", target=0.2 if count > 10_000 else SEARCH_TARGET, **rival)


def _reachable_in(graph: ToolGraph, have: Sequence[Have], steps: int) -> str:
    reach = graph.reachable([item.type for item in have])
    far = min(steps, max(reach.values()))
    return next(type for type, distance in sorted(reach.items()) if distance == far)


def _median(work: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return statistics.median(found)


def memory() -> None:
    """What a planner over our own tools takes, with what planning allocates at most on top, in MB."""
    tracemalloc.start()
    planner = OfflinePlanner(from_tools(load_tools().tools))
    held, _ = tracemalloc.get_traced_memory()
    report("planner's memory", held / 1e6, "MB")
    tracemalloc.reset_peak()
    plan_row(planner, {"id": 1, "request": "Read the text in a.png, translate it to German and say it aloud"})
    report("most memory of a request, on top", (tracemalloc.get_traced_memory()[1] - held) / 1e6, "MB")
    tracemalloc.stop()


def large_toolbox() -> None:
    """A whole request over 10,000 tools: reading, choosing, linking."""
    planner = OfflinePlanner(random_tools(2, 10_000))
    row = {"id": 1, "request": "Blur image 17 of photo.jpg, then transcribe audio 42 and translate text 99"}
    report("request over 10000 tools", _median(lambda: plan_row(planner, row), 5), "s", target=P95_TARGET)


def _p95(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="more rounds")
    long = parser.parse_args().long
    if Path(DATA).is_dir():
        taskbench()
    else:
        print(json.dumps({"name": "labelled requests", "skipped": "../shared/data/planning is not there"}))
    own_tools()
    memory()
    searching(long)
    large_toolbox()


if __name__ == "__main__":
    main()
