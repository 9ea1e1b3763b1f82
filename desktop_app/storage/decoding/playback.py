"""One sound or film decoded for playing by a process of its own, as far ahead as it is asked for.

No call here waits: a thread writes the commands, another one reads what comes. What comes is not believed: sizes are
checked, and more than was asked for is refused. Must not know Qt, nor when what is shown.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import queue
import subprocess
import threading
import time
import weakref
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from desktop_app.storage.decoding import confined
from desktop_app.storage.decoding.player_child import HEAD, OPENED, PICTURE, SOUND, STEP_SECONDS, TROUBLE
from nodes import phrase
from nodes.phrase import Phrase

LARGEST = (1920, 1200)
"""Width and height of the largest pictures: four of them take 37 MB."""
_AHEAD = {"pictures": 4, "sound": 12}
"""Pictures, and pieces of sound of a twentieth of a second, that wait here or are being made."""
_KINDS = {PICTURE: "pictures", SOUND: "sound"}
_MOST_WORDS = 1 << 16
_MOST_COMMANDS = 256
_STOPPED = Phrase("the program that plays such files stopped at it")


class SoundForm(NamedTuple):
    """Interleaved samples: `channels` 1 or 2, `sample` "s16" or "flt"."""

    rate: int
    channels: int
    sample: str

    @property
    def bytes_a_second(self) -> int:
        """Of all channels."""
        return self.rate * self.channels * (2 if self.sample == "s16" else 4)


class Shown(NamedTuple):
    """A picture: rows of `line` bytes with `width` pixels of four, BGRX, to be turned right by `turns` quarters."""

    begin: float
    width: int
    height: int
    line: int
    turns: int
    data: bytes


class Samples(NamedTuple):
    """Samples that begin at that second."""

    begin: float
    data: bytes


class Playback:
    """Starts at once. `seconds` and `kinds` ("pictures", "sound") are known once `opened`.

    `trouble` is the end of a sentence when it cannot go on; it has then ended, as after `end`.
    """

    def __init__(
        self, path: Path, pictures: tuple[int, int] | None, sound: SoundForm | None, module: str = "", at: float = 0.0
    ) -> None:
        self.opened, self.seconds, self.kinds = False, 0.0, frozenset[str]()
        self.trouble = ""
        self._lock = threading.Lock()
        self._module = module or "desktop_app.storage.decoding.player_child"
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._number, self._seconds, self._form = 0, at, sound
        self._waiting: dict[str, deque[Any]] = {"pictures": deque(), "sound": deque()}
        self._owed, self._received, self._granted = {"pictures": 0, "sound": 0}, 0, 0
        self._last: dict[str, float | None] = {"pictures": None, "sound": None}
        self._heard_of = time.monotonic()
        self._commands: queue.Queue[bytes | None] = queue.Queue(_MOST_COMMANDS)
        form = sound._asdict() if sound else None
        self._say(do="open", path=str(path.absolute()), pictures=_fitting(*pictures) if pictures else None, sound=form)
        self.seek(at)
        _running.add(self)
        threading.Thread(target=self._write, name="player", daemon=True).start()

    # What is asked of it

    def seek(self, seconds: float) -> None:
        with self._lock:
            self._number += 1
            for kind, waiting in self._waiting.items():
                waiting.clear()
                self._last[kind] = None
                self._owed[kind] = _AHEAD[kind]
                self._granted += _AHEAD[kind] + 1
            self._heard_of = time.monotonic()
        self._say(do="seek", seconds=max(0.0, seconds), number=self._number, **_AHEAD)

    def fit(self, width: int, height: int) -> None:
        """Pictures that are made from now on have at most that size."""
        wide, high = _fitting(width, height)
        self._say(do="fit", width=wide, height=high)

    def late(self, seconds: float) -> None:
        """The player is there, and has nothing to show."""
        self._say(do="more", seconds=seconds, pictures=0, sound=0)

    def picture(self, seconds: float, hurry: bool = False) -> Shown | None:
        """The newest picture that begins by then; earlier ones are gone. `hurry` takes the first there is."""
        found, gone = None, 0
        with self._lock:
            waiting = self._waiting["pictures"]
            while waiting and (waiting[0].begin <= seconds or (hurry and found is None)):
                found = waiting.popleft()
                gone += 1
        self._ask_more("pictures", gone, seconds)
        return found

    def piece(self, seconds: float) -> Samples | None:
        with self._lock:
            found = self._waiting["sound"].popleft() if self._waiting["sound"] else None
        self._ask_more("sound", int(found is not None), seconds)
        return found

    def leave_out_sound(self, seconds: float) -> None:
        """Samples before that second are not to be heard."""
        gone = 0
        with self._lock:
            waiting = self._waiting["sound"]
            while len(waiting) > 1 and waiting[1].begin <= seconds:
                waiting.popleft()
                gone += 1
            if waiting and self._last["sound"] is not None and self._last["sound"] <= seconds:
                waiting.clear()
        self._ask_more("sound", gone, seconds)

    def has(self, kind: str) -> bool:
        """True when a picture or a piece of sound waits."""
        return bool(self._waiting[kind])

    def last(self, kind: str) -> float | None:
        """The second at which pictures or sound end, once all of them have come; 0 when there are none."""
        return self._last[kind] if kind in self.kinds or not self.opened else 0.0

    def ready(self) -> bool:
        """True when what is wanted is there to be shown and heard, or has ended."""
        return self.opened and all(self.has(kind) or self.last(kind) is not None for kind in self.kinds)

    def look(self) -> None:
        """Ends it when it was asked for something and did not answer for long."""
        with self._lock:
            owed = not self.opened or any(self._owed[kind] for kind in self.kinds)
            late = owed and time.monotonic() - self._heard_of > STEP_SECONDS
        if late:
            self._fail(Phrase("it takes longer than {seconds} seconds to read", seconds=f"{STEP_SECONDS:.0f}"))

    def end(self) -> None:
        """Ends the process. May be called twice."""
        with self._lock:
            self._ended = True
            process = self._process
        if process is not None:
            process.kill()
        with contextlib.suppress(queue.Full):
            self._commands.put_nowait(None)
        _running.discard(self)

    def _ask_more(self, kind: str, count: int, seconds: float) -> None:
        if not count or self._last[kind] is not None:
            return
        with self._lock:
            if not self._owed[kind]:
                self._heard_of = time.monotonic()
            self._owed[kind] += count
            self._granted += count
        other = "sound" if kind == "pictures" else "pictures"
        self._say(do="more", seconds=seconds, **{kind: count, other: 0})

    def _say(self, **command: Any) -> None:
        try:
            self._commands.put_nowait(json.dumps(command).encode() + b"\n")
        except queue.Full:
            self._fail(_STOPPED)

    def _fail(self, why: str) -> None:
        if not self._ended:
            self.trouble = why
            self.end()

    # The threads

    def _write(self) -> None:
        try:
            process = confined.start(self._module)
        except OSError as error:
            self._fail(Phrase("no process can be started ({error})", error=error.strerror or error))
            return
        with self._lock:
            self._process = process
            ended = self._ended
        if ended:
            process.kill()
        threading.Thread(target=self._read, args=(process,), name="player", daemon=True).start()
        assert process.stdin
        with contextlib.suppress(OSError, ValueError):  # it has ended: whoever reads notices
            while (line := self._commands.get()) is not None:
                process.stdin.write(line)
                process.stdin.flush()
        process.kill()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        try:
            while not self._ended:
                head = process.stdout.read(HEAD.size)
                if len(head) < HEAD.size:
                    raise ValueError("it has ended")
                self._came(process, *HEAD.unpack(head))
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            self._fail(_STOPPED)
        finally:
            self.end()
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()  # type: ignore[union-attr]
            process.wait()

    def _came(
        self, process: subprocess.Popen[bytes], kind: bytes, number: int, begin: float, end: float,
        width: int, height: int, line: int, turns: int, size: int,
    ) -> None:  # fmt: skip
        """One message. Raises ValueError for one that was not asked for, or makes no sense."""
        assert process.stdout
        self._received += 1
        if not self._sizes_make_sense(kind, width, height, line, turns, size) or not _is_time(begin, end):
            raise ValueError
        data = process.stdout.read(size)
        if len(data) != size:
            raise ValueError
        if kind == OPENED:
            self._open(json.loads(data))
        elif kind == TROUBLE:
            self._fail(phrase.from_json(json.loads(data)))
        else:
            shown = Shown(begin, width, height, line, turns, data) if kind == PICTURE else Samples(begin, data)
            self._keep(_KINDS[kind], number, shown, end)

    def _sizes_make_sense(self, kind: bytes, width: int, height: int, line: int, turns: int, size: int) -> bool:
        if kind in (OPENED, TROUBLE):
            return size <= _MOST_WORDS
        if kind == PICTURE and size:
            wide, high = max(LARGEST), max(LARGEST)
            fits = 0 < width <= wide and 0 < height <= high and width * height <= LARGEST[0] * LARGEST[1]
            return fits and 4 * width <= line <= 4 * width + 256 and size == line * height and turns < 4
        if kind == SOUND and size:
            return self._form is not None and size <= self._form.bytes_a_second
        return kind in _KINDS

    def _open(self, facts: Any) -> None:
        seconds, kinds = facts["seconds"], frozenset(facts["kinds"])
        if self.opened or not isinstance(seconds, int | float) or not 0 <= seconds < 1e9 or not kinds <= _AHEAD.keys():
            raise ValueError
        with self._lock:
            self._heard_of = time.monotonic()
            self.seconds, self.kinds = float(seconds), kinds
            self.opened = True

    def _keep(self, kind: str, number: int, shown: Shown | Samples, end: float) -> None:
        with self._lock:
            if not self.opened or self._received > self._granted + 1:
                raise ValueError
            if number != self._number:
                return
            self._heard_of = time.monotonic()
            if not shown.data:
                self._last[kind], self._owed[kind] = end, 0
            elif self._owed[kind] > 0:
                self._owed[kind] -= 1
                self._waiting[kind].append(shown)
            else:
                raise ValueError


def _is_time(begin: float, end: float) -> bool:
    return math.isfinite(begin) and math.isfinite(end) and abs(begin) < 1e9 and abs(end) < 1e9


def _fitting(width: int, height: int) -> tuple[int, int]:
    return max(16, min(width, LARGEST[0])), max(16, min(height, LARGEST[1]))


_running: weakref.WeakSet[Playback] = weakref.WeakSet()


@atexit.register
def stop() -> None:
    """Ends all, for the end of the program."""
    for playback in list(_running):
        playback.end()
