"""Where things lie on this computer. `GRAPHWRIGHT_HOME` moves everything the program writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

PROJECT = Path(__file__).resolve().parent.parent
RESOURCES = PROJECT / "resources"


def home() -> Path:
    """The folder of everything the program writes; made when it is missing."""
    chosen = os.environ.get("GRAPHWRIGHT_HOME")
    folder = Path(chosen) if chosen else user_data_path("graphwright", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def alone(path: Path, seconds: float = 10.0) -> Iterator[None]:
    """While it lasts no other program on this computer is in such a block with the same path.

    A program that dies in it leaves nothing locked. Where it cannot be had, for a folder that cannot be written to or
    within `seconds`, the block is entered all the same: it keeps others from being disturbed, and is no promise.
    """
    import sqlite3  # not every process that asks for a path needs it

    try:
        lock = sqlite3.connect(path.with_name(f"{path.name}.lock"), timeout=seconds, isolation_level=None)
    except sqlite3.Error:
        yield
        return
    with closing(lock):
        with suppress(sqlite3.Error):  # SQLite has a lock for files on every system, which goes with its owner
            lock.execute("BEGIN EXCLUSIVE")
        yield
