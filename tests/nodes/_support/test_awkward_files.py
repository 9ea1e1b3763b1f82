"""Documents and tables as offices send them: nothing in them is lost or changed without a word."""

from __future__ import annotations

import io
import math
from decimal import Decimal
from pathlib import Path

import pytest
import xlsxwriter
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from nodes._support.files import codecs
from nodes._support.tables import tables
from nodes.api import NodeError, ResourceType, RunContext, Table
from nodes.text.read_document import read_document
from nodes.text.read_table import read_table
from tests.nodes.av_media import run

_RUSSIAN, _JAPANESE = "Привет мир", "これは日本語のテキストです。東京は大きな都市です。"


@pytest.fixture
def context(tmp_path: Path) -> RunContext:
    return RunContext(tmp_path)


@pytest.mark.parametrize(
    ("written", "read"),
    [("01067", "01067"), ("+4935112345", "+4935112345"), ("007", "007"), ("12E3", "12E3"), ("1_000", "1_000"),
     ("0", 0), ("0.5", 0.5), ("-0.5", -0.5), ("1.5e-05", 1.5e-05), ("+12", 12), ("10", 10)],
)  # fmt: skip
def test_codes_keep_the_zeros_before_them_and_numbers_are_numbers(tmp_path: Path, written: str, read: object):
    (tmp_path / "a.csv").write_text(f"name,code\na,{written}\n", "utf-8")
    assert read_table(tmp_path / "a.csv").rows == (("a", read),)
    (tmp_path / "b.csv").write_text(f'name;code;price\na;{written};"1.234,56"\n', "utf-8")
    if "." not in written:
        assert read_table(tmp_path / "b.csv").rows == (("a", read, "1.234,56"),)


def _book(path: Path, fill) -> Path:
    with xlsxwriter.Workbook(path) as book:
        fill(book.add_worksheet(), book)
    return path


def test_merged_cells_say_the_same_in_every_row_and_heads_of_two_lines_become_one(tmp_path: Path):
    def fill(page, book):
        page.merge_range("A1:C1", "Sales of both years", book.add_format())
        page.merge_range("A2:A3", "Region", book.add_format())
        page.merge_range("B2:C2", "Year", book.add_format())
        page.write_row("B3", (2025, 2026))
        page.merge_range("A4:A5", "North", book.add_format())
        page.write_row("B4", (1, 2))
        page.write_row("B5", (3, 4))

    table = read_table(_book(tmp_path / "a.xlsx", fill))
    assert table.columns == ("Region", "Year 2025", "Year 2026")
    assert table.rows == (("North", 1, 2), ("North", 3, 4))


def test_formulas_without_results_are_told(tmp_path: Path, context: RunContext):
    def fill(page, _):
        page.write_row("A1", ("price", "twice", "thrice"))
        page.write_number("A2", 4)
        page.write_formula("B2", "=A2*2", value="")
        page.write_formula("C2", "=A2*3", value=12)

    assert read_table(_book(tmp_path / "a.xlsx", fill), context=context).rows == ((4, None, 12),)
    assert [str(said) for said in context.told] == [
        "a.xlsx has 1 formulas without results: open and save it in a spreadsheet program to have them."
    ]


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.txt", _JAPANESE.encode("iso2022_jp"), _JAPANESE),
        ("a.txt", _JAPANESE.encode("utf-32"), _JAPANESE),
        ("a.html", f"<meta charset='koi8-r'><p>{_RUSSIAN}</p>".encode("koi8-r"), _RUSSIAN),
        ("a.html", "<meta charset=latin-1><p>Größe “10”</p>".encode("cp1252"), "Größe “10”"),
        ("a.html", "<meta charset=latin-1><p>Größe</p>".encode(), "Größe"),
        ("a.html", "<?xml version='1.0' encoding='gb2312'?><p>价格，喆</p>".encode("gb18030"), "价格，喆"),
    ],
)
def test_texts_are_read_in_the_encoding_that_they_tell(tmp_path: Path, context: RunContext, name, data, text):
    (tmp_path / name).write_bytes(data)
    assert read_document(tmp_path / name, context=context).strip() == text


