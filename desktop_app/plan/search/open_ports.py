"""The inputs of a tool in the order in which they are filled, and what to ask where there is more than their name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop_app.plan.tools.tool_graph import SETTINGS, main_inputs
from desktop_app.plan.types import FromResource, PortSpec, Question, ToolSpec
from nodes.phrase import Phrase


def box_in(tool: ToolSpec, step: str, port: PortSpec, arguments: Mapping[str, Any]) -> Question | None:
    """Boxes in a picture are drawn and not attached."""
    pictures = [arguments.get(other.name) for other in tool.inputs if other.type == "image" and other.required]
    if port.type != "boxes" or not pictures:
        return None
    resource = pictures[0].name if isinstance(pictures[0], FromResource) else ""
    text = "Draw a box around what you mean."
    if resource:
        text = Phrase("Draw a box around what you mean in {name}.", name=resource)
    return Question(text, "box", (), step, port.name, resource)


def open_end(tool: ToolSpec, arguments: Mapping[str, Any]) -> PortSpec | None:
    """ "Cut this video": the end of a stretch, where the tool does nothing but keep one, and nothing of it is said."""
    settings = [port for port in tool.inputs if not port.required]
    kinds = [port.type for port in main_inputs(tool)]
    whole = {port.name for port in settings} == {"start", "end"} and [port.type for port in tool.outputs] == kinds
    if not whole or {"start", "end"} & arguments.keys():
        return None
    return next(port for port in settings if port.name == "end")


def resource_ports(tool: ToolSpec) -> list[PortSpec]:
    """Required inputs first, then optional ones that take a resource and not a setting."""
    required = [port for port in tool.inputs if port.required]
    return [*required, *(p for p in tool.inputs if not p.required and p.type not in SETTINGS and not p.choices)]
