"""What survives a restart: results by content key, timings and conversations, in one SQLite file.

Must not know what a key is made of, nor how anything is run or shown.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from desktop_app.core.errors import StorageError
from desktop_app.core.paths import alone, keep_private, make_private
from desktop_app.storage.timings import Growth, Timing, growth_of
from nodes.phrase import Phrase

SAMPLES = 32  # chosen: the usual time of a tool is that of so many latest runs
_BUSY_SECONDS = 10
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_RESULT = "SELECT outputs, seconds, size_bytes, used FROM results WHERE key = ?"
_TABLES = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key BLOB PRIMARY KEY, outputs TEXT NOT NULL, seconds REAL NOT NULL, size_bytes INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS timings (
    tool TEXT, backend TEXT, slot INTEGER, seconds REAL NOT NULL, size REAL NOT NULL DEFAULT 0,
    made REAL NOT NULL DEFAULT 0, PRIMARY KEY (tool, backend, slot)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, title TEXT, changed REAL, data TEXT NOT NULL);
"""


@dataclass(frozen=True)
class KeptResult:
    """A finished node as it is kept: `outputs` is JSON text, `size_bytes` what its files take on disk.

    `used` is the time of its last use in seconds since the epoch, as it was when it was read.
    """

    key: bytes
    outputs: str
    seconds: float
    size_bytes: int = 0
    used: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Saved:
    """A conversation in a list; `changed` in seconds since the epoch."""

    id: str
    title: str
    changed: float


