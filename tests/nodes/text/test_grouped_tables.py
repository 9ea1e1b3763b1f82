"""Tables are summed up group by group, and held against each other."""

from __future__ import annotations

import datetime

import pytest

from nodes._support.tables import dates
from nodes.api import NodeError, Table
from nodes.text.compare_tables import compare_tables
from nodes.text.group_table import group_table

SPENT = Table(
    ("bought", "what", "amount"),
    (
        ("05.01.2025", "Food", 40), ("31.01.2025", "Rent", "800,50"), ("03.02.2025", "food ", 30.1),
        ("02.12.2024", "Travel", None), ("", "Food", 5), ("06.02.2025", "Rent", 1),
    ),
)  # fmt: skip
RUNS = Table(("Datum", "km", "min"), (("03.03.2025", 5, 30), ("06.03.2025", 8, 50), ("11.03.2025", 10, 66)))


def rows(table: Table) -> list[tuple]:
    return list(table.rows)


def test_rows_are_grouped_by_a_column_whatever_their_case():
    made = group_table(SPENT, "What")
    assert made.columns == ("what", "amount")
    assert rows(made) == [("Food", 75.1), ("Rent", 801.5), ("Travel", None)]


@pytest.mark.parametrize(
    ("by", "measure", "expected"),
    [
        ("month", "sum", [("2024-12", None), ("2025-01", 840.5), ("2025-02", 31.1)]),
        ("Monat", "count", [("2024-12", 1), ("2025-01", 2), ("2025-02", 2)]),
        ("year", "largest", [("2024", None), ("2025", 800.5)]),
        ("quarter", "smallest", [("2024-Q4", None), ("2025-Q1", 1)]),
        ("季度", "count", [("2024-Q4", 1), ("2025-Q1", 4)]),
        ("weekday", "count", [("Monday", 2), ("Thursday", 1), ("Friday", 1), ("Sunday", 1)]),
        ("Wochentag", "count", [("Montag", 2), ("Donnerstag", 1), ("Freitag", 1), ("Sonntag", 1)]),
        ("day", "count", [(f"{d}", 1) for d in ("2024-12-02", "2025-01-05", "2025-01-31", "2025-02-03", "2025-02-06")]),
    ],
)
def test_rows_are_grouped_by_stretches_of_time_in_order(by, measure, expected):
    made = group_table(SPENT, by, "", measure)
    assert rows(made) == expected and made.columns[1] == ("count" if measure == "count" else "amount")


def test_all_columns_of_numbers_are_summed_up_where_none_is_named():
    made = group_table(RUNS, "week", "", "mean")
    assert made.columns == ("week", "km", "min") and rows(made) == [("2025-W10", 6.5, 40), ("2025-W11", 10, 66)]
    assert group_table(RUNS, "week", "min", "sum").columns == ("week", "min")


def test_the_numbers_of_orders_are_not_summed_up():
    orders = Table(("Order", "Customer", "Amount"), ((1001, "Ann", 5), (1002, "Bo", 7), (1003, "Ann", 4)))
    assert group_table(orders, "Customer", "", "sum") == Table(("Customer", "Amount"), (("Ann", 9), ("Bo", 7)))
    numbered = Table(("Order", "Customer"), ((1, "Ann"), (2, "Bo"), (3, "Ann")))
    assert group_table(numbered, "Customer", "", "sum").columns == ("Customer", "Order")


def test_a_column_that_is_called_month_is_taken_as_it_is():
    table = Table(("month", "n"), (("June", 1), ("May", 2), ("June", 3)))
    assert rows(group_table(table, "month")) == [("June", 4), ("May", 2)]


@pytest.mark.parametrize(
    ("table", "by", "column", "port"),
    [
        (SPENT, "colour", "", "by"), (SPENT, "what", "height", "column"), (SPENT, "what", "bought", "column"),
        (Table(("a", "n"), (("x", 1),)), "week", "", "by"), (Table(("a", "b"), (("x", "y"),)), "a", "", "column"),
    ],
)  # fmt: skip
def test_what_cannot_be_grouped_names_the_columns(table, by, column, port):
    with pytest.raises(NodeError) as raised:
        group_table(table, by, column)
    assert raised.value.port == port and raised.value.fix


