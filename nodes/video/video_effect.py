"""Change the look of a video."""

from __future__ import annotations

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes.api import Number, Port, ResourceType, RunContext, Text, Video, tool

_EFFECTS = ("black and white", "sepia", "brighter", "darker", "vivid", "contrast", "blur", "sharpen", "invert")
_SEPIA = np.array(((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131)), np.float32)
_GREY = np.full((3, 3), (0.299, 0.587, 0.114), np.float32)


@tool(
    id="video_effect",
    title="Video effect",
    domain="video",
    description="Changes the look of a video: black and white, sepia, brighter, darker, vivid, blur, sharpen.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port(
            "effect",
            ResourceType.TEXT,
            "the look",
            default="black and white",
            choices=_EFFECTS,
            question="Which look should it have?",
        ),
        Port(
            "amount",
            ResourceType.NUMBER,
            "0 = as it was, 1 = full effect",
            default=1.0,
            minimum=0,
            maximum=1,
            question="How strong should it be, from 0 to 1?",
        ),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the changed video, MP4"),),
    backend="opencv",
    backend_title="OpenCV",
    examples=("Make the video black and white", "Brighten the video", "Blur the video"),
    words=("grayscale video", "greyscale", "old film look", "video filter", "colour of the video"),
    icon="sparkles",
    result_by="effect",
)
def video_effect(video: Video, effect: Text = "black and white", amount: Number = 1.0, *, context: RunContext) -> Video:
    """Each picture by itself. Brighter and darker are a gamma of 1.6; blur is a hundredth of the longer side."""

    def changed(pixels: np.ndarray, _: float) -> np.ndarray:
        import cv2

        return cv2.addWeighted(pixels, 1 - amount, look(pixels, effect), amount, 0)

    return writer.rewritten(video, context, changed)


def look(pixels: np.ndarray, effect: str) -> np.ndarray:
    """uint8 RGB with the full effect."""
    import cv2

    if effect in ("black and white", "sepia"):
        return cv2.transform(pixels, _GREY if effect == "black and white" else _SEPIA)
    if effect == "invert":
        return 255 - pixels
    if effect in ("blur", "sharpen"):
        soft = cv2.GaussianBlur(pixels, (0, 0), max(pixels.shape[:2]) / 100 if effect == "blur" else 1.5)
        return soft if effect == "blur" else cv2.addWeighted(pixels, 2.0, soft, -1.0, 0)
    if effect == "vivid":
        grey = cv2.transform(pixels, _GREY)
        return cv2.addWeighted(pixels, 1.5, grey, -0.5, 0)
    ramp = np.arange(256) / 255
    curves = {"brighter": ramp ** (1 / 1.6), "darker": ramp**1.6, "contrast": 0.5 + (ramp - 0.5) * 1.4}
    return np.round(np.clip(curves[effect], 0, 1) * 255).astype(np.uint8)[pixels]
