"""What stands on the canvas beside the graph: notes and frames. Plain values; they change nothing of what is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Place = tuple[float, float]

COLORS = ("grey", "blue", "green", "amber", "rose", "violet")
LEAST = (96.0, 48.0)


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
    """Plain data; `from_json` reverses it."""
    return {
        "kind": "note" if isinstance(decoration, Note) else "frame",
        "id": decoration.id,
        "text": decoration.text,
        "place": list(decoration.place),
        "size": list(decoration.size),
        "color": decoration.color,
    }


def from_json(data: Mapping[str, Any]) -> Decoration | None:
    """None for a kind that this version does not know. Raises KeyError, TypeError or ValueError."""
    kind = _KINDS.get(data["kind"])
    if kind is None:
        return None
    wide, high = pair(data["size"])
    color = str(data.get("color", COLORS[0]))
    return kind(
        str(data["id"]),
        str(data.get("text", "")),
        pair(data["place"]),
        (max(LEAST[0], wide), max(LEAST[1], high)),
        color if color in COLORS else COLORS[0],
    )


def pair(data: Any) -> Place:
    """Two finite numbers. Raises TypeError or ValueError."""
    x, y = (float(number) for number in data)
    if not (abs(x) < 1e9 and abs(y) < 1e9):
        raise ValueError(f"{x}, {y} is no place")
    return x, y
