"""Show where two pictures differ, and how alike they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from nodes._support.imaging.pixels import resized, to_bytes
from nodes._support.vision.seeing import grey, opaque, shrunk
from nodes.api import Image, NodeError, Number, Phrase, Port, ResourceType, tool

_LONGEST = 1200


@tool(
    id="compare_images",
    title="Compare pictures",
    domain="image",
    description="Compares two pictures: shows where they differ as a heat map and says how alike they are.",
    inputs=(
        Port("first", ResourceType.IMAGE, "one picture"),
        Port("second", ResourceType.IMAGE, "the other; brought to the size of the first"),
    ),
    outputs=(
        Port("image", ResourceType.IMAGE, "the first in grey, glowing where they differ"),
        Port("number", ResourceType.NUMBER, "similarity, 1 for the same picture, near 0 for unrelated ones"),
    ),
    backend="ssim",
    backend_title="Structural similarity",
    quality=0.9,
    examples=(
        "What is the difference between a.png and b.png?",
        "Compare the two pictures",
        "Are these two images the same?",
    ),
    words=("compare", "difference", "differences", "spot the difference", "how similar", "changed between", "diff"),
    icon="git-compare",
)
def compare_images(first: Image, second: Image) -> tuple[Image, Number]:
    """Heat map, uint8 RGB of the first one's size, and mean SSIM (Wang et al. 2004) cut to 0..1.

    Raises NodeError naming `second` when the pictures are of quite different shape.
    """
    import cv2

    one, other = opaque(first), opaque(second)
    height, width = one.shape[:2]
    if not 0.8 < (width / height) / (other.shape[1] / other.shape[0]) < 1.25:
        raise NodeError(
            Phrase(
                "The pictures differ in shape: {width} × {height} and {width2} × {height2} pixels.",
                width=width,
                height=height,
                width2=other.shape[1],
                height2=other.shape[0],
            ),
            "second",
            "Crop them to the same part first.",
        )
    other = resized(other, width, height)
    difference = cv2.absdiff(one, other).max(axis=2)
    strength = np.minimum(cv2.GaussianBlur(difference, (0, 0), 1.0).astype(np.float32) * 3, 255) / 255
    glow = cv2.cvtColor(cv2.applyColorMap(to_bytes(strength * 255), cv2.COLORMAP_INFERNO), cv2.COLOR_BGR2RGB)
    ground = cv2.cvtColor(grey(first), cv2.COLOR_GRAY2RGB) * np.float32(0.45)
    share = np.minimum(strength * 2, 1)[:, :, None]
    return to_bytes(glow * share + ground * (1 - share)), _similarity(one, other)


def _similarity(one: np.ndarray, other: np.ndarray) -> float:
    from skimage.metrics import structural_similarity

    one, other = shrunk(one, _LONGEST)[0], shrunk(other, _LONGEST)[0]
    if min(one.shape[:2]) < 7:
        return 1 - float(np.abs(one.astype(float) - other).mean()) / 255
    found: Any = structural_similarity(one, other, channel_axis=2)
    return min(1.0, max(0.0, float(found)))
