"""Choose some of the boxes: the largest, the leftmost, the dogs ..."""

from __future__ import annotations

import re
from collections.abc import Callable

from nodes._support.language import kinds
from nodes.api import Box, Boxes, Integer, NodeError, Port, ResourceType, Text, tool

_IGNORED = frozenset(
    {"the", "a", "an", "one", "of", "all", "every", "each", "only", "most", "and", "box", "boxes", "object", "objects"}
    | {"thing", "things", "on", "in", "at", "to", "side"}
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_BUT = re.compile(r"^(?P<of>.*?)\b(?:but not|but|except(?: for)?)\b(?P<gone>.+)$")
_NTH = {"second": 1, "third": 2, "fourth": 3, "fifth": 4}
_MIDDLE = r"middle|cent(?:er|re)|central"
_ORDERS: tuple[tuple[str, Callable[[Box], float]], ...] = (
    (r"larg\w*|bigg\w*|big", lambda box: -_area(box)),
    (r"small\w*|tini\w*|littl\w*", lambda box: _area(box)),
    (r"left\w*|first", lambda box: box.x0 + box.x1),
    (r"right\w*|last", lambda box: -(box.x0 + box.x1)),
    (r"top\w*|upper\w*|highest(?! score)", lambda box: box.y0 + box.y1),
    (r"bottom\w*|lower\w*|lowest(?! score)", lambda box: -(box.y0 + box.y1)),
    (r"highest score|best|surest|most certain", lambda box: -box.score),
    (r"lowest score|worst", lambda box: box.score),
)

_LEFT = 2
"""Its place among these."""


@tool(
    id="select_boxes",
    title="Choose boxes",
    domain="image",
    description="Chooses some of the found things: the largest, smallest, leftmost, surest, or those of one kind.",
    inputs=(
        Port("boxes", ResourceType.BOXES, "what was found"),
        Port(
            "which",
            ResourceType.TEXT,
            'largest, smallest, leftmost, middle, rightmost, top, bottom, highest score, a kind ("dog"), or both; '
            "or all but these",
            question="Which ones do you mean?",
        ),
        Port(
            "count",
            ResourceType.NUMBER,
            "how many at most when they are put in order, all of a kind otherwise",
            default=1,
            minimum=1,
            maximum=1000,
            integer=True,
            question="How many should be named at most?",
        ),
    ),
    outputs=(Port("boxes", ResourceType.BOXES, "the chosen ones"),),
    quality=0.9,
    examples=(
        "Only the largest face",
        "The person on the left",
        "Choose the dogs among the found objects",
        "The biggest car",
    ),
    words=("largest", "biggest", "smallest", "leftmost", "rightmost", "only the", "filter the boxes", "on the left"),
    icon="list-filter",
    does="chooses",
)
def select_boxes(boxes: Boxes, which: Text, count: Integer = 1) -> Boxes:
    """First those of the kind named in `which` are kept, then `count` of them (or as many as it says: "two
    largest") in the order it asks for.

    A kind fits a label when a word of both has the same stem ("dogs", "dog") or both mean the same ("puppy", "dog").
    "Middle", "first", "second" and "last" count from the left. "All but" before that takes the others: "all but the
    leftmost", "dogs but the largest".
    Nothing to choose from, or nothing of that kind, gives (). Raises NodeError naming `which` when it is empty.
    """
    wish = kinds.in_english(which).strip()
    if not wish:
        raise NodeError("Nothing says which boxes are meant.", "which", 'Say "largest", "leftmost" or a kind.')
    if not boxes:
        return ()
    if found := _BUT.match(wish):
        there = _chosen(boxes, found["of"], count) if found["of"].strip(" ,") else boxes
        gone = _chosen(there, found["gone"], count)
        return tuple(box for box in there if box not in gone)
    return _chosen(boxes, wish, count)


def _chosen(boxes: Boxes, wish: str, count: int) -> Boxes:
    order = next((key for pattern, key in _ORDERS if re.search(rf"\b({pattern})\b", wish)), None)
    central = bool(re.search(rf"\b({_MIDDLE})\b", wish))
    nth = next((place for word, place in _NTH.items() if re.search(rf"\b{word}\b", wish)), 0)
    kind = wish
    for pattern in (*(pattern for pattern, _ in _ORDERS), _MIDDLE, *_NTH):
        kind = re.sub(rf"\b({pattern})\b", " ", kind)
    words = re.findall(r"\w+", kind)
    said = next((_NUMBERS.get(word) or int(word) for word in words if word in _NUMBERS or word.isdecimal()), 0)
    count = min(said, 1000) or count
    meant = [word for word in words if word not in _IGNORED and word not in _NUMBERS and not word.isdecimal()]
    kept = _of_kind(boxes, meant, bool(order or central or nth)) if meant else boxes
    if central:
        return _middle(kept, count)
    order = order or (_ORDERS[_LEFT][1] if nth else None)
    return tuple(sorted(kept, key=order)[nth : nth + count]) if order else kept


def _middle(boxes: Boxes, count: int) -> Boxes:
    """Those with as many on their left as on their right; of two the one nearer to the middle of all of them."""
    ordered = sorted(boxes, key=lambda box: box.x0 + box.x1)
    centre = sum(box.x0 + box.x1 for box in (ordered[0], ordered[-1])) / 2 if ordered else 0.0
    half = (len(ordered) - 1) / 2
    near = sorted(range(len(ordered)), key=lambda n: (abs(n - half), abs(ordered[n].x0 + ordered[n].x1 - centre)))[
        :count
    ]
    return tuple(ordered[n] for n in sorted(near))


def _of_kind(boxes: Boxes, meant: list[str], ordered: bool) -> Boxes:
    if ordered and not any(box.label for box in boxes):
        return boxes  # nothing tells kinds apart: the order alone decides
    return tuple(box for box in boxes if kinds.fits(meant, box.label))


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
