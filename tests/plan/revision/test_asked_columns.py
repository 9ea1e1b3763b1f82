"""What is asked for beside a question about a table is of the columns of that question."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.asked_columns import with_asked_columns
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, HistoryMessage, Plan, Request, Solution, Step
from nodes import load_tools
from nodes.api import Table

GRAPH = ToolGraph(from_tools(load_tools().tools))
GIVEN = FromResource("a.csv")
ROWS = (("2025-01-03", "IT", "Bonn", 1200, 7), ("2025-02-03", "IT", "Ulm", 20, 8), ("2025-02-11", "HR", "Bonn", 30, 9))


def planned(text, names, *steps, before=""):
    given = Given("a.csv", "table", rows=Table(tuple(names.split()), ROWS))
    history = (HistoryMessage("user", before), HistoryMessage("assistant", "B")) if before else ()
    plan = Plan((Solution("", "", 1.0, steps, ((steps[-1].id, "image"),)),))
    return with_asked_columns(plan, Request(text, (given,), history), GRAPH).solutions[0].steps


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which department spent most?", "date department city amount age"),
        ("welche Abteilung hat am meisten ausgegeben?", "Datum Abteilung Stadt Betrag Alter"),
        ("quel service a dépensé le plus ?", "date service ville montant âge"),
        ("¿qué departamento gastó más?", "fecha departamento ciudad importe edad"),
        ("哪个部门花得最多？", "日期 部门 城市 金额 年龄"),
    ],
)
def test_a_chart_is_of_the_columns_of_the_question_beside_it_and_of_the_one_before(question, names):
    chart = Step("chart", "chart", {"table": GIVEN, "kind": "bar", "values": "it"})
    said = {"names": names.split()[1], "values": names.split()[3]}
    beside = planned(f"{question} ...", names, Step("ask", "ask_table", {"table": GIVEN, "question": question}), chart)
    after = planned("also a bar chart", names, chart, before=question)
    for step in (beside[-1], after[-1]):
        assert step.arguments == {**chart.arguments, **said}


def test_what_the_chart_is_told_itself_stays():
    chart = Step("chart", "chart", {"table": GIVEN, "names": "city", "measure": "count"})
    steps = planned(
        "also a chart by city", "date department city amount age", chart, before="which department spent most?"
    )
    assert steps[0].arguments == {**chart.arguments, "values": "amount"}


@pytest.mark.parametrize("tool", ["table_file", "table_page"])
def test_a_file_or_a_list_beside_a_question_is_of_its_groups(tool):
    question = "what is the average amount per city?"
    ask, form = Step("ask", "ask_table", {"table": GIVEN, "question": question}), Step("form", tool, {"table": GIVEN})
    _, group, form = planned(f"{question} as a list, too", "date department city amount age", ask, form)
    assert group.arguments == {"table": GIVEN, "by": "city", "column": "amount", "measure": "mean"}
    assert form.arguments["table"] == FromNode(group.id, "table")


@pytest.mark.parametrize("before", ["", "who has not paid?", "sort it by date"])
def test_without_a_question_that_groups_nothing_changes(before):
    chart = Step("chart", "chart", {"table": GIVEN})
    assert planned("a bar chart", "date department city amount age", chart, before=before) == (chart,)
