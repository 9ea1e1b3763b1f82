"""What a wish says of the rows of a table that was read, in a plan that did not hear it."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.said_rows import with_said_rows
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Question, Request, Solution, Step
from nodes import load_tools
from nodes.api import Table

GRAPH = ToolGraph(from_tools(load_tools().tools))
BILLS = Table(("Nummer", "Betrag", "Datum", "Status"),
              (("R1", 1180, "2025-02-03", "offen"), ("R2", 420, "2025-02-11", "bezahlt")))  # fmt: skip
SORT = Step("sort", "sort_table", {"table": FromResource("bills.csv"), "column": "Datum"})


def revised(text, *steps, questions=()):
    plan = Plan((Solution("", "", 1.0, steps, ((steps[-1].id, "table"),), questions),))
    made = with_said_rows(plan, Request(text, (Given("bills.csv", "table", rows=BILLS),)), GRAPH)
    return made.solutions[0]


@pytest.mark.parametrize("text", [
    "Nur die offenen Rechnungen, sortiert nach dem Datum", "only the unpaid ones, sorted by date",
    "seulement les factures impayées, triées par date", "solo las facturas pendientes, ordenadas por fecha",
    "只看未付款的, 按日期排序",
])  # fmt: skip
def test_rows_that_no_step_keeps_are_kept_before_the_others(text):
    keep, sort = revised(text, SORT).steps
    assert keep.tool == "filter_table" and keep.arguments["table"] == FromResource("bills.csv")
    assert sort.arguments["table"] == FromNode(keep.id, "table")


@pytest.mark.parametrize("text", [
    "Welche Rechnungen sind noch nicht bezahlt?", "show me the unpaid ones", "las pendientes", "les impayées",
])  # fmt: skip
def test_a_wish_for_rows_alone_asks_for_no_second_table(text):
    step = Step("compare", "compare_tables", {"first": FromResource("bills.csv")})
    made = revised(text, step, questions=(Question("Which?", "file", (), "compare", "second"),))
    assert [step.tool for step in made.steps] == ["filter_table"] and not made.questions


def test_a_condition_that_lost_a_word_gets_it_back():
    step = Step("keep", "filter_table", {"table": FromResource("bills.csv"), "condition": "bezahlt"})
    assert revised("Zeig die nicht bezahlten", step).steps[0].arguments["condition"] == "nicht bezahlten"
    empty = Step("keep", "filter_table", {"table": FromResource("bills.csv")})
    assert revised("only the open ones", empty).steps[0].arguments["condition"] == "open"


@pytest.mark.parametrize("text", [
    "sort by status, offen first", "nach Datum sortieren", "compare offen and bezahlt", "ersetze offen durch open",
    "as an Excel file", "how many are offen?", "by amount",
])  # fmt: skip
def test_other_wishes_keep_all_rows(text):
    assert revised(text, SORT).steps == (SORT,)
