"""A question for one number of a table is asked of it; what is wanted for each of its groups is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.plan.revision.one_number import with_one_number
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromResource, Given, Plan, Question, Request, Solution, Step
from nodes import load_tools
from nodes.api import Table

GRAPH = ToolGraph(from_tools(load_tools().tools))
SALES = FromResource("sales.csv")
GROUPED = Step("group", "group_table", {"table": SALES})
GROUPED_BY = Step("group", "group_table", {"table": SALES, "by": "product"})
STATISTICS = Step("statistics", "table_statistics", {"table": SALES})
ONE_NUMBER = (
    "What do all the sales add up to?", "what's the average price", "what is the highest price", "the average price",
    "how much is it all together?", "how many rows are there?", "¿Cuánto suman todas las ventas de esta tabla?",
    "¿Cuál es la suma de las ventas?", "el precio medio", "¿cuál es la venta más alta?",
    "Wie hoch ist die Summe aller Verkäufe?", "Wie viel sind die Verkäufe insgesamt?", "der durchschnittliche Preis",
    "Was ist der niedrigste Preis?", "le prix moyen", "quelle est la somme des ventes ?",
    "combien font toutes les ventes ensemble ?", "quel est le prix le plus élevé ?", "销售额一共多少",
    "平均价格是多少", "销售额的总和是多少？",
)  # fmt: skip
OF_GROUPS = (
    "what's the total per product?", "what are the totals of all columns?", "sort it by the highest price",
    "which product sold?", "Wie hoch ist die Summe pro Produkt?", "Summe nach Region", "quel est le total par mois ?",
    "¿cuánto es el total por producto?", "每个产品的销售额总和是多少？", "describe the data", "group the sales",
)  # fmt: skip


def planned(text, *steps, rows=None, file="sales.csv", **changes):
    wanted = ((steps[-1].id, "table"),) if steps else ()
    asked = (Question("By which column?", "text", step="group", port="by"),)
    plan = Plan((Solution("", "", 0.3, steps, wanted, asked),) if steps else (), () if steps else asked)
    return with_one_number(plan, Request(text, (Given(file, "table", rows=rows, **changes),)), GRAPH)


@pytest.mark.parametrize("text", ONE_NUMBER)
def test_a_question_for_one_number_is_asked_of_the_table(text):
    for steps in ((GROUPED,), (GROUPED_BY,), (STATISTICS,), ()):
        plan = planned(text, *steps)
        (step,) = plan.solutions[0].steps
        assert (step.tool, step.arguments) == ("ask_table", {"table": SALES, "question": text})
        assert not plan.questions and not plan.solutions[0].questions


@pytest.mark.parametrize("text", OF_GROUPS)
def test_what_is_for_groups_or_all_columns_stays(text):
    for step in (GROUPED, GROUPED_BY, STATISTICS):
        assert planned(text, step).solutions[0].steps == (step,)


@pytest.mark.parametrize(
    "aside", ["My boss has been asking since Monday. ", "Mein Chef fragt seit Montag: ", "老板一直在问，"]
)
def test_a_question_that_is_told_from_what_stands_around_it_stays(aside):
    for text in ("what is the highest price?", "Was ist der niedrigste Preis?", "平均价格是多少"):
        asked = Step("ask", "ask_table", {"table": SALES, "question": text})
        assert planned(aside + text, asked).solutions[0].steps == (asked,)


def test_an_order_to_add_up_needs_no_groups():
    for text in (
        "add up all the sales",
        "addiere alle Verkäufe",
        "additionne les ventes",
        "sumar las ventas",
        "销售额求和",
    ):
        assert planned(text, GROUPED).solutions[0].steps[0].tool == "ask_table"
        assert planned(text, GROUPED_BY).solutions[0].steps == (GROUPED_BY,)


def test_a_plan_that_does_more_stays():
    asked = Step("ask", "ask_table", {"table": SALES, "question": "the largest"})
    assert planned("How many are there? And which is the largest?", asked).solutions[0].steps == (asked,)
    chart = Step("chart", "chart", {"table": SALES})
    assert planned("what's the total? and a chart", GROUPED, chart).solutions[0].steps == (GROUPED, chart)
    kept = replace(planned("", GROUPED).solutions[0], kept=frozenset(("group",)))
    plan = Plan((kept,))
    assert with_one_number(plan, Request("what's the total?", (Given("sales.csv", "table"),)), GRAPH) is plan


def test_what_the_words_do_not_find_in_the_table_that_was_read_is_not_asked_of_it():
    rows = Table(("name", "town"), (("Anna", "Bonn"), ("Tom", "Ulm")))
    assert planned("what is the average age?", GROUPED, rows=rows).solutions[0].steps == (GROUPED,)
