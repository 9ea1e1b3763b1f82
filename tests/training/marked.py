"""Whole requests whose authors marked which words ask for which tool (marked.columns.xz), as examples.

A row's `marked` is its request with those words as "⟦words|tool⟧": "-" asks for nothing, "?" for what no tool does,
"a+b" for two tools at once. In many rows the words that say the value of an input stand as "«words|input»" in these;
`takes`, where it is there, has for each stretch the files that its tool works on itself, by input.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.plan.language.clauses import TaggedWord, words_of
from desktop_app.plan.language.tagger import FILES, TYPES
from desktop_app.plan.language.word_pieces import WordPieces, units_of
from desktop_app.plan.ranking.wish_files import facts as file_facts
from desktop_app.plan.ranking.wish_files import may_work_on, name_words, said_of
from desktop_app.plan.ranking.wish_links import facts, may_take
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Given, ToolSpec
from tests.training import composed
from tests.training.composed import UNTOLD, Example, is_held, port_names

_MARK = re.compile(r"⟦([^⟦⟧|]*)\|([^⟦⟧|]*)⟧")
_VALUE = re.compile(r"«([^«»|]*)\|([^«»|]*)»")
_MARK_SIGNS = re.compile(r"⟦|\|[^⟦⟧|«»]*⟧")
_LONGEST = 110
_CHOOSING = re.compile(
    r"\b(?:except|but|only|not|other|first|second|last|rest|one|sauf|seul|autre|premi|derni|nur|außer|letzt|zweit|erst|"
    r"ander|solo|excepto|menos|otr[oa]|primer|[uú]ltim)|除|只|第|最后|其他|另",
    re.I,
)
"""Perhaps speaks of some of the files."""
_ENOUGH, _MOST = 150, 10
"""A tool that fewer rows name is seen as often as if it had so many, but no row more than ten times."""
_NEW = 3
"""So often the newest rows are seen: in some 1,000 steps each of the others is seen less than once."""
_BETWEEN = 2
"""So few words between two wishes may belong to either."""

Row = Mapping[str, Any]


def rows() -> list[dict[str, Any]]:
    """All of them, with the `request` that each marks."""
    return [{**row, "request": plain(row["marked"])} for row in composed.marked_rows()]


def values_of(row: Row) -> list[tuple[int, int, str]]:
    """Offsets in the request of the words marked as the value of an input, with its name."""
    marked = _MARK_SIGNS.sub("", row["marked"])
    found: list[tuple[int, int, str]] = []
    signs = 0
    for mark in _VALUE.finditer(marked):
        start = mark.start() - signs
        found.append((start, start + len(mark[1]), mark[2]))
        signs += len(mark[0]) - len(mark[1])
    return found


def wishes_of(row: Row) -> list[tuple[int, int, tuple[str, ...]]]:
    """Offsets in the request of each marked stretch, with the tools that it asks for."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    signs = 0
    for mark in _MARK.finditer(_VALUE.sub(r"\1", row["marked"])):
        start = mark.start() - signs
        found.append((start, start + len(mark[1]), tuple(mark[2].split("+"))))
        signs += len(mark[0]) - len(mark[1])
    return found


def has_signs(text: str) -> bool:
    """True for a text that holds the signs of marks itself."""
    return bool({*text} & {*"⟦⟧«»"})


def plain(marked: str) -> str:
    """The request without its marks."""
    return _MARK.sub(r"\1", _VALUE.sub(r"\1", marked))


