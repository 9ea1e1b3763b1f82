"""How much is meant where marked words give no number: "as much as possible", "no gap", "a week", "for broadcast"."""

from __future__ import annotations

import re
from functools import cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity
from desktop_app.plan.arguments.quantity_evidence import counts, is_about, unit_of
from desktop_app.plan.arguments.quantity_match import converted
from desktop_app.plan.arguments.value_tables import Phrases, Word, negated, read_words, tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec, ToolSpec

_SURE = 0.6
_USUAL_TIMES = {"speed": 1.3, "pitch": 1.3, "size": 1.5}
"""The qualities that have a usual of their own, and how many times it is "fast", "high", "large"."""
_USUAL_CHANGE = 0.3
"""So much of what is possible is "brighter", twice that "much brighter"."""
_SIDES = ("fade_in", "fade_out", "fade")
"""Inputs that are there only where they are named, or of which the one that is named is meant alone."""
_APART = 8
"""So many words on may stand the second word of a pair."""
_NEAR = 2
"""So many words before or after a direction may name the input that it is of."""
_LEVEL = re.compile(r"(-?\d+(?:\.\d+)?) for (\w+)")


def degree(port: PortSpec, tool: ToolSpec, clause: Clause) -> tuple[float, int, int] | None:
    """The value that the words marked for the port say, and their offsets; None where there is none or doubt."""
    stretch = clause.marks.stretch(tool, port.name, clause.covers) if clause.marks else None
    if stretch is None or stretch.share < _SURE:
        return None
    words = [w for w in clause.words if w.start < stretch.end and stretch.start < w.end]
    value = _level(port, words)
    for reading in (_zero, _ordinal, _scale):
        value = reading(port, words) if value is None else value
    value = _unit(port, stretch.start, stretch.end, clause) if value is None else value
    if value is None:
        return None
    inside = (port.minimum is None or value >= port.minimum) and (port.maximum is None or value <= port.maximum)
    return (value, stretch.start, stretch.end) if inside and (float(value).is_integer() or not port.integer) else None


def direction(port: PortSpec, tool: ToolSpec, clause: Clause) -> tuple[float, frozenset[int]] | None:
    """ "Quieter", "less treble", "a bit deeper": the usual change in the direction that is said, and the places of the
    words; None where the clause says no direction of this input, or the one that it has by itself.
    """
    usual = abs(float(port.default or port.usual or 0.0))
    if not usual or not _is_signed(port) or any(q.unit == unit_of(port) for q in clause.quantities):
        return None
    found = [(hit.sense.sign, hit.first, hit.last) for hit in clause.hits if is_about(port, hit.sense.quality)]
    alone = sum(_is_signed(other) for other in tool.inputs) == 1
    said = _directions(clause)
    found = found or [one for one in said if alone or _is_of(port, one, clause)]
    if not found and clause.marks and len({sign for sign, _, _ in said}) == 1:
        stretch = clause.marks.stretch(tool, port.name, clause.covers)
        found = said if stretch and stretch.share >= _SURE else []
    if port.default is None:  # "the voice louder": it may be that of the other one
        found = [one for one in found if one[0] < 0] or _not_too_much(port, clause)
    if not found:
        return None
    sign, first, last = found[0]
    value = sign * _amount(clause, first) * usual
    return None if value == port.default else (value, frozenset(range(first, last + 1)))


def _not_too_much(port: PortSpec, clause: Clause) -> list[tuple[int, int, int]]:
    """ "Not too loud": less of it."""
    words, too = clause.words, tables().small["too"]
    return [
        (-1, first, last) for sense, first, last in tables().senses.all(words)
        if sense.sign > 0 and is_about(port, sense.quality) and first in clause.places and negated(words, first)
        and first and words[first - 1].text in too
    ]  # fmt: skip