MEMBERS = Table(
    ("No", "Name", "E-mail"), ((1, "Anna Berg", "a@x.de"), (2, "Tom Fisher", "t@x.de"), (3, "Omar", "o@x.de"))
)
PAYMENTS = Table(
    ("Date", "name", "amount"), (("1.2.2025", "ANNA  BERG", 40), ("2.2.2025", "omar ", 40), ("3.2.2025", "Zoe", 1))
)


def test_who_has_not_paid_is_found_by_the_name_whatever_its_case_and_spaces():
    assert [row[1] for row in rows(compare_tables(MEMBERS, PAYMENTS))] == ["Tom Fisher"]
    assert [row[1] for row in rows(compare_tables(MEMBERS, PAYMENTS, "only in second"))] == ["Zoe"]
    assert [row[1] for row in rows(compare_tables(MEMBERS, PAYMENTS, "in both"))] == ["Anna Berg", "Omar"]


def test_joined_tables_have_the_columns_of_both_and_a_row_for_each_pair():
    twice = Table(PAYMENTS.columns, (*PAYMENTS.rows, ("4.2.2025", "Omar", 2)))
    made = compare_tables(MEMBERS, twice, "joined")
    assert made.columns == ("No", "Name", "E-mail", "Date", "amount")
    assert [(row[1], row[4]) for row in rows(made)] == [("Anna Berg", 40), ("Omar", 40), ("Omar", 2)]
    again = compare_tables(MEMBERS, MEMBERS, "joined", "Name")
    assert again.columns == ("No", "Name", "E-mail", "No (2)", "E-mail (2)")


def test_the_column_is_that_with_most_in_common_where_no_names_agree():
    other = Table(("who", "n"), (("Omar", 1), ("Anna Berg", 2)))
    assert [row[1] for row in rows(compare_tables(MEMBERS, other))] == ["Tom Fisher"]


def test_numbers_are_compared_as_numbers():
    other = Table(("No",), (("1.0",), (" 3 ",)))
    assert [row[0] for row in rows(compare_tables(MEMBERS, other))] == [2]


@pytest.mark.parametrize("column", ["", "colour"])
def test_tables_with_nothing_in_common_are_refused(column):
    with pytest.raises(NodeError) as raised:
        compare_tables(MEMBERS, Table(("x",), (("y",),)), "in both", column)
    assert raised.value.port == "column" and raised.value.fix


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["2025-03-01", "2025-3-9T10:00"], [(2025, 3, 1), (2025, 3, 9)]),
        (["01.03.2025", "9.3.25"], [(2025, 3, 1), (2025, 3, 9)]),
        (["3/25/2025", "4/1/2025"], [(2025, 3, 25), (2025, 4, 1)]),
        (["25/3/2025", "1/4/2025"], [(2025, 3, 25), (2025, 4, 1)]),
        (["3/1/2025", "3/5/2025", "3/9/2025"], [(2025, 3, 1), (2025, 3, 5), (2025, 3, 9)]),
        (["1 March 2025", "Sep 9, 2025"], [(2025, 3, 1), (2025, 9, 9)]),
        (["1. März 2025", "Mo, 03.03.2025 08:15"], [(2025, 3, 1), (2025, 3, 3)]),
        (["2025年3月1日", "2025/3/9"], [(2025, 3, 1), (2025, 3, 9)]),
        (["1er mars 2025", "1 de abril de 2025"], [(2025, 3, 1), (2025, 4, 1)]),
        (["2025-03", "März 2025"], [(2025, 3, 1), (2025, 3, 1)]),
    ],
)
def test_dates_are_read_in_the_forms_in_which_people_write_them(cells, expected):
    assert dates.read(cells) == [datetime.date(*each) for each in expected]


@pytest.mark.parametrize(
    "cells", [["2.5", "3.5"], ["192.168.0.1"], ["Marta"], [2025, 2024], ["30.02.2025"], ["", None], ["1-2"]]
)
def test_other_cells_are_no_dates(cells):
    assert dates.read(cells) is None
