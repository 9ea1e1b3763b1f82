"""Cuts a part out of a video and codes no more of it anew than must be."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nodes._support.media import avc, movies
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Facts, Picture
from nodes._support.media.remux import COPIED, CannotCopyError, hold
from nodes.api import RunContext

_NEAR = 5e-4  # seconds: times of files are rounded to a millisecond
_AT_ONCE = 16  # packets; fewer take longer


class _Cut(NamedTuple):
    """Which pictures are copied: those that appear from tick `begin` until `end` of their stream, moved by `shift` to
    begin at 0. With a `head` or `tail` those before and after are coded; `lead` and `trail` ticks lie between the times
    at which they are decoded and shown."""

    shift: int
    begin: int
    end: float
    lead: int
    trail: int
    head: bool
    tail: bool


def trimmed(video: Path, known: Facts, start: float, end: float, context: RunContext) -> Path:
    """What lies between two times as a new MP4: as `part` where that can be done, else all of it coded anew. It begins
    with the picture that is seen at `start`."""
    if copied := part(video, known, start, end, context):
        return copied
    rate, channels = writer.sound_form(known)
    shown = (
        Picture(max(picture.seconds - start, 0.0), picture.pixels)
        for picture in movies.pictures(video, start=start, end=end, context=context, unchanged=True)
    )
    heard = movies.chunks(video, rate, channels, start, end) if rate else ()
    return writer.write_movie(
        context.new_file(".mp4"), shown, (known.width, known.height), known.fps, heard, rate, channels,
        end - start, context,
    )  # fmt: skip


def is_copied(known: Facts) -> bool:
    """Whether its coding is one of which parts are copied. Sides that are odd are not: not every player shows them."""
    return (
        known.video_codec in COPIED
        and known.audio_codec in ("", "aac")
        and not (known.width % 2 or known.height % 2)
    )  # fmt: skip


def part(video: Path, known: Facts, start: float, end: float, context: RunContext) -> Path | None:
    """What lies between two times as a new MP4. Pictures are copied bit by bit from the first key frame on, up to the
    last of which none needs one after `end`; what remains at the ends is coded like them. None where that cannot be
    done.

    Only H.264 is coded so; other codings are copied where nothing remains. Sound is cut between its frames of about
    20 ms, and stays in time.
    """
    from av.error import FFmpegError

    if not is_copied(known):
        return None
    target = context.new_file(".mp4")
    try:
        _write_part(video, target, start, end - start, context)
        return target
    except (CannotCopyError, FFmpegError, ValueError):
        target.unlink(missing_ok=True)
        return None


def _write_part(video: Path, target: Path, start: float, seconds: float, context: RunContext) -> None:
    import av

    with movies.opened(video) as source, av.open(str(target), "w", options={"movflags": "+faststart"}) as out:
        if not any(name in source.format.name for name in ("mp4", "matroska")):
            raise CannotCopyError
        given = [movies.video_stream(source), *source.streams.audio[:1]]
        made: list[Any] = [movies.copied_stream(out, stream) for stream in given]
        zero, tick = movies.origin(source) + start, float(given[0].time_base)
        cut = _cut(source, given[0], zero, seconds)
        head, tail = _coded(video, given[0], made[0], cut, start, seconds, context)
        _seek(source, given[0], zero)
        copied = _inside(source, given, cut, zero, seconds)
        last, ready = None, []
        for packet, shown in itertools.chain(((p, True) for p in head), copied, ((p, True) for p in tail)):
            if shown:
                if len(ready) >= _AT_ONCE:
                    context.progress(min(max(packet.pts * tick / max(seconds, 1e-3), 0), 1))
                    out.mux(ready)
                    ready = []
                last = packet
            packet.stream = made[0 if shown else 1]
            ready.append(packet)
        if last is None:
            raise CannotCopyError
        hold(last, seconds)
        out.mux(ready)


def _seek(source: Any, stream: Any, at: float) -> None:
    """Goes to the last key frame before that second on the clock of the stream, else to its first packet."""
    source.seek(int((at + _NEAR) / stream.time_base), stream=stream, backward=True)


def _pictures(source: Any, stream: Any) -> Iterator[Any]:
    """Its packets from here on. Raises CannotCopyError for one without times."""
    for packet in source.demux(stream):
        if packet.size:
            if packet.pts is None or packet.dts is None:
                raise CannotCopyError
            yield packet


def _cut(source: Any, stream: Any, zero: float, seconds: float) -> _Cut:
    """What can be copied of `seconds` from `zero` on. Raises CannotCopyError where that is nothing."""
    early, begin, late = (
        float(at / stream.time_base) for at in (zero - _NEAR, zero + _NEAR, zero + seconds - _NEAR)
    )  # fmt: skip
    _seek(source, stream, zero)
    first = _first_key(source, stream, early, begin, late)
    _seek(source, stream, zero + seconds - 3 * _NEAR)
    key, end, over = None, late, False
    for packet in _pictures(source, stream):
        if packet.is_keyframe and packet.pts < late:
            key = packet
        if packet.pts < late and over:  # it may need the one that is seen after the end
            end = key.pts if key is not None else 0
            break
        over = over or packet.pts >= late
        if packet.dts >= late:
            break
    tail = end != late
    if tail and end <= first.pts:
        raise CannotCopyError
    trail = key.pts - key.dts if tail and key is not None else 0
    shift = round(zero / stream.time_base)
    return _Cut(shift, first.pts, end, first.pts - first.dts, trail, first.pts >= begin, tail)


def _first_key(source: Any, stream: Any, early: float, begin: float, late: float) -> Any:
    """The packet from which on can be copied what is seen from `early` or later on."""
    opening = None
    for packet in _pictures(source, stream):
        if opening is None:
            opening = packet
            if not packet.is_keyframe or packet.pts >= begin:
                break  # what is seen at `begin` is not known
        if packet.dts >= late:
            break
        if (
            packet.is_keyframe
            and early < packet.pts < late
            and (packet is opening or avc.is_independent(packet, stream))
        ):
            return packet
    raise CannotCopyError


def _coded(
    video: Path, given: Any, made: Any, cut: _Cut, start: float, seconds: float, context: RunContext
) -> tuple[Iterator[Any], Iterator[Any]]:
    """The packets before and after those that are copied; the stream `made` is told of them."""
    if not (cut.head or cut.tail):
        return iter(()), iter(())
    coder, tick = avc.Coder(given, writer.OPTIONS), float(given.time_base)
    made.codec_context.extradata = coder.head

    def packets(begin: float, until: float, lead: int) -> Iterator[Any]:
        shown = movies.frames(video, start + begin, start + until, context)
        return coder.packets(shown, cut.shift, lead, round(until / tick))

    return (
        packets(0.0, (cut.begin - cut.shift) * tick, cut.lead) if cut.head else iter(()),
        packets((cut.end - cut.shift + 0.5) * tick, seconds, cut.trail) if cut.tail else iter(()),
    )


def _inside(source: Any, given: list[Any], cut: _Cut, zero: float, seconds: float) -> Iterator[tuple[Any, bool]]:
    """The packets that are copied, moved to begin at 0, and whether each is a picture.

    Raises CannotCopyError where a picture needs one outside. Times are compared in ticks of the streams: a film of an
    hour has a quarter of a million packets.
    """
    pictures, begun, seen_over, heard_over = given[0].index, False, False, len(given) < 2
    sound = given[-1].time_base
    heard, early, late = round(zero / sound), float((zero - _NEAR) / sound), float((zero + seconds - _NEAR) / sound)
    for packet in source.demux(given):
        pts, dts = packet.pts, packet.dts
        if pts is None or dts is None:
            if packet.size:
                raise CannotCopyError
        elif packet.stream_index != pictures:
            if pts >= late:
                heard_over = True
            elif pts >= early or pts >= early - 2 * (packet.duration or 0):  # a decoder starts with two of sound
                packet.pts, packet.dts = pts - heard, dts - heard
                yield packet, False
        elif pts >= cut.end:
            seen_over = seen_over or dts >= cut.end
        elif pts >= cut.begin:
            begun = True
            packet.pts, packet.dts = pts - cut.shift, dts - cut.shift
            yield packet, True
        elif begun:
            raise CannotCopyError  # it is seen before the key frame
        if seen_over and heard_over:
            return
