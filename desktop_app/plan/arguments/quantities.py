"""Numbers in a request, as typed quantities: value, unit, and how they are meant (range, size, part, change)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_app.plan.arguments.value_tables import Word, read_words, tables

MOST = 40
"""Quantities that are read from one request."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit. Words `first` to `last` of the request carry it, `at` is the word of its figures.

    `unit` is one of resources/values.toml ("s", "px", "x" for a factor) or empty. `role` is "start" or "end" in a
    range, "width" or "height" in a size, else empty. `bound` is first, last, after, before, from or until, where such
    a word stands before it. `signed` is true when a sign was written; `spelled` when the number is a word, and `one`
    for "a", "one", which may be mere articles.
    """

    value: float
    unit: str
    first: int
    last: int
    at: int
    role: str = ""
    bound: str = ""
    signed: bool = False
    spelled: bool = False
    one: bool = False


@lru_cache(maxsize=256)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a request in the order of the text."""
    words = read_words(text)
    found: list[Quantity] = []
    place = 0
    while place < len(words) and len(found) < MOST:
        quantity = _amount(words, place, found[-1].last + 1 if found else 0)
        if quantity is not None:
            found.append(quantity)
        place = quantity.last + 1 if quantity else place + 1
    return tuple(_bounded(words, q) for q in _paired(words, found))


def _amount(words: Sequence[Word], place: int, start: int) -> Quantity | None:
    """The quantity whose figures are at this word; words before `start` belong to another one."""
    word = words[place]
    if word.kind == "number":
        if _is_name(words, place):
            return None
        return _with_unit(words, _signed(words, _figure(words, place)), start)
    if word.kind == "time":
        return Quantity(_seconds(word.text), "s", place, place, place)
    if word.kind != "word":
        return None
    return _part(words, place) or _numeral(words, place, start) or _single(words, place)


def _is_name(words: Sequence[Word], place: int) -> bool:
    """ "4k", "2nd": letters that are no unit stand right behind the figures."""
    after = words[place + 1] if place + 1 < len(words) else None
    if after is None or after.kind != "word" or after.start != words[place].end or not after.text.isascii():
        return False
    return after.text != "x" and tables().units.at(words, place + 1) is None


def _figure(words: Sequence[Word], place: int) -> Quantity:
    text = words[place].text
    parts = text.replace("'", ",").split(",")
    thousands = len(parts) > 1 and all(len(part) == 3 for part in parts[1:]) and parts[0] != "0"
    value = float("".join(parts) if thousands else text.replace(",", "."))
    after = [w.text for w in words[place + 1 : place + 4]]
    if after[:1] == ["/"] and place + 2 < len(words) and words[place + 2].kind == "number" and text.isdigit():
        below = float(words[place + 2].text.replace(",", "."))
        return Quantity(value / below if below else value, "x", place, place + 2, place)
    if after == ["and", "a", "half"]:
        return Quantity(value + 0.5, "", place, place + 3, place)
    return Quantity(value, "", place, place, place)


def _signed(words: Sequence[Word], quantity: Quantity) -> Quantity:
    place = quantity.first
    before = words[place - 1] if place else None
    if before is None:
        return quantity
    close = before.kind == "sign" and before.end == words[place].start and before.text in "-−+"
    joined = close and place > 1 and words[place - 2].end == before.start and words[place - 2].kind != "break"
    if (close and not joined) or before.text in ("minus", "negative", "moins", "menos"):
        factor = 1 if before.text == "+" else -1
        return replace(quantity, value=factor * quantity.value, first=place - 1, signed=True)
    return quantity


def _with_unit(words: Sequence[Word], quantity: Quantity, start: int) -> Quantity:
    """The quantity with the unit that follows, or the one before it: "second 40"."""
    bound = tables().bounds.at(words, quantity.last + 1)
    if bound and bound[0] in ("first", "last"):  # "les 5 premières secondes"
        after = tables().units.at(words, quantity.last + 1 + bound[1])
        if after:
            (unit, size), length = after
            last = quantity.last + bound[1] + length
            return replace(quantity, value=quantity.value * size, unit=unit, last=last, bound=bound[0])
    after = tables().units.at(words, quantity.last + 1)
    if after and not _is_size(words, quantity.last + 1):
        (unit, size), length = after
        return replace(quantity, value=quantity.value * size, unit=unit, last=quantity.last + length)
    before = tables().units.at(words, quantity.first - 1) if quantity.first > start else None
    if before and not quantity.unit and before[0][0] == "s" and len(words[quantity.first - 1].text) > 2:
        (unit, size), _ = before
        return replace(quantity, value=quantity.value * size, unit=unit, first=quantity.first - 1)
    return quantity


def _is_size(words: Sequence[Word], place: int) -> bool:
    """ "1280 x 720": the x is no unit."""
    return words[place].text in ("x", "×", "mal") and place + 1 < len(words) and words[place + 1].kind == "number"


