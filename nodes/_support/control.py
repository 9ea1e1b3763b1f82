"""What the tools share that make a picture from a map of one (edges, depth) and a description, with a ControlNet."""

from __future__ import annotations

import numpy as np

from nodes._support import diffusion, models
from nodes._support.model_pool import pool
from nodes._support.pixels import resized
from nodes.api import NodeError, Port, ResourceType, RunContext

BASE = "sd-1-5"
"""The catalogue's id of the model that the ControlNets steer; it lies in the folder beside theirs."""
PACKAGES = ("python:torch", "python:transformers", "python:diffusers")
PORTS = (
    Port("strength", ResourceType.NUMBER, "how closely it follows the map", default=1.0, minimum=0, maximum=2),
    Port("side", ResourceType.NUMBER, "longer side that is painted; larger maps are painted smaller and enlarged",
         default=768, minimum=64, maximum=2048, integer=True, unit="px", advanced=True),
    Port("negative", ResourceType.TEXT, "what it should not show", default="", advanced=True),
    Port("seed", ResourceType.NUMBER, "another number gives another picture", default=0, minimum=0,
         maximum=2**32 - 1, integer=True),
    Port("steps", ResourceType.NUMBER, "how long it works at it; as long as the model needs if not given",
         default=None, minimum=1, maximum=200, integer=True, advanced=True),
    Port("guidance", ResourceType.NUMBER, "how closely it follows the words", default=7.0, minimum=0, maximum=30,
         advanced=True),
)  # fmt: skip


def paint(
    map: np.ndarray,
    prompt: str,
    strength: float,
    side: int,
    negative: str,
    seed: int,
    steps: int | None,
    guidance: float,
    context: RunContext,
    port: str = "map",
) -> np.ndarray:
    """A picture as large as the map, uint8 (height, width) or (height, width, 3).

    Raises NodeError when the map, `port`, shows nothing.
    """
    prompt = diffusion.check_prompt(prompt)
    if map.min() == map.max():
        raise NodeError("The map is the same everywhere: there is nothing to follow.", port, "Use another map.")
    folder, base = models.model_folder(context), models.model_folder(context, BASE)
    height, width = map.shape[:2]
    scale = min(1.0, side / max(width, height))
    wide, high = (max(8, round(length * scale)) for length in (width, height))

    def load(device: str) -> object:
        return diffusion.load_pipeline(base, device, folder)

    with pool().lease(folder, "pipeline", load, context) as entry:
        words = {
            "prompt": prompt,
            "negative_prompt": negative or None,
            "guidance_scale": guidance,
            "controlnet_conditioning_scale": float(strength),
            "image": _steer(map, wide, high, diffusion.cell_of(entry.model)),
        }
        picture = diffusion.paint(entry, wide, high, steps, seed, words, context)
    return resized(picture, width, height)


def _steer(map: np.ndarray, width: int, height: int, cell: int) -> object:
    """The map as the pipeline takes it: RGB, in a multiple of the model's cell, where the edge pixels are repeated."""
    from PIL import Image

    coloured = map if map.ndim == 3 else np.repeat(map[:, :, None], 3, axis=2)
    rgb = resized(coloured, width, height)
    below, right = -height % cell, -width % cell
    return Image.fromarray(np.pad(rgb, ((0, below), (0, right), (0, 0)), mode="edge"))
