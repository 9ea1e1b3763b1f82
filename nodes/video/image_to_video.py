"""Bring a still picture to life with a slow camera move."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nodes._support.inference import diffusion, films
from nodes._support.inference.repainting import SEED
from nodes._support.media import frames
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Picture
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    Integer,
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
_MOVES = ("zoom in", "zoom out", "pan right", "pan left", "pan up", "pan down")


@tool(
    id="image_to_video",
    title="Image to video",
    domain="video",
    description="Makes a short video of one picture with a slow camera move, zooming or panning over it.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "seconds",
            ResourceType.NUMBER,
            "length",
            default=4.0,
            minimum=0,
            maximum=600,
            unit="s",
            question="How many seconds should it last?",
        ),
        Port(
            "zoom",
            ResourceType.NUMBER,
            "how far it zooms",
            default=1.25,
            minimum=1,
            maximum=4,
            unit="x",
            question="How many times larger should it get?",
        ),
        Port(
            "move",
            ResourceType.TEXT,
            "what the camera does",
            default="zoom in",
            choices=_MOVES,
            question="How should the camera move?",
        ),
        SEED,
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
    image: Image, seconds: Number = 4.0, zoom: Number = 1.25, move: Text = "zoom in", seed: Integer = 0, *,
    context: RunContext,
) -> Video:  # fmt: skip
    """25 pictures a second with the picture's own size (even, 64 to 1920 on a side). The move eases in and out;
    `seed` is for models.

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
def by_model(image: Image, seconds: Number, move: Text, seed: Integer, *, context: RunContext) -> Video:
    """The picture comes to life as a model imagines it, for at most ten seconds, at its size of at most 832 or 1024
    pixels, as the model likes it. The same seed gives the same film. Stable Video Diffusion is not told the move.
    """
    import PIL.Image

    films.check_seconds(seconds)
    picture = frames.opaque(image)
    with diffusion.leased(context, "film") as entry:
        size = frames.video_size(picture.shape[1], picture.shape[0], longest=films.side(entry.model))
        words = f"The scene comes to life in natural motion. Camera: slow {move}."
        given = {"image": PIL.Image.fromarray(frames.fitted(picture, size))}
        if "prompt" in diffusion.taken(entry.model, {"prompt": words}):
            given |= films.read_words(entry.model, words, "")
        made, fps = films.film(entry, size, seconds, None, seed, given, context)
    return films.written(made, fps, seconds, context)
