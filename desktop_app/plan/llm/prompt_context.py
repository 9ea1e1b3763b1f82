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
from desktop_app.plan.types import FromNode, FromResource, Given, PortSpec, Request, Solution, ToolSpec, Turn

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


def _cut(turn: Turn, tokens: int) -> dict[str, str]:
    text = turn.text[-tokens * CHARACTERS :]
    while estimated(text) > tokens:
        text = text[len(text) // 4 + 1 :]
    return {"role": turn.role, "text": f"… {text}"}


def toolbox(tools: Iterable[ToolSpec], full: bool = True) -> str:
    """One line for each tool. In full with every input; else with those that it cannot do without."""
    return "\n".join(described(tool, full) for tool in tools)


def described(tool: ToolSpec, full: bool = True) -> str:
    """ "- blur(image: image, mask: mask?) -> image: image. Blurs ..."."""
    inputs = ", ".join(_port(port) for port in tool.inputs if full or port.required or port.type not in _SETTINGS)
    outputs = ", ".join(f"{p.name}: {p.type}{' (many)' if p.many else ''}" for p in tool.outputs)
    says = tool.description if full else tool.description.partition(". ")[0].rstrip(".") + "."
    return f"- {tool.id}({inputs}) -> {outputs}. {says}"


_SETTINGS = ("number", "flag", "text")


def _port(port: PortSpec) -> str:
    many, optional = " (many)" if port.many else "", "" if port.required else "?"
    return f"{port.name}: {port.type}{many}{optional}{' of ' + '|'.join(port.choices) if port.choices else ''}"


def steps_of(solution: Solution) -> list[dict[str, Any]]:
    """The steps of a solution as data: id, tool, and what feeds each input, in the notation of the task list."""
    return [
        {"id": step.id, "tool": step.tool, "args": {port: plain(value) for port, value in step.arguments.items()}}
        for step in solution.steps
    ]


def plain(value: Any) -> Any:
    """An argument as data: a result is "<resource>-step", a resource its name."""
    if isinstance(value, FromNode):
        return f"<resource>-{value.node}"
    if isinstance(value, FromResource):
        return value.name
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value
