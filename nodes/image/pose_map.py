"""Draw how the people in a picture stand."""

from __future__ import annotations

from nodes._support.inference import detection, pose
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Image, Number, Port, Pose, ResourceType, RunContext, tool

PEOPLE = "yolos-tiny"
"""The catalogue's id of the detector that finds the people first."""
_SURE = 0.5


@tool(
    id="pose_map",
    title="Pose map",
    domain="image",
    description="Estimates the pose of each person in a picture: a skeleton of head, arms and legs as a pose map.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "threshold",
            ResourceType.NUMBER,
            "how sure it must be of a joint",
            default=0.3,
            minimum=0,
            maximum=1,
            question="How sure should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("pose", ResourceType.POSE, "coloured limbs on black; black all over when there is nobody"),),
    families=(Family("transformers pose", "pose map", needs=(PEOPLE,)),),
    examples=("Make a pose map of this picture", "Estimate the pose of the dancer", "Draw the skeleton of the people"),
    words=("pose estimation", "human pose", "skeleton", "openpose", "body keypoints", "image to pose"),
    icon="user",
)
def pose_map(image: Image, threshold: Number = 0.3, *, context: RunContext) -> Pose:
    """uint8 (height, width, 3), in the colours of OpenPose. ViTPose (Xu et al. 2022) in the box of each person."""
    rgb = opaque(image)
    people = [box for box in detection.boxes(rgb, _SURE, context, PEOPLE) if box.label == "person"]
    return pose.drawn(pose.bodies(rgb, people, context), rgb.shape[:2], threshold)