class Marked:
    """Turns rows into examples, for one set of tools."""

    def __init__(self, tools: Mapping[str, ToolSpec], pieces: WordPieces) -> None:
        self.tools, self.pieces = tools, pieces
        self.graph = ToolGraph(list(tools.values()))
        self.ids = sorted(tools)
        self.ports = {name: place for place, name in enumerate(port_names(tools), 1)}

    def examples(self, held: bool) -> list[Example]:
        """Those that are held back, or the others."""
        found = (self.example(row) for row in rows() if is_held(row) == held)
        return [example for example in found if example is not None]

    def weighed_examples(self, newest: int = 0) -> list[Example]:
        """The examples to train on, those that name a seldom tool several times over; the `newest` rows, too."""
        every = rows()
        some = [row for row in every if not is_held(row)]
        new = {row["id"] for row in every[len(every) - newest :]}
        number = Counter(tool for row in some for tool in set(row["gold"]["nodes"]))
        found: list[Example] = []
        for row in some:
            example, least = self.example(row), min((number[tool] for tool in row["gold"]["nodes"]), default=_ENOUGH)
            if example is not None:
                found += [example] * max(_NEW if row["id"] in new else 1, min(_MOST, round(_ENOUGH / least)))
        return found

    def example(self, row: Row) -> Example | None:
        """None for a row too long, or whose marks do not fit its request."""
        given = [Given(file["name"], file["type"]) for file in row["resources"]]
        words = words_of(row["request"], given, self.pieces)
        if not 0 < len(words) <= _LONGEST or plain(row["marked"]) != row["request"]:
            return None
        marked = wishes_of(row)
        tags, begins = self._tags(row, words, marked)
        wishes, asked = self._wishes(row, words, marked)
        return Example(
            tuple(word.text for word in words), tags, begins, frozenset(g.type for g in given if g.type in TYPES),
            self._ports(row, words, wishes, asked), tuple(wishes),
            tuple(self._links(row["gold"], asked, [g.type for g in given])),
            tuple(tuple(name_words(file.name)) for file in given[:FILES]), before(row, self.pieces),
            tuple(self._takes(row, words, wishes, asked, given[:FILES])),
        )  # fmt: skip

    def wishes(self, row: Row, words: Sequence[TaggedWord]) -> list[tuple[tuple[int, int], tuple[str, ...]]]:
        """The words of each wish, from the first to before the last, with its tools."""
        return list(zip(*self._wishes(row, words, wishes_of(row)), strict=True))

    def _takes(
        self,
        row: Row,
        words: Sequence[TaggedWord],
        wishes: Sequence[tuple[int, int]],
        asked: Sequence[tuple[str, ...]],
        files: Sequence[Given],
    ) -> Iterator[tuple[int, int, float, tuple[float, ...]]]:
        told = self.files_told(row, asked, files)
        said = said_of(row["request"], [(words[first].start, words[end - 1].end) for first, end in wishes])
        for wish, ids in enumerate(asked):
            for place, file in enumerate(files):
                tool = next((self.tools[id] for id in ids if may_work_on(self.tools[id], file)), None)
                if tool is not None and wish in told:
                    own = file_facts(wish, len(asked), tool, place, files, said[wish], bool(row.get("history")))
                    yield wish, place, float(file.name in told[wish]), tuple(own)

    def files_told(
        self, row: Row, asked: Sequence[tuple[str, ...]], files: Sequence[Given]
    ) -> Mapping[int, Collection[str]]:
        """By wish, the files that it works on itself: where the row tells, or where it is plain."""
        gold = row["gold"]
        if gold.get("refuse") or not gold["nodes"] or "ask" in gold:
            return {}
        if "takes" in row:
            return self._in_order(row, asked)
        times, fed = Counter(gold["nodes"]), {other for _, other in gold["links"]}
        alike = max(Counter(file.type for file in files).values(), default=0)
        is_plain = not _CHOOSING.search(row["request"])
        found: dict[int, Collection[str]] = {}
        for wish, ids in enumerate(asked):
            own = [
                text
                for key, value in gold.get("args", {}).items()
                for text in map(str, flat(value))
                if key.partition(".")[0] in ids and any(file.name == text for file in files)
            ]
            fitting = [file.name for file in files if any(may_work_on(self.tools[id], file) for id in ids)]
            if own and all(times[id] == 1 for id in ids):
                found[wish] = own
            elif not own and not fed & {*ids} and len(fitting) == len(files) == alike and is_plain:
                found[wish] = fitting
        return found

    def _in_order(self, row: Row, asked: Sequence[tuple[str, ...]]) -> dict[int, set[str]]:
        """`takes` of the row: its stretches are more than the wishes where some ask for nothing, or for the same."""
        found: dict[int, set[str]] = {}
        stretches = [(ids, own) for (_, _, ids), own in zip(wishes_of(row), row["takes"], strict=False)]
        for ids, own in stretches:
            if ids not in asked:
                continue
            wishes = [n for n, other in enumerate(asked) if other == ids]
            wish = next((n for n in wishes if n not in found), wishes[-1])
            found.setdefault(wish, set()).update(name for names in own.values() for name in names)
        return found

    def _tags(
        self, row: Row, words: Sequence[TaggedWord], marked: Sequence[tuple[int, int, tuple[str, ...]]]
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
        self, row: Row, words: Sequence[TaggedWord], marked: Sequence[tuple[int, int, tuple[str, ...]]]
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
        words: Sequence[TaggedWord],
        wishes: Sequence[tuple[int, int]],
        asked: Sequence[tuple[str, ...]],
    ) -> tuple[int, ...]:
        """Values that stand in the request as they are; a wish with one that does not says nothing of others."""
        found = [UNTOLD] * len(words)
        for first, end in wishes:
            found[first:end] = [0] * (end - first)
        names = {file["name"] for file in row["resources"]}
        if said := values_of(row):
            for start, end, port in said:
                if port in self.ports:
                    for n, word in enumerate(words):
                        if word.start < end and start < word.end:
                            found[n] = self.ports[port]
            return tuple(found)
        for key, value in row["gold"].get("args", {}).items():
            tool, _, port = key.partition(".")
            texts = [str(text) for text in flat(value)]
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
    example = _told_less(example, chance)
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
    return replace(example, units=tuple(units))