def pace(port: PortSpec, clause: Clause) -> tuple[float, frozenset[int]] | None:
    """ "Read it slowly", "in a deep voice", "in large letters": less or more than the usual, and the places of the
    words; None where the clause says neither of this input. Of a factor the usual is the change that "faster" asks for,
    and "slower" undoes.
    """
    if port.type != "number" or not port.default or float(port.default) <= 0:
        return None
    hit = next((h for h in clause.hits if h.sense.quality in _USUAL_TIMES and is_about(port, h.sense.quality)), None)
    if hit is None or (hit.sense.quality == "size" and not _is_part_of_whole(port)):
        return None
    usual, change = float(port.default), hit.sense.sign * _amount(clause, hit.first)
    factor = unit_of(port) == "x"
    value = round(usual**change, 2) if factor else float(round(usual * _USUAL_TIMES[hit.sense.quality] ** change))
    value = min(max(value, port.minimum or 0.0), port.maximum or float("inf"))
    places = frozenset(range(hit.first, hit.last + 1))
    return None if factor and value == usual else (value, places)


def _is_part_of_whole(port: PortSpec) -> bool:
    """True for how large a thing is beside that on which it stands: letters, a logo."""
    return port.name == "size" and port.unit == "%" and (port.maximum or 0) <= 100


def side(port: PortSpec, tool: ToolSpec, clause: Clause) -> tuple[float, frozenset[int]] | None:
    """ "Let it fade out", "with a cross-fade": the usual of the input that the words name, and their places. A tool
    that by itself does what two inputs say is told only where one of them is named.
    """
    named = {other.name: _side_said(other.name, clause) for other in tool.inputs}
    said = {name: places for name, places in named.items() if places}
    if port.default or not port.usual or port.name not in said or (port.default is None and len(said) > 1):
        return None
    return float(port.usual), said[port.name]


def _side_said(name: str, clause: Clause) -> frozenset[int]:
    """The places of the words for the input, which may stand a little apart: "fade the music out"."""
    if name not in _SIDES:
        return frozenset()
    phrases, apart = _sides(name)
    hit = next(iter(phrases.all(clause.words)), None)
    if hit is not None:
        return frozenset(range(hit[1], hit[2] + 1))
    words = [word.text for word in clause.words]
    for first, last in apart:
        begins = [n for n, word in enumerate(words) if word == first]
        for n in begins:
            if last in words[n + 1 : n + 1 + _APART]:
                return frozenset((n, words.index(last, n + 1)))
    return frozenset()


@cache
def _sides(name: str) -> tuple[Phrases, tuple[tuple[str, str], ...]]:
    """The phrases for an input, and the pairs of words: "fade ... out"."""
    said = tables().small[name]
    apart = tuple((first, last) for first, dots, last in (phrase.partition(" ... ") for phrase in said) if dots)
    return Phrases((phrase, name) for phrase in said if " ... " not in phrase), tuple(sorted(apart))


def emphasis(port: PortSpec, said: str, clause: Clause) -> tuple[float, frozenset[int], bool] | None:
    """ "Much darker", "a bit warmer": by how much more than what the choice `said` means by itself, and the places of
    the words; of less how much in all, which takes the place of the choice (True): a number that goes against the word
    beside it, "brighter" and -0.15, reads as a mistake. None where the choice is not of this input, and where the words
    say no degree.
    """
    if not _is_signed(port) or port.default != 0 or port.maximum is None:
        return None
    meant = [sense for sense, _, _ in tables().senses.all(read_words(said)) if is_about(port, sense.quality)]
    for hit in clause.hits if meant else ():
        amount = _amount(clause, hit.first)
        if hit.sense == meant[0] and amount != 1:
            number = amount if amount < 1 else amount - 1
            value = round(number * hit.sense.sign * _USUAL_CHANGE * port.maximum, 2)
            return value, frozenset((hit.first,)), amount < 1
    return None


def _is_signed(port: PortSpec) -> bool:
    """Less and more of it are two directions, and no angle."""
    return (
        port.type == "number"
        and not port.choices
        and (port.minimum or 0) < 0 < (port.maximum or 0)
        and (unit_of(port) != "degrees")
    )