def test_an_empty_spreadsheet_is_empty_and_not_damaged(tmp_path: Path, context: RunContext):
    with pytest.raises(NodeError, match=r"There is no text in a\.xlsx"):
        read_document(_book(tmp_path / "a.xlsx", lambda page, book: None), context=context)


def _stamped(path: Path, size: tuple[int, int]) -> Path:
    """A PDF of one page: a picture with an invoice in it, and a line that was written over it later."""
    page = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(38)
    for line, text in enumerate(("Invoice number 4711", "Please pay in March")):
        pen.text((60, 60 + 90 * line), text, "black", font)
    page.save(stream := io.BytesIO(), "PDF", resolution=100)
    writer = PdfWriter(clone_from=PdfReader(stream))
    stamp = DecodedStreamObject()
    stamp.set_data(b"BT /F 12 Tf 20 20 Td (Page 1 of 1) Tj ET")
    over = writer.pages[0]
    kind = {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica")}  # fmt: skip
    over["/Resources"][NameObject("/Font")] = DictionaryObject({NameObject("/F"): DictionaryObject(kind)})
    data = over.get_contents().get_data() + b"\n" + stamp.get_data()
    stamp.set_data(data)
    over[NameObject("/Contents")] = writer._add_object(stamp)
    writer.write(path)
    return path


def test_a_scan_with_a_stamp_on_it_is_read_as_a_whole(tmp_path: Path, context: RunContext):
    read = read_document(_stamped(tmp_path / "a.pdf", (900, 1270)), context=context)
    assert read.splitlines() == ["Invoice number 4711", "Please pay in March", "Page 1 of 1"]


def test_a_photograph_on_a_page_that_has_its_text_is_not_read(tmp_path: Path, context: RunContext):
    assert read_document(_stamped(tmp_path / "a.pdf", (1270, 300)), context=context) == "Page 1 of 1"


def test_a_space_behind_each_comma_is_part_of_no_cell(tmp_path: Path):
    (tmp_path / "a.csv").write_text('name, city, note\nAna, Bern, "one, two"\nBen,  Chur, \n')
    table = codecs.decode(tmp_path / "a.csv", ResourceType.TABLE)
    assert table.columns == ("name", "city", "note")
    assert [tuple(map(str, row)) for row in table.rows] == [("Ana", "Bern", "one, two"), ("Ben", "Chur", "")]


def test_names_that_computers_take_for_numbers_stay_names(tmp_path: Path):
    (tmp_path / "a.csv").write_text("name,value\nNan,1\nInf,NaN\nInfinity,3\n")
    (first, _), (second, lacking), (third, _) = codecs.decode(tmp_path / "a.csv", ResourceType.TABLE).rows
    assert (first, second, third) == ("Nan", "Inf", "Infinity") and math.isnan(lacking)


def test_large_sums_keep_their_cents_in_whatever_order_they_are_added(tmp_path: Path):
    cents = [(i * 7_919_113) % 9_999_999 for i in range(40_000)]
    table = Table(("city", "amount"), tuple(("Bern" if i % 2 else "Chur", cent / 100) for i, cent in enumerate(cents)))
    exact = {city: Decimal(sum(cents[start::2])) / 100 for city, start in (("Chur", 0), ("Bern", 1))}
    found = dict(run("group_table", table, "city", folder=tmp_path).rows)
    assert {city: Decimal(str(total)) for city, total in found.items()} == exact


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [(1234567.5, 6, "1234568"), (98765432.1, 4, "98765432"), (0.25, 6, "0.25"), (1833278333.7, 10, "1833278333.7"),
     (1e20, 6, "1e+20"), (-1234567.891, 12, "-1234567.891"), (0.00001234, 6, "1.234e-05")],
)  # fmt: skip
def test_numbers_are_shown_as_people_write_them(value: float, digits: int, said: str):
    assert tables.shown(value, digits) == said
