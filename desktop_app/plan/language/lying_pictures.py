"""How a picture lies, said as the turn that sets it upright: "this photo is lying on its left side, turn it upright" is
"rotate this photo to the right".

Knows no tools; the words are in resources/values.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from desktop_app.plan.language.spelling import Corrected, reworded
from desktop_app.plan.language.word_patterns import BREAKS, any_of, is_quoted, languages_of, lists_of

_NAME = re.compile(r"[\w-]+\.\w{2,4}(?!\w)")
_APART = rf"[\s{BREAKS}–—-]*"
_WAYS = ("left", "right", "over", "side")
"""The side that a picture lies on; its head; one that nobody names."""


@dataclass(frozen=True)
class _Language:
    """`lies` finds what is said of how a thing lies, in a group by the way. `wish` are words of a wish to set it right,
    of which one of the `verbs` is, `turns` the wish that says the same plainly, by the way; `told` are words that say
    how it is to be turned.
    """

    lies: re.Pattern[str]
    before: re.Pattern[str]
    wish: re.Pattern[str]
    later: re.Pattern[str]
    verbs: re.Pattern[str]
    end: re.Pattern[str]
    told: re.Pattern[str]
    thing: str
    turns: Mapping[str, str]


def righted(read: Corrected) -> Corrected:
    """The request, in which a turn stands in the place of how a picture lies; where the words say besides how it is to
    be turned ("it is on its side, turn it by 30 degrees"), only that.
    """
    text = read.request.text.replace("’", "'")
    for language in _languages(text):
        for found in language.lies.finditer(text):
            if (place := _place(found, text, language)) is not None:
                return reworded(read, *place)
    return read


def righted_reply(text: str) -> str:
    """The same of a reply that says no more than how the picture lies: "it is on its left side"."""
    for language in _languages(text):
        found = language.lies.fullmatch(text.replace("’", "'").strip(" .!。！"))
        if found is not None:
            return _turn(found, language)
    return text


def _place(found: re.Match[str], text: str, language: _Language) -> tuple[int, int, str] | None:
    """Where other words have to stand, and which; None where this is nothing that a turn sets right."""
    before = language.before.search(text[: found.start()])
    after = language.wish.match(text, found.end())
    wishes = bool(after and language.verbs.search(after[0])), bool(before and language.verbs.search(before[0]))
    if before is None or is_quoted(found, text) or not (found["thing"] or any(wishes)):
        return None
    if found["which"] and not any(wishes):
        return None  # "blur the photo that is upside down"
    start, end = before.start("said") if wishes[1] else found.start(), found.end()
    turn, rest = _turn(found, language), ""
    if after is not None and wishes[0] and language.end.match(text, after.end()):
        end = after.end("said")
    elif after is not None and wishes[0] and language.told.match(text, after.end()):
        return None if _NAME.search(found[0]) else (found.start(), after.start("said"), "")
    elif (later := _later(text, end, language)) is not None and not wishes[1]:
        rest, end = text[end : later.start()], later.end()
    if found["side"] and language.told.search(text[:start] + text[end:] + rest):
        return None
    gap = " " if text[end - 1 : end] == " " and text[end : end + 1].isalnum() else ""
    return start, end, turn + rest + gap


def _later(text: str, start: int, language: _Language) -> re.Match[str] | None:
    """The wish to set it right behind another one: "make it grey and turn it upright"."""
    for found in language.later.finditer(text, start):
        if language.verbs.search(found[0]) and language.end.match(text, found.end()):
            return found
    return None


def _turn(found: re.Match[str], language: _Language) -> str:
    way = next(way for way in _WAYS if found[way])
    return language.turns[way].replace("{}", (found["named"] or "").strip() or language.thing)


def _languages(text: str) -> Iterator[_Language]:
    return map(_language, languages_of(text, "lying"))


@cache
def _language(name: str) -> _Language:
    data = lists_of("lying")[name]
    lies = {way: any_of(data["leans"].replace("{}", data[way]), data) for way in ("left", "right")}
    lies |= {way: any_of(data[way], data) for way in ("over", "side")}
    ways = "|".join(f"(?P<{way}>{pattern})" for way, pattern in lies.items())
    joints = any_of(data["joints"], data)
    thing = rf"(?P<thing>(?P<named>{_NAME.pattern}|{any_of(data['things'], data)})|{any_of(data['pronouns'], data)})"
    words = rf"(?:(?>{any_of('<verbs>, <words>, <things>', data)})[\s-]*+)++"
    turns = {way: data[f"turn_{way}"] for way in _WAYS}
    return _Language(
        lies=_compiled(rf"(?:{thing}{_APART})?(?P<which>(?:{joints})\s*)?(?:{ways})"),
        before=_compiled(rf"(?:^|[{BREAKS}]|{joints})\s*(?P<said>{words})?{_APART}(?:(?:{joints})\s*)?$"),
        wish=_compiled(rf"{_APART}(?P<said>{words})"),
        later=_compiled(rf"(?:\s*[{BREAKS}]|\s+(?={joints})|(?={joints}))\s*(?:(?:{joints})\s*)?{words}"),
        verbs=_compiled(any_of(data["verbs"], data)),
        end=_compiled(rf"\s*(?:[{BREAKS}]|$|{joints})"),
        told=_compiled(any_of(data["told"], data)),
        thing=data["it"],
        turns=turns,
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
