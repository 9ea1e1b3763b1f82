"""Bring a still picture to life with a slow camera move."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nodes._support import diffusion, frames
from nodes._support import movie_writer as writer
from nodes._support.movies import Picture
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    NodeError,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    Video,
    backend_of,
    tool,
)  # fmt: skip

_FPS = 25
_MODEL_SIDE = 832
_MOVES = ("zoom in", "zoom out", "pan right", "pan left", "pan up", "pan down")


@tool(
    id="image_to_video",
    title="Image to video",
    domain="video",
    description="Makes a short video of one picture with a slow camera move, zooming or panning over it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("seconds", ResourceType.NUMBER, "length", default=4.0, minimum=0, maximum=600, unit="s"),
        Port("zoom", ResourceType.NUMBER, "how far it zooms", default=1.25, minimum=1, maximum=4, unit="x"),
        Port("move", ResourceType.TEXT, "what the camera does", default="zoom in", choices=_MOVES),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video, MP4, without sound"),),
    backend="ken-burns",
    backend_title="Ken Burns camera move",
    quality=0.3,
    examples=("Turn this picture into a video", "Animate the photo with a slow zoom", "Make a video clip of the image"),
    words=("ken burns", "animate the picture", "bring the photo to life", "camera pan", "moving picture"),
    icon="image-play",
)
def image_to_video(
    image: Image, seconds: Number = 4.0, zoom: Number = 1.25, move: Text = "zoom in", *, context: RunContext
) -> Video:
    """25 pictures a second with the picture's own size (even, 64 to 1920 on a side). The move eases in and out.

    Nothing outside the picture is shown, so a pan shows the part that `zoom` leaves. NodeError for 0 seconds.
    """
    if seconds <= 0:
        raise NodeError("A video of 0 seconds cannot be made.", "seconds", "Choose a length above 0.")
    picture = frames.opaque(image)
    size = frames.video_size(picture.shape[1], picture.shape[0], longest=frames.USUAL_SIDE)
    shown = _shown(frames.fitted(picture, size), max(round(seconds * _FPS), 1), zoom, move)
    return writer.write_movie(context.new_file(".mp4"), shown, size, _FPS, seconds=seconds, context=context)


def _shown(picture: np.ndarray, count: int, zoom: float, move: str) -> Iterator[Picture]:
    import cv2

    height, width = picture.shape[:2]
    for number in range(count):
        part = number / max(count - 1, 1)
        eased = 0.5 - 0.5 * math.cos(math.pi * part)
        scale, x, y = _view(move, eased, zoom)
        matrix = np.array([[scale, 0, -x * (scale - 1) * width], [0, scale, -y * (scale - 1) * height]])
        moved = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        yield Picture(number / _FPS, moved)


def _view(move: str, eased: float, zoom: float) -> tuple[float, float, float]:
    """Scale, and where the visible part lies in what is left over (0..1 each way), at `eased` of the move."""
    return {
        "zoom in": (zoom**eased, 0.5, 0.5),
        "zoom out": (zoom ** (1 - eased), 0.5, 0.5),
        "pan right": (zoom, eased, 0.5),
        "pan left": (zoom, 1 - eased, 0.5),
        "pan up": (zoom, 0.5, 1 - eased),
        "pan down": (zoom, 0.5, eased),
    }[move]


@backend_of(image_to_video, families=(Family("diffusers film", "image to video", DIFFUSERS),))
def by_model(image: Image, seconds: Number, move: Text, *, context: RunContext) -> Video:
    """The picture comes to life as a model imagines it, at its size of at most 832 pixels, for at most ten seconds."""
    import PIL.Image

    from nodes.video.text_to_video import FPS, check_seconds, film_written

    check_seconds(seconds)
    picture = frames.opaque(image)
    size = frames.video_size(picture.shape[1], picture.shape[0], longest=_MODEL_SIDE)
    with diffusion.leased(context, "film") as entry:
        words = f"The scene comes to life in natural motion. Camera: slow {move}."
        prompt, nothing = diffusion.read_words(entry.model, words, "")
        shown = PIL.Image.fromarray(frames.fitted(picture, size))
        given = {"image": shown, "prompt_embeds": prompt, "negative_prompt_embeds": nothing}
        made = diffusion.film(entry, size, max(2, round(seconds * FPS)), None, 0, given, context)
    return film_written(made, seconds, context)
