"""How much is meant where marked words give no number: "as much as possible", "no gap", "a week", "for broadcast"."""

from __future__ import annotations

import re

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity
from desktop_app.plan.arguments.quantity_evidence import counts, unit_of
from desktop_app.plan.arguments.quantity_match import converted
from desktop_app.plan.arguments.value_tables import Word, tables
from desktop_app.plan.language.tokenizer import plain_words
from desktop_app.plan.types import PortSpec, ToolSpec

_SURE = 0.6
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
