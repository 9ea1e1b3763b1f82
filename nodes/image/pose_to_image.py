"""Make a picture from a pose and a description."""

from __future__ import annotations

from nodes._support import control
from nodes.api import DIFFUSERS, Family, Image, Integer, Number, Port, Pose, ResourceType, RunContext, Text, tool


@tool(
    id="pose_to_image",
    title="Pose to image",
    domain="image",
    description="Makes a new picture of what a text describes with people in the pose of a pose map.",
    inputs=(
        Port("pose", ResourceType.POSE, "coloured limbs on black"),
        Port("prompt", ResourceType.TEXT, "what the picture should show"),
        *control.PORTS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
    families=(Family("diffusers controlnet", "pose to image", DIFFUSERS),),
    examples=(
        "Make a picture of an astronaut from this pose map",
        "Generate an image of a ballet dancer in the pose of runner.jpg",
    ),
    words=("pose to image", "openpose to image", "same pose", "in this pose", "controlnet pose"),
    icon="wand-sparkles",
)
def pose_to_image(
    pose: Pose,
    prompt: Text,
    strength: Number = 1.0,
    side: Integer = 768,
    negative: Text = "",
    seed: Integer = 0,
    steps: Integer | None = None,
    guidance: Number = 7.0,
    *,
    context: RunContext,
) -> Image:
    """RGB as large as the map. Painted with its longer side at most `side`, then enlarged smoothly to that size.

    ControlNet (Zhang et al. 2023) on Stable Diffusion 1.5. NodeError when the description is empty, or the map
    is the same everywhere.
    """
    return control.paint(pose, prompt, strength, side, negative, seed, steps, guidance, context, "pose")
