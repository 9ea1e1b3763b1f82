"""Choose some of the boxes: the largest, the leftmost, the dogs ..."""

from __future__ import annotations

import re
from collections.abc import Callable

from nodes._support import kinds
from nodes.api import Box, Boxes, Integer, NodeError, Port, ResourceType, Text, tool

_IGNORED = frozenset(
    {"the", "a", "an", "one", "of", "all", "every", "each", "only", "most", "and", "box", "boxes", "object", "objects"}
    | {"thing", "things", "on", "in", "at", "to", "side"}
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_ORDERS: tuple[tuple[str, Callable[[Box], float]], ...] = (
    (r"larg\w*|bigg\w*|big", lambda box: -_area(box)),
    (r"small\w*|tini\w*|littl\w*", lambda box: _area(box)),
    (r"left\w*", lambda box: box.x0 + box.x1),
    (r"right\w*", lambda box: -(box.x0 + box.x1)),
    (r"top\w*|upper\w*|highest(?! score)", lambda box: box.y0 + box.y1),
    (r"bottom\w*|lower\w*|lowest(?! score)", lambda box: -(box.y0 + box.y1)),
    (r"highest score|best|surest|most certain", lambda box: -box.score),
    (r"lowest score|worst", lambda box: box.score),
)


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
            'largest, smallest, leftmost, rightmost, top, bottom, highest score, a kind ("dog"), or both',
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
)
def select_boxes(boxes: Boxes, which: Text, count: Integer = 1) -> Boxes:
    """First those of the kind named in `which` are kept, then `count` of them (or as many as it says: "two
    largest") in the order it asks for.

    A kind fits a label when a word of both has the same stem ("dogs", "dog") or both mean the same ("puppy", "dog").
    Nothing to choose from, or nothing of that kind, gives (). Raises NodeError naming `which` when it is empty.
    """
    wish = kinds.in_english(which).strip()
    if not wish:
        raise NodeError("Nothing says which boxes are meant.", "which", 'Say "largest", "leftmost" or a kind.')
    if not boxes:
        return ()
    order = next((key for pattern, key in _ORDERS if re.search(rf"\b({pattern})\b", wish)), None)
    kind = wish
    for pattern, _ in _ORDERS:
        kind = re.sub(rf"\b({pattern})\b", " ", kind)
    words = re.findall(r"\w+", kind)
    said = next((_NUMBERS.get(word) or int(word) for word in words if word in _NUMBERS or word.isdecimal()), 0)
    count = min(said, 1000) or count
    meant = [word for word in words if word not in _IGNORED and word not in _NUMBERS and not word.isdecimal()]
    kept = _of_kind(boxes, meant, bool(order)) if meant else boxes
    return tuple(sorted(kept, key=order)[:count]) if order else kept


def _of_kind(boxes: Boxes, meant: list[str], ordered: bool) -> Boxes:
    if ordered and not any(box.label for box in boxes):
        return boxes  # nothing tells kinds apart: the order alone decides
    return tuple(box for box in boxes if kinds.fits(meant, box.label))


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
