"""Puts the pictures of a video into a new MP4 with another sound, copied bit by bit where that can be done."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.media import movie_writer as writer
from nodes._support.media import movies, sound
from nodes.api import Audio, RunContext

COPIED = frozenset({"h264", "hevc", "av1", "mpeg4"})


class CannotCopyError(Exception):
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
        except (CannotCopyError, FFmpegError, ValueError):
            target.unlink(missing_ok=True)
    shown = movies.pictures(video, context=context)
    rate, channels = (audio.rate, audio.samples.shape[1]) if audio else (0, 0)
    heard = writer.pieces(audio) if audio else ()
    seconds = max(known.picture_seconds, audio.seconds if audio else 0.0)
    size = known.width, known.height
    return writer.write_movie(target, shown, size, known.fps, heard, rate, channels, seconds, context)


def _copy(video: Path, audio: Audio | None, target: Path, known: movies.Facts, context: RunContext) -> None:
    import av

    with movies.opened(video) as source, av.open(str(target), "w", options={"movflags": "+faststart"}) as out:
        given = movies.video_stream(source)
        if not movies.tells_times(given):
            raise CannotCopyError
        stream: Any = movies.copied_stream(out, given)
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
            raise CannotCopyError
        hold(last, max(known.picture_seconds, audio.seconds if audio else 0.0))
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
            raise CannotCopyError
        packet.pts, packet.dts = pts - shift, dts - shift
        yield packet, (dts - shift) * tick


def hold(packet: Any, seconds: float) -> None:
    """Lets a last packet last until `seconds`."""
    ticks = round(Fraction(seconds) / packet.time_base) - packet.pts
    packet.duration = max(packet.duration or 1, ticks, 1)


def _encode(out: Any, stream: Any, piece: np.ndarray, done: int, rate: int) -> int:
    """Appends a piece of sound; returns how many samples there are now."""
    frame = sound.audio_frame(np.clip(piece, -1, 1), rate, stream.layout.name)
    frame.pts, frame.time_base = done, Fraction(1, rate)
    out.mux(stream.encode(frame))
    return done + len(piece)
