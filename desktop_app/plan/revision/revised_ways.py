"""A plan with its ways set right, and without those that have become the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_app.plan.ranking.explanations import worded
from desktop_app.plan.ranking.plan_judge import graph_of
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import Plan, Solution


def with_ways(plan: Plan, found: Sequence[Solution], graph: ToolGraph) -> Plan:
    """The plan with what was `found` for each of its ways, in their order; itself where all are as they were."""
    if all(one is way for one, way in zip(found, plan.solutions, strict=True)):
        return plan
    kept: list[tuple[Solution, bool]] = []
    for one, way in zip(found, plan.solutions, strict=True):
        if not any((one is not way or changed) and graph_of(one) == graph_of(other) for other, changed in kept):
            kept.append((one, one is not way))
    return replace(plan, solutions=worded([one for one, _ in kept], graph))
