"""What is known of a result, as short plain data for a chooser that reads, and as a small picture for one that sees.

Values are those of nodes.api. Nothing is invented, long texts are cut, and everything is data to be quoted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from desktop_app.storage.resources import Resource
from nodes.api import Audio, Box, Label, ResourceType, Table

if TYPE_CHECKING:
    import numpy as np

MOST_TEXT = 900
MOST_ITEMS = 12
THUMBNAIL = 256
"""Pixels, wide and high at most: about 100 tokens with most models that see."""
_CELL = 60
_TONES = ((0.16, "very dark"), (0.36, "dark"), (0.64, "of middle brightness"), (0.84, "bright"), (1.01, "very bright"))
_HUES = ("red", "orange", "yellow", "green", "green", "cyan", "cyan", "blue", "blue", "purple", "pink", "red")


def facts(resource: Resource) -> dict[str, Any]:
    """Size or duration, from the facets alone."""
    facets: Mapping[str, Any] = resource.facets
    found: dict[str, Any] = {}
    if "width" in facets and "height" in facets:
        found["size"] = f"{facets['width']} x {facets['height']}"
    if "seconds" in facets:
        found["seconds"] = round(float(facets["seconds"]), 1)
    return found | {key: facets[key] for key in ("characters", "rows", "columns") if key in facets}


def about(resource: Resource, value: Any) -> dict[str, Any]:
    """Facts and what the decoded value says: labels with scores, counts, the beginning of a text, a caption.

    `value` may be None when it was not read.
    """
    found = facts(resource)
    if resource.type is ResourceType.MASK and value is not None:
        return found | {"selected": f"{float((value > 127).mean()):.1%}"}
    if resource.type is ResourceType.IMAGE and value is not None:
        return found | {"looks": caption(value)}
    if isinstance(value, str):
        return found | _text(value)
    if isinstance(value, bool | int | float):
        return found | {"value": value}
    if isinstance(value, Audio):
        return found | {"seconds": round(value.seconds, 1)}
    if isinstance(value, Table):
        return found | _table(value)
    return found | (_listed(value) if isinstance(value, tuple) else {})


def thumbnail(resource: Resource, value: Any) -> str:
    """A small picture of an image or a mask as a data: address; "" for anything else, and where it was not read."""
    visual = any(resource.type.is_a(kind) for kind in (ResourceType.IMAGE, ResourceType.MASK))
    if not visual or value is None or value.dtype != "uint8":
        return ""
    from nodes._support.inference.connected import jpeg

    return jpeg(value, THUMBNAIL)


def _text(text: str) -> dict[str, Any]:
    cut = text[:MOST_TEXT]
    return {"text": cut} if cut == text else {"text": cut, "cut": f"the first {MOST_TEXT} of {len(text)} characters"}


def _table(table: Table) -> dict[str, Any]:
    rows = [[str(cell)[:_CELL] if isinstance(cell, str) else cell for cell in row[:8]] for row in table.rows[:4]]
    return {"columns": [str(name)[:_CELL] for name in table.columns[:8]], "count": len(table.rows), "rows": rows}


def _listed(items: tuple[Any, ...]) -> dict[str, Any]:
    if items and all(isinstance(item, Label) for item in items):
        return {"labels": [f"{item.name[:_CELL]} {item.score:.2f}" for item in items[:MOST_ITEMS]]}
    if items and all(isinstance(item, Box) for item in items):
        names = Counter(box.label[:_CELL] or "thing" for box in items)
        return {"count": len(items), "labels": [f"{name} x{count}" for name, count in names.most_common(MOST_ITEMS)]}
    return {"count": len(items)}


def caption(picture: np.ndarray) -> str:
    """ "dark, mostly blue": brightness and prevailing colour of uint8 (height, width, 3 or 4). Takes no model."""
    import numpy as np

    step = max(1, min(picture.shape[:2]) // 64)
    pixels = picture[::step, ::step, :3].reshape(-1, 3).astype(np.float32) / 255
    light = float((pixels @ np.array([0.299, 0.587, 0.114], np.float32)).mean())
    tone = next(name for most, name in _TONES if light < most)
    high, low = pixels.max(axis=1), pixels.min(axis=1)
    coloured = (high - low) > 0.12
    if coloured.mean() < 0.25:
        return f"{tone}, mostly grey"
    hues = Counter(_HUES[int(hue * 12) % 12] for hue in _hue(pixels[coloured][:2000]))
    name, count = hues.most_common(1)[0]
    return f"{tone}, mostly {name}" if count > 0.5 * hues.total() else f"{tone}, of several colours"


def _hue(pixels: np.ndarray) -> np.ndarray:
    """Hue 0..1 of each of (n, 3) pixels 0..1 that are not grey."""
    import numpy as np

    high, low = pixels.max(axis=1), pixels.min(axis=1)
    red, green, blue = pixels.T
    span = high - low
    hue = np.where(
        high == red,
        (green - blue) / span % 6,
        np.where(high == green, (blue - red) / span + 2, (red - green) / span + 4),
    )
    return hue / 6
