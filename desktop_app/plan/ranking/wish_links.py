"""Facts about two wishes of a request, out of which the tagger says whether the second takes what the first made; and
what trees make of that, which see all pairs of the request (stacking: Wolpert 1992).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from desktop_app.plan.tools.tool_graph import SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.types import PortSpec, ToolSpec

_MADE = ("image", "audio", "video", "text", "table", "number", "mask", "boxes", "html", "url", "file")
_LAID_IN = frozenset(("image", "audio", "video", "table", "html", "mask", "boxes"))


def worked_on(tool: ToolSpec) -> tuple[list[PortSpec], list[PortSpec]]:
    """The inputs for what the tool works on, and those for things that may be laid beside it."""
    needed = [p for p in main_inputs(tool) if p.type not in SETTINGS | {"points"} and not p.choices]
    things = [port for port in needed if port.type not in ("text", "url")] or needed
    any_of = [p for p in tool.inputs if p.name in tool.any_of and p.type not in SETTINGS and not p.choices]
    beside = [p for p in tool.inputs if not p.required and p.type in _LAID_IN and p not in any_of]
    return [*things, *any_of], beside


def facts(place: int, other: int, giver: ToolSpec, taker: ToolSpec, given: Sequence[str], count: int) -> list[float]:
    """For the wishes at `place` and `other` of `count`, with the tools that serve them, beside files of types `given`:
    one number for each fact; training knows them by their order.
    """
    needs, laid_in = worked_on(taker)
    own, _ = worked_on(giver)
    made = [port.type for port in giver.outputs]
    types, apart = {port.type for port in needs}, other - place
    direct = any(fits(type, port.type) for type in made for port in needs)
    many, two = any(port.many for port in needs), len(needs) > 1
    keeps = any(fits(type, port.type) for type in made[:1] for port in own)
    turns = any(fits(out.type, port.type) for out in taker.outputs[:1] for port in needs)
    for_taker = sum(any(fits(type, port.type) for port in needs) for type in given)
    for_giver = sum(any(fits(type, port.type) for port in own) for type in given)
    found = [
        True, apart > 0, apart == 1, apart == 2, apart > 2, apart < 0, apart == -1, direct,
        any(fits(type, port.type) for type in made for port in laid_in), many, two, keeps, turns,
        for_taker == 0, for_taker == 1, for_taker > 1, for_giver == 0, for_giver == 1, for_giver > 1,
        bool({port.type for port in own} & types), giver.id == taker.id, direct and many, direct and two,
        keeps and turns, keeps and not turns, not keeps and not turns, not keeps and turns,
        other == count - 1, place == 0,
        *(type in made for type in _MADE), *(type in types for type in _MADE),
    ]  # fmt: skip
    return [float(fact) for fact in found]


def may_take(giver: ToolSpec, taker: ToolSpec, graph: ToolGraph) -> bool:
    """True where the taker can work on what the giver makes, as it is or after one step between."""
    needs, laid_in = worked_on(taker)
    made = {port.type for port in giver.outputs}
    if any(fits(type, port.type) for type in made for port in (*needs, *laid_in)):
        return True
    reach = graph.reachable(made)
    return any(reach.get(port.type, 9) <= 1 and port.type != "number" for port in needs)


NO_ODDS = -9.0
"""Of a pair that is none."""


def log_odds(share: float) -> float:
    """Of a probability, between -14 and 14."""
    return math.log(share + 1e-6) - math.log(1 - share + 1e-6)


def among(
    shares: Mapping[tuple[int, int], float], told: Mapping[tuple[int, int], Sequence[float]], count: int
) -> list[list[float]]:
    """For each pair of `count` wishes, in the order of `shares`: what the tagger says of it and of the pairs that it
    competes or goes on with, and its `facts` (`told`). Training knows them by their order.
    """
    odds = {pair: log_odds(share) for pair, share in shares.items()}

    def at(one: int, other: int) -> float:
        return odds.get((one, other), NO_ODDS)

    def best(found: Sequence[float], most: int = 1) -> list[float]:
        return [*sorted(found, reverse=True), *[NO_ODDS] * most][:most]

    rows: list[list[float]] = []
    for one, other in shares:
        rest = [n for n in range(count) if n not in (one, other)]
        rows.append([
            at(one, other),
            *best([at(n, other) for n in rest], 2),
            *best([at(one, n) for n in rest], 2),
            at(other, one),
            *best([min(at(one, n), at(n, other)) for n in rest]),
            *best([min(at(n, one), at(n, other)) for n in rest]),
            at(other - 1, other),
            *best([at(n, other) for n in range(other)]),
            *best([at(n, one) for n in range(count) if n != one]),
            one, other, count, other - one,
            *told[one, other],
        ])  # fmt: skip
    return rows
