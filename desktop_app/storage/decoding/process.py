"""The processes that decode: at most two, started when first needed, ended and replaced when they misbehave.

Must not know what is decoded. May be called on any thread.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from desktop_app.storage.decoding import confined
from nodes import phrase
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader

_MOST_HEAD = 1 << 20
_START_SECONDS = 120.0
"""A machine that is busy with something else takes that long to start a process, at most."""
_MOST_DATA = 400 << 20


class Unreadable(ValueError):
    """The file cannot be decoded; the message says why, without a capital and a full stop."""


class _Decoder:
    """One process, which does one thing at a time. Raises OSError when it cannot be started.

    `used` is true once it has answered, `late` once it was ended for taking too long, `dead` when it ended by itself
    without a word about the last question.
    """

    def __init__(self) -> None:
        self._process = confined.start("desktop_app.storage.decoding.child")
        self.used = self.late = self.dead = self._ended = False

    def ask(self, line: bytes, seconds: float, most: int) -> tuple[dict[str, Any], bytearray] | None:
        """What it answers; None when it gives no proper answer, or none in time. Then it is to be thrown away."""
        assert self._process.stdin and self._process.stdout
        reader = cast("BufferedReader", self._process.stdout)
        try:
            if not self.used:  # how long it takes to start is not the file's fault
                with self._at_most(_START_SECONDS):
                    reader.readline(1)
            with self._at_most(seconds):
                self._process.stdin.write(line)
                self._process.stdin.flush()
                told = reader.readline(_MOST_HEAD)
                self.dead = not told and not self._ended
                head = json.loads(told)
                size = head["size"]
                if type(size) is not int or not 0 <= size <= most:
                    return None
                data = bytearray(size)
                return (head, data) if reader.readinto(data) == size else None
        except BrokenPipeError:
            self.dead = not self._ended
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    @contextlib.contextmanager
    def _at_most(self, seconds: float) -> Iterator[None]:
        """Ends the process when what is done within takes longer."""
        timer = threading.Timer(seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end(self) -> None:
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self._process.wait()

    def lives(self) -> bool:
        """False when it was ended meanwhile, as the system does when memory runs out; it is then done with."""
        if self._process.poll() is None:
            return True
        self.end()
        return False

    def kill(self) -> None:
        self._ended = True
        self._process.kill()

    def _end_late(self) -> None:
        self.late = True
        self.kill()


class _Decoders:
    """Decoders, free and busy; whoever needs one waits until one is free."""

    def __init__(self, most: int) -> None:
        self._room = threading.BoundedSemaphore(most)
        self._free: list[_Decoder] = []
        self._busy: set[_Decoder] = set()
        self._lock = threading.Lock()

    def ask(self, do: str, path: Path, more: dict[str, Any], seconds: float, most: int) -> Any:
        line = json.dumps({"do": do, "path": str(path.absolute()), "more": more, "seconds": seconds}).encode() + b"\n"
        with self._room:
            decoder, answer = self._asked(line, seconds, most)
            while answer is None and decoder.used and decoder.dead:  # it may have died since it was last asked
                decoder, answer = self._asked(line, seconds, most)
        if answer is None and decoder.late:
            raise Unreadable(Phrase("it takes longer than {seconds} seconds to read", seconds=f"{seconds:.0f}"))
        if answer is None:
            raise Unreadable("the program that reads such files stopped at it")
        return answer

    def _asked(self, line: bytes, seconds: float, most: int) -> tuple[_Decoder, Any]:
        with self._lock:
            decoder = next((d for d in iter(self._take, None) if d.lives()), None) or _Decoder()
            self._busy.add(decoder)
        answer = None
        try:
            answer = decoder.ask(line, seconds, most)
        finally:
            with self._lock:
                self._busy.discard(decoder)
                if answer is not None:
                    decoder.used = True
                    self._free.append(decoder)
            if answer is None:
                decoder.end()
        return decoder, answer

    def _take(self) -> _Decoder | None:
        return self._free.pop() if self._free else None

    def end(self) -> None:
        """Ends all. Who waits for a busy one is told that it stopped."""
        with self._lock:
            ended, self._free = self._free, []
            for decoder in self._busy:
                decoder.kill()
        for decoder in ended:
            decoder.end()


_decoders = _Decoders(2)


@atexit.register
def stop() -> None:
    """Ends what goes on: for the end of the program, which otherwise waits for a decoder that hangs."""
    _decoders.end()


def ask(
    do: str, path: Path, more: dict[str, Any], seconds: float, most: int = _MOST_DATA
) -> tuple[dict[str, Any], bytearray]:
    """Has a decoder do that with a file: what it found, and at most `most` bytes of data.

    Raises Unreadable when the file is at fault, OSError when it cannot be read at all or no process can be started.
    """
    found, data = _decoders.ask(do, path, more, seconds, most)
    if "error" not in found:
        return found, data
    if found.get("kind") == "PermissionError":
        raise PermissionError(f"{path} may not be read")
    raise Unreadable(phrase.from_json(found["error"]))
