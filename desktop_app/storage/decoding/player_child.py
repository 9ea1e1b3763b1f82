"""The process of one player: decodes a sound or film as far as it is asked for, and no further. Ends with its input.

Commands come a JSON object a line. `open` names the file, and what is wanted of it. `seek` goes to a place, from which
so many pictures and pieces of sound are then wanted; `more` wants further ones, and says where the player is: pictures
that are late by then are left out. `fit` sets the most pixels of a picture, as width and height.

Messages are a HEAD and so many bytes as it says. Sound and pictures are decoded from two openings of the file, so that
one never waits for the other, however the file orders them.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import queue
import struct
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from desktop_app.storage.decoding import confined
from nodes._support import opening
from nodes._support.files import codecs
from nodes.phrase import Phrase, to_json, unstopped

HEAD = struct.Struct("<cIddIIIBI")
"""Kind, number of the last seek, seconds of its begin and end, width, height, bytes a line, quarter turns, bytes."""
OPENED, PICTURE, SOUND, TROUBLE = b"o", b"p", b"s", b"x"
"""OPENED and TROUBLE carry JSON. A PICTURE is BGRX, and is to be turned to the right; a PICTURE or SOUND without bytes
is the last of its kind, and says where that ends."""
STEP_SECONDS = 20.0
MOST_PIXELS = 100_000_000
PIECES_A_SECOND = 20
_SAMPLES = {"s16": 2, "flt": 4}
_LAYOUTS = {1: "mono", 2: "stereo"}
_LEAST_SHOWN_SECONDS = 0.25
"""However late pictures are, one in this time is shown."""
_MOST_ERRORS = 200
_MEMORY_WORDS = Phrase("it needs more memory to be read than is allowed")

Message = tuple[bytes, float, float, int, int, int, int, bytes]


def main() -> None:
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints does not come between the messages
    confined.narrow()
    commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands,), daemon=True).start()
    film: _Film | None = None
    while True:
        busy = film is not None and film.wanted
        try:
            command = commands.get(block=not busy)
        except queue.Empty:
            command = None
        faulthandler.dump_traceback_later(STEP_SECONDS + confined.GRACE_SECONDS, exit=True)
        made: list[Message] = []
        try:
            if command is not None and command["do"] == "open":
                film = _Film(command)
                made = [film.opened()]
            elif film is not None:
                made = film.step() if command is None else film.obey(command)
        except Exception as error:  # an edge: whatever a decoder raises is the file's fault
            full = isinstance(error, MemoryError)
            film, made = None, [_trouble(_MEMORY_WORDS if full else unstopped(codecs.why(error)))]
        for kind, *head, data in made:
            messages.write(HEAD.pack(kind, film.number if film else 0, *head, len(data)) + data)
        messages.flush()
        faulthandler.cancel_dump_traceback_later()


def _listen(commands: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        commands.put(json.loads(line))
    os._exit(0)


def _trouble(why: str) -> Message:
    return TROUBLE, 0.0, 0.0, 0, 0, 0, 0, json.dumps(to_json(why)).encode()


class _Film:
    """The file, as what is wanted of it: pictures, sound or both."""

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        path = Path(wanted["path"])
        self.number = 0
        self._tracks: dict[str, _PictureTrack | _Sound] = {}
        if wanted["sound"] and (stream := _stream(path, "audio")):
            self._tracks["sound"] = _Sound(*stream, **wanted["sound"])
        if wanted["pictures"] and (stream := _stream(path, "video")):
            self._tracks["pictures"] = _PictureTrack(*stream, *wanted["pictures"])
        if not self._tracks:
            raise ValueError(Phrase("there is nothing in it that can be played"))

    @property
    def wanted(self) -> bool:
        """True while there is something to decode."""
        return any(track.wanted for track in self._tracks.values())

    def opened(self) -> Message:
        """What there is, and how long it lasts; 0 seconds where that is not known."""
        facts = {"seconds": max(track.seconds for track in self._tracks.values()), "kinds": list(self._tracks)}
        return OPENED, 0.0, 0.0, 0, 0, 0, 0, json.dumps(facts).encode()

    def step(self) -> list[Message]:
        return [message for track in self._tracks.values() if track.wanted for message in track.step()]

    def obey(self, command: Mapping[str, Any]) -> list[Message]:
        if command["do"] == "seek":
            self.number = command["number"]
        for kind, track in self._tracks.items():
            if command["do"] == "seek":
                track.seek(command["seconds"], command[kind])
            elif command["do"] == "more":
                track.wanted += 0 if track.ended else command[kind]
                track.place = command["seconds"]
            elif isinstance(track, _PictureTrack):
                track.fit(command["width"], command["height"])
        return []


def _stream(path: Path, kind: str) -> tuple[Any, Any] | None:
    """An opening of the file and its first stream of that kind, "audio" or "video"; the cover of a record is none."""
    from av.error import ArgumentError, InvalidDataError
    from av.stream import Disposition

    try:
        container = opening.film(path)
    except (InvalidDataError, ArgumentError):  # FFmpeg's words are of its own arguments
        raise ValueError(Phrase("it is no sound or film, or of a kind that is not known here")) from None
    for stream in getattr(container.streams, kind):
        if not stream.disposition & Disposition.attached_pic:
            return container, stream
    container.close()
    return None


class _Track:
    """One stream. `wanted` messages more are to be made of it; `place` is where the player is, in seconds."""

    def __init__(self, container: Any, stream: Any) -> None:
        self._container, self._stream = container, stream
        stream.thread_type = "AUTO"
        self.wanted, self.place, self.ended = 0, 0.0, False
        self._from = self._end = self._over = 0.0
        self._begin = (container.start_time or 0) / 1_000_000
        own = float(stream.duration * stream.time_base) if stream.duration else 0.0
        self.seconds = max(0.0, (container.duration or 0) / 1_000_000 or own)
        self._some = False
        self._frames = self._decoded()

    def seek(self, seconds: float, wanted: int) -> None:
        """Goes on from there; what begins before and ends after it is the first."""
        self._from = self._end = self.place = seconds
        self.wanted, self.ended = wanted, False
        if self._some or seconds > 0:
            self._container.seek(round((seconds + self._begin) * 1_000_000))
            self._frames = self._decoded()

    def step(self) -> list[Message]:
        try:
            frame = next(self._frames)
        except StopIteration:
            made = self._last()
            self.ended, self.wanted = True, 0
            return made
        self._some = True
        made = [] if frame is None else self._made(frame)
        self.wanted -= len(made)
        return made

    def _decoded(self) -> Iterator[Any]:
        """Frames, and None for what held none. What is damaged is left out; what breaks off, ends."""
        from av.error import EOFError as AtEnd
        from av.error import FFmpegError

        errors = 0
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
                frames = [] if packet is None else packet.decode()
            except (FFmpegError, ValueError) as error:
                errors += 1
                if errors > _MOST_ERRORS or isinstance(error, AtEnd):
                    return
                if not self._some and errors > 20:
                    raise
                yield None
                continue
            if packet is None:
                return
            yield from frames or (None,)

    def _time_of(self, frame: Any) -> float:
        return self._end if frame.pts is None else float(frame.pts * frame.time_base) - self._begin

    def _made(self, frame: Any) -> list[Message]:
        raise NotImplementedError

    def _last(self) -> list[Message]:
        raise NotImplementedError


class _PictureTrack(_Track):
    """Pictures, upright and as large as they are shown."""

    def __init__(self, container: Any, stream: Any, width: int, height: int) -> None:
        from av.video.reformatter import VideoReformatter

        super().__init__(container, stream)
        self._reformatter = VideoReformatter()
        self._each = float(1 / (stream.average_rate or stream.guessed_rate or Fraction(25)))
        self._left_out: Any = None
        self._sent = 0.0
        self.fit(width, height)

    def fit(self, width: int, height: int) -> None:
        self._room = (width, height)

    def seek(self, seconds: float, wanted: int) -> None:
        super().seek(seconds, wanted)
        self._left_out, self._sent = None, 0.0

    def _made(self, frame: Any) -> list[Message]:
        if frame.width * frame.height > MOST_PIXELS:
            said = "its pictures have {width} × {height} pixels, which is too many"
            raise ValueError(Phrase(said, width=f"{frame.width:,}", height=f"{frame.height:,}"))
        begin = self._time_of(frame)
        long = float(frame.duration * frame.time_base) if frame.duration and frame.time_base else self._each
        self._end = begin + (long if 0 < long < 3600 else self._each)
        self._over = max(self._over, self._end)
        now = time.monotonic()
        late = self._end <= self.place and now - self._sent < _LEAST_SHOWN_SECONDS
        if self._end <= self._from + 1e-4 or late:
            self._left_out = (frame, begin)
            return []
        return [self._message(frame, begin, now)]

    def _message(self, frame: Any, begin: float, now: float) -> Message:
        self._left_out, self._sent = None, now
        turns = -round(getattr(frame, "rotation", 0) / 90) % 4
        width, height = self._size(frame, bool(turns % 2))
        shown = self._reformatter.reformat(frame, width, height, "bgra", interpolation="BILINEAR", threads=1)
        (plane,) = shown.planes
        return (
            PICTURE,
            begin,
            self._end,
            width,
            height,
            plane.line_size,
            turns,
            bytes(plane)[: plane.line_size * height],
        )

    def _size(self, frame: Any, lies: bool) -> tuple[int, int]:
        aspect = float(self._stream.sample_aspect_ratio or 1)
        wide = frame.width * (aspect if 0.1 < aspect < 10 else 1.0)
        room_wide, room_high = self._room[::-1] if lies else self._room
        scale = min(1.0, room_wide / wide, room_high / frame.height)
        return max(1, round(wide * scale)), max(1, round(frame.height * scale))

    def _last(self) -> list[Message]:
        frame, begin = self._left_out or (None, 0.0)
        last = [self._message(frame, begin, 0.0)] if frame is not None and not self._sent else []
        return [*last, (PICTURE, self._over, self._over, 0, 0, 0, 0, b"")]


class _Sound(_Track):
    """Samples in pieces of a twentieth of a second, interleaved, in the form that the player asked for."""

    def __init__(self, container: Any, stream: Any, rate: int, channels: int, sample: str) -> None:
        super().__init__(container, stream)
        self._rate, self._block = rate, channels * _SAMPLES[sample]
        self._form = {"format": sample, "layout": _LAYOUTS[channels], "rate": rate}
        self._renew()

    def seek(self, seconds: float, wanted: int) -> None:
        super().seek(seconds, wanted)
        self._renew()

    def _renew(self) -> None:
        import av

        self._resampler = av.AudioResampler(**self._form)
        self._samples: bytearray = bytearray()
        self._at: float | None = None

    def _made(self, frame: Any) -> list[Message]:
        begin = self._time_of(frame)
        ready = len(self._samples) / self._block / self._rate
        if self._at is None or abs(begin - self._at - ready) > 0.5:  # the first, or after a gap
            self._samples.clear()
            self._at = begin
        try:
            resampled = self._resampler.resample(frame)
        except ValueError:  # the sound has another form from here on
            self._renew()
            self._at = begin
            resampled = self._resampler.resample(frame)
        self._take(resampled)
        return self._pieces(self._rate // PIECES_A_SECOND * self._block)

    def _take(self, resampled: list[Any]) -> None:
        for frame in resampled:
            self._samples += bytes(frame.planes[0])[: frame.samples * self._block]
        assert self._at is not None
        before = round((self._from - self._at) * self._rate)
        if before > 0:
            gone = min(before * self._block, len(self._samples))
            del self._samples[:gone]
            self._at += gone / self._block / self._rate
        self._over = max(self._over, self._at + len(self._samples) / self._block / self._rate)

    def _pieces(self, size: int) -> list[Message]:
        made: list[Message] = []
        while self._at is not None and len(self._samples) >= size > 0 and len(made) < self.wanted:
            begin = self._at
            self._at = self._end = begin + size / self._block / self._rate
            made.append((SOUND, begin, self._end, 0, 0, 0, 0, bytes(self._samples[:size])))
            del self._samples[:size]
        return made

    def step(self) -> list[Message]:
        waiting = self._pieces(self._rate // PIECES_A_SECOND * self._block)
        self.wanted -= len(waiting)
        return waiting or super().step()

    def _last(self) -> list[Message]:
        from av.error import FFmpegError

        if self._at is not None:
            with contextlib.suppress(FFmpegError, ValueError):
                self._take(self._resampler.resample(None))
        rest = self._pieces(len(self._samples) // self._block * self._block)
        return [*rest, (SOUND, self._over, self._over, 0, 0, 0, 0, b"")]


if __name__ == "__main__":
    main()
