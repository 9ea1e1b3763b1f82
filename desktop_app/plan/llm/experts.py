"""Steps 4 and 5 of Thoughts-on-Graph with a language model, in one call: whole solutions are scored 1 to 5 and put in
words, and inputs that types alone do not settle are filled.

After ControlLLM (Liu et al. 2023, sections 3.2.4 and 3.2.5). A value that does not hold goes back to the model once;
what is needed and still open becomes a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatModel
from desktop_app.llm.structured_reply import asked
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.llm.argument_check import MOST_FAULTS, Checked, Checker
from desktop_app.plan.llm.type_conversion import merged
from desktop_app.plan.ranking.explanations import numbered
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import PortSpec, Request, Solution, Step, Subtask, ToolSpec, clicks

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "solutions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "score": {"type": "integer", "minimum": 1, "maximum": 5},
                    "title": {"type": "string"},
                    "reason": {"type": "string"},
                    "arguments": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "step": {"type": "string"},
                                "port": {"type": "string"},
                                "value": {"type": ["string", "number", "boolean"]},
                            },
                            "required": ["step", "port", "value"],
                        },
                    },
                },
                "required": ["id", "score", "title", "reason", "arguments"],
            },
        }
    },
    "required": ["solutions"],
}
GOOD = 3.0
"""Solutions of less than this (1 to 5) are not offered beside the best one."""
MOST = 5
_OPEN = ("text", "number", "flag", "url")


@dataclass(frozen=True)
class Opinion:
    """What the expert says of one solution. `arguments` are values by step and port."""

    score: float
    title: str = ""
    reason: str = ""
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


async def opinions(
    model: ChatModel,
    request: Request,
    subtasks: Sequence[Subtask],
    solutions: Sequence[Solution],
    resources: Resources,
    budget: int,
) -> list[Opinion]:
    """One opinion for each solution; those that the model says nothing of have score 0. Values that do not hold go
    back to the model once. Raises BadReply.
    """
    data = {
        "subtasks": [{"id": s.id + 1, "description": s.description, "returns": list(s.wanted)} for s in subtasks],
        "solutions": [described(number, solution, resources.graph) for number, solution in enumerate(solutions, 1)],
    }
    messages = prompt_context.messages("experts", request, budget, data)
    mended: list[bool] = []

    def read(reply: Mapping[str, Any]) -> list[Opinion]:
        found = _read(reply, len(solutions))
        faults = [f for s, o in zip(solutions, found, strict=True) if o.score >= GOOD for f in resources.faults(s, o)]
        if faults and not mended:
            mended.append(True)
            raise BadReply(" ".join(dict.fromkeys(faults[:MOST_FAULTS])), "")
        return found

    return await asked(model, messages, SCHEMA, read, "scoring", listed="solutions")


def described(number: int, solution: Solution, graph: ToolGraph) -> dict[str, Any]:
    """A solution in words: for each step what the tool does, what feeds it, and what is still open."""
    steps = []
    for step in solution.steps:
        tool = graph.tools[step.tool]
        steps.append({
            "step": step.id,
            "tool": step.tool,
            "does": f"{tool.title}: {tool.description}",
            "takes": {port: prompt_context.plain(value) for port, value in step.arguments.items()},
            "makes": {port.name: port.type for port in tool.outputs},
            "open": [_open(port) for port in open_ports(tool, step)],
        })  # fmt: skip
    return {"id": number, "steps": steps}


def open_ports(tool: ToolSpec, step: Step) -> list[PortSpec]:
    """Inputs that the user's words may fill, those that the tool cannot do without first."""
    found = [p for p in tool.inputs if p.name not in step.arguments and p.type in _OPEN and not p.picked_on]
    return sorted(found, key=lambda port: not port.required)


def _open(port: PortSpec) -> dict[str, Any]:
    told_of: dict[str, Any] = {"port": port.name, "type": port.type, "means": port.description}
    if port.choices:
        told_of["choices"] = list(port.choices)
    if port.minimum is not None or port.maximum is not None:
        told_of["range"] = [port.minimum, port.maximum]
    if not port.required:
        told_of["default"] = port.default
    return told_of


def _read(data: Mapping[str, Any], count: int) -> list[Opinion]:
    found = [Opinion(0.0)] * count
    items = data.get("solutions")
    for item in items if isinstance(items, list) else ():
        number, score = (item.get("id"), item.get("score")) if isinstance(item, dict) else (None, None)
        if isinstance(number, int) and 1 <= number <= count and isinstance(score, int | float) and 0 < score < 100:
            found[number - 1] = Opinion(
                min(5.0, max(1.0, float(score))),
                _line(item.get("title"), 40),
                _line(item.get("reason"), 200),
                _by_step(item.get("arguments")),
            )
    if not any(opinion.score for opinion in found):
        raise BadReply(f"'solutions' has to score at least one of the solutions 1 to {count} from 1 to 5.", "")
    return found


