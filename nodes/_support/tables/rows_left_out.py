"""What people say of the rows that go: "leave out those who paid", "alle außer Ben", "not (fee > 100)". Must not know
tools, nor how a condition is read.
"""

from __future__ import annotations

import re
from functools import cache

from nodes._support.tables.listed_words import HAN, ListedWords

_LISTED = ListedWords("table_conditions.toml", behind_figures=True)
_DENIED = re.compile(r"\s*not\s*\((?P<goes>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*", re.IGNORECASE)
_SAYS_NOTHING = " \t\n,;:.!?，。；：、"


def apart(condition: str) -> tuple[str, str]:
    """What is said of the rows that stay, and of those of them that go: "all from Leeds", "Dan" of "all from Leeds but
    for Dan". The second is "" where nothing leaves out rows; the first where all others stay.
    """
    if whole := _DENIED.fullmatch(condition):
        return "", whole["goes"].strip()
    return _but(condition) or _by_verb(condition) or (condition, "")


def neither(condition: str) -> str:
    """With "not A and not B" for "neither A nor B"."""
    return _neither().sub(lambda found: f"not {found[1].strip()} and not {found[2].strip()}", condition)


@cache
def _neither() -> re.Pattern[str]:
    first, second = (_LISTED.either(_LISTED.entries("leaves_out", name)) for name in ("neither", "nor"))
    return re.compile(rf"{first}(.+?){second}(.+)", re.IGNORECASE)


def _but(condition: str) -> tuple[str, str] | None:
    found = _LISTED.longest(condition.lower(), _LISTED.entries("leaves_out", "but"))
    if found is None or not (goes := condition[found.end() :].strip(_SAYS_NOTHING)):
        return None
    stays = condition[: found.start()].strip(_SAYS_NOTHING)
    return None if _compares(stays) else ("" if _is_idle(stays) else stays, goes)


def _by_verb(condition: str) -> tuple[str, str] | None:
    """Words that leave out stand before what is said of the rows, or behind it; elsewhere they are looked for."""
    found = _LISTED.longest(condition.lower(), _LISTED.entries("leaves_out", "verbs"))
    if found is None:
        return None
    before, behind = condition[: found.start()], condition[found.end() :]
    if _compares(before) or not (_is_idle(before) or _is_idle(behind)):
        return None
    goes = f"{before} {behind}".strip(_SAYS_NOTHING)
    return ("", _LISTED.without(goes, _LISTED.entries("leaves_out", "around"))) if not _is_idle(goes) else None


def _compares(said: str) -> bool:
    """True where a comparison waits for what it compares with: "note contains"."""
    signs = (entry for entries in _LISTED.tables["signs"].values() for entry in entries)
    ending = rf"(?:{_LISTED.either(tuple(signs))}|[=<>≥≤≠:])\s*$"
    return re.search(ending, said.lower()) is not None


def _is_idle(said: str) -> bool:
    idle = (*_LISTED.entries("idle", "words"), *_LISTED.entries("leaves_out", "around"))
    return not _LISTED.without(said, idle).strip(_SAYS_NOTHING)


def opposite(word: str) -> str:
    """ "paid" of "unpaid"; "" for a word that begins with no such syllable."""
    for entry in _LISTED.entries("leaves_out", "opposites"):
        rest = word[len(entry) :]
        if word.startswith(entry) and len(rest) > 3 and not HAN.search(word):
            return rest
    return ""


def undone(said: str) -> str:
    """With "not" for what somebody still has to do: "not paid" for "have to pay"."""
    must, pay = (_LISTED.either(_LISTED.entries("leaves_out", name)) for name in ("undone", "pay"))
    left = re.sub(must, " not ", said, flags=re.IGNORECASE)
    return said if left == said else re.sub(pay, "paid", left, flags=re.IGNORECASE)
