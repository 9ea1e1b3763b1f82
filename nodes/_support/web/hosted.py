"""Lets a service on a server that the user named do a tool's work: pictures and sound there and back.

The program sends the request (RunContext.ask); nothing here knows a server or a key.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np

from nodes._support import opening
from nodes._support.imaging.pixels import cover, resized
from nodes.api import Audio, NodeError, RunContext

_UNREADABLE = "What the service sent cannot be read."
_MOST_PIXELS = 64_000_000
_SIDE = 1536


def service(name: str, quality: float = 0.7) -> dict[str, Any]:
    """The facts of the back end, for `backend_of`."""
    return {
        "id": f"hosted-{name}", "title": "Service on a server", "kind": "endpoint", "device": "network",
        "quality": quality, "requires": (f"service:{name}",),
    }  # fmt: skip


def picture(name: str, request: dict[str, Any], context: RunContext) -> np.ndarray:
    """The picture that the service makes, uint8 (height, width, 3). Raises NodeError."""
    from PIL import Image

    data = _file(context.ask(name, request), "image")
    try:
        with opening.picture(io.BytesIO(data)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise NodeError("The picture that the service sent is too large.", "", "")
            return np.array(opened.convert("RGB"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NodeError(_UNREADABLE, "", "Try again, or choose another back end.") from error


def sound(name: str, request: dict[str, Any], context: RunContext) -> Audio:
    """The sound that the service makes. Raises NodeError."""
    import soundfile

    data = _file(context.ask(name, request), "audio")
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError, ValueError) as error:
        raise NodeError(_UNREADABLE, "", "Try again, or choose another back end.") from error
    if not len(samples):
        raise NodeError(_UNREADABLE, "", "Try again, or choose another back end.")
    return Audio(samples, int(rate))


def sent(rgb: np.ndarray) -> str:
    """The picture as a data: address, at most 1536 pixels wide and high."""
    scale = min(1.0, _SIDE / max(rgb.shape[:2]))
    return png(resized(rgb, *(max(1, round(side * scale)) for side in rgb.shape[1::-1])) if scale < 1 else rgb)


def png(pixels: np.ndarray) -> str:
    """The picture as a data: address."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def flac(samples: np.ndarray, rate: int) -> str:
    """The sound (frames,) or (frames, channels) as letters."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="FLAC", subtype="PCM_16")
    return base64.b64encode(buffer.getvalue()).decode()


def found(name: str, image: str, context: RunContext) -> list[dict[str, Any]]:
    """What the service tells of a picture: entries with "label" and "score" (0..1), of things with "box" too."""
    entries = context.ask(name, {"image": image}).get("found")
    named = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    fit = [one for one in named if isinstance(one.get("label"), str) and isinstance(one.get("score"), int | float)]
    return sorted(fit, key=lambda one: -one["score"])


def fitted(made: np.ndarray, width: int | None, height: int | None) -> np.ndarray:
    """The picture in exactly that size, cut at its longer sides; of one side alone the other follows."""
    if not width and not height:
        return made
    scale = (width or 0) / made.shape[1] or (height or 0) / made.shape[0]
    return cover(made, width or max(1, round(made.shape[1] * scale)), height or max(1, round(made.shape[0] * scale)))


def _file(answer: dict[str, Any], name: str) -> bytes:
    try:
        return base64.b64decode(answer[name], validate=True)
    except (KeyError, TypeError, ValueError) as error:
        raise NodeError(_UNREADABLE, "", "Try again, or choose another back end.") from error
