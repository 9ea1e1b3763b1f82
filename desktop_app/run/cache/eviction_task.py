"""Shrinks the store in the background when it has grown above its cap: never while a run goes on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path

from desktop_app.core.errors import StorageError
from desktop_app.core.paths import home
from desktop_app.run.cache.eviction import shrink
from desktop_app.run.events.recording import shown_elsewhere
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store

_WORTH_FRACTION = 0.01  # chosen: after so much of the limit came, its size is looked at again


class Tidy:
    """`visible` are the digests of what the program shows, which is never touched.

    It uses a connection of its own, so that the window's thread does not wait for it.
    """

    def __init__(self, store: Store) -> None:
        self.visible: set[str] = set()
        self._store = store
        self._size: int | None = None  # unknown before the first look
        self._since = 0
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._asked: list[tuple[Path, int, frozenset[str]]] = []

    def after(self, history: Path, put_bytes: int, cap_bytes: int | None) -> None:
        """A run has ended that left so many new bytes. Looks when that may have led above the cap; returns at once."""
        self._since += put_bytes
        if cap_bytes is None:
            return
        grown = self._size is None or self._since > _WORTH_FRACTION * cap_bytes
        if grown and (self._size is None or self._size + self._since > cap_bytes):
            self.look(history, cap_bytes)

    def look(self, history: Path, cap_bytes: int | None) -> None:
        """Makes room if more is kept than the cap allows. Returns at once; what goes on already is ended first."""
        if cap_bytes is None:
            return
        with self._lock:
            self._asked.append((history, cap_bytes, frozenset(self.visible)))
            if not self.working:
                self._thread = threading.Thread(target=self._work, name="tidy", daemon=True)
                self._thread.start()

    @property
    def working(self) -> bool:
        """True while it looks, or removes something."""
        return self._thread is not None and self._thread.is_alive()

    async def done(self) -> None:
        """Waits until nothing is being done."""
        while self.working:
            await asyncio.sleep(0.002)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                path, cap_bytes, visible = self._asked.pop(0)
            self._tidy(path, cap_bytes, visible)

    def _tidy(self, path: Path, cap_bytes: int, visible: frozenset[str]) -> None:
        with contextlib.suppress(StorageError):  # the next run's end is another chance
            history = History(path)
            try:
                self._size, self._since = history.result_bytes(), 0
                if self._size > cap_bytes:
                    shrink(history, self._store, cap_bytes, visible | shown_elsewhere(home() / "runs"))
                    self._size = history.result_bytes()
            finally:
                history.close()


def used_bytes(path: Path) -> int:
    """What the kept results of that history take on disk. For any thread. Raises StorageError."""
    history = History(path)
    try:
        return history.result_bytes()
    finally:
        history.close()
