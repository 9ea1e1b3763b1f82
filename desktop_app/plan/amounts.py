"""Which number port a quantity is for: by unit, by the words beside it, by range; and the value in the port's terms."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_app.plan.clause import Clause
from desktop_app.plan.lexicon import lexicon
from desktop_app.plan.quantities import Quantity
from desktop_app.plan.request import PortSpec, ToolSpec
from desktop_app.plan.toolgraph import fits
from desktop_app.plan.values import split, tables, words_of
from desktop_app.plan.words import plain_words, stem, tokens_of

ENOUGH = 1.5
"""A pair of a port and a quantity with less evidence than this is not taken."""

_STARTS = frozenset(("start", "first", "from", "begin", "in", "min", "minimum"))
_ENDS = frozenset(("end", "last", "to", "stop", "until", "out", "max", "maximum"))
_SIDES = ("left", "right", "top", "bottom")
_EVERY = frozenset(("every", "each", "all", "both"))
_AROUND = frozenset(("side", "sides", "around", "round", "edge", "edges"))
_REACH = 6


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
    free = [q for q in clause.quantities if not taken & {*range(q.first, q.last + 1)} and _is_setting(q, tool, clause)]
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
    if value is None:
        return None
    by_name = _by_name(port, quantity, clause)
    evidence = by_name + _by_doc(port, quantity, clause) + _by_unit(port, quantity)
    evidence += _by_quality(port, quantity, clause) + _by_place(port, ports, quantity)
    if not _has_unit(port):
        evidence += _by_noun(port, tool, quantity, clause)
    if port is ports[0] or (not quantity.unit and len(ports) == 1):
        evidence += 0.3
    if len(ports) == 1 and (quantity.unit == "%" or not (quantity.unit or _alien(port, tool, quantity, clause))):
        evidence += 1.2
    if quantity.one and by_name < ENOUGH and not quantity.unit:
        return None  # "into one", "the other one"
    return Match(port.name, quantity, evidence, value)


def about(port: PortSpec, quantity: Quantity, clause: Clause) -> set[int]:
    """Places of the words for more or less that a quantity was read with: "darker" in "30 % darker"."""
    near = [h for h in clause.hits if _is_about(port, h.sense.quality) and _distance(quantity, h.first, h.last) <= 8]
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
        if _is_about(port, hit.sense.quality):
            found.append((_distance(quantity, hit.first, hit.last), hit.sense.sign))
    if not found:
        for sign, first, last in tables().directions.all(clause.words):
            complaint = first and clause.words[first - 1].text in tables().small["too"]
            if first in clause.places and not complaint and clause.words[first].text != "plus":
                found.append((_distance(quantity, first, last), sign))
    return min(found)[1] if found else unsaid


def _distance(quantity: Quantity, first: int, last: int) -> int:
    return quantity.first - last if last < quantity.first else first - quantity.last


# Evidence -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def unit_of(port: PortSpec) -> str:
    """The unit that a port is measured in: as declared, or as its name or its description says."""
    if port.unit:
        hit = tables().units.at(words_of(port.unit), 0)
        return hit[0][0] if hit else port.unit
    for text in (port.name.replace("_", " "), port.description.partition(" in ")[2], port.description):
        words = words_of(text)[:2]
        hit = tables().units.at(words, 0)
        if hit and hit[0][1] == 1 and len(words[0].text) > 1 and words[0].text != "times":
            return hit[0][0]
    return ""


def _has_unit(port: PortSpec) -> bool:
    return bool(unit_of(port))


def _by_unit(port: PortSpec, quantity: Quantity) -> float:
    unit = unit_of(port)
    if quantity.unit and quantity.unit == unit:
        return 2.5
    if quantity.unit in ("x", "%") and unit in ("x", "%"):
        return 2.0
    if quantity.unit == "x" and not unit:
        return 1.6
    if quantity.unit == "%" and not unit:
        return 0.7
    return 0.0


def _by_place(port: PortSpec, ports: Sequence[PortSpec], quantity: Quantity) -> float:
    """Ranges to ports named start and end, sizes to width and height, "the first 5 s" to the end of a part."""
    names = set(plain_words(port.name))
    if quantity.role in ("width", "height"):
        return 2.0 * (quantity.role in names) + 1.9 * ({"width": "x", "height": "y"}[quantity.role] in names)
    starts, ends = bool(names & _STARTS), bool(names & _ENDS)
    if quantity.role:
        wanted = starts if quantity.role == "start" else ends
        return 2.5 if wanted else -2.5
    if not quantity.bound or not (starts or ends):
        return 0.0
    if names & {"in", "out"}:  # a length at one side
        return {"first": 2.0 if starts else -2.0, "last": 2.0 if ends else -2.0}.get(quantity.bound, 0.0)
    late = quantity.bound in ("first", "until", "before")
    if quantity.bound == "last":
        return -9.0
    return 2.0 if late == ends else -9.0


def _by_name(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """0..3: how near to the quantity the words of the port's name stand, or words that mean the same."""
    parts = plain_words(port.name) or [port.name]
    rated = [max((_nearness(quantity, names, clause) for names in _synonyms(part)), default=0.0) for part in parts]
    unit = quantity.unit
    if unit:
        kept = [r for r, part in zip(rated, parts, strict=True) if not _is_unit(part, unit)]
        return (sum(kept) + 0.7 * (len(rated) - len(kept))) / len(rated)
    return sum(rated) / len(rated)


