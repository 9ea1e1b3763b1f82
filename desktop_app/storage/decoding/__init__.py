"""Reads pictures, sounds, films and pages of strangers in a process of its own, and gives what may be shown of them.

A decoder that crashes, hangs or wants too much memory ends that process: whoever asked gets a sentence. Everything
here waits, and is to be called on a thread. Must not know Qt, nor where files come from.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

from desktop_app.storage.decoding.process import Unreadable, ask, stop
from nodes._support.files import codecs
from nodes.api import ResourceType, Table

__all__ = [
    "MOST_SHOWN", "Beginning", "Pixels", "Unreadable", "converted", "facts_of", "frame", "outline", "page", "picture",
    "stop", "value",
]  # fmt: skip

MOST_SHOWN = 100_000_000
"""Pixels of a picture. What has more is not shown, not even small: it has to be decoded as a whole first."""
_SECONDS = 30.0
_SOUND_SECONDS = 90.0
_SAVING_SECONDS = 600.0
_MOST_PAGE, _MOST_SAVED, _MOST_VALUE = 64 << 20, 1 << 31, 64 << 20
_MOST_FACTS = 12


class Pixels(NamedTuple):
    """`data` holds `height` rows of `width` pixels of `channels` bytes: 1 (grey), 3 (RGB) or 4 (RGBA)."""

    width: int
    height: int
    channels: int
    data: bytearray


def facts_of(path: Path, type: ResourceType) -> dict[str, Any]:
    """As nodes._support.files.facts.facts_of. Raises Unreadable, OSError or PermissionError."""
    if type in (ResourceType.FILE, ResourceType.HTML):
        return {"bytes": path.stat().st_size}
    seconds = _SOUND_SECONDS if type is ResourceType.AUDIO else _SECONDS
    found, _ = ask("facts", path, {"type": str(type)}, seconds)
    facts = found.get("facts")
    if not isinstance(facts, dict) or len(facts) > _MOST_FACTS or not all(map(_is_plain, facts.values())):
        raise Unreadable("what was found in it makes no sense")
    return facts


def picture(path: Path, type: ResourceType, longest: int | None = None) -> Pixels:
    """The picture upright, its longer side at most `longest`; a mask is grey. Raises Unreadable or OSError."""
    made = _pixels(*ask("picture", path, {"type": str(type), "longest": longest, "most": MOST_SHOWN}, _SECONDS))
    if type is ResourceType.MASK and made.channels != 1:
        raise Unreadable("what was found in it makes no sense")
    return made


def frame(path: Path, longest: int | None = None) -> Pixels:
    """The first picture of a film. Raises Unreadable or OSError."""
    return _pixels(*ask("frame", path, {"longest": longest, "most": MOST_SHOWN}, _SECONDS))


def outline(path: Path, bars: int) -> tuple[tuple[float, ...], float]:
    """Loudness 0..1 of `bars` equal stretches of a sound, and its seconds. Raises Unreadable or OSError."""
    found, _ = ask("outline", path, {"bars": bars}, _SOUND_SECONDS)
    peaks, seconds = found.get("peaks"), found.get("seconds")
    if not isinstance(peaks, list) or len(peaks) > bars or not all(map(_is_plain, (*peaks, seconds))):
        raise Unreadable("what was found in it makes no sense")
    return tuple(float(peak) for peak in peaks), float(seconds or 0)


def page(path: Path) -> str:
    """A page as HTML that is safe and quick to show; its own pictures are made anew. Raises Unreadable or OSError."""
    _, data = ask("page", path, {}, _SECONDS, _MOST_PAGE)
    return data.decode("utf-8", "replace")


class Beginning(NamedTuple):
    """A value for showing; `cut` when the file holds more of it."""

    value: Any
    cut: bool


def value(path: Path, type: ResourceType) -> Beginning:
    """A text, table, list or number, as far as it is shown; of a file the text or the table of the document that it
    is. Raises Unreadable or OSError.
    """
    found, data = ask("value", path, {"type": str(type)}, _SECONDS, _MOST_VALUE)
    try:
        plain = json.loads(data)
        if type is ResourceType.FILE:
            type = ResourceType.TEXT if isinstance(plain, str) else ResourceType.TABLE
        if type in (ResourceType.TEXT, ResourceType.URL, ResourceType.HTML):
            made = plain if isinstance(plain, str) else None
        elif type in (ResourceType.NUMBER, ResourceType.FLAG):
            made = plain if _is_cell(plain) else None
        else:
            made = codecs.from_json(plain, type)
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        made = None
    rows = (made.columns, *made.rows) if isinstance(made, Table) else made if isinstance(made, tuple) else ()
    if made is None or not all(_is_cell(cell) for row in rows for cell in row):
        raise Unreadable("what was found in it makes no sense")
    return Beginning(made, found.get("cut") is True)


def converted(path: Path, type: ResourceType, ending: str) -> bytearray:
    """The file in the form of another ending. Raises Unreadable or OSError."""
    return ask("converted", path, {"type": str(type), "ending": ending}, _SAVING_SECONDS, _MOST_SAVED)[1]


def taken(path: Path) -> bytes:
    """As `facts.taken`. Raises Unreadable or OSError."""
    return bytes(ask("taken", path, {}, _SECONDS)[1])


def _pixels(found: dict[str, Any], data: bytearray) -> Pixels:
    width, height, channels = (found.get(name, 0) for name in ("width", "height", "channels"))
    sizes = (width, height, channels)
    if not all(type(size) is int and size > 0 for size in sizes) or channels not in (1, 3, 4):
        raise Unreadable("what was found in it makes no sense")
    if width * height > MOST_SHOWN or len(data) != width * height * channels:
        raise Unreadable("what was found in it makes no sense")
    return Pixels(width, height, channels, data)


def _is_cell(value: Any) -> bool:
    if isinstance(value, int | float):
        return math.isfinite(value) if isinstance(value, float) else abs(value) < 10**300
    return value is None or isinstance(value, str)


def _is_plain(value: Any) -> bool:
    return (isinstance(value, bool | int) and abs(value) < 1e15) or (isinstance(value, float) and abs(value) < 1e15)
