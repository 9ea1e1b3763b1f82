"""In the worker: from what a job says to what a tool takes, and from what a tool gives to what is kept.

Every value that a tool meets here is of the form that `nodes.api` promises, whoever brought it.
"""

from __future__ import annotations

import math
import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.storage.resources import Resource, Store, facets_of
from nodes._support.files import codecs
from nodes.api import Audio, NodeError, Port, ResourceType, Table, Tool
from nodes.phrase import Phrase, listed, replaced

_T = ResourceType
_TEXTS = frozenset({_T.TEXT, _T.HTML, _T.URL})
_COLOUR = frozenset({_T.IMAGE, _T.NORMAL, _T.POSE})
_NUMBERED = re.compile(r"output\d+")
"""What files are called to which a tool gave no name of its own: see RunContext.new_file."""
MEMORY_BYTES = 256 << 20


class BadOutput(Exception):
    """A tool gave something that its port does not promise: a fault of the tool."""


class Memory:
    """Values by content and type, the least recently used dropped beyond `limit_bytes`. Arrays come out as copies."""

    def __init__(self, limit_bytes: int = MEMORY_BYTES) -> None:
        self._limit = limit_bytes
        self._held = 0
        self._values: OrderedDict[tuple[str, ResourceType], tuple[Any, int]] = OrderedDict()

    def get(self, digest: str, type: ResourceType) -> Any:
        found = self._values.get((digest, type))
        if found is None:
            return None
        self._values.move_to_end((digest, type))
        return _copy(found[0])

    def put(self, digest: str, type: ResourceType, value: Any) -> None:
        """Keeps the value, unless it is a file or larger than a quarter of the whole."""
        size = _size(value)
        if type in codecs.FILE_TYPES or size > self._limit // 4 or (digest, type) in self._values:
            return
        self._values[digest, type] = (value, size)
        self._held += size
        while self._held > self._limit:
            self._held -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        self._values.clear()
        self._held = 0


def inputs(tool: Tool, job: Mapping[str, Any], store: Store, memory: Memory) -> dict[str, Any]:
    """The arguments of the tool's function by name. Raises NodeError naming the port, or StorageError."""
    arguments: dict[str, Any] = {}
    for port in tool.inputs:
        if port.name in job["linked"]:
            arguments[port.name] = _linked(port, job["linked"][port.name], store, memory)
        elif port.name in job["values"]:
            arguments[port.name] = _literal(port, job["values"][port.name])
    return arguments


def names(given: list[Any]) -> tuple[str, ...]:
    """What links into a port are called; a promise of what has no name yet by its number."""
    several = given if given and isinstance(given[0], list) else [given] if given else []
    return tuple(one[3] if len(one) > 3 and one[3] else f"{number}" for number, one in enumerate(several, 1))


def file_of(given: list[Any], store: Store) -> Path | None:
    """The kept file of what links into a port that takes one value; None for none. Raises StorageError."""
    if not given or isinstance(given[0], list):
        return None
    digest, suffix, type, name, *_ = given
    return store.whole_path_of(Resource(name, _T(type), digest, suffix))


def kinds(given: list[Any]) -> tuple[ResourceType | None, ...]:
    """The types of what links into a port, None for what the user brought."""
    several = given if given and isinstance(given[0], list) else [given] if given else []
    return tuple(_T(one[2]) if len(one) > 4 and one[4] else None for one in several)


def outputs(tool: Tool, given: Any, store: Store, memory: Memory, scratch: Path | None = None) -> dict[str, Any]:
    """Keeps what a tool gave, and says what was kept: by port [digest, suffix, type, facets, bytes] or a list of these.
    Files are copied; those in the folder `scratch` may be moved.

    Raises BadOutput, or StorageError.
    """
    ports = tool.outputs
    if len(ports) == 1:
        given = (given,)
    elif not isinstance(given, tuple | list) or len(given) != len(ports):
        raise BadOutput(f"It gave {type(given).__name__} where {len(ports)} outputs are declared.")
    moved = _given_once(given, scratch) if scratch else frozenset()
    return {port.name: _kept(port, value, store, memory, moved) for port, value in zip(ports, given, strict=True)}


def _given_once(given: Iterable[Any], scratch: Path) -> frozenset[Path]:
    """The files in that folder that one output alone names."""
    flat = [item for value in given for item in (value if isinstance(value, tuple | list) else (value,))]
    files = Counter(item for item in flat if isinstance(item, Path) and item.parent == scratch)
    return frozenset(file for file, times in files.items() if times == 1)


