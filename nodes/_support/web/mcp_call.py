"""The function behind every tool of an MCP server: hands its values to the program, which talks to the server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nodes.api import NodeError, Phrase, ResourceType, RunContext, Tool

FACTS: dict[str, Any] = {
    "id": "mcp", "kind": "endpoint", "device": "network", "quality": 0.5, "requires": ("service:mcp",),
}  # fmt: skip


def call(*, context: RunContext, **values: Any) -> str:
    """What the tool of the server answers, as text. What it was not given is left to the server."""
    return str(
        context.ask("mcp", {"values": {name: value for name, value in values.items() if value is not None}})["text"]
    )


def arguments(tool: Tool, values: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The values in the form that the schema of the server names: lists and objects are written as JSON on the port.

    Raises NodeError for text that is no JSON of that kind.
    """
    given: dict[str, Any] = {}
    for port in tool.inputs:
        value = values.get(port.name)
        about = schema.get("properties", {}).get(port.name, {})
        kind = about.get("type") if isinstance(about, dict) else None
        if value is None or (value == "" and not port.required):
            continue
        if port.type is ResourceType.TEXT and kind in ("array", "object"):
            value = _parsed(port.name, str(value), list if kind == "array" else dict)
        given[port.name] = value
    return given


def _parsed(port: str, text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        what = "[...]" if kind is list else "{...}"
        raise NodeError(Phrase("'{port}' wants JSON of the form {what}.", port=port, what=what), port, "")
    return value