def _told_less(example: Example, chance: random.Random) -> Example:
    """At times nobody tells of the files, or not their names."""
    if chance.random() < 0.12:
        return replace(example, types=frozenset(), names=(), takes=())
    return replace(example, names=(), takes=()) if chance.random() < 0.12 else example


class Exchange:
    """Puts another's words for a wish in the place of those for the same tools."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._said: dict[tuple[int, bool], list[tuple[Example, int, int]]] = defaultdict(list)
        for example in examples:
            for first, end in example.wishes if self._stands_alone(example) else ():
                if self._is_whole(example, first, end):
                    self._said[self._key(example, first, end)].append((example, first, end))

    def exchanged(self, example: Example, chance: random.Random) -> Example:
        """The same with one wish in other words, where somebody has such."""
        spans = [span for span in example.wishes if self._is_whole(example, *span)]
        if not spans or not self._stands_alone(example):
            return example
        first, end = chance.choice(spans)
        other, start, stop = chance.choice(self._said.get(self._key(example, first, end), [(example, first, end)]))
        if other is example:
            return example
        grown = (stop - start) - (end - first)

        def put(name: str) -> tuple[Any, ...]:
            own, theirs = getattr(example, name), getattr(other, name)
            return (*own[:first], *theirs[start:stop], *own[end:])

        return replace(
            example,
            units=put("units"), tags=put("tags"), ports=put("ports"), begins=put("begins"),
            wishes=tuple((a + grown * (a >= end), b + grown * (b >= end)) for a, b in example.wishes),
        )  # fmt: skip

    @staticmethod
    def _stands_alone(example: Example) -> bool:
        """It does not choose among files, and nothing was said before."""
        return len(example.names) < 2 and not example.before

    @staticmethod
    def _is_whole(example: Example, first: int, end: int) -> bool:
        """No other wish within, and its words all ask for the same."""
        tags = {*example.tags[first:end]}
        return len(tags) == 1 and all(b <= first or a >= end or (a, b) == (first, end) for a, b in example.wishes)

    @staticmethod
    def _key(example: Example, first: int, end: int) -> tuple[int, bool]:
        return example.tags[first], bool(re.search(r"[\u3400-\u9fff]", "".join(example.units[first:end])))


def before(row: Row, pieces: WordPieces) -> tuple[str, ...]:
    """The words that the user said last before these."""
    said = [turn["text"] for turn in row.get("history") or () if turn["role"] == "user"]
    return tuple(said[-1][a:b] for a, b in units_of(said[-1], pieces)) if said else ()


def _touching(word: TaggedWord, marked: Sequence[tuple[int, int, tuple[str, ...]]]) -> int | None:
    return next((n for n, (start, end, _) in enumerate(marked) if start < word.end and word.start < end), None)


def flat(value: Any) -> list[Any]:
    """The values that a label accepts, one by one."""
    several = value["any"] if isinstance(value, dict) else [value]
    return [item for part in several for item in (part if isinstance(part, list) else [part])]


def _places(text: str, request: str, words: Sequence[TaggedWord]) -> Iterator[int]:
    """The words in which a value stands."""
    edges = ("", "") if re.search(r"[\u3400-\u9fff]", text) else (r"(?<![\w.,])", r"(?!\w)")
    for hit in re.finditer(re.escape(text).join(edges), request, re.I):
        yield from (n for n, word in enumerate(words) if word.start < hit.end() and hit.start() < word.end)
