"""Tools that read, filter, sort and sum up tables, and draw them."""

from __future__ import annotations

import datetime
import json
import re

import numpy as np
import pytest

from nodes._support.files import codecs, facts
from nodes._support.tables import tables
from nodes._support.tables.chart_plot import Sheet, ticks
from nodes.api import NodeError, ResourceType, RunContext, Table
from nodes.text.chart import chart
from nodes.text.filter_table import filter_table
from nodes.text.predict_column import predict_column
from nodes.text.read_table import read_table
from nodes.text.sort_table import sort_table
from nodes.text.table_statistics import table_statistics

SALES = Table(
    ("City", "Price", "Sold on", "Is paid"),
    (
        ("Rome", 20, "2024-01-05", "yes"),
        ("Paris", 35.5, "2024-02-01", "no"),
        ("new rome", "1,200", "2023-12-31", "yes"),
        ("Berlin", None, "2024-03-01", ""),
        ("Madrid", 7, "2024-01-31", "no"),
    ),
)


def _cities(table):
    return [row[0] for row in table.rows]


CONDITIONS = {
    "price > 20": ["Paris", "new rome"],
    "Price is at least 20": ["Rome", "Paris", "new rome"],
    "price < 20": ["Madrid"],
    "price between 7 and 35.5 and city is not Rome": ["Paris", "Madrid"],
    "city contains rome": ["Rome", "new rome"],
    "city = ROME or city = berlin": ["Rome", "Berlin"],
    'where "City" starts with "new"': ["new rome"],
    "price is empty": ["Berlin"],
    "city in Rome, Madrid": ["Rome", "Madrid"],
    "sold on is after 2024-01-31": ["Paris", "Berlin"],
    "is paid is yes": ["Rome", "new rome"],
    "prce >= 1200": ["new rome"],
    "city does not contain e": ["Paris", "Madrid"],
    "price > 1000000": [],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_rows_that_fit_are_kept(condition):
    assert _cities(filter_table(SALES, condition)) == CONDITIONS[condition]


@pytest.mark.parametrize("condition", ["", "  ", "weight > 3", "nonsense", "price >< "])
def test_a_condition_that_cannot_be_read_names_its_port(condition):
    with pytest.raises(NodeError) as raised:
        filter_table(SALES, condition)
    assert raised.value.port == "condition"


def test_rows_are_sorted_as_numbers_with_empty_ones_last():
    assert _cities(sort_table(SALES, "price")) == ["Madrid", "Rome", "Paris", "new rome", "Berlin"]
    assert _cities(sort_table(SALES, "PRICE", True, 2)) == ["new rome", "Paris"]
    assert _cities(sort_table(SALES, "city")) == ["Berlin", "Madrid", "new rome", "Paris", "Rome"]
    with pytest.raises(NodeError) as raised:
        sort_table(SALES, "weight")
    assert raised.value.port == "column" and "City, Price" in raised.value.fix


def test_statistics_of_columns_are_exact():
    rows = {
        row[0]: dict(zip(table_statistics(SALES).columns, row, strict=True)) for row in table_statistics(SALES).rows
    }
    price = rows["Price"]
    assert price["kind"] == "number" and price["filled"] == 4 and price["empty"] == 1
    assert price["sum"] == 1262.5 and price["mean"] == 315.625 and price["median"] == 27.75
    assert price["smallest"] == 7 and price["largest"] == 1200
    assert price["deviation"] == pytest.approx(np.std([20, 35.5, 1200, 7], ddof=1))
    assert rows["City"]["kind"] == "text" and rows["City"]["mean"] is None and rows["Is paid"]["commonest"] == "yes"


NUMBERS = {
    "1,234.5": 1234.5, "1.234,5": 1234.5, "€ 3": 3.0, "40 %": 40.0, "-2": -2.0, "−2": -2.0, "1 000 000": 1e6,
    "0,5": 0.5, "12,345": 12345.0, "1e3": 1000.0, "1.234.567": 1234567.0, "abc": None, "": None,
    "1-2": None, "2024-01-05": None,
}  # fmt: skip


@pytest.mark.parametrize("written", NUMBERS)
def test_numbers_are_read_as_people_write_them(written):
    assert tables.number(written) == NUMBERS[written]


JSON = {
    "objects": [{"a": 1, "b": "x"}, {"a": 2, "c": [1, 2]}],
    "lists": [["a", "b"], [1, "x"], [2]],
    "columns and rows": {"columns": ["a", "b"], "rows": [[1, "x"], [2, None]]},
    "object of lists": {"a": [1, 2], "b": ["x"]},
    "wrapped": {"meta": 1, "items": [{"a": 1, "b": "x"}, {"a": 2}]},
}


@pytest.mark.parametrize("form", JSON)
def test_json_tables_of_every_form_are_read(form, tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps(JSON[form]), "utf-8")
    table = read_table(path)
    assert table.columns[:2] == ("a", "b") and [row[:2] for row in table.rows] == [(1, "x"), (2, None)]


def test_csv_tsv_and_json_lines_are_read(tmp_path):
    semicolons = tmp_path / "a.csv"
    semicolons.write_text("name;price\nMüller;3\nHuber;4.5\n", "cp1252")
    assert read_table(semicolons) == Table(("name", "price"), (("Müller", 3), ("Huber", 4.5)))
    semicolons.write_text("name;price;year\nMüller;1.234,5;2021\nHuber;18.250;\n", "utf-16")
    rows = (("Müller", "1.234,5", 2021), ("Huber", 18250, ""))
    assert read_table(semicolons) == Table(("name", "price", "year"), rows)
    semicolons.write_text("sep=|\na|b\n1,5|x\n", "utf-8")
    assert read_table(semicolons) == Table(("a", "b"), (("1,5", "x"),))
    tabs = tmp_path / "a.tsv"
    tabs.write_text("a\tb\n1\t\n", "utf-8")
    assert read_table(tabs).columns == ("a", "b")
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"a": 1}\n\n{"a": true}\n', "utf-8")
    assert read_table(lines) == Table(("a",), ((1,), ("true",)))


