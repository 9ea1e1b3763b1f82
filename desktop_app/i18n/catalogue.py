"""The language of what the user reads, for the parts that know no Qt: sentences, and texts written in English below.

Everything is written in English; a catalogue in resources/translations turns it into the language in use. Must not
know who says what. Catalogues: a JSON object of sections, each from the English text to the other one. `{name}` and
`{}` stand for what varies. `python -m tests.translations` lists what a catalogue lacks.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from desktop_app.core.paths import RESOURCES

CATALOGUES = RESOURCES / "translations"
LANGUAGES = ("en", "zh")
_PLACE = re.compile(r"\{(\w*)\}")
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\n+")
_ARROW = " → "
_WORD = re.compile(r"[A-Za-z]{2}")
_CLOSED = "。：；？！"
_LONGEST, _TOGETHER = 2000, 4
"""What has more characters is no message; one message has no more sentences than that."""
_DEEPEST = 4
"""So deep values within values are looked up."""
_TELLING, _WEAK = 15, 8
"""So many fixed letters of a template tell it from others even where a value is several sentences; or say little."""


class Catalogue:
    """The texts of one language. Immutable after construction, but for what it remembers of texts it was asked."""

    def __init__(self, path: Path) -> None:
        self._sections: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))
        self._known: dict[str, str] = {}
        self._templates: list[_Template] | None = None

    def find(self, text: str, *sections: str) -> str:
        """The text in the first of these sections that has it (of "window" and "sentences" by default), or ""."""
        for section in sections or ("window", "sentences"):
            found = self._sections.get(section, {}).get(text)
            if found:
                return found
        return ""

    def shown(self, text: str) -> str:
        """A text that was put together in English, as far as its parts are known; else as it is."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) > 4000:
                self._known.clear()
            known = len(text) <= _LONGEST
            found = self._known[text] = (self._whole(text) or self._in_parts(text)) if known else text
        return found

    def _whole(self, text: str, depth: int = 0) -> str:
        """The whole text, "" when it is not known. A title in the middle of a sentence begins with a small letter."""
        plain = text.strip()
        forms = (plain, plain[:1].upper() + plain[1:])
        for section in ("messages", "sentences", "tools", "descriptions", "docs", "backends", "ports"):
            for form in forms:
                if found := self.find(form, section):
                    return found
        if plain[-1:] == "." and (found := self.find(plain[:-1], "tools")):
            return f"{found}。"
        if _ARROW in plain and ". " not in plain:
            return _ARROW.join(self._value(part, depth) for part in plain.rstrip(".").split(_ARROW)) + "。"
        if depth < _DEEPEST and " " in plain:
            for template in self._templates_of():
                match = template.pattern.fullmatch(plain) if template.mark in plain else None
                if match:
                    values = [self._value(value, depth + 1) for value in match.groups()]
                    known = all(
                        new != old or not _WORD.search(old) for new, old in zip(values, match.groups(), strict=True)
                    )
                    if known or not template.weak:
                        return _filled(template.wanted, values)
        return ""

    def _value(self, value: str, depth: int) -> str:
        """A value within a sentence, itself when it is not known."""
        return self._whole(value, depth) or self._clause(value) or self._verb(value) or self._in_parts(value)

    def _clause(self, value: str) -> str:
        """What a tool does, where `value` is how its description begins."""
        if value.count(" ") > 1:
            for english, other in self._sections.get("descriptions", {}).items():
                if english.startswith(value):
                    return re.split("[，。：；（]", other, maxsplit=1)[0]
        return ""

    def _verb(self, value: str) -> str:
        """A tool whose title is one verb, where `value` is another form of it: "blurring", "Pixelates"."""
        form = value.lower()
        for ending in ("ing", "es", "s"):
            stem = form.removesuffix(ending)
            if stem != form:
                for one in (stem, f"{stem}e", stem[:-1]):
                    found = self.find(one.capitalize(), "tools")
                    if found:
                        return found
        return ""

    def _in_parts(self, text: str) -> str:
        """Sentence by sentence, the longest that are known together first."""
        if " " not in text:
            return text
        marks = [0, *(m.end() for m in _SENTENCES.finditer(text)), len(text)]
        said, at = "", 0
        while at < len(marks) - 1:
            end, found = self._longest(text, marks, at)
            part = text[marks[at] : marks[end]]
            gap = part[len(part.rstrip()) :]
            said += found + ("" if found[-1:] in _CLOSED and "\n" not in gap else gap) if found else part
            at = end
        return said

    def _longest(self, text: str, marks: list[int], at: int) -> tuple[int, str]:
        """Where the longest known run of sentences from `marks[at]` on ends, and its words; "" for one unknown."""
        for end in range(min(len(marks) - 1, at + _TOGETHER), at, -1):
            part = text[marks[at] : marks[end]]
            found = self._whole(part) if part.strip() else ""
            if found:
                return end, found
        return at + 1, ""

    def _templates_of(self) -> list[_Template]:
        """The messages with places for values, those with the most fixed letters first."""
        if self._templates is None:
            held = [pair for pair in self._sections.get("messages", {}).items() if _PLACE.search(pair[0])]
            held.sort(key=lambda pair: (-_fixed(pair[0]), -len(pair[0])))
            self._templates = [_template(english, other) for english, other in held]
        return self._templates


