"""What a worker says, read line by line, and told from what a tool wrote into the same pipe.

Knows the shapes of the messages, and neither lanes nor jobs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from nodes.api import ResourceType

Message = dict[str, Any]
LINE_BYTES = 64 << 20
"""More than any answer takes. A longer line is none."""
IDLE = "GRAPHWRIGHT_IDLE_SECONDS"
"""The variable that says in a worker's environment for how long models that nobody uses stay in memory."""
PROMISE = "@"
"""Begins the digest of a value that an earlier job of the same lane will have made: node id, and port as suffix."""
_SHOWN = 120
_written = json.JSONEncoder(separators=(",", ":"), default=str).encode
_TYPES = frozenset(str(type) for type in ResourceType)


def encoded(message: Message) -> bytes:
    """The message as a line."""
    return _written(message).encode("utf-8", "replace") + b"\n"


class Lines:
    """Cuts what comes through the pipe into messages. `garbled` is "", or the beginning of what is no message.

    After that nothing can be trusted any more: where a message begins is not known.
    """

    def __init__(self) -> None:
        self.garbled = ""
        self._rest = bytearray()

    def feed(self, block: bytes) -> list[Message]:
        """The messages that this block completes, up to the first thing that is none."""
        self._rest += block
        if b"\n" not in block:
            if len(self._rest) > LINE_BYTES:
                self.garbled = _shown(self._rest)
            return []
        *lines, rest = bytes(self._rest).split(b"\n")
        self._rest = bytearray(rest)
        messages: list[Message] = []
        for line in lines:
            message = _message(line)
            if message is None:
                self.garbled = _shown(line)
                break
            messages.append(message)
        return messages


def _message(line: bytes) -> Message | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if _is_message(found) else None


def _is_message(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    kinds = _FIELDS.keys() & found.keys()
    if len(kinds) != 1:
        return False
    fields = _FIELDS[next(iter(kinds))]
    return found.keys() - {"memory"} == fields.keys() and all(fits(found[name]) for name, fits in fields.items())


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _sizes(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_count, value.values()))


def _outputs(value: Any) -> bool:
    """By port what was kept, as cache.Kept describes it."""
    return isinstance(value, dict) and all(map(_output, value.values()))


def _output(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    return all(map(_kept, value)) if not value or isinstance(value[0], list) else _kept(value)


def _kept(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 5:
        return False
    digest, suffix, type, facets, size = value
    return (
        isinstance(digest, str) and len(digest) == 64 and _text(suffix) and isinstance(type, str) and type in _TYPES
        and isinstance(facets, dict) and _count(size)
    )  # fmt: skip


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "ready": {"ready": _count},
    "models": {"models": _sizes},
    "progress": {"progress": _text, "fraction": _number, "note": _text, "preview": _text},
    "done": {"done": _text, "outputs": _outputs, "seconds": _number},
    "cancelled": {"cancelled": _text, "seconds": _number},
    "failed": {
        "failed": _text, "message": _text, "port": _text, "fix": _text, "cause": _text, "seconds": _number,
    },
}  # fmt: skip


def _shown(found: bytes | bytearray) -> str:
    return repr(bytes(found[:_SHOWN])) + (" ..." if len(found) > _SHOWN else "")
