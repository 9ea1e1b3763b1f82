"""What stands on the canvas beside the graph: notes and frames. Plain values; they change nothing of what is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.core import checked_json as checked

Place = tuple[float, float]

COLORS = ("grey", "blue", "green", "amber", "rose", "violet")
LEAST = (96.0, 48.0)
_MOST_TEXT = 100_000


@dataclass(frozen=True)
class Note:
    """A text on the canvas. `place` is its top left corner and `size` (width, height), in pixels of the canvas."""

    id: str
    text: str = ""
    place: Place = (0.0, 0.0)
    size: Place = (200.0, 96.0)
    color: str = "amber"


@dataclass(frozen=True)
class Frame:
    """A titled rectangle behind the cards. What has its middle inside is moved with it."""

    id: str
    text: str = ""
    place: Place = (0.0, 0.0)
    size: Place = (320.0, 240.0)
    color: str = "grey"

    def holds(self, place: Place) -> bool:
        """True when a place of the canvas lies inside."""
        (x, y), (width, height) = self.place, self.size
        return x <= place[0] <= x + width and y <= place[1] <= y + height


Decoration = Note | Frame
_KINDS: Mapping[str, type[Note] | type[Frame]] = {"note": Note, "frame": Frame}


def to_json(decoration: Decoration) -> dict[str, Any]:
    return {
        "kind": "note" if isinstance(decoration, Note) else "frame",
        "id": decoration.id,
        "text": decoration.text,
        "place": list(decoration.place),
        "size": list(decoration.size),
        "color": decoration.color,
    }


def from_json(data: Mapping[str, Any]) -> Decoration | None:
    """None for a kind that this version does not know. Raises ValueError for data of another form."""
    data = checked.mapping(data, "a decoration")
    kind = _KINDS.get(checked.text(data, "kind"))
    if kind is None:
        return None
    wide, high = pair(data.get("size"), "its size")
    color = checked.text(data, "color", COLORS[0])
    return kind(
        checked.name(data, "id"),
        checked.text(data, "text", "", _MOST_TEXT),
        pair(data.get("place")),
        (max(LEAST[0], wide), max(LEAST[1], high)),
        color if color in COLORS else COLORS[0],
    )


def pair(data: Any, what: str = "a place") -> Place:
    """Two finite numbers. Raises ValueError."""
    if not isinstance(data, list | tuple) or len(data) != 2:
        raise ValueError(f"{what} should be two numbers")
    x, y = (checked.number(number, what, -1e9, 1e9) for number in data)
    return x, y
