"""Bodies as joints and limbs: found with ViTPose in the boxes of people, drawn as ControlNets for poses want them.

A body is an array (17, 3) of x, y in pixels of the picture and a score 0..1, in COCO's order.
"""

from __future__ import annotations

import colorsys

import numpy as np

from nodes._support.models import models
from nodes.api import Box, RunContext

_NECK = 17
_LIMBS = (
    (17, 6), (17, 5), (6, 8), (8, 10), (5, 7), (7, 9), (17, 12), (12, 14), (14, 16), (17, 11), (11, 13), (13, 15),
    (17, 0), (0, 2), (2, 4), (0, 1), (1, 3),
)  # fmt: skip
"""OpenPose's limbs and their order, which gives each its colour. Joints are those of COCO - the nose, then left and
right eye, ear, shoulder, elbow, wrist, hip, knee and ankle - and 17, the neck, between the shoulders.
"""


def bodies(rgb: np.ndarray, people: list[Box], context: RunContext) -> list[np.ndarray]:
    """One body for each box of a person."""
    if not people:
        return []
    boxes = [[[box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0] for box in people]]

    def look(loaded: models.Loaded, device: str) -> list[np.ndarray]:
        inputs = loaded.processor(rgb, boxes=boxes, return_tensors="pt", input_data_format="channels_last").to(device)
        experts = getattr(loaded.network.config.backbone_config, "num_experts", 1) > 1
        if experts:  # ViTPose++ has one for each data set it learned from; the first is COCO's
            import torch

            inputs["dataset_index"] = torch.zeros(len(people), dtype=torch.long, device=device)
        found = loaded.processor.post_process_pose_estimation(loaded.network(**inputs), boxes=boxes)[0]
        return [
            np.column_stack((each["keypoints"].float().cpu(), each["scores"].float().cpu().reshape(-1)))
            for each in found
        ]

    return models.apply(context, "VitPoseForPoseEstimation", "AutoImageProcessor", look)


def drawn(found: list[np.ndarray], size: tuple[int, int], threshold: float) -> np.ndarray:
    """Coloured limbs and joints on black, uint8 (height, width, 3); `size` is (height, width)."""
    import cv2

    canvas = np.zeros((*size, 3), np.uint8)
    width = max(2, round(min(size) / 128))
    for body in found:
        joints = _with_neck(body)
        for number, (first, second) in enumerate(_LIMBS):
            if min(joints[first, 2], joints[second, 2]) >= threshold:
                ends = [tuple(map(int, joints[end, :2].round())) for end in (first, second)]
                shade = tuple(int(0.6 * part) for part in _colour(number))
                cv2.line(canvas, ends[0], ends[1], shade, width, cv2.LINE_AA)
        for number, (x, y, score) in enumerate(joints):
            if score >= threshold:
                cv2.circle(canvas, (round(float(x)), round(float(y))), width, _colour(number), -1, cv2.LINE_AA)
    return canvas


def _with_neck(body: np.ndarray) -> np.ndarray:
    shoulders = body[[5, 6]]
    neck = [*shoulders[:, :2].mean(0), shoulders[:, 2].min()]
    return np.vstack((body, neck))


def _colour(number: int) -> tuple[int, int, int]:
    """RGB of a limb or joint: once around the hues."""
    red, green, blue = colorsys.hsv_to_rgb(number / (_NECK + 1), 1, 1)
    return round(255 * red), round(255 * green), round(255 * blue)
