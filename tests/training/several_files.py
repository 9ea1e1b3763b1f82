"""Composes requests over several files, for the tagger of the planner to learn which of them are meant.

A wish of the store of single wishes gets several files with made-up names, and words that say which of them it is for:
by what they show, by their order, by their ending, or by which are left alone. The rows are as those of marked.py.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.plan.types import PortSpec, ToolSpec
from tests.training.composed import DATA, stretches, wishes
from tests.training.marked import has_signs, plain

_SPAN = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_ENDINGS = {
    "image": ("jpg", "png", "JPG", "jpeg", "webp", "tif", "heic"), "audio": ("wav", "mp3", "m4a", "flac", "ogg"),
    "video": ("mp4", "mov", "MOV", "mkv", "avi"), "text": ("txt", "md", "txt"), "table": ("csv", "csv", "xlsx"),
    "file": ("pdf", "docx", "odt"), "html": ("html", "htm"),
}  # fmt: skip
_LANGUAGES = {"en": 0.5, "de": 0.14, "fr": 0.12, "es": 0.12, "zh": 0.12}
_BESIDE = ("left", "right", "old", "new", "front", "back", "small", "big", "1", "2", "3", "a", "b", "final", "night")
_CAMERAS = ("IMG_{}", "DSC0{}", "P10{}", "scan {}", "take {}", "REC_{}", "VID_{}", "track {}", "page {}", "memo {}")
_ARTICLE = re.compile(r"^(?:der|die|das|le|la|les|el|los|las)\s+|^l'", re.I)
_COUNTS = {
    "en": ("two", "three", "four", "five"), "de": ("zwei", "drei", "vier", "fünf"),
    "fr": ("deux", "trois", "quatre", "cinq"), "es": ("dos", "tres", "cuatro", "cinco"), "zh": ("两", "三", "四", "五"),
}  # fmt: skip
_ONE = re.compile(
    r"\b(?:all|every|each|first|second|last|except|but|alle|jede|außer|tou[ts]|chaque|sauf|tod[oa]s|cada)\b|每|都|除"
)
"""Chooses among files already."""
_LONGEST_WISH = 120
_UNNAMED = 0.5
"""Files of which nothing tells what they show are told by their places so often, and else by their names."""
_PAIRED, _APART = 0.08, 0.35
"""So often a wish for a tool with two inputs for files of one type is taken, and two wishes for different files."""


@dataclass(frozen=True)
class _File:
    """`said` is what people call it by what it shows; "" where it has only a place."""

    name: str
    said: str


class SeveralFiles:
    """Makes rows without end; the same seed gives the same ones."""

    def __init__(self, tools: Mapping[str, ToolSpec], seed: int = 0) -> None:
        self._chance = random.Random(seed)
        self._ways = tomllib.loads((DATA / "several_files.toml").read_text("utf-8"))
        self._nouns = [line.split("\t") for line in (DATA / "nouns.tsv").read_text("utf-8").splitlines()]
        self._inputs = {id: found for id, tool in tools.items() if (found := _input_of(tool))}
        self._wishes: dict[str, list[tuple[str, str]]] = {language: [] for language in _LANGUAGES}
        for row in wishes():
            if row["tool"] in self._inputs and len(row["text"]) < _LONGEST_WISH and not has_signs(row["text"]):
                self._wishes[row["language"]].append((row["tool"], row["text"]))
        told = {row["tool"] for row in wishes()}
        for language, tool, text in stretches():
            if tool in self._inputs and tool not in told and len(text) < _LONGEST_WISH and _ONE.search(text) is None:
                self._wishes[language].append((tool, text))
        self._pairs = [
            (row["tool"], row["text"], row["language"], found)
            for row in wishes()
            if row["tool"] in tools and (found := _two_inputs(tools[row["tool"]], row["text"]))
            if not has_signs(row["text"])
        ]
        self._made = 0

    def row(self) -> dict[str, Any]:
        """One request."""
        chance = self._chance
        language = chance.choices([*_LANGUAGES], [*_LANGUAGES.values()])[0]
        tool, text = chance.choice(self._wishes[language])
        port, type = self._inputs[tool]
        paired = chance.choice(self._pairs) if chance.random() < _PAIRED else None
        if paired:
            tool, text, language, type = *paired[:3], paired[3][0].type
        files = self._files(type, language)
        if paired:
            marked, tools, takes = self._pair(tool, text, paired[3], files)
        elif chance.random() < _APART:
            marked, tools, takes = self._apart(tool, text, language, files)
        else:
            words, taken, left = self._meant(files, type, language)
            marked, tools, takes = self._wish(tool, text, words, language) + left, [tool], [_taking(port, taken)]
        if chance.random() < 0.3:
            marked = marked.lower()
        self._made += 1
        return {
            "id": f"several-{self._made}", "language": language, "split": "many", "request": plain(marked),
            "marked": marked, "resources": [{"name": file.name, "type": type} for file in files],
            "gold": {"nodes": tools, "links": [], "args": {}}, "takes": takes,
        }  # fmt: skip

    def _pair(
        self, tool: str, text: str, inputs: Sequence[PortSpec], files: Sequence[_File]
    ) -> tuple[str, list[str], list[dict[str, list[str]]]]:
        """A wish for two files, each for an input of its own."""
        own = dict(zip([port.name for port in inputs], self._chance.sample([*files], 2), strict=True))

        def put(match: re.Match[str]) -> str:
            file = own.get(match[2])
            return f"«{match[1]}|{match[2]}»" if file is None else self._said(file) if file.said else file.name

        return f"⟦{_SPAN.sub(put, text)}|{tool}⟧", [tool], [{name: [file.name] for name, file in own.items()}]

    def _files(self, type: str, language: str) -> list[_File]:
        chance = self._chance
        count = chance.choice((2, 3, 3, 3, 4, 4, 5))
        column = [*_LANGUAGES].index(language)
        ending = chance.choice(_ENDINGS[type])
        form = chance.random()
        if form < 0.15:  # numbered by a camera
            camera, first = chance.choice(_CAMERAS), chance.randrange(1, 900)
            return [_File(f"{camera.format(first + n)}.{ending}", "") for n in range(count)]
        chosen = chance.sample(self._nouns, count)
        named = 0 if chance.random() < 0.3 else column  # what a file is called is often English
        beside = chance.choice(_BESIDE) if chance.random() < 0.15 else ""
        joint = chance.choice((" ", "_", "-"))
        files = []
        for row in chosen:
            stem = _ARTICLE.sub("", row[named])
            stem = chance.choice((stem, stem.lower(), stem[:1].upper() + stem[1:])).replace(" ", joint)
            if chance.random() < 0.2:
                stem += f"{joint}{chance.choice(_BESIDE)}"
            name = f"{stem}{joint + beside if beside else ''}.{ending}"
            files.append(_File(name, row[column] if language != "en" or not row[0].islower() else f"the {row[0]}"))
        return files

    def _meant(self, files: Sequence[_File], type: str, language: str) -> tuple[str, list[_File], str]:
        """Words in the place of the file ("" for none), the files meant, and what is said of those that are not."""
        chance = self._chance
        way = chance.random()
        if way < 0.13:
            return self._way("whole", language, type, count=len(files)), [*files], ""
        if way < 0.28 or (not files[0].said and chance.random() < _UNNAMED):
            return self._by_place(files, type, language)
        if way < 0.36:
            return self._by_ending(files, type, language)
        if way < 0.52:  # all but one
            out = chance.choice(files)
            taken = [file for file in files if file is not out]
            if chance.random() < 0.5:
                return self._way("except", language, type, c=self._said(out)), taken, ""
            words = self._way("whole", language, type, count=len(taken)) if chance.random() < 0.5 else ""
            return words, taken, self._way("left", language, c=self._said(out))
        some = chance.sample([*files], 2 if way > 0.75 and len(files) > 2 else 1)
        named = dict(zip("ab", map(self._said, some), strict=False))
        words = self._way("two" if len(some) > 1 else "one", language, **named)
        rest = [file for file in files if file not in some]
        left = self._way("left", language, c=self._said(chance.choice(rest))) if chance.random() < 0.4 else ""
        return words, [file for file in files if file in some], left

    def _by_place(self, files: Sequence[_File], type: str, language: str) -> tuple[str, list[_File], str]:
        places = [files[:1], files[1:2], files[2:3], files[-1:], files[:2], files[-2:], files[1:], files[:-1]]
        way = self._chance.choice([n for n, some in enumerate(places) if some and (len(files) > 2 or n in (0, 1, 3))])
        return self._place(way, type, language), [*places[way]], ""

    def _place(self, way: int, type: str, language: str) -> str:
        things = self._chance.choice(self._ways["kinds"][type][language].split("|"))
        return str(self._chance.choice(self._ways["place"][language][way].split("|")).format(things=things))

    def _by_ending(self, files: list[_File], type: str, language: str) -> tuple[str, list[_File], str]:
        """Gives some of the files another ending."""
        endings = sorted({ending.lower() for ending in _ENDINGS[type]})
        if len(endings) < 2:
            return self._way("whole", language, type, count=len(files)), [*files], ""
        one, other = self._chance.sample(endings, 2)
        cut = self._chance.randrange(1, len(files))
        files[:] = [
            _File(f"{file.name.rpartition('.')[0]}.{one if n < cut else other}", file.said)
            for n, file in enumerate(files)
        ]
        taken = [file for file in files if file.name.endswith("." + one)]
        self._chance.shuffle(files)
        left = self._way("ending_left", language, ext=other) if self._chance.random() < 0.4 else ""
        return self._way("ending", language, ext=one), taken, left

    def _apart(
        self, tool: str, text: str, language: str, files: Sequence[_File]
    ) -> tuple[str, list[str], list[dict[str, list[str]]]]:
        """Two wishes, each for its own file."""
        chance = self._chance
        one, other = chance.sample([*files], 2)
        type = self._inputs[tool][1]
        same = [wish for wish in self._wishes[language] if self._inputs[wish[0]][1] == type and wish[0] != tool]
        second, words = chance.choice(same or [(tool, text)])
        if files[0].said:
            named = [self._way("one", language, a=self._said(file)) for file in (one, other)]
            if len(files) == 2 and chance.random() < 0.25:
                named[1] = self._way("other", language)
        else:
            one, other = files[0], files[1]
            named = [self._place(n, type, language) for n in (0, 1)]
        joint = chance.choice(self._ways["together"][language])
        first = self._wish(tool, text, named[0], language).rstrip(".。!！ ")
        marked = first + joint + self._wish(second, words, named[1], language)
        rest = [file for file in files if file not in (one, other)]
        if rest and rest[0].said and chance.random() < 0.3:
            marked += self._way("left", language, c=self._said(chance.choice(rest)))
        takes = [_taking(self._inputs[tool][0], [one]), _taking(self._inputs[second][0], [other])]
        return marked, [tool, second], takes

    def _wish(self, tool: str, text: str, words: str, language: str) -> str:
        """The wish in its marks, with these words for its file."""
        port = self._inputs[tool][0]
        placed = False

        def put(match: re.Match[str]) -> str:
            nonlocal placed
            if match[2] != port:
                return f"«{match[1]}|{match[2]}»"
            if placed or not words:
                return self._things(language)
            placed = True
            return words

        said = _SPAN.sub(put, text)
        if placed or not words:
            return f"⟦{said}|{tool}⟧"
        form = self._chance.choice(self._ways["behind"][language])
        said = said.rstrip(".。!！ ")
        return f"⟦{form.format(w=said, r=words)}|{tool}⟧"

    def _things(self, language: str) -> str:
        return {"en": "it", "de": "es", "fr": "ça", "es": "eso", "zh": "它"}[language]

    def _said(self, file: _File) -> str:
        """What a file shows, or its name with or without its ending."""
        which = self._chance.random()
        return file.name if which < 0.3 or not file.said else file.name.rpartition(".")[0] if which < 0.4 else file.said

    def _way(self, name: str, language: str, type: str = "", count: int = 2, **words: Any) -> str:
        things = self._chance.choice(self._ways["kinds"][type][language].split("|")) if type else ""
        form = self._chance.choice(self._ways[name][language])
        return str(form.format(things=things, n=_COUNTS[language][min(count, 5) - 2] if count > 1 else 1, **words))


def _input_of(tool: ToolSpec) -> tuple[str, str] | None:
    """The one input for files that such a wish is for, with its type."""
    found = [port for port in tool.inputs if port.type in _ENDINGS and not port.choices and port.required]
    files = [port for port in found if port.type != "text"] or [port for port in found if port.name == "text"]
    return (files[0].name, files[0].type) if len(files) == 1 else None


def _two_inputs(tool: ToolSpec, text: str) -> list[PortSpec]:
    """The two inputs for files of one type that the text speaks of; none where it does not speak of both."""
    spoken = {port for _, port in _SPAN.findall(text)}
    found = [port for port in tool.inputs if port.type in _ENDINGS and not port.choices and port.name in spoken]
    return found if len(found) == 2 and found[0].type == found[1].type and not any(port.many for port in found) else []


def _taking(port: str, files: Sequence[_File]) -> dict[str, list[str]]:
    return {port: [file.name for file in files]}