def _directions(clause: Clause) -> list[tuple[int, int, int]]:
    """Sign, first and last place of each word for more or less; "too high" is a wish for less."""
    words, complaints = clause.words, tables().small["too"]
    return [
        (-sign if first and words[first - 1].text in complaints else sign, first, last)
        for sign, first, last in tables().directions.all(words)
        if first in clause.places
    ]


def _is_of(port: PortSpec, said: tuple[int, int, int], clause: Clause) -> bool:
    """ "Less treble": the name of the input stands beside it."""
    _, first, last = said
    beside = {clause.words[n].text for n in range(first - _NEAR, last + 1 + _NEAR) if n in clause.places}
    return bool(beside & {*plain_words(port.name), *tables().names.get(port.name, ())})


def _amount(clause: Clause, first: int) -> float:
    """1 for the usual change, less for "a bit", more for "much", said shortly before or after."""
    said = [
        level for level, at, _ in tables().degrees.all(clause.words) if at in clause.places and 0 < abs(at - first) < 4
    ]
    return 1.0 if not said else 0.5 if min(said) <= 0.3 else 2.0 if max(said) >= 0.9 else 1.0


def _level(port: PortSpec, words: list[Word]) -> float | None:
    """ "-23 for broadcast" in the description is what "broadcast" means."""
    named = {name: float(value) for value, name in _LEVEL.findall(port.description)}
    said = [meaning for meaning, _, _ in tables().levels.all(words)] if named else []
    return next((named[name] for name in said if name in named), None)


def _zero(port: PortSpec, words: list[Word]) -> float | None:
    """ "No space", "ohne Abstand"."""
    denied = words[0].text in tables().small["no"] | {"zero"}
    return 0.0 if denied and port.minimum is not None and port.minimum <= 0 and len(words) > 1 else None


def _unit(port: PortSpec, start: int, end: int, clause: Clause) -> float | None:
    """ "A second", "the whole week"."""
    unit = unit_of(port)
    for place, word in enumerate(clause.words) if unit else ():
        hit = tables().units.at(clause.words, place)
        if hit and hit[0][0] == unit and start <= word.start < end and len(word.text) > 2:
            return converted(port, Quantity(hit[0][1], unit, place, place + hit[1] - 1, place), clause)
    return None


def _ordinal(port: PortSpec, words: list[Word]) -> float | None:
    """ "The fifth" for the number of an entry; 1 for "only the best" where results are counted."""
    if not port.integer or unit_of(port):
        return None
    found = tables().ordinals.all(words)
    first = tables().bounds.all(words)
    if found and not counts_results(port):
        return float(found[0][0])
    best = any(w.text in tables().small["best"] for w in words) or any(kind == "first" for kind, _, _ in first)
    return 1.0 if best and counts_results(port) else None


def counts_results(port: PortSpec) -> bool:
    """True for a port that says how many results come at most."""
    return counts(port) and ("at most" in port.description or "how many" in port.description)


def _scale(port: PortSpec, words: list[Word]) -> float | None:
    """A part of a scale that ends at 1 or 100, else more or less than the usual."""
    said = [level for level, _, _ in tables().degrees.all(words)]
    if not said or unit_of(port) or port.maximum is None or port.default is None or port.integer:
        return None
    level = _stronger(said)
    if port.maximum <= 1 or port.maximum in (99, 100):
        return round(level * port.maximum, 2) if not set(plain_words(port.name)) & {"threshold", "noise"} else None
    default = float(port.default)
    if level >= 0.75:
        return default * (2 if default >= 1 else 4) if not 0.5 <= default < 1 else round(default * 4) / 2
    return default / 2 if level else max(port.minimum or 0.0, 0.0)


def _stronger(said: list[float]) -> float:
    """Of several degrees the plainest: "lots ..., go all the way"."""
    return 0.0 if 0.0 in said else max(said) if max(said) >= 0.75 else min(said)
