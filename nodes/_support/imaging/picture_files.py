"""Pictures in the forms in which people keep and send them: JPEG, PNG, WebP, TIFF; and such files of at most a size."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

FORMS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP", ".tif": "TIFF", ".tiff": "TIFF"}
"""By ending, the name by which Pillow knows the form."""
LOSSY = frozenset({"JPEG", "WEBP"})
QUALITY = 92
"""Of JPEG and WebP when nothing is said: hardly to be told from the original."""
_LEAST_QUALITY = 40
"""Below that blocks are seen; then fewer pixels look better."""
_LEAST_SIDE = 16
_MOST_SIDE = {"WEBP": 16_383, "JPEG": 65_535}


def fits_jpeg(path: Path) -> bool:
    """True for a PNG file of 8 bits in which nothing is see-through, that JPEG has a place for."""
    with path.open("rb") as file:
        head = file.read(26)
    if not head.startswith(b"\x89PNG") or head[24:] not in (b"\x08\x00", b"\x08\x02"):
        return False
    return max(struct.unpack(">II", head[16:24])) <= _MOST_SIDE["JPEG"]


def encode(picture: np.ndarray, ending: str, quality: int = QUALITY) -> bytes:
    """The file of a picture: uint8 (height, width[, 3 or 4]) or uint16 (height, width), in the form of the ending.

    `quality` is 1 to 100, for JPEG and WebP; PNG and TIFF keep every pixel. What JPEG has no place for: see-through
    parts become white, 16 bits become 8. Raises ValueError for an ending that is not in FORMS, and for a picture that
    the form cannot hold.
    """
    form = FORMS.get(ending.lower())
    if form is None:
        raise ValueError(f"pictures are not kept as {ending}")
    if max(picture.shape[:2]) > _MOST_SIDE.get(form, 10**9):
        raise ValueError(f"{form} pictures have at most {_MOST_SIDE[form]} pixels on a side")
    return _written(_fitting(picture, form), form, quality)


def within(picture: np.ndarray, ending: str, most: int, quality: int = QUALITY) -> bytes | None:
    """As `encode`, of at most `most` bytes; None when that cannot be.

    JPEG and WebP are written in the best quality that fits, of at most `quality`; where that would be poor, with fewer
    pixels. PNG and TIFF are never made smaller than they are.
    """
    data = encode(picture, ending, quality)
    if len(data) <= most or FORMS[ending.lower()] not in LOSSY:
        return data if len(data) <= most else None
    found = _in_best_quality(picture, ending, most, quality)
    while found is None and min(picture.shape[:2]) > _LEAST_SIDE:
        picture = _smaller(picture, most / len(encode(picture, ending, min(quality, _LEAST_QUALITY))))
        found = _in_best_quality(picture, ending, most, quality)
    return found


def _in_best_quality(picture: np.ndarray, ending: str, most: int, best: int) -> bytes | None:
    low, found = min(best, _LEAST_QUALITY), None
    while low <= best:
        quality = (low + best) // 2 if found is not None else low
        data = encode(picture, ending, quality)
        if len(data) <= most:
            found, low = data, quality + 1
        else:
            best = quality - 1
    return found


def _smaller(picture: np.ndarray, fraction: float) -> np.ndarray:
    """With so many fewer pixels as the file is to have bytes, and some fewer still."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    factor = min(0.95, max(0.1, fraction**0.5 * 0.95))
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return cv2.resize(np.ascontiguousarray(picture), size, interpolation=cv2.INTER_AREA)


def _fitting(picture: np.ndarray, form: str) -> np.ndarray:
    import numpy as np

    if picture.dtype != np.uint8 and form in LOSSY:
        picture = (picture >> 8).astype(np.uint8)
    return on_white(picture) if form == "JPEG" else picture


def on_white(picture: np.ndarray) -> np.ndarray:
    """The picture without its see-through parts, which become white; others as they are."""
    import numpy as np

    if picture.ndim < 3 or picture.shape[2] < 4:
        return picture
    alpha = picture[..., 3:].astype(np.float32) / 255
    return np.rint(picture[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def _written(picture: np.ndarray, form: str, quality: int) -> bytes:
    import numpy as np
    from PIL import Image

    options: dict[str, Any] = {
        "JPEG": {"quality": quality, "subsampling": 0 if quality >= 90 else 2},
        "WEBP": {"quality": quality, "method": 4},
        "PNG": {"optimize": True},
        "TIFF": {"compression": "tiff_adobe_deflate"},
    }[form]
    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(stream, form, **options)
    return stream.getvalue()