def _linked(port: Port, given: list[Any], store: Store, memory: Memory) -> Any:
    if port.many:
        return tuple(_stored(port, item, store, memory) for item in given)
    return _stored(port, given, store, memory)


def _stored(port: Port, given: list[Any], store: Store, memory: Memory) -> Any:
    digest, suffix, type_name, name = given[:4]
    type = _T(type_name)
    if _T.FILE in (port.type, type) or (type is _T.IMAGE and port.type.parent is _T.IMAGE):
        type = port.type  # what the user brought, or a step saved, is read as what it is wanted as
    value = memory.get(digest, type)
    if value is None:
        path = store.whole_path_of(Resource(name, type, digest, suffix))
        try:
            value = codecs.decode(path, type, port.name)
        except NodeError as error:
            raise NodeError(replaced(error.message, path.name, name), port.name, error.fix) from error
        memory.put(digest, type, value)
        value = _copy(value)
    return _in_range(port, codecs.adapt(value, type, port.type))


def _literal(port: Port, value: Any) -> Any:
    if value is None and not port.required:
        return port.default
    if port.many and isinstance(value, list | tuple):
        return tuple(_one_literal(port, item) for item in value)
    return (_one_literal(port, value),) if port.many else _one_literal(port, value)


def _one_literal(port: Port, value: Any) -> Any:
    type = port.type
    if type in _TEXTS and isinstance(value, str):
        return _chosen(port, value)
    if type is _T.NUMBER and isinstance(value, int | float) and not isinstance(value, bool):
        return _in_range(port, value)
    if type is _T.FLAG and isinstance(value, bool):
        return value
    if type in (_T.POINTS, _T.BOXES, _T.LABELS, _T.TABLE):
        try:
            return codecs.from_json(value, type)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise NodeError(
                Phrase(
                    "'{port}' is not {type}: {error}.",
                    port=Phrase(port.name, "ports"),
                    type=Phrase(type, "types"),
                    error=error,
                ),
                port.name,
                "Set it again.",
            ) from error
    shown = str(value)[:60]
    fix = (
        Phrase("Link {type} to it.", type=Phrase(type, "types"))
        if type in codecs.IMAGE_TYPES | codecs.FILE_TYPES | {_T.AUDIO}
        else "Set it again."
    )
    raise NodeError(
        Phrase(
            "'{port}' takes {type}, and {shown} is not.",
            port=Phrase(port.name, "ports"),
            type=Phrase(type, "types"),
            shown=repr(shown),
        ),
        port.name,
        fix,
    )


def _chosen(port: Port, value: str) -> str:
    if port.choices and value not in port.choices:
        raise NodeError(
            Phrase(
                "'{port}' is {value}, which is not one of its choices.",
                port=Phrase(port.name, "ports"),
                value=repr(value),
            ),
            port.name,
            Phrase("Choose one of: {names}.", names=listed(port.choices)),
        )
    return value


def _in_range(port: Port, value: Any) -> Any:
    """A number as its port wants it, int or float, within the limits; a text one of its choices; else as it is."""
    if isinstance(value, str):
        return _chosen(port, value)
    if port.type is not _T.NUMBER:
        return value
    if not math.isfinite(value):
        raise NodeError(
            Phrase("'{port}' is {value}, which is not a number.", port=Phrase(port.name, "ports"), value=value),
            port.name,
            "Set it again.",
        )
    if port.integer and value != int(value):
        raise NodeError(
            Phrase(
                "'{port}' is {value}, and must be a whole number.", port=Phrase(port.name, "ports"), value=f"{value:g}"
            ),
            port.name,
            "Round it.",
        )
    low, high = port.minimum, port.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        unit = f" {port.unit}" if port.unit else ""
        limits = (
            Phrase("at least {low}", low=f"{low:g}")
            if high is None
            else Phrase("at most {high}", high=f"{high:g}")
            if low is None
            else Phrase("{low} to {high}", low=f"{low:g}", high=f"{high:g}")
        )
        raise NodeError(
            Phrase(
                "'{port}' is {value}{unit}; it must be {limits}{unit}.",
                port=Phrase(port.name, "ports"),
                value=f"{value:g}",
                unit=unit,
                limits=limits,
            ),
            port.name,
            "Set it again.",
        )
    return int(value) if port.integer else float(value)


