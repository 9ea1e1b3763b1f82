"""The labelled requests are sound, and those that must always work are planned exactly right."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from nodes import load_tools
from nodes.api import Port, ResourceType
from tests.benchmarks.own_requests import FRESH, accepted, judge, load_rows
from tests.conftest import for_each
from tests.plan.worlds import own_planner

TOOLS = load_tools().tools
ROWS = load_rows(TOOLS)
LATER = [row for path in FRESH.values() for row in load_rows(TOOLS, path)]
MUST_SHOW = [row for row in ROWS if row["id"].startswith("must-show")]
SPLITS = {"single", "chain", "dag", "multi_turn", "ambiguous", "impossible", "language"}


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def fits(port: Port, value: Any) -> bool:
    """Whether a labelled value may stand at the port."""
    if isinstance(value, dict):
        return all(fits(port, choice) for choice in value["any"])
    if port.many:
        return isinstance(value, list)
    if port.type is ResourceType.NUMBER:
        low = port.minimum if port.minimum is not None else value
        high = port.maximum if port.maximum is not None else value
        return isinstance(value, int | float) and low <= value <= high
    if port.type is ResourceType.FLAG:
        return isinstance(value, bool)
    return isinstance(value, str)


def test_there_are_enough_rows_of_every_kind() -> None:
    splits = Counter(row["split"] for row in ROWS)
    assert set(splits) == SPLITS
    assert len(ROWS) >= 200 and splits["chain"] + splits["dag"] >= 60 and splits["language"] >= 24
    assert len(MUST_SHOW) == 6


def test_ids_and_requests_are_unique() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    asked = [(row["request"], str(row["resources"]), str(row.get("history"))) for row in ROWS]
    assert len(set(asked)) == len(ROWS)


def test_every_tool_is_wanted_in_some_row() -> None:
    wanted = {tool for row in ROWS for tool in row["gold"]["nodes"]}
    assert sorted(TOOLS.keys() - wanted) == []


@for_each([*ROWS, *LATER], lambda row: row["id"])
def test_label_names_tools_ports_and_links_that_exist(row: dict[str, Any]) -> None:
    assert {resource["type"] for resource in row["resources"]} <= {str(type) for type in ResourceType}
    for graph in accepted(row["gold"]):
        assert graph.nodes.keys() <= TOOLS.keys()
        for source, target in graph.links:
            assert {source, target} <= graph.nodes.keys()
            outputs, inputs = TOOLS[source].outputs, TOOLS[target].inputs
            assert any(given.type.is_a(taken.type) for given in outputs for taken in inputs), (source, target)
    for place, value in row["gold"].get("args", {}).items():
        tool, _, name = place.partition(".")
        port = TOOLS[tool].input(name)
        assert tool in row["gold"]["nodes"] and port is not None, place
        assert fits(port, value), (place, value)


@for_each(ROWS, lambda row: row["id"])
def test_row_wants_a_plan_or_a_refusal_and_no_unknown_question(row: dict[str, Any]) -> None:
    gold = row["gold"]
    assert bool(gold["nodes"]) != gold.get("refuse", False)
    assert gold.get("ask", "text") in ("point", "file", "text")


@pytest.mark.parametrize("row", MUST_SHOW, ids=lambda row: row["request"])
def test_request_that_must_work_is_planned_exactly(planner: OfflinePlanner, row: dict[str, Any]) -> None:
    verdict = judge(row, plan_row(planner, {key: row[key] for key in ("id", "request", "resources")}), TOOLS)
    assert verdict.planned == verdict.best
    assert verdict.wrong_args == ()
    assert verdict.reply_right is not False
    assert verdict.reply_right or verdict.kinds == ()


def test_what_is_made_out_of_words_needs_no_picture():
    planner = own_planner()
    for request in ("generate a picture of a red fox in snow", "Generate an image of a castle"):
        found = plan_row(planner, {"id": "x", "request": request})
        assert [node["tool"] for node in found["solutions"][0]["nodes"]] == ["text_to_image"]
        assert found["questions"] == []
