"""A spreadsheet that comes as a file is planned as the table in it, which a step of its own opens."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.revision.opened_sheets import as_table, opened, opener_of
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Request, Solution, Step
from nodes import load_tools
from tests.plan.worlds import own_planner

SPECS = from_tools(load_tools().tools)
TOOLS = {tool.id: tool for tool in SPECS}
INDEX = Index(SPECS, lexicon())
OPENER = opener_of(SPECS, INDEX)
SHEET = Given("fees.xlsx", "file")


def test_what_opens_a_table_is_found_by_its_types():
    assert OPENER is not None and OPENER.id == "read_table"
    assert opener_of([TOOLS["blur"]], INDEX) is None


@pytest.mark.parametrize("given", [Given("fees.csv", "table"), Given("fees.pdf", "file"), Given("fees.xlsx", "table")])
def test_only_spreadsheets_among_files_are_tables(given):
    assert as_table(given) is given
    assert as_table(SHEET).type == "table"


def test_one_step_opens_it_for_all_that_take_the_table_and_none_for_what_takes_the_file():
    assert OPENER is not None
    solution = Solution("", "", 0.9, (
        Step("sort_table", "sort_table", {"table": FromResource("fees.xlsx"), "column": "name"}),
        Step("chart", "chart", {"table": FromResource("fees.xlsx")}),
        Step("convert", "convert_document", {"file": FromResource("fees.xlsx"), "format": "pdf"}),
    ))  # fmt: skip
    (found,) = opened(Plan((solution,)), {"fees.xlsx"}, OPENER, TOOLS).solutions
    assert [step.tool for step in found.steps] == ["read_table", "sort_table", "chart", "convert_document"]
    assert [step.arguments.get("table") for step in found.steps[1:3]] == [FromNode("read_table", "table")] * 2
    assert found.steps[3].arguments["file"] == FromResource("fees.xlsx")


@pytest.mark.parametrize(
    "said", ["sort fees.xlsx by name", "sort the fees by name, please", "turn fees.xlsx into a PDF"]
)
def test_it_is_planned_as_its_table_would_be(said):
    planner = own_planner()
    as_file, as_sheet = (planner.plan(Request(said, (one,))) for one in (SHEET, as_table(SHEET)))
    tools = [[step.tool for step in one.solutions[0].steps if step.tool != "read_table"] for one in (as_file, as_sheet)]
    assert tools[0] == tools[1]
