"""Find the parts of a recording in which someone speaks."""

from __future__ import annotations

import numpy as np

from nodes._support import sound
from nodes.api import Audio, AudioValue, Number, Port, ResourceType, Table, TableValue, tool


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
    backend="energy",
    backend_title="Energy in the voice band",
    examples=("When does someone speak in meeting.wav?", "Find the spoken parts of the recording"),
    words=("voice activity", "speech segments", "speaking times", "vad"),
    icon="mic",
)  # fmt: skip
def detect_speech(audio: AudioValue, pause: Number = 0.3) -> TableValue:
    """A frame counts when its level between 150 and 3800 Hz stands out from the quiet tenth of the recording.

    Loud music or steady noise in that band cannot be told from speech. Silence gives no rows. Times in seconds.
    """
    recording = sound.checked(audio)
    levels, step = sound.frame_levels(_voice_band(recording))
    floor, top = np.percentile(levels, 10), levels.max()
    threshold = max(min(floor + 9, top - 15), top - 40)
    if top < -65:
        return Table(("start", "end", "seconds"), ())
    parts: list[list[float]] = []
    for first, last in sound.runs(levels > threshold):
        begin, end = max(first * step - 0.04, 0.0), min(last * step + 0.04, recording.seconds)
        if parts and begin - parts[-1][1] < pause:
            parts[-1][1] = end
        else:
            parts.append([begin, end])
    rows = tuple((round(a, 2), round(b, 2), round(b - a, 2)) for a, b in parts if b - a >= 0.18)
    return Table(("start", "end", "seconds"), rows)


def _voice_band(recording: Audio) -> Audio:
    from scipy.signal import butter, sosfilt

    high = min(3800.0, recording.rate * 0.45)
    band = butter(3, (min(150.0, high / 2), high), "bandpass", fs=recording.rate, output="sos")
    return Audio(np.asarray(sosfilt(band, sound.mono(recording.samples)))[:, None], recording.rate)
