"""Which number port a quantity is for: by unit, by the words beside it, by range; and the value in the port's terms."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity
from desktop_app.plan.arguments.quantity_evidence import (
    by_doc,
    by_name,
    by_noun,
    by_place,
    by_quality,
    by_unit,
    distance,
    is_about,
    is_alien,
    is_setting,
    unit_of,
)
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec, ToolSpec

ENOUGH = 1.5
"""A pair of a port and a quantity with less evidence than this is not taken."""

_MARKED, _EVEN, _SURE = 6.0, 0.25, 0.6
"""What the tagger's probability is worth as evidence, what it has to be at least to speak for a port, and to decide."""

_SIDES = ("left", "right", "top", "bottom")
_EVERY = frozenset(("every", "each", "all", "both"))
_AROUND = frozenset(("side", "sides", "around", "round", "edge", "edges"))


@dataclass(frozen=True)
class Match:
    """A quantity for a port, with the evidence and the value that the port would get."""

    port: str
    quantity: Quantity
    evidence: float
    value: float | int


def numbers(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, taken: frozenset[int]) -> list[Match]:
    """The best assignment of the clause's quantities to number ports; no quantity serves two ports.

    `taken` are places of words that already serve something. 50 pixels "on every side" are the one exception: they
    go to all ports named after a side.
    """
    if not ports:
        return []
    free = [
        q
        for q in clause.quantities
        if not taken & {*range(q.first, q.last + 1)}
        and (is_setting(q, tool, clause) or _is_marked(q, ports, tool, clause))
    ]
    around = _all_around(ports, free, clause)
    if around:
        return around
    pairs = [m for port in ports for q in free if (m := _match(port, tool, ports, q, clause)) is not None]
    return _assigned(pairs)


def _assigned(pairs: Sequence[Match]) -> list[Match]:
    """The subset of pairs with the most evidence in which every port and every quantity occurs once."""
    by_port: dict[str, list[Match]] = {}
    for match in sorted(pairs, key=lambda m: -m.evidence):
        if match.evidence >= ENOUGH and len(by_port.setdefault(match.port, [])) < 4:
            by_port[match.port].append(match)
    best: tuple[float, list[Match]] = (0.0, [])

    def extend(rest: list[str], chosen: list[Match], total: float) -> None:
        nonlocal best
        if total > best[0] + 1e-9:
            best = (total, list(chosen))
        if not rest or total + sum(by_port[name][0].evidence for name in rest) <= best[0]:
            return
        for match in by_port[rest[0]]:
            if all(match.quantity is not other.quantity for other in chosen):
                extend(rest[1:], [*chosen, match], total + match.evidence)
        extend(rest[1:], chosen, total)

    extend(list(by_port)[:12], [], 0.0)
    return best[1]


def _match(
    port: PortSpec, tool: ToolSpec, ports: Sequence[PortSpec], quantity: Quantity, clause: Clause
) -> Match | None:
    value = converted(port, quantity, clause)
    if value is None or _is_other_pair(port, ports, quantity):
        return None
    named = by_name(port, quantity, clause)
    evidence = named + by_doc(port, quantity, clause) + by_unit(port, quantity)
    evidence += by_quality(port, quantity, clause) + by_place(port, quantity, clause)
    if not unit_of(port):
        evidence += by_noun(port, tool, quantity, clause)
    if port is ports[0] or (not quantity.unit and len(ports) == 1):
        evidence += 0.3
    if len(ports) == 1 and (quantity.unit == "%" or not (quantity.unit or is_alien(port, tool, quantity, clause))):
        evidence += 1.2
    marked = _marked(port, tool, quantity, clause)
    if marked is not None:
        evidence += _MARKED * (marked - _EVEN)
    if quantity.one and named < ENOUGH and not quantity.unit and (marked or 0.0) < _SURE:
        return None  # "into one", "the other one"
    return Match(port.name, quantity, evidence, value)


