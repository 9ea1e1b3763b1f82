"""Make a part of a picture stand out."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_selected, colour_of, join_alpha, mix, odd, split_alpha, to_bytes, unit
from nodes.api import Image, Mask, Port, ResourceType, Text, tool


@tool(
    id="highlight",
    title="Highlight",
    domain="image",
    description="Makes the part under a mask stand out: the rest is dimmed, or the part is tinted and outlined.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("mask", ResourceType.MASK, "what should stand out"),
        Port(
            "style",
            ResourceType.TEXT,
            "how",
            default="dim",
            choices=("dim", "tint", "outline", "grey"),
            question="How should it stand out?",
        ),
        Port(
            "colour",
            ResourceType.TEXT,
            "colour of tint and outline",
            default="#ff3b6b",
            question="Which colour should it have?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture with the part highlighted"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=(
        "Highlight the selected object",
        "Highlight the faces in this photo",
        "Show which part of the picture was selected",
        "Dim everything except the cup",
    ),
    words=("highlight", "stand out", "emphasise", "overlay the mask", "show the selection", "spotlight"),
    icon="highlighter",
)
def highlight(image: Image, mask: Mask, style: Text = "dim", colour: Text = "#ff3b6b") -> Image:
    """dim darkens the rest to a third, grey takes its colour away, tint colours the part, outline frames it.

    Same size, alpha kept. Raises NodeError naming `mask` when it is empty or of another size, or `colour`.
    """
    import cv2

    check_selected(mask, image)
    rgb, alpha = split_alpha(image)
    ink = np.array(colour_of(colour), np.float32)
    if style == "dim":
        shown = mix(to_bytes(rgb * np.float32(0.33)), rgb, mask)
    elif style == "grey":
        shown = mix(cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), rgb, mask)
    else:
        tinted = to_bytes(rgb * np.float32(0.55) + ink * np.float32(0.45)) if style == "tint" else rgb
        shown = mix(rgb, tinted, mask)
        side = odd(unit(image, 0.006), 3)
        pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        shown[cv2.morphologyEx((mask > 127).astype(np.uint8), cv2.MORPH_GRADIENT, pen) > 0] = ink.astype(np.uint8)
    return join_alpha(shown, alpha)
