"""Composes requests out of single wishes, for the tagger of the planner to learn from.

Every word of a composed request has the tool of its wish as its tag, every first word of a wish is a boundary, and a
word that a wish marks as the value of an input keeps that mark.
"""

from __future__ import annotations

import json
import lzma
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.plan.language.tagger import TYPES
from desktop_app.plan.language.word_pieces import WordPieces, units_of
from desktop_app.plan.ranking.wish_files import name_words
from desktop_app.plan.tools.tool_graph import REGIONS, fits
from desktop_app.plan.types import ToolSpec

DATA = Path(__file__).parent.parent / "data" / "planning"
_LONGEST = 400
_LANGUAGES = {"en": 0.62, "de": 0.1, "fr": 0.1, "es": 0.09, "zh": 0.09}
_LENGTHS = {1: 0.3, 2: 0.34, 3: 0.22, 4: 0.1, 5: 0.04}
_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_NAME = re.compile(r"\.\w{2,5}$")
_STRETCH = re.compile(r"⟦([^⟦⟧|]*(?:«[^«»]*»[^⟦⟧|]*)*)\|(\w+|\?)⟧")
_VALUE = re.compile(r"«([^«»|]*)\|([^«»|]*)»")
_FEW, _SHORTEST, _SHORTEST_CHINESE = 12, 9, 4
"""A tool of fewer wishes in a language also has the stretches marked for it, those of so many characters."""
_INLINE = ("number", "flag")
_NAMELESS = 0.4
_FIRST, _LAST = 0xE100, 0xE000
"""Signs for private use stand where a marked value begins (the first one, and so on for each name of an input) and
ends, while requests are composed.
"""


@dataclass(frozen=True)
class Example:
    """A request in units (words), with of each: its tag, whether a wish begins there, and the number of the input whose
    value it is (0: of none). UNTOLD stands where nobody has said. `types` are those of the files that are there.

    `wishes` are the units of each wish, from the first to before the last; `links` are pairs of wishes with 1.0 where
    the second takes what the first makes, 0.0 where not, and the facts of plan/ranking/wish_links.py. `takes` are pairs
    of a wish and a file (by its place in `names`, which are words) in the same way, with those of wish_files.py.
    `before` are the words of what was said before.
    """

    units: tuple[str, ...]
    tags: tuple[int, ...]
    begins: tuple[bool, ...]
    types: frozenset[str]
    ports: tuple[int, ...]
    wishes: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, int, float, tuple[float, ...]], ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    before: tuple[str, ...] = ()
    takes: tuple[tuple[int, int, float, tuple[float, ...]], ...] = ()


UNTOLD = -100
_GOLD = "gold."


def rows(name: str) -> list[dict[str, Any]]:
    """Of a file of JSON lines in tests/data/planning, plain or packed: a line for each row, or by columns a line for
    each field: its name first, then its value in each row, null for none.
    """
    found = [json.loads(line) for line in lines(name) if line.strip()]
    if ".columns" not in Path(name).suffixes:
        return found
    columns = {field: values for field, *values in found}
    by_row = (zip(columns, values, strict=True) for values in zip(*columns.values(), strict=True))
    return [{field: value for field, value in row if value is not None} for row in by_row]


def lines(name: str) -> list[str]:
    """Of a file in tests/data/planning, plain or packed."""
    path = DATA / name
    text = lzma.decompress(path.read_bytes()).decode() if path.suffix == ".xz" else path.read_text("utf-8")
    return text.splitlines()


def marked_rows() -> list[dict[str, Any]]:
    """Those of marked.columns.xz. What of a row's `gold` is called x is the field "gold.x"."""
    return [_nested(row) | {"id": f"m{number}"} for number, row in enumerate(rows("marked.columns.xz"))]


def _nested(row: Mapping[str, Any]) -> dict[str, Any]:
    gold = {name.removeprefix(_GOLD): value for name, value in row.items() if name.startswith(_GOLD)}
    return {**{name: value for name, value in row.items() if not name.startswith(_GOLD)}, "gold": gold}


def described_sets() -> list[dict[str, Any]]:
    """The tool sets of described.columns.xz, each with its requests. There the first row of a set has its name and its
    tools; a node is the number of a tool and, where words ask for it, where these begin and end.
    """
    found: list[dict[str, Any]] = []
    for row in rows("described.columns.xz"):
        if "tools" in row:
            found.append({"name": row.pop("set"), "tools": row.pop("tools"), "requests": []})
        names, text = [tool["name"] for tool in found[-1]["tools"]], row["request"]
        row["nodes"] = [{"tool": names[n], "words": text[slice(*part)] if part else ""} for n, *part in row["nodes"]]
        if "also" in row:
            row["also"] = [{"nodes": [names[n] for n in nodes], "links": links} for nodes, links in row["also"]]
        found[-1]["requests"].append(row)
    return found


def wishes(*sets: int) -> list[dict[str, Any]]:
    """Wishes for single tools, of these of the four `set`s or of all; "[words|input]" marks words as the value of an
    input.
    """
    return [row for row in rows("wishes.columns.xz") if not sets or row["set"] in sets]