def _kept(port: Port, value: Any, store: Store, memory: Memory, moved: frozenset[Path]) -> list[Any]:
    if not port.many:
        return _keep(port, value, store, memory, moved)
    if not isinstance(value, tuple | list):
        raise BadOutput(f"'{port.name}' is {type(value).__name__}, and should be a tuple of {port.type}.")
    return [_keep(port, item, store, memory, moved) for item in value]


def _keep(port: Port, value: Any, store: Store, memory: Memory, moved: frozenset[Path]) -> list[Any]:
    value = _checked(port, value)
    is_made = isinstance(value, Path) and value in moved
    called = {"called": value.stem} if is_made and not _NUMBERED.fullmatch(value.stem) else {}
    digest, suffix = store.put_value(value, port.type, is_made)
    memory.put(digest, port.type, value)
    path = store.path(digest, suffix)
    return [digest, suffix, port.type, _facets(value, port.type, path) | called, path.stat().st_size]


def _checked(port: Port, value: Any) -> Any:
    """The value in exactly the form in which it will be read back. Raises BadOutput."""
    type = port.type
    if type in codecs.IMAGE_TYPES:
        fault = _array_fault(value, type)
        if fault:
            raise BadOutput(f"'{port.name}' should be {type}, {fault}.")
        return value
    if type in codecs.FILE_TYPES:
        if not isinstance(value, Path | str) or not Path(value).is_file():
            raise BadOutput(f"'{port.name}' should be an existing file, and is {str(value)[:80]!r}.")
        return Path(value)
    if type in _TEXTS:
        if not isinstance(value, str):
            raise BadOutput(f"'{port.name}' should be text, and is {value.__class__.__name__}.")
        # Lone surrogates cannot be written, a zero byte would make the file unreadable as text, and a byte order mark
        # is taken off in reading.
        return value.encode("utf-8", "replace").decode("utf-8").replace("\0", "").removeprefix("\ufeff")
    if type is _T.AUDIO:
        return _checked_audio(port, value)
    try:
        return _checked_json(value, type)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise BadOutput(f"'{port.name}' should be {type}, and is {str(value)[:80]!r}: {error}.") from error


def _array_fault(value: Any, type: ResourceType) -> str:
    if not isinstance(value, np.ndarray):
        return f"and is {value.__class__.__name__}"
    wanted = np.uint16 if type is _T.SEGMENTATION else np.uint8
    if value.dtype != wanted:
        return f"an array of {wanted.__name__}, and is of {value.dtype}"
    good = value.ndim == 3 and value.shape[2] in (3, 4) if type in _COLOUR else value.ndim == 2
    return "" if good and value.size else f"and is an array of shape {value.shape}"


def _checked_audio(port: Port, value: Any) -> Audio:
    if not isinstance(value, Audio) or value.samples.ndim != 2:
        raise BadOutput(f"'{port.name}' should be Audio with samples of shape (frames, channels).")
    return Audio(np.ascontiguousarray(value.samples, dtype=np.float32), int(value.rate))


def _checked_json(value: Any, type: ResourceType) -> Any:
    if type is _T.FLAG:
        if not isinstance(value, bool | np.bool_):
            raise TypeError("it is neither true nor false")
        return bool(value)
    if type is _T.NUMBER:
        number = value.item() if isinstance(value, np.generic) else value
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise TypeError("it is not a finite number")
        return number
    if type is _T.TABLE:
        rows = tuple(tuple(_cell(cell) for cell in row) for row in value.rows)
        return Table(tuple(str(c) for c in value.columns), rows)
    return codecs.from_json([tuple(_cell(part) for part in item) for item in value], type)


def _cell(value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def _facets(value: Any, type: ResourceType, path: Path) -> dict[str, Any]:
    if type in codecs.IMAGE_TYPES:
        return {"width": int(value.shape[1]), "height": int(value.shape[0])}
    if type is _T.AUDIO:
        return {"seconds": value.seconds, "rate": value.rate, "channels": int(value.samples.shape[1])}
    if type in codecs.FILE_TYPES:
        return facets_of(path, type)
    if type is _T.TABLE:
        return {"rows": len(value.rows), "columns": len(value.columns)}
    if type in _TEXTS:
        return {"characters": len(value)}
    return {"count": len(value)} if isinstance(value, tuple) else {}


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy() if value.flags.writeable else value
    return Audio(_copy(value.samples), value.rate) if isinstance(value, Audio) else value


def _size(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Audio):
        return value.samples.nbytes
    if isinstance(value, Table):
        return 64 * (1 + len(value.rows) * len(value.columns))
    return 64 + (len(value) * 64 if isinstance(value, tuple) else len(value) if isinstance(value, str) else 0)
