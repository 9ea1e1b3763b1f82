"""Quantities in other units of measure: "350 F in C", "5 miles in km". Must not know tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from nodes._support.tables import tables
from nodes._support.tables.listed_words import ListedWords

_LISTED = ListedWords("units.toml", behind_figures=True)
_TEMPERATURES: Mapping[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "celsius": (lambda t: t, lambda t: t),
    "fahrenheit": (lambda t: (t - 32) / 1.8, lambda t: t * 1.8 + 32),
    "kelvin": (lambda t: t - 273.15, lambda t: t + 273.15),
}
"""To degrees Celsius, and from them."""
_USUAL = {"fahrenheit": "celsius", "celsius": "fahrenheit", "kelvin": "celsius"}


class Unit(NamedTuple):
    """A unit as it was said: what it measures, and how many of the first unit of that it is, or the name of a scale."""

    kind: str
    size: str
    said: str


class Converted(NamedTuple):
    """A quantity, and what it is in another unit."""

    amount: float
    unit: str
    result: float
    into: str


def converted(said: str) -> Converted | None:
    """The quantity in the other unit that is named; of a temperature alone what it is in the other scale. None where
    there is no quantity, or not one unit that it can be told in.
    """
    low = said.lower()
    found = _quantity(low)
    if found is None:
        return None
    amount, unit, start, end = found
    others = [other for other in _units_in(f"{low[:start]} | {low[end:]}") if other.kind == unit.kind]
    different = [*dict.fromkeys(other for other in others if other.size != unit.size)]
    if not different and unit.kind == "temperature":
        different = [Unit(unit.kind, _USUAL[unit.size], {"celsius": "°C", "fahrenheit": "°F"}[_USUAL[unit.size]])]
    if len({other.size for other in different}) != 1:
        return None
    into = different[0]
    return Converted(amount, unit.said, _in(amount, unit, into), into.said)


def _in(amount: float, unit: Unit, into: Unit) -> float:
    if unit.kind == "temperature":
        return _TEMPERATURES[into.size][1](_TEMPERATURES[unit.size][0](amount))
    return amount * float(unit.size) / float(into.size)


def _quantity(low: str) -> tuple[float, Unit, int, int] | None:
    """The first number with a unit behind it, and where both stand."""
    for number in re.finditer(r"[-+−]?\d[\d.,]*(?<=\d)", low):
        rest = low[number.end() :]
        for name, unit in _by_name():
            match = re.match(rf"\s*(?:degrees?\s+|grad\s+|degrés\s+|grados\s+)?{_LISTED.bounded(name)}", rest)
            amount = tables.number(number.group())
            if match is not None and amount is not None:
                return amount, unit._replace(said=name), number.start(), number.end() + match.end()
    return None


def _units_in(low: str) -> list[Unit]:
    found = []
    for name, unit in _by_name():
        match = _LISTED.found(low, name)
        if match is not None:
            found.append(unit._replace(said=name))
            low = low[: match.start()] + " | " + low[match.end() :]
    return found


@cache
def _by_name() -> tuple[tuple[str, Unit], ...]:
    """Longer names first."""
    found = [
        (name, Unit(kind, size, name))
        for kind, sizes in _LISTED.tables.items()
        for size, names in sizes.items()
        for name in names
    ]
    return tuple(sorted(found, key=lambda pair: -len(pair[0])))
