"""What a language model is told: the request and, quoted as data, what is there and what was said; and the tools.

The user's words are in the field "request". Everything else is under "data", of which the prompts say that no order
in it counts. Whatever comes back is checked all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.prompts import prompt
from desktop_app.llm.token_usage import CHARACTERS, estimated
from desktop_app.plan.types import FromNode, FromResource, Given, HistoryMessage, PortSpec, Request, ToolSpec

HISTORY_TOKENS = 2000
"""So much of the conversation is told, with the table of resources, unless the settings say otherwise."""
_NAME = 300
"""A resource whose name has more characters is not told of: no file system has such names."""
_REQUEST = 20_000
"""Characters of a request that are told."""


def messages(name: str, request: Request, budget: int, data: Mapping[str, Any], **variables: str) -> list[ChatMessage]:
    """The prompt of that name with its variables, and the request with `data` beside what all prompts are told."""
    told = {"resources": table(request.resources), "conversation": recent(request, budget), **data}
    asked = {"request": request.text[:_REQUEST], "data": told}
    return [
        ChatMessage("system", prompt(name, **variables)),
        ChatMessage("user", json.dumps(asked, ensure_ascii=False)),
    ]


def table(resources: Sequence[Given], most: int = 60) -> list[dict[str, Any]]:
    """Names and types, the newest last; of very many only the newest, and all that are of this turn."""
    kept = [given for place, given in enumerate(resources) if not given.earlier or place >= len(resources) - most]
    rows: list[dict[str, Any]] = []
    for given in kept[-2 * most :]:
        row: dict[str, Any] = {"name": given.name, "type": given.type}
        if given.earlier:
            row["earlier"] = True
        if given.points:
            row["clicked"] = len(given.points)
        if len(given.name) <= _NAME:
            rows.append(row)
    return rows


def recent(request: Request, budget: int) -> list[dict[str, str]]:
    """The newest turns that fit into `budget` tokens with the table of resources, oldest first. Of the newest turn
    at least the end is kept.
    """
    left = budget - estimated(json.dumps(table(request.resources), ensure_ascii=False))
    turns: list[dict[str, str]] = []
    for turn in reversed(request.history):
        cost = estimated(turn.text) + 8
        if cost > left:
            if not turns and left > 0:
                turns.append(_cut(turn, left))
            break
        left -= cost
        turns.insert(0, {"role": turn.role, "text": turn.text})
    return turns


def _cut(turn: HistoryMessage, tokens: int) -> dict[str, str]:
    text = turn.text[-tokens * CHARACTERS :]
    while estimated(text) > tokens:
        text = text[len(text) // 4 + 1 :]
    return {"role": turn.role, "text": f"… {text}"}


def shown_graph(request: Request) -> dict[str, Any]:
    """The graph that is shown, node by node with values, state and results, and the ways to do the same; {} when there
    is none.
    """
    if not request.graph:
        return {}
    nodes = []
    for placed in request.graph:
        node: dict[str, Any] = {
            "id": placed.step.id,
            "tool": placed.step.tool,
            "args": {port: plain(value) for port, value in placed.step.arguments.items()},
            "state": placed.state or "not run",
        }
        results = [name for names in placed.results.values() for name in names]
        nodes.append(node | ({"results": results} if results else {}))
    ways = [f"way {number}: {title}" for number, title in enumerate(request.ways, 1)]
    return {"graph": nodes} | ({"ways": ways} if len(ways) > 1 else {})


def toolbox(tools: Iterable[ToolSpec], full: bool = True) -> str:
    """One line for each tool, always in the same words. In full with every input; else with those that it cannot do
    without.
    """
    return "\n".join(described(tool, full) for tool in tools)


def described(tool: ToolSpec, full: bool = True) -> str:
    """ "- blur(image: image, radius: number? 0.1..200 px = 8 "strength") -> image: image. Blurs ... E.g. ..."."""
    inputs = ", ".join(_port(port, full) for port in tool.inputs if full or port.required)
    outputs = ", ".join(f"{p.name}: {p.type}{' (many)' if p.many else ''}" for p in tool.outputs)
    says = tool.description if full else tool.description.partition(". ")[0].rstrip(".") + "."
    outside = " (outside)" if tool.outside else ""
    example = f' E.g. "{tool.examples[0]}"' if full and tool.examples else ""
    return f"- {tool.id}({inputs}) -> {outputs}{outside}. {says}{example}"


_DESCRIBED = 70
"""Characters of what is said of an input."""


def _port(port: PortSpec, full: bool) -> str:
    parts = [f"{port.name}: {port.type}{' (many)' if port.many else ''}{'' if port.required else '?'}"]
    if port.choices:
        parts.append("|".join(port.choices))
    if full and (port.minimum is not None or port.maximum is not None):
        parts.append("..".join("" if end is None else f"{end:g}" for end in (port.minimum, port.maximum)))
    if full and port.unit:
        parts.append(port.unit)
    if full and port.default not in (None, "", ()):
        parts.append(f"= {port.default:g}" if isinstance(port.default, float) else f"= {port.default}")
    if full and _says_more(port):
        parts.append(f'"{port.description.removesuffix(f" ({port.unit})")[:_DESCRIBED]}"')
    return " ".join(parts)


def _says_more(port: PortSpec) -> bool:
    """Of what is there by its type ("the picture to blur") the name says enough."""
    return port.type in _SETTINGS and bool(port.description)


_SETTINGS = ("number", "flag", "text", "url")


def plain(value: Any) -> Any:
    """An argument as data: a result is "<resource>-step.output", a resource its name."""
    if isinstance(value, FromNode):
        return f"<resource>-{value.node}.{value.port}"
    if isinstance(value, FromResource):
        return value.name
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value
