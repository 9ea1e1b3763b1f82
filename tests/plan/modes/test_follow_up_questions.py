"""Questions about a table that go on from the one before."""

from __future__ import annotations

import pytest

from desktop_app.plan.modes.edits import Present, SetValues
from desktop_app.plan.types import FromResource, Given, Step
from nodes.api import Table
from tests.plan.worlds import own_planner

PLANNER = own_planner()
TILL = Table(
    ("date", "customer", "amount"),
    (("2025-03-03", "Okafor", 45), ("2025-04-01", "Smith", 7), ("2025-04-20", "Okafor", 2)),
)


def asked(question: str) -> Present:
    step = Step("ask", "ask_table", {"table": FromResource("till.csv"), "question": question})
    return Present((step,), (Given("till.csv", "table", rows=TILL),))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("how much did they spend in March?", "and in April?"),
        ("Wie viel haben sie im März insgesamt ausgegeben?", "und im April?"),
        ("combien ont-ils dépensé en mars ?", "et en avril ?"),
        ("¿Cuánto gastaron en marzo?", "¿y en abril?"),
        ("how much did Okafor order?", "and Smith?"),
        ("how much did Okafor order?", "what about Smith?"),
    ],
)
def test_the_same_question_about_other_rows_stands_below_the_one_before(first, then):
    edit = PLANNER.follow_ups.read(then, asked(first))
    assert edit == SetValues({("ask", "question"): f"{first}\n{then}"})


@pytest.mark.parametrize("then", ["and translate it into French?", "and Jones?", "und als Diagramm?"])
def test_what_says_nothing_of_the_rows_does_not_go_on(then):
    edit = PLANNER.follow_ups.read(then, asked("how much did Okafor order?"))
    assert not isinstance(edit, SetValues)


CLASS = Given("class.csv", "table", rows=Table(("Name", "Maths", "German"), (("Ada", 61, 54), ("Finn", 38, 49))))


@pytest.mark.parametrize(
    ("condition", "then", "meant"),
    [
        ("less than 50 points in maths", "and in german?", "less than 50 points in German"),
        ("Maths < 50", "und in German?", "German < 50"),
        ("Maths < 50", "et en German ?", "German < 50"),
        ("Maths < 50", "¿y en German?", "German < 50"),
    ],
)
def test_a_condition_goes_on_with_another_column(condition, then, meant):
    step = Step("keep", "filter_table", {"table": FromResource("class.csv"), "condition": condition})
    assert PLANNER.follow_ups.read(then, Present((step,), (CLASS,))) == SetValues({("keep", "condition"): meant})
