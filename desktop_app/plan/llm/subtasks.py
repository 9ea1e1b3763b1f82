"""Step 1 of Thoughts-on-Graph with a language model: the request as a few subtasks with typed ends, checked.

After ControlLLM (Liu et al. 2023, section 3.1). In the same reply every tool that might do a subtask is scored 1 to 5
(section 3.2.3), so that one call serves both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.plan.llm.argument_check import MOST_FAULTS
from desktop_app.plan.llm.grounding import Spoken
from desktop_app.plan.tools.tool_graph import INLINE, ToolGraph
from desktop_app.plan.types import Argument, FromResource, Question, Request, Subtask

_PLACE = re.compile(r"<[\w .]+>-(?P<number>\w+)")
_SCORED = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "score": {"type": "integer"}},
        "required": ["id", "score"],
    },
}


def _pairs(name: str) -> dict[str, Any]:
    properties = {"type": {"type": "string"}, name: {"type": "string"}}
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": ["type", name]}}


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "subtasks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "description": {"type": "string"},
                    "dependencies": {"type": "array", "items": {"type": "integer"}},
                    "arguments": _pairs("value"),
                    "returns": _pairs("name"),
                    "tools": _SCORED,
                },
                "required": ["id", "description", "dependencies", "arguments", "returns", "tools"],
            },
        },
        "question": {"type": "string"},
    },
    "required": ["subtasks", "question"],
}
MOST = 12
"""Subtasks in a request."""


@dataclass(frozen=True)
class SubtaskResult:
    """An argument that an earlier subtask returns: the number of that subtask and of the one of its results."""

    subtask: int
    number: int


@dataclass(frozen=True)
class Wish:
    """A checked subtask. `sources` pairs each argument (a resource, a text, a Result) with its type; `scores` are
    those of the tools that were scored, 1 to 5.
    """

    subtask: Subtask
    sources: tuple[tuple[Argument, str], ...]
    scores: Mapping[str, float] = field(default_factory=dict)


def read(data: Mapping[str, Any], request: Request, graph: ToolGraph) -> tuple[Wish, ...] | Question:
    """The wishes in an order in which each comes after those that it takes from; or the question that stands there
    instead. Raises BadReply with every fault.
    """
    question = data.get("question")
    if not data.get("subtasks") and isinstance(question, str) and question.strip():
        return Question(question.strip()[:500])
    reader = _Reader(request, graph)
    wishes = reader.wishes(data.get("subtasks"))
    if reader.faults:
        raise BadReply(" ".join(reader.faults[:MOST_FAULTS]), "")
    return wishes


class _Reader:
    def __init__(self, request: Request, graph: ToolGraph) -> None:
        self.faults: list[str] = []
        self._graph = graph
        self._given = {given.name: given.type for given in request.resources}
        self._spoken = Spoken(request)
        self._returned: dict[str, tuple[SubtaskResult, str]] = {}

    def wishes(self, data: Any) -> tuple[Wish, ...]:
        if not isinstance(data, list) or not data or not all(isinstance(item, dict) for item in data):
            self.faults.append("'subtasks' has to be a list of objects with at least one subtask.")
            return ()
        if len(data) > MOST:
            self.faults.append(f"There are {len(data)} subtasks; at most {MOST} are allowed.")
            return ()
        found = [self._wish(item, place) for place, item in enumerate(self._ordered(data))]
        return tuple(wish for wish in found if wish is not None)

    def _ordered(self, data: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Each after those that it depends on. Circles, unknown and double ids are faults."""
        ids = [str(item.get("id")) for item in data]
        if len(set(ids)) < len(ids):
            self.faults.append("Each subtask needs an id of its own.")
            return []
        before = {str(item.get("id")): _ids(item.get("dependencies")) for item in data}
        unknown = sorted({id for needed in before.values() for id in needed} - set(ids))
        if unknown:
            self.faults.append(f"There is no subtask {', '.join(unknown)} to depend on.")
            return []
        ordered: list[Mapping[str, Any]] = []
        left = list(data)
        while left:
            done = {str(item.get("id")) for item in ordered}
            ready = next((item for item in left if set(before[str(item.get("id"))]) <= done), None)
            if ready is None:
                circle = ", ".join(str(item.get("id")) for item in left)
                self.faults.append(f"The subtasks {circle} depend on each other in a circle.")
                return []
            ordered.append(ready)
            left.remove(ready)
        return ordered

    def _wish(self, data: Mapping[str, Any], place: int) -> Wish | None:
        name = f"subtask {data.get('id')}"
        description = data.get("description")
        if not isinstance(description, str) or not description.strip():
            self.faults.append(f"{name} needs a description.")
            return None
        sources = [s for item in _dicts(data.get("arguments")) if (s := self._source(item, name)) is not None]
        wanted = self._wanted(data, name, place)
        if not wanted:
            return None
        needed = tuple(dict.fromkeys(source.subtask for source, _ in sources if isinstance(source, SubtaskResult)))
        subtask = Subtask(
            place,
            " ".join(description.split())[:300],
            (),
            tuple((type, _shown(source)) for source, type in sources),
            wanted,
            needed,
        )
        return Wish(subtask, tuple(dict.fromkeys(sources)), self._scores(data.get("tools")))

    def _source(self, item: Mapping[str, Any], name: str) -> tuple[Argument, str] | None:
        value, type = item.get("value"), str(item.get("type", "")).lower()
        if isinstance(value, str) and value in self._given:
            return FromResource(value), self._given[value]
        if isinstance(value, str) and _PLACE.fullmatch(value.strip()):
            known = self._returned.get(value.strip())
            if known is None:
                self.faults.append(f"{name} takes {value}, which no subtask that it depends on returns.")
            return known
        if value is None or type not in INLINE or not str(value).strip():
            if value is not None and type not in INLINE:
                there = ", ".join(self._given) or "none"
                self.faults.append(f"{name}: there is no resource '{str(value)[:80]}'; there is: {there}.")
            return None
        return self._said(value, type, name)

    def _said(self, value: Any, type: str, name: str) -> tuple[Argument, str] | None:
        """Numbers and yes or no are settings, which are filled later. An address has to be the user's."""
        if type in ("number", "flag"):
            return None
        text = str(value)
        if foreign := self._spoken.foreign(text):
            self.faults.append(f"{name}: the user has not written {', '.join(foreign)[:120]}. Leave it out.")
            return None
        return text, type

    def _wanted(self, data: Mapping[str, Any], name: str, place: int) -> tuple[str, ...]:
        found = []
        for item in _dicts(data.get("returns")):
            type = str(item.get("type", "")).lower()
            if type not in self._graph.types:
                known = ", ".join(sorted(self._graph.types)[:40])
                self.faults.append(f"{name} returns '{type}', which is no type; the types are {known}.")
                continue
            self._returned[str(item.get("name", "")).strip()] = SubtaskResult(place, len(found)), type
            found.append(type)
        if not found:
            self.faults.append(f"{name} has to return something.")
        return tuple(found)

    def _scores(self, data: Any) -> dict[str, float]:
        items = [{"id": id, "score": score} for id, score in data.items()] if isinstance(data, dict) else data
        found = {}
        for item in _dicts(items):
            score = item.get("score")
            if str(item.get("id")) in self._graph.tools and isinstance(score, int | float):
                found[str(item["id"])] = min(5.0, max(1.0, float(score)))
        return found


def _dicts(data: Any) -> list[dict[str, Any]]:
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def _ids(data: Any) -> list[str]:
    return [str(id) for id in data if str(id) not in ("-1", "")] if isinstance(data, list) else []


def _shown(source: Argument) -> str:
    if isinstance(source, SubtaskResult):
        return f"<result>-{source.subtask}"
    return source.name if isinstance(source, FromResource) else str(source)
