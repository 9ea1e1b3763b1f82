"""Tools as functions that a language model may call natively: names, short descriptions, JSON schemas of inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop_app.plan.modes.stepwise import ASK, FINISH, SEARCH
from desktop_app.plan.types import PortSpec, ToolSpec

_MOST_DESCRIPTION = 160
_MOST_PORT = 70
_OWN = [
    {
        "name": FINISH,
        "description": "Nothing is left to do.",
        "parameters": {
            "type": "object",
            "properties": {
                "results": {"type": "array", "items": {"type": "string"}, "description": "names that answer"},
                "text": {"type": "string", "description": "only when no tool is needed or none can do it"},
            },
        },
    },
    {
        "name": ASK,
        "description": "Ask the user something that has to be known first.",
        "parameters": {
            "type": "object",
            "properties": {
                "question": {"type": "string"},
                "choices": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["question"],
        },
    },
]

_SEARCH = {
    "name": SEARCH,
    "description": "Finds further tools by what they should do; they can be called from then on.",
    "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
}


def functions(tools: Sequence[ToolSpec], searched: bool = False) -> list[dict[str, Any]]:
    """The two ways to choose no tool, then the tools; with `searched` there are more to be found. Kept short: they are
    sent with each step.
    """
    return [*_OWN, *([_SEARCH] if searched else []), *(_function(tool) for tool in tools)]


def _function(tool: ToolSpec) -> dict[str, Any]:
    ports = [port for port in tool.inputs if not port.picked_on]
    gives = ", ".join(dict.fromkeys(port.type for port in tool.outputs))
    said = tool.description.partition(". ")[0].rstrip(".")[:_MOST_DESCRIPTION]
    return {
        "name": tool.id,
        "description": f"{said}. Gives {gives}.",
        "parameters": {
            "type": "object",
            "properties": {port.name: _parameter(port) for port in ports},
            "required": [port.name for port in ports if port.required],
        },
    }


def _parameter(port: PortSpec) -> dict[str, Any]:
    one = _single(port)
    return {"type": "array", "items": one} if port.many else one


def _single(port: PortSpec) -> dict[str, Any]:
    said = port.description[:_MOST_PORT]
    if port.type == "flag":
        return {"type": "boolean", "description": said}
    if port.type == "number" and not port.required:
        bounds = {"minimum": port.minimum, "maximum": port.maximum}
        kept = {key: value for key, value in bounds.items() if value is not None}
        return {"type": "integer" if port.integer else "number", "description": said, **kept}
    if port.choices:
        return {"type": "string", "enum": list(port.choices)}
    if port.type in ("text", "url", "html"):
        return {"type": "string", "description": f"{said} (words, or the name of a {port.type})"}
    if port.type == "number":
        return {"type": "string", "description": f"{said} (digits, or the name of a number)"}
    return {"type": "string", "description": f"name of a resource of type {port.type}"}
