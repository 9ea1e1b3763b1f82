"""Films as files of a form and of at most a size. Must not know tools."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.media import frames, movies, remux
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Facts, Picture
from nodes.api import RunContext

_VP9 = {"deadline": "good", "cpu-used": "5", "row-mt": "1", "crf": "31"}
_BITS = 0.03
"""A second and pixel of a picture, below which fewer pixels look better."""
_OVERHEAD = 0.96
_SHORTEST, _LEAST = 32, 1000
"""Pixels of a side, and bits a second of pictures, below which nothing is to be seen."""
_TRIES = 4
_SOUND, _SOUND_SHARE, _LEAST_SOUND, _STEREO = 128_000, 0.2, 12_000, 48_000
"""Bits a second: the most, the share of all, the least, and from where two channels are kept."""


class Form(NamedTuple):
    """What a container may hold as it is, by FFmpeg's names; whether it is coded for the web, not for all players."""

    pictures: frozenset[str]
    sound: frozenset[str]
    subtitles: frozenset[str]
    web: bool = False


FORMS = {
    "mp4": Form(remux.COPIED, frozenset({"aac", "mp3", "ac3", "eac3", "alac"}), frozenset({"mov_text"})),
    "webm": Form(frozenset({"vp8", "vp9", "av1"}), frozenset({"opus", "vorbis"}), frozenset({"webvtt"}), True),
    "mov": Form(
        frozenset({"h264", "hevc", "mpeg4", "prores", "mjpeg"}), frozenset({"aac", "mp3", "ac3", "alac", "pcm_s16le"}),
        frozenset({"mov_text"}),
    ),
    "mkv": Form(
        remux.COPIED | {"vp8", "vp9", "prores", "ffv1", "mpeg2video"},
        frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus", "vorbis", "flac", "dts", "pcm_s16le"}),
        frozenset({"subrip", "ass", "webvtt"}),
    ),
}  # fmt: skip


def saved(video: Path, name: str, most: int | None, context: RunContext) -> Path | None:
    """The film in a form of FORMS and at most so many bytes; None when that cannot be had.

    Copied bit by bit where the form holds its coding and the size allows; else coded anew in H.264 and AAC, or VP9 and
    Opus. Raises NodeError naming `video` for a broken one.
    """
    known, form = movies.facts(video), FORMS[name]
    target = context.new_file(f".{name}")
    near = most is None or video.stat().st_size <= 1.2 * most
    if near and _copied(video, target, known, form, context) and _fits(target, most):
        return target
    if (most is None or video.stat().st_size <= most) and _fits(
        _coded(video, target, known, _Want(known, form), context), most
    ):
        return target
    assert most is not None
    return _within(video, target, known, form, most, context)


class _Want:
    """How a film is to be coded: in which size, with how many bits a second for pictures and for sound."""

    def __init__(self, known: Facts, form: Form) -> None:
        self.form, self.size = form, (known.width, known.height)
        self.rate, self.channels = writer.sound_form(known)
        if form.web and self.rate:
            self.rate, self.channels = 48_000, min(self.channels, 2)
        self.bits = self.sound_bits = 0

    def coding(self) -> writer.Coding:
        if self.form.web:
            return writer.Coding("libvpx-vp9", _VP9, self.bits, "libopus", self.sound_bits)
        options = {key: value for key, value in writer.OPTIONS.items() if key != "crf" or not self.bits}
        return writer.Coding("libx264", options, self.bits, "aac", self.sound_bits)


def _within(video: Path, target: Path, known: Facts, form: Form, most: int, context: RunContext) -> Path | None:
    """With as many bits a second as the size leaves for its length, fewer again where the result is too large."""
    want = _Want(known, form)
    total = most * 8 * _OVERHEAD / max(known.seconds, 0.04)
    if want.rate:
        want.sound_bits = round(min(max(total * _SOUND_SHARE, _LEAST_SOUND), _SOUND))
        want.channels = 1 if want.sound_bits < _STEREO else min(want.channels, 2)
    bits = total - want.sound_bits
    for _ in range(_TRIES):
        if bits < _LEAST:
            return None
        want.bits, want.size = round(bits), _shrunk(known, bits)
        if min(want.size) < min(_SHORTEST, known.width, known.height):
            return None
        made = _coded(video, target, known, want, context).stat().st_size
        if made <= most:
            return target
        over = (made - most) * 8 / max(known.seconds, 0.04)
        bits = max(0.97 * bits - 1.1 * over, 0.35 * bits)
    return None


def _shrunk(known: Facts, bits: float) -> tuple[int, int]:
    """The size, even, in which so many bits a second look best."""
    scale = min(1.0, math.sqrt(bits / (_BITS * known.width * known.height * max(known.fps, 1))))
    if scale > 0.9:
        return known.width, known.height
    return max(2 * round(known.width * scale / 2), 2), max(2 * round(known.height * scale / 2), 2)


def _fits(path: Path, most: int | None) -> bool:
    return most is None or path.stat().st_size <= most


def _coded(video: Path, target: Path, known: Facts, want: _Want, context: RunContext) -> Path:
    whole = want.size == (known.width, known.height)

    def fitted(picture: Picture) -> Picture:
        return picture if whole else Picture(picture.seconds, frames.resized(picture.pixels, want.size))

    shown = map(fitted, movies.pictures(video, context=context, unchanged=whole))
    heard: Any = movies.chunks(video, want.rate, want.channels) if want.rate else ()
    return writer.write_movie(
        target, shown, want.size, known.fps, heard, want.rate, want.channels, known.picture_seconds, context,
        want.coding(),
    )  # fmt: skip


def _copied(video: Path, target: Path, known: Facts, form: Form, context: RunContext) -> bool:
    """Whether pictures, sound and subtitles were copied as they are."""
    from av.error import FFmpegError

    if known.video_codec not in form.pictures or known.audio_codec not in ("", *form.sound):
        return False
    if known.rotation and target.suffix in (".mkv", ".webm"):  # not every player turns those
        return False
    try:
        return _copy(video, target, form, known, context)
    except (FFmpegError, ValueError):
        context.check()
        return False


def _copy(video: Path, target: Path, form: Form, known: Facts, context: RunContext) -> bool:
    import av

    with movies.opened(video) as source, av.open(str(target), "w", options=writer.at_front(target)) as out:
        if not any(name in source.format.name for name in ("mp4", "matroska")):
            return False
        sounds = [each for each in source.streams.audio if movies.coding(each) in form.sound]
        told = [each for each in source.streams.subtitles if movies.coding(each) in form.subtitles]
        made = {each.index: (movies.copied_stream(out, each), round(movies.origin(source) / each.time_base))
                for each in (movies.video_stream(source), *sounds, *told)}  # fmt: skip
        for packet in source.demux([each for each in source.streams if each.index in made]):
            if not packet.size:
                continue
            if packet.pts is None or packet.dts is None:
                return False
            stream, shift = made[packet.stream_index]
            context.progress(min(max(float(packet.pts * packet.time_base) / max(known.seconds, 1e-3), 0), 1))
            packet.pts, packet.dts = packet.pts - shift, packet.dts - shift
            if target.suffix in (".mkv", ".webm") and packet.pts < 0 and packet.pts + (packet.duration or 0) <= 0:
                continue  # what only starts the decoder of AAC: Matroska would begin the film that much later
            packet.stream = stream
            out.mux(packet)
    return True
