"""Draw the wave of a sound."""

from __future__ import annotations

import numpy as np

from nodes._support.media import sound
from nodes._support.media import sound_plot as draw
from nodes.api import AudioValue, Image, Integer, Port, ResourceType, tool


@tool(
    id="waveform",
    title="Waveform",
    domain="audio",
    description="Draws the waveform of a sound as a picture, with a time axis in seconds.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("width", ResourceType.NUMBER, "width of the picture", default=1200, minimum=160, maximum=8000,
             integer=True, unit="px", advanced=True),
        Port("height", ResourceType.NUMBER, "height of the picture", default=400, minimum=120, maximum=4000,
             integer=True, unit="px", advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend_title="Peaks and levels",
    examples=("Draw the waveform of song.mp3", "Show me the sound wave", "Make a picture that visualises the audio"),
    words=("wave form", "sound wave", "visualise audio", "visual representation of the sound", "amplitude plot"),
    icon="audio-waveform",
)  # fmt: skip
def waveform(audio: AudioValue, width: Integer = 1200, height: Integer = 400) -> Image:
    """Pale: from the lowest to the highest sample of each column; bright: root mean square. A lane per channel, up
    to two. The scale grows to the loudest sample. uint8 RGB of exactly `width` x `height`.
    """
    recording = sound.checked(audio)
    lanes = recording.samples.T[:2]
    full = max(sound.peak(recording.samples[:, :2]), 1e-3)
    across, down = width - draw.LEFT - draw.RIGHT, height - draw.TOP - draw.BOTTOM
    heights = [down // len(lanes)] * len(lanes)
    heights[-1] += down - sum(heights)
    plots = [_lane(lane, across, size, full) for lane, size in zip(lanes, heights, strict=True)]
    marks = [((number + 0.5) / len(lanes), name) for number, name in enumerate("LR" if len(lanes) > 1 else "0")]
    if len(lanes) == 1:
        marks = [(0.02, f"{full:.2g}"), *marks, (0.98, f"-{full:.2g}")]
    return draw.framed(np.concatenate(plots), recording.seconds, marks, "time")


def _lane(lane: np.ndarray, width: int, height: int, full: float) -> np.ndarray:
    plot = np.full((height, width, 3), draw.PAPER, np.uint8)
    draw.grid_lines(plot, [(0.25, ""), (0.75, "")])
    high = draw.columns(lane, width, np.max)
    low = draw.columns(lane, width, np.min)
    level = draw.columns(lane, width, lambda piece: float(np.sqrt(np.mean(np.square(piece, dtype=np.float64)))))
    rows = np.arange(height)[:, None]
    place = (height - 1) / 2
    scale = place / full * 0.96
    plot[(rows >= np.floor(place - high * scale)) & (rows <= np.ceil(place - low * scale))] = draw.ACCENT_SOFT
    plot[np.abs(rows - place) <= level * scale] = draw.ACCENT
    plot[height // 2] = draw.ACCENT
    return plot
