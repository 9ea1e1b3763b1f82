"""Which number port a quantity is for: by unit, by the words beside it, by range; and the value in the port's terms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity, quantities
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
    is_before_the_end,
    is_of_length,
    is_removed,
    is_setting,
    named_at,
    says_the_side,
    size_of_unit,
    unit_of,
)
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec, ToolSpec

ENOUGH = 1.5
"""A pair of a port and a quantity with less evidence than this is not taken."""

_MARKED, _EVEN, _SURE = 6.0, 0.25, 0.6
"""What the tagger's probability is worth as evidence, what it has to be at least to speak for a port, and to decide."""

_SURELY = 0.9
"""So probable it decides also against words that say which end of a part is meant."""

_SAID_SO = 9.0
"""The evidence of words that leave no choice: "the last five seconds"."""

_ENDS = frozenset(("start", "end"))
"""Which of these is meant is told by the words for ranges: "five seconds from the start" end there."""

_BESIDE = 1.0
"""A port is named beside a quantity from this much evidence on."""

_SIZES = ("width", "height")
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
    if port.name == "speed" and unit_of(port) == "x" and value and is_of_length(quantity, clause):
        value = round(1 / value, 2)
    if port.minimum is None and port.name in _ENDS and is_before_the_end(quantity, clause):
        mine = port.name == ("end" if is_removed(quantity, clause) else "start")
        return Match(port.name, quantity, _SAID_SO, -abs(value)) if mine else None
    named = by_name(port, quantity, clause)
    sides = [other for other in ports if other.name in _SIZES] if quantity.role in plain_words(port.name) else []
    known = [share for one in (sides if port in sides else [port]) if (share := _marked(one, tool, quantity, clause))]
    marked = max(known, default=None)  # "1080x1080" is marked as one word, for one of the two
    if _scales_default(port, quantity) and named < ENOUGH and (marked or 0.0) < _SURE:
        return None
    placed = by_place(port, quantity, clause)
    evidence = named + by_doc(port, quantity, clause) + by_unit(port, quantity)
    unsaid = (marked or 0.0) > (_SURELY if says_the_side(quantity, clause) else _SURE)
    evidence += by_quality(port, quantity, clause) + (max(placed, 0.0) if unsaid else placed)
    if not unit_of(port):
        evidence += by_noun(port, tool, quantity, clause)
    if port is ports[0] or (not quantity.unit and len(ports) == 1):
        evidence += 0.3
    if len(ports) == 1 and (quantity.unit == "%" or not (quantity.unit or is_alien(port, tool, quantity, clause))):
        evidence += 1.2
    if marked is not None and not _is_named_otherwise(port, ports, quantity, clause):
        spoken = named >= _BESIDE and not _is_marked(quantity, _rivals(port, ports, quantity, clause), tool, clause)
        evidence += max(_MARKED * (marked - _EVEN), 0.0 if spoken else -_MARKED)
    if quantity.one and not quantity.unit:
        evidence -= 1
    if quantity.one and named < ENOUGH and not quantity.unit and (marked or 0.0) < _SURE:
        return None  # "into one", "the other one"
    return Match(port.name, quantity, evidence, value)


