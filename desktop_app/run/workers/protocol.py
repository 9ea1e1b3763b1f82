"""What a worker says, read line by line, and told from what a tool wrote into the same pipe.

Knows the shapes of the messages, and neither lanes nor jobs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from nodes import phrase
from nodes.api import ResourceType

Message = dict[str, Any]
LINE_BYTES = 16 << 20
"""More than any answer takes: a hundred thousand results at once. A longer line is none."""
IDLE = "GRAPHWRIGHT_IDLE_SECONDS"
"""The variable that says in a worker's environment for how long models that nobody uses stay in memory."""
PROMISE = "@"
"""Begins the digest of a value that an earlier job of the same lane will have made: node id, and port as suffix."""
_SHOWN = 120
_SAID = ("note", "message", "fix")
_MOST = 2**53  # beyond, numbers are neither exact in JSON nor small enough for the history
_TEXT_CHARACTERS = 100_000
_FACETS = 64
_DIGEST = r"[0-9a-f]{64}"
_SUFFIX = r"(?:\.[^./\\:*?\"<>|\x00-\x1f]{1,40})?"
_is_digest = re.compile(_DIGEST).fullmatch
_is_suffix = re.compile(_SUFFIX).fullmatch
_is_file = re.compile(_DIGEST + _SUFFIX).fullmatch
_written = json.JSONEncoder(separators=(",", ":"), default=str).encode
_TYPES = frozenset(str(type) for type in ResourceType)


def encoded(message: Message) -> bytes:
    return (
        _written({name: phrase.to_json(value) if name in _SAID else value for name, value in message.items()}).encode(
            "utf-8", "replace"
        )
        + b"\n"
    )


class MessageDecoder:
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
            message = _message(line) if len(line) <= LINE_BYTES else None
            if message is None:
                self.garbled = _shown(line)
                break
            messages.append(message)
        return messages


def _message(line: bytes) -> Message | None:
    """The message in a line, None when it is none: whatever a tool may write there."""
    try:
        found = json.loads(line)
        if not _is_message(found):
            return None
    except (ValueError, RecursionError, OverflowError, MemoryError):
        return None
    found = _writable(found) if b"\\ud" in line or b"\\uD" in line else found
    return {name: phrase.from_json(value) if name in _SAID else value for name, value in found.items()}


def _writable(value: Any) -> Any:
    """With halves of characters, which no file and no database takes, replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value


def _is_message(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    kinds = _FIELDS.keys() & found.keys()
    if len(kinds) != 1:
        return False
    fields = _FIELDS[next(iter(kinds))]
    more = found.keys() - fields.keys()
    if not fields.keys() <= found.keys() or not more <= _MORE.keys():
        return False
    return all((fields.get(name) or _MORE[name])(value) for name, value in found.items())


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _TEXT_CHARACTERS


def _said(value: Any) -> bool:
    """A text, or a phrase of bounded size."""
    try:
        return len(phrase.from_json(value)) <= _TEXT_CHARACTERS
    except ValueError:
        return False


def _number(value: Any) -> bool:
    """Finite, and small enough to be counted and compared with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _sizes(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value)) and all(map(_count, value.values()))


def _facts(value: Any) -> bool:
    return (
        isinstance(value, dict) and len(value) <= _FACETS and all(map(_text, value))
        and all(fact is None or isinstance(fact, bool) or _number(fact) or _text(fact) for fact in value.values())
    )  # fmt: skip


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
        isinstance(digest, str) and _is_digest(digest) is not None
        and isinstance(suffix, str) and _is_suffix(suffix) is not None
        and isinstance(type, str) and type in _TYPES and _facts(facets) and _count(size)
    )  # fmt: skip


_FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "ready": {"ready": _count},
    "models": {"models": _sizes},
    "progress": {"progress": _text, "fraction": _number, "note": _said, "preview": _text},
    "ask": {"ask": _text, "number": _count, "service": _text, "request": lambda value: isinstance(value, dict)},
    "done": {"done": _text, "outputs": _outputs, "seconds": _number},
    "cancelled": {"cancelled": _text, "seconds": _number},
    "failed": {
        "failed": _text, "message": _said, "port": _text, "fix": _said, "cause": _text, "seconds": _number,
    },
}  # fmt: skip
_MORE: Mapping[str, Callable[[Any], bool]] = {
    "unbound": _text,
    "memory": lambda value: isinstance(value, bool),
    "damaged": lambda value: isinstance(value, str) and _is_file(value) is not None,
}
"""What may be said besides."""


def _shown(found: bytes | bytearray) -> str:
    return repr(bytes(found[:_SHOWN])) + (" ..." if len(found) > _SHOWN else "")
