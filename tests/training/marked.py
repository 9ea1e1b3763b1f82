"""Whole requests whose authors marked which words ask for which tool (tests/data/planning/marked.jsonl), as examples.

A row's `marked` is its request with those words as "⟦words|tool⟧": "-" asks for nothing, "?" for what no tool does,
"a+b" for two tools at once.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.plan.language.clauses import Word, words_of
from desktop_app.plan.language.tagger import TYPES
from desktop_app.plan.ranking.wish_links import facts, may_take
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Given, ToolSpec
from tests.training.composed import DATA, UNTOLD, Example, port_names

_MARK = re.compile(r"⟦([^⟦⟧|]*)\|([^⟦⟧|]*)⟧")
_LONGEST = 110
_BETWEEN = 2
"""So few words between two wishes may belong to either."""

Row = Mapping[str, Any]


def rows(name: str = "marked.jsonl") -> list[Row]:
    """All of them."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines() if line.strip()]


def is_held(row: Row) -> bool:
    """True for one in five, which nothing is trained on."""
    return sum(map(ord, row["id"])) % 5 == 0


def wishes_of(row: Row) -> list[tuple[int, int, tuple[str, ...]]]:
    """Offsets in the request of each marked stretch, with the tools that it asks for."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    signs = 0
    for mark in _MARK.finditer(row["marked"]):
        start = mark.start() - signs
        found.append((start, start + len(mark[1]), tuple(mark[2].split("+"))))
        signs += len(mark[0]) - len(mark[1])
    return found


class Marked:
    """Turns rows into examples, for one set of tools."""

    def __init__(self, tools: Mapping[str, ToolSpec]) -> None:
        self.tools = tools
        self.graph = ToolGraph(list(tools.values()))
        self.ids = sorted(tools)
        self.ports = {name: place for place, name in enumerate(port_names(tools), 1)}

    def examples(self, held: bool) -> list[Example]:
        """Those that are held back, or the others."""
        found = (self.example(row) for row in rows() if is_held(row) == held)
        return [example for example in found if example is not None]

    def example(self, row: Row) -> Example | None:
        """None for a row too long, or whose marks do not fit its request."""
        given = [Given(file["name"], file["type"]) for file in row["resources"]]
        words = words_of(row["request"], given)
        if not 0 < len(words) <= _LONGEST or _MARK.sub(r"\1", row["marked"]) != row["request"]:
            return None
        marked = wishes_of(row)
        tags, begins = self._tags(row, words, marked)
        wishes, asked = self._wishes(row, words, marked)
        return Example(
            tuple(word.text for word in words), tags, begins, frozenset(g.type for g in given if g.type in TYPES),
            self._ports(row, words, wishes, asked), tuple(wishes),
            tuple(self._links(row["gold"], asked, [g.type for g in given])),
        )  # fmt: skip

    def _tags(
        self, row: Row, words: Sequence[Word], marked: Sequence[tuple[int, int, tuple[str, ...]]]
    ) -> tuple[tuple[int, ...], tuple[bool, ...]]:
        silent, outside = len(self.ids), len(self.ids) + 1
        of = [_touching(word, marked) for word in words]
        tags: list[int] = []
        for place, wish in enumerate(of):
            if wish is not None:
                id = marked[wish][2][-1]
                own = silent if id == "-" else outside if id == "?" else UNTOLD
                tags.append(self.ids.index(id) if id in self.tools else own)
                continue
            first = next((n for n in range(place, -1, -1) if of[n] is not None), -1) + 1
            last = next((n for n in range(place, len(of)) if of[n] is not None), len(of))
            refused = bool(row["gold"].get("refuse"))
            tags.append(
                UNTOLD if last - first <= _BETWEEN and not refused else outside if refused and not marked else silent
            )
        begins = [place == 0 or of[place] != of[place - 1] for place in range(len(of))]
        return tuple(tags), tuple(begins)

    def _wishes(
        self, row: Row, words: Sequence[Word], marked: Sequence[tuple[int, int, tuple[str, ...]]]
    ) -> tuple[list[tuple[int, int]], list[tuple[str, ...]]]:
        """The words of each wish with its tools; what is asked for in two places and done once is one wish."""
        times = Counter(row["gold"]["nodes"])
        spans: list[tuple[int, int]] = []
        asked: list[tuple[str, ...]] = []
        for start, end, ids in marked:
            own = [n for n, word in enumerate(words) if word.start < end and start < word.end]
            if not own or ids[0] not in self.tools or ids[-1] not in self.tools:
                continue
            if ids in asked and times[ids[-1]] == 1:
                place = asked.index(ids)
                if place == len(asked) - 1:
                    spans[place] = (spans[place][0], own[-1] + 1)
                continue
            spans.append((own[0], own[-1] + 1))
            asked.append(ids)
        return spans, asked

    def _links(
        self, gold: Row, asked: Sequence[tuple[str, ...]], given: Sequence[str]
    ) -> Iterator[tuple[int, int, float, tuple[float, ...]]]:
        if len(asked) < 2 or not gold["nodes"] or gold.get("refuse"):
            return
        true, unsure = linked(gold["nodes"], gold["links"], asked)
        for other, takers in enumerate(asked):
            for one, givers in enumerate(asked):
                giver, taker = self.tools[givers[-1]], self.tools[takers[0]]
                hit = (one, other) in true
                if one == other or (one, other) in unsure or not (hit or may_take(giver, taker, self.graph)):
                    continue
                yield one, other, float(hit), tuple(facts(one, other, giver, taker, given, len(asked)))

    def _ports(
        self,
        row: Row,
        words: Sequence[Word],
        wishes: Sequence[tuple[int, int]],
        asked: Sequence[tuple[str, ...]],
    ) -> tuple[int, ...]:
        """Values that stand in the request as they are; a wish with one that does not says nothing of others."""
        found = [UNTOLD] * len(words)
        for first, end in wishes:
            found[first:end] = [0] * (end - first)
        names = {file["name"] for file in row["resources"]}
        for key, value in row["gold"].get("args", {}).items():
            tool, _, port = key.partition(".")
            texts = [str(text) for text in _flat(value)]
            homes = [span for span, ids in zip(wishes, asked, strict=True) if tool in ids]
            if tool not in self.tools or names & {*texts} or port not in self.ports:
                continue
            hits = [
                n
                for text in texts
                for n in _places(text, row["request"], words)
                if any(first <= n < end for first, end in homes)
            ]
            for n in hits:
                found[n] = self.ports[port]
            for first, end in homes if not hits else ():
                found[first:end] = [UNTOLD if mark == 0 else mark for mark in found[first:end]]
        return tuple(found)


def linked(
    nodes: Sequence[str], links: Sequence[Sequence[str]], asked: Sequence[tuple[str, ...]]
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Pairs of wishes of which the second takes what the first makes, by whatever tools between that nobody asked for;
    and pairs of which the gold, which knows tools and not nodes, does not tell.
    """
    said = {id for ids in asked for id in ids}
    makers: dict[str, set[str]] = defaultdict(set)
    for one, other in links:
        makers[other].add(one)

    def sources(tool: str, seen: tuple[str, ...] = ()) -> set[str]:
        own = {id for id in makers[tool] if id in said}
        return own.union(*(sources(id, (*seen, id)) for id in makers[tool] - said if id not in seen))

    true: set[tuple[int, int]] = set()
    unsure: set[tuple[int, int]] = set()
    for other, ids in enumerate(asked):
        for tool in dict.fromkeys(ids):
            for id in sources(tool):
                givers = [n for n, made in enumerate(asked) if id in made and n != other]
                takers = [n for n, made in enumerate(asked) if tool in made]
                count = sum(list(link) == [id, tool] for link in links)
                if (id in ids and id != tool) or not givers:
                    continue
                if len(givers) == 1 or count >= len(givers) * len(takers):
                    true |= {(giver, other) for giver in givers}
                elif len(takers) == len(givers) == count:  # one for each
                    true.add((givers[takers.index(other)], other))
                else:
                    unsure |= {(giver, other) for giver in givers}
    return true, unsure - true


