"""Show pictures in turn as an animated GIF."""

from __future__ import annotations

import numpy as np

from nodes._support import frames
from nodes.api import File, Flag, Image, Integer, NodeError, Number, Port, ResourceType, RunContext, tool


@tool(
    id="animate_pictures",
    title="Pictures to GIF",
    domain="image",
    description="Makes an animated GIF that shows pictures one after the other, again and again.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, in order", many=True),
        Port("seconds", ResourceType.NUMBER, "how long each is shown", default=0.5, minimum=0.02, maximum=600,
             unit="s"),
        Port("width", ResourceType.NUMBER, "width at most", default=480, minimum=16, maximum=2000, integer=True,
             unit="px"),
        Port("back_and_forth", ResourceType.FLAG, "forwards and then backwards, so that it never jumps", default=False),
    ),
    outputs=(Port("file", ResourceType.FILE, "the animated GIF"),),
    backend="pillow",
    backend_title="Pillow",
    quality=0.9,
    examples=(
        "Make a gif of them",
        "Turn these photos into an animated GIF",
        "Animate the pictures, each for half a second",
        "Make a GIF of a.png, b.png and c.png that goes back and forth",
    ),
    words=("gif of the pictures", "animated gif", "animate the photos", "gif from photos", "boomerang",
           "flip book", "frames to gif"),
    icon="gallery-thumbnails",
    result="animation",
)  # fmt: skip
def animate_pictures(
    images: tuple[Image, ...],
    seconds: Number = 0.5,
    width: Integer = 480,
    back_and_forth: Flag = False,
    *,
    context: RunContext,
) -> File:
    """Repeats for ever. As wide as the first picture, at most `width`; the others are fitted into its shape. NodeError
    without pictures.
    """
    from PIL import Image as Pictures

    if not images:
        raise NodeError("There is no picture to show.", "images", "Add at least one picture.")
    height, across = images[0].shape[:2]
    scale = min(width / across, 1.0)
    size = max(round(across * scale), 1), max(round(height * scale), 1)
    order = [*images, *images[-2:0:-1]] if back_and_forth else list(images)
    shown = [Pictures.fromarray(np.ascontiguousarray(frames.fitted(one, size))) for one in order]
    target = context.new_file(".gif")
    shown[0].save(target, save_all=True, append_images=shown[1:], duration=round(seconds * 1000), loop=0)
    return target
