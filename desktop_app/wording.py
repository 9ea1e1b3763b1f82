"""The language of what the user reads, for the parts that know no Qt: sentences, and texts written in English below.

Everything is written in English; a catalogue in resources/translations turns it into the language in use. Must not
know who says what. Catalogues: a JSON object of sections, each from the English text to the other one. `{name}` and
`{}` stand for what varies. `python -m tests.translations` lists what a catalogue lacks.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from desktop_app.paths import RESOURCES

CATALOGUES = RESOURCES / "translations"
LANGUAGES = ("en", "zh")
_PLACE = re.compile(r"\{(\w*)\}")
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|\n+")
_ARROW = " → "
_DEEPEST = 4
"""So deep values within values are looked up."""


class Catalogue:
    """The texts of one language. Immutable after construction, but for what it remembers of texts it was asked."""

    def __init__(self, path: Path) -> None:
        self._sections: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))
        self._known: dict[str, str] = {}
        self._templates: list[tuple[re.Pattern[str], str]] | None = None

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
            found = self._known[text] = self._whole(text) or self._in_parts(text)
        return found

    def _whole(self, text: str, depth: int = 0) -> str:
        """The whole text, "" when it is not known. A title in the middle of a sentence begins with a small letter."""
        plain = text.strip()
        for one in (plain, plain[:1].upper() + plain[1:]):
            found = self.find(one, "messages", "sentences", "tools", "descriptions", "docs", "backends", "ports")
            if found:
                return found
        if _ARROW in plain:
            return _ARROW.join(self._value(part, depth) for part in plain.rstrip(".").split(_ARROW)) + "。"
        if depth < _DEEPEST and " " in plain:
            for pattern, wanted in self._patterns():
                match = pattern.fullmatch(plain)
                if match:
                    return _filled(wanted, [self._value(value, depth + 1) for value in match.groups()])
        return ""

    def _value(self, value: str, depth: int) -> str:
        return self._whole(value, depth) or value

    def _in_parts(self, text: str) -> str:
        """Sentence by sentence, the longest that are known together first."""
        if " " not in text:
            return text
        marks = [0, *(m.end() for m in _SENTENCES.finditer(text)), len(text)]
        said, at = "", 0
        while at < len(marks) - 1:
            for end in range(len(marks) - 1, at, -1):
                part = text[marks[at] : marks[end]]
                found = self._whole(part) if part.strip() else ""
                if found:
                    gap = part[len(part.rstrip()) :]
                    said += found + ("" if found[-1:] in "。：；？！" and "\n" not in gap else gap)
                    break
            else:
                end = at + 1
                said += text[marks[at] : marks[end]]
            at = end
        return said

    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """The templates as expressions, those with the most fixed letters first."""
        if self._templates is None:
            both = {**self._sections.get("sentences", {}), **self._sections.get("messages", {})}
            held = [(english, other) for english, other in both.items() if _PLACE.search(english)]
            held.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
            self._templates = [(_expression(english), _numbered(english, other)) for english, other in held]
        return self._templates


def _expression(template: str) -> re.Pattern[str]:
    pieces = _PLACE.split(template)[::2]
    return re.compile("(.+?)".join(map(re.escape, pieces)), re.DOTALL)


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


def say(text: str, **values: object) -> str:
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
