"""Keeps the store below a size: forgets the results that are cheapest to compute again for the room they take."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Collection
from typing import Any

from desktop_app.run.cache.result_cache import items
from desktop_app.storage.database import History, Result
from desktop_app.storage.resources import Store

_LEAVE = 0.9  # chosen: it is emptied down to that part of the limit, so that it is not at once full again


def shrink(history: History, store: Store, limit_bytes: int, visible: Collection[str] = ()) -> int:
    """Forgets results until they take nine tenths of the limit at most, and returns how many bytes that freed.

    Results go in the order of bytes per second of computing, of equals the longest unused first. Those with a file that
    is `visible` (by digest), or that a kept conversation or workflow speaks of, stay. Raises StorageError.
    """
    results = history.results()
    total = sum(result.size_bytes for result in results)
    if total <= limit_bytes:
        return 0
    staying = {*visible, *history.mentioned()}
    going: list[Result] = []
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


def _items(result: Result) -> list[Any]:
    try:
        return items(json.loads(result.outputs))
    except (ValueError, AttributeError):
        return []
