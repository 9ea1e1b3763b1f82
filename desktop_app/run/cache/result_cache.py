"""Results by content key, on top of the history: gathered while events are gathered, and kept just before these
are delivered. A history that fails costs the memory of results, never the run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from desktop_app.core.errors import StorageError
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.resources import Store
from desktop_app.storage.timings import Timing, size_of
from nodes.phrase import Phrase

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
        self._store = store
        self._results: dict[bytes, KeptResult] = {}
        self._used: list[bytes] = []
        self._timings: list[tuple[str, str, Timing]] = []

    def find(self, key: bytes) -> Kept | None:
        """What was kept under the key, whatever has become of its files."""
        try:
            found = self._results.get(key) or self._history.result(key)
            kept = json.loads(found.outputs) if found else None
        except StorageError as error:
            self.trouble = str(error)
            return None
        except (ValueError, RecursionError):
            return None
        if found is None or not well_formed(kept):
            return None
        if 0 < found.used < time.time() - _DAY:
            self._used.append(key)
        return kept

    def unread_bytes(self, kept: Kept) -> int:
        """How much `whole` has to read of files that were not read since the program began, or since they changed; 0
        when all is known to be right, -1 when one is gone."""
        sizes = [self._store.unread_bytes(item[0], item[1]) for item in items(kept)]
        return -1 if -1 in sizes else sum(sizes)

    def whole(self, kept: Kept) -> bool:
        """True when every file of it is there, and is what its name says. One that is not goes, and is told.

        May be called on any thread.
        """
        return all(self._whole(*item[:2]) for item in items(kept))

    def remove_damaged(self, file: str) -> None:
        """Removes a file of the store if its content is not what its name says."""
        digest = file.partition(".")[0]
        self._whole(digest, file.removeprefix(digest))

    def put(self, key: bytes | None, kept: Kept, seconds: float, tool: str, backend: str, size: float = 0.0) -> None:
        """Remembers a result, and how long it took for an input of that size; without a key only the latter."""
        self._timings.append((tool, backend, Timing(seconds, size, _first_size(kept))))
        if key is not None:
            size = sum(item[4] for item in items(kept))
            self.put_bytes += size
            for item in items(kept):
                self._store.trust(item[0], item[1])
            self._results[key] = KeptResult(key, _text(kept), seconds, size)

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

    def _whole(self, digest: str, suffix: str) -> bool:
        if self._store.whole(digest, suffix):
            return True
        if self._store.remove_damaged(digest, suffix):
            said = Phrase(
                "A kept result was damaged on the disk ({digest}{suffix}); it is computed again.",
                digest=digest[:12],
                suffix=suffix,
            )
            self.trouble = self.trouble or said
        return False


def well_formed(kept: Any) -> bool:
    """True for what `Kept` describes: what a damaged history gives may be anything."""
    if not isinstance(kept, dict):
        return False
    for value in kept.values():
        if not isinstance(value, list) or not (all(map(_is_item, value)) if is_many(value) else _is_item(value)):
            return False
    return True


def _is_item(item: Any) -> bool:
    return (
        isinstance(item, list) and len(item) == 5 and isinstance(item[0], str) and len(item[0]) == 64
        and isinstance(item[1], str) and isinstance(item[2], str) and isinstance(item[3], dict)
        and isinstance(item[4], int)
    )  # fmt: skip


def _first_size(kept: Kept) -> float:
    """How much there is at the first output, of a list in one value as a rule."""
    first = next(iter(kept.values()), [])
    sizes = [size_of(item[3]) for item in (first if is_many(first) else [first])]
    return sum(sizes) / len(sizes) if sizes else 0.0


def items(kept: Kept) -> list[Any]:
    found: list[Any] = []
    for value in kept.values():
        if is_many(value):
            found.extend(value)
        else:
            found.append(value)
    return found


def is_many(value: Any) -> bool:
    return not value or isinstance(value[0], list)
