"""Tables in other forms: Markdown and pages, sorted by several columns, joined, with a column split."""

from __future__ import annotations

import pytest

from nodes.api import NodeError, RunContext, Table
from nodes.text.compare_tables import compare_tables
from nodes.text.read_table import read_table
from nodes.text.sort_table import sort_table
from nodes.text.table_columns import table_columns
from nodes.text.table_file import table_file

STAFF = Table(
    ("Name", "City", "Since"),
    (("Ana Maria Diaz", "York", "1.3.2021"), ("Ben Fox", "Leeds", "15.12.2019"), ("Cleo Hart", "York", "2.2.2020")),
)


@pytest.mark.parametrize("form", ["md", "html", "csv", "json", "xlsx", "ods", "tsv"])
def test_a_table_comes_back_from_each_form(form, tmp_path):
    table = Table(("Item | no", "Price"), (("Tea <green>", 3.5), ("Cup", None), ("Pot", 20)))
    again = read_table(table_file(table, form, context=RunContext(tmp_path)))
    assert again.columns == table.columns
    assert [row[0] for row in again.rows] == ["Tea <green>", "Cup", "Pot"]
    assert [row[1] or None for row in again.rows] == [3.5, None, 20]


def test_the_largest_table_of_a_markdown_text_is_read(tmp_path):
    (tmp_path / "notes.md").write_text(
        "# List\n\n| a |\n| - |\n\nname | age\n:--- | ---:\nAna | 41\nBen | 7\n\nEnd | of text\n", "utf-8"
    )
    assert read_table(tmp_path / "notes.md") == Table(("name", "age"), (("Ana", 41), ("Ben", 7)))
    (tmp_path / "plain.md").write_text("No table | here\n", "utf-8")
    with pytest.raises(NodeError, match="No table can be read"):
        read_table(tmp_path / "plain.md")


@pytest.mark.parametrize("said", ["city, name", "city and name", "city, then name", "Stadt, dann Name", "城市和姓名"])
def test_rows_are_sorted_by_several_columns(said):
    assert [row[0][:3] for row in sort_table(STAFF, said).rows] == ["Ben", "Ana", "Cle"]


def test_dates_sort_as_dates():
    assert [row[0][:3] for row in sort_table(STAFF, "Since").rows] == ["Ben", "Cle", "Ana"]
    assert [row[0][:3] for row in sort_table(STAFF, "Since", True, 1).rows] == ["Ana"]


def test_a_wrong_column_among_several_is_told():
    with pytest.raises(NodeError, match="shoe size") as found:
        sort_table(STAFF, "city, shoe size")
    assert found.value.port == "column" and "Since" in str(found.value.fix)


def test_a_column_is_split_in_two():
    made = table_columns(STAFF, "Name", "split", "First name and Last name")
    assert made.columns == ("First name", "Last name", "City", "Since")
    assert made.rows[0] == ("Ana", "Maria Diaz", "York", "1.3.2021")
    places = Table(("Place", "n"), (("10115, Berlin", 1), ("Rome", 2), (None, 3)))
    made = table_columns(places, "place", "split")
    assert made.columns == ("Place 1", "Place 2", "n")
    assert made.rows == ((10115, "Berlin", 1), ("Rome", None, 2), (None, None, 3))
    assert table_columns(STAFF, "Since", "split", "d, m, y", ".").rows[1] == ("Ben Fox", "Leeds", 15, 12, 2019)


@pytest.mark.parametrize(
    ("columns", "names", "between", "port"),
    [("Name, City", "", "", "columns"), ("City", "", "", "between"), ("Name", "", "#", "between"),
     ("Name", "city, x", "", "names")],
)  # fmt: skip
def test_what_cannot_be_split_names_its_port(columns, names, between, port):
    with pytest.raises(NodeError) as found:
        table_columns(STAFF, columns, "split", names, between)
    assert found.value.port == port and found.value.fix


def test_rows_without_a_partner_stay_where_all_of_the_first_are_wanted():
    orders = Table(("Item", "n"), (("Tea", 2), ("Cup", 1), (None, 5)))
    prices = Table(("Item", "Price"), (("tea", 3.5),))
    assert compare_tables(orders, prices, "joined").rows == (("Tea", 2, 3.5),)
    assert compare_tables(orders, prices, "joined to all of first").rows == (
        ("Tea", 2, 3.5), ("Cup", 1, None), (None, 5, None),
    )  # fmt: skip
