"""Keeps the store below a size: forgets the results that are cheapest to compute again for the room they take.

In the background, when it has grown above its cap: never while a run goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from desktop_app.core.errors import StorageError
from desktop_app.core.paths import home
from desktop_app.run.cache.result_cache import items
from desktop_app.run.events.recording import shown_elsewhere
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.resources import Store

_LEAVE = 0.9  # chosen: it is emptied down to that part of the limit, so that it is not at once full again
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
        return self._thread is not None and self._thread.is_alive()

    async def done(self) -> None:
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


def shrink(history: History, store: Store, limit_bytes: int, visible: Collection[str] = ()) -> int:
    """Forgets results until they take nine tenths of the limit at most, and returns how many bytes that freed.

    Results go in the order of bytes per second of computing, of equals the longest unused first. Those with a file that
    is `visible` (by digest), or that a kept conversation speaks of, stay. Raises StorageError.
    """
    results = history.results()
    total = sum(result.size_bytes for result in results)
    if total <= limit_bytes:
        return 0
    staying = {*visible, *history.mentioned()}
    going: list[KeptResult] = []
    for result in sorted(results, key=lambda r: (-r.size_bytes / max(r.seconds, 1e-4), r.used)):
        if total <= _LEAVE * limit_bytes:
            break
        if any(item[0] in staying for item in _items(result)):
            continue
        going.append(result)
        total -= result.size_bytes
    gone = {result.key for result in going}
    uses = Counter(item[0] for result in results if result.key not in gone for item in _items(result))
    history.forget(gone)  # first: a file without a result is only room wasted, the reverse would be found out later
    freed = 0
    for digest, suffix, *_, size in (item for result in going for item in _items(result)):
        if digest not in staying and not uses[digest]:
            with contextlib.suppress(OSError):
                store.path(digest, suffix).unlink()
                freed += size
    return freed


def _items(result: KeptResult) -> list[Any]:
    try:
        return items(json.loads(result.outputs))
    except (ValueError, AttributeError):
        return []
