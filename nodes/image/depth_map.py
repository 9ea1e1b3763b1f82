"""Estimate how far away each place of a picture is."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import resized
from nodes._support.inference import diffusion
from nodes._support.models import models
from nodes._support.vision.seeing import check_side, opaque
from nodes.api import DIFFUSERS, Depth, Family, Image, Phrase, Port, ResourceType, RunContext, tool


@tool(
    id="depth_map",
    title="Depth map",
    domain="image",
    description="Estimates the depth of a picture: a map of how near or far each place is, white for near.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("depth", ResourceType.DEPTH, "how near each place is, white = near"),),
    families=(
        Family("transformers depth estimation", "depth map"),
        Family("diffusers marigold", "depth map", DIFFUSERS),
    ),
    examples=("Make a depth map of this picture", "Estimate the depth of room.jpg", "How far away is each part?"),
    words=("depth map", "depth estimation", "estimate depth", "image to depth", "distance map", "near and far"),
    icon="layers",
)
def depth_map(image: Image, *, context: RunContext) -> Depth:
    """uint8 (height, width), 255 at the nearest place and 0 at the farthest; all 0 where the model sees no difference.

    What models tell in metres is turned into nearness (1 / m) first; what Marigold (Ke et al. 2024) tells, always with
    the same seed, grows from near to far without a measure and is turned round.
    """
    return nearness(image, context)


def nearness(image: np.ndarray, context: RunContext) -> np.ndarray:
    """The map, for other tools too. NodeError naming `image` when it is below 8 pixels."""
    check_side(image, Phrase("estimate depth in"))
    rgb = opaque(image)
    if (models.model_folder(context) / "model_index.json").is_file():
        farness = diffusion.looked_at(rgb, 0, context)[:, :, 0]
        return resized(scaled(1 - farness, metres=False), *rgb.shape[1::-1])

    def look(loaded: models.Loaded, device: str) -> np.ndarray:
        inputs = loaded.processor(images=rgb, return_tensors="pt", input_data_format="channels_last").to(device)
        outputs = loaded.network(**inputs)
        found = loaded.processor.post_process_depth_estimation(outputs, [rgb.shape[:2]])[0]["predicted_depth"]
        return scaled(found.float().cpu().numpy(), _in_metres(loaded.network.config))

    return models.apply(context, "AutoModelForDepthEstimation", "AutoImageProcessor", look)


def scaled(values: np.ndarray, metres: bool) -> np.ndarray:
    """What a model says, nearness or metres, as the map: uint8, 255 at the nearest place."""
    near = 1 / np.maximum(values, 1e-3) if metres else values
    low, high = float(near.min()), float(near.max())
    whole = (near - low) / (high - low) if high > low else np.zeros_like(near)
    return (whole * 255).astype(np.uint8)


def _in_metres(config: object) -> bool:
    kind = getattr(config, "model_type", "")
    return kind in ("zoedepth", "glpn", "depth_pro") or getattr(config, "depth_estimation_type", "") == "metric"
