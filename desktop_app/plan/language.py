"""Planning with a language model: the offline plan is the draft, the model's plan is checked against the tools.

A reply that does not hold gets one repair round that quotes the faults; then the offline plan stands, and says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.errors import BadReply
from desktop_app.llm.chat import ChatMessage, ChatModel, complete
from desktop_app.llm.extraction import json_object
from desktop_app.llm.prompts import prompt
from desktop_app.plan import validate
from desktop_app.plan.request import FromNode, FromResource, Plan, Question, Request, Solution, ToolSpec

HISTORY_CHARACTERS = 8000
MOST_ALTERNATIVES = 5


async def improve(draft: Plan, request: Request, tools: Sequence[ToolSpec], model: ChatModel) -> Plan:
    """The draft with the model's solution before its own. Never raises: the draft with a notice is the fall-back."""
    by_id = {tool.id: tool for tool in tools}
    messages = [
        ChatMessage("system", prompt("plan", tools="\n".join(map(_described, tools)))),
        ChatMessage("user", _asked(draft, request)),
    ]
    try:
        found = await _valid_reply(model, messages, request, by_id)
    except BadReply as error:
        return replace(draft, notice=f"{error.message} Planned offline instead.")
    if isinstance(found, str):
        return Plan((), (Question(found),), (found,), draft.subtasks, "llm") if not draft.solutions else draft
    others = [s for s in draft.solutions if _shape(s) != _shape(found)]
    return replace(draft, solutions=(found, *others)[:MOST_ALTERNATIVES], causes=(), mode="llm")


async def _valid_reply(
    model: ChatModel, messages: list[ChatMessage], request: Request, tools: Mapping[str, ToolSpec]
) -> Solution | str:
    """The model's solution, or its question. Raises BadReply after one repair round."""
    reply = await complete(model, messages, validate.SCHEMA)
    try:
        return _read(reply, request, tools)
    except BadReply as fault:
        mend = f"This plan cannot be used: {fault.message} Reply with the whole corrected JSON object."
        again = [*messages, ChatMessage("assistant", reply[:4000]), ChatMessage("user", mend)]
    reply = await complete(model, again, validate.SCHEMA)
    try:
        return _read(reply, request, tools)
    except BadReply as fault:
        raise BadReply(f"The language model's plan did not hold ({fault.message})", "") from fault


def _read(reply: str, request: Request, tools: Mapping[str, ToolSpec]) -> Solution | str:
    data = json_object(reply)
    if not data.get("steps") and isinstance(data.get("question"), str) and data["question"].strip():
        return data["question"].strip()[:500]
    return validate.solution(data, request, tools)


def _described(tool: ToolSpec) -> str:
    inputs = ", ".join(
        f"{p.name}: {p.type}{' (many)' if p.many else ''}{'' if p.required else '?'}"
        f"{' of ' + '|'.join(p.choices) if p.choices else ''}"
        for p in tool.inputs
    )
    outputs = ", ".join(f"{p.name}: {p.type}{' (many)' if p.many else ''}" for p in tool.outputs)
    return f"- {tool.id}({inputs}) -> {outputs}. {tool.description}"


def _asked(draft: Plan, request: Request) -> str:
    resources = [{"name": g.name, "type": g.type, "earlier": g.earlier} for g in request.resources]
    data = {
        "request": request.text,
        "resources": resources,
        "conversation": _recent(request),
        "draft": _drafted(draft.solutions[0]) if draft.solutions else None,
    }
    return json.dumps(data, ensure_ascii=False)


def _recent(request: Request) -> list[dict[str, str]]:
    """The newest turns that fit the budget, oldest first."""
    turns: list[dict[str, str]] = []
    left = HISTORY_CHARACTERS
    for turn in reversed(request.history):
        left -= len(turn.text)
        if left < 0:
            break
        turns.insert(0, {"role": turn.role, "text": turn.text})
    return turns


def _drafted(solution: Solution) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, FromNode):
            return {"step": value.node, "output": value.port}
        if isinstance(value, FromResource):
            return {"resource": value.name}
        return [plain(item) for item in value] if isinstance(value, tuple | list) else value

    steps = [
        {"id": s.id, "tool": s.tool, "args": {k: plain(v) for k, v in s.arguments.items()}} for s in solution.steps
    ]
    return {"steps": steps, "wanted": [{"step": step, "output": output} for step, output in solution.wanted]}


def _shape(solution: Solution) -> list[str]:
    return sorted(step.tool for step in solution.steps)