BROKEN = {
    "a.json": b'{"a": ', "b.json": b'"text"', "c.json": b"[1, 2]", "d.xlsx": b"PK\x03\x04", "e.csv": b"",
    "f.csv": b"\n\n", "g.csv": b"\x00\x01\x02\x00", "h.png": b"\x89PNG", "i.json": b"[" * 100_000, "j.json": b"[]",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_files_without_a_table_name_the_port(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    with pytest.raises(NodeError) as raised:
        read_table(path)
    assert raised.value.port == "file" and raised.value.fix


def test_axis_marks_are_round_and_span_the_values():
    assert ticks(0, 97, 5) == [0, 20, 40, 60, 80, 100]
    assert ticks(-0.3, 0.4, 4)[0] <= -0.3 and ticks(-0.3, 0.4, 4)[-1] >= 0.4
    assert len(ticks(5, 5, 4)) >= 2 and ticks(0, 0, 4)[0] < ticks(0, 0, 4)[-1]


def _columns_of(picture, colour):
    """Where a colour stands: x from left to right, and its height there in pixels."""
    near = np.abs(picture.astype(int) - np.array(colour)).sum(axis=2) < 40
    return near.sum(axis=0)


def test_bars_are_as_high_as_their_values():
    picture = chart(Table(("n", "v"), (("a", 10), ("b", 20), ("c", 40))), "bar", width=600, height=400)
    assert picture.shape == (400, 600, 3) and picture.dtype == np.uint8
    heights = _columns_of(picture, (88, 94, 224))
    edges = np.flatnonzero(np.diff((heights > 5).astype(int)))
    tops = [np.median(heights[a + 3 : b - 2]) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    assert len(tops) == 3
    assert tops[1] / tops[0] == pytest.approx(2, rel=0.12) and tops[2] / tops[0] == pytest.approx(4, rel=0.12)


def test_pie_slices_cover_their_share():
    picture = chart(Table(("n", "v"), (("a", 3), ("b", 1))), "pie", width=800, height=500)
    first = _columns_of(picture, (88, 94, 224))[:460].sum()
    second = _columns_of(picture, (217, 108, 44))[:460].sum()
    assert first / second == pytest.approx(3, rel=0.05)


_NARROW = 264
"""Pixels that a picture has in the narrowest usual chat."""
_LANDS = ("United States of America", "Germany", "China", "Brazil", "Japan")
_DAYS = tuple(f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(84))


@pytest.mark.parametrize(("kind", "names"), [("bar", _LANDS), ("pie", _LANDS), ("line", _DAYS), ("bar", _DAYS[:12])])
def test_the_words_of_a_chart_can_be_read_in_the_chat(kind, names, monkeypatch):
    drawn: list[tuple[float, str]] = []

    def text(sheet, x, y, text, *_, scale=1.0, **more):
        drawn.append((sheet.size * scale * _NARROW / sheet.width, text))

    monkeypatch.setattr(Sheet, "text", text)
    chart(Table(("name", "v"), tuple((name, 1_000_000 * (i + 7)) for i, name in enumerate(names))), kind)
    assert min(height for height, _ in drawn) >= 8.5
    told = {text for _, text in drawn}
    assert len(told & {*names}) >= min(len(names), 3), told
    assert sum("…" in text for text in told) <= 1, "at most the longest name is cut"


@pytest.mark.parametrize("kind", ["auto", "bar", "line", "pie", "scatter"])
def test_every_kind_draws_awkward_tables(kind):
    table = Table(("height", "weight"), tuple((150 + i, 50 + i * i) for i in range(12)))
    assert len(np.unique(chart(table, kind, width=300, height=200).reshape(-1, 3), axis=0)) > 10
    one = Table(("n", "v", "w"), (("中文名字", 5, 1),))
    assert chart(one, kind, width=300, height=200).shape == (200, 300, 3)


def test_a_column_of_years_names_the_rows_of_a_line_chart():
    table = Table(("Year", "Degrees"), tuple((1990 + i, 14 + i / 10) for i in range(20)))
    picture = chart(table, width=600, height=400)
    assert np.array_equal(picture, chart(table, "line", "Degrees", "Year", width=600, height=400))
    rows = [
        np.flatnonzero(np.abs(picture[:, x].astype(int) - (88, 94, 224)).sum(axis=1) < 60).mean() for x in (150, 500)
    ]
    assert rows[1] < rows[0] - 100, "it rises"


def test_negative_values_and_gaps_are_drawn():
    table = Table(
        ("name that is much longer than a bar is wide", "v"),
        (("first with a long name here", -5), ("second with a long name", None), ("third with a long name here", 4)),
    )
    assert _columns_of(chart(table, "bar", width=300, height=300), (88, 94, 224)).sum() > 100
    assert (
        _columns_of(chart(Table(("n", "v", "w"), (("a", -5, 1), ("b", None, 2), ("c", 4, 3)))), (88, 94, 224)).sum()
        > 100
    )


UNFIT = (
    (Table(("n",), (("a",), ("b",))), {}, "table"),
    (Table(("n", "v"), ()), {}, "table"),
    (Table((), ()), {}, "table"),
    (Table(("n", "v"), tuple((f"r{i}", i) for i in range(61))), {"kind": "bar"}, "table"),
    (Table(("n", "v"), (("a", -1), ("b", 2))), {"kind": "pie"}, "table"),
    (Table(("n", "v"), (("a", 1), ("b", 2))), {"kind": "scatter"}, "table"),
    (Table(("n", "v"), (("a", 1), ("b", 2))), {"values": "n"}, "values"),
    (Table(("n", "v"), (("a", 1), ("b", 2))), {"names": "weight"}, "names"),
)


@pytest.mark.parametrize(("table", "values", "port"), UNFIT[:5] + UNFIT[6:])
def test_what_cannot_be_drawn_names_its_port(table, values, port):
    with pytest.raises(NodeError) as raised:
        chart(table, **values)
    assert raised.value.port == port


def test_a_table_that_is_too_large_is_refused_before_it_is_read(tmp_path, monkeypatch):
    large = tmp_path / "large.csv"
    with open(large, "wb") as file:
        file.write(b"a,b\n")
        file.truncate(codecs.MOST_TABLE_BYTES + 1)
    monkeypatch.setattr(codecs, "encoding_of", lambda path: pytest.fail("it was read"))
    for read in (lambda: codecs.decode(large, ResourceType.TABLE), lambda: facts.facts_of(large, ResourceType.TABLE)):
        with pytest.raises((NodeError, ValueError), match="400 MB"):
            read()


def test_cells_that_are_written_alike_are_kept_once(tmp_path):
    words = "a cell of some length"
    (tmp_path / "t.csv").write_text("a,b\n" + f"{words},1.5\n" * 3 + "1,01\n", "utf-8")
    rows = codecs.decode(tmp_path / "t.csv", ResourceType.TABLE).rows
    assert rows == ((words, 1.5),) * 3 + ((1, "01"),)
    assert len({id(row[0]) for row in rows}) == 2 and len({id(row[1]) for row in rows[:3]}) == 1


def test_of_a_large_file_only_the_cells_are_in_memory(tmp_path):
    import tracemalloc

    path = tmp_path / "t.csv"
    path.write_text("id,note\n" + "".join(f"{n},{n} of München{' and on' * 300}\n" for n in range(2000)), "utf-8")
    tracemalloc.start()
    table = codecs.decode(path, ResourceType.TABLE)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.rows[-1][0] == 1999 and table.rows[-1][1].startswith("1999 of München and on")
    assert most - held < 0.5 * path.stat().st_size, "the text of the file, in letters of four bytes, lay beside them"


@pytest.mark.parametrize("rows", [(), ((1, "ü"),), tuple((n, None, f"{n}") for n in range(12_001))])
def test_a_table_is_kept_as_one_piece_of_json_would_be(rows):
    table = Table(("a", "b"), rows)
    pieces = list(codecs.encoded(table, ResourceType.TABLE))
    assert b"".join(pieces) == json.dumps(codecs.to_json(table), ensure_ascii=False).encode()
    assert max(map(len, pieces)) < 200_000


def test_statistics_count_a_value_as_often_as_it_stands():
    column = [3, "", 1, 3, None, "2", 3.0, float("nan")]
    row = dict(zip(*_statistics(column), strict=True))
    assert (row["filled"], row["empty"], row["different"]) == (5, 3, 3)
    assert (row["smallest"], row["largest"], row["sum"], row["mean"], row["median"]) == (1, 3, 12, 2.4, 3)
    assert row["deviation"] == pytest.approx(0.8944271910) and row["commonest"] == 3


def test_statistics_of_values_that_never_repeat_take_no_more_than_the_table():
    import tracemalloc

    tracemalloc.start()
    table = Table(("id", "word", "none"), tuple((n, f"Word {n}", None) for n in range(60_000)))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    made = table_statistics(table)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert made.rows[0][:8] == ("id", "number", 60_000, 0, 60_000, 0, 59_999, 1_799_970_000)
    assert made.rows[1] == ("word", "text", 60_000, 0, 60_000, "Word 0", "Word 9999", *[None] * 4, "Word 0")
    assert made.rows[2] == ("none", "text", 0, 60_000, 0, *[None] * 7)
    assert most - held < held


def test_the_first_and_last_word_are_those_of_the_alphabet_whatever_their_case():
    row = dict(zip(*_statistics(["b", "C", "a", "A", "c", None]), strict=True))
    assert (row["smallest"], row["largest"]) == ("a", "c")


def test_the_smallest_date_is_the_first_in_time():
    row = dict(zip(*_statistics(["12/25/2024", "01/02/2025", "07/04/2024", "2/3/2025", ""]), strict=True))
    assert (row["kind"], row["smallest"], row["largest"]) == ("text", "07/04/2024", "2/3/2025")


AMOUNTS = {
    "EUR 12.50": 12.5, "1.200,00 EUR": 1200, "CHF 1'200.50": 1200.5, "($30.00)": -30, "(1,200.00)": -1200,
    "30,00-": -30, "-$5.25": -5.25, "US$ 12": 12, "1 200,5 zł": 1200.5, "50 kr": 50, "-12 EUR": -12,
    "(2)": None, "30-": None, "(30.00": None, "A 12": None, "12 kg": None, "2024-": None, "USD": None,
}  # fmt: skip


@pytest.mark.parametrize("cell", AMOUNTS)
def test_amounts_are_numbers_as_banks_write_them(cell):
    assert tables.number(cell) == AMOUNTS[cell]


def test_a_column_of_an_account_is_summed_up():
    row = dict(zip(*_statistics(["1,200.00 USD", "(30.00)", "USD 7", "-$5"]), strict=True))
    assert (row["kind"], row["sum"], row["smallest"]) == ("number", 1172, -30)


def _statistics(cells):
    made = table_statistics(Table(("a",), tuple((cell,) for cell in cells)))
    return made.columns, made.rows[0]


def test_rows_and_columns_of_a_file_are_counted_as_they_are_read(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n\n2,y,more\n", "utf-8")
    table = codecs.decode(tmp_path / "t.csv", ResourceType.TABLE)
    assert facts.facts_of(tmp_path / "t.csv", ResourceType.TABLE) == {"rows": 2, "columns": 3}
    assert (len(table.rows), len(table.columns)) == (2, 3)


def test_numbers_are_not_compared_with_words():
    table = Table(("name", "population"), (("a", 5), ("b", None), ("c", "7")))
    with pytest.raises(NodeError, match="holds numbers") as caught:
        filter_table(table, "population is large")
    assert caught.value.port == "condition"
    assert filter_table(table, "population is 7").rows == (("c", "7"),)
    assert filter_table(table, "name is large").rows == ()
    with pytest.raises(NodeError, match="many"):
        filter_table(table, "population > many")


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("people > 60 million", ["a", "b"]),
        ("people < 60 Millionen Menschen", ["c"]),
        ("people between 5 million and 0.07 billion", ["b", "c"]),
        ("people is 67 Mio.", ["b"]),
        ("people < 6,7 thousand", []),
        ("people > 6万", ["a", "b", "c"]),
        ("people > 1亿", []),
    ],
)
def test_numbers_of_a_condition_are_read_as_people_say_them(condition, names):
    table = Table(("name", "people"), (("a", 83_000_000), ("b", "67,000,000"), ("c", 5_000_000)))
    assert [row[0] for row in filter_table(table, condition).rows] == names


def _flowers(count=120):
    """Rows of three kinds; one in ten does not say which."""
    kinds = ("iris", "rose", "lily")
    draw = np.random.default_rng(0)
    rows = [
        (f"f{i}", float(draw.normal(2 * (i % 3), 0.8)), ("blue", "red", "white")[i % 3 if draw.random() < 0.7 else 0],
         float(draw.normal()), None if i % 10 == 0 else kinds[i % 3])
        for i in range(count)
    ]  # fmt: skip
    return Table(("id", "length", "colour", "noise", "kind"), tuple(rows)), [kinds[i % 3] for i in range(count)]


def test_the_gaps_of_a_column_are_filled_by_alike_rows_and_how_often_that_is_right_is_said(tmp_path):
    given, truth = _flowers()
    filled, said = predict_column(given, "kind", context=RunContext(tmp_path))
    gaps = range(0, len(truth), 10)
    right = sum(filled.rows[i][4] == truth[i] for i in gaps) / len(gaps)
    told = float(re.search(r"right in (\d+)%", said)[1]) / 100
    assert right > 0.6 and abs(right - told) < 0.3 and "in 33%" in said and "108 known rows" in said
    assert all(one[:4] == other[:4] for one, other in zip(given.rows, filled.rows, strict=True))
    assert all(filled.rows[i][4] == truth[i] for i in range(len(truth)) if i not in gaps)
    line = Table(("x", "y"), tuple((i / 10, None if i == 50 else 3 * i) for i in range(100)))
    filled, said = predict_column(line, "y", context=RunContext(tmp_path))
    assert abs(filled.rows[50][1] - 150) < 5 and "wrong by" in said


def test_no_column_is_foretold_from_nothing(tmp_path):
    given, _ = _flowers()
    few = Table(given.columns, given.rows[:8])
    names = Table(("id", "kind"), tuple((row[0], row[4]) for row in given.rows))
    for table in (few, names):
        with pytest.raises(NodeError) as raised:
            predict_column(table, "kind", context=RunContext(tmp_path))
        assert raised.value.port == "table" and raised.value.fix


DAYS = Table(
    ("bought", "what", "amount"),
    (
        ("05.01.2025", "bread", 4),
        ("02.03.2025", "lamp", 30),
        ("15.03.2025", "ticket", 120),
        ("09.09.2025", "shoes", 65),
    ),
)


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("only the first half of the year", "bread lamp ticket"), ("rows from March on", "lamp ticket shoes"),
        ("ab März", "lamp ticket shoes"), ("3月以后", "lamp ticket shoes"), ("in March", "lamp ticket"),
        ("not in March", "bread shoes"), ("bought before 10.3.2025", "bread lamp"),
        ("bought > 2 March 2025", "ticket shoes"),
        ("between 1 March and 10 September", "lamp ticket shoes"), ("bought != 02.03.2025", "bread ticket shoes"),
        ("Q3 2025", "shoes"), ("weekends", "bread lamp ticket"), ("in March and amount > 50", "ticket"),
        ("下半年", "shoes"),
    ],
)  # fmt: skip
def test_rows_are_kept_by_when_they_were(condition, kept):
    found = filter_table(DAYS, condition)
    assert [row[1] for row in found.rows] == kept.split()


def test_this_year_is_that_of_today():
    today = datetime.date.today()
    table = Table(DAYS.columns, (*DAYS.rows, (today.strftime("%d.%m.%Y"), "new", 1)))
    assert [row[1] for row in filter_table(table, "only this year").rows] == ["new"]
    assert [row[1] for row in filter_table(table, "in den letzten 3 Tagen").rows] == ["new"]
    assert filter_table(table, "tomorrow").rows == ()
