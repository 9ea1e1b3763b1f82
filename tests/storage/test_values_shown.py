"""Texts, tables and other values are read for showing by another process, and no more of them than is shown."""

from __future__ import annotations

import json

import pytest

from desktop_app.storage import decoding
from desktop_app.storage.decoding import process
from nodes._support.documents import converting
from nodes._support.files import codecs
from nodes._support.tables import workbooks
from nodes.api import Box, ResourceType, Table

T = ResourceType
LARGE = 4 << 30
"""Bytes: more than the process that reads may have of memory."""


@pytest.fixture(autouse=True)
def own_decoders(monkeypatch):
    mine = process._Decoders(1)
    monkeypatch.setattr(process, "_decoders", mine)
    yield mine
    mine.end()


def large(path, beginning: bytes):
    """A file with that beginning and nothing but holes after it."""
    path.write_bytes(beginning)
    with path.open("ab") as file:
        file.truncate(LARGE)
    return path


@pytest.mark.parametrize(
    ("type", "value"),
    [
        (T.TEXT, "words\nÄ 三"), (T.NUMBER, 2.5), (T.NUMBER, 7), (T.FLAG, True),
        (T.TABLE, Table(("a", "b"), ((1, "x"), (None, 2.5)))), (T.BOXES, (Box(1, 2, 3, 4, "cup", 0.5),)),
        (T.POINTS, ()),
    ],
)  # fmt: skip
def test_a_value_comes_as_it_is(tmp_path, type, value):
    data, suffix = codecs.encode(value, type)
    (tmp_path / f"x{suffix}").write_bytes(data)
    assert decoding.value(tmp_path / f"x{suffix}", type) == (value, False)


def test_of_a_document_its_text_comes_of_a_workbook_its_table_and_of_a_pdf_its_first_page(tmp_path):
    table = Table(("a", "b"), ((1, "x"), (2, "y")))
    for name, data, shown, cut in (
        ("x.docx", converting.text_as("Dear all,\n\nthank you.", "docx"), "Dear all,\n\nthank you.", False),
        ("x.ods", workbooks.content(table, ".ods"), table, False),
        ("x.pdf", converting.text_as("First page.\n\n" + "Next. \n\n" * 120, "pdf"), "First page.", True),
    ):
        (tmp_path / name).write_bytes(data)
        value, more = decoding.value(tmp_path / name, T.FILE)
        assert (value.split("\nNext")[0] if cut else value) == shown and more == cut


@pytest.mark.parametrize("name", ["x.bin", "x.docx", "x.xlsx", "x.pdf"])
def test_of_a_file_that_is_no_document_nothing_comes(tmp_path, name):
    (tmp_path / name).write_bytes(b"%PDF-" if name == "x.pdf" else b"\0\1\2")
    with pytest.raises(decoding.Unreadable):
        decoding.value(tmp_path / name, T.FILE)


def test_of_a_very_large_text_the_beginning_comes(tmp_path):
    value, cut = decoding.value(large(tmp_path / "x.txt", "三".encode() * 700_000), T.TEXT)
    assert cut and value == "三" * 400_000


def test_a_character_that_is_cut_in_two_does_not_change_the_others(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"a" + "三".encode() * 600_000)
    assert decoding.value(tmp_path / "x.txt", T.TEXT).value[:5] == "a三三三三"


def test_of_a_very_large_table_the_beginning_comes(tmp_path):
    value, cut = decoding.value(large(tmp_path / "x.csv", b"a,b\n" + b"1,two\n" * 1_500_000), T.TABLE)
    assert cut and value.columns == ("a", "b") and len(value.rows) == 10_000 and set(value.rows) == {(1, "two")}


def test_of_a_line_without_end_the_beginning_comes(tmp_path):
    value, cut = decoding.value(large(tmp_path / "x.csv", b"x" * 9_000_000), T.TABLE)
    assert cut and value.columns == ("x" * 2000,) and value.rows == ()