def _numeral(words: Sequence[Word], place: int, start: int) -> Quantity | None:
    hit = tables().numerals.at(words, place) or _chinese(words, place)
    if hit is None:
        return None
    value, length = hit
    ones_at = place + length + (place + length < len(words) and words[place + length].text == "-")
    ones = tables().numerals.at(words, ones_at) if value in range(20, 100, 10) else None
    if ones and 0 < ones[0] < 10:
        value, length = value + ones[0], ones_at + ones[1] - place
    if [w.text for w in words[place + length : place + length + 3]] == ["and", "a", "half"]:
        value, length = value + 0.5, length + 3
    found = Quantity(value, "", place, place + length - 1, place, spelled=True, one=value == 1)
    return _with_unit(words, _signed(words, found), start)


_DIGITS = {c: float(n) for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2.0}
_COUNTERS = frozenset("个句张段页秒分倍度次条点种行列帧级块字词项篇份成半小像")


def _chinese(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """Chinese figures up to 99, when a counting word follows them."""
    end = place
    while end < len(words) and words[end].text in _DIGITS and words[end].text != "零":
        end += 1
    if end == place or end >= len(words) or words[end].text not in _COUNTERS:
        return None
    run = "".join(w.text for w in words[place:end])
    tens, mark, ones = run.partition("十")
    low, high = _DIGITS.get(ones, 0.0), _DIGITS.get(tens, 1.0)
    return (high * 10 + low if mark else _DIGITS[run[0]]), end - place


def _part(words: Sequence[Word], place: int) -> Quantity | None:
    """ "half", "a quarter", "twice": a factor, or a part of a unit: "half a second"."""
    hit = tables().factors.at(words, place)
    if hit is None or tables().units.at(words, place):
        return None  # "half tones" are a unit
    value, length = hit
    unit_at = place + length + (place + length < len(words) and words[place + length].text in ("a", "an", "of", "une"))
    unit = tables().units.at(words, unit_at)
    if unit and unit[0][0] not in ("x", "%"):
        (name, size), more = unit
        return Quantity(value * size, name, place, unit_at + more - 1, place, spelled=True)
    return Quantity(value, "x", place, place + length - 1, place, spelled=True)


def _single(words: Sequence[Word], place: int) -> Quantity | None:
    """ "a minute", "an octave", "the first minute": one of a larger unit."""
    if words[place].text not in ("a", "an") and tables().bounds.at(words, place) is None:
        return None
    unit = tables().units.at(words, place + 1)
    if unit is None or unit[0][1] == 1 or len(words[place + 1].text) < 4:
        return None
    (name, size), length = unit
    first = place + 1 if words[place].text not in ("a", "an") else place
    return Quantity(size, name, first, place + length, place + 1, spelled=True)


def _seconds(text: str) -> float:
    total = 0.0
    for part in text.replace(",", ".").split(":"):
        total = 60 * total + float(part)
    return total


def _paired(words: Sequence[Word], found: Sequence[Quantity]) -> list[Quantity]:
    """Ranges and sizes: two quantities with a joint between them."""
    result = list(found)
    for place in range(len(result) - 1):
        one, other = result[place], result[place + 1]
        joint = [w.text for w in words[one.last + 1 : other.first] if w.text not in ("the", "page", "second")]
        if other.signed and not joint and words[other.first].text == "-":
            joint = ["-"]
        roles = _roles(words, one, joint)
        if roles is None or one.role:
            continue
        unit = one.unit or other.unit
        factor = _factor(words, other) if not one.unit and other.unit else 1.0
        last = replace(other, role=roles[1], unit=other.unit or unit)
        end = other.first - 1 if roles[0] == "width" else one.last  # the x of "300x200" names no port
        result[place] = replace(one, role=roles[0], unit=unit, value=one.value * factor, last=end)
        result[place + 1] = last
    return result


def _factor(words: Sequence[Word], quantity: Quantity) -> float:
    """How many of its unit one of the written unit is: 60 for "3 minutes"."""
    for place in range(quantity.at + 1, quantity.last + 1):
        hit = tables().units.at(words, place)
        if hit:
            return hit[0][1]
    return 1.0


def _roles(words: Sequence[Word], one: Quantity, joint: Sequence[str]) -> tuple[str, str] | None:
    joints = tables().joints
    if len(joint) != 1:
        return None
    before = [w.text for w in words[max(0, one.first - 2) : one.first]]
    if joint[0] in joints["between"]:
        return ("start", "end") if any(w in joints["opens_between"] for w in before) else None
    if joint[0] in joints["by"] and one.unit in ("", "px"):
        return "width", "height"
    return ("start", "end") if joint[0] in joints["range"] else None


def _bounded(words: Sequence[Word], quantity: Quantity) -> Quantity:
    """With the word before it that makes it a limit: "the first 5 seconds", "after 1:30"."""
    if quantity.role or quantity.bound:
        return quantity
    place = quantity.first
    while place and words[place - 1].text in ("the", "about", "den", "die", "der", "les", "la", "le", "los", "las"):
        place -= 1
    hit = tables().bounds.before(words, place)
    return replace(quantity, bound=hit[0]) if hit else quantity
