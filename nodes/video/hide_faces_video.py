"""Hide the faces in a video."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies
from nodes._support.vision import people
from nodes.api import Port, ResourceType, RunContext, Text, Video, tool

_LONGEST = 960
_EVERY = 0.1
"""Faces are looked for anew after so many seconds, and at each cut; small ones, which takes forty times as long, after
_SMALL seconds.
"""
_SMALL = 0.4
_CUT = 25.0
"""Mean difference of two small grey pictures, 0..255, that is more than a movement."""
_GAP, _HELD = 1.0, 0.4
"""Seconds for which a face that is seen again is hidden too, and so long before it is first seen and after the last."""
_ENLARGED = 1.5
_BLOCKS = 5
"""Across a hidden place."""


@tool(
    id="hide_faces_video",
    title="Hide faces in a video",
    domain="video",
    description="Hides the faces of all people in a video: finds them and makes them unrecognisable, pixelated or"
    " blurred.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("how", ResourceType.TEXT, "how the faces are hidden", default="pixelate", choices=("pixelate", "blur"),
             question="How should the faces be hidden?"),
    ),
    outputs=(Port("video", ResourceType.VIDEO, "the video with hidden faces and its sound, MP4"),),
    backend="blazeface",
    backend_title="BlazeFace and OpenCV cascades",
    quality=0.7,
    examples=("Hide the faces in the video", "Blur the faces in clip.mp4", "Pixelate everybody's face in this film"),
    words=("anonymise the video", "blur faces in the video", "pixelate faces in the video", "censor the people"),
    icon="venetian-mask",
)  # fmt: skip
def hide_faces_video(video: Video, how: Text = "pixelate", *, context: RunContext) -> Video:
    """Faces as `people.faces` finds them, large ones ten times a second, small ones 2.5 times, all at each cut; kept
    hidden in between and through gaps of up to a second. Those that it cannot see (turned away, below about 16
    pixels of 960) stay: watch the result.
    """
    known = movies.facts(video)
    places = _places(video, known, context)
    if not any(places):
        context.tell("no face was found: the pictures stay as they are")
    number = -1

    def hidden(pixels: np.ndarray, _: float) -> np.ndarray:
        nonlocal number
        number = min(number + 1, len(places) - 1)
        return _hidden(pixels, places[number], how)

    return writer.rewritten(video, context, hidden)


class _Place(NamedTuple):
    """The middle of a face and its side, in parts of the width of the picture."""

    x: float
    y: float
    side: float


def _places(video: Path, known: movies.Facts, context: RunContext) -> list[list[_Place]]:
    """Where faces are in each picture."""
    import cv2

    times: list[float] = []
    seen: dict[int, list[_Place]] = {}
    last, whole, before = -_EVERY, -_SMALL, None
    for number, picture in enumerate(movies.pictures(video, context=context, longest=_LONGEST)):
        times.append(picture.seconds)
        small = cv2.resize(picture.pixels, (32, 32), interpolation=cv2.INTER_AREA).mean(axis=2)
        cut = before is None or float(np.abs(small - before).mean()) > _CUT
        before = small
        if cut or picture.seconds - last >= _EVERY - 1e-3:
            last = picture.seconds
            small_too = cut or last - whole >= _SMALL - 1e-3
            whole = last if small_too else whole
            seen[number] = list(_faces(picture.pixels, small_too))
        context.progress(0.7 * min(picture.seconds / max(known.picture_seconds, 1e-6), 1))
    return _followed(seen, times)


def _faces(pixels: np.ndarray, small: bool) -> Iterator[_Place]:
    width = pixels.shape[1]
    for box in people.faces(pixels, small):
        side = max(box.x1 - box.x0, box.y1 - box.y0)
        yield _Place((box.x0 + box.x1) / 2 / width, (box.y0 + box.y1) / 2 / width, side / width)


def _followed(seen: dict[int, list[_Place]], times: list[float]) -> list[list[_Place]]:
    """The places in every picture, from those in some of them, by number."""
    tracks: list[list[tuple[int, _Place]]] = []
    for number, found in seen.items():
        for place in found:
            near = [
                track
                for track in tracks
                if track[-1][0] < number
                and times[number] - times[track[-1][0]] <= _GAP
                and _is_near(track[-1][1], place)
            ]
            if near:
                min(near, key=lambda track: _apart(track[-1][1], place)).append((number, place))
            else:
                tracks.append([(number, place)])
    places: list[list[_Place]] = [[] for _ in times]
    for track in tracks:
        numbers = [number for number, _ in track]
        for number, at in enumerate(times):
            if times[numbers[0]] - _HELD <= at <= times[numbers[-1]] + _HELD:
                when = [times[each] for each in numbers]
                columns = zip(*(place for _, place in track), strict=True)
                places[number].append(_Place(*(float(np.interp(at, when, column)) for column in columns)))
    return places


def _apart(one: _Place, other: _Place) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))


def _is_near(one: _Place, other: _Place) -> bool:
    return _apart(one, other) < max(one.side, other.side)


def _hidden(pixels: np.ndarray, places: list[_Place], how: str) -> np.ndarray:
    """A copy with an oval over each place, uint8 RGB."""
    import cv2

    result = pixels.copy()
    height, width = pixels.shape[:2]
    for place in places:
        half = max(place.side * width * _ENLARGED / 2, 4.0)
        x0, y0 = max(0, int(place.x * width - half)), max(0, int(place.y * width - half))
        x1, y1 = min(width, int(place.x * width + half) + 1), min(height, int(place.y * width + half) + 1)
        if x0 >= x1 or y0 >= y1:
            continue
        part = result[y0:y1, x0:x1]
        mask = np.zeros(part.shape[:2], np.uint8)
        middle = round(place.x * width) - x0, round(place.y * width) - y0
        cv2.circle(mask, middle, round(half), 255, -1)
        small = cv2.resize(part, (_BLOCKS, _BLOCKS), interpolation=cv2.INTER_AREA)
        smooth = cv2.INTER_NEAREST if how == "pixelate" else cv2.INTER_CUBIC
        covered = cv2.resize(small, part.shape[1::-1], interpolation=smooth)
        part[mask > 0] = covered[mask > 0]
    return result
