"""Draw which frequencies a sound has when."""

from __future__ import annotations

import math

import numpy as np

from nodes._support.media import samples, sound
from nodes._support.media import sound_plot as draw
from nodes.api import Audio, AudioValue, Image, Integer, Port, ResourceType, Text, tool

_RANGE_DB = 80


@tool(
    id="spectrogram",
    title="Spectrogram",
    domain="audio",
    description="Draws the spectrogram of a sound: its frequencies in Hz over time, as a coloured picture.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("scale", ResourceType.TEXT, "frequency axis", default="linear", choices=("linear", "logarithmic"),
             question="Should the scale be even, or logarithmic?"),
        Port("width", ResourceType.NUMBER, "width of the picture", default=1200, minimum=160, maximum=8000,
             integer=True, unit="px", advanced=True),
        Port("height", ResourceType.NUMBER, "height of the picture", default=560, minimum=120, maximum=4000,
             integer=True, unit="px", advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend_title="Short-time Fourier transform",
    examples=("Draw the spectrogram of bird.wav", "Show the frequencies of the recording over time"),
    words=("spectrum", "frequency picture", "sonogram", "spectral plot"),
    icon="chart-area",
)  # fmt: skip
def spectrogram(audio: AudioValue, scale: Text = "linear", width: Integer = 1200, height: Integer = 560) -> Image:
    """Levels from the loudest down by 80 dB, over windows of about 40 ms; channels averaged in power.

    Returns uint8 RGB of exactly `width` x `height`; the frequency axis ends at half the sample rate.
    """
    import cv2

    recording = sound.checked(audio)
    across, down = width - draw.LEFT - draw.RIGHT, height - draw.TOP - draw.BOTTOM
    power, top = _power(recording, across), recording.rate / 2
    low = 0.0 if scale == "linear" else min(40.0, top / 4)
    rows = np.linspace(1, 0, down)
    hertz = low + rows * (top - low) if scale == "linear" else low * (top / low) ** rows
    loud = 10 * np.log10(np.maximum(power, 1e-14))
    loud = cv2.resize(loud, (across, len(loud)), interpolation=cv2.INTER_LINEAR)
    bins = np.repeat((hertz / top * (len(loud) - 1)).astype(np.float32)[:, None], across, axis=1)
    columns = np.repeat(np.arange(across, dtype=np.float32)[None], down, axis=0)
    picture = cv2.remap(loud.astype(np.float32), columns, bins, cv2.INTER_LINEAR)
    brightest = max(float(loud.max()), -60.0)
    plot = draw.heat(np.clip((picture - brightest + _RANGE_DB) / _RANGE_DB, 0, 1))
    return draw.framed(plot, recording.seconds, _marks(low, top, scale, down), "Hz")


def _power(recording: Audio, columns: int) -> np.ndarray:
    """Mean power (bins, frames) over the channels; at most one frame for each column of the picture."""
    size = 1 << max(round(np.log2(recording.rate * 0.04)), 6)
    length = max(len(recording.samples), size)
    hop = max(size // 8, length // (4 * columns), 1)
    if hop > size:  # a long sound: windows overlap by half, so that nothing short is missed
        hop = size // 2
    group = math.ceil((math.ceil(length / hop) + 1) / columns)
    channels = (samples.spectra(c, size, hop, group * max(256 // group, 1)) for c in recording.samples.T)
    parts = []
    for spectra in zip(*channels, strict=True):
        power = np.mean([s**2 for s in spectra], axis=0)
        edge = np.pad(power, ((0, -len(power) % group), (0, 0)), mode="edge")
        parts.append(edge.reshape(-1, group, edge.shape[1]).max(axis=1))
    return np.concatenate(parts).T


def _marks(low: float, top: float, scale: str, down: int) -> list[tuple[float, str]]:
    if scale == "linear":
        return [(1 - at / top, _hertz(at)) for at in draw.steps(0, top, max(down // 50, 1))]
    powers = [m * 10**p for p in range(1, 6) for m in (1, 2, 5)]
    return [(1 - np.log(at / low) / np.log(top / low), _hertz(at)) for at in powers if low <= at <= top]


def _hertz(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"
