"""Writes videos: MP4 with H.264 (yuv420p, BT.709) and AAC, which every player knows, if no other coding is asked for.

Pictures keep the times they are given, so a variable frame rate stays one. Nothing here reads; see `movies`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.media import movies, sound
from nodes._support.media.movies import Facts, Picture
from nodes._support.media.samples import let_go
from nodes.api import Audio, RunContext

CLOCK = 90_000
_AAC_RATES = (8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
_PIECE = 1 << 14
_AAC = {"aac_coder": "fast"}
"""Half the time of FFmpeg's usual search, and at these bit rates no more noise against what masks it (measured: speech,
plucked strings with drums, clicks, tones, noises)."""
OPTIONS = {"preset": "veryfast", "crf": "19", "bf": "0"}  # no B-frames: order and times stay plain


class Coding(NamedTuple):
    """How pictures and sound are coded: FFmpeg's names, options of the first, and bits a second, 0 as is usual."""

    video: str = "libx264"
    options: Mapping[str, str] = OPTIONS
    bit_rate: int = 0
    audio: str = "aac"
    sound_bit_rate: int = 0


USUAL = Coding()


class MovieWriter:
    """A video file that grows picture by picture and sound by sound; use it in a `with` statement.

    `size` is (width, height); odd sizes are rounded up and the last row or column repeated, as H.264 with halved
    colour needs even ones. `rate` 0 makes a video without sound; others, and `channels`, are as `sound_rate` and
    `sound_channels` give them.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], fps: float, rate: int = 0, channels: int = 0, coding: Coding = USUAL
    ) -> None:
        import av

        self.path, self._size = path, (size[0] + size[0] % 2, size[1] + size[1] % 2)
        self._step = 1 / min(max(fps, 1), 240)
        self._container = av.open(str(path), "w", options=at_front(path))
        self._video = self._video_stream(fps, coding)
        self._audio = sound_stream(self._container, rate, channels, coding) if rate else None
        self.rate = int(self._audio.rate) if self._audio else 0
        self._waiting: tuple[Any, float] | None = None
        self._last: tuple[np.ndarray, Any] | None = None
        self._samples = 0
        self._closed = False

    def __enter__(self) -> MovieWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            with contextlib.suppress(Exception):  # a file that is given up need not be complete
                self._container.close()

    @property
    def sound_seconds(self) -> float:
        """Length of the sound so far."""
        return self._samples / self.rate if self.rate else math.inf

    def add_picture(self, pixels: Any, seconds: float) -> None:
        """Shows uint8 (height, width, 3), or a decoded frame, from `seconds` on. A time that is not later than the last
        is passed over."""
        if self._waiting is not None:
            tick = round(self._waiting[1] * CLOCK)
            if round(seconds * CLOCK) <= tick:
                return
            self._encode(self._waiting[0], self._waiting[1], seconds)
        self._waiting = (self._frame(pixels), seconds)

    def add_sound(self, samples: np.ndarray) -> None:
        """Appends float32 (frames, channels) in the writer's own rate and channels."""
        if self._audio is None or not len(samples):
            return
        frame = sound.audio_frame(np.clip(samples, -1, 1), self.rate, self._audio.layout.name)
        frame.pts, frame.time_base = self._samples, Fraction(1, self.rate)
        self._samples += len(samples)
        self._container.mux(self._audio.encode(frame))

    def close(self, until: float | None = None) -> None:
        """Finishes the file; the last picture stays until `until` seconds, or for the usual step. Once is enough."""
        if self._closed:
            return
        self._closed = True
        if self._waiting is not None:
            frame, seconds = self._waiting
            self._encode(frame, seconds, max(until or 0.0, seconds + (0.001 if until else self._step)))
            self._waiting = None
            self._container.mux(self._video.encode(None))
        if self._audio is not None:
            self._container.mux(self._audio.encode(None))
        self._container.close()

    def _encode(self, frame: Any, seconds: float, until: float) -> None:
        frame.pts, frame.time_base = round(seconds * CLOCK), Fraction(1, CLOCK)
        frame.duration = max(round(until * CLOCK) - frame.pts, 1)
        self._container.mux(self._video.encode(frame))

    def _frame(self, pixels: Any) -> Any:
        """The encoder's form of a picture; one that is shown again is not converted again."""
        import av

        if self._last is not None and self._last[0] is pixels:
            return self._last[1]
        if isinstance(pixels, av.VideoFrame):
            if (pixels.width, pixels.height) == self._size:
                return _of_no_kind(pixels.reformat(format="yuv420p", dst_colorspace="itu709", dst_color_range="MPEG"))
            pixels = pixels.to_ndarray(format="rgb24")
        shown = even(pixels)
        if (shown.shape[1], shown.shape[0]) != self._size:
            raise ValueError(f"a picture of {shown.shape[1]} × {shown.shape[0]} in a video of {self._size}")
        frame = av.VideoFrame.from_ndarray(shown, format="rgb24")
        frame = frame.reformat(format="yuv420p", dst_colorspace="itu709", dst_color_range="MPEG")
        self._last = (pixels, frame)
        return frame

    def _video_stream(self, fps: float, coding: Coding) -> Any:
        from av.codec.context import Flags

        rate = Fraction(min(max(fps, 1), 240)).limit_denominator(1001)
        stream: Any = self._container.add_stream(coding.video, rate=rate, options=dict(coding.options))
        if coding.bit_rate:
            stream.bit_rate = coding.bit_rate
        stream.width, stream.height = self._size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, CLOCK)
        for name in ("colorspace", "color_primaries", "color_trc", "color_range"):
            setattr(stream.codec_context, name, 1)  # BT.709, limited range
        stream.codec_context.flags |= Flags.frame_duration  # so that the last picture stays as long as it is told
        stream.codec_context.thread_type = "FRAME"  # PyAV's slices cost 4 % more bytes, and use the processors less
        stream.codec_context.gop_size = max(min(round(fps * 4), 250), 12)
        return stream


