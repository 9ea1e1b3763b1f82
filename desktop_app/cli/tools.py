"""`graphwright tools`: every tool with its ports and back ends."""

from __future__ import annotations

import argparse
import json
from typing import Any

from desktop_app.cli import exit_codes
from desktop_app.run.backends.availability import available
from nodes import load_tools
from nodes.api import Backend, Port, Tool


def run(options: argparse.Namespace) -> int:
    """Prints the list; the exit code."""
    toolbox = load_tools()
    tools = sorted(toolbox.tools.values(), key=lambda tool: (tool.domain, tool.id))
    if options.json:
        print(json.dumps({"tools": [_tool(t) for t in tools], "failures": dict(toolbox.failures)}, ensure_ascii=False))
        return exit_codes.OK
    for tool in tools:
        inputs = ", ".join(f"{p.name}: {p.type}{'' if p.required else '?'}" for p in tool.inputs)
        outputs = ", ".join(f"{p.name}: {p.type}" for p in tool.outputs)
        print(f"{tool.domain:6} {tool.id}({inputs}) -> {outputs}")
        print(f"         {tool.description}")
    for name, why in toolbox.failures.items():
        print(f"did not load: {name}: {why}")
    return exit_codes.OK


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "id": tool.id,
        "name": tool.id,
        "title": tool.title,
        "domain": tool.domain,
        "description": tool.description,
        "inputs": [_port(port) for port in tool.inputs],
        "outputs": [_port(port) for port in tool.outputs],
        "backends": [_backend(backend) for backend in tool.backends],
        "models": [backend.model for backend in tool.backends if backend.model],
        "examples": list(tool.examples),
        "words": list(tool.words),
        "side_effects": tool.side_effects,
    }


def _port(port: Port) -> dict[str, Any]:
    about: dict[str, Any] = {"name": port.name, "type": str(port.type), "doc": port.doc, "required": port.required}
    optional = {
        "default": None if port.required else port.default,
        "choices": list(port.choices) or None,
        "minimum": port.minimum,
        "maximum": port.maximum,
        "unit": port.unit or None,
        "picked_on": port.picked_on or None,
        "many": port.many or None,
    }
    return about | {key: value for key, value in optional.items() if value is not None}


def _backend(backend: Backend) -> dict[str, Any]:
    return {
        "id": backend.id,
        "title": backend.title,
        "kind": backend.kind,
        "device": backend.device,
        "memory_bytes": backend.memory_bytes,
        "download_bytes": backend.download_bytes,
        "model": backend.model or None,
        "family": backend.family or None,
        "quality": backend.quality,
        "works": available(backend),
    }
