"""How well the offline planner does on labelled requests for the built-in tools (tests/data/requests.jsonl.xz).

`python -m tests.benchmarks.own_requests [--misses] [--long] [--fresh | --fresh-two]`

With `--fresh` the later requests of tests/data/requests_fresh.jsonl.xz, with `--fresh-two` those of
requests_fresh_two.jsonl (as people of several trades might ask): their rows of the half "test" were never looked at
while the planner was worked on.

A graph counts as right when its tools and its links, both as multisets, are those of the label or of one of its
`alternatives`. F1 is pooled over rows, each row against the accepted graph that it is nearest to; a missing answer
and an invented tool both count as errors. A value of `args` is a literal, a resource's name, or {"any": [values]};
a port that the plan leaves open has the tool's default. The mark of a question and the article of a described thing do
not count, of the kinds to choose any word will do that the tool takes for the same, a colour may be named in any
language, and who speaks a translation may tell its language by the text. A row with `unless` is left out once such a
tool exists.
"""

from __future__ import annotations

import json
import lzma
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.batch import plan_row
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from nodes._support.language import kinds, languages
from nodes.api import Tool
from tests.benchmarks.figures import figure

REQUESTS = Path(__file__).parent.parent / "data" / "requests.jsonl.xz"
FRESH = {
    "--fresh": REQUESTS.with_name("requests_fresh.jsonl.xz"),
    "--fresh-two": REQUESTS.with_name("requests_fresh_two.jsonl.xz"),
}
_SHOWN = 5


@dataclass(frozen=True)
class Graph:
    """Tool ids and pairs of tool ids, as multisets."""

    nodes: Counter[str]
    links: Counter[tuple[str, str]]

    @staticmethod
    def of_label(label: Mapping[str, Any]) -> Graph:
        """A graph of the labelled set."""
        return Graph(Counter(label["nodes"]), Counter((source, target) for source, target in label["links"]))

    @staticmethod
    def of_solution(solution: Mapping[str, Any]) -> Graph:
        """A solution as `plan --requests` writes it."""
        tools = {node["id"]: node["tool"] for node in solution["nodes"]}
        links = Counter((tools[link["source"]], tools[link["target"]]) for link in solution["links"])
        return Graph(Counter(tools.values()), links)

    def __str__(self) -> str:
        loose = self.nodes - Counter({tool: self.nodes[tool] for link in self.links for tool in link})
        parts = [*(f"{source}>{target}" for source, target in self.links.elements()), *loose.elements()]
        return ", ".join(parts) or "nothing"


@dataclass(frozen=True)
class Verdict:
    """One row against its plan. `best` is the accepted graph that `planned`, the first solution, is nearest to.

    `wrong_args` are the ports with another value than wanted, each with what the nodes of that tool have there.
    """

    row: Mapping[str, Any]
    planned: Graph
    best: Graph
    right: bool
    right_in_five: bool
    kinds: tuple[str, ...]
    reply_right: bool | None
    wrong_args: tuple[tuple[str, list[Any]], ...]
    args: int
    seconds: float


def load_rows(tools: Mapping[str, Tool], path: Path | None = None) -> list[dict[str, Any]]:
    """The rows that hold for these tools, of tests/data/requests.jsonl.xz unless another file is given."""
    path = path or REQUESTS
    text = (lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()).decode()
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [row for row in rows if not tools.keys() & set(row["gold"].get("unless", ()))]


def accepted(gold: Mapping[str, Any]) -> list[Graph]:
    """The labelled graph first, then those that are as good."""
    return [Graph.of_label(label) for label in (gold, *gold.get("alternatives", ()))]


def judge(row: Mapping[str, Any], answer: Mapping[str, Any], tools: Mapping[str, Tool], seconds: float = 0) -> Verdict:
    """Compares what `plan_row` gave with the label of the row."""
    gold, graphs = row["gold"], accepted(row["gold"])
    solutions = answer["solutions"][:_SHOWN]
    found = [Graph.of_solution(solution) for solution in solutions]
    planned = found[0] if found else Graph(Counter(), Counter())
    best = max(graphs, key=lambda graph: _nearness(graph, planned))
    given = values_of(solutions[0], tools) if solutions else {}
    wanted = {port: value for port, value in gold.get("args", {}).items() if port.partition(".")[0] in best.nodes}
    asked = tuple(question["kind"] for question in answer["questions"])
    return Verdict(
        row=row,
        planned=planned,
        best=best,
        right=planned in graphs,
        right_in_five=any(graph in graphs for graph in found) or (not found and planned in graphs),
        kinds=asked,
        reply_right=_reply_right(gold, answer, asked),
        wrong_args=tuple(
            (port, held)
            for port, value in wanted.items()
            if not says(port, value, held := given.get(port, [])) and not _is_translated_so(port, value, given)
        ),
        args=len(wanted),
        seconds=seconds,
    )


