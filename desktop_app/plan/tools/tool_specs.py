"""Tools as the planner sees them: from our own registry, or from a file of another tool set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.core.errors import BadRequest
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.types import PortSpec, ToolSpec
from nodes.api import Backend, Port, ResourceType, Tool


def _built_in(backend: Backend) -> bool:
    return backend.kind == "built-in"


def from_tools(tools: Mapping[str, Tool], works: Callable[[Backend], bool] = _built_in) -> tuple[ToolSpec, ...]:
    """One spec for each tool, in order. Its quality is that of its best back end that `works` now; a tool of which
    none does, so that something has to be fetched first, counts for little: 0.2.
    """
    return tuple(
        ToolSpec(
            tool.id,
            tool.title,
            tool.description,
            tuple(_port(port) for port in tool.inputs if not port.by_hand),
            tuple(_port(port) for port in tool.outputs),
            tool.domain,
            tool.examples,
            tool.words,
            max((backend.quality for backend in tool.backends if works(backend)), default=0.2),
            tool.outside or bool(tool.side_effects),
            tool.any_of,
            tool.does,
        )
        for tool in tools.values()
    )


def _port(port: Port) -> PortSpec:
    return PortSpec(
        port.name,
        str(port.type),
        f"{port.doc} ({port.unit})" if port.unit and port.unit not in port.doc.split() else port.doc,
        port.required,
        port.many,
        port.choices,
        None if port.required else port.default,
        port.minimum,
        port.maximum,
        port.picked_on,
        port.unit,
        port.integer,
        port.said,
        port.usual,
        port.least,
        tuple(value if isinstance(value, str) else f"{value:g}" for value in port.offered),
        port.advanced,
        port.question,
        port.any_kind,
    )


def from_file(path: str | Path) -> tuple[ToolSpec, ...]:
    """Reads `{"tools": [{"name", "description", "domain"?, "args": [{"name", "type"}], "returns": [...]}]}`.

    A tool may also have "id", "title", "examples", "words", "quality"; a port "description", "required", "many",
    "choices", "default", "minimum", "maximum", "picked_on". Raises BadRequest that says what is wrong.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise BadRequest(
            f"The tool set {path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except ValueError as error:
        raise BadRequest(f"The tool set {path.name} is not JSON: {error}.", "Correct the file.") from error
    return from_data(data, path.name)


def from_data(data: Any, name: str = "") -> tuple[ToolSpec, ...]:
    """The same for a file's content; `name` is what messages call it."""
    tools = data.get("tools") if isinstance(data, dict) else None
    if not isinstance(tools, list):
        raise BadRequest(f"The tool set {name} has no list 'tools'.", "Its form is in the documentation.")
    specs = tuple(_spec(tool, number, name) for number, tool in enumerate(tools))
    ids = [spec.id for spec in specs]
    twice = sorted({id for id in ids if ids.count(id) > 1}) if len(set(ids)) < len(ids) else []
    if twice:
        raise BadRequest(f"The tool set {name} has '{twice[0]}' twice.", "Rename one of them.")
    return with_own_types(specs)


def with_own_types(specs: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    """The tools with our names for the types that we know under another: "image.mask" is a mask, "bbox" are boxes.

    A name that stands for two of their types stays away from both, so that these are not taken for the same.
    """
    names = {port.type for spec in specs for port in (*spec.inputs, *spec.outputs)}
    own = {name: _own_type(name) for name in names}
    shared = Counter(own.values())
    known = {name: type if shared[type] == 1 else name for name, type in own.items()}
    if all(name == type for name, type in known.items()):
        return tuple(specs)
    return tuple(
        replace(spec, inputs=_renamed(spec.inputs, known, True), outputs=_renamed(spec.outputs, known, False))
        for spec in specs
    )


def _own_type(name: str) -> str:
    """Our type of that name: the word itself, or one that the lexicon has for it alone; else the name as it is."""
    parent, _, last = name.rpartition(".")
    if name in ResourceType.__members__.values():
        return name
    tokens = tokens_of(last.replace("_", " "))
    terms = lexicon().terms(tokens)
    own = {t.key for t in terms if t.kind == "type" and t.first == 0 and t.last == len(tokens) - 1}
    own |= {last} & {*ResourceType.__members__.values()}
    fitting = sorted(type for type in own if str(ResourceType(type).parent or "") == parent)
    return fitting[0] if len(fitting) == 1 and (parent or fitting[0] in _FINDINGS) else name


_FINDINGS = frozenset(("boxes", "points", "labels"))
"""Of types that have no parent only those are renamed whose name can mean nothing else."""


def _renamed(ports: Iterable[PortSpec], known: Mapping[str, str], inward: bool) -> tuple[PortSpec, ...]:
    ports = tuple(replace(port, type=known[port.type]) for port in ports)
    pictures = [port.name for port in ports if port.type == "image" and port.required]
    if not inward or len(pictures) != 1:
        return ports
    return tuple(
        replace(port, picked_on=pictures[0]) if port.type == "points" and not port.picked_on else port for port in ports
    )


def _spec(data: Any, number: int, file: str) -> ToolSpec:
    try:
        id = str(data.get("id") or data["name"])
        return ToolSpec(
            id,
            str(data.get("title") or data.get("name") or id).replace("_", " "),
            str(data.get("description", "")),
            tuple(_port_from(port) for port in data.get("args", data.get("inputs", ()))),
            tuple(_port_from(port) for port in data.get("returns", data.get("outputs", ()))),
            str(data.get("domain") or ""),
            tuple(str(text) for text in data.get("examples", ())),
            tuple(str(text) for text in data.get("words", ())),
            float(data.get("quality", 0.5)),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadRequest(
            f"Tool number {number + 1} of {file} is not of the form: {type(error).__name__} {error}.",
            "Each tool needs 'name', 'description', 'args' and 'returns'.",
        ) from error


def _port_from(data: Any) -> PortSpec:
    return PortSpec(
        str(data["name"]),
        str(data["type"]).lower(),
        str(data.get("description") or data.get("doc") or ""),
        bool(data.get("required", "default" not in data)),
        bool(data.get("many", False)),
        tuple(str(choice) for choice in data.get("choices", ())),
        data.get("default"),
        data.get("minimum"),
        data.get("maximum"),
        str(data.get("picked_on") or ""),
        str(data.get("unit") or ""),
        bool(data.get("integer", False)),
    )
