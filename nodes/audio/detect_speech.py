"""Find the parts of a recording in which someone speaks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support import samples, sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, RunContext, Table, TableValue, tool

_MODEL = Path(__file__).resolve().parent.parent.parent / "resources" / "speech" / "voice.onnx"
_RATE, _WINDOW, _BEFORE = 16_000, 512, 64
"""The network hears 512 new samples and the 64 before them."""
_STEP = _WINDOW / _RATE
_BEGINS, _ENDS, _SHORTEST = 0.5, 0.35, 0.25


@tool(
    id="detect_speech",
    title="Detect speech",
    domain="audio",
    description="Finds when someone speaks in a recording: a table with start and end of each spoken part.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        Port("pause", ResourceType.NUMBER, "shorter pauses do not end a part", default=0.3, minimum=0, maximum=60,
             unit="s", advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "start, end and seconds of each part"),),
    backend="silero",
    backend_title="Silero VAD",
    quality=0.9,
    examples=("When does someone speak in meeting.wav?", "Find the spoken parts of the recording"),
    words=("voice activity", "speech segments", "speaking times", "vad"),
    icon="mic",
)  # fmt: skip
def detect_speech(audio: AudioValue, pause: Number = 0.3, *, context: RunContext) -> TableValue:
    """Silero's network (resources/speech) tells how surely each 32 ms are speech, in music and noise too; a part begins
    at 0.5 and ends below 0.35. Singing counts as speech in part. Silence gives no rows. Times in seconds.
    """
    recording = sound.checked(audio)
    parts: list[list[float]] = []
    for first, last in _spoken(_surely_speech(recording, context)):
        begin, end = max(first * _STEP - 0.03, 0.0), min(last * _STEP + 0.03, recording.seconds)
        if parts and begin - parts[-1][1] < pause:
            parts[-1][1] = end
        else:
            parts.append([begin, end])
    rows = tuple((round(a, 2), round(b, 2), round(b - a, 2)) for a, b in parts if b - a >= _SHORTEST)
    return Table(("start", "end", "seconds"), rows)


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
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1  # it is small: more threads only wait for each other
    return onnxruntime.InferenceSession(_MODEL, options, providers=["CPUExecutionProvider"])