@dataclass(frozen=True)
class _Template:
    """`weak` ones say so little themselves that they only count where all their values are known.

    `mark` is the longest of the fixed pieces: a text without it need not be matched.
    """

    mark: str
    pattern: re.Pattern[str]
    wanted: str
    weak: bool


def _fixed(template: str) -> int:
    """How many letters of a template are fixed."""
    return len(re.sub(r"\W", "", _PLACE.sub("", template)))


def _template(english: str, other: str) -> _Template:
    pieces = _PLACE.split(english)[::2]
    any_words, one_sentence = "(.+?)", r"((?:(?![.!?:;] ).)+?)"
    place = any_words if _fixed(english) >= _TELLING else one_sentence
    said = place.join(map(re.escape, pieces))
    if pieces[-2:-1] and pieces[-2].endswith(": ") and not pieces[-1]:
        said = said.removesuffix(place) + any_words  # what a colon announces may be of several sentences
    pattern = re.compile(said, re.DOTALL)
    return _Template(max(pieces, key=len), pattern, _numbered(english, other), _fixed(english) < _WEAK)


def _numbered(english: str, other: str) -> str:
    """The other text with each place named by its number in the English one."""
    names = _PLACE.findall(english)
    count = iter(range(len(names)))

    def number(match: re.Match[str]) -> str:
        name = match[1]
        if not name:
            return f"{{{next(count)}}}"
        return match[0] if name.isdigit() else f"{{{names.index(name)}}}"

    return _PLACE.sub(number, other)


def _filled(template: str, values: list[str]) -> str:
    return _PLACE.sub(lambda m: values[int(m[1])] if m[1].isdigit() and int(m[1]) < len(values) else m[0], template)


_current: Catalogue | None = None
_language = "en"


@cache
def _catalogue(language: str) -> Catalogue:
    return Catalogue(CATALOGUES / f"{language}.json")


def use(language: str) -> None:
    """Speaks that language from now on: one of LANGUAGES."""
    global _current, _language
    _current = None if language == "en" else _catalogue(language)
    _language = language


def language() -> str:
    """The language in use, "en" at first."""
    return _language


def find(text: str, *sections: str) -> str:
    """The text in the language in use, from the first of these sections of the catalogue that has it; else ""."""
    return _current.find(text, *sections) if _current else ""


def say(text: str, /, **values: object) -> str:
    """A sentence in the language in use, with the values in its places."""
    said = find(text, "sentences") or text
    return said.format(**values) if values else said


def shown(text: str) -> str:
    """A text that was put together in English by a part that knows no other language, in the language in use.

    What the catalogue does not know stays as it is.
    """
    return _current.shown(text) if _current and text else text


def port(name: str) -> str:
    """A port's name in words: "soft edge" for `soft_edge`."""
    return find(name, "ports") or name.replace("_", " ")


def choice(name: str) -> str:
    """One of a port's choices in words, itself when it is none that is known."""
    return find(name, "choices") or name
