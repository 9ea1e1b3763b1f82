"""Starts the real window many times, in a fresh home and in a full one, and counts the starts that do not end well.

`python -m tests.ui.starts [COUNT] [--log FILE]`: COUNT starts in each, 20 by default; some seconds each. The first two
pictures that threads read in each window are held until both can begin at once, since that is when a fault between
threads shows. With a log each start is a line in it, and those that it holds are not made again.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

SECONDS = 120
"""A start that takes longer hangs."""
_HELD_SECONDS = 5.0
KINDS = ("fresh", "full")


def start(home: Path) -> int | str:
    """How a start in that home ended: 0 when it went well, -11 for a segmentation fault, "hung"."""
    environment = {**os.environ, "GRAPHWRIGHT_HOME": str(home)}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-m", "tests.ui.starts", "--window"]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    if done.returncode == 0 and "both read" not in done.stdout:
        return "read nothing"
    return done.returncode


def fill(home: Path) -> None:
    """Puts conversations with pictures and recorded runs into a home."""
    environment = {**os.environ, "GRAPHWRIGHT_HOME": str(home)}
    subprocess.run([sys.executable, "-m", "tests.ui.starts", "--fill"], env=environment, check=True)


def starts(count: int, log: Path | None = None, told: Callable[[str], None] = print) -> list[str]:
    """Makes them; returns those that did not end well as "kind number: how"."""
    lines = log.read_text("utf-8").splitlines() if log is not None and log.exists() else []
    bad = [line for line in lines if not line.endswith(": 0")]
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            home = Path(folder) / kind
            made = sum(line.startswith(f"{kind} ") for line in lines)
            if kind == "full" and made < count:
                fill(home)
            for number in range(made, count):
                began = time.monotonic()
                line = f"{kind} {number + 1}: {start(home if kind == 'full' else Path(folder) / str(number))}"
                if not line.endswith(": 0"):
                    bad.append(line)
                told(f"{line} ({time.monotonic() - began:.1f} s; {len(bad)} bad so far)")
                if log is not None:
                    with log.open("a", encoding="utf-8") as file:
                        file.write(line + "\n")
    return bad


# In a process of its own


def _window() -> None:
    """A start: closes the window when both pictures were read and nothing more is being read."""
    import threading

    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from desktop_app.app import open_window
    from desktop_app.ui.start import example_preview
    from desktop_app.ui.support import media_reader, thread_pool

    together, read, working = threading.Barrier(2), [], []
    first = iter((True, True))

    def held(work: Callable[..., Any]) -> Callable[..., Any]:
        def both(*arguments: Any, **named: Any) -> Any:
            if next(first, False):
                with suppress(threading.BrokenBarrierError):
                    together.wait(_HELD_SECONDS)
            value = work(*arguments, **named)
            read.append(value)
            return value

        return both

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def one(*arguments: Any) -> Any:
            working.append(True)
            try:
                return work(*arguments)
            finally:
                working.pop()

        return one

    example_preview._picture = held(example_preview._picture)
    media_reader.picture = held(media_reader.picture)
    thread_pool.BackgroundReader._work = counted(thread_pool.BackgroundReader._work)

    def painted() -> None:
        timer = QTimer(QApplication.instance(), interval=20)

        def look() -> None:
            if len(read) >= 2 and not working:
                timer.stop()
                print("both read", flush=True)
                QApplication.closeAllWindows()

        timer.timeout.connect(look)
        timer.start()

    open_window(painted)


async def _fill() -> None:
    from desktop_app import app
    from desktop_app.core.paths import RESOURCES
    from desktop_app.core.settings import load
    from desktop_app.session.autosave import ConversationStore

    parts = app._with_history(load())
    session, history = parts.session, parts.history
    for name in ("coffee.jpg", "cat.jpg", "rocket.jpg", "coins.jpg"):
        session.new()
        await session.bring(RESOURCES / "examples" / name)
        await session.ask(f"make {name} black and white")
        await session.start()
        assert session.run.outcome == "ok", session.messages
        ConversationStore(history).save(session.snapshot())
    await session.close()


def main() -> None:
    """Prints each start, and in the end how many did not end well; exit 1 when there are such."""
    if "--window" in sys.argv:
        _window()
    elif "--fill" in sys.argv:
        asyncio.run(_fill())
    else:
        log = Path(sys.argv[sys.argv.index("--log") + 1]) if "--log" in sys.argv else None
        counts = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
        count = counts[0] if counts else 20
        bad = starts(count, log, lambda line: print(line, flush=True))
        print(f"{len(bad)} of {count} + {count} starts did not end well", *bad, sep="\n")
        sys.exit(bool(bad))


if __name__ == "__main__":
    main()