def _line(text: Any, most: int) -> str:
    return " ".join(text.split())[:most] if isinstance(text, str) else ""


def _by_step(data: Any) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for item in data if isinstance(data, list) else ():
        if isinstance(item, dict) and isinstance(item.get("step"), str) and isinstance(item.get("port"), str):
            found.setdefault(item["step"], {})[item["port"]] = item.get("value")
    return found


class Resources:
    """The resource expert: fills what is open, from an opinion and by the rules that read the request."""

    def __init__(self, request: Request, graph: ToolGraph) -> None:
        self.graph = graph
        self._request = request
        self._checker = Checker(request)

    def faults(self, solution: Solution, opinion: Opinion) -> list[str]:
        """What is wrong with the values that an opinion fills in, as sentences."""
        found: list[str] = []
        made: dict[str, tuple[str, ToolSpec]] = {}
        for step in solution.steps:
            found += self._checked(step, opinion, made).faults
            made[step.id] = step.id, self.graph.tools[step.tool]
        unknown = sorted(set(opinion.arguments) - {step.id for step in solution.steps})
        return [*found, *(f"There is no step '{id[:60]}' to fill." for id in unknown)]

    def _checked(self, step: Step, opinion: Opinion, made: Mapping[str, tuple[str, ToolSpec]]) -> Checked:
        tool = self.graph.tools[step.tool]
        free = {port.name for port in open_ports(tool, step)}
        data = {port: value for port, value in opinion.arguments.get(step.id, {}).items() if port not in step.arguments}
        checked = self._checker.check(step.id, tool, data, made)
        return replace(checked, arguments={port: value for port, value in checked.arguments.items() if port in free})

    def filled(self, solution: Solution, opinion: Opinion | None) -> Solution:
        """The solution with its open inputs filled, and a question for each other one that is needed; then equal steps
        are joined. Without an opinion, the rules read all settings.
        """
        steps: list[Step] = []
        asked_for = {(q.step, q.port): q for q in solution.questions}
        questions = []
        origins = dict(solution.origins)
        taken: frozenset[int] = frozenset()
        made: dict[str, tuple[str, ToolSpec]] = {}
        for step in solution.steps:
            tool = self.graph.tools[step.tool]
            arguments = dict(step.arguments)
            if opinion is not None:
                checked = self._checked(step, opinion, made)
                arguments |= checked.arguments
                origins |= {(step.id, port): origin for port, origin in checked.origins.items() if port in arguments}
            else:
                read = fill(tool, open_ports(tool, step), Clause.of(self._request.text), taken)
                taken |= read.places
                arguments |= read.values
            arguments |= clicks(tool, arguments, self._checker.given)
            for question in self._checker.questions(step.id, tool, arguments):
                questions.append(asked_for.get((step.id, question.port), question))
            made[step.id] = step.id, tool
            steps.append(Step(step.id, step.tool, arguments))
        return merged(replace(solution, steps=tuple(steps), questions=tuple(questions), origins=origins), self.graph)

    def worded(self, solution: Solution, opinion: Opinion) -> Solution:
        """The solution with the expert's score, title and reason; words with somebody else's addresses do not count."""
        title = opinion.title if opinion.title and not self._checker.spoken.foreign(opinion.title) else solution.title
        reason = (
            opinion.reason if opinion.reason and not self._checker.spoken.foreign(opinion.reason) else solution.reason
        )
        return replace(solution, title=title, reason=reason, score=opinion.score / 5.0)


def chosen(solutions: Sequence[Solution]) -> tuple[Solution, ...]:
    """The best first, then those at GOOD or above, different in kind, at most MOST. Titles differ."""
    ordered = sorted(solutions, key=lambda solution: -solution.score)
    found: list[Solution] = []
    kinds: set[frozenset[str]] = set()
    titles: set[str] = set()
    for solution in ordered:
        kind = frozenset(step.tool for step in solution.steps)
        if kind in kinds or (found and solution.score < GOOD / 5.0):
            continue
        kinds.add(kind)
        title = next(title for title in numbered(solution.title) if title not in titles)
        titles.add(title)
        found.append(replace(solution, title=title, score=max(0.05, solution.score - 0.01 * len(found))))
    return tuple(found[:MOST])
