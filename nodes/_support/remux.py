"""Puts the pictures of a video into a new MP4 with another sound, copied bit by bit where that can be done."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support import movie_writer as writer
from nodes._support import movies, sound
from nodes.api import Audio, RunContext

_NEAR = 5e-4  # seconds: times of files are rounded to a millisecond
COPIED = frozenset({"h264", "hevc", "av1", "mpeg4"})


class _CannotCopyError(Exception):
    """The stream does not go into an MP4 as it is."""


def with_sound(video: Path, audio: Audio | None, context: RunContext) -> Path:
    """`video` with `audio` (in a form of `movie_writer.for_writing`) or without any sound, as a new MP4.

    The last picture stands as long as the sound goes on. Raises NodeError naming port `video`.
    """
    from av.error import FFmpegError

    known = movies.facts(video)
    target = context.new_file(".mp4")
    if known.video_codec in COPIED:
        try:
            _copy(video, audio, target, known, context)
            return target
        except (_CannotCopyError, FFmpegError, ValueError):
            target.unlink(missing_ok=True)
    shown = movies.pictures(video, context=context)
    rate, channels = (audio.rate, audio.samples.shape[1]) if audio else (0, 0)
    heard = writer.pieces(audio) if audio else ()
    seconds = max(known.picture_seconds, audio.seconds if audio else 0.0)
    size = known.width, known.height
    return writer.write_movie(target, shown, size, known.fps, heard, rate, channels, seconds, context)


def part(video: Path, known: movies.Facts, start: float, end: float, context: RunContext) -> Path | None:
    """What lies between two times, copied bit by bit into a new MP4; None where that is not the same to a picture, and
    where its sides are odd, which not every player shows.

    So it is where a key frame stands at `start` and no picture before `end` needs one after it. Sound is cut between
    its frames of about 20 ms, and stays in time.
    """
    from av.error import FFmpegError

    if known.video_codec not in COPIED or known.audio_codec not in ("", "aac") or known.width % 2 or known.height % 2:
        return None
    target = context.new_file(".mp4")
    try:
        _copy_part(video, target, start, end, context)
        return target
    except (_CannotCopyError, FFmpegError, ValueError):
        target.unlink(missing_ok=True)
        return None


def _copy_part(video: Path, target: Path, start: float, end: float, context: RunContext) -> None:
    import av

    with movies.opened(video) as source, av.open(str(target), "w", options={"movflags": "+faststart"}) as out:
        if not any(name in source.format.name for name in ("mp4", "matroska")):
            raise _CannotCopyError
        given = [movies.video_stream(source), *source.streams.audio[:1]]
        made: list[Any] = [out.add_stream_from_template(stream) for stream in given]
        zero = movies.origin(source) + start
        if start > 0:
            source.seek(int((zero + _NEAR) / given[0].time_base), stream=given[0], backward=True)
        last = None
        for packet, shown, at in _inside(source, given, zero, end - start):
            packet.stream = made[0 if shown else 1]
            if not shown:
                out.mux(packet)
                continue
            context.progress(min(max(at / max(end - start, 1e-3), 0), 1))
            if last is not None:
                out.mux(last)
            last = packet
        if last is None:
            raise _CannotCopyError
        _hold(last, end - start)
        out.mux(last)


def _inside(source: Any, given: list[Any], zero: float, seconds: float) -> Iterator[tuple[Any, bool, float]]:
    """The packets of `seconds` from `zero` on, moved to begin at 0; whether each is a picture; its seconds.

    Raises _CannotCopyError where a picture needs one outside. Times are compared in ticks of the streams: a film of an
    hour has a quarter of a million packets.
    """
    bounds = {
        stream.index: (float(stream.time_base), round(zero / stream.time_base),
                       *(float(at / stream.time_base) for at in (zero - _NEAR, zero + _NEAR, zero + seconds - _NEAR)))
        for stream in given
    }  # fmt: skip
    pictures, begun, over = given[0].index, False, {stream.index: False for stream in given}
    for packet in source.demux(given):
        if not packet.size:
            continue
        index, pts, dts = packet.stream_index, packet.pts, packet.dts
        if pts is None or dts is None:
            raise _CannotCopyError
        shown = index == pictures
        tick, shift, early, begin, late = bounds[index]
        if shown and not begun and not (packet.is_keyframe and early < pts < begin):
            raise _CannotCopyError
        outside = pts >= late
        if outside:
            over[index] = True
            if all(over.values()):
                return
        if shown and pts < early:
            raise _CannotCopyError  # a picture that is seen before the key frame
        if outside or (pts < early and pts < early - 2 * (packet.duration or 0)):  # a decoder starts with two of sound
            continue
        if shown and over[index]:
            raise _CannotCopyError  # it needs one that is seen after the end
        begun = begun or shown
        packet.pts, packet.dts = pts - shift, dts - shift
        yield packet, shown, (pts - shift) * tick


def _copy(video: Path, audio: Audio | None, target: Path, known: movies.Facts, context: RunContext) -> None:
    import av

    with movies.opened(video) as source, av.open(str(target), "w", options={"movflags": "+faststart"}) as out:
        given = movies.video_stream(source)
        stream: Any = out.add_stream_from_template(given)
        heard = writer.aac_stream(out, audio.rate, audio.samples.shape[1]) if audio else None
        pieces = writer.pieces(audio) if audio else iter(())
        done, last = 0, None
        for packet, at in _packets(source, given):
            context.progress(min(max(at, 0) / max(known.seconds, 1e-3), 1))
            while audio is not None and done <= at * audio.rate:
                piece = next(pieces, None)
                if piece is None:
                    break
                done = _encode(out, heard, piece, done, audio.rate)
            if last is not None:
                out.mux(last)
            packet.stream, last = stream, packet
        if last is None:
            raise _CannotCopyError
        _hold(last, max(known.picture_seconds, audio.seconds if audio else 0.0))
        out.mux(last)
        for piece in pieces:
            done = _encode(out, heard, piece, done, audio.rate if audio else 1)
        if heard is not None:
            out.mux(heard.encode(None))


def _packets(source: Any, stream: Any) -> Iterator[tuple[Any, float]]:
    """Packets with the seconds at which they are decoded, moved so that the file begins at 0."""
    shift, tick = round(movies.origin(source) / stream.time_base), float(stream.time_base)
    for packet in source.demux(stream):
        if not packet.size:
            continue
        pts, dts = packet.pts, packet.dts
        if pts is None or dts is None:
            raise _CannotCopyError
        packet.pts, packet.dts = pts - shift, dts - shift
        yield packet, (dts - shift) * tick


def _hold(packet: Any, seconds: float) -> None:
    """Lets a last packet last until `seconds`."""
    ticks = round(Fraction(seconds) / packet.time_base) - packet.pts
    packet.duration = max(packet.duration or 1, ticks, 1)


def _encode(out: Any, stream: Any, piece: np.ndarray, done: int, rate: int) -> int:
    """Appends a piece of sound; returns how many samples there are now."""
    frame = sound.audio_frame(np.clip(piece, -1, 1), rate, stream.layout.name)
    frame.pts, frame.time_base = done, Fraction(1, rate)
    out.mux(stream.encode(frame))
    return done + len(piece)