class History:
    """The database. Verbs raise StorageError; opening never does.

    A damaged file is set aside under another name and a new one begun; where no file can be made at all (disk
    full, no permission), everything is kept in memory only. `notice` then says so in a sentence, else it is "".
    Every verb is one transaction, so a crash loses nothing that a verb returned from. Several processes may have
    the same file open. To be used from one thread; `checkpoint` from any.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = ""
        self._timings: dict[tuple[str, str], deque[Timing]] | None = None
        self._growths: dict[tuple[str, str, bool], Growth] = {}
        self._slot = 0
        self._lock = threading.Lock()
        self._identity: tuple[int, int] | None = None
        self._database = self._open()

    def result(self, key: bytes) -> KeptResult | None:
        with self._lock:  # not `_reading`, which costs as much as the query
            try:
                row = self._database.execute(_RESULT, (key,)).fetchone()
            except sqlite3.Error as error:
                raise self._failure(Phrase("read"), error) from error
        return KeptResult(key, *row) if row else None

    def save_results(self, results: Sequence[KeptResult], timings: Sequence[tuple[str, str, Timing]] = ()) -> None:
        """Keeps results, and timings of tools with back ends, in one transaction."""
        now = time.time()
        known = self._samples()
        rows = []
        for tool, backend, timing in timings:
            there = known.setdefault((tool, backend), deque(maxlen=SAMPLES))
            self._slot = (self._slot + 1) % SAMPLES
            slot = len(there) if len(there) < SAMPLES else self._slot
            rows.append((tool, backend, slot, timing.seconds, timing.size, timing.made))
            there.append(timing)
        self._growths.clear()
        with self._writing():
            self._database.executemany(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)",
                [(r.key, r.outputs, r.seconds, r.size_bytes, now) for r in results],
            )
            self._database.executemany("INSERT OR REPLACE INTO timings VALUES (?, ?, ?, ?, ?, ?)", rows)

    def touch(self, keys: Iterable[bytes]) -> None:
        """Marks results as used now, so that they are forgotten last."""
        now = time.time()
        with self._writing():
            self._database.executemany("UPDATE results SET used = ? WHERE key = ?", [(now, key) for key in keys])

    def results(self) -> list[KeptResult]:
        """Every kept result, in no order."""
        with self._reading():
            rows = self._database.execute("SELECT key, outputs, seconds, size_bytes, used FROM results").fetchall()
        return [KeptResult(*row) for row in rows]

    def result_bytes(self) -> int:
        """What the files of all kept results take, those of several results counted several times."""
        with self._reading():
            return self._database.execute("SELECT coalesce(sum(size_bytes), 0) FROM results").fetchone()[0]

    def mentioned(self) -> set[str]:
        """The digests of all files that a conversation speaks of."""
        found: set[str] = set()
        with self._reading():
            for (data,) in self._database.execute("SELECT data FROM conversations"):
                found.update(_DIGEST.findall(data))
        return found

    def forget(self, keys: Iterable[bytes]) -> None:
        """Drops results; their files are the caller's affair."""
        with self._writing():
            self._database.executemany("DELETE FROM results WHERE key = ?", [(key,) for key in keys])

    def seconds(self, tool: str, backend: str, size: float = 0.0, grows: bool = True) -> float | None:
        """How long a tool takes with a back end for an input of that size, 0 where it is not known, by its latest
        calls; None when it never ran here. `grows` as in growth_of.
        """
        growth = self.growth(tool, backend, grows)
        return growth.seconds(size) if growth is not None else None

    def growth(self, tool: str, backend: str, grows: bool = True) -> Growth | None:
        """As `seconds`, for every size."""
        known = self._growths.get((tool, backend, grows))
        if known is None:
            try:
                samples = self._samples().get((tool, backend))
            except StorageError:
                return None
            if not samples:
                return None
            known = self._growths[tool, backend, grows] = growth_of(samples, grows)
        return known

    def save_conversation(self, id: str, title: str, data_json: str) -> None:
        row = (id, title, time.time(), data_json)
        with self._writing():
            self._database.execute("INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, ?)", row)

    def conversations(self) -> list[Saved]:
        """All conversations, the latest first."""
        with self._reading():
            rows = self._database.execute("SELECT id, title, changed FROM conversations ORDER BY changed DESC")
            return [Saved(*row) for row in rows]

    def conversation(self, id: str) -> str | None:
        with self._reading():
            row = self._database.execute("SELECT data FROM conversations WHERE id = ?", (id,)).fetchone()
        return row[0] if row else None

    def delete_conversation(self, id: str) -> None:
        """Forgets a conversation; nothing happens when there is none of that id."""
        with self._writing():
            self._database.execute("DELETE FROM conversations WHERE id = ?", (id,))

    @property
    def log_bytes(self) -> int:
        """How much is written that a checkpoint has not moved yet."""
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size
        except OSError:
            return 0

    def checkpoint(self) -> None:
        """Moves what is written into the main file. Takes the disk's time, so call it off the window's thread."""
        if self.path.exists():
            # A failure is no loss: what is written stays in the log until the next checkpoint.
            with suppress(sqlite3.Error), closing(sqlite3.connect(self.path, timeout=1)) as database:
                database.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Ends the use of the file. May be called twice."""
        with self._lock:
            self._database.close()

    def _samples(self) -> dict[tuple[str, str], deque[Timing]]:
        if self._timings is None:
            found: dict[tuple[str, str], deque[Timing]] = {}
            with self._reading():
                query = "SELECT tool, backend, seconds, size, made FROM timings"
                for tool, backend, *timing in self._database.execute(query):
                    found.setdefault((tool, backend), deque(maxlen=SAMPLES)).append(Timing(*timing))
            self._timings = found
        return self._timings

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.OperationalError as error:  # no permission, disk full, a folder that cannot be made
            return self._in_memory(error)
        except sqlite3.DatabaseError:
            return self._begin_anew()
        except OSError as error:
            return self._in_memory(error)

    def _connect(self) -> sqlite3.Connection:
        make_private(self.path.parent)
        with suppress(FileExistsError):  # with its rights from the first byte; those of -wal and -shm follow it
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        keep_private(self.path)
        self._identity = _identity(self.path)  # first: it must never be that of a newer file than the one opened
        database = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _patiently(lambda: _use_log(database))
            # A commit then needs no fsync: it survives the death of the program, and a power cut harms at most the
            # latest commits, never the file. Checkpoints, which do fsync, are made off the window's thread.
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("PRAGMA wal_autocheckpoint = 20000")
            _patiently(lambda: _make_tables(database))
            database.execute("SELECT count(*) FROM (SELECT key FROM results LIMIT 1)").fetchone()
        except BaseException:
            database.close()
            raise
        return database

    def _begin_anew(self) -> sqlite3.Connection:
        now = time.strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"{self.path.stem}-damaged-{now}-{os.getpid()}{self.path.suffix}")
        try:
            with alone(self.path):
                if _identity(self.path) == self._identity:  # else another program has begun a new one already
                    self._set_aside(aside)
                database = self._connect()
        except (OSError, sqlite3.Error) as error:
            return self._in_memory(error)
        if not aside.exists():
            self.notice = Phrase("The history was damaged; another copy of the program has begun a new one.")
            return database
        said = "The history was damaged and a new one was begun; the old file is kept as {file}."
        self.notice = Phrase(said, file=aside.name)
        return database

    def _set_aside(self, aside: Path) -> None:
        for ending in ("-wal", "-shm"):
            extra = self.path.with_name(self.path.name + ending)
            if extra.exists():
                os.replace(extra, aside.with_name(aside.name + ending))
        os.replace(self.path, aside)

    def _in_memory(self, error: Exception) -> sqlite3.Connection:
        self.notice = Phrase(
            "The history cannot be written to {path} ({reason}); nothing of this session will be remembered. "
            "Free some disk space or check the folder's permissions.",
            path=self.path,
            reason=_reason(error),
        )
        database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        database.executescript(_SCHEMA)
        return database

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise self._failure(Phrase("read"), error) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                yield
                self._database.execute("COMMIT")
            except sqlite3.Error as error:
                with suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise self._failure(Phrase("written"), error) from error

    def _failure(self, verb: Phrase, error: sqlite3.Error) -> StorageError:
        """The error to raise; a file found damaged is replaced at once, so that the next verb works."""
        damaged = not isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError | sqlite3.IntegrityError)
        if damaged or "malformed" in str(error) or "no such table" in str(error):
            self._database.close()
            self._timings = None
            self._growths.clear()
            self._database = self._begin_anew()
            return StorageError(self.notice, "Earlier results will be computed again when they are needed.")
        return StorageError(
            Phrase(
                "The history {path} could not be {verb}: {reason}.",
                path=self.path.name,
                verb=verb,
                reason=_reason(error),
            ),
            "Free some disk space, or close other copies of the program; finished results are kept.",
        )


def _patiently(work: Callable[[], None]) -> None:
    """Does the work again while another program is at the same: for some of what is done once to a new file, SQLite
    answers "locked" at once instead of waiting. Raises sqlite3.OperationalError after _BUSY_SECONDS.
    """
    end, pause = time.monotonic() + _BUSY_SECONDS, 0.001
    while True:
        try:
            work()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > end:
                raise
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        else:
            return


def _use_log(database: sqlite3.Connection) -> None:
    """Write-ahead logging: set once, the file remembers it."""
    if database.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        database.execute("PRAGMA journal_mode = WAL")


def _make_tables(database: sqlite3.Connection) -> None:
    """What is missing, in one transaction: no other program sees half of it. Older files have timings without sizes."""
    tables = database.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
    sized = any(column[1] == "made" for column in database.execute("PRAGMA table_info(timings)"))
    if tables >= _TABLES and sized:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            database.execute(statement)
        columns = {column[1] for column in database.execute("PRAGMA table_info(timings)")}
        for name in ("size", "made"):
            if name not in columns:
                database.execute(f"ALTER TABLE timings ADD COLUMN {name} REAL NOT NULL DEFAULT 0")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells the file from another one of the same name; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
