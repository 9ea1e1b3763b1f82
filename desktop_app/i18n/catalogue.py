"""The language of what the user reads, for the parts that know no Qt: phrases, and declared names, in other languages.

Everything is written in English; a catalogue in resources/translations turns it into the language in use. Must not
know who says what. Catalogues: a JSON object of sections, each from the English template to the other one; `{name}`
stands for what varies. What the chat says stands in answers.json, in all languages side by side; what else a window in
Chinese says in zh.json. `python -m tests.translations` lists what a catalogue lacks.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

from desktop_app.core.paths import RESOURCES
from nodes.phrase import LIST, SPELLED, Phrase, filled

_Said = TypeVar("_Said")
CATALOGUES = RESOURCES / "translations"
LANGUAGES = ("en", "zh")
"""Those of the whole window."""
_CLOSED = "。：；？！"
_CLAUSE = re.compile("[，。：；（]")
_MESSAGES = ("messages", "sentences", "window")
_CAUSES = frozenset(("error", "why", "detail"))
"""The places in which may stand what a library said, which is English."""
_QUOTED = "the program says “{text}”"
_WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


def sections_of(language: str) -> dict[str, dict[str, str]]:
    """By section, and by the English template, what is said in that language."""
    held: dict[str, Any] = json.loads((CATALOGUES / "answers.json").read_text("utf-8"))
    place = held.pop("languages").index(language)
    found = {
        section: {template: said[place] for template, said in texts.items() if said[place]}
        for section, texts in held.items()
    }
    own = CATALOGUES / f"{language}.json"
    rest: dict[str, dict[str, str]] = json.loads(own.read_text("utf-8")) if own.exists() else {}
    return {section: found.get(section, {}) | rest.get(section, {}) for section in {**found, **rest}}


class Catalogue:
    """The texts of one language. Immutable after construction."""

    def __init__(self, language: str) -> None:
        self._sections = sections_of(language)
        self.language = language

    def find(self, text: str, *sections: str) -> str:
        """The text in the first of these sections that has it (of "window" and "sentences" by default), or ""."""
        for section in sections or ("window", "sentences"):
            found = self._sections.get(section, {}).get(text)
            if found:
                return found
        return ""

    def translated(self, text: str) -> str:
        """The phrase, or the whole sentence without values, in this language; else as it is."""
        phrase = Phrase.of(text)
        values = {name: self._value(name, value) for name, value in phrase.values.items()}
        if phrase.section == LIST:
            return self._joined(phrase.template, list(values.values()))
        found = self.find(phrase.template, *(_MESSAGES if phrase.section == "messages" else (phrase.section,)))
        if not found and any(map(str.isalpha, re.sub(r"\{\w+\}", "", phrase.template))):
            return str(text)
        spelled = values.pop(SPELLED, "")
        said = filled(found or phrase.template, values)
        if spelled and phrase.section in ("descriptions", "docs"):  # it is the first clause
            return _CLAUSE.split(said, maxsplit=1)[0]
        return said.rstrip("。.") if spelled and phrase.section == "messages" else said

    def _value(self, name: str, value: str) -> str:
        """What stands in a place: a phrase in this language; a sentence of a library, as something that is quoted."""
        if isinstance(value, Phrase):
            return self.translated(value)
        return self.translated(Phrase(_QUOTED, text=value)) if name in _CAUSES and _WORDS.search(value) else value

    def _joined(self, separator: str, said: list[str]) -> str:
        """What stands one after the other. A closing mark of this language wants no space after it."""
        between = self.find(separator, "sentences") or separator
        text = said[0] if said else ""
        for one in said[1:]:
            text += one if separator == " " and text[-1:] in _CLOSED else between + one
        return text


_language = "en"
_spoken: ContextVar[str] = ContextVar("spoken", default="")


@cache
def _catalogue(language: str) -> Catalogue:
    return Catalogue(language)


def use(language: str) -> None:
    """Speaks that language from now on: one of LANGUAGES."""
    global _language
    _language = language


def language() -> str:
    """The language in use, "en" at first."""
    return _spoken.get() or _language


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speaks that language within, "" the one in use, in this task and in threads that it waits for; the window goes on
    in its own.
    """
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken(method: Callable[..., _Said]) -> Callable[..., _Said]:
    """A method that is said in the `language` of its object, "" the one in use."""

    @functools.wraps(method)
    def said(self: Any, *arguments: Any, **named: Any) -> _Said:
        with speaking(self.language):
            return method(self, *arguments, **named)

    return said


def _used() -> Catalogue | None:
    return None if language() == "en" else _catalogue(language())


def find(text: str, *sections: str) -> str:
    """The text in the language in use, from the first of these sections of the catalogue that has it; else ""."""
    used = _used()
    return used.find(text, *sections) if used else ""


def say(text: str, /, **values: object) -> str:
    """A sentence in the language in use, with the values in its places."""
    return translated(Phrase(text, **values))


def translated(text: str) -> str:
    """A phrase in the language in use, its values too; a sentence without values where it is known; else as it is."""
    used = _used()
    return used.translated(text) if used and text else str(text)


def port(name: str) -> str:
    """A port's name in words: "soft edge" for `soft_edge`."""
    return find(name, "ports") or name.replace("_", " ")


def choice(name: str) -> str:
    """One of a port's choices in words, itself when it is none that is known."""
    return find(name, "choices") or name
