"""Tables are put below each other, get other columns, and lose the rows that they have twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodes.api import NodeError, RunContext, Table
from nodes.text.append_tables import append_tables
from nodes.text.read_table import read_table
from nodes.text.remove_duplicates import remove_duplicates
from nodes.text.table_columns import table_columns
from nodes.text.table_file import table_file

JANUARY = Table(("Date", "Shop", "Amount"), (("2025-01-03", "Lisbon", 12.5), ("2025-01-09", "Porto", 8)))
FEBRUARY = Table((" amount", "date", "Note"), ((3, "2025-02-01", "late"),))
PEOPLE = Table(
    ("Name", "E-mail", "Phone", "Dogs and cats"),
    (
        ("Ana", "ana@x.org", "1,200", 1),
        ("Ben", "ben@x.org", "77", 0),
        (" ana", "ANA@x.org ", 1200, 1.0),
        ("Cleo", None, "5", 2),
        ("Dan", "", "6", 3),
        ("Ben", "ben@x.org", "78", 0),
    ),
)


# Below each other


def test_rows_stand_below_each_other_by_the_names_of_columns():
    made = append_tables((JANUARY, FEBRUARY, JANUARY))
    assert made.columns == ("Date", "Shop", "Amount", "Note")
    assert made.rows == (
        ("2025-01-03", "Lisbon", 12.5, None),
        ("2025-01-09", "Porto", 8, None),
        ("2025-02-01", None, 3, "late"),
        ("2025-01-03", "Lisbon", 12.5, None),
        ("2025-01-09", "Porto", 8, None),
    )


def test_columns_of_one_name_stay_apart():
    made = append_tables((Table(("a", "a"), ((1, 2),)), Table(("A", "a", "a"), ((3, 4, 5),)), Table(("a",), ())))
    assert made == Table(("a", "a", "a"), ((1, 2, None), (3, 4, 5)))


def test_files_that_were_appended_are_read_back_from_a_spreadsheet(tmp_path: Path):
    (tmp_path / "a.csv").write_text("city,km\nRome,3\nOslo,4\n", "utf-8")
    (tmp_path / "b.csv").write_text("km;city\n5;Köln\n", "utf-8")
    both = append_tables(tuple(read_table(tmp_path / name) for name in ("a.csv", "b.csv")))
    saved = read_table(table_file(both, "xlsx", context=RunContext(tmp_path)))
    assert saved == Table(("city", "km"), (("Rome", 3), ("Oslo", 4), ("Köln", 5)))


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ((), "not two tables"),
        ((JANUARY,), "not two tables"),
        ((JANUARY, Table((), ())), "no columns"),
        ((JANUARY, FEBRUARY, Table(("7", "8"), ((1, 2),))), "no column in common"),
    ],
)
def test_what_cannot_be_appended_is_said(tables, told):
    with pytest.raises(NodeError, match=told) as error:
        append_tables(tables)
    assert error.value.port == "tables" and error.value.fix


# Columns


@pytest.mark.parametrize(
    ("columns", "how", "expected"),
    [
        ("e-mail, name", "keep", ("E-mail", "Name")),
        ("“Phone”; Name", "keep", ("Phone", "Name")),
        ("name and phone", "remove", ("E-mail", "Dogs and cats")),
        ("dogs and cats", "keep", ("Dogs and cats",)),
        ("Name、Phone和E-mail", "remove", ("Dogs and cats",)),
        ("Phone, dogs and cats", "put first", ("Phone", "Dogs and cats", "Name", "E-mail")),
        ("1, 3", "put last", ("E-mail", "Dogs and cats", "Name", "Phone")),
        ("E Mail, emails", "keep", ("E-mail",)),
    ],
)
def test_columns_are_kept_removed_and_moved(columns, how, expected):
    made = table_columns(PEOPLE, columns, how)
    assert made.columns == expected
    places = [PEOPLE.columns.index(name) for name in expected]
    assert made.rows == tuple(tuple(row[place] for place in places) for row in PEOPLE.rows)


@pytest.mark.parametrize(
    ("columns", "how", "names", "expected"),
    [
        ("e-mail", "rename", "Mail, private", ("Name", "Mail, private", "Phone", "Dogs and cats")),
        ("phone, name", "rename", "Tel., Who", ("Who", "E-mail", "Tel.", "Dogs and cats")),
        ("phone, name", "keep", "Tel.;Who", ("Tel.", "Who")),
        ("name, phone", "rename", "Phone, Name", ("Phone", "E-mail", "Name", "Dogs and cats")),
    ],
)
def test_columns_get_new_names(columns, how, names, expected):
    assert table_columns(PEOPLE, columns, how, names).columns == expected


@pytest.mark.parametrize(
    ("columns", "how", "names", "port", "told"),
    [
        ("salary", "keep", "", "columns", 'no column "salary"'),
        (" , ", "remove", "", "columns", "No column is named"),
        ("1,2,3,4", "remove", "", "columns", "No column would be left"),
        ("name", "rename", "", "names", "0 new names for 1"),
        ("name, phone", "rename", "Who", "names", "1 new names for 2"),
        ("name", "rename", "e-Mail", "names", "two columns “e-Mail”"),
        ("name, phone", "rename", "X, X", "names", "two columns “X”"),
    ],
)
def test_columns_that_cannot_be_had_are_said(columns, how, names, port, told):
    with pytest.raises(NodeError, match=told) as error:
        table_columns(PEOPLE, columns, how, names)
    assert error.value.port == port and error.value.fix


def test_a_table_without_columns_is_refused():
    with pytest.raises(NodeError, match="no columns") as error:
        table_columns(Table((), ()), "a")
    assert error.value.port == "table"


# Twice


@pytest.mark.parametrize(
    ("columns", "keep", "expected"),
    [
        ("", "first", [0, 1, 3, 4, 5]),
        ("e-mail", "first", [0, 1, 3, 4]),
        ("e-mail", "last", [2, 3, 4, 5]),
        ("name, dogs and cats", "last", [2, 3, 4, 5]),
        ("name", "only duplicates", [0, 1, 2, 5]),
        ("", "only duplicates", [0, 2]),
    ],
)
def test_rows_that_are_there_twice_are_removed_or_found(columns, keep, expected):
    """The third row is the first in other letters, its number written otherwise; a missing address is like no other."""
    assert remove_duplicates(PEOPLE, columns, keep).rows == tuple(PEOPLE.rows[place] for place in expected)


@pytest.mark.parametrize(
    ("table", "columns", "port"),
    [(PEOPLE, "salary", "columns"), (Table(("a",), ()), "", "table"), (Table((), ()), "", "table")],
)
def test_rows_that_cannot_be_compared_are_said(table, columns, port):
    with pytest.raises(NodeError) as error:
        remove_duplicates(table, columns)
    assert error.value.port == port and error.value.fix


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        ("Sales of 2026\n\ncity,sold\nRome,3\nOslo,4\n", ("city", "sold"), ("Rome", 3)),
        ("Sales of May 3, 2026\nby week\ncity;sold\nRome;3\nOslo;4\n", ("city", "sold"), ("Rome", 3)),
        ("Umsätze;;\nOrt;Betrag;Tag\nRom;3;Mo\n", ("Ort", "Betrag", "Tag"), ("Rom", 3, "Mo")),
        (",value\n0,5\n1,6\n", ("", "value"), (0, 5)),
        ("a\n1,2\n3,4\n", ("a", "column 2"), (1, 2)),
        ("note\nwell\nill\n", ("note",), ("well",)),
        ("sep=;\ncity;sold\nRome;3\n", ("city", "sold"), ("Rome", 3)),
        ('name,said\nAna,"one\ntwo"\nBen,three\n', ("name", "said"), ("Ana", "one\ntwo")),
    ],
)
def test_a_title_above_a_table_of_text_is_none_of_its_columns(tmp_path, text, columns, first):
    (tmp_path / "a.csv").write_text(text, "utf-8")
    table = read_table(tmp_path / "a.csv", context=RunContext(tmp_path))
    assert table.columns == columns and table.rows[0] == first