def _marked(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> float | None:
    """How probable the tagger finds it (0..1) that the quantity is for the port; None where it does not know."""
    if clause.marks is None or not clause.marks.knows(port.name):
        return None
    return clause.marks.share_at(tool, port.name, clause.words[quantity.first].start, clause.words[quantity.last].end)


def _is_marked(quantity: Quantity, ports: Sequence[PortSpec], tool: ToolSpec, clause: Clause) -> bool:
    return any((_marked(port, tool, quantity, clause) or 0.0) > _SURE for port in ports)


def _is_other_pair(port: PortSpec, ports: Sequence[PortSpec], quantity: Quantity) -> bool:
    """True for x and y where "400 x 300" is a size and the tool has ports for one."""
    if quantity.role not in ("width", "height") or quantity.role in plain_words(port.name):
        return False
    return any(quantity.role in plain_words(other.name) for other in ports)


def about(port: PortSpec, quantity: Quantity, clause: Clause) -> set[int]:
    """Places of the words for more or less that a quantity was read with: "darker" in "30 % darker"."""
    near = [h for h in clause.hits if is_about(port, h.sense.quality) and distance(quantity, h.first, h.last) <= 8]
    return {place for hit in near for place in range(hit.first, hit.last + 1)}


# Values ---------------------------------------------------------------------------------------------------------------


def converted(port: PortSpec, quantity: Quantity, clause: Clause) -> float | int | None:
    """The quantity in the port's unit, with the sign that "down" and the like give; None when it cannot be meant."""
    value = _in_unit(port, quantity, clause)
    if value is None:
        return None
    if port.minimum is not None and port.minimum < 0 and not quantity.signed and value > 0:
        below = port.maximum is not None and port.maximum <= 0
        sign = -1 if below else _sign(port, quantity, clause)
        value *= sign
    inside = (port.minimum is None or value >= port.minimum) and (port.maximum is None or value <= port.maximum)
    if not inside:
        return None
    value = round(value, 6)
    if float(value).is_integer():
        return int(value)
    return None if port.integer else value


def _in_unit(port: PortSpec, quantity: Quantity, clause: Clause) -> float | None:
    unit, value = unit_of(port), quantity.value
    if quantity.unit == "x" and not unit:
        return _times(port, quantity)
    if quantity.unit == "x" and unit == "%":
        return value * 100
    if quantity.unit == "%" and unit in ("x", "%"):
        return _percent(value, unit, port, quantity, clause)
    if quantity.unit == "%" and not unit:
        if port.maximum is None or port.integer:
            return None
        return value / 100 if port.maximum <= 10 else value
    if quantity.unit == "x" and unit == "x" and value > 1 and _compared(quantity, clause, -1):
        return 1 / value  # "three times slower"
    return value if quantity.unit in ("", unit) else None


def _times(port: PortSpec, quantity: Quantity) -> float | None:
    """A factor for a port without a unit: a count of times, a factor by name, or a share."""
    if port.integer or set(plain_words(port.name)) & {"factor", "scale", "zoom"}:
        return quantity.value
    return quantity.value if port.maximum == 1 and quantity.value < 1 else None


def _percent(value: float, unit: str, port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """Percent as a change ("50 % faster" is 150) or as a goal ("to 30 %")."""
    full = 100.0 if unit == "%" else 1.0
    value = value * full / 100
    if port.maximum is not None and port.maximum <= full:
        return value
    before = clause.words[quantity.first - 1].text if quantity.first else ""
    change = before in ("by", "um", "de", "por", "up", "down")
    for sign in (1, -1):
        if _compared(quantity, clause, sign):
            return full + sign * value
    sign = _sign(port, quantity, clause, 0) if change else 0
    return full + sign * value if sign else value


def _compared(quantity: Quantity, clause: Clause, sign: int) -> bool:
    """True when a comparative of that direction follows at once: "50 % faster"."""
    place = quantity.last + 1
    words = [w.text for w in clause.words[place : place + 1]]
    sense = tables().senses.at(clause.words, place)
    direction = tables().directions.at(clause.words, place)
    if sense and words[0] in ("fast", "slow", "large", "big", "small", "loud"):
        return False
    return (sense is not None and sense[0].sign == sign) or (direction is not None and direction[0] == sign)


def _sign(port: PortSpec, quantity: Quantity, clause: Clause, unsaid: int = 1) -> int:
    """1 or -1 by the nearest word for more or less; a word about another quality does not count."""
    found: list[tuple[int, int]] = []
    for hit in clause.hits:
        if is_about(port, hit.sense.quality):
            found.append((distance(quantity, hit.first, hit.last), hit.sense.sign))
    if not found:
        for sign, first, last in tables().directions.all(clause.words):
            complaint = first and clause.words[first - 1].text in tables().small["too"]
            if first in clause.places and not complaint and clause.words[first].text != "plus":
                found.append((distance(quantity, first, last), sign))
    return min(found)[1] if found else unsaid


def _all_around(ports: Sequence[PortSpec], free: Sequence[Quantity], clause: Clause) -> list[Match]:
    """50 pixels "on every side" for ports named left, right, top and bottom."""
    sides: Mapping[str, PortSpec] = {port.name: port for port in ports if port.name in _SIDES}
    said = [w.text for i, w in enumerate(clause.words) if i in clause.places]
    every = any(one in _EVERY and other in _AROUND for one, other in itertools.pairwise(said))
    if len(sides) < 3 or not every or len(free) != 1:
        return []
    matches = [(port, converted(port, free[0], clause)) for port in sides.values()]
    return [Match(port.name, free[0], 3.0, value) for port, value in matches if value is not None]
