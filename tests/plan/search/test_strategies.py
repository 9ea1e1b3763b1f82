"""The four strategies of the search where somebody has judged the tools: each finds what it should, and no more."""

from __future__ import annotations

import pytest

from desktop_app.plan.search.search import STRATEGIES, Have, Limits, Made, search
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import PortSpec, ToolSpec

A, X, C = PortSpec("a", "image"), PortSpec("x", "table"), PortSpec("c", "video")


def tool(id: str, takes: PortSpec, gives: PortSpec) -> ToolSpec:
    return ToolSpec(id, id, f"Does {id}.", (takes,), (gives,))


GRAPH = ToolGraph((
    tool("best", X, C), tool("to_x", A, X), tool("good", A, C), tool("fair", A, C), tool("fair_too", A, C),
    tool("poor", A, C),
))  # fmt: skip
SCORES = {"best": 5.0, "to_x": 2.0, "good": 4.0, "fair": 3.5, "fair_too": 3.0, "poor": 1.0}


def ways(graph: ToolGraph, wanted: str, scores: dict[str, float], strategy: str) -> list[tuple[str, ...]]:
    limits = Limits(judged=True)
    found = search(graph, [Have("it", "image")], wanted, scores.__getitem__, strategy, limits)
    return [way.tools() for way in found if isinstance(way, Made)]


@pytest.mark.parametrize(
    ("strategy", "known"),
    [
        ("greedy", [("to_x", "best")]),
        ("beam", [("good",), ("fair",), ("to_x", "best")]),
        ("adaptive", [("good",), ("fair",), ("fair_too",)]),
        ("exhaustive", [("good",), ("fair",), ("fair_too",), ("to_x", "best"), ("poor",)]),
    ],
)
def test_each_strategy_has_its_own_result(strategy, known):
    assert ways(GRAPH, "video", SCORES, strategy) == known


CLEAN = ToolGraph((
    tool("edges", A, PortSpec("edge", "edge")), tool("denoise", A, A), tool("blobs", A, PortSpec("number", "number")),
    tool("detect", A, PortSpec("boxes", "boxes")), tool("kind", PortSpec("boxes", "boxes"), PortSpec("boxes", "boxes")),
    tool("count", PortSpec("boxes", "boxes"), PortSpec("number", "number")),
))  # fmt: skip
JUDGED = {"edges": 5.0, "denoise": 5.0, "blobs": 2.0, "detect": 5.0, "kind": 5.0, "count": 5.0}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("wanted", "way"), [("edge", ("denoise", "edges")), ("number", ("detect", "kind", "count"))]
)  # fmt: skip
def test_refinement_of_the_highest_score_can_enter_under_every_strategy(strategy, wanted, way):
    assert way in ways(CLEAN, wanted, JUDGED, strategy)


@pytest.mark.parametrize("strategy", ["greedy", "adaptive"])
def test_poor_tool_is_not_offered_beside_good_ones(strategy):
    assert ("blobs",) not in ways(CLEAN, "number", JUDGED, strategy)
