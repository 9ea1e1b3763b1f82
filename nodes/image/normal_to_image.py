"""Make a picture from a normal map and a description."""

from __future__ import annotations

import numpy as np

from nodes._support.inference import control
from nodes.api import Image, Normal, Port, ResourceType


@control.to_image(
    Port("normal", ResourceType.NORMAL, "directions of surfaces as colours"),
    task="normal to image",
    title="Normals to image",
    description="Makes a new picture of what a text describes with the surfaces of a normal map.",
    examples=(
        "Make a picture of a bronze bust from this normal map",
        "Generate an image of a stone fountain with the surface normals of vase.jpg",
    ),
    words=("normal map to image", "normals to picture", "same surfaces", "controlnet normal"),
)
def normal_to_image(normal: Normal) -> Image:
    """Our red is to the right; that of ControlNet 1.1 to the left. Blue to the front and green to the top are alike."""
    return np.dstack((255 - normal[:, :, 0], normal[:, :, 1:]))
