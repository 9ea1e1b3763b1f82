"""What a request calls the columns of an attached table, before the run."""

from __future__ import annotations

import pytest

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.session.asking.table_columns import Header, asked, refuses
from desktop_app.storage.resources import Resource
from nodes import load_tools
from nodes.api import ResourceType, Table

TOOLS = load_tools().tools
MEMBERS = Table(
    ("member_no", "first_name", "last_name", "city", "joined", "age", "fee"),
    ((17, "Ada", "Kern", "Ulm", "2021-05-02", 40, 25),),
)
HEADERS = {"a1": Header.of(MEMBERS)}


def planned(tool, wish="", **values):
    workflow = Workflow(
        resources=(Resource("members.csv", ResourceType.TABLE, "a1", ".csv"),),
        nodes=(Node("one", tool, values),),
        links=(Link("members.csv", "value", "one", "table"),),
    )
    workflow, questions = asked(workflow, TOOLS, HEADERS, wish)
    return dict(workflow.node("one").values), questions


@pytest.mark.parametrize(("tool", "said", "meant"), [
    ("sort_table", {"column": "the member number"}, {"column": "member_no"}),
    ("sort_table", {"column": "Wohnort"}, {"column": "city"}),
    ("group_table", {"by": "ville", "column": "member no."}, {"by": "city", "column": "member_no"}),
    ("group_table", {"by": "month"}, {"by": "month"}),
    ("chart", {"names": "城市"}, {"names": "city"}),
    ("chart", {"values": "Ulm", "names": "per month"}, {"values": "Ulm", "names": "per month"}),
    ("chart", {"values": "number per city"}, {"values": "number per city"}),
])  # fmt: skip
def test_the_name_of_the_column_takes_the_place_of_what_it_is_called(tool, said, meant):
    assert planned(tool, **said) == (meant, ())


@pytest.mark.parametrize(("wish", "said", "column"), [
    ("sort them, newest first", None, "joined"), ("nach dem Datum", "Datum", "joined"),
    ("triés par date", "date", "joined"), ("largest first", None, "fee"), ("按日期排序", None, "joined"),
])  # fmt: skip
def test_the_one_column_that_rows_can_be_sorted_by_so_is_not_asked_for(wish, said, column):
    values = {"column": said} if said else {}
    assert planned("sort_table", wish, **values) == ({"column": column}, ())


@pytest.mark.parametrize(("tool", "said", "port"), [
    ("sort_table", {"column": "phone"}, "column"),
    ("sort_table", {"column": "name"}, "column"),
    ("group_table", {"by": "price"}, "by"),
    ("group_table", {}, "by"),
    ("chart", {"names": "salary"}, "names"),
])  # fmt: skip
def test_what_means_no_column_or_two_is_asked_with_those_there_are(tool, said, port):
    values, (question,) = planned(tool, **said)
    assert port not in values
    assert (question.step, question.port, question.choices) == ("one", port, MEMBERS.columns)


def test_a_port_that_may_stay_empty_is_not_asked():
    assert planned("chart", kind="bar") == ({"kind": "bar"}, ())


@pytest.mark.parametrize(("wish", "values"), [
    ("those from Ulm by month", "ulm"),
    ("a chart by month", None),
    ("Ada and Kern by month", None),
    ("the city by month", None),
    ("the fees by month", "fee"),
    ("fees and ages by month", "age, fee"),
])  # fmt: skip
def test_what_the_request_names_of_the_rows_narrows_the_chart(wish, values):
    assert planned("chart", wish, names="month")[0].get("values") == values


def test_what_another_step_has_taken_narrows_nothing():
    assert planned("chart", "a chart titled Ulm by month", names="month", title="Ulm")[0].get("values") is None


HARVEST = Table(("bed", "crop", "kg", "helper"), (("A1", "bean", 2, "Ida"), ("B2", "corn", 5, "Jon")))


@pytest.mark.parametrize(("wish", "said", "meant"), [
    ("a pie of it by crop", {}, {"by": "crop"}),
    ("how much did each helper pick", {"by": "kg"}, {"by": "helper"}),
    ("每个月的重量", {"by": "kg"}, {"by": "月"}),
    ("per crop and helper", {"by": "helper"}, {"by": "helper"}),
])  # fmt: skip
def test_what_stands_behind_per_in_the_request_is_grouped_by(wish, said, meant, monkeypatch):
    monkeypatch.setitem(HEADERS, "a1", Header.of(HARVEST))
    assert planned("group_table", wish, **said) == (meant, ())


def test_how_many_of_a_column_of_numbers_is_their_sum():
    wish = "how many fees are there per city"
    assert planned("group_table", wish, by="city", measure="count")[0] == {"by": "city", "column": "fee"}
    assert planned("group_table", "how many per city", by="city", measure="count")[0] == {
        "by": "city",
        "measure": "count",
    }


@pytest.mark.parametrize(
    ("wish", "measure"),
    [
        ("How much did we take in each city?", None),
        ("Combien avons-nous encaissé par ville ?", None),
        ("Wie viel kam pro Stadt zusammen?", None),
        ("How many members per city?", "count"),
        ("Number of rows per city", "count"),
        ("Anzahl pro Stadt", "count"),
        ("", "count"),
    ],
)
@pytest.mark.parametrize("tool", ["group_table", "chart"])
def test_how_much_is_a_sum_and_how_many_are_counted(tool, wish, measure):
    by = "by" if tool == "group_table" else "names"
    values, _ = planned(tool, wish, **{by: "city", "measure": "count"})
    assert values.get("measure") == measure and values[by] == "city"


@pytest.mark.parametrize(("said", "is_refused"), [("fee > 20", False), ("from Ulm", False), ("sort by fee", True)])
def test_what_is_no_condition_for_the_table_is_another_wish(said, is_refused):
    workflow = Workflow(
        resources=(Resource("members.csv", ResourceType.TABLE, "a1", ".csv"),),
        nodes=(Node("one", "filter_table", {"condition": "age > 1"}), Node("two", "filter_table", {})),
        links=(Link("members.csv", "value", "one", "table"), Link("one", "table", "two", "table")),
    )
    assert refuses(workflow, TOOLS, HEADERS, {("two", "condition"): said}) == is_refused
