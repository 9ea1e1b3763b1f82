"""Conditions that only name a column, as "the bills that are not paid" leaves them."""

from __future__ import annotations

import pytest

from nodes._support.tables.conditions_said import asked
from nodes.api import NodeError, Table
from nodes.text.filter_table import filter_table

BILLS = Table(("item", "paid", "amount"), (("rent", "yes", 900), ("power", "no", 80), ("water", None, 30)))


@pytest.mark.parametrize(("condition", "items"), [
    ("paid is not", ["power", "water"]),
    ("paid is", ["rent"]),
    ("paid is not and amount > 50", ["power"]),
    ("power", ["power"]),
])  # fmt: skip
def test_a_column_of_yes_and_no_says_itself_what_it_is_compared_with(condition, items):
    assert [row[0] for row in filter_table(BILLS, condition).rows] == items


@pytest.mark.parametrize("condition", ["amount is not", "item is", "amount >", "item contains"])
def test_a_comparison_with_nothing_is_told(condition):
    with pytest.raises(NodeError) as found:
        filter_table(BILLS, condition)
    assert found.value.port == "condition"


def test_a_question_of_how_many_ends_before_what_is_counted():
    assert asked("Combien d'adhérents ont plus de 60 ans") == ("count", "adhérents ont plus de 60 ans")
