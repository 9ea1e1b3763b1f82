"""Planning with a language model in one call: it writes the typed graph with its arguments, which is checked against
the tools and repaired in one round; Thoughts-on-Graph finds the alternatives and puts in conversions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_app.llm.chat import ChatModel
from desktop_app.llm.structured_reply import asked
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.llm.alternatives import Swaps
from desktop_app.plan.llm.graph_reply import SCHEMA, Reply, read
from desktop_app.plan.ranking.explanations import GUESS
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import WEAK, Plan, Question, Request, Solution, ToolSpec

MOST_ALTERNATIVES = 5


async def improve(
    draft: Plan,
    request: Request,
    tools: Sequence[ToolSpec],
    model: ChatModel,
    graph: ToolGraph,
    strategy: str = "adaptive",
    budget: int = prompt_context.HISTORY_TOKENS,
    mode: str = "llm",
) -> Plan:
    """The model's plan, with other ways to do it, also those of the draft. `tools` are shown to the model, `graph`
    holds all.

    Raises BadReply when the reply does not hold after one repair round.
    """
    messages = prompt_context.messages(
        "plan", request, budget, prompt_context.shown_graph(request), tools=prompt_context.toolbox(tools)
    )
    reply = await asked(
        model, messages, SCHEMA, lambda data: read(data, request, graph), "task list", listed="tasks"
    )  # fmt: skip
    return replace(_planned(reply, draft, request, graph, strategy), mode=mode)


def _planned(reply: Reply, draft: Plan, request: Request, graph: ToolGraph, strategy: str) -> Plan:
    asks = (Question(reply.question),) if reply.question else ()
    if reply.solution is None:
        causes = tuple(one for one in (reply.question, reply.left_out) if one)
        return Plan((), asks, causes, draft.subtasks, left_out=reply.left_out, command=reply.command)
    best = reply.solution
    found = [best]
    for other in (*Swaps(best, request, graph, strategy).ways(reply.others), *_drafted(draft, best)):
        if _kind(other) not in map(_kind, found):
            found.append(replace(other, score=min(other.score, best.score - 0.02 * len(found))))
    guess = (GUESS,) if best.score < WEAK and not asks else ()
    return Plan(tuple(found[:MOST_ALTERNATIVES]), (*asks, *guess), (), draft.subtasks, left_out=reply.left_out)


def _drafted(draft: Plan, best: Solution) -> Iterator[Solution]:
    """The draft's own ways, where it is sure of them and the graph that is shown is not changed."""
    if not best.kept:
        yield from (solution for solution in draft.solutions if solution.score >= WEAK)


def _kind(solution: Solution) -> tuple[str, ...]:
    return tuple(sorted(step.tool for step in solution.steps))
