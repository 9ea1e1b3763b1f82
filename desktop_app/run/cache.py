"""Results by content key, on top of the history: gathered while events are gathered, and kept just before these
are delivered. A history that fails costs the memory of results, never the run.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from desktop_app.errors import StorageError
from desktop_app.history import History, Result
from desktop_app.resource import Store

_DAY = 86400.0
_text = json.JSONEncoder(separators=(",", ":")).encode
Kept = Mapping[str, Any]
"""By output port [digest, suffix, type, facets, bytes], or a list of these: as the worker says it."""


class ResultCache:
    """`trouble` is "" or, in a sentence, why results are not being remembered; `put_bytes` what was put so far."""

    def __init__(self, history: History, store: Store) -> None:
        self.trouble = ""
        self.put_bytes = 0
        self._history = history
        self._store = str(store.folder)
        self._results: dict[bytes, Result] = {}
        self._used: list[bytes] = []
        self._timings: list[tuple[str, str, float]] = []

    def get(self, key: bytes) -> Kept | None:
        """What was kept under the key, if every file of it is still there in its full length."""
        try:
            found = self._results.get(key) or self._history.result(key)
            kept = json.loads(found.outputs) if found else None
        except StorageError as error:
            self.trouble = str(error)
            return None
        except ValueError:
            return None
        if found is None or kept is None or not all(self._whole(item) for item in items(kept)):
            return None
        if 0 < found.used < time.time() - _DAY:
            self._used.append(key)
        return kept

    def put(self, key: bytes | None, kept: Kept, seconds: float, tool: str, backend: str) -> None:
        """Remembers a result, and how long it took; without a key only the latter."""
        self._timings.append((tool, backend, seconds))
        if key is not None:
            size = sum(item[4] for item in items(kept))
            self.put_bytes += size
            self._results[key] = Result(key, _text(kept), seconds, size)

    def commit(self) -> None:
        """Writes what was put since the last time, in one transaction."""
        if not self._timings:
            return
        try:
            self._history.save_results(list(self._results.values()), self._timings)
        except StorageError as error:
            self.trouble = str(error)
        self._results.clear()
        self._timings.clear()

    def close(self) -> None:
        """Writes what is left, and which results were used after a long time."""
        self.commit()
        try:
            if self._used:
                self._history.touch(self._used)
        except StorageError as error:
            self.trouble = str(error)

    def _whole(self, item: Any) -> bool:
        digest, suffix, _, _, size = item
        try:
            return os.stat(f"{self._store}{os.sep}{digest[:2]}{os.sep}{digest}{suffix}").st_size == size
        except OSError:
            return False


def items(kept: Kept) -> list[Any]:
    """Every single value in what was kept."""
    return [item for value in kept.values() for item in (value if is_many(value) else [value])]


def is_many(value: Any) -> bool:
    """True for what was kept of a `many` port."""
    return not value or isinstance(value[0], list)
