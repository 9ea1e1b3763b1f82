"""The order in which wishes are to be done, where the wording turns it round: "frame it, but crop it beforehand"."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from itertools import pairwise

from desktop_app.plan.language.discourse import MARK
from desktop_app.plan.language.tokenizer import Token

_LEADING = 2
"""So many words into a wish may still say when it is to be done."""
_THAT = frozenset(("that", "this", "all", "everything", "anything", "tout", "nada", "todo"))
_JOINTS = frozenset(("but", "and"))
_OF_VERBS = frozenset(("from", "you", "i", "we", "it", "the", "a", "my"))
"""What follows "before" where that says what comes later: "avant de recadrer", "before you crop"."""
_COMMAS = frozenset((",", "，", "、"))
_SURE = 0.95
_TAKES = 0.5

Links = MutableMapping[tuple[int, int], float]


def told_order(tokens: Sequence[Token], wishes: Sequence[tuple[int, int]], links: Links) -> list[int]:
    """The numbers of the wishes as they are to be done. `tokens` are those of the whole request, `wishes` the offsets
    of each, in the order of the text; `links` say how probable it is (0..1) that the second takes what the first makes.
    """
    order: list[int] = []
    for number, (start, _) in enumerate(wishes):
        begun = wishes[number - 1][1] if number else 0
        if number and (_is_ahead(tokens, wishes, number) or _is_put_off(tokens, wishes, number - 1)):
            order.insert(order.index(number - 1), number)
        elif (
            number and order[-1] != number - 1 and not _ends(tokens, begun, start) and _goes_with(number, order, links)
        ):
            order.insert(order.index(number - 1) + 1, number)
        else:
            order.append(number)
    return order


def put_in_order(order: Sequence[int], links: Links) -> None:
    """Makes the links say what the order says: what was put ahead takes nothing of what it was put ahead of, but goes
    on to it, with all that this would have taken. Pairs that are in no link cannot be joined.
    """
    place = {number: at for at, number in enumerate(order)}
    moved = {number for number, at in place.items() if any(other < number and place[other] > at for other in place)}
    for one, other in pairwise(order):
        if one in moved and other < one:
            for giver in place:
                if (giver, one) in links and place[giver] < place[one]:
                    links[giver, one] = max(links[giver, one], links.get((giver, other), 0.0))
    for one, other in [*links]:
        if one < other and place.get(one, -1) > place.get(other, len(place)):
            links[one, other] = 0.0
    for one, other in pairwise(order):
        if (one in moved or other in moved) and (one, other) in links:
            links[one, other] = max(links[one, other], _SURE)


def _is_ahead(tokens: Sequence[Token], wishes: Sequence[tuple[int, int]], number: int) -> bool:
    """ "Beforehand" among the words of a wish, before them, or right behind them; "... after speaking it"."""
    begun, (start, end) = wishes[number - 1][1], wishes[number]
    after = wishes[number + 1][0] if number + 1 < len(wishes) else -1
    for place, token in enumerate(tokens):
        closes = place + 1 == len(tokens) or tokens[place + 1].kind == "stop"
        marked = token.word == MARK or (_means_before_that(tokens, place) and _leads(tokens, place, start))
        if marked and ((begun <= token.start < start and not closes) or start <= token.start < end):
            return True
        if token.word == MARK and end <= token.start < after and closes:
            return True
        doing = not closes and tokens[place + 1].word.endswith("ing")
        if token.word == "after" and doing and _leads(tokens, place, start):
            return place > 0 and tokens[place - 1].kind != "stop"
    return False


def _means_before_that(tokens: Sequence[Token], place: int) -> bool:
    """ "Before that", "avant tout", "antes de eso"; "mais avant recadre-la", with a verb."""
    if tokens[place].word != "before":
        return False
    words = [token.word for token in tokens[place + 1 : place + 3]]
    if words[words[:1] == ["from"] :][:1] and words[words[:1] == ["from"] :][0] in _THAT:
        return True
    joined = place > 0 and tokens[place - 1].word in _JOINTS
    return joined and not (words and (words[0] in _OF_VERBS or words[0].endswith("ing")))


def _is_put_off(tokens: Sequence[Token], wishes: Sequence[tuple[int, int]], number: int) -> bool:
    """ "Before you frame it, ...", with what is to be done first in the same sentence."""
    start, end = wishes[number]
    places = [n for n, t in enumerate(tokens) if t.word == "before" and t.start <= start and _leads(tokens, n, start)]
    if not places or _means_before_that(tokens, places[-1]):
        return False
    place = places[-1]
    first = place == 0 or (tokens[place - 1].kind == "stop" and tokens[place - 1].text not in _COMMAS)
    return first and not _ends(tokens, end, wishes[number + 1][0])


def _ends(tokens: Sequence[Token], end: int, start: int) -> bool:
    """True where the sentence ends between a wish that ends there and one that starts there."""
    return any(t.kind == "stop" and t.text not in _COMMAS for t in tokens if end - 1 <= t.start < start)


def _leads(tokens: Sequence[Token], place: int, start: int) -> bool:
    """True for a word right before a wish, or among its first; no comma stands between."""
    first, last = sorted((start, tokens[place].start))
    between = [t for t in tokens if first <= t.start < last]
    return len(between) <= _LEADING and all(t.kind != "stop" for t in between[1:])


def _goes_with(number: int, order: Sequence[int], links: Links) -> bool:
    """True for a wish that goes on from the one before it, which was put ahead, and from nothing that comes after."""
    later = order[order.index(number - 1) + 1 :]
    own = links.get((number - 1, number), 0.0)
    return own > _TAKES and all(links.get((other, number), 0.0) < own for other in later)