def _reply_right(gold: Mapping[str, Any], answer: Mapping[str, Any], asked: Sequence[str]) -> bool | None:
    """Whether the wanted question or refusal came; None when neither is wanted."""
    if gold.get("refuse"):
        return not answer["solutions"] and bool(answer["questions"] or answer.get("reasons"))
    if "ask" not in gold:
        return None
    if gold["ask"] == "choice":  # a choice among whole ways answers only who did not say what to do
        asked_for = [one for one in answer["questions"] if one.get("choices")]
        return any(question["kind"] != "confirm" or not gold["nodes"] for question in asked_for)
    return gold["ask"] in asked or (gold["ask"] == "point" and "box" in asked)  # a box is drawn in the picture too


def values_of(solution: Mapping[str, Any], tools: Mapping[str, Tool]) -> dict[str, list[Any]]:
    """The values of every node by "tool.port"; a port without a value has its default."""
    values: dict[str, list[Any]] = {}
    for node in solution["nodes"]:
        tool = tools.get(node["tool"])
        defaults = {port.name: port.default for port in tool.inputs if not port.required} if tool else {}
        held = {**defaults, **node["args"]}
        for port, value in held.items():
            values.setdefault(f"{node['tool']}.{port}", []).append(value)
        if tool and tool.result_by and held.get(tool.result_by) == defaults.get(tool.result_by):
            values.setdefault(f"{node['tool']}.{tool.result_by}", []).extend(_in_words(tool, held))
    return values


def _in_words(tool: Tool, held: Mapping[str, Any]) -> Iterator[str]:
    """ "brighter" for a brightness above 0: "a bit brighter" is a smaller number than the choice stands for."""
    for port, less, more in tool.result_signs:
        number = held.get(port, 0)
        if isinstance(number, (int, float)) and number:
            yield more if number > 0 else less


def says(port: str, wanted: Any, held: Sequence[Any]) -> bool:
    name = port.rpartition(".")[2]
    choices = wanted["any"] if isinstance(wanted, dict) else [wanted]
    if isinstance(wanted, list) and _plain(name, wanted) == _plain(name, list(held)):
        return True  # one node for each of the files
    if name == "which" and any(_same_kind(value, choice) for value in held for choice in choices):
        return True
    return any(_plain(name, value) in [_plain(name, choice) for choice in choices] for value in held)


def _is_translated_so(port: str, wanted: Any, given: Mapping[str, list[Any]]) -> bool:
    """True for the language of a voice that reads a translation into it, and tells that by the text."""
    if port != _SPOKEN or {*given.get(port, ())} != {"auto"}:
        return False
    return any(wanted in languages.codes_of(languages.code_of(name)) for name in given.get(_TRANSLATED, ()))


_SPOKEN, _TRANSLATED = "text_to_speech.language", "translate.language"


def _same_kind(one: Any, other: Any) -> bool:
    """True for two words by which the tool chooses the same: "dogs", "dog" and "puppy"."""
    words = [kinds.words_of(str(value)) for value in (one, other)]
    return all(len(own) == 1 for own in words) and kinds.fits(words[0], words[1][0])


_ARTICLE = re.compile(r"(?:the|an?|der|die|das|den|ein(?:e[nmrs]?)?|le|la|les|une?|el|los|las|una|unos|unas)\s+")
_ENUMERATED = re.compile(r"\s*[,，、;；]\s*")
_DESCRIBING = frozenset(("what", "which", "prompt", "query"))


def _plain(port: str, value: Any) -> Any:
    """What two ways to write the same value have in common: a question with its mark and without, a described thing
    with its article and without, a file and a list of this one, an enumeration with the commas of any writing.
    """
    if isinstance(value, (list, tuple)):
        return _plain(port, value[0]) if len(value) == 1 else [_plain(port, part) for part in value]
    if isinstance(value, str):
        text = " ".join(_ENUMERATED.sub(", ", value).split()).strip("\"'").casefold()
        if port == "question":
            return text.strip("?¿？ ")
        if "colour" in port:
            words = words_of(text)
            named = tables().colours.at(words, 0) if words else None
            return named[0] if named and named[1] == len(words) else text
        return _ARTICLE.sub("", text, count=1) if port in _DESCRIBING and _ARTICLE.match(text) else text
    return round(value, 4) if isinstance(value, float) else value


