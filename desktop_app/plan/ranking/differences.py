"""In what a way differs from the best one beyond its tools: what it asks, takes, joins or sets otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import FromNode, FromResource, Solution
from nodes.phrase import Phrase, listed

_ASKING = {
    "point": Phrase("Asks you to click on what is meant."),
    "box": Phrase("Asks you to mark what is meant."),
    "file": Phrase("Asks first which file is meant."),
}
_LONGEST = 40
"""Characters of a value that is shown."""


def asks_otherwise(solution: Solution, best: Solution) -> str:
    """What it asks that the best does not, or that it does not ask anything; "" where both ask alike."""
    here, there = (Counter(question.kind for question in one.questions) for one in (solution, best))
    new = next((kind for kind in (*_ASKING, "text") if here[kind] > there[kind]), "")
    if not new and there and not here:
        return Phrase("Goes ahead without asking.")
    question = next((one for one in solution.questions if one.kind == new), None)
    if question is not None and new == "text":
        return Phrase("Asks first: {question}", question=question.text)
    return _ASKING.get(new, "")


def short_difference(title: Phrase, solution: Solution, best: Solution) -> str:
    """The title with a few words on what sets a way with the tools of the best apart; "" where a few do not say it."""
    here, there = (Counter(question.kind for question in one.questions) for one in (solution, best))
    if here["text"] + here["file"] > there["text"] + there["file"]:
        return Phrase("{title}, asking first", title=title)
    if there and not here:
        return Phrase("{title}, without asking", title=title)
    more, gone = _other_files(solution, best)
    if more:
        return Phrase("{title}, with {files}", title=title, files=listed(more))
    return Phrase("{title}, without {files}", title=title, files=listed(gone)) if gone else ""


def takes_otherwise(solution: Solution, best: Solution, graph: ToolGraph) -> str:
    """Which files, results or values it takes where the tools are the same; "" where it takes all alike."""
    return _files(solution, best) or _links(solution, best, graph) or _values(solution, best, graph)


def _other_files(solution: Solution, best: Solution) -> tuple[list[str], list[str]]:
    """The names of files that it takes more than the best, and of those that it leaves."""
    here, there = (
        dict.fromkeys(item.name for _, _, item in _items(one) if isinstance(item, FromResource))
        for one in (solution, best)
    )
    return [name for name in here if name not in there], [name for name in there if name not in here]


def _files(solution: Solution, best: Solution) -> str:
    more, gone = _other_files(solution, best)
    if more and gone:
        return Phrase("Takes {files}, not {others}.", files=listed(more), others=listed(gone))
    if more:
        return Phrase("Takes {files}, too.", files=listed(more))
    return Phrase("Leaves out {files}.", files=listed(gone)) if gone else ""


def _links(solution: Solution, best: Solution, graph: ToolGraph) -> str:
    here, there = (_joints(one) for one in (solution, best))
    for (giver, taker), _ in (here - there).items():
        names = {"giver": _title(giver, graph), "taker": _title(taker, graph)}
        return Phrase("“{taker}” takes what “{giver}” makes.", **names)
    for (giver, taker), _ in (there - here).items():
        names = {"giver": _title(giver, graph), "taker": _title(taker, graph)}
        return Phrase("“{taker}” does not take what “{giver}” makes.", **names)
    own, others = (
        {(tool, port, item.name) for tool, port, item in _items(one) if isinstance(item, FromResource)}
        for one in (solution, best)
    )
    for tool, _, name in sorted(own - others):
        return Phrase("“{taker}” takes {file}.", taker=_title(tool, graph), file=name)
    return ""


def _values(solution: Solution, best: Solution, graph: ToolGraph) -> str:
    here, there = _settings(solution), _settings(best)
    for tool, port in [*here, *there]:
        value, other = here.get((tool, port)), there.get((tool, port))
        if value == other:
            continue
        names = {"tool": _title(tool, graph), "port": _port(port)}
        if value is None:
            return Phrase("{tool}: nothing is said for “{port}”.", **names)
        return Phrase("{tool}: “{port}” is {value}.", **names, value=_short(value))
    return ""


def _joints(solution: Solution) -> Counter[tuple[str, str]]:
    tools = {step.id: step.tool for step in solution.steps}
    return Counter((tools[item.node], tool) for tool, _, item in _items(solution) if isinstance(item, FromNode))


def _settings(solution: Solution) -> Mapping[tuple[str, str], str]:
    return {(t, port): str(v) for t, port, v in _items(solution) if not isinstance(v, (FromNode, FromResource))}


def _items(solution: Solution) -> Iterator[tuple[str, str, Any]]:
    for step in solution.steps:
        for port, argument in step.arguments.items():
            yield from ((step.tool, port, item) for item in several(argument))


def _short(value: str) -> str:
    return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 3]}..."


def _title(tool: str, graph: ToolGraph) -> Phrase:
    return Phrase(graph.tools[tool].title, "tools")


def _port(name: str) -> Phrase:
    return Phrase(name, "ports", spelled=name.replace("_", " "))