def at_front(path: Path) -> dict[str, str]:
    """Options of a container that put its index first, where it would stand last."""
    return {"movflags": "+faststart"} if path.suffix in (".mp4", ".mov") else {}


def _of_no_kind(frame: Any) -> Any:
    """A decoded frame of which the encoder decides itself whether it is a key frame."""
    frame.pict_type = 0
    return frame


def aac_stream(container: Any, rate: int, channels: int) -> Any:
    """A new AAC stream of an open container; `rate` and `channels` as from `sound_rate` and `sound_channels`."""
    stream: Any = container.add_stream("aac", rate=rate, options=dict(_AAC))
    stream.layout = sound.LAYOUTS[channels]
    stream.bit_rate = {1: 112_000, 2: 192_000}.get(channels, 384_000)
    return stream


def sound_stream(container: Any, rate: int, channels: int, coding: Coding = USUAL) -> Any:
    """A new stream of sound of an open container, as `aac_stream`; Opus takes 48 kHz."""
    if coding.audio == "aac":
        stream = aac_stream(container, rate, channels)
    else:
        stream = container.add_stream(coding.audio, rate=rate)
        stream.layout = sound.LAYOUTS[channels]
        stream.bit_rate = 64_000 * channels
    if coding.sound_bit_rate:
        stream.bit_rate = coding.sound_bit_rate
    return stream


def sound_rate(rate: int) -> int:
    """The nearest rate that AAC knows which loses nothing, at most 48 kHz."""
    return next((known for known in _AAC_RATES if known >= rate), _AAC_RATES[-1])


def sound_channels(channels: int) -> int:
    """1, 2 or 6: what is written for so many channels."""
    return channels if channels in (1, 2, 6) else 2


def for_writing(audio: Audio) -> Audio:
    """The sound in a rate and in channels that the writer takes."""
    fitting = sound.resampled(audio, sound_rate(audio.rate))
    return Audio(sound.with_channels(fitting.samples, sound_channels(audio.samples.shape[1])), fitting.rate)


def pieces(audio: Audio) -> Iterator[np.ndarray]:
    """The samples of a sound in pieces small enough to lie between pictures."""
    for at in range(0, len(audio.samples), _PIECE):
        yield audio.samples[at : at + _PIECE]
        let_go(audio.samples)


def even(pixels: np.ndarray) -> np.ndarray:
    """The picture with an even width and height: a last column or row is repeated."""
    height, width = pixels.shape[:2]
    if height % 2 or width % 2:
        pixels = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(pixels)


def write_movie(
    path: Path,
    shown: Iterable[Picture],
    size: tuple[int, int],
    fps: float,
    heard: Iterable[np.ndarray] = (),
    rate: int = 0,
    channels: int = 0,
    seconds: float | None = None,
    context: RunContext | None = None,
    coding: Coding = USUAL,
) -> Path:
    """Writes pictures and sound side by side and returns `path`.

    `heard` are pieces in `sound_rate(rate)` and `sound_channels(channels)`. `seconds`, if known, is when the last
    picture goes and what progress is measured against.
    """
    sounds = iter(heard)
    with MovieWriter(path, size, fps, rate, channels, coding) as writer:
        for picture in shown:
            while writer.sound_seconds <= picture.seconds:
                piece = next(sounds, None)
                if piece is None:
                    break
                writer.add_sound(piece)
            writer.add_picture(picture.pixels, picture.seconds)
            if context is not None and seconds:
                context.progress(min(picture.seconds / seconds, 1.0))
        for piece in sounds:
            if context is not None:
                context.check()
            writer.add_sound(piece)
        writer.close(seconds)
    return path


def rewritten(
    video: Path,
    context: RunContext,
    change: Callable[[np.ndarray, float], np.ndarray],
    size: tuple[int, int] | None = None,
) -> Path:
    """A copy of `video` with each picture replaced by `change(pixels, seconds)`, in `size`; the sound stays."""
    known = movies.facts(video)
    rate, channels = sound_form(known)
    shown = (Picture(p.seconds, change(p.pixels, p.seconds)) for p in movies.pictures(video, context=context))
    heard = movies.chunks(video, rate, channels) if rate else ()
    return write_movie(
        context.new_file(".mp4"), shown, size or (known.width, known.height), known.fps, heard, rate, channels,
        known.picture_seconds, context,
    )  # fmt: skip


def sound_form(known: Facts) -> tuple[int, int]:
    """Rate and channels in which the sound of a video is written again; (0, 0) without sound."""
    return (sound_rate(known.rate), sound_channels(known.channels)) if known.rate else (0, 0)