@lru_cache(maxsize=4096)
def _is_unit(word: str, unit: str) -> bool:
    hit = tables().units.at(words_of(word), 0)
    return hit is not None and hit[0][0] == unit


@lru_cache(maxsize=4096)
def _synonyms(part: str) -> tuple[tuple[str, ...], ...]:
    own = split(part)
    return (own, *(split(entry) for entry in tables().names.get(part, ())))


def _nearness(quantity: Quantity, names: tuple[str, ...], clause: Clause) -> float:
    """3 for a word right beside the quantity, less with each word between; a break or another quantity ends it."""
    best = 0.0
    for step, start in ((-1, quantity.first - 1), (1, quantity.last + 1)):
        away = 0.0
        for place in range(start, start + step * 9, step):
            if place not in clause.places or _ends_reach(place, clause) or away > _REACH:
                break
            words = clause.words[place : place + len(names)]
            if _same(words, names) and all(p in clause.places for p in range(place, place + len(names))):
                best = max(best, 3.0 / (1 + 0.35 * away))
                break
            away += _weight(place, clause)
    return best


def _same(words: Sequence, names: tuple[str, ...]) -> bool:
    if len(words) < len(names):
        return False
    if len(names) == 1 and len(names[0]) > 3:
        return words[0].kind == "word" and (words[0].text == names[0] or words[0].stem == stem(names[0]))
    return tuple(w.text for w in words) == names


def _ends_reach(place: int, clause: Clause) -> bool:
    word = clause.words[place]
    if word.kind == "break":
        return True
    return any(q.first <= place <= q.last for q in clause.quantities)


def _weight(place: int, clause: Clause) -> float:
    """How much a word between a name and its number separates them."""
    word = clause.words[place]
    if word.text in tables().joints["further"]:
        return 2.0
    return 0.3 if word.text in tables().small["glue"] or word.kind == "sign" else 1.0