def varied(example: Example, chance: random.Random) -> Example:
    """The same in lower case, with a typo, without stops, or without knowing the files."""
    units = list(example.units)
    if chance.random() < 0.25:
        units = [unit.lower() for unit in units]
    if chance.random() < 0.1:
        place = chance.randrange(len(units))
        word = units[place]
        if len(word) > 4:
            at = chance.randrange(1, len(word) - 2)
            units[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if chance.random() < 0.15:
        units = [unit.rstrip(".,!?") or unit for unit in units]
    return replace(example, units=tuple(units), types=example.types if chance.random() < 0.85 else frozenset())


def _touching(word: Word, marked: Sequence[tuple[int, int, tuple[str, ...]]]) -> int | None:
    return next((n for n, (start, end, _) in enumerate(marked) if start < word.end and word.start < end), None)


def _flat(value: Any) -> list[Any]:
    several = value["any"] if isinstance(value, dict) else [value]
    return [item for part in several for item in (part if isinstance(part, list) else [part])]


def _places(text: str, request: str, words: Sequence[Word]) -> Iterator[int]:
    """The words in which a value stands."""
    edges = ("", "") if re.search(r"[\u3400-\u9fff]", text) else (r"(?<![\w.,])", r"(?!\w)")
    for hit in re.finditer(re.escape(text).join(edges), request, re.I):
        yield from (n for n, word in enumerate(words) if word.start < hit.end() and hit.start() < word.end)
