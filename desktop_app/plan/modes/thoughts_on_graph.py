"""Planning mode "pipeline" with a language model: Thoughts-on-Graph as in ControlLLM (Liu et al. 2023), in two calls.

The first call gives the subtasks and scores the tools for them; the search then finds whole solutions. The second call
scores those, beside the solutions of the draft, words them, and fills what is open. What the model cannot do, the rules
do, and the plan says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatModel
from desktop_app.llm.structured_reply import asked
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.language.types import KIND_WEIGHT
from desktop_app.plan.llm import experts, prompt_context, subtasks
from desktop_app.plan.llm.graph_reply import wanted
from desktop_app.plan.llm.solution_assembly import Assembler
from desktop_app.plan.llm.subtasks import Wish
from desktop_app.plan.ranking.explanations import GUESS, reason_for, worded
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import WEAK, Plan, Question, Request, Solution, Step, ToolSpec
from nodes.phrase import joined

DRAFTED = 3
"""Solutions of the draft that are judged beside the new ones."""
MOST_JUDGED = 7


async def improve(
    draft: Plan,
    request: Request,
    tools: Sequence[ToolSpec],
    model: ChatModel,
    graph: ToolGraph | None = None,
    index: Index | None = None,
    strategy: str = "adaptive",
    budget: int = prompt_context.HISTORY_TOKENS,
) -> Plan:
    """The solutions that the model's subtasks lead to, with the draft's where they are as good. `tools` are shown to
    the model, `graph` and `index` hold all.

    Raises BadReply when the subtasks do not hold after one repair round.
    """
    graph = graph or ToolGraph(tools)
    index = index or Index(tools, lexicon())
    shown = frozenset(tool.id for tool in tools)
    assembler = Assembler(graph, request, shown, _Wording(index).rate, strategy)

    def read(data: dict) -> tuple[tuple[Wish, ...], list[tuple[Step, ...]]] | Question:
        wishes = subtasks.read(data, request, graph)
        return wishes if isinstance(wishes, Question) else (wishes, assembler.graphs(wishes))

    messages = prompt_context.messages(
        "decompose",
        request,
        budget,
        {},
        types=", ".join(sorted(graph.types)),
        tools=prompt_context.toolbox(tools, full=False),
    )
    found = await asked(model, messages, subtasks.SCHEMA, read, "list of subtasks", listed="subtasks")
    if isinstance(found, Question):
        return Plan((), (found,), (found.text,), mode="pipeline")
    wishes, graphs = found
    parts = tuple(wish.subtask for wish in wishes)
    return await _judged(draft, request, model, graph, parts, graphs, budget)


async def _judged(
    draft: Plan,
    request: Request,
    model: ChatModel,
    graph: ToolGraph,
    parts: tuple,
    graphs: Sequence[tuple[Step, ...]],
    budget: int,
) -> Plan:
    new = [Solution("", reason_for(s, (), graph), 0.0, s, wanted(s, graph)) for s in graphs]
    kinds = {_kind(solution) for solution in new}
    old = [solution for solution in draft.solutions if _kind(solution) not in kinds][:DRAFTED]
    candidates = [*new, *old][:MOST_JUDGED]
    resources = experts.Resources(request, graph)
    try:
        judged = await experts.opinions(model, request, parts, candidates, resources, budget)
    except BadReply as error:
        notice = joined(error.message, "The alternatives are in the order in which they were found.")
        filled = [resources.filled(s, None) if n < len(new) else s for n, s in enumerate(candidates)]
        named = worded([replace(s, score=0.9 - 0.05 * n) for n, s in enumerate(filled)], graph)
        return replace(
            draft, solutions=named[: experts.MOST], causes=(), subtasks=parts, mode="pipeline", notice=notice
        )
    named = worded([resources.filled(s, o) for s, o in zip(candidates, judged, strict=True)], graph)
    scored = [resources.worded(s, o) for s, o in zip(named, judged, strict=True)]
    solutions = experts.chosen(scored)
    guess = (GUESS,) if solutions and solutions[0].score < WEAK else ()
    asks = tuple(question for question in draft.questions if question.kind != GUESS.kind)  # that was the draft's doubt
    questions = (*asks, *guess)
    return replace(draft, solutions=solutions, questions=questions, causes=(), subtasks=parts, mode="pipeline")


def _kind(solution: Solution) -> frozenset[str]:
    return frozenset(step.tool for step in solution.steps)


class _Wording:
    """Rates tools by how well their texts go with a description: what counts where the model gave no score."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._matches = lru_cache(maxsize=64)(self._match)

    def rate(self, tool: str, description: str) -> float:
        """1 to 5."""
        match = self._matches(description).get(tool, 0.0)
        return min(5.0, 1.0 + 0.8 * match)

    def _match(self, description: str) -> dict[str, float]:
        terms = self._index.lexicon.terms(tokens_of(description))
        return self._index.match({term.key: KIND_WEIGHT[term.kind] for term in terms})
