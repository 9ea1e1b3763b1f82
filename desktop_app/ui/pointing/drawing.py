"""What was marked in one picture: the things meant, each with its marks and its reading. Values, to be undone.

Must not know widgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from desktop_app.ui.pointing.marks import Mark, clicks, from_json, paints, to_json
from nodes.api import Point

BEST = "best"
READINGS = ("small", "medium", "large")


@dataclass(frozen=True)
class MarkedObject:
    """One thing in the picture. `number` gives its colour and stays its own; `reading` says how much of what was
    clicked is meant.
    """

    number: int
    marks: tuple[Mark, ...] = ()
    reading: str = BEST

    @property
    def clicks(self) -> tuple[Point, ...]:
        """What is asked of the tool; () when no mark says what is meant, or it is painted alone."""
        found = clicks(self.marks)
        return found if any(point.include for point in found) else ()


@dataclass(frozen=True)
class Drawing:
    """All things, at least one, and which of them is worked on.

    `grow` and `feather` are what becomes of the edge of all together, in pixels of the picture.
    """

    things: tuple[MarkedObject, ...] = (MarkedObject(1),)
    current: int = 0
    grow: int = 0
    feather: int = 0

    @property
    def thing(self) -> MarkedObject:
        return self.things[self.current]

    @property
    def marked(self) -> tuple[MarkedObject, ...]:
        return tuple(thing for thing in self.things if thing.marks)

    @property
    def plain(self) -> bool:
        """True when points alone say all: one thing, nothing painted, the likeliest reading, its edge as it is."""
        return self.unpainted and self.marked[0].reading == BEST and not self.grow and not self.feather

    @property
    def unpainted(self) -> bool:
        """True when a tool finds all of it: one thing, nothing painted."""
        marked = self.marked
        return len(marked) == 1 and not paints(marked[0].marks)

    def with_thing(self, **changes: Any) -> Drawing:
        changed, at = replace(self.thing, **changes), self.current
        return replace(self, things=(*self.things[:at], changed, *self.things[at + 1 :]))

    def added(self) -> Drawing:
        """With one more thing, which is worked on; an empty one that is there already is taken."""
        empty = next((i for i, thing in enumerate(self.things) if not thing.marks), None)
        if empty is not None:
            return replace(self, current=empty)
        number = 1 + max(thing.number for thing in self.things)
        return replace(self, things=(*self.things, MarkedObject(number)), current=len(self.things))

    def without(self, index: int) -> Drawing:
        """Without the thing of that index; the last one is emptied instead."""
        if len(self.things) == 1:
            return replace(self, things=(MarkedObject(1),), current=0)
        kept = self.things[:index] + self.things[index + 1 :]
        return replace(self, things=kept, current=min(self.current - (index < self.current), len(kept) - 1))

    def to_json(self) -> list[dict[str, Any]]:
        """The things as plain data; `restored` reverses it."""
        return [
            {"number": t.number, "reading": t.reading, "marks": [to_json(mark) for mark in t.marks]}
            for t in self.marked
        ]


def restored(data: Any) -> Drawing | None:
    """The drawing that was kept as `to_json` gives it; None when that cannot be read."""
    try:
        things = tuple(
            MarkedObject(int(t["number"]), tuple(from_json(mark) for mark in t["marks"]), str(t["reading"]))
            for t in data
        )
    except (KeyError, TypeError, ValueError):
        return None
    return Drawing(things, len(things) - 1) if things else None
