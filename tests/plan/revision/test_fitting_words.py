"""What cannot be of a table that was read is said in the words of the wish."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.fitting_words import with_fitting_words
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromResource, Given, Plan, Request, Solution, Step
from nodes import load_tools
from nodes._support.tables import conditions
from nodes.api import Table

GRAPH = ToolGraph(from_tools(load_tools().tools))
PUPILS = FromResource("class.csv")
ROWS = Table(("Name", "Maths", "Days absent"), (("Ada", 61, 1), ("Finn", 38, 8), ("Kim", 64, 4)))


def said(wish, tool, port, value, rows=ROWS):
    step = Step("one", tool, {"table": PUPILS, port: value})
    plan = Plan((Solution("", "", 0.5, (step,), (("one", "table"),)),))
    found = with_fitting_words(plan, Request(wish, (Given("class.csv", "table", rows=rows),)), GRAPH)
    return found.solutions[0].steps[0].arguments[port]


@pytest.mark.parametrize(
    ("wish", "condition"),
    [
        ("which pupils have less than 50 points in maths?", "points < 50"),
        ("pupils below 50 in maths", "pupils < 50 in"),
        ("Schüler mit weniger als 50 Punkten in Maths", "Punkte < 50"),
        ("quels élèves ont moins de 50 points en Maths ?", "points < 50"),
        ("alumnos con menos de 50 puntos en Maths", "puntos < 50"),
        ("哪些学生Maths低于50分？", "分数 < 50"),
        ("pupils below 50 in maths", "maths < 50"),
    ],
)
def test_a_condition_that_no_column_can_hold_is_read_anew(wish, condition):
    kept = conditions.fitting(ROWS, said(wish, "filter_table", "condition", condition))
    assert [row[0] for row in kept] == ["Finn"]


@pytest.mark.parametrize("condition", ["chemistry < 50", "maths < 50"])
def test_a_condition_stays_that_fits_and_one_that_nothing_fits(condition):
    assert said(f"pupils with {condition} and a beard", "filter_table", "condition", condition) == condition


def test_a_question_that_was_cut_short_is_asked_whole():
    wish = "Welche Schüler haben weniger als 50 Punkte in Maths?"
    assert said(wish, "ask_table", "question", "Welche Schüler haben weniger als 50 Punkte") == wish


def test_nothing_changes_where_nobody_knows_what_stands_in_the_table():
    wish = "which pupils have less than 50 points in maths?"
    assert said(wish, "filter_table", "condition", "points < 50", rows=None) == "points < 50"
