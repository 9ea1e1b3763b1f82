"""Tables that are saved as spreadsheets: what other readers find in them."""

from __future__ import annotations

import datetime
import json
import zipfile
from typing import Any
from xml.dom import minidom

import pytest
import python_calamine

from nodes._support.tables import workbooks
from nodes.api import NodeError, RunContext, Table
from nodes.text.read_table import read_table
from nodes.text.table_file import table_file

SALES = Table(
    ("Item & kind", "Price", "Sold", "At", "Number", "Share", "Note"),
    (
        ("Tea <green>", 2.5, "2024-05-31", "2024-05-31 14:30:00", 12345678901234567890, "12 %", "=1+1"),
        ("Kaffee ß 咖啡", 1200, "2024-06-01", "2024-06-01 08:05:09", 7, "3 %", None),
        ("two\nlines", -3, "1899-01-02", "2024-06-02", 8, "", "  blanks   inside "),
    ),
)


def _cells(path: Any) -> list[list[Any]]:
    book = python_calamine.load_workbook(path)
    return book.get_sheet_by_index(0).to_python()


def _saved(tmp_path: Any, table: Table, form: str, **values: Any) -> Any:
    return table_file(table, form, context=RunContext(tmp_path), **values)


@pytest.fixture(params=["xlsx", "xlsx, row by row", "ods"])
def form(request, monkeypatch):
    """Forms of spreadsheets, that of a large table too."""
    form, _, is_large = request.param.partition(", ")
    if is_large:
        monkeypatch.setattr(workbooks, "_MOST_HELD_CELLS", 0)
    return form


def test_numbers_are_numbers_and_dates_are_dates_in_a_spreadsheet(tmp_path, form):
    head, first, second, third = _cells(_saved(tmp_path, SALES, form))
    assert head == list(SALES.columns)
    assert first[:4] == ["Tea <green>", 2.5, datetime.date(2024, 5, 31), datetime.datetime(2024, 5, 31, 14, 30)]
    assert second[:4] == ["Kaffee ß 咖啡", 1200.0, datetime.date(2024, 6, 1), datetime.datetime(2024, 6, 1, 8, 5, 9)]
    assert (third[0], third[1], third[2]) == ("two\nlines", -3.0, "1899-01-02"), "Excel has no such day"
    assert first[4:] == ["12345678901234567890", "12 %", "=1+1"], "no digit is lost, and a text is no formula"
    assert third[6] == "  blanks   inside "


@pytest.mark.parametrize("form", ["xlsx", "ods", "csv", "tsv", "json"])
def test_what_was_saved_is_read_again_as_it_was(tmp_path, form):
    table = Table(("name", "price", "day"), (("a", 1.5, "2024-05-01"), ("b, c", 2, "2024-05-02"), ("d", None, None)))
    read = read_table(_saved(tmp_path, table, form))
    empty = "" if form in ("csv", "tsv") else None
    assert (read.columns, read.rows) == (table.columns, (*table.rows[:2], ("d", empty, empty)))


def test_numbers_written_as_text_become_numbers_where_the_whole_column_is_of_them(tmp_path):
    table = Table(("eur", "post code", "month"), (("1,200.50", "01067", "2024-05"), ("3.00", "80331", "2024-06")))
    assert _cells(_saved(tmp_path, table, "xlsx"))[1:] == [[1200.5, "01067", "2024-05"], [3.0, "80331", "2024-06"]]


def test_every_part_is_proper_xml_and_the_sheet_has_its_title(tmp_path, form):
    with zipfile.ZipFile(_saved(tmp_path, SALES, form, title='Prices: "new" / old \x01')) as file:
        for name in file.namelist():
            if name != "mimetype":
                minidom.parseString(file.read(name))
    assert python_calamine.load_workbook(next(tmp_path.glob(f"*.{form}"))).sheet_names == ['Prices  "new"   old']


def test_the_names_of_an_excel_sheet_stay_when_one_scrolls_and_columns_are_as_wide_as_what_is_in_them(tmp_path):
    with zipfile.ZipFile(_saved(tmp_path, Table(("a", "b"), (("x" * 30, 1),)), "xlsx")) as file:
        sheet = minidom.parseString(file.read("xl/worksheets/sheet1.xml"))
    (pane,), widths = sheet.getElementsByTagName("pane"), sheet.getElementsByTagName("col")
    assert (pane.getAttribute("state"), pane.getAttribute("topLeftCell")) == ("frozen", "A2")
    assert [round(float(column.getAttribute("width"))) for column in widths] == [33, 9]


def test_nothing_of_the_clock_is_in_a_spreadsheet(tmp_path, form):
    with zipfile.ZipFile(_saved(tmp_path, SALES, form)) as file:
        assert {entry.date_time[0] for entry in file.infolist()} == {1980}
        text = b"".join(file.read(name) for name in file.namelist()).decode("utf-8")
    today = datetime.datetime.now(datetime.UTC).date()
    assert not any((today + datetime.timedelta(days)).isoformat() in text for days in (-1, 0, 1))


@pytest.mark.parametrize("cell", ["\ud800", "\x00\x0b", "_x0041_", "http://example.org", "{=1+1}", "@x", "'quoted"])
def test_a_text_is_no_formula_no_link_and_never_breaks_the_file(tmp_path, form, cell):
    _head, row = _cells(_saved(tmp_path, Table(("a", "b"), ((cell, "1e5x"),)), form))
    assert row == [workbooks._FORBIDDEN.sub("", cell), "1e5x"]


def test_json_is_a_list_of_objects_unless_names_occur_twice(tmp_path):
    assert json.loads(_saved(tmp_path, Table(("a", "b"), ((1, "x"),)), "json").read_text("utf-8")) == [
        {"a": 1, "b": "x"}
    ]
    twice = json.loads(workbooks.content(Table(("a", "a"), ((1, 2),)), ".json"))
    assert twice == {"columns": ["a", "a"], "rows": [[1, 2]]}


def test_what_a_spreadsheet_has_no_room_for_is_said(tmp_path):
    with pytest.raises(NodeError, match="at most 32,767 letters") as long:
        _saved(tmp_path, Table(("a",), (("x" * 40_000,),)), "xlsx")
    assert long.value.port == "format"
    with pytest.raises(NodeError, match="no columns") as empty:
        _saved(tmp_path, Table((), ()), "xlsx")
    assert empty.value.port == "table"
