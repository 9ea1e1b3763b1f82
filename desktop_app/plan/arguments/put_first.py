""" "The third one first": in which order files go that are not named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from desktop_app.plan.arguments.number_words import chinese_at
from desktop_app.plan.arguments.value_tables import Phrases, Word, read_words, tables
from desktop_app.plan.types import Request

_FIRST, _LAST = "put first", -1


def with_one_first(request: Request) -> Request:
    """The request whose files are in the order that it says, without the words for that; the same object where a file
    is named, where something was said before, and where no such words stand for themselves.
    """
    words, files = read_words(request.text), list(request.resources)
    if request.history or len(files) < 2 or any(word.kind == "hole" for word in words):
        return request
    type = Counter(file.type for file in files).most_common(1)[0][0]
    alike = [file for file in files if file.type == type]
    for place in range(len(words)):
        found = _said_first(words, place)
        if found is None or not (found[0] == _LAST or found[0] <= len(alike)) or len(alike) < 2:
            continue
        number, first, last = found
        chosen = alike[number if number == _LAST else number - 1]
        rest = [file for file in files if file is not chosen]
        return replace(request, text=_without(request.text, words, first, last), resources=(chosen, *rest))
    return request


def _said_first(words: Sequence[Word], place: int) -> tuple[int, int, int] | None:
    """Which one is put first by the ordinal at this place, and the first and last word that say so."""
    hit = _ordinal(words, place)
    if hit is None:
        return None
    small, joints = tables().small, tables().joints["further"]
    end = place + hit[1]
    while end < len(words) and words[end].text in small["one_file"] | small["coming"] and not _at_first(words, end):
        end += 1
    phrase = _at_first(words, end)
    after = end + phrase
    while after < len(words) and words[after].text in small["coming"]:
        after += 1
    closed = after >= len(words) or words[after].kind == "break" or words[after].text in joints
    first = place - (place > 0 and words[place - 1].text in small["determiner"])
    put = first > 0 and words[first - 1].text in small["putting"]
    first -= put
    opened = put or not first or words[first - 1].kind == "break" or words[first - 1].text in joints
    return (hit[0], first, after - 1) if phrase and closed and opened else None


def _ordinal(words: Sequence[Word], place: int) -> tuple[int, int] | None:
    """The number of an ordinal from the second on, -1 for the last, and of how many words it is."""
    bound, hit = tables().bounds.at(words, place), tables().ordinals.at(words, place)
    if bound and bound[0] == "last":
        return _LAST, bound[1]
    if words[place].text == "第":
        figure = chinese_at(words, place + 1) if place + 1 < len(words) else None
        return (int(figure[0]), 1 + figure[1]) if figure and figure[0] > 1 else None
    return (int(hit[0]), hit[1]) if hit else None


def _at_first(words: Sequence[Word], place: int) -> int:
    """Of how many words the phrase for the first place is that stands there; 0 for none."""
    found = _firsts().at(words, place)
    return found[1] if found else 0


@cache
def _firsts() -> Phrases:
    return Phrases((phrase, _FIRST) for phrase in tables().small[_FIRST])


def _without(text: str, words: Sequence[Word], first: int, last: int) -> str:
    """The text without these words and what joined them to the others."""
    joints = tables().joints["further"]
    while first and (words[first - 1].text in joints or words[first - 1].kind == "break"):
        first -= 1
    if not first:
        while last + 1 < len(words) and (words[last + 1].text in joints or words[last + 1].kind == "break"):
            last += 1
    return (text[: words[first].start].rstrip() + text[words[last].end :]).strip()
