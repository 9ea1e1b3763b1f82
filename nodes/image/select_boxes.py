"""Choose some of the boxes: the largest, the leftmost, the dogs ..."""

from __future__ import annotations

import re
from collections.abc import Callable

from nodes._support.words import stem
from nodes.api import Box, Boxes, Integer, NodeError, Phrase, Port, ResourceType, Text, tool

_KINDS = (
    {"person", "people", "man", "woman", "men", "women", "human", "boy", "girl", "child", "children", "kid"},
    {"dog", "puppy", "hound"},
    {"cat", "kitten", "kitty"},
    {"car", "automobile", "vehicle"},
    {"bicycle", "bike", "cycle"},
    {"motorcycle", "motorbike"},
    {"airplane", "plane", "aeroplane", "aircraft"},
    {"couch", "sofa"},
    {"tv", "television", "monitor", "screen"},
    {"phone", "cellphone", "smartphone", "telephone"},
    {"cup", "mug"},
    {"boat", "ship"},
    {"bird", "pigeon", "duck", "parrot"},
    {"face", "head"},
    {"plant", "potted plant", "houseplant"},
    {"table", "dining table", "desk"},
)
_ODD_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse"}
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
    Nothing to choose from gives (). Raises NodeError naming `which` when boxes exist and it fits none of them.
    """
    wish = which.lower().strip()
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
    kept = _of_kind(boxes, meant, which, bool(order)) if meant else boxes
    return tuple(sorted(kept, key=order)[:count]) if order else kept


def _of_kind(boxes: Boxes, meant: list[str], which: str, ordered: bool) -> Boxes:
    if ordered and not any(box.label for box in boxes):
        return boxes  # nothing tells kinds apart: the order alone decides
    kept = tuple(box for box in boxes if any(_same(word, box.label) for word in meant))
    if kept:
        return kept
    labels = ", ".join(sorted({box.label for box in boxes if box.label})) or "without labels"
    raise NodeError(
        Phrase("None of the {count} boxes fits '{which}'.", count=len(boxes), which=which),
        "which",
        Phrase("They are: {labels}.", labels=labels),
    )


def _same(word: str, label: str) -> bool:
    wanted = _meanings(word)
    return any(wanted & _meanings(part) for part in (label.lower(), *re.findall(r"\w+", label.lower())))


def _meanings(word: str) -> set[str]:
    """Stems of the word and of all words that mean the same."""
    word = _ODD_PLURALS.get(word, word)
    own = stem(word, "en")
    kinds = [kind for kind in _KINDS if any(stem(other, "en") == own for other in kind)]
    return {own, *(stem(_ODD_PLURALS.get(other, other), "en") for kind in kinds for other in kind)}


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