def port_names(tools: Mapping[str, ToolSpec]) -> list[str]:
    """The names of all inputs, in order."""
    return sorted({port.name for tool in tools.values() for port in tool.inputs})


def is_held(row: Mapping[str, Any]) -> bool:
    """True for one in five of the marked requests, which nothing is trained on."""
    return bool(row.get("held"))


def stretches() -> Iterator[tuple[str, str, str]]:
    """Of marked requests to train on, language, tool and words of each stretch that asks for one tool, as a wish; the
    tool of what none does is "?".
    """
    for row in marked_rows():
        if not is_held(row) and "history" not in row:
            for words, tool in _STRETCH.findall(row["marked"]):
                if len(words) >= (_SHORTEST_CHINESE if row["language"] == "zh" else _SHORTEST):
                    yield row["language"], tool, _VALUE.sub(r"[\1|\2]", words)


def _names_of_files() -> dict[str, list[str]]:
    """By type, as people call them."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in marked_rows():
        for file in row["resources"]:
            found[file["type"]].add(file["name"])
    return {type: sorted(names) for type, names in found.items()}


def _without_signs(text: str) -> tuple[str, list[int], list[int]]:
    """The text as typed; of each of its characters the number of the input; where each character of before is now."""
    kept: list[str] = []
    ports: list[int] = []
    places: list[int] = []
    port = 0
    for sign in text:
        places.append(len(kept))
        if ord(sign) == _LAST:
            port = 0
        elif _FIRST <= ord(sign) < 0xF8FF:
            port = ord(sign) - _FIRST + 1
        else:
            kept.append(sign)
            ports.append(port)
    return "".join(kept), ports, [*places, len(kept)]


class Composer:
    """Makes requests without end; the same seed gives the same ones."""

    def __init__(self, tools: Mapping[str, ToolSpec], pieces: WordPieces, seed: int = 0) -> None:
        self.tools, self._pieces = tools, pieces
        self.ids = sorted(tools)
        self.ports = port_names(tools)
        self._chance = random.Random(seed)
        self._said = tomllib.loads((DATA / "templates.toml").read_text("utf-8"))
        asides = [line.strip() for line in (DATA / "asides.txt").read_text("utf-8").splitlines() if line.strip()]
        self._asides = {"en": [line for line in asides if line.isascii()], **self._said["asides"]}
        outside = [line.strip() for line in (DATA / "outside.txt").read_text("utf-8").splitlines() if line.strip()]
        self._outside = [("zh" if re.search(r"[\u3400-\u9fff]", line) else "en", line) for line in outside]
        self._wishes: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._short: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._read()
        self._names = _names_of_files()
        needs = {id: {p.type for p in tool.inputs if p.required} for id, tool in tools.items()}
        things = {id: needs[id] - {"text", *_INLINE} or needs[id] for id in tools}
        self._after = {
            id: [b for b in tools if any(fits(p.type, t) for p in a.outputs for t in needs[b] if t not in _INLINE)]
            for id, a in tools.items()
        }
        self._beside = {id: [b for b in tools if b != id and things[id] & needs[b]] for id in tools}

    def _read(self) -> None:
        for row in wishes():
            if row["tool"] in self.tools:
                self._wishes[row["language"]][row["tool"]].append(row["text"])
        marked = list(stretches())
        self._outside += [(language, text) for language, id, text in marked if id == "?" and "[" not in text]
        rare = [one for one in marked if one[1] in self.tools and len(self._wishes[one[0]][one[1]]) < _FEW]
        for language, id, text in rare:
            self._wishes[language][id].append(text)
        for id, tool in self.tools.items():
            self._short["en"][id] += [text.lower() for text in (tool.title, *tool.words)]
            for text in tool.examples:
                self._wishes["en" if text.isascii() else "zh"][id].append(text)
        for line in lines("short.tsv.xz"):
            id, language, texts = line.split("\t")
            self._short[language][id] += texts.split(" | ")

    def compose(self) -> Example:
        """One request, in one language."""
        while True:
            signed, wishes, types = self._text()
            text, ports, now = _without_signs(signed)
            places = units_of(text, self._pieces)
            if places and len(text) <= _LONGEST:
                of = [max(n for n, (start, _) in enumerate(wishes) if now[start] <= a or n == 0) for a, _ in places]
                begins = tuple(n == 0 or of[n] != of[n - 1] for n in range(len(of)))
                tags = tuple(wishes[n][1] for n in of)
                values = tuple(next((port for port in ports[a:b] if port), 0) for a, b in places)
                units = tuple(text[a:b] for a, b in places)
                return Example(units, tags, begins, frozenset(types), values, names=self._files(types))

    def _files(self, types: Collection[str]) -> tuple[tuple[str, ...], ...]:
        """Names of such files, at times of several of a type; at times nobody tells."""
        if self._chance.random() < _NAMELESS:
            return ()
        each = {type: self._chance.choice((1, 1, 1, 2, 3)) for type in types if type in self._names}
        found = [name_words(self._chance.choice(self._names[type])) for type in sorted(each) for _ in range(each[type])]
        return tuple(tuple(name) for name in found)

    def _text(self) -> tuple[str, list[tuple[int, int]], set[str]]:
        chance = self._chance
        language = chance.choices([*_LANGUAGES], [*_LANGUAGES.values()])[0]
        if chance.random() < 0.06:
            language, said = chance.choice(self._outside)
            wishes = [(len(self.ids) + 1, said)]
            more = self._wish(language, True) if chance.random() < 0.35 else None
            if more:
                wishes.insert(chance.randrange(2), (self.ids.index(more[0]), more[1]))
        else:
            wishes = self._chain(language, chance.choices([*_LENGTHS], [*_LENGTHS.values()])[0])
        types = self._types(wishes) if chance.random() < 0.75 else set()
        if chance.random() < 0.28:
            place = chance.choice([0, len(wishes), chance.randrange(len(wishes) + 1)])
            wishes.insert(place, (len(self.ids), chance.choice(self._asides[language])))
        text, starts = self._joined(wishes, language)
        if chance.random() < 0.3:
            text = text.lower()
        if chance.random() < 0.06 and len(text) > 8:  # a typo
            at = chance.randrange(len(text) - 2)
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        return text, starts, types

    def _chain(self, language: str, count: int) -> list[tuple[int, str]]:
        """Wishes that follow from each other, or are for the same thing, or neither."""
        chance, wishes = self._chance, list[tuple[int, str]]()
        id: str | None = None
        while len(wishes) < count:
            wish = self._wish(language, not wishes, id)
            if wish is None:
                id = None
                continue
            id, text = wish
            if chance.random() < 0.1:
                words = chance.choice(self._said["modifiers"][language]).format(name="Tom's")
                text = f"{text}, {words}" if chance.random() < 0.6 else f"{text} {words}"
            if chance.random() < 0.05:
                text = f"{text}, {chance.choice(self._said['pointing'][language])}"
            wishes.append((self.ids.index(id), text))
            which = chance.random()
            following = self._after[id] if which < 0.55 else self._beside[id] if which < 0.9 else []
            id = chance.choice(following) if following else None
            if id and any(self.ids[place] == id for place, _ in wishes) and chance.random() < 0.8:
                id = None
        return wishes

    def _wish(self, language: str, first: bool, id: str | None = None) -> tuple[str, str] | None:
        chance = self._chance
        id = id or chance.choice(self.ids)
        whole, short = self._wishes[language].get(id, []), self._short[language].get(id, [])
        if short and (not whole or chance.random() < (0.35 if first else 0.5)):
            return id, chance.choice(short)
        if not whole:
            return None
        text = chance.choice(whole)
        if not first and chance.random() < 0.6:  # shorter ones go on
            text = min((text, chance.choice(whole)), key=len)
        types = {port.name: port.type for port in self.tools[id].inputs}

        def said(match: re.Match[str]) -> str:
            words, port = match.groups()
            type = types.get(port, "")
            if _NAME.search(words) or type in ("image", "audio", "video", "table", "file"):
                if not first and chance.random() < 0.75:
                    words = str(chance.choice(self._said["again"][language]))
                elif chance.random() < 0.6:
                    called = self._said["called"]
                    words = str(chance.choice(called.get(type, called["file"])[language]))
            return f"{chr(_FIRST + self.ports.index(port))}{words}{chr(_LAST)}" if port in self.ports else words

        return id, _SPAN.sub(said, text)

    def _types(self, wishes: Sequence[tuple[int, str]]) -> set[str]:
        """The kinds of files that may be there."""
        chance, types = self._chance, set[str]()
        for number, (place, _) in enumerate(wishes):
            if place < len(self.ids) and (number == 0 or chance.random() < 0.3):
                types |= {p.type for p in self.tools[self.ids[place]].inputs if p.required and p.type in TYPES}
        if "text" in types and chance.random() < 0.4:
            types = (types - {"text"}) | ({"file"} if chance.random() < 0.5 else set())
        if types & REGIONS:
            types = (types - {"mask", "boxes"}) | {"image"}
        return types | {chance.choice(TYPES)} if chance.random() < 0.1 else types

    def _joined(self, wishes: Sequence[tuple[int, str]], language: str) -> tuple[str, list[tuple[int, int]]]:
        chance, text = self._chance, ""
        starts: list[tuple[int, int]] = []
        listed = chance.random() < 0.25
        for number, (tag, said) in enumerate(wishes):
            said = said.strip()
            start = 0
            if number:
                between = chance.choice(self._said["joiners"][language])
                if listed and number < len(wishes) - 1:
                    between = "，" if language == "zh" else ", "
                if language == "zh" or chance.random() < 0.9:
                    text = text.rstrip("。！？，. " if language == "zh" else ".!, ")
                if text.endswith("?"):
                    between = "" if language == "zh" else " "
                ends = len(between) - len(between.lstrip(" ,.;:-+&。，；\n"))
                text += between[:ends]
                start = len(text)
                text += between[ends:]
                if not between.startswith((".", "。", "\n")):
                    said = said[:1].lower() + said[1:]
            starts.append((start, tag))
            text += said
        return text, starts