def _marked(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> float | None:
    """How probable the tagger finds it (0..1) that the quantity is for the port; None where it does not know."""
    if clause.marks is None or not clause.marks.knows(port.name):
        return None
    return clause.marks.share_at(tool, port.name, clause.words[quantity.first].start, clause.words[quantity.last].end)


def _is_named_otherwise(port: PortSpec, ports: Sequence[PortSpec], quantity: Quantity, clause: Clause) -> bool:
    """ "300 px more at the right": another port of the same unit is named beside it, and this one is not."""
    if by_name(port, quantity, clause) or port.name in _ENDS:
        return False
    alike = (other for other in ports if other is not port and unit_of(other) == unit_of(port))
    return any(by_name(other, quantity, clause) >= _BESIDE for other in alike)


def _rivals(port: PortSpec, ports: Sequence[PortSpec], quantity: Quantity, clause: Clause) -> list[PortSpec]:
    """The other ports for which the quantity may be: no words beside it name another, or they say the very quality."""
    return [
        one for one in ports
        if one is not port
        and (by_quality(one, quantity, clause) or not _is_named_otherwise(one, ports, quantity, clause))
    ]  # fmt: skip


def _is_marked(quantity: Quantity, ports: Sequence[PortSpec], tool: ToolSpec, clause: Clause) -> bool:
    return any((_marked(port, tool, quantity, clause) or 0.0) > _SURE for port in ports)


def _is_other_pair(port: PortSpec, ports: Sequence[PortSpec], quantity: Quantity) -> bool:
    """True for x and y where "400 x 300" is a size and the tool has ports for one."""
    if quantity.role not in _SIZES or quantity.role in plain_words(port.name):
        return False
    return any(quantity.role in plain_words(other.name) for other in ports)


def about(port: PortSpec, quantity: Quantity, clause: Clause) -> set[int]:
    """Places of the nearest word for more or less that a quantity was read with: "darker" in "30 % darker"."""
    own = [(distance(quantity, h.first, h.last), h) for h in clause.hits if is_about(port, h.sense.quality)]
    away, hit = min(own, key=lambda pair: pair[0], default=(9, None))
    return {*range(hit.first, hit.last + 1)} if hit and away <= 8 else set()


# Values ---------------------------------------------------------------------------------------------------------------


def converted(port: PortSpec, quantity: Quantity, clause: Clause) -> float | int | None:
    """The quantity in the port's unit, with the sign that "down" and the like give; None when it cannot be meant."""
    value = _in_unit(port, quantity, clause)
    if value is None:
        return None
    if unit_of(port) == "degrees" and value == 180:
        return 180
    is_change = quantity.unit != "x" or unit_of(port) != "dB"  # a factor in decibels has its sign
    if is_change and port.minimum is not None and port.minimum < 0 and not quantity.signed and value > 0:
        below = port.maximum is not None and port.maximum <= 0
        sign = -1 if below else _sign(port, quantity, clause)
        value *= sign
    inside = (port.minimum is None or value >= port.minimum) and (port.maximum is None or value <= port.maximum)
    if not inside:
        return None
    value = round(value, (0 if unit_of(port) == "%" else 2) if quantity.unit == "x" else 6)
    if float(value).is_integer():
        return int(value)
    return None if port.integer else value


def _in_unit(port: PortSpec, quantity: Quantity, clause: Clause) -> float | None:
    unit, value = unit_of(port), quantity.value
    if quantity.unit == "x" and unit == "degrees":
        return 360 * value  # "a quarter turn"
    if quantity.unit == "x":
        return _times(port, unit, _factor(port, quantity, clause), quantity, clause)
    if quantity.unit == "%" and unit in ("x", "%"):
        return _percent(value, unit, port, quantity, clause)
    if quantity.unit == "%" and not unit:
        if port.maximum is None or port.integer:
            return None
        return value / 100 if port.maximum <= 10 or _is_factor(port) else value
    if quantity.unit == "mm" and unit == "px":
        return float(round(value / 25.4 * _dots_per_inch(clause)))
    if unit == "semitones" and not quantity.unit and _counts_tones(quantity, clause):
        return 2 * value
    if quantity.unit and quantity.unit == unit:
        return value / size_of_unit(port)
    return None if quantity.unit else value


def _counts_tones(quantity: Quantity, clause: Clause) -> bool:
    """ "Dos tonos", "anderthalb Töne"."""
    after = clause.words[quantity.last + 1 : quantity.last + 2]
    return bool(after) and after[0].text in tables().small["tone"]


def _dots_per_inch(clause: Clause) -> float:
    """What the request says, or that of print."""
    return next((q.value for q in quantities(clause.text) if q.unit == "dpi" and q.value), 300.0)


def _factor(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """The factor of a quantity in times: 1/3 for "three times slower", 2 for 快一倍 (by as much again)."""
    if quantity.value == 1 and clause.words[quantity.last].text == "倍":
        return 2.0
    return 1 / quantity.value if quantity.value > 1 and _compared(port, quantity, clause, -1) else quantity.value


def _is_factor(port: PortSpec) -> bool:
    return bool(set(plain_words(port.name)) & {"factor", "scale", "zoom"})


def _times(port: PortSpec, unit: str, factor: float, quantity: Quantity, clause: Clause) -> float | None:
    """A factor as the port has it: percent, decibels, a count of times, a share, or so much of the default."""
    if unit in ("x", "%"):
        if factor >= 1 or quantity.value > 1:
            return factor * (100 if unit == "%" else 1)
        return _percent(100 * factor, unit, port, quantity, clause)
    if unit == "dB" and factor > 0 and (port.default is not None or port.usual):
        return float(round(20 * math.log10(factor), 1))
    if unit == "semitones" and _counts_tones(quantity, clause):
        return 2 * factor
    if unit == "semitones":  # "up a fifth": an interval, no part
        sizes = (tables().units.at(clause.words, place) for place in range(quantity.first, quantity.last + 1))
        return next((hit[0][1] for hit in sizes if hit and hit[0][0] == unit), None)
    if unit:
        return None
    if port.integer or _is_factor(port):
        return factor
    if _scales_default(port, quantity):
        return factor * float(port.default or 0)
    return factor if factor < 1 else None


def _scales_default(port: PortSpec, quantity: Quantity) -> bool:
    """ "Twice as steep" for a port without a unit that is no share: so many times what is usual."""
    if quantity.unit != "x" or unit_of(port) or port.integer or _is_factor(port) or not port.default:
        return False
    share = port.maximum == 1 or "part of" in port.description or "larger than" in port.description
    return not share or (quantity.value > 1 and "part of" not in port.description)


def _percent(value: float, unit: str, port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """Percent as a change ("50 % faster" is 150) or as a goal ("to 30 %")."""
    full = 100.0 if unit == "%" else 1.0
    value = value * full / 100
    if port.maximum is not None and port.maximum <= full:
        return value
    before = [w.text for w in clause.words[max(0, quantity.first - 3) : quantity.first]]
    for sign in (1, -1):
        if _compared(port, quantity, clause, sign) and not any(word in _GOALS for word in before[-1:]):
            return full + sign * value
    as_large = any(w.text in _AS for w in clause.words[quantity.last + 1 : quantity.last + 2])
    aimed = as_large or any(word in _AIMS for word in before[-2:])
    sign = _sign(port, quantity, clause, 0)
    change = not aimed and (sign > 0 or any(word in _BY for word in before[-2:]))
    return full + sign * value if sign and change and value < full else value


_GOALS = frozenset(("to", "auf", "à", "al", "到", "至"))
"""Right before a number: "auf 30 % verkleinern" is no "30 % kleiner"."""
_AIMS = _GOALS | frozenset(("at", "of", "mit", "aux", "a", "is"))
_AS = frozenset(("as", "so", "aussi", "tan"))
_BY = frozenset(("by", "um", "de", "d'un", "d'une", "por", "up", "down", "un"))


def _compared(port: PortSpec, quantity: Quantity, clause: Clause, sign: int) -> bool:
    """True when a comparative of that direction follows at once: "50 % faster", "trois fois moins vite"."""
    place = quantity.last + 1
    if place < len(clause.words) and clause.words[place].text in _AS:
        return (
            place + 1 < len(clause.words) and _compared_at(port, clause, place + 1) == sign == -1 and quantity.value > 1
        )
    if place < len(clause.words) and clause.words[place].text in ("fast", "slow", "large", "big", "small", "loud"):
        return False
    return _compared_at(port, clause, place) == sign


def _compared_at(port: PortSpec, clause: Clause, place: int) -> int:
    """1 or -1 for a word of more or less at this place, 0 for none; "plus lent" is less, "moins lent" more."""
    direction = tables().directions.at(clause.words, place)
    after = tables().senses.at(clause.words, place + direction[1]) if direction else None
    sense = tables().senses.at(clause.words, place)
    if direction and after:
        return direction[0] * after[0].sign
    if sense and not direction:
        return sense[0].sign if is_about(port, sense[0].quality) else 0
    return direction[0] if direction else 0


def _sign(port: PortSpec, quantity: Quantity, clause: Clause, unsaid: int = 1) -> int:
    """1 or -1 by the nearest word for more or less; a word about another quality does not count."""
    found: list[tuple[int, int]] = []
    if said := _sign_of_name(port, clause):
        return said
    for hit in clause.hits:
        if is_about(port, hit.sense.quality):
            found.append((_apart(quantity, hit.first, hit.last, clause), hit.sense.sign))
    if not found:
        for sign, first, last in tables().directions.all(clause.words):
            complaint = first and clause.words[first - 1].text in tables().small["too"]
            degree = clause.words[first].text in ("plus", "más") and _compared_at(port, clause, first) < 0
            if first in clause.places and not complaint:
                found.append((_apart(quantity, first, last, clause), -1 if degree else sign))
    return min(found)[1] if found else unsaid


def _sign_of_name(port: PortSpec, clause: Clause) -> int:
    """1 or -1 where a word for more or less stands right before the port's name: "more bass, 5 dB, less treble"."""
    named = named_at(port, clause)
    signs = {sign for sign, _, last in tables().directions.all(clause.words) if last + 1 in named}
    return signs.pop() if len(signs) == 1 else 0


def _apart(quantity: Quantity, first: int, last: int, clause: Clause) -> int:
    """The distance in words; a comma or an "and" between counts for more."""
    start, end = (last + 1, quantity.first) if last < quantity.first else (quantity.last + 1, first)
    joints = tables().joints["further"]
    between = [clause.words[place] for place in range(start, end)]
    return distance(quantity, first, last) + sum(4 if word.text in joints else word.kind == "break" for word in between)


def _all_around(ports: Sequence[PortSpec], free: Sequence[Quantity], clause: Clause) -> list[Match]:
    """50 pixels "on every side" for ports named left, right, top and bottom."""
    sides: Mapping[str, PortSpec] = {port.name: port for port in ports if port.name in _SIDES}
    said = [w.text for i, w in enumerate(clause.words) if i in clause.places]
    every = any(one in _EVERY and other in _AROUND for one, other in itertools.pairwise(said))
    if len(sides) < 3 or not every or len(free) != 1:
        return []
    matches = [(port, converted(port, free[0], clause)) for port in sides.values()]
    return [Match(port.name, free[0], 3.0, value) for port, value in matches if value is not None]
