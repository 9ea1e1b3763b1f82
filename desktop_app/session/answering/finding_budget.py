"""What a language model is told for an answer: request, plan, models and findings, within a budget of tokens.

Of a long table it gets the columns and rows that the question names, the first rows and the totals; of a long text the
beginning and the passages that share words with the question. Contents of files stay here where the settings say so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import estimated
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.run.workers import notices
from desktop_app.session.answering.asked_measures import Measured
from desktop_app.storage.resources import Resource
from nodes._support.language.languages import stop_words
from nodes.api import Box, Label, NodeError, ResourceType, Table, Tool

CONTENTS = frozenset({ResourceType.TEXT, ResourceType.TABLE, ResourceType.HTML, ResourceType.URL})
"""Types of results whose value may be what stands in a file."""
LEAST_TOKENS = 300
_PART = 4
"""Request and plan get at most one part in so many each."""
_WORTH_TOKENS = 24
"""With less there is no use in a piece of a value."""
_LONGEST_TEXT, _MOST_ROWS_READ = 400_000, 100_000
_HEAD = 3
_CELL, _NAME = 120, 80
_MOST_COLUMNS = 40
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Finding:
    """One result as the reply speaks of it. `value` is decoded for short types, else None; of a text its beginning
    as far as it may be quoted. `about` names inputs, the first MOST_NAMED of them; there are `more`.
    """

    node: str
    title: str
    output: str
    resource: Resource
    value: Any
    about: tuple[str, ...]
    wanted: bool
    thing: str = ""
    more: int = 0
    steps: tuple[str, ...] = ()
    """The titles of the tools that worked on it, in order."""
    made: tuple[str, ...] = ()
    """What they made of the file that they began with, in the same order: "brighter", "with a border"."""
    asked: str = ""
    """What the request calls the things that are counted ("coins"), where the tool has no name for them."""
    phrase: str = ""
    """The words of which a number tells how often they are there; "" for every other number."""
    facts: tuple[str, ...] = ()
    """The names of those facts of a table that the request asks for; () where it asks for no one of them."""
    measured: tuple[Measured, ...] = ()
    """The measures of columns that the request asks for, in the same way."""
    item: bool = False
    """True for one of several results that were made of a batch: what it is `about` is a file of that."""
    answers: bool = False
    """True for a text that answers a question."""
    of_table: str = ""
    """The questions about a table, a line each, the last of which it answers; "" for every other text."""
    named: bool = False
    """True for a table whose columns were named by the tool."""
    unit: str = ""
    """What a number is in: "Hz"; "%" for labels with the share or the certainty of each."""


@dataclass(frozen=True)
class AnswerLimits:
    """What may be told: at most so many `tokens` by the estimate of token_usage; with `contents`, what stands in
    files, else only of what kind and size it is.
    """

    tokens: int = 3000
    contents: bool = True


def told(
    request: str,
    workflow: Workflow,
    run: Run,
    tools: Mapping[str, Tool],
    found: Sequence[Finding],
    troubles: Sequence[tuple[str, str]],
    value_of: Callable[[Resource], Any],
    limits: AnswerLimits,
    more: int = 0,
) -> dict[str, Any]:
    """The message as JSON values, within the limits. `found` begins with what matters most; there are `more`.

    Reads files.
    """
    tokens = max(limits.tokens, LEAST_TOKENS)
    words = _terms(request)
    data: dict[str, Any] = {
        "request": _cut(request, tokens // _PART),
        "plan": _fitting(_plan(workflow, run, tools), tokens // _PART),
        "findings": [],
        "troubles": _fitting([{"node": node, "what": _cut(text, 60)} for text, node in troubles], tokens // _PART),
    }
    left = tokens - _cost(data) - 16
    bare: list[dict[str, Any]] = []
    for finding in found:
        one = _bare(finding)
        price = _cost(one) + 2
        if price > left:
            break
        left -= price
        bare.append(one)
    more += len(found) - len(bare)
    _fill(bare, found, words, left, value_of, limits)
    data["findings"] = bare
    if more:
        data["more findings"] = more
    while data["findings"] and _cost(data) > tokens:  # estimates of pieces do not add up to the last token
        data["findings"].pop()
        data["more findings"] = more = more + 1
    return data


def _fill(
    bare: Sequence[dict[str, Any]],
    found: Sequence[Finding],
    words: set[str],
    left: int,
    value_of: Callable[[Resource], Any],
    limits: AnswerLimits,
) -> None:
    """Gives each finding its value, the small ones first, so that what they leave goes to the large ones."""
    waiting: list[tuple[int, dict[str, Any], Any]] = []
    for one, finding in zip(bare, found, strict=False):
        if finding.resource.type in CONTENTS and not limits.contents:
            one["value"] = "(kept on this computer)"
            left -= 8
            continue
        value = _whole(finding, value_of)
        if value is not None:
            waiting.append((min(_size(value, left + 1), left + 1), one, value))
    waiting.sort(key=lambda entry: entry[0])
    for place, (size, one, value) in enumerate(waiting):
        share = min(size, left // (len(waiting) - place)) - 6
        if share < min(size, _WORTH_TOKENS) - 6:
            continue
        piece = _piece(value, share, words)
        price = _cost(piece) + 6
        if piece is not None and price <= left:
            one["value"] = piece
            left -= price


def _bare(finding: Finding) -> dict[str, Any]:
    """A finding without its value: names, type, size; never pixels."""
    more = [f"and {finding.more} more"] if finding.more else []
    return {
        "node": finding.node, "tool": finding.title, "output": finding.output,
        "file": finding.resource.name[:_NAME], "type": str(finding.resource.type),
        "about": [*(name[:_NAME] for name in finding.about), *more], "asked for": finding.wanted,
        "facets": notices.readable(finding.resource.facets),
    }  # fmt: skip


def _plan(workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> list[dict[str, Any]]:
    """The steps in order: what was set, what feeds them, and the model that ran."""
    steps = []
    for id in workflow.order():
        node = workflow.node(id)
        tool = tools.get(node.tool)
        backend = tool.backend(run.nodes.get(id, NodeRun()).backend or None) if tool else None
        step: dict[str, Any] = {"node": id, "tool": tool.title if tool else node.tool}
        if values := {name: _cell(value, _CELL) for name, value in node.values.items()}:
            step["values"] = values
        if sources := list(dict.fromkeys(link.source[:_NAME] for link in workflow.links_into(id))):
            step["from"] = sources[:8]
        if backend is not None and backend.kind != "built-in":
            step["model"] = backend.title
        steps.append(step)
    return steps


def _whole(finding: Finding, value_of: Callable[[Resource], Any]) -> Any:
    if finding.resource.type is not ResourceType.TEXT:
        return finding.value
    try:
        return str(value_of(finding.resource)).strip()[:_LONGEST_TEXT]
    except (AppError, NodeError):
        return finding.value


# Pieces of values


def _piece(value: Any, tokens: int, words: set[str]) -> Any:
    """As much of the value as these tokens hold, what the words ask for before the rest; None for nothing."""
    if isinstance(value, str):
        return _passages(value, tokens, words)
    if isinstance(value, Table):
        return _rows(value, tokens, words)
    if isinstance(value, tuple | list) and value and isinstance(value[0], Label):
        return _fitting([{"name": label.name[:_NAME], "score": round(label.score, 3)} for label in value], tokens)
    if isinstance(value, tuple | list):
        return _boxes(value, tokens)
    return value if _cost(value) <= tokens + 6 else None


def _boxes(value: Sequence[Any], tokens: int) -> dict[str, Any]:
    boxes = [box for box in value if isinstance(box, Box)]
    labels = Counter(box.label[:_NAME] for box in boxes if box.label)
    said: dict[str, Any] = {"count": len(value), "labels": dict(labels.most_common(12))}
    if _cost(said) > tokens:
        said = {"count": len(value)}
    places = [[round(side) for side in box[:4]] + [box.label[:_NAME], round(box.score, 2)] for box in boxes]
    some = _fitting(places, tokens - _cost(said) - 6)
    return {**said, "boxes": some} if some else said


def _passages(text: str, tokens: int, words: set[str]) -> str | None:
    if _cost(text) <= tokens:
        return text
    pieces = [piece for piece in re.split(r"(?<=[.!?。！？])\s+|\n+", text) if piece.strip()]
    pieces = [part for piece in pieces for part in _bits(piece, tokens // 3)]
    scores = _scores([_terms(piece) for piece in pieces], words)
    order = sorted(range(len(pieces)), key=lambda i: (-scores[i], i))
    chosen: set[int] = set()
    left = tokens - 4
    for index in order:
        price = estimated(pieces[index]) + 3
        if price <= left:
            chosen.add(index)
            left -= price
        elif left < _WORTH_TOKENS:
            break
    if not chosen:
        return _cut(text, tokens - 4)
    shown, before = "", -1
    for index in sorted(chosen):
        shown += ("" if index == before + 1 else " … ") + (" " if shown and index == before + 1 else "") + pieces[index]
        before = index
    return shown + (" …" if before < len(pieces) - 1 else "")


def _bits(piece: str, tokens: int) -> list[str]:
    """A sentence without end in parts that can be taken."""
    size = max(40, tokens)
    return [piece[start : start + size] for start in range(0, len(piece), size)] if estimated(piece) > size else [piece]


def _rows(table: Table, tokens: int, words: set[str]) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    rows = table.rows[:_MOST_ROWS_READ]
    terms = [_terms(" ".join(_text(cell) for cell in row)) & words for row in rows]
    scores = _scores(terms, words)
    named = [i for i, name in enumerate(table.columns) if _terms(str(name)) & words or str(name).casefold() in words]
    best = max(scores, default=0.0)
    matching = [i for i, score in enumerate(scores) if best and score >= best * 0.999]
    hit = [i for i in range(len(table.columns)) if matching and _terms(_text(rows[matching[0]][i])) & words]
    needed = list(dict.fromkeys([*named, *hit]))
    order = [*sorted((i for i, s in enumerate(scores) if s), key=lambda i: (-scores[i], i)), *range(len(rows))]
    order = list(dict.fromkeys(order[: 4 * tokens + 10]))
    every = list(range(min(len(table.columns), _MOST_COLUMNS)))
    chosen = list(dict.fromkeys([*needed, 0])) if table.columns else []
    for columns, cell in ((every, _CELL), (sorted(chosen), _CELL), (sorted(needed or chosen)[:4], 40)):
        found = _table(table, rows, order, columns, cell, tokens, matching)
        least = min(_HEAD + bool(best), len(rows))
        if _cost(found) <= tokens and set(needed) <= set(columns) and len(found["rows"]) >= least:
            return found
    return found if _cost(found) <= tokens else None


def _table(
    table: Table, rows: Sequence[Any], order: Sequence[int], columns: list[int], cell: int, tokens: int,
    matching: Sequence[int],
) -> dict[str, Any]:  # fmt: skip
    """These columns: the row that fits best and the first ones, then the totals, then as many rows as fit in order."""
    said: dict[str, Any] = {
        "columns": [str(table.columns[i])[:cell] for i in columns], "rows in all": len(table.rows), "rows": [],
    }  # fmt: skip
    left = tokens - _cost(said)
    shown: dict[int, list[Any]] = {}

    def show(wanted: Sequence[int]) -> None:
        nonlocal left
        for index in wanted:
            row = [_cell(rows[index][i], cell) for i in columns]
            price = _cost(row) + 1
            if price > left:
                return
            if index not in shown:
                shown[index] = row
                left -= price

    show([*order[:1], *range(min(_HEAD, len(rows)))])
    left = _with_totals(said, "totals", table, rows, range(len(rows)), columns, left)
    if 1 < len(matching) < len(rows):
        left = _with_totals(said, "totals of matching rows", table, rows, matching, columns, left)
    show(order)
    said["rows"] = [shown[index] for index in sorted(shown)]
    return said


def _with_totals(
    said: dict[str, Any], name: str, table: Table, rows: Sequence[Any], of: Sequence[int], columns: list[int], left: int
) -> int:
    """Adds sum, mean, least and most of the columns of numbers, if there is room; returns what is left."""
    totals: dict[str, Any] = {}
    for column in columns:
        cells = [rows[index][column] for index in of]
        numbers = [c for c in cells if isinstance(c, int | float) and not isinstance(c, bool)]
        if numbers and len(numbers) == sum(c not in (None, "") for c in cells):
            total = sum(numbers)
            totals[str(table.columns[column])[:_NAME]] = {
                "sum": _round(total), "mean": _round(total / len(numbers)), "least": min(numbers), "most": max(numbers),
            }  # fmt: skip
    if len(of) < len(rows):
        totals["rows"] = len(of)
    price = _cost({name: totals}) + 2
    if not totals or price > left:
        return left
    said[name] = totals
    return left - price


# Words and sizes


def _terms(text: str) -> set[str]:
    """The words that carry meaning, in small letters, without endings of plural; numbers; of Chinese pairs of signs."""
    found: set[str] = set()
    common = stop_words("en")
    for word in _WORD.findall(text.casefold()):
        if any("\u4e00" <= sign <= "\u9fff" for sign in word):
            found |= {word[i : i + 2] for i in range(max(1, len(word) - 1))} | {word}
        elif word.isdigit() or word not in common:
            found.add(word[:-1] if len(word) > 3 and word.endswith("s") else word)
    return found


def _scores(units: Sequence[set[str]], words: set[str]) -> list[float]:
    """By unit how much of the words it has; what stands in few units counts for more."""
    times = Counter(term for unit in units for term in unit if term in words)
    return [sum(1.0 / times[term] for term in unit if term in words) for unit in units]


def _fitting(items: list[Any], tokens: int) -> list[Any]:
    left = tokens - 2
    for place, item in enumerate(items):
        left -= _cost(item) + 1
        if left < 0:
            return items[:place]
    return items


def _size(value: Any, most: int) -> int:
    """About what the whole value costs; of a long one no more is looked at than shows that it is more than `most`."""
    if isinstance(value, str):
        return _cost(value[: 6 * most]) + 12
    if isinstance(value, Table):
        cost = _cost([str(name)[:_CELL] for name in value.columns]) + 40
        for row in value.rows:
            cost += _cost([_cell(cell, _CELL) for cell in row]) + 1
            if cost > most:
                break
        return cost + 12 + 30 * len(value.columns)
    if isinstance(value, tuple | list):
        return sum(_cost(item) + 14 for item in value[: most // 8 + 1]) + 36
    return _cost(value) + 12


def _cost(value: Any) -> int:
    return estimated(json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str, tokens: int) -> str:
    """The beginning of the text that costs at most so many tokens."""
    if estimated(json.dumps(text, ensure_ascii=False)) <= tokens:
        return text
    low, high = 0, min(len(text), 4 * tokens)
    while low < high:
        middle = (low + high + 1) // 2
        fits = estimated(json.dumps(f"{text[:middle]} …", ensure_ascii=False)) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low]} …"


def _cell(value: Any, most: int) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _text(cell: Any) -> str:
    return f"{cell:g}" if isinstance(cell, float) and cell.is_integer() else "" if cell is None else str(cell)


def _round(number: float) -> float:
    return int(number) if float(number).is_integer() else round(number, 6)
