"""Sounds in the forms in which people keep and send them: MP3, WAV, FLAC, Ogg Vorbis, M4A; and such files of at most a
size."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nodes._support.media import samples, sound
from nodes.api import Audio, RunContext

if TYPE_CHECKING:
    import numpy as np


class Form(NamedTuple):
    """A form that leaves out what is hardly heard: FFmpeg's names, rates in Hz and the most kbit/s."""

    muxer: str
    codec: str
    rates: tuple[int, ...]
    most: int
    options: Mapping[str, str] = {}


_MPEG = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
LOSSY = {
    "mp3": Form("mp3", "libmp3lame", _MPEG, 320),
    "m4a": Form("ipod", "aac", _MPEG, 320, {"movflags": "+faststart"}),
}
OTHERS = {"wav": ("WAV", "PCM_16"), "flac": ("FLAC", "PCM_16"), "ogg": ("OGG", "VORBIS")}
"""By ending, libsndfile's names of the forms without a choice of bit rate."""
_DEEP = frozenset(("PCM_24", "PCM_32", "FLOAT", "DOUBLE"))
LEAST_KBITS = 8
_MP3_KBITS = 96
_STEREO_FROM = 56
_MP3_STEPS = (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_RATES_BY_KBITS = ((16, 8_000), (24, 16_000), (40, 22_050), (64, 32_000))
"""With fewer kbit/s for each channel no more than that rate: what is left out above is better than noise below."""
_TRIES = 8


def is_deep(context: RunContext, port: str = "audio") -> bool:
    """Whether what is linked to the port is a file of the user's that has more than 16 bits for a sample."""
    import soundfile

    brought = context.file_of(port)
    try:
        return brought is not None and context.kinds(port) == (None,) and soundfile.info(brought).subtype in _DEEP
    except (soundfile.LibsndfileError, OSError):
        return False


def whole(audio: Audio, format: str, target: Path, deep: bool = False) -> None:
    """Writes the file with every channel at its rate; WAV and FLAC in 24 bits where it is `deep`. Raises ValueError for
    what the form has no place for."""
    import soundfile

    form, kind = OTHERS[format]
    kind = kind.replace("16", "24") if deep else kind
    try:
        with soundfile.SoundFile(target, "w", audio.rate, audio.samples.shape[1], kind, format=form) as file:
            for block in samples.blocks(audio.samples):
                file.write(block)
    except soundfile.LibsndfileError as error:
        raise ValueError(str(error)) from error


def encoded(audio: Audio, format: str, kbits: float, target: Path, context: RunContext | None = None) -> None:
    """Writes a sound of one or two channels in about so many kbit/s, in mono and at a lower rate where it would sound
    badly otherwise.
    """
    form = LOSSY[format]
    kbits = min(max(kbits, LEAST_KBITS), form.most)
    fitting = _fitting(audio, form, kbits)
    bits = round(1000 * (_mp3_step(kbits, fitting.rate) if format == "mp3" else kbits))
    _by_ffmpeg(fitting, target, form, bits, context)


def _by_ffmpeg(audio: Audio, target: Path, form: Form, bits: int, context: RunContext | None) -> None:
    import av

    with av.open(str(target), "w", form.muxer, options={"fflags": "+bitexact", **form.options}) as container:
        track: Any = container.add_stream(form.codec, rate=audio.rate)
        layout = sound.LAYOUTS[audio.samples.shape[1]]
        track.layout, track.bit_rate = layout, bits
        at = 0
        for block in samples.blocks(audio.samples):
            frame = sound.audio_frame(block, audio.rate, layout)
            frame.pts, at = at, at + len(block)
            container.mux(track.encode(frame))
            if context is not None:
                context.progress(at / len(audio.samples))
        container.mux(track.encode(None))


def mp3_of(pieces: Callable[[], Iterable[tuple[int, np.ndarray]]]) -> bytes:
    """An MP3 of a sound that comes as often as it is asked for, each time as pieces of float32 (frames, channels) with
    their rate in Hz; turned down as a whole where it would clip. Raises ValueError where there is none."""
    import av

    top = max((sound.peak(sound.in_stereo(piece)) for _, piece in pieces()), default=-1.0)
    if top < 0:
        raise ValueError("there is no sound in it")
    form, made = LOSSY["mp3"], io.BytesIO()
    rate, first = next(iter(pieces()))
    width, most = min(first.shape[1], 2), next((known for known in form.rates if known >= rate), form.rates[-1])
    layout = sound.LAYOUTS[width]
    resampler = av.AudioResampler("fltp", layout, most)
    with av.open(made, "w", form.muxer, options={"fflags": "+bitexact"}) as container:
        track: Any = container.add_stream(form.codec, rate=most)
        track.layout, track.bit_rate = layout, 1000 * _MP3_KBITS * width
        for _, piece in pieces():
            stereo = sound.in_stereo(piece) / max(top, 1.0)
            for frame in resampler.resample(sound.audio_frame(stereo, rate, layout)):
                container.mux(track.encode(frame))
        for frame in (*resampler.resample(None), None):
            container.mux(track.encode(frame))
    return made.getvalue()


def within(audio: Audio, format: str, most: int, kbits: float, target: Path, context: RunContext | None = None) -> bool:
    """As `encoded`, of at most `most` bytes and `kbits`; False when even the fewest kbit/s are too many."""
    wanted = min(kbits, LOSSY[format].most, most * 8 / 1000 / audio.seconds)
    for _ in range(_TRIES):
        encoded(audio, format, wanted, target, context)
        size = target.stat().st_size
        if size <= most or wanted <= LEAST_KBITS:
            return size <= most
        wanted = max(wanted * min(0.97, most / size * 0.98), LEAST_KBITS)
    return False


def _fitting(audio: Audio, form: Form, kbits: float) -> Audio:
    width = audio.samples.shape[1] if kbits >= _STEREO_FROM else 1
    each = kbits / width
    most = next((rate for below, rate in _RATES_BY_KBITS if each < below), form.rates[-1])
    rate = next((known for known in form.rates if known >= min(audio.rate, most)), form.rates[-1])
    folded = Audio(sound.with_channels(audio.samples, width), audio.rate)
    return sound.resampled(folded, rate)


def _mp3_step(kbits: float, rate: int) -> int:
    """The next lower of the rates that MP3 has."""
    least, most = (32, 320) if rate >= 32_000 else (8, 160 if rate >= 16_000 else 64)
    return max((step for step in _MP3_STEPS if least <= step <= min(kbits, most)), default=least)
