"""Empty cells are filled as it was said, and tables are turned on their side."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest

from nodes.api import NodeError, RunContext, Table
from nodes.text.fill_cells import fill_cells
from nodes.text.read_table import read_table
from nodes.text.transpose_table import transpose_table

SHOPS = Table(
    ("Region", "Shop", "Sales", "Price"),
    (
        ("North", "Lisbon", 10, "1.180,00"),
        (None, "Porto", None, ""),
        ("  ", None, 40, "20,50"),
        ("South", "lisbon ", float("nan"), None),
        (None, "Faro", 11, "3,00"),
    ),
)


@pytest.fixture
def context(tmp_path: Path) -> RunContext:
    return RunContext(tmp_path)


def column(table: Table, name: str) -> list[Any]:
    return [row[table.columns.index(name)] for row in table.rows]


def test_a_value_fills_all_that_is_empty_and_nothing_else(context: RunContext):
    made = fill_cells(SHOPS, "0", context=context)
    assert made.rows == (
        ("North", "Lisbon", 10, "1.180,00"),
        (0, "Porto", 0, 0),
        (0, 0, 40, "20,50"),
        ("South", "lisbon ", 0, 0),
        (0, "Faro", 11, "3,00"),
    )
    assert context.told == ["Empty cells that were filled: 8."]
    assert type(column(made, "Sales")[1]) is int


@pytest.mark.parametrize(("said", "cell"), [("unknown", "unknown"), ("“n/a”", "n/a"), ("2,5", "2,5"), ("007", "007"),
                                            ("1.5", 1.5), ("-", "-")])  # fmt: skip
def test_what_is_filled_in_is_a_number_where_it_is_one(context: RunContext, said: str, cell: Any):
    made = fill_cells(SHOPS, said, "Sales", context=context)
    assert column(made, "Sales") == [10, cell, 40, cell, 11]
    assert column(made, "Region") == column(SHOPS, "Region"), "other columns stay"


def test_cells_above_and_below_fill_until_the_next(context: RunContext):
    down = fill_cells(SHOPS, columns="region and Sales", how="cell above", context=context)
    assert column(down, "Region") == ["North", "North", "North", "South", "South"]
    assert column(down, "Sales") == [10, 10, 40, 40, 11]
    up = fill_cells(SHOPS, columns="Region", how="cell below", context=context)
    assert column(up, "Region") == ["North", "South", "South", "South", None]
    assert context.told[-2:] == ["Empty cells that were filled: 2.", "Cells that are still empty: 1."]


def test_mean_and_median_are_of_the_numbers_and_written_as_they_are(context: RunContext):
    mean = fill_cells(SHOPS, how="mean", context=context)
    assert column(mean, "Sales") == [10, pytest.approx(20.33), 40, pytest.approx(20.33), 11]
    assert column(mean, "Price") == ["1.180,00", "401,17", "20,50", "401,17", "3,00"]
    assert column(mean, "Region") == column(SHOPS, "Region")
    assert context.told == [
        "Empty cells that were filled: 4.",
        "Cells that are still empty: 4.",
        "Columns with nothing to fill from: Region, Shop.",
    ]
    assert column(fill_cells(SHOPS, columns="Sales", how="median", context=context), "Sales")[1] == 11
    assert statistics.median((10, 40, 11)) == 11


def test_the_most_frequent_value_is_counted_whatever_its_case(context: RunContext):
    made = fill_cells(SHOPS, columns="Shop", how="most frequent", context=context)
    assert column(made, "Shop") == ["Lisbon", "Porto", "Lisbon", "lisbon ", "Faro"]


def test_a_table_without_gaps_stays_and_that_is_told(context: RunContext):
    whole = Table(("a",), ((1,), (0,)))
    assert fill_cells(whole, "5", context=context) == whole
    assert context.told == ["No cell was empty."]


@pytest.mark.parametrize(
    ("given", "port", "words"),
    [
        ({}, "value", "Nothing is given"),
        ({"value": '""'}, "value", "Nothing is given"),
        ({"value": "0", "columns": "colour"}, "columns", "There is no column"),
        ({"how": "mean", "columns": "Shop"}, "columns", "no numbers"),
        ({"how": "most frequent", "columns": "Empty"}, "columns", "is empty"),
        ({"how": "cell above", "columns": "Empty"}, "columns", "is empty"),
    ],
)
def test_what_cannot_be_filled_is_told(context: RunContext, given: dict[str, str], port: str, words: str):
    table = Table((*SHOPS.columns, "Empty"), tuple((*row, None) for row in SHOPS.rows))
    with pytest.raises(NodeError) as told:
        fill_cells(table, context=context, **given)
    assert told.value.port == port and words in told.value.message and told.value.fix


@pytest.mark.parametrize("table", [Table((), ()), Table(("a",), ())])
def test_empty_tables_are_refused(context: RunContext, table: Table):
    for refused in (lambda: fill_cells(table, "0", context=context), lambda: transpose_table(table)):
        with pytest.raises(NodeError) as told:
            refused()
        assert told.value.port == "table"


# On its side


def test_rows_become_columns_and_cells_keep_what_they_are():
    given = Table(("month", "Lisbon", "Porto"), (("Jan", 3, "x"), ("Feb", None, 2.5)))
    made = transpose_table(given)
    assert made == Table(("month", "Jan", "Feb"), (("Lisbon", 3, None), ("Porto", "x", 2.5)))
    assert transpose_table(made) == given


def test_names_are_whole_distinct_and_never_empty():
    rows = ((2020.0, 1), (2020, 2), (None, 3), ("2020", 4), (0.5, 5))
    made = transpose_table(Table(("year", "n"), rows))
    assert made == Table(("year", "2020", "2020 (2)", "column 4", "2020 (3)", "0.5"), (("n", 1, 2, 3, 4, 5),))


def test_one_column_becomes_one_row():
    made = transpose_table(Table(("a",), (("b",), (3,))))
    assert made == Table(("column 1", "column 2", "column 3"), (("a", "b", 3),))


def test_a_file_is_turned_as_a_spreadsheet_turns_it(tmp_path: Path):
    (tmp_path / "a.csv").write_text("city;2023;2024\nKöln;1;2\nRom;;4\n", "utf-8")
    made = transpose_table(read_table(tmp_path / "a.csv"))
    assert made == Table(("city", "Köln", "Rom"), (("2023", 1, ""), ("2024", 2, 4)))


def test_more_rows_than_a_sheet_has_columns_are_refused():
    with pytest.raises(NodeError) as told:
        transpose_table(Table(("a", "b"), ((1, 2),) * 16_384))
    assert told.value.port == "table" and "16,384 rows" in told.value.message
    assert len(transpose_table(Table(("a", "b"), ((1, 2),) * 16_383)).columns) == 16_384
