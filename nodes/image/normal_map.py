"""Estimate which way the surfaces in a picture face."""

from __future__ import annotations

from nodes._support.imaging.pixels import resized, to_bytes
from nodes._support.inference import diffusion
from nodes._support.models import models
from nodes._support.vision.seeing import opaque
from nodes.api import DIFFUSERS, Family, Image, Integer, Normal, Port, ResourceType, RunContext, tool
from nodes.image.depth_map import nearness
from nodes.image.normal_from_depth import normal_from_depth


@tool(
    id="normal_map",
    title="Normal map",
    domain="image",
    description="Estimates the normals of a picture: which way each place of it faces, as the colours of a normal map.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("seed", ResourceType.NUMBER, "another number gives another guess, where the model guesses", default=0,
             minimum=0, maximum=2**32 - 1, integer=True, advanced=True),
    ),
    outputs=(Port("normal", ResourceType.NORMAL, "directions as colours"),),
    families=(
        Family("transformers depth estimation", "normal map"),
        Family("diffusers marigold", "normal map", DIFFUSERS),
    ),
    examples=("Make a normal map of this picture", "Estimate the surface normals of vase.jpg"),
    words=("normal map of the picture", "image to normal", "normal estimation", "surface normals of the picture"),
    icon="mountain",
)  # fmt: skip
def normal_map(image: Image, seed: Integer = 0, *, context: RunContext) -> Normal:
    """uint8 (height, width, 3): x to the right, y up, z to the viewer, -1..1 as 0..255 each.

    From an estimated depth by its slope, or at once by Marigold (Ke et al. 2024).
    """
    folder = models.model_folder(context)
    if not (folder / "model_index.json").is_file():
        return normal_from_depth(nearness(image, context))
    rgb = opaque(image)
    directions = diffusion.looked_at(rgb, seed, context)
    return resized(to_bytes((directions + 1) * 127.5), *rgb.shape[1::-1])
