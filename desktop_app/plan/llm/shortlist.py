"""The tools that a language model is told of: all of them in one text that stays the same, where there is room.

Else those of the draft, those whose words are nearest to the request, and the plain conversions without which nothing
fits together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from desktop_app.llm.token_usage import estimated
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.types import KIND_WEIGHT
from desktop_app.plan.llm.prompt_context import described
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Plan, Request, ToolSpec

RULES = 1500
"""Tokens of the rules and examples around the tools; a test holds the prompts to that."""
_TAKES = 30.0
"""What a tool gains, on a scale of 100, when it takes a kind of thing that is there."""
_FEWEST = 12
_GLUE = 4
"""Every so many-th place goes to a conversion."""


@lru_cache(maxsize=4096)
def _cost(tool: ToolSpec, full: bool) -> int:
    return estimated(described(tool, full)) + 1


def shown(
    tools: Sequence[ToolSpec], draft: Plan, request: Request, index: Index, room: int, full: bool = True
) -> tuple[ToolSpec, ...]:
    """The tools that are told of within `room` tokens, in the order of `tools`; never fewer than a dozen."""
    if sum(_cost(tool, full) for tool in tools) <= room:
        return tuple(tools)
    kept: list[ToolSpec] = []
    for tool in _ranked(tools, draft, request, index):
        room -= _cost(tool, full)
        if room < 0 and len(kept) >= _FEWEST:
            break
        kept.append(tool)
    ids = {tool.id for tool in kept}
    return tuple(tool for tool in tools if tool.id in ids)


def nearest(tools: Sequence[ToolSpec], query: str, index: Index, most: int) -> tuple[ToolSpec, ...]:
    """The tools whose words are nearest to a query, the best first."""
    return tuple(_ranked(tools, Plan(()), Request(query), index)[:most])


def _ranked(tools: Sequence[ToolSpec], draft: Plan, request: Request, index: Index) -> list[ToolSpec]:
    from rapidfuzz import fuzz

    from desktop_app.plan.llm.type_conversion import Converters  # here: it loads what reads requests

    used = {step.tool for solution in draft.solutions for step in solution.steps}
    used |= {placed.step.tool for placed in request.graph}
    there = {given.type for given in request.resources if not given.earlier}
    text = request.text.lower()
    terms = index.lexicon.terms(tokens_of(request.text))
    matches = index.match({term.key: KIND_WEIGHT[term.kind] for term in terms})

    def nearness(tool: ToolSpec) -> float:
        said = [tool.title, *tool.words, *tool.examples]
        takes = any(port.required and port.type in there for port in tool.inputs)
        near = max(fuzz.token_set_ratio(text, words.lower()) for words in said)
        return (tool.id in used) * 1000 + near + 20 * matches.get(tool.id, 0.0) + _TAKES * takes

    converters = Converters(ToolGraph(tools))
    near = sorted(tools, key=nearness, reverse=True)
    glue = [tool for tool in near if converters.is_plain(tool.id)]
    ranked: list[ToolSpec] = []
    for place, tool in enumerate(near, 1):
        ranked.append(tool)
        if place % (_GLUE - 1) == 0 and glue:
            ranked.append(glue.pop(0))
    return list(dict.fromkeys(ranked))
