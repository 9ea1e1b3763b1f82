"""Where things lie on this computer. `GRAPHWRIGHT_HOME` moves everything the program writes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

from desktop_app.core.errors import StorageError
from nodes.phrase import Phrase

PROJECT = Path(__file__).resolve().parents[2]
RESOURCES = PROJECT / "resources"


_OURS = (
    "settings.json",
    "history.sqlite",
    "store",
    "results",
    "runs",
    "models",
    "runtime",
    "pasted",
    "logs",
    "scratch",
    "window.ini",
)
_ROOM = 1 << 14
"""Bytes without which a disk is full."""
_private: set[Path] = set()


def place() -> Path:
    """Where home() is; makes nothing, and it may be no folder."""
    chosen = os.environ.get("GRAPHWRIGHT_HOME")
    return Path(chosen) if chosen else user_data_path("graphwright", appauthor=False)


def home() -> Path:
    """The folder of everything the program writes; made when it is missing. Nobody else may look into it.

    Raises StorageError when it cannot be made.
    """
    folder = place()
    try:
        if folder not in _private or not folder.exists():
            if make_private(folder) or _is_ours(folder):
                _close_off(folder)
            _private.add(folder)
    except OSError as error:
        raise _unusable(folder, error) from error
    return folder


def check_home() -> None:
    """Raises StorageError when the folder cannot be written to, or the disk has not even room for a small file."""
    import tempfile  # not every process that asks for a path needs it

    folder = home()
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_ROOM))
            file.flush()
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: OSError) -> StorageError:
    why = Phrase("there is a file of that name") if folder.is_file() else (error.strerror or str(error))
    full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
    fix = "Let the variable GRAPHWRIGHT_HOME name a folder that you can write to, or make this one so."
    message = Phrase("The program's folder {folder} cannot be used: {why}.", folder=folder, why=why)
    return StorageError(message, "Free some disk space." if full else fix)


@contextmanager
def alone(path: Path, seconds: float = 10.0) -> Iterator[None]:
    """While it lasts no other program on this computer is in such a block with the same path.

    A program that dies in it leaves nothing locked. Where it cannot be had, for a folder that cannot be written to or
    within `seconds`, the block is entered all the same: it keeps others from being disturbed, and is no promise.
    """
    import sqlite3  # not every process that asks for a path needs it

    own = path.with_name(f"{path.name}.lock")
    try:
        os.close(os.open(own, os.O_CREAT | os.O_RDWR, 0o600))
        lock = sqlite3.connect(own, timeout=seconds, isolation_level=None)
    except (OSError, sqlite3.Error):
        yield
        return
    with closing(lock):
        with suppress(sqlite3.Error):  # SQLite has a lock for files on every system, which goes with its owner
            lock.execute("BEGIN EXCLUSIVE")
        yield


def make_private(folder: Path) -> bool:
    """Makes a folder into which only this user may look, whatever the umask; False when there is one already."""
    try:
        folder.mkdir(parents=True, mode=0o700)
    except FileExistsError:
        if folder.is_dir():
            return False
        raise
    folder.chmod(0o700)
    return True


def keep_private(path: Path) -> None:
    """Lets only this user read the file or look into the folder; as far as the system can."""
    with suppress(OSError):
        path.chmod(0o700 if path.is_dir() else 0o600)


def size_on_disk(folder: Path) -> int:
    """Bytes of all files below a folder, 0 when it is missing. What goes away meanwhile counts nothing; any thread."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(where, name)).st_size
    return total


def _is_ours(folder: Path) -> bool:
    """False for a folder of other things that somebody named by mistake: /tmp, or the user's own home."""
    if os.name == "nt" or folder.resolve() == Path.home().resolve():
        return False
    try:
        about = folder.stat()
        if about.st_uid != os.geteuid() or about.st_mode & stat.S_ISVTX:
            return False
        return any((folder / name).exists() for name in _OURS) or not any(folder.iterdir())
    except OSError:
        return False  # whoever writes there says what is wrong


def _close_off(folder: Path) -> None:
    """Of what is there from before: the folder, and what lies in it by our names."""
    keep_private(folder)
    for name in _OURS:
        for path in folder.glob(f"{name}*"):
            if not path.is_symlink():
                keep_private(path)
