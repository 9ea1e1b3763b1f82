"""A solution in the making: what there is to feed inputs with, what the words say, and the steps so far.

Adds the steps that it is told to; chooses neither tools nor what feeds them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.fill import said_for
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.explanations import question_for, text_wanted
from desktop_app.plan.search.files_of_wish import FileChoice
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.search.open_ports import box_in, open_end
from desktop_app.plan.search.slots import SlotExtractor
from desktop_app.plan.search.value_pool import Value, ValuePool
from desktop_app.plan.tools.tool_graph import REGIONS, ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import (
    FromNode,
    FromResource,
    PortSpec,
    Question,
    Request,
    Step,
    ToolSpec,
    clicks,
    step_id,
)
from nodes.phrase import Phrase

_POINTS_AT = re.compile(
    r"\s*(?:(?:this|that|these|those|dies\w*|jene\w*|cet?|cette|ces|est[eao]s?|es[eao]s?)(?:\s+\w+){0,2}|[这那此][^，。]{0,5})\s*",
    re.I,
)
"""Words that point at a text and are none: "this letter"."""


class SolutionDraft:
    """Make a new one for each solution. `serving` tells which tools work for which intent; `bridges` counts the ways
    that the search put in.
    """

    def __init__(
        self, graph: ToolGraph, index: Index, request: Request, intents: Sequence[Intent], guidance: Guidance
    ) -> None:
        self.graph = graph
        self.index = index
        self.request = request
        self.guidance = guidance
        self.pool = ValuePool(graph, request, intents, guidance)
        self.words = SlotExtractor(graph, index, request.text, self.pool.heard, guidance)
        self.files = FileChoice(graph, self.pool, self.words, request, guidance)
        self.stated = [intent for intent in intents if intent.stating]
        self.steps: list[Step] = []
        self.questions: list[Question] = []
        self.bridges = 0
        self.serving: dict[int, set[str]] = defaultdict(set)

    def place(
        self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value], said: Mapping[str, Any] | None = None
    ) -> list[Value]:
        """Adds the tool once for each parallel item and records its results. Returns them, never empty. `said` are
        values that are known already.
        """
        self.serving[intent.index].add(tool.id)
        singles = {n: v for n, v in sources.items() if not tool.input(n).many}
        apart = self.files.one_by_one(tool, intent, sources) if not singles else {}
        width = max((len(value.items) for value in (singles or apart).values()), default=1)
        for value in sources.values():
            value.used += 1
        literals = {**self.words.literals(tool, intent, sources), **(said or {})}
        if not intent.mentions("quote"):
            literals = self._in_own_words(literals, tool, intent, sources)
        ids = []
        for turn in range(width):
            arguments = {name: value.items for name, value in sources.items()}
            arguments |= {name: value.items[turn % len(value.items)] for name, value in singles.items()}
            arguments |= {name: (value.items[turn],) for name, value in apart.items()}
            given = {**literals, **arguments}
            ids.append(self._step(tool, {port.name: given[port.name] for port in tool.inputs if port.name in given}))
        return self._record(tool, intent, ids)

    def _in_own_words(
        self, literals: Mapping[str, Any], tool: ToolSpec, intent: Intent, sources: Mapping[str, Value]
    ) -> dict[str, Any]:
        """What the wording gives to inputs, as it stands in the request; without what only points at a text that is
        there, and with the whole clause where a text is told.
        """
        typed = said_for(tool, self.words.clause(intent))
        verbatim, contents, either = (
            {port.name for port in tool.inputs if f"{tool.id}.{port.name}" in ports}
            for ports in (self.guidance.verbatim, self.guidance.contents, self.guidance.either)
        )
        closed = {port.name for port in tool.inputs if port.choices}
        found = {
            name: value if name in closed else self._as_written(value, intent, name in verbatim)
            for name, value in literals.items()
            if (name in typed or name not in contents) and not (name in either and _POINTS_AT.fullmatch(str(value)))
        }
        told = {port.name for port in tool.inputs if (tool.id, port.name) in self.guidance.told}
        return found | {name: self._as_written("", intent, True) for name in (told & verbatim) - sources.keys()}

    def _as_written(self, value: Any, intent: Intent, whole: bool) -> Any:
        """A text that was put together out of words, as the stretch of the request that it is; or `whole` clause."""
        tokens, text = intent.tokens, self.request.text
        if not isinstance(value, str) or (value in text and not whole):
            return value
        for first in range(len(tokens)):
            for last in range(len(tokens) - 1, first - 1, -1):
                if whole or " ".join(token.text for token in tokens[first : last + 1]) == value:
                    return _with_marks(text, tokens[first].start, tokens[last].end)
        return value

    def _step(self, tool: ToolSpec, arguments: dict[str, Any]) -> str:
        arguments |= clicks(tool, arguments, self.pool.given)
        for step in self.steps:  # equal steps on equal inputs are one node
            if step.tool == tool.id and step.arguments == arguments:
                return step.id
        id = step_id(tool.id, self.steps)
        self.steps.append(Step(id, tool.id, arguments))
        self._ask(tool, id, arguments)
        return id

    def _record(self, tool: ToolSpec, intent: Intent, ids: Sequence[str]) -> list[Value]:
        profile = self.index.profiles[tool.id]
        keys = profile.title | profile.first | frozenset(intent.meanings)
        # A fact about its input (a mood, keywords) is not another form of it.
        derived = any(self.index.lexicon.roles.get(key) == "derives" for key in profile.title)
        made = [
            Value(
                tuple(FromNode(id, port.name) for id in ids),
                port.type,
                intent.index,
                keys,
                True,
                0,
                derived,
                found="find" in profile.title,
                way=tool is not self.words.main and port.type not in REGIONS,
            )
            for port in tool.outputs
        ]
        self.pool.values += made[::-1]
        return made or [Value((), "", intent.index)]

    def _ask(self, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> None:
        for name, argument in arguments.items():
            for item in several(argument):
                if isinstance(item, FromResource) and item.name not in self.pool.given:
                    text = Phrase("Please attach {name}.", name=item.name)
                    self.questions.append(Question(text, "file", (), step, name, item.name))
        end = open_end(tool, arguments)
        if end is not None:
            text = Phrase(
                "{tool}: until which second? It begins at the start unless you say otherwise.",
                tool=Phrase(tool.title, "tools"),
            )
            self.questions.append(Question(text, "text", (), step, end.name))
        for port in tool.inputs:
            if port.required and (port.name not in arguments or _too_few(port, arguments[port.name])):
                asked = box_in(tool, step, port, arguments) or question_for(port, tool, step, arguments)
                brought = asked.kind == "text" and f"{tool.id}.{port.name}" in self.guidance.brought
                self.questions.append(text_wanted(tool, step, port) if brought else asked)


def _too_few(port: PortSpec, argument: Any) -> bool:
    """True for fewer files than the port needs; what a tool makes may be several things."""
    items = several(argument)
    return len(items) < port.least and not any(isinstance(item, FromNode) for item in items)


def _with_marks(text: str, start: int, end: int) -> str:
    """A stretch of the text, with the question mark behind it, and in Spanish the one before it."""
    asked = text[end : end + 1] in ("?", "？")
    return text[start - (asked and text[start - 1 : start] == "¿") : end + asked]
