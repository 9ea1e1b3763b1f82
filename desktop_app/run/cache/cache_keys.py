"""Content keys: what a node's result depends on, in 32 bytes. Same key, same result, nothing need run.

A key holds the digests of the inputs, not their keys, so it costs the same at any depth of the graph, and a change
upstream that gives the same content after all stops there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_app.storage.resources import Resource
from nodes.api import Backend, Port, ResourceType, Tool

FORMAT = 1
_EXACT = 2**53
"""Beyond it whole numbers and floats differ, and far beyond it the former have no float."""
_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode
Linked = Resource | tuple[Resource, ...]


def key_of(
    tool: Tool,
    backend: Backend,
    values: Mapping[str, Any],
    linked: Mapping[str, Linked],
    models: Sequence[tuple[str, str]] = (),
) -> bytes:
    """The key of a node whose own literals are `values` and whose linked inputs are `linked`, both by port.

    `models` are those that the back end runs on, as (id, revision).
    Ports that are neither count with their default, so writing the default down changes nothing.
    """
    own = {
        port.name: canonical(port, values.get(port.name, port.default))
        for port in tool.inputs
        if port.name not in linked and (port.name in values or not port.required)
    }
    named = {port.name for port in tool.inputs if port.any_kind}
    given = {name: _content(value, name in named) for name, value in linked.items()}
    parts = [FORMAT, tool.id, tool.version, backend.id, models or backend.model, own, given]
    return hashlib.sha256(_text(parts).encode("utf-8", "surrogatepass")).digest()


def canonical(port: Port, value: Any) -> Any:
    """A literal as it counts in a key: 2 and 2.0 are the same number."""
    if port.type is ResourceType.NUMBER and isinstance(value, int | float) and abs(value) < _EXACT:
        return float(value)
    return value


def _content(value: Linked, named: bool) -> Any:
    """What is packed under its name counts with that."""
    if isinstance(value, tuple):
        return [_content(item, named) for item in value]
    return [value.type, value.digest, value.suffix, *([value.name, bool(value.made_by)] if named else [])]
