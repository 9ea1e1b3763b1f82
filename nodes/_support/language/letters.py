"""Letters: where they begin and end, what they ask for, and the words of an e-mail. Must not know tools.

The words are data (resources/languages/letters.toml), in five languages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from nodes._support.language.languages import FOLDER

_HEAD_LINES, _LONGEST_GREETING = 25, 70
_SUBJECT_LETTERS = 120


def is_letter(text: str) -> bool:
    """True where a line of greeting stands at its head."""
    return _greeting(text.split("\n")) is not None


def body(text: str) -> str:
    """What a letter says: without its head, its greeting, and how it ends; a text that is none as it is."""
    lines = text.split("\n")
    first = _greeting(lines)
    if first is None:
        return text
    rest = lines[first + 1 :]
    end = next((n for n, line in enumerate(rest) if _pattern("ends").match(line)), len(rest))
    return "\n".join(rest[:end]).strip() or text


def subject(text: str) -> str:
    """What a letter says that it is about, on a line of its own; "" for none."""
    for line in text.split("\n")[:_HEAD_LINES]:
        found = _pattern("subject", r"\s*[.:：]\s*(?P<rest>\S.*)$").match(line)
        if found and len(line) < _SUBJECT_LETTERS:
            return found["rest"].strip()
    return ""


def asks(sentence: str) -> bool:
    """True where a sentence asks its reader to do something."""
    return bool(_pattern("asks", within=True).search(sentence))


def only_thanks(sentence: str) -> bool:
    """True where a sentence thanks for what was received, as the first of a letter does."""
    return bool(_pattern("thanks").match(sentence))


def as_email(subject: str, text: str, language: str) -> str:
    """An e-mail with this subject and body, in the language, or English where its words are not known."""
    head, greeting, end = _listed("email").get(language, _listed("email")["en"]).split("|")
    return "\n\n".join((head.format(subject=subject), greeting, text, end))


def adverbs(language: str) -> frozenset[str]:
    """Words that name no subject, beside the function words."""
    return frozenset(_listed("adverbs").get(language, "").split())


@cache
def calendar_names(language: str) -> frozenset[str]:
    """The months and the days of the week, in small letters."""
    resources = FOLDER.parent
    months = tomllib.loads((resources / "numerals.toml").read_text("utf-8")).get(language, {}).get("months", "")
    days = tomllib.loads((resources / "table_questions.toml").read_text("utf-8"))["weekdays"].get(language, "")
    return frozenset(name.strip() for name in f"{months},{days}".split(",") if name.strip())


def _greeting(lines: list[str]) -> int | None:
    for number, line in enumerate(lines[:_HEAD_LINES]):
        words = line.strip()
        if (
            len(words) <= _LONGEST_GREETING
            and words.endswith((",", "!", ":", "，", "："))
            and _pattern("begins").match(words)
        ):
            return number
    return None


@cache
def _pattern(kind: str, then: str = "", within: bool = False) -> re.Pattern[str]:
    """Any of the words of a kind, in all languages, at the beginning or, with `within`, anywhere."""
    entries = [entry.strip() for entries in _listed(kind).values() for entry in entries.split(",")]
    forms = "|".join(
        re.escape(entry) + ("" if entry >= "\u3000" else r"(?!\w)") for entry in sorted(entries, key=len, reverse=True)
    )
    before = r"(?<![a-zA-Z])" if within else r"^\W*"
    return re.compile(f"{before}(?:{forms}){then}", re.IGNORECASE)


@cache
def _listed(kind: str) -> Mapping[str, str]:
    return tomllib.loads((FOLDER / "letters.toml").read_text("utf-8"))[kind]
