"""Turns a plan that a language model wrote into a Solution, or says in words all that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import process

from desktop_app.errors import BadReply
from desktop_app.plan.request import Argument, FromNode, FromResource, PortSpec, Request, Solution, Step, ToolSpec
from desktop_app.plan.toolgraph import fits

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "reason": {"type": "string"},
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "tool": {"type": "string"}, "args": {"type": "object"}},
                "required": ["id", "tool", "args"],
            },
        },
        "wanted": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"step": {"type": "string"}, "output": {"type": "string"}},
                "required": ["step", "output"],
            },
        },
        "question": {"type": "string"},
    },
    "required": ["steps"],
}
MOST_STEPS = 40


def solution(data: Mapping[str, Any], request: Request, tools: Mapping[str, ToolSpec]) -> Solution:
    """The Solution in the data. Raises BadReply that lists every fault, so that one repair round can mend them."""
    reader = _Reader(request, tools)
    steps = reader.steps(data.get("steps"))
    wanted = reader.wanted(data.get("wanted", []))
    if reader.faults:
        raise BadReply(" ".join(reader.faults[:12]), "")
    title = str(data.get("title") or steps[-1].tool.replace("_", " ").capitalize())[:40]
    return Solution(title, str(data.get("reason") or "Planned by the language model.")[:200], 0.9, steps, wanted)


class _Reader:
    """Reads step by step and collects faults."""

    def __init__(self, request: Request, tools: Mapping[str, ToolSpec]) -> None:
        self.faults: list[str] = []
        self._tools = tools
        self._resources = {given.name: given.type for given in request.resources}
        self._outputs: dict[tuple[str, str], str] = {}
        self._steps: dict[str, ToolSpec] = {}

    def steps(self, data: Any) -> tuple[Step, ...]:
        if not isinstance(data, list) or not data:
            self.faults.append("'steps' has to be a list with at least one step.")
            return ()
        if len(data) > MOST_STEPS:
            self.faults.append(f"There are {len(data)} steps; at most {MOST_STEPS} are allowed.")
            return ()
        return tuple(step for step in map(self._step, data) if step is not None)

    def _step(self, data: Any) -> Step | None:
        if not isinstance(data, dict) or not isinstance(data.get("tool"), str) or not isinstance(data.get("id"), str):
            self.faults.append("Each step has to be an object with 'id', 'tool' and 'args'.")
            return None
        tool = self._tools.get(data["tool"])
        if tool is None:
            near = process.extractOne(data["tool"], list(self._tools))
            self.faults.append(f"There is no tool '{data['tool']}'{f'; did you mean {near[0]}?' if near else '.'}")
            return None
        if data["id"] in self._steps:
            self.faults.append(f"Two steps have the id '{data['id']}'.")
            return None
        arguments = self._arguments(data["id"], tool, data.get("args"))
        self._steps[data["id"]] = tool
        self._outputs |= {(data["id"], port.name): port.type for port in tool.outputs}
        return Step(data["id"], tool.id, arguments)

    def _arguments(self, id: str, tool: ToolSpec, data: Any) -> dict[str, Argument]:
        if not isinstance(data, dict):
            self.faults.append(f"The 'args' of step '{id}' have to be an object.")
            return {}
        ports = {port.name: port for port in tool.inputs}
        for name in data.keys() - ports.keys():
            self.faults.append(f"{tool.id} has no input '{name}'; its inputs are {', '.join(ports) or 'none'}.")
        found = {name: self._argument(id, ports[name], value) for name, value in data.items() if name in ports}
        for port in tool.inputs:
            if port.required and port.name not in data and not port.picked_on:
                self.faults.append(f"Step '{id}' ({tool.id}) needs its input '{port.name}' of type {port.type}.")
        return found

    def _argument(self, id: str, port: PortSpec, value: Any) -> Argument:
        if isinstance(value, list) and port.many:
            return tuple(self._single(id, port, item) for item in value)
        return self._single(id, port, value)

    def _single(self, id: str, port: PortSpec, value: Any) -> Argument:
        if isinstance(value, dict) and isinstance(value.get("resource"), str):
            self._fits(id, port, self._resources.get(value["resource"]), f"resource '{value['resource']}'")
            return FromResource(value["resource"])
        if isinstance(value, dict) and isinstance(value.get("step"), str):
            source = (value["step"], str(value.get("output", "")))
            self._fits(id, port, self._outputs.get(source), f"output '{source[1]}' of an earlier step '{source[0]}'")
            return FromNode(*source)
        if isinstance(value, str | int | float | bool):
            self._literal(id, port, value)
            return value
        self.faults.append(f"The value of '{port.name}' in step '{id}' is neither a literal nor a reference.")
        return None

    def _fits(self, id: str, port: PortSpec, given: str | None, what: str) -> None:
        if given is None:
            self.faults.append(f"There is no {what} for '{port.name}' in step '{id}'.")
        elif not fits(given, port.type):
            self.faults.append(f"'{port.name}' in step '{id}' needs {port.type}, but {what} is {given}.")

    def _literal(self, id: str, port: PortSpec, value: str | int | float | bool) -> None:
        wanted = {"number": int | float, "flag": bool, "text": str, "url": str, "html": str}.get(port.type)
        if wanted is None or not isinstance(value, wanted):
            self.faults.append(f"'{port.name}' in step '{id}' needs {port.type}, not the literal {value!r}.")
        elif port.choices and value not in port.choices:
            self.faults.append(f"'{port.name}' in step '{id}' has to be one of {', '.join(port.choices)}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            low, high = port.minimum, port.maximum
            if (low is not None and value < low) or (high is not None and value > high):
                self.faults.append(f"'{port.name}' in step '{id}' goes from {low} to {high}.")

    def wanted(self, data: Any) -> tuple[tuple[str, str], ...]:
        pairs = data if isinstance(data, Sequence) and not isinstance(data, str) else []
        found = [(str(p.get("step")), str(p.get("output"))) for p in pairs if isinstance(p, dict)]
        return tuple(pair for pair in found if pair in self._outputs)
