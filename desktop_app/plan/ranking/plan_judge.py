"""How probable it is that a plan is what was asked: what lexicon and trained judgement say of it, weighed at once.

Two readings of a request give a plan each. Their agreement says most; then how much of the wording the plan's tools are
meant by, as the tagger has it, and how much of it the lexicon knows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.lost_values import lost_values, typed_in
from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.joint_selection import Reading
from desktop_app.plan.tools.rewiring import files, is_fed
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution

TOLD_BY_WORDS = (
    1.787, 1.048, 1.247, 0.779, -0.169, 1.634, 0.482, 0.518, -0.018, 0.137, 0.082, -0.285, -0.123, -0.208, -0.916,
    -0.606, 0.000, -0.542, -0.161, 0.152, 2.152, -1.686, -0.488, 0.000, 0.160, -1.294, -0.202, 2.773, -0.338,
    -0.664, 0.056, 0.286, -0.068, 0.082, -0.066, 0.384, 0.000,
)  # fmt: skip
TOLD_BY_MEANING = (
    1.632, 1.561, -0.396, 0.586, 0.625, -0.196, 0.288, 0.068, -0.147, 0.110, 0.658, 1.002, -0.446, -0.051, -0.471,
    -1.021, 0.000, -0.753, -0.701, -1.025, -0.125, 2.210, -0.521, 0.000, -0.020, -0.958, -0.208, 1.186, 0.736,
    -0.321, 1.085, -0.373, 0.466, -0.052, -0.665, 2.310, 0.000,
)  # fmt: skip
"""Weights of `evidence` for a plan by either reading, over tools known by their texts alone: logistic regressions on
1,760 requests for sixteen tool sets and 299 of TaskBench, each read by weights trained without its tool set."""

TOLD_SURE = 0.85
"""From which probability on a plan over such tools is no guess."""


MEANT = 0.05
"""A tool that no word asks for with so much probability was put in by the search."""


@dataclass(frozen=True)
class PlanDraft:
    """A plan with how much of the wording (0..1) the lexicon knows, and how many words that is of."""

    plan: Plan
    known: float = 1.0
    words: int = 1


SILENT = PlanDraft(Plan(()), 0.0, 0)
"""Where the lexicon did not read the request, or no other plan is there."""


def known_share(intents: Sequence[Intent]) -> tuple[float, int]:
    """The share of the telling words of which the lexicon has a meaning, and the number of all words."""
    known = total = words = 0
    for intent in intents:
        held = {place for term in intent.terms if term.kind != "word" for place in range(term.first, term.last + 1)}
        for place, token in enumerate(intent.tokens):
            words += token.kind == "word"
            if token.kind == "word" and not is_idle(stem(token.word)):
                total += 1
                known += place in held
    return (known / total if total else 1.0), words


def evidence(
    draft: PlanDraft, other: PlanDraft, reading: Reading, request: Request, lexical: PlanDraft
) -> tuple[float, ...]:
    """Of a plan, beside the plan by the other reading; `lexical` is the one by words."""
    import numpy as np

    first, second = first_of(draft.plan), first_of(other.plan)
    tools, rivals = _tools(first), _tools(second)
    cover = np.log(np.clip(reading.covered(tools), 0.02, 1.0)) if len(reading.shares) else np.zeros(1)
    support = [reading.support(tool) for tool in tools]
    meant = [math.log(share) for share in support if share >= MEANT]
    logs = [math.log(max(clause.probability, 1e-3)) for clause in reading.clauses]
    common, union = (tools & rivals).total(), (tools | rivals).total()
    score = first_of(lexical.plan).score if lexical.plan.solutions else 0.0
    same = first.steps and graph_of(first) == graph_of(second)
    used = {item.name for step in first.steps for item in files(step)}
    fresh = [given for given in request.resources if not given.earlier]
    asked = [question.kind for question in first.questions]
    clauses = Counter(clause.tool for clause in reading.clauses)
    left = (clauses - tools).total()
    return (
        1.0,
        float(not draft.plan.solutions),
        float(not other.plan.solutions),
        float(bool(same)),
        float(bool(tools) and tools == rivals),
        common / union if union else 0.0,
        float(cover.mean()),
        float(np.sort(cover)[: max(1, len(cover) // 4)].mean()),
        sum(meant) / len(meant) if meant else -3.0,
        min(meant, default=-3.0),
        sum(logs) / len(logs) if logs else -3.0,
        min(logs, default=-3.0),
        float(left),
        float(len(tools)),
        float(sum(share < MEANT for share in support)),
        float(sum(kind in ("text", "file") for kind in asked)),
        float("point" in asked or "box" in asked),
        float(min(sum(given.name not in used for given in fresh), 3)),
        score,
        score * lexical.known,
        lexical.known,
        lexical.known**4,
        math.log1p(lexical.words),
        float(bool(request.history)),
        *_dropped(request, first),
        reading.outside,
        min((abs(2 * share - 1) for share in reading.links.values()), default=1.0),
        float(bool(reading.links)),
        min((abs(2 * share - 1) for shares in reading.files.values() for share in shares.values()), default=1.0),
        float(bool(reading.files)),
        min(values_unheard(reading.said, first), 3.0),
        float(len(reading.clauses)),
        *(reading.asks.get(kind, 0.0) for kind in ("file", "text", "point")),
    )


def values_unheard(said: Sequence[tuple[str, str, float]], solution: Solution) -> float:
    """How many values were said for inputs that have none. "A bit brighter" is said of one input and set at another:
    as many as were set unsaid at the same tool are not counted.
    """
    set_at = {(step.tool, port): value for step in solution.steps for port, value in step.arguments.items()}
    known = {(tool, port) for tool, port, _ in said}
    unsaid = Counter(tool for (tool, port), value in set_at.items() if (tool, port) not in known and not is_fed(value))
    total = 0.0
    for tool, port, share in sorted(said, key=lambda one: -one[2]):
        if (tool, port) in set_at:
            continue
        if unsaid[tool]:
            unsaid[tool] -= 1
        else:
            total += share
    return total


def _dropped(request: Request, solution: Solution) -> tuple[float, float, float]:
    """How many numbers and how many quoted texts of the request no value holds; how many values are texts typed in."""
    lost = Counter(token.kind for token in lost_values(request, solution))
    texts = sum(" " in value for value in typed_in(solution))
    return float(min(lost["number"], 3)), float(lost["quote"]), float(texts)


def probability(weights: Sequence[float], values: Sequence[float]) -> float:
    """0..1."""
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def first_of(plan: Plan) -> Solution:
    return plan.solutions[0] if plan.solutions else Solution("", "", 0.0, ())


def _tools(solution: Solution) -> Counter[str]:
    return Counter(step.tool for step in solution.steps)


def graph_of(solution: Solution, asked: bool = False) -> Collection[Any]:
    """The same for two solutions that do the same with the same values; with `asked` only if they ask the same, too."""
    asks = [f"? {question.kind} {question.port}" for question in solution.questions] if asked else []
    return asks + sorted(str((tool, sorted(taken.items()))) for tool, taken in _by_tool(solution))


def shape_of(solution: Solution) -> Collection[Any]:
    """The tools and what each takes of the others, whatever files and values they get; and what is asked."""
    steps = list(_by_tool(solution))
    taken = ((value, tool) for tool, values in steps for argument in values.values() for value in several(argument))
    links = {(value.node, tool) for value, tool in taken if isinstance(value, FromNode)}
    asked = {question.kind for question in solution.questions}
    return sorted({tool for tool, _ in steps}), sorted(links), sorted(asked)


def _by_tool(solution: Solution) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tool of each step with what it takes: results by the tool that makes them, files by name, values as text."""
    tools = {step.id: step.tool for step in solution.steps}

    def plain(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(map(plain, value))
        if isinstance(value, FromNode):
            return FromNode(tools.get(value.node, ""), value.port)
        return value.name if isinstance(value, FromResource) else _said_alike(str(value))

    for step in solution.steps:
        yield step.tool, {port: plain(value) for port, value in step.arguments.items()}


def _said_alike(value: str) -> str:
    """The same for a question and the same question without its mark."""
    said = value.casefold()
    return said.rstrip(" .!?。！？") or said
