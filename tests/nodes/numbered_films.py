"""Films as people have them, in which every picture says its number, with a flash and a click at the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

FLASHES = (0.4, 1.0)
"""Seconds at which the flash and the click begin."""
PATCH = (200, 60, 40)
_BITS, _ACROSS, _DOWN = 12, 6, 3
_FLASH_SECONDS, _CLICK_SECONDS = 0.1, 0.03
_CHANNELS = {"mono": 1, "stereo": 2, "5.1": 6}


def picture(number: int, size: tuple[int, int] = (192, 108), flash: bool = False) -> np.ndarray:
    """RGB: twelve fields, the bits of the number; below them a field that flashes and one in the colour PATCH."""
    width, height = size
    pixels = np.full((height, width, 3), 90, np.uint8)
    for bit in range(_BITS):
        row, column = divmod(bit, _ACROSS)
        shade = 235 if number >> bit & 1 else 16
        pixels[row * height // _DOWN : (row + 1) * height // _DOWN, column * width // _ACROSS :][
            :, : width // _ACROSS + 1
        ] = shade
    pixels[2 * height // _DOWN :, : width // 2] = 255 if flash else 0
    pixels[2 * height // _DOWN :, width // 2 :] = PATCH
    return pixels


def read(pixels: np.ndarray) -> tuple[int, bool, np.ndarray]:
    """The number, whether it flashes, and the mean colour of the patch."""
    height, width = pixels.shape[:2]

    def field(x: float, y: float) -> np.ndarray:
        high, wide = max(height // 12, 1), max(width // 24, 1)
        middle = int(y * height), int(x * width)
        part = pixels[middle[0] - high : middle[0] + high + 1, middle[1] - wide : middle[1] + wide + 1]
        return part.reshape(-1, 3).mean(axis=0)

    places = (divmod(bit, _ACROSS) for bit in range(_BITS))
    bits = [field((column + 0.5) / _ACROSS, (row + 0.5) / _DOWN).mean() > 125 for row, column in places]
    return (
        sum(1 << bit for bit, is_set in enumerate(bits) if is_set),
        field(0.25, 5 / 6).mean() > 128,
        field(0.7, 5 / 6),
    )


def film(
    path: Path,
    times: Sequence[float] | None = None,
    seconds: float = 1.2,
    fps: Fraction = Fraction(25),
    size: tuple[int, int] = (192, 108),
    video: str = "libx264",
    pixels: str = "yuv420p",
    options: dict[str, str] | None = None,
    audio: str = "aac",
    rate: int = 48_000,
    layout: str = "stereo",
    rotation: int = 0,
    late: float = 0.0,
    told: bool = True,
) -> Path:
    """Writes a film of numbered pictures by PyAV alone; its colours are BT.709, and `told` to be so."""
    at = list(times or (float(number / fps) for number in range(round(seconds * fps))))
    size = size[0] // 2 * 2 if pixels == "yuv420p" and video == "libx264" else size[0], size[1]
    with av.open(str(path), "w", options={"output_ts_offset": str(late)} if late else {}) as container:
        stream: Any = container.add_stream(video, rate=fps, options=options)
        stream.width, stream.height = size if rotation % 180 == 0 else size[::-1]
        stream.pix_fmt = pixels
        stream.codec_context.time_base = Fraction(1, 90_000) if times else 1 / fps
        if told:
            for name in ("colorspace", "color_primaries", "color_trc", "color_range"):
                setattr(stream.codec_context, name, 1)
        if rotation:
            stream.set_display_rotation(rotation)
        heard: Any = None
        if audio:
            heard = container.add_stream(audio, rate=rate)
            heard.layout = layout
            _sound(container, heard, at[-1] + float(1 / fps), rate, layout)
        for number, second in enumerate(at):
            flash = any(-1e-6 <= second - begin < _FLASH_SECONDS - 1e-6 for begin in FLASHES)
            shown = np.rot90(picture(number, size, flash), -rotation // 90)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(shown), "rgb24")
            frame = frame.reformat(format=pixels, dst_colorspace="itu709", dst_color_range="MPEG")
            frame.pts = round(Fraction(second) / stream.codec_context.time_base)
            frame.time_base = stream.codec_context.time_base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def _sound(container: Any, stream: Any, seconds: float, rate: int, layout: str) -> None:
    wave = np.zeros((_CHANNELS[layout], round(seconds * rate)), np.float32)
    click = 0.7 * np.sin(2 * np.pi * 1000 * np.arange(round(_CLICK_SECONDS * rate)) / rate)
    for begin in FLASHES:
        wave[:, round(begin * rate) :][:, : len(click)] = click
    resampler = av.AudioResampler(format=stream.codec_context.format.name, layout=layout, rate=rate)
    for first in range(0, wave.shape[1], 4096):
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(wave[:, first : first + 4096]), "fltp", layout)
        frame.sample_rate, frame.pts, frame.time_base = rate, first, Fraction(1, rate)
        for part in resampler.resample(frame):
            container.mux(stream.encode(part))
    container.mux(stream.encode(None))


def seen(path: Path) -> list[tuple[float, np.ndarray]]:
    """Every picture as (seconds, RGB) as a player shows it, straight from PyAV."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    return [
        (float(frame.time or 0), np.rot90(frame.to_ndarray(format="rgb24"), round(frame.rotation / 90) % 4))
        for frame in frames
    ]


def flashes(shown: Sequence[tuple[float, np.ndarray]]) -> list[float]:
    """When each flash begins."""
    lit = [(at, read(pixels)[1]) for at, pixels in shown]
    return [at for (at, now), (_, before) in zip(lit[1:], lit, strict=False) if now and not before]


def clicks(path: Path) -> list[float]:
    """When each click begins, on the clock of the file."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        resampler, rate = av.AudioResampler("fltp", "mono", stream.rate), stream.rate
        found: list[float] = []
        for frame in container.decode(stream):
            begin = float(frame.time or 0)
            for part in resampler.resample(frame):
                for loud in np.flatnonzero(np.abs(part.to_ndarray()[0]) > 0.2):
                    at = begin + float(loud) / rate
                    if not found or at - found[-1] > 0.2:
                        found.append(at)
    return found
