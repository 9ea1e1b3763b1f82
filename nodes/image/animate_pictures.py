"""Show pictures in turn as an animated GIF or WebP."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import cover, fit_inside, split_alpha, with_alpha
from nodes._support.media import frames
from nodes.api import File, Flag, Image, Integer, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool

_MOST = 1500
_CLEAR = 255
"""Number of the transparent colour."""
_ALIKE = 1.03
"""Shapes that differ by less are cut alike: bars of a few pixels look like a fault."""


@tool(
    id="animate_pictures",
    title="Pictures to GIF",
    domain="image",
    description="Makes an animated GIF, or an animated WebP, that shows pictures one after the other, again and again.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, in order", many=True),
        Port("seconds", ResourceType.NUMBER, "how long each is shown", default=0.5, minimum=0.02, maximum=600,
             unit="s", question="How many seconds should each picture be shown?"),
        Port("width", ResourceType.NUMBER, "width at most", default=480, minimum=16, maximum=2000, integer=True,
             unit="px", question="How wide should it be, in pixels?"),
        Port("back_and_forth", ResourceType.FLAG, "forwards and then backwards, so that it never jumps", default=False,
             question="Should it run back again at the end?"),
        Port("format", ResourceType.TEXT, "GIF, which every program shows, or WebP, smaller and with all colours",
             default="gif", choices=frames.ANIMATED, question="Should it be a GIF or a WebP?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the animated picture"),),
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
           "flip book", "frames to gif", "animated webp"),
    icon="gallery-thumbnails",
    result="animation",
    does="converts",
)  # fmt: skip
def animate_pictures(
    images: tuple[Image, ...],
    seconds: Number = 0.5,
    width: Integer = 480,
    back_and_forth: Flag = False,
    format: Text = "gif",
    *,
    context: RunContext,
) -> File:
    """Repeats for ever. As wide as the first picture, at most `width`, in its shape: others are fitted in, and those
    that have nearly this shape are cut to it. In a GIF each has a palette of its own, a WebP has quality 80; what is
    transparent stays so. NodeError naming `images` without pictures, and for more than 1500.
    """
    from PIL import Image as Pictures

    if not images:
        raise NodeError("There is no picture to show.", "images", "Add at least one picture.")
    if len(images) > _MOST:
        raise NodeError(
            Phrase("These are {count} pictures; a GIF here has {most} at most.", count=len(images), most=_MOST),
            "images",
            "Choose fewer pictures, or make a video of them.",
        )
    height, across = images[0].shape[:2]
    scale = min(width / across, 1.0)
    size = max(round(across * scale), 1), max(round(height * scale), 1)
    clear = any(one.shape[2] == 4 and one[:, :, 3].min() < 128 for one in images)
    shown = []
    for number, one in enumerate(images):
        context.progress(0.9 * number / len(images))
        fitted = _fitted(one, size, clear)
        shown.append(_in_palette(fitted) if format == "gif" else Pictures.fromarray(fitted))
    first, *rest = [*shown, *shown[-2:0:-1]] if back_and_forth else shown
    gif = {"disposal": 2 if clear else 1, "optimize": False, **({"transparency": _CLEAR} if clear else {})}
    first.save(
        target := context.new_file(f".{format}"), format.upper(), save_all=True, append_images=rest, loop=0,
        duration=max(round(seconds * 100), 2) * 10, **(gif if format == "gif" else {"method": 4}),
    )  # fmt: skip
    frames.tell_of_large_gif(target, context)
    return target


def _fitted(picture: np.ndarray, size: tuple[int, int], clear: bool) -> np.ndarray:
    """RGB of that size (width, height), or RGBA where `clear`: then what stays free is transparent, else black."""
    shape = picture.shape[1] / picture.shape[0] / (size[0] / size[1])
    if 1 / _ALIKE < shape < _ALIKE:
        fitted = cover(picture, *size)
    elif not clear:
        return frames.fitted(picture, size)
    else:
        small = fit_inside(with_alpha(picture), *size)
        left, top = (size[0] - small.shape[1]) // 2, (size[1] - small.shape[0]) // 2
        fitted = np.zeros((size[1], size[0], 4), np.uint8)
        fitted[top : top + small.shape[0], left : left + small.shape[1]] = small
    return with_alpha(fitted) if clear else frames.opaque(fitted, 255)


def _in_palette(picture: np.ndarray):
    """A picture of at most 256 colours, of which the last is transparent where `picture` has alpha."""
    from PIL import Image as Pictures

    rgb, alpha = split_alpha(picture)
    count = 256 if alpha is None else _CLEAR
    few = Pictures.fromarray(rgb).quantize(count, Pictures.Quantize.MEDIANCUT, dither=Pictures.Dither.FLOYDSTEINBERG)
    # `quantize` dithers only to a palette that it is given
    few = Pictures.fromarray(rgb).quantize(palette=few, dither=Pictures.Dither.FLOYDSTEINBERG)
    if alpha is None:
        return few
    numbers = np.where(alpha < 128, np.uint8(_CLEAR), np.asarray(few))
    result = Pictures.fromarray(numbers, "P")
    result.putpalette(np.resize(np.array([*(few.getpalette() or ()), *[0] * 768], np.uint8), 768).tobytes())
    return result