def test_of_very_many_columns_the_first_come(tmp_path):
    (tmp_path / "x.csv").write_text(",".join(map(str, range(50_000))) + "\n" + ",".join(["1"] * 60_000))
    value, cut = decoding.value(tmp_path / "x.csv", T.TABLE)
    assert cut and len(value.columns) == len(value.rows[0]) == 2000


def test_a_table_of_lines_is_the_same_as_the_one_that_tools_get(tmp_path):
    (tmp_path / "x.csv").write_text('name;n\n"tea;green";1\n\nlong;2;3\nshort\n')
    assert decoding.value(tmp_path / "x.csv", T.TABLE) == (codecs.decode(tmp_path / "x.csv", T.TABLE), False)


BAD = {
    "deep": (T.TABLE, b"[" * 200_000),
    "no table": (T.TABLE, b'{"columns": 5}'),
    "not finite": (T.BOXES, b"[[NaN, 1, 2, Infinity]]"),
    "empty": (T.TABLE, b""),
}


@pytest.mark.parametrize("name", BAD)
def test_what_makes_no_sense_is_a_sentence(tmp_path, name):
    type, data = BAD[name]
    (tmp_path / "x.json").write_bytes(data)
    with pytest.raises(decoding.Unreadable, match=r"\w"):
        decoding.value(tmp_path / "x.json", type)


def test_what_is_no_plain_cell_is_shown_as_it_is_written(tmp_path):
    (tmp_path / "x.json").write_text('{"columns": ["a", {}], "rows": [[' + "[" * 900 + "]" * 900 + ', {"x": 1}]]}')
    value = decoding.value(tmp_path / "x.json", T.TABLE).value
    assert value.columns == ("a", "{}") and value.rows == (("[" * 900 + "]" * 900, "{'x': 1}"),)


def test_json_that_is_too_large_is_a_sentence(tmp_path):
    path = large(tmp_path / "x.json", b'{"columns": [], "rows": []}')
    with pytest.raises(decoding.Unreadable, match="4,295 MB, and only values of up to 64 MB are shown"):
        decoding.value(path, T.TABLE)


def test_a_huge_number_is_shown_as_it_is_written(tmp_path):
    (tmp_path / "x.csv").write_text("n\n" + "9" * 400 + "\n1e999\n")
    assert [row[0] for row in decoding.value(tmp_path / "x.csv", T.TABLE).value.rows] == ["9" * 400, "1e999"]


LIES = ["[[[", '{"columns": ["a"], "rows": [[[[]]]]}', '{"columns": [1], "rows": 5}', "[[NaN, 1, 2, 3]]", "9" * 400]


@pytest.mark.parametrize("type", [T.TABLE, T.BOXES, T.NUMBER, T.TEXT])
@pytest.mark.parametrize("lie", LIES)
def test_a_process_that_was_taken_over_is_not_believed(tmp_path, monkeypatch, type, lie):
    monkeypatch.setattr(decoding, "ask", lambda *_: ({"cut": 5}, bytearray(lie, "ascii")))
    with pytest.raises(decoding.Unreadable, match="makes no sense"):
        decoding.value(tmp_path / "x", type)


def test_nothing_is_read_in_this_process(tmp_path, monkeypatch):
    def read_here(*_):
        raise AssertionError

    monkeypatch.setattr(codecs, "decode", read_here)
    monkeypatch.setattr(codecs, "text_of", read_here)
    (tmp_path / "x.csv").write_text("a\n1\n")
    assert decoding.value(tmp_path / "x.csv", T.TABLE).value == Table(("a",), ((1,),))


def test_shown_values_stay_within_what_the_window_reads_at_once(tmp_path):
    rows = [["x" * 5000] * 10] * 400
    (tmp_path / "x.json").write_text(json.dumps({"columns": list("abcdefghij"), "rows": rows}))
    value, cut = decoding.value(tmp_path / "x.json", T.TABLE)
    assert cut and sum(len(cell) for row in value.rows for cell in row) <= 4_000_000
