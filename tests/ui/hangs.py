"""Notices when the GUI thread does not come back to its events for long, and says what it did meanwhile.

A timer beats; the time between two beats is one stand-still, whatever it was made of: an event, a timer, a repaint.
Of each one three times are told, because other processes may have the processor: how long it lasted (wall), how long
the thread itself ran (busy), and how long it was ready to run but had to wait for a processor (waited; Linux only,
else 0). What is left was spent blocked: for a lock, a disk, or Python's interpreter lock while another thread ran.
"""

from __future__ import annotations

import faulthandler
import re
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

WALL = 0.2
"""Seconds without an event served that a user feels."""
OWN = 0.15
"""Of those, seconds that the program itself must have used for it to be its own fault: busy, or blocked."""
_BEAT = 20
_PROJECT = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True, slots=True)
class Hang:
    """One stand-still of over WALL seconds. All times in seconds."""

    wall: float
    busy: float
    waited: float
    doing: str
    """What the user did."""
    where: str
    """The lines of the project that ran in its second half, outermost first; "" when none was caught. After "beside"
    what other threads did."""

    @property
    def blocked(self) -> float:
        """Neither running nor waiting for a processor."""
        return max(0.0, self.wall - self.busy - self.waited)

    @property
    def own(self) -> bool:
        """The program's fault, not that of a machine with other things to do."""
        return self.busy > OWN or self.blocked > OWN

    def __str__(self) -> str:
        times = f"busy {self.busy * 1000:.0f}, waited {self.waited * 1000:.0f}, blocked {self.blocked * 1000:.0f}"
        return f"{self.wall * 1000:.0f} ms ({times}): {self.doing}" + (f" [{self.where}]" if self.where else "")


class Hangs(QObject):
    """Must be made on the GUI thread. `doing` is what the next stand-still is blamed on; each is told by `stood`."""

    stood = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Hang] = []
        self.doing = ""
        self._thread = threading.get_ident()
        self._stat = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._last = self._now()
        self._where = ""
        self._over = threading.Event()
        self._timer = QTimer(self, interval=_BEAT, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.beat)

    def begin(self) -> None:
        """From now on."""
        self._last = self._now()
        self._timer.start()
        threading.Thread(target=self._look, name="hangs", daemon=True).start()

    def end(self) -> None:
        """No longer."""
        self._timer.stop()
        self._over.set()

    def beat(self) -> None:
        """The thread is here: what was since the last beat is one piece of work, what comes is another."""
        now = self._now()
        wall, busy, waited = (a - b for a, b in zip(now, self._last, strict=True))
        if wall > WALL:
            self.found.append(Hang(wall, busy, waited, self.doing, self._where))
            self.stood.emit(self.found[-1])
        self._last, self._where = now, ""

    def _now(self) -> tuple[float, float, float]:
        try:
            waited = int(self._stat.read_text().split()[1]) / 1e9
        except OSError:
            waited = 0.0
        return time.perf_counter(), time.thread_time(), waited

    def _look(self) -> None:
        """On a thread of its own: where the GUI thread is when it has not come back."""
        while not self._over.wait(WALL / 8):
            if not self._where and time.perf_counter() - self._last[0] > WALL / 2:
                self._where = _places(self._thread)


def _places(first: int) -> str:
    """Where each thread is, the `first` first.

    Written by faulthandler, which holds no frame: one that is looked at keeps its widgets, and what is deleted on this
    thread instead of the GUI's ends the program.
    """
    with tempfile.TemporaryFile("w+") as written:
        faulthandler.dump_traceback(written, all_threads=True)
        written.seek(0)
        stacks = _THREAD.split(written.read())[1:]
    told = {int(name, 16): _place(lines) for name, lines in zip(stacks[::2], stacks[1::2], strict=True)}
    told.pop(threading.get_ident(), None)
    return " beside ".join(filter(None, [told.pop(first, ""), *told.values()]))


_THREAD = re.compile(r"^(?:Current thread|Thread) (0x[0-9a-f]+).*$", re.MULTILINE)
_LINE = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)


def _place(stack: str) -> str:
    """The last lines of the project in a stack that faulthandler has written, the innermost of which comes first."""
    ours = [
        f"{Path(file).stem}:{line} {name}"
        for file, line, name in _LINE.findall(stack)
        if file.startswith(_PROJECT) and "/tests/" not in file and "/.venv/" not in file
    ]
    return " > ".join(reversed(ours[:4]))
