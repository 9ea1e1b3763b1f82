"""Find the faces in a picture."""

from __future__ import annotations

import numpy as np

from nodes._support.faces import find_faces
from nodes._support.seeing import grey, opaque, shrunk
from nodes.api import Box, Boxes, Image, Port, ResourceType, tool

_LONGEST = 1600
_ENLARGED = 480
"""Pictures smaller than this are enlarged up to twice, so that small faces in them are seen."""
_TINY, _TINY_SCORE = 20, 0.93
"""A face of fewer pixels is blurred enough to be many things: it needs a higher score."""


@tool(
    id="detect_faces",
    title="Find faces",
    domain="image",
    description="Finds the faces of people in a picture, seen from the front, tilted or from the side, as boxes.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("boxes", ResourceType.BOXES, "one box around each face; none when there is no face"),),
    backend="cascades",
    backend_title="OpenCV cascades, voting",
    quality=0.6,
    examples=(
        "Find the faces in this picture",
        "Find every face in group.jpg",
        "Where are the people's faces?",
        "Is there a face in this photo?",
    ),
    words=("face", "faces", "find faces", "people's faces", "face detection", "heads", "portraits"),
    icon="scan-face",
)
def detect_faces(image: Image) -> Boxes:
    """Square boxes labelled "face" with scores 0.72..1, best first, in pixels of the picture; () when none is found.

    Haar cascades (Viola and Jones 2001) propose and vote, see `nodes/_support/faces.py`. Faces smaller than about
    1/80 of the longer side (or 12 pixels) are not found, nor those turned by more than 45 degrees.
    """
    import cv2

    if min(image.shape[:2]) < 12:
        return ()
    picture, scale = shrunk(grey(image), _LONGEST)
    if max(picture.shape) < _ENLARGED:
        scale = min(2.0, _ENLARGED / max(picture.shape))
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    height, width = image.shape[:2]
    rgb = opaque(image)
    boxes = []
    for place, score in find_faces(picture):
        x0, y0, side = place.x / scale, place.y / scale, place.side / scale
        box = Box(
            max(0.0, x0), max(0.0, y0), min(float(width), x0 + side), min(float(height), y0 + side), "face", score
        )
        if side < _TINY and score < _TINY_SCORE:
            continue
        if score > 0.9 or not _has_leaf_or_sky_colour(rgb, box):
            boxes.append(box)
    return tuple(boxes)


def _has_leaf_or_sky_colour(rgb: np.ndarray, box: Box) -> bool:
    """Whether most of the box is clearly green or blue, as foliage is, where cascades err most."""
    part = rgb[int(box.y0) : int(box.y1) + 1, int(box.x0) : int(box.x1) + 1].astype(np.int16)
    red, green, blue = part[..., 0], part[..., 1], part[..., 2]
    return float(((green > red + 12) | (blue > red + 20)).mean()) > 0.6