def _by_doc(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """0..1.2: a word of the port's description beside the quantity."""
    return max((0.4 * _nearness(quantity, (word,), clause) for word in _doc_words(port)), default=0.0)


@lru_cache(maxsize=4096)
def _doc_words(port: PortSpec) -> tuple[str, ...]:
    skipped = lexicon().skipped
    units = tables().units
    words = [w for w in plain_words(port.description) if w not in skipped and len(w) > 3]
    return tuple(w for w in dict.fromkeys(words) if units.at(words_of(w), 0) is None)


def _by_quality(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """A word for more or less of what the port is about: "30 % darker" for brightness."""
    near = [_distance(quantity, h.first, h.last) for h in clause.hits if _is_about(port, h.sense.quality)]
    return 2.5 / (1 + 0.2 * (min(near) - 1)) if near and min(near) <= 8 else 0.0


@lru_cache(maxsize=4096)
def _is_about(port: PortSpec, quality: str) -> bool:
    return bool(set(plain_words(port.name)) & tables().qualities[quality])


def _by_noun(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> float:
    """2 when the thing counted is one that the tool or the port speaks of: "6 stills", "top 5 keywords"."""
    if quantity.unit:
        return 0.0
    nouns = _nouns(quantity, clause)
    if not counts(port):
        return 0.0
    own = {stem(w) for w in plain_words(port.name + " " + port.description)} - {stem(w) for w in lexicon().skipped}
    if any(noun in own for noun in nouns):
        return 2.2
    return 2.0 if any(noun in _tool_stems(tool) for noun in nouns) else 0.0


def counts(port: PortSpec) -> bool:
    """True for a port that says how many."""
    names = set(plain_words(port.name))
    return port.integer or bool(names & {"count", "number", "limit", "sentences"}) or "how many" in port.description


@lru_cache(maxsize=4096)
def _tool_stems(tool: ToolSpec) -> frozenset[str]:
    text = " ".join((tool.title, tool.description, *tool.words, *(p.name + " " + p.description for p in tool.outputs)))
    return frozenset(stem(w) for w in plain_words(text)) - frozenset(stem(w) for w in lexicon().skipped)


def _nouns(quantity: Quantity, clause: Clause) -> list[str]:
    """Stems of up to three words that follow the quantity, as far as the next small word."""
    found = []
    for word in clause.words[quantity.last + 1 : quantity.last + 4]:
        if word.kind != "word" or word.text in tables().small["glue"] or word.text in tables().joints["further"]:
            break
        found.append(word.stem)
    return found


def _alien(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> bool:
    """True when something is counted that neither the port nor the tool speaks of."""
    nouns = _nouns(quantity, clause)
    if quantity.spelled and not nouns:
        return True
    known = _tool_stems(tool) | {stem(w) for w in plain_words(port.name + " " + port.description)}
    return bool(nouns) and not any(noun in known for noun in nouns) and not _in_classes(nouns, known)


def _in_classes(nouns: Sequence[str], known: frozenset[str] | set[str]) -> bool:
    """True when a noun shares a class of the lexicon with a known word: "snaps" and "pictures"."""
    terms = [t.key for noun in nouns for t in lexicon().terms(tokens_of(noun)) if t.kind != "word"]
    return any(key in known for key in terms)


def _is_setting(quantity: Quantity, tool: ToolSpec, clause: Clause) -> bool:
    """False for "these three pictures" and "all five snaps", which count what there is, and for "amount > 100"."""
    before = [w.text for w in clause.words[max(0, quantity.first - 2) : quantity.first]]
    if before[-1:] and (before[-1] in "<>≥≤" or (before[-1] == "than" and before[0] in ("more", "less", "greater"))):
        return False
    if quantity.unit or quantity.role:
        return True
    if before[-1:] and before[-1] in tables().small["these"] and before[-1] not in ("its", "the"):
        return False
    return not _counts_inputs(quantity, tool, clause)


def _counts_inputs(quantity: Quantity, tool: ToolSpec, clause: Clause) -> bool:
    """True when what is counted is what the tool takes and does not give, and no number port has that name."""
    if any(_by_name(port, quantity, clause) >= ENOUGH for port in tool.inputs if port.type == "number"):
        return False
    taken = {port.type for port in tool.inputs}
    given = {port.type for port in tool.outputs} - {"text"}
    for word in clause.words[quantity.last + 1 : quantity.last + 3]:
        types = {t.key for t in lexicon().terms(tokens_of(word.text)) if t.kind == "type"}
        if any(fits(t, wanted) for t in types for wanted in taken) and not types & given:
            return True
    return False


def _all_around(ports: Sequence[PortSpec], free: Sequence[Quantity], clause: Clause) -> list[Match]:
    """50 pixels "on every side" for ports named left, right, top and bottom."""
    sides: Mapping[str, PortSpec] = {port.name: port for port in ports if port.name in _SIDES}
    said = [w.text for i, w in enumerate(clause.words) if i in clause.places]
    every = any(one in _EVERY and other in _AROUND for one, other in itertools.pairwise(said))
    if len(sides) < 3 or not every or len(free) != 1:
        return []
    matches = [(port, converted(port, free[0], clause)) for port in sides.values()]
    return [Match(port.name, free[0], 3.0, value) for port, value in matches if value is not None]
