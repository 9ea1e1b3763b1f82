"""Make a picture from a pose and a description."""

from __future__ import annotations

from nodes._support.inference import control
from nodes.api import Image, Port, Pose, ResourceType


@control.to_image(
    Port("pose", ResourceType.POSE, "coloured limbs on black"),
    task="pose to image",
    title="Pose to image",
    description="Makes a new picture of what a text describes with people in the pose of a pose map.",
    examples=(
        "Make a picture of an astronaut from this pose map",
        "Generate an image of a ballet dancer in the pose of runner.jpg",
    ),
    words=("pose to image", "openpose to image", "same pose", "in this pose", "controlnet pose"),
)
def pose_to_image(pose: Pose) -> Image:
    """The ControlNet learned from such maps."""
    return pose
