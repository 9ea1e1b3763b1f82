"""Show pictures one after the other as a video, with or without sound."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nodes._support.media import frames, sound
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Picture
from nodes.api import (
    Audio,
    AudioValue,
    Image,
    Integer,
    NodeError,
    Number,
    Port,
    ResourceType,
    RunContext,
    Text,
    Video,
    tool,
)

_FPS = 25
_SIZE = {"minimum": 2, "maximum": frames.LONGEST_SIDE, "integer": True, "unit": "px", "advanced": True}


@tool(
    id="slideshow",
    title="Slideshow",
    domain="video",
    description="Makes a slideshow video of one or more pictures, with soft cross-fades, and with a sound if given.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the pictures, in order", many=True),
        Port("audio", ResourceType.AUDIO, "music or speech; the video lasts as long", default=None),
        Port("seconds_per_image", ResourceType.NUMBER, "how long each is shown; 3 s, or the sound shared out, if not "
             "given", default=None, minimum=0, maximum=3600, unit="s",
             question="How many seconds should each picture be shown?"),
        Port("fade", ResourceType.NUMBER, "length of the cross-fades", default=0.6, minimum=0, maximum=30, unit="s",
             advanced=True),
        Port("background", ResourceType.TEXT, "around pictures of another shape", default="black",
             choices=frames.BACKGROUNDS, advanced=True),
        Port("width", ResourceType.NUMBER, "width of the video", default=None, **_SIZE),
        Port("height", ResourceType.NUMBER, "height of the video", default=None, **_SIZE),
        *sound.FADES,
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the slideshow, MP4"),),
    backend="pyav",
    backend_title="PyAV, H.264",
    examples=(
        "Make a slideshow video of these pictures",
        "Create a video from the image and the audio",
        "Turn these photos and the song into a video",
        "Show each picture for 4 seconds in a video",
    ),
    words=("slide show", "photos to video", "pictures to video", "image and sound to video", "presentation video"),
    icon="presentation",
)  # fmt: skip
def slideshow(
    images: tuple[Image, ...],
    audio: AudioValue | None = None,
    seconds_per_image: Number | None = None,
    fade: Number = 0.6,
    background: Text = "black",
    width: Integer | None = None,
    height: Integer | None = None,
    fade_in: Number = 0.0,
    fade_out: Number = 0.0,
    *,
    context: RunContext,
) -> Video:
    """25 pictures a second. The size is that of the largest picture that lies or stands as most do, at most
    1920 on a side if none is asked for; others are fitted in.

    With a sound the video lasts as long as it, but at least 1 s; pictures take turns if `seconds_per_image` is short.
    NodeError without pictures, for an empty sound, and for 0 seconds.
    """
    if not images:
        raise NodeError("There is no picture to show.", "images", "Add at least one picture.")
    if seconds_per_image is not None and seconds_per_image <= 0:
        raise NodeError("A picture cannot be shown for 0 seconds.", "seconds_per_image", "Choose a longer time.")
    heard = _heard(audio, fade_in, fade_out) if audio is not None else None
    turns, seconds = timetable(len(images), heard.seconds if heard else None, seconds_per_image)
    size = _size(images, width, height)
    shown = _shown(images, size, turns, seconds, fade, background)
    rate, channels = (heard.rate, heard.samples.shape[1]) if heard else (0, 0)
    pieces = writer.pieces(heard) if heard else ()
    return writer.write_movie(context.new_file(".mp4"), shown, size, _FPS, pieces, rate, channels, seconds, context)


def _heard(audio: Audio, fade_in: float, fade_out: float) -> Audio:
    return sound.faded(writer.for_writing(sound.checked(audio)), fade_in, fade_out)


def timetable(count: int, sound_seconds: float | None, each: float | None) -> tuple[list[tuple[float, int]], float]:
    """When which picture begins, as (seconds, number), and how long all of it lasts."""
    if sound_seconds is None:
        step = 3.0 if each is None else each
        return [(number * step, number) for number in range(count)], max(count * step, 1 / _FPS)
    seconds = max(sound_seconds, 1.0)
    if each is None:
        return [(number * seconds / count, number) for number in range(count)], seconds
    turns = min(max(math.ceil(seconds / each - 1e-9), 1), max(count, math.ceil(seconds * _FPS)))
    return [(turn * each, turn % count) for turn in range(turns)], seconds


def _size(images: tuple[np.ndarray, ...], width: int | None, height: int | None) -> tuple[int, int]:
    lying = [image for image in images if image.shape[1] >= image.shape[0]]
    alike = lying if 2 * len(lying) >= len(images) else [i for i in images if i.shape[1] < i.shape[0]]
    largest = max(alike, key=lambda image: image.shape[0] * image.shape[1])
    own = largest.shape[1], largest.shape[0]
    if width and height:
        return width + width % 2, height + height % 2
    if width or height:
        scale = width / own[0] if width else (height or 2) / own[1]
        wide, high = (min(round(side * scale), frames.LONGEST_SIDE) for side in own)
        return wide + wide % 2, max(high + high % 2, 2)
    return frames.video_size(*own, longest=frames.USUAL_SIDE)


def _shown(
    images: tuple[np.ndarray, ...],
    size: tuple[int, int],
    turns: list[tuple[float, int]],
    seconds: float,
    fade: float,
    background: str,
) -> Iterator[Picture]:
    """A picture every 1 / 25 s. A cross-fade lies around the moment of change and takes at most half of a turn."""
    step = turns[1][0] if len(turns) > 1 else seconds
    fade = min(fade, step / 2) if len(turns) > 1 else 0.0
    prepared: dict[int, np.ndarray] = {}

    def picture(turn: int) -> np.ndarray:
        if turn not in prepared:
            for old in [key for key in prepared if key < turn - 1]:
                del prepared[old]
            prepared[turn] = frames.fitted(images[turns[turn][1]], size, background)
        return prepared[turn]

    for number in range(max(math.ceil(seconds * _FPS - 1e-6), 1)):
        at = number / _FPS
        turn = min(int(at / step + 1e-9), len(turns) - 1)
        yield Picture(at, _blended(picture, turn, at - turns[turn][0], step, fade, len(turns)))


def _blended(picture, turn: int, since: float, step: float, fade: float, turns: int) -> np.ndarray:
    """The picture of `turn` as it is `since` seconds after its beginning, mixed with its neighbour near the change."""
    import cv2

    half = fade / 2
    if half > 0 and turn and since < half:
        share = 0.5 + since / fade
        return cv2.addWeighted(picture(turn - 1), 1 - share, picture(turn), share, 0)
    if half > 0 and turn + 1 < turns and step - since < half:
        share = 0.5 - (step - since) / fade
        return cv2.addWeighted(picture(turn), 1 - share, picture(turn + 1), share, 0)
    return picture(turn)