def _nearness(wanted: Graph, planned: Graph) -> tuple[bool, float]:
    shares = [f1([(wanted.nodes, planned.nodes)]), f1([(wanted.links, planned.links)])]
    return wanted == planned, sum(shares)


def f1(pairs: Iterable[tuple[Counter[Any], Counter[Any]]]) -> float:
    """Pooled F1 of (wanted, found), 0..1; 1 when nothing was wanted and nothing found."""
    hits = wanted_total = found_total = 0
    for wanted, found in pairs:
        hits += (wanted & found).total()
        wanted_total += wanted.total()
        found_total += found.total()
    total = wanted_total + found_total
    return 2 * hits / total if total else 1.0


def verdicts(rounds: int = 1, path: Path | None = None) -> list[Verdict]:
    """Plans every row; seconds are the median of the rounds, by the wall clock of the planner."""
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    found = []
    for row in load_rows(tools, path):
        request = {key: value for key, value in row.items() if key not in ("gold", "split", "half")}
        answers = [plan_row(planner, request) for _ in range(rounds)]
        seconds = statistics.median(answer["seconds"] for answer in answers)
        found.append(judge(row, answers[0], tools, seconds))
    return found


def _share(claims: Sequence[bool]) -> float:
    return 100 * sum(claims) / len(claims) if claims else 100.0


def report(found: Sequence[Verdict]) -> None:
    """Prints the figures."""
    splits = list(dict.fromkeys(verdict.row["split"] for verdict in found))
    for name in ("all", *splits):
        part = [verdict for verdict in found if name in ("all", verdict.row["split"])]
        figure(f"own requests, {name}: rows", len(part), "rows")
        if any(v.best.nodes for v in part):
            figure(f"own requests, {name}: node F1", 100 * f1((v.best.nodes, v.planned.nodes) for v in part), "%")
        if name != "single" and any(v.best.links for v in part):
            figure(f"own requests, {name}: edge F1", 100 * f1((v.best.links, v.planned.links) for v in part), "%")
        figure(f"own requests, {name}: first solution right", _share([v.right for v in part]), "%")
        figure(f"own requests, {name}: right among five", _share([v.right_in_five for v in part]), "%")
    asked = [v for v in found if "ask" in v.row["gold"]]
    refused = [v for v in found if v.row["gold"].get("refuse")]
    others = [v for v in found if v.reply_right is None]
    args = sum(v.args for v in found)
    figure("own requests: questions right", _share([bool(v.reply_right) for v in asked]), "%")
    figure("own requests: refusals right", _share([bool(v.reply_right) for v in refused]), "%")
    figure("own requests: questions or refusals right", _share([bool(v.reply_right) for v in asked + refused]), "%")
    figure("own requests: asked without need", _share([bool(v.kinds) for v in others]), "%")
    figure("own requests: args right", 100 * (1 - sum(len(v.wrong_args) for v in found) / args), "%")
    seconds = sorted(v.seconds for v in found)
    figure("own requests: median", statistics.median(seconds), "s")
    figure("own requests: p95", seconds[round(0.95 * (len(seconds) - 1))], "s", 0.05)


def print_misses(found: Sequence[Verdict]) -> None:
    """Prints what went wrong, row by row, as plain text."""
    for v in found:
        faults = []
        if not v.right:
            note = " (right one among the others)" if v.right_in_five else ""
            faults.append(f"planned {v.planned}{note}\n   wanted  {v.best}")
        if v.reply_right is False and not v.row["gold"].get("refuse"):
            faults.append(f"asked   {', '.join(v.kinds) or 'nothing'}\n   wanted  {v.row['gold']['ask']}")
        if v.reply_right is None and v.kinds:
            faults.append(f"asked without need: {', '.join(v.kinds)}")
        if v.right and v.wrong_args:
            args = v.row["gold"]["args"]
            faults += [f"{port} is {held}, wanted {args[port]!r}" for port, held in v.wrong_args]
        if faults:
            print(f"{v.row['id']}: {v.row['request']}", *faults, sep="\n   ")


def main() -> None:
    """Prints the figures, after the misses if wanted."""
    fresh = next((path for option, path in FRESH.items() if option in sys.argv), None)
    found = verdicts(7 if "--long" in sys.argv else 3, fresh)
    if "--misses" in sys.argv:
        print_misses(found)
    report(found)
    for half in ("tune", "test") if fresh else ():
        part = [verdict.right for verdict in found if verdict.row["half"] == half]
        figure(f"fresh requests, half {half}: first solution right", _share(part), "%")


if __name__ == "__main__":
    main()
