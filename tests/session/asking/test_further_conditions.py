"""What a follow-up says of rows besides what was said of them before."""

from __future__ import annotations

import pytest

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.session.asking.further_conditions import joined
from desktop_app.session.asking.table_columns import Header
from desktop_app.storage.resources import Resource
from nodes import load_tools
from nodes.api import ResourceType, Table

TOOLS = load_tools().tools
ROWS = (("2025-01-03", 1200, "Berlin"), ("2025-02-04", 800, "Madrid"), ("2025-02-11", 50, "Berlin"))
HEADERS = {"a1": Header.of(Table(("date", "amount", "city"), ROWS))}
PLACE = ("one", "condition")


def told(old, new, text, headers=HEADERS):
    workflow = Workflow(
        resources=(Resource("a.csv", ResourceType.TABLE, "a1", ".csv"),),
        nodes=(Node("one", "filter_table", {"condition": old}),),
        links=(Link("a.csv", "value", "one", "table"),),
    )
    return joined(workflow, TOOLS, headers, {PLACE: new}, text)[PLACE]


@pytest.mark.parametrize(("old", "new", "text", "meant"), [
    ("Berlin", "over 1000", "and only those over 1000", "Berlin and over 1000"),
    ("Berlin", "über 1000", "und nur die über 1000", "Berlin and über 1000"),
    ("Berlin", "plus de 1000", "et seulement ceux à plus de 1000", "Berlin and plus de 1000"),
    ("Berlin", "más de 1000", "y solo los de más de 1000", "Berlin and más de 1000"),
    ("Berlin", "超过1000", "其中超过1000的", "Berlin and 超过1000"),
    ("amount > 100", "Berlin", "only from Berlin", "amount > 100 and Berlin"),
    ("Berlin or Madrid", "over 100", "of these over 100", "Berlin and over 100 or Madrid and over 100"),
])  # fmt: skip
def test_what_narrows_stands_beside_what_was_said(old, new, text, meant):
    assert told(old, new, text) == meant


@pytest.mark.parametrize(("old", "new", "text"), [
    ("Berlin", "Madrid", "no, from Madrid"), ("Berlin", "Madrid", "rather those from Madrid"),
    ("Berlin", "Madrid", "only from Madrid"), ("amount > 1000", "over 100", "only those over 100"),
    ("Berlin", "Madrid", "from Madrid"), ("amount > 1000", "price > 1000", "and the price?"),
    ("Berlin", "Madrid", "und in Madrid?"), ("Berlin", "Madrid", "¿y en Madrid?"),
])  # fmt: skip
def test_another_value_of_the_same_thing_takes_its_place(old, new, text):
    assert told(old, new, text) == new


@pytest.mark.parametrize("text", ["and those from Madrid", "auch die aus Madrid", "ceux de Madrid aussi"])
def test_more_rows_come_beside_those_there_are(text):
    assert told("Berlin", "Madrid", text) == "Berlin or Madrid"


def test_of_a_table_that_nobody_has_read_both_hold():
    assert told("Berlin", "over 1000", "and only those over 1000", {}) == "Berlin and over 1000"
