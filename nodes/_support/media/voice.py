"""Where someone speaks in a recording, and what of it is silent: the network of Silero and levels. Knows no files."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.media import samples, sound
from nodes._support.models.onnx_sessions import session
from nodes.api import Audio, Port, ResourceType, RunContext

_MODEL = Path(__file__).resolve().parents[3] / "resources" / "speech" / "voice.onnx.xz"
PLACES = ("everywhere", "beginning", "end", "both ends")
"""Where silence may be cut."""
SETTINGS = (
    Port("pause", ResourceType.NUMBER, "longest pause that is left", default=0.3, minimum=0, maximum=60, unit="s",
         question="How long may a pause be, in seconds?"),
    Port("threshold", ResourceType.NUMBER, "silent is what lies this far below the loudest part", default=-40.0,
         minimum=-90, maximum=-6, unit="dB", advanced=True),
    Port("where", ResourceType.TEXT, "which silence is cut", default="everywhere", choices=PLACES,
         question="From which silence should it be freed?"),
)  # fmt: skip
"""The inputs of tools that cut it."""
_RATE, _WINDOW, _BEFORE = 16_000, 512, 64
"""The network hears 512 new samples and the 64 before them."""
_STEP = _WINDOW / _RATE
_BEGINS, _ENDS, _SHORTEST = 0.5, 0.35, 0.25
_AROUND = 0.03  # seconds
_BACKGROUND, _NEAR, _NOTHING = 15, 6.0, -70.0
"""The background is the quietest 15 frames of 20 ms in a row, but not 70 dB under the loudest; near to it: 6 dB."""


def spoken_parts(recording: Audio, pause: float, context: RunContext) -> list[tuple[float, float]]:
    """Begin and end in seconds of each part in which someone speaks; a shorter pause does not end one.

    Silero's network tells how surely each 32 ms are speech, in music and noise too; a part begins at 0.5 and ends
    below 0.35. Singing counts as speech in part.
    """
    parts: list[list[float]] = []
    for first, last in _spoken(_surely_speech(recording, context)):
        begin, end = max(first * _STEP - _AROUND, 0.0), min(last * _STEP + _AROUND, recording.seconds)
        if parts and begin - parts[-1][1] < pause:
            parts[-1][1] = end
        else:
            parts.append([begin, end])
    return [(begin, end) for begin, end in parts if end - begin >= _SHORTEST]


def sounding(audio: Audio, threshold: float, context: RunContext) -> list[tuple[int, int]]:
    """The stretches between silences, as (first, one past the last) frame, in steps of 20 ms.

    Silent is what lies `threshold` dB (below 0) under the loudest; and in a recording in which someone speaks, also
    what lies near the background noise of its pauses without being speech.
    """
    levels, step = sound.frame_levels(audio)
    heard = levels > levels.max() + threshold
    near = heard & _near_background(levels)
    if near.any() and (spoken := spoken_parts(audio, 0.0, context)):
        for begin, end in spoken:
            near[int(begin / step) : int(np.ceil(end / step))] = False
        heard &= ~near
    size, length = round(step * audio.rate), len(audio.samples)
    return [(first * size, min(last * size, length)) for first, last in sound.runs(heard)]


def without_pauses(
    audio: Audio, pause: float, threshold: float, context: RunContext, where: str = PLACES[0]
) -> list[tuple[int, int]]:
    """As `sounding`, with half of `pause` seconds around each; those that touch then are one. `where` is one of PLACES:
    but for the first all is one stretch, with the silence at an end that is not named.
    """
    margin, parts = int(pause / 2 * audio.rate), list[tuple[int, int]]()
    for first, last in sounding(audio, threshold, context):
        begin, end = max(first - margin, 0), min(last + margin, len(audio.samples))
        if parts and begin <= parts[-1][1]:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))
    if where == "everywhere" or not parts:
        return parts
    first = 0 if where == "end" else parts[0][0]
    return [(first, len(audio.samples) if where == "beginning" else parts[-1][1])]


def _near_background(levels: np.ndarray) -> np.ndarray:
    """Which frames are hardly louder than the quietest stretch, by their mean level (dB) over 100 ms."""
    from scipy.ndimage import uniform_filter1d

    if len(levels) < _BACKGROUND:
        return np.zeros(len(levels), bool)
    power = 10 ** (levels / 10)
    means = np.convolve(power, np.full(_BACKGROUND, 1 / _BACKGROUND), "valid")
    means = means[means > power.max() * 10 ** (_NOTHING / 10)]
    if not len(means):
        return np.zeros(len(levels), bool)
    return uniform_filter1d(power, 5, mode="nearest") < means.min() * 10 ** (_NEAR / 10)


def _surely_speech(recording: Audio, context: RunContext) -> np.ndarray:
    """For each 32 ms how surely someone speaks, 0..1. The network remembers what it heard before."""
    wave = sound.mono(sound.resampled(recording, _RATE).samples)
    state, found = np.zeros((2, 1, 128), np.float32), []
    rate = np.array(_RATE, np.int64)
    for at in range(0, len(wave), _WINDOW):
        heard = samples.stretch(wave, at - _BEFORE, at + _WINDOW)[None]
        sure, state = _network().run(None, {"input": heard, "state": state, "sr": rate})
        found.append(float(sure[0, 0]))
        if len(found) % 256 == 0:
            context.progress(at / len(wave))
            samples.let_go(wave)
    return np.array(found)


def _spoken(sure: np.ndarray) -> Iterator[tuple[int, int]]:
    """First and last + 1 of the windows of each spoken part."""
    begin = None
    for place, chance in enumerate([*sure, 0.0]):
        if begin is None and chance >= _BEGINS:
            begin = place
        elif begin is not None and chance < _ENDS:
            yield begin, place
            begin = None


@cache
def _network() -> Any:
    return session(lzma.decompress(_MODEL.read_bytes()), threads=1)  # more would only wait for each other
