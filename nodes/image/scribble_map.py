"""Draw a picture as a rough sketch of strokes."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import odd, split_alpha, to_bytes, unit
from nodes._support.inference import onnx_pictures
from nodes._support.vision.drawing import soft_edges
from nodes._support.vision.seeing import shrunk
from nodes.api import Family, Image, Number, Port, ResourceType, RunContext, Scribble, backend_of, tool

_LONGEST = 1600  # chosen: the pen has 9 pixels then


@tool(
    id="scribble_map",
    title="Scribble map",
    domain="image",
    description="Turns a picture into a rough scribble: a few thick white strokes along its main outlines.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "detail",
            ResourceType.NUMBER,
            "0 few strokes, 1 many",
            default=0.3,
            minimum=0,
            maximum=1,
            question="How much detail should there be, from 0 to 1?",
        ),
    ),
    outputs=(Port("scribble", ResourceType.SCRIBBLE, "white strokes on black"),),
    backend="thinning",
    backend_title="Soft edges, thinned",
    quality=0.5,
    examples=("Make a scribble of this picture", "Turn photo.jpg into rough strokes"),
    words=("scribble", "rough sketch lines", "doodle map", "strokes"),
    icon="brush",
)
def scribble_map(image: Image, detail: Number = 0.3) -> Scribble:
    """The strong soft edges, thinned to a skeleton, short bits dropped, drawn as thick strokes. uint8, 0 or 255.

    Drawn at up to 1600 pixels a side, and enlarged: the pen is wider than what that loses.
    """
    small, _ = shrunk(image, _LONGEST)
    return _strokes(soft_edges(small, 0.3), image, detail)


@backend_of(scribble_map, families=(Family("onnx edges", "scribble map", onnx_pictures.RUNTIME, device="cpu"),))
def by_model(image: Image, detail: Number, *, context: RunContext) -> Scribble:
    """Strokes where DexiNed is sure of edges, which people drew for it. uint8 (height, width), 0 or 255."""
    small, _ = shrunk(split_alpha(image)[0], _LONGEST)
    return _strokes(to_bytes(onnx_pictures.edges(small, context) * 255), image, detail)


def _strokes(soft: np.ndarray, image: np.ndarray, detail: float) -> Scribble:
    """Thick strokes at the size of `image` along its `soft` edges, which may be smaller."""
    import cv2
    from skimage.morphology import skeletonize

    thin = skeletonize(soft > 150 - 90 * detail).astype(np.uint8)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(thin)
    long_enough = np.zeros(count, np.uint8)
    long_enough[1:] = stats[1:, cv2.CC_STAT_AREA] >= unit(soft, 0.06 - 0.04 * detail, 4)
    side = odd(unit(soft, 0.006), 3)
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    drawn = cv2.dilate(long_enough[np.asarray(parts, np.int32)] * np.uint8(255), pen)
    if drawn.shape == image.shape[:2]:
        return drawn
    large = cv2.resize(drawn, image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.where(large > 127, np.uint8(255), np.uint8(0))
