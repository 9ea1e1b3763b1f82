"""Small sounds and videos for the tests, and measures of them."""

from __future__ import annotations

import inspect
import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from nodes import load_tools
from nodes.api import Audio, RunContext

_numbers = itertools.count()


def run(tool: str, *values: Any, folder: Path | None = None, context: RunContext | None = None, **more: Any) -> Any:
    """Runs the first back end of a tool of the registry."""
    declared = load_tools().tools[tool]
    function = declared.backends[0].run
    if "context" in inspect.signature(function).parameters:
        more["context"] = context or _context(folder or Path())
    return function(*values, **more)


def _context(folder: Path) -> RunContext:
    """A context that never gives the same file name twice, though there is one for each run of a tool."""
    context = RunContext(folder)
    context._files = next(_numbers) * 100
    return context


def tone(frequency: float = 440.0, seconds: float = 1.0, rate: int = 22_050, channels: int = 1, level: float = 0.5):
    wave = level * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)
    return Audio(np.repeat(wave[:, None], channels, axis=1).astype(np.float32), rate)


def silence(seconds: float = 1.0, rate: int = 22_050, channels: int = 1) -> Audio:
    return Audio(np.zeros((round(seconds * rate), channels), np.float32), rate)


def noise(seconds: float = 1.0, rate: int = 22_050, level: float = 0.1, seed: int = 0) -> Audio:
    random = np.random.default_rng(seed)
    return Audio((level * random.standard_normal((round(seconds * rate), 1))).astype(np.float32), rate)


def peak_frequency(audio: Audio) -> float:
    wave = audio.samples.mean(axis=1)
    wave = wave * np.hanning(len(wave))
    return float(np.fft.rfftfreq(len(wave), 1 / audio.rate)[np.abs(np.fft.rfft(wave)).argmax()])


def band_db(audio: Audio, low: float, high: float) -> float:
    """Power between two frequencies, in dB."""
    wave = audio.samples.mean(axis=1)
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave)))) ** 2 / len(wave)
    frequency = np.fft.rfftfreq(len(wave), 1 / audio.rate)
    return float(10 * np.log10(power[(frequency >= low) & (frequency < high)].sum() + 1e-12))


def rms(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))


def gradient(width: int = 96, height: int = 64, shift: int = 0) -> np.ndarray:
    """A smooth RGB picture with a white square that `shift` moves to the right."""
    y, x = np.mgrid[0:height, 0:width]
    picture = np.stack((x * 255 / width, y * 255 / height, np.full_like(x, 90, float)), axis=2).astype(np.uint8)
    picture[height // 4 : height // 2, 8 + shift : 8 + shift + height // 4] = 255
    return picture


def movie(
    path: Path,
    frames: int = 25,
    fps: int = 25,
    size: tuple[int, int] = (96, 64),
    sound: Audio | None = None,
    rotation: int = 0,
    times: list[float] | None = None,
    pictures: list[np.ndarray] | None = None,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    late: float = 0.0,
    options: dict[str, str] | None = None,
) -> Path:
    """Writes a video without any code of the project: a white square moves to the right by a pixel a frame."""
    shown = pictures or [gradient(*size, shift=number) for number in range(frames)]
    with av.open(str(path), "w", options={"output_ts_offset": str(late)} if late else {}) as container:
        video: Any = container.add_stream(codec, rate=fps, options=options)
        video.height, video.width = shown[0].shape[:2]
        video.pix_fmt = pixels
        video.codec_context.time_base = Fraction(1, 1000 if times else fps)
        if rotation:
            video.set_display_rotation(rotation)
        audio: Any = None
        if sound is not None:
            audio = container.add_stream("aac" if codec == "libx264" else "libopus", rate=sound.rate)
            audio.layout = {1: "mono", 6: "5.1"}.get(sound.samples.shape[1], "stereo")
        for number, picture in enumerate(shown):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = round(times[number] * 1000) if times else number
            frame.time_base = video.codec_context.time_base
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if sound is not None:
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound.samples.T), "fltp", audio.layout.name)
            frame.sample_rate, frame.pts = sound.rate, 0
            container.mux(audio.encode(frame))
            container.mux(audio.encode(None))
    return path


def decoded(path: Path) -> list[tuple[float, np.ndarray]]:
    """Every frame of a video as (seconds, RGB), straight from PyAV."""
    with av.open(str(path)) as container:
        return [(float(frame.time), frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]


def sound_of(path: Path) -> Audio | None:
    """The first sound track, straight from PyAV."""
    with av.open(str(path)) as container:
        if not container.streams.audio:
            return None
        rate = container.streams.audio[0].rate
        parts = [frame.to_ndarray() for frame in container.decode(audio=0)]
    return Audio(np.concatenate(parts, axis=1).T, rate)


def stream_facts(path: Path) -> dict[str, Any]:
    """Codec, pixel format, size, and seconds of each stream as the container tells them."""
    with av.open(str(path)) as container:
        video = container.streams.video[0]
        audio = container.streams.audio[0] if container.streams.audio else None
        return {
            "video": video.codec_context.name,
            "pixels": video.codec_context.pix_fmt,
            "size": (video.codec_context.width, video.codec_context.height),
            "seconds": float(video.duration * video.time_base),
            "frames": video.frames,
            "audio": audio.codec_context.name if audio else None,
            "audio_seconds": float(audio.duration * audio.time_base) if audio else 0.0,
        }
