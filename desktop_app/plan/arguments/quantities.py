"""Numbers in a request, as typed quantities: value, unit, and how they are meant (range, size, part, change)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_app.plan.arguments.number_words import chinese_at, number_at, part_at
from desktop_app.plan.arguments.value_tables import Word, read_words, tables

MOST = 40
"""Quantities that are read from one request."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit. Words `first` to `last` of the request carry it, `at` is the word of its figures.

    `unit` is one of resources/values.toml ("s", "px", "x" for a factor) or empty. `role` is "start" or "end" in a
    range, "width" or "height" in a size, else empty. `bound` is first, last, after, before, from or until, where such
    a word stands before it, `bound_at` its place. `signed` is true when a sign was written; `spelled` when the number
    is a word, and `one` for "a", "one", which may be mere articles.
    """

    value: float
    unit: str
    first: int
    last: int
    at: int
    role: str = ""
    bound: str = ""
    bound_at: int = -1
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
            if found and found[-1].one and not found[-1].unit and found[-1].last + 1 == quantity.first:
                found.pop()  # "une demi-seconde": the article
            found.append(quantity)
        place = quantity.last + 1 if quantity else place + 1
    return tuple(_spanned(words, [_bounded(words, q) for q in _paired(words, found)]))


def _amount(words: Sequence[Word], place: int, start: int) -> Quantity | None:
    """The quantity whose figures are at this word; words before `start` belong to another one."""
    word = words[place]
    if height := tables().heights.at(words, place):
        return Quantity(height[0], "px", place, place + height[1] - 1, place, role="height")
    if word.kind == "number":
        ordinal = _ordinal(words, place)
        if ordinal is not None or _is_name(words, place):
            return ordinal
        return _further(words, _with_unit(words, _signed(words, _figure(words, place)), start))
    if word.kind == "time":
        return Quantity(_seconds(word.text), "s", place, place, place)
    if word.kind != "word":
        return None
    found = _percent(words, place) or _part(words, place) or _ordinal(words, place)
    found = found or _numeral(words, place, start) or _single(words, place)
    return None if found is None else _further(words, found)


def _is_name(words: Sequence[Word], place: int) -> bool:
    """ "4k", "2nd": letters that are no unit stand right behind the figures."""
    after = words[place + 1] if place + 1 < len(words) else None
    if after is None or after.kind != "word" or after.start != words[place].end or not after.text.isascii():
        return False
    if after.text == "k":
        return float(words[place].text.replace(",", ".")) < 10
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
    larger = tables().numerals.at(words, place + 1)
    if larger and larger[0] >= 1000:
        return Quantity(value * larger[0], "", place, place + larger[1], place)
    below = tables().parts.at(words, place + 1)
    if below and value <= 20 and not after[0].endswith(("th", "ird", "d")):  # "3 quarters"
        return _of_unit(words, Quantity(value / below[0], "x", place, place + below[1], place))
    return _with_added(words, Quantity(value, "", place, place, place))


def _with_added(words: Sequence[Word], quantity: Quantity, unit: float = 1.0) -> Quantity:
    """ "two and a half"; after a unit, of the unit: "a minute and a quarter"."""
    added = tables().added.at(words, quantity.last + 1)
    if added is None or quantity.unit == "x" or quantity.role:
        return quantity
    return replace(quantity, value=quantity.value + added[0] * unit, last=quantity.last + added[1])


def _signed(words: Sequence[Word], quantity: Quantity) -> Quantity:
    place = quantity.first
    before = words[place - 1] if place else None
    if before is None:
        return quantity
    close = before.kind == "sign" and before.end == words[place].start and before.text in "-−+"
    joined = close and place > 1 and words[place - 2].end == before.start and words[place - 2].kind != "break"
    at_least = place > 1 and words[place - 2].text in ("au", "al", "lo", "de")  # "au moins mille"
    if (close and not joined) or (not at_least and before.text in ("minus", "negative", "moins", "menos", "plus")):
        factor = 1 if before.text in ("+", "plus") else -1
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
            return replace(
                quantity, value=quantity.value * size, unit=unit, last=last, bound=bound[0], bound_at=quantity.first
            )
    after = tables().units.at(words, quantity.last + 1)
    if after and not _is_size(words, quantity.last + 1):
        (unit, size), length = after
        return replace(quantity, value=quantity.value * size, unit=unit, last=quantity.last + length)
    before = tables().units.at(words, quantity.first - 1) if quantity.first > start else None
    if before and before[0][0] == "x" and _is_prefix(words, quantity.first - 1):
        return replace(quantity, unit="x", first=quantity.first - 1)  # "x4"
    if before and not quantity.unit and before[0][0] == "s" and len(words[quantity.first - 1].text) > 2:
        (unit, size), _ = before
        return replace(quantity, value=quantity.value * size, unit=unit, first=quantity.first - 1)
    return quantity


def _is_prefix(words: Sequence[Word], place: int) -> bool:
    """The x of "x4", not that of "300x200"."""
    close = words[place].end == words[place + 1].start
    return close and (place == 0 or words[place - 1].end != words[place].start)


def _is_size(words: Sequence[Word], place: int) -> bool:
    """ "1280 x 720": the x is no unit."""
    return words[place].text in ("x", "×", "mal") and place + 1 < len(words) and words[place + 1].kind == "number"


_TIMES = (1.0, 60.0, 3600.0)


def _further(words: Sequence[Word], quantity: Quantity) -> Quantity:
    """ "one minute twenty", "2 h 10 min", "a second and a half": what follows a unit belongs to it."""
    size = _factor(words, quantity)
    if not quantity.unit or quantity.unit in ("x", "%"):
        return quantity
    grown = _with_added(words, quantity, size)
    if grown is not quantity or quantity.unit != "s" or size not in _TIMES[1:]:
        return grown
    place = quantity.last + 1
    joined = place < len(words) and words[place].text in ("and", "und", "et", "y", "con", "零")
    start = place + joined
    rest = _amount(words, start, start) if start < len(words) else None
    if rest is None or rest.first != start or not 0 < rest.value < size or (rest.one and not rest.unit):
        return quantity
    ends = rest.last + 1 >= len(words) or words[rest.last + 1].kind != "word" or _is_small(words[rest.last + 1])
    if (rest.unit == "s" and _factor(words, rest) < size) or (not rest.unit and ends and not joined):
        worth = 1.0 if rest.unit else size / 60
        return replace(quantity, value=quantity.value + rest.value * worth, last=rest.last)
    return quantity


def _is_small(word: Word) -> bool:
    joints = tables().joints
    return word.text in tables().small["glue"] | joints["further"] | joints["range"] or not word.text.isascii()


_POINTS = frozenset(("point", "komma", "virgule", "coma"))


def _numeral(words: Sequence[Word], place: int, start: int) -> Quantity | None:
    hit = number_at(words, place)
    if hit is None:
        return None
    value, length = hit
    point = words[place + length].text if place + length < len(words) else ""
    after = number_at(words, place + length + 1) if point in _POINTS else None
    if after and after[0] < 10:
        value, length = value + after[0] / 10, length + 1 + after[1]
    found = Quantity(value, "", place, place + length - 1, place, spelled=True, one=value == 1)
    return _with_unit(words, _signed(words, _with_added(words, found)), start)


def _percent(words: Sequence[Word], place: int) -> Quantity | None:
    """百分之八."""
    if [w.text for w in words[place : place + 3]] != ["百", "分", "之"] or place + 3 >= len(words):
        return None
    if words[place + 3].kind == "number":
        figure = _figure(words, place + 3)
        return Quantity(figure.value, "%", place, figure.last, place + 3)
    hit = chinese_at(words, place + 3)
    return Quantity(hit[0], "%", place, place + 2 + hit[1], place + 3, spelled=True) if hit else None


_ORDINAL_ENDS = ("st", "nd", "rd", "th", "e", "er", "ère", "ème", "ième", "º", "ª")


def _ordinal(words: Sequence[Word], place: int) -> Quantity | None:
    """ "the third second", "20e seconde", "von der zweiten bis zur dritten Minute": a time."""
    hit = _order(words, place)
    if hit is None:
        return None
    value, end = hit
    unit = tables().units.at(words, end)
    last = end + unit[1] - 1 if unit else 0
    if unit is None:  # the unit follows the end of the range
        small = tables().small["determiner"] | {"zur", "zum", "bis", "à", "al"}
        other = end
        while other < len(words) and other < end + 3 and words[other].text in small | tables().joints["range"]:
            other += 1
        later = _order(words, other) if other > end else None
        unit, last = (tables().units.at(words, later[1]) if later else None), end - 1
    elif len(words[last].text) < 3:
        return None
    if unit is None or unit[0][0] != "s" or unit[0][1] not in _TIMES:
        return None
    return Quantity(value * unit[0][1], "s", place, last, place, spelled=True)


def _order(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    if place < len(words) and words[place].kind == "number" and words[place].text.isdigit() and place + 1 < len(words):
        if words[place + 1].start == words[place].end and words[place + 1].text in (*_ORDINAL_ENDS, "."):
            return float(words[place].text), place + 2
        return None
    hit = tables().ordinals.at(words, place)
    return (hit[0], place + hit[1]) if hit else None


def _part(words: Sequence[Word], place: int) -> Quantity | None:
    """ "half", "a third", "twice", 八成: a factor, or a part of a unit: "half a second"."""
    if tables().units.at(words, place):
        return None  # "half tones" are a unit
    small = words[place].text == "半"
    hit = (0.5, 1) if small else part_at(words, place) or tables().factors.at(words, place)
    if hit is None:
        bare = tables().parts.at(words, place)
        after = [w.text for w in words[place + 1 : place + 2]]
        hit, small = bare, True
        if bare is None or (after != ["of"] and not words[place].text.endswith("tel")):
            return None
        hit = 1 / bare[0], bare[1]
    value, length = hit
    found = Quantity(value, "x", place, place + length - 1, place, spelled=True)
    of_unit = _of_unit(words, found)
    return None if small and of_unit is found else of_unit


def _of_unit(words: Sequence[Word], part: Quantity) -> Quantity:
    """ "half a minute", "a quarter of an hour", "half a dozen": the part of what follows."""
    place = part.last + 1
    while place < min(len(words), part.last + 4) and words[place].text in _OF:
        place += 1
    unit = tables().units.at(words, place)
    if unit and unit[0][0] not in ("x", "%"):
        value = round(part.value * unit[0][1], 2)
        return replace(part, value=value, unit=unit[0][0], last=place + unit[1] - 1)
    many = number_at(words, place)
    if many and many[0] >= 10 and part.value < 1 and (part.last + 1 < place or many[0] == 12):
        found = replace(part, value=part.value * many[0], unit="", last=place + many[1] - 1)
        return _with_unit(words, found, found.first)
    return part


_OF = frozenset(("a", "an", "of", "de", "d'une", "d'un", "une", "un", "-", "the", "einer", "个"))


def _single(words: Sequence[Word], place: int) -> Quantity | None:
    """ "a minute", "an octave", "the first minute": one of a larger unit."""
    article = words[place].text in ("a", "an")
    bound = tables().bounds.at(words, place)
    unit = tables().units.at(words, place + 1)
    more = unit and tables().added.at(words, place + 1 + unit[1])
    opened = article or (bound and bound[0] in ("first", "last")) or (more and words[place].text in _DEFINITE)
    opened = opened or words[place].text in tables().small["whole"]
    written = unit is not None and (len(words[place + 1].text) > 3 or not words[place + 1].text.isascii())
    moment = bound and bound[0] in ("first", "last") and unit and unit[0][0] == "s"
    if unit is None or not opened or not written or (unit[0][1] == 1 and not (more or moment)):
        return None
    (name, size), length = unit
    first = place if article else place + 1
    return Quantity(size, name, first, place + length, place + 1, spelled=True)


_DEFINITE = frozenset(("the", "el", "la", "le", "die", "der", "al", "del", "au", "du", "zum", "zur"))


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
        joint = [w.text for w in words[one.last + 1 : other.first] if w.text not in _SKIPPED]
        if other.signed and not joint and words[other.first].text == "-":
            joint = ["-"]
        roles = _roles(words, one, joint)
        if roles is None or one.role:
            continue
        unit = one.unit or other.unit
        factor = _factor(words, other) if not one.unit and other.unit else 1.0
        later = _factor(words, one) if one.unit == "s" and not other.unit and other.value * 60 > one.value else 1.0
        last = replace(other, role=roles[1], unit=other.unit or unit, value=other.value * later)
        end = other.first - 1 if roles[0] == "width" else one.last  # the x of "300x200" names no port
        result[place] = replace(one, role=roles[0], unit=unit, value=one.value * factor, last=end)
        result[place + 1] = last
    return result


_SKIPPED = frozenset(
    ("the", "page", "second", "la", "le", "el", "zur", "zum", "der", "den", "die", "seconde", "minute")
)


def _factor(words: Sequence[Word], quantity: Quantity) -> float:
    """How many of its unit one of the written unit is: 60 for "3 minutes"."""
    for place in range(quantity.first, quantity.last + 1):
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
    while place and words[place - 1].text in _BEFORE_MOMENTS:
        place -= 1
    hit = tables().bounds.before(words, place)
    return replace(quantity, bound=hit[0], bound_at=place - hit[1]) if hit else quantity


_BEFORE_MOMENTS = frozenset(("the", "about", "den", "die", "der", "les", "la", "le", "el", "los", "las", "\u7b2c"))
_NEAR = 5
"""So many words at most stand between where a part begins and how long it is."""


def _spanned(words: Sequence[Word], found: list[Quantity]) -> list[Quantity]:
    """ "3 seconds from 0:02", "the 3 seconds before 0:10": where a part ends or begins, told by how long it is."""
    for place in range(len(found) - 1):
        one, other = found[place], found[place + 1]
        at, length = (other, one) if other.bound in _BESIDE_LENGTH else (one, other)
        first_words = range(one.last + 1, other.first if at is one else other.bound_at)
        if _is_moment(words, at, length is one) and _is_length(words, length) and _are_near(words, first_words):
            begin, end = at.value, at.value + length.value
            if at.bound == "before":
                begin, end = at.value - length.value, at.value
                at, length = length, at
            marked = {at: replace(at, role="start", value=max(begin, 0), unit="s", bound=""),
                      length: replace(length, role="end", value=end, unit="s", bound="")}  # fmt: skip
            found[place], found[place + 1] = marked[one], marked[other]
    return found


def _is_moment(words: Sequence[Word], quantity: Quantity, is_behind: bool) -> bool:
    if quantity.role or quantity.signed or quantity.bound not in (_BESIDE_LENGTH if is_behind else ("from",)):
        return False
    after = words[quantity.last + 1 : quantity.last + 2]
    return quantity.unit == "s" or (not quantity.unit and not (after and after[0].kind == "word"))


_BESIDE_LENGTH = ("from", "after", "before")


def _is_length(words: Sequence[Word], quantity: Quantity) -> bool:
    """A number with its unit behind it; "von 3 Sekunden" is one, too."""
    written = words[quantity.at].kind != "time" and tables().units.at(words, quantity.first) is None
    free = not (quantity.role or quantity.signed) and quantity.bound in ("", "from")
    return written and free and quantity.unit == "s"


def _are_near(words: Sequence[Word], places: range) -> bool:
    between = [words[place] for place in places]
    parts = any(word.text in tables().joints["further"] or word.kind == "break" for word in between)
    return len(between) <= _NEAR and (not parts or [word.text for word in between] in ([","], ["，"]))
