"""Small things that were found out about others and are worth keeping from start to start: one JSON object a file.

What is lost here is only asked for again, so no fault is told.
"""

from __future__ import annotations

import contextlib
import json
from typing import Any

from desktop_app.core.errors import StorageError
from desktop_app.core.paths import alone, home


def everything(file: str) -> dict[str, Any]:
    """All that is kept in a file of the program's folder, by key. Its values may be of any form: people edit files."""
    try:
        known = json.loads((home() / file).read_text("utf-8"))
    except (OSError, ValueError, RecursionError, StorageError):
        return {}
    return known if isinstance(known, dict) else {}


def keep(file: str, key: str, value: Any) -> None:
    """Keeps a value, None to forget it; the others stay, whichever program wrote them."""
    with contextlib.suppress(OSError, StorageError), alone(home() / file):
        known = {**everything(file), key: value}
        (home() / file).write_text(json.dumps({k: v for k, v in known.items() if v is not None}), "utf-8")
