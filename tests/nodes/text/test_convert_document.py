"""Documents are turned into other forms, and what they are made of comes along."""

from __future__ import annotations

import base64
import io
import stat
import zipfile
from pathlib import Path

import docx
import numpy as np
import pypdfium2.raw as raw
import pytest
import xlsxwriter

from nodes import load_tools
from nodes._support.documents import blocks, documents, office, pdf_files
from nodes._support.imaging import typeset
from nodes.api import NodeError, RunContext, Table
from nodes.text.read_table import read_table
from tests.nodes.text.test_pdf_files import written

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"
TOOL = load_tools().tools["convert_document"]
WRITE = load_tools().tools["write_document"].backends[0].run
LETTER = """# Grüße aus Köln

Ein **fetter** und *schräger* Satz mit [Link](https://example.org/a).

- erstens
- zweitens

1. one
2. two

| Name | Größe |
| --- | --- |
| Äpfel | 3 |

> So ist es.
"""


def converted(file: Path, form: str) -> Path:
    return TOOL.backends[0].run(file, form, context=RunContext(file.parent))


@pytest.fixture
def letter(tmp_path):
    path = tmp_path / "letter.md"
    path.write_text(LETTER, "utf-8")
    return path


def kinds(file: Path) -> list[tuple[str, int]]:
    return [(block.kind, block.number) for block in blocks.of_file(file, RunContext(file.parent))]


@pytest.mark.parametrize("form", ["docx", "odt", "html"])
def test_all_kinds_of_blocks_come_through(letter, form):
    made = converted(letter, form).rename(letter.with_name(f"there.{form}"))
    back = converted(made, "md").read_text("utf-8")
    assert back.startswith("# Grüße aus Köln\n\nEin ")
    assert "[Link](https://example.org/a)" in back or form == "odt"
    assert "- erstens\n- zweitens" in back and "| Äpfel | 3 |" in back and "So ist es." in back
    if form != "odt":
        assert "**fetter** und *schräger*" in back and "1. one\n2. two" in back and "> So ist es." in back


def test_a_pdf_has_text_that_can_be_searched_links_and_a_title(letter):
    from pypdf import PdfReader

    made = converted(letter, "pdf")
    text = documents.text_of(made, "", RunContext(letter.parent))
    assert "Grüße aus Köln" in text and "Äpfel" in text and "2. two" in text.replace("\n", " ")
    reader = PdfReader(made)
    assert reader.metadata.title == "Grüße aus Köln"
    assert [note.get_object()["/A"]["/URI"] for note in reader.pages[0]["/Annots"]] == ["https://example.org/a"]
    assert made.stat().st_size < 100_000, "only the letters that are used are in it"


def test_a_long_table_has_its_names_on_each_page(tmp_path):
    from pypdf import PdfReader

    table = Table(("Number", "Word"), tuple((n, "word " * (n % 30)) for n in range(120)))
    made = WRITE("", table, "Many", "A4", "pdf", context=RunContext(tmp_path))
    pages = [page.extract_text() for page in PdfReader(made).pages]
    assert len(pages) > 2 and all("Number" in page and "Word" in page for page in pages)
    assert "Many" in pages[0] and "119" in pages[-1]


def test_chinese_is_printed_where_a_font_has_it_and_refused_in_words_where_none_has(tmp_path):
    (tmp_path / "a.txt").write_text("你好，世界。", "utf-8")
    if typeset.missing("你好世界"):
        with pytest.raises(NodeError, match="你"):
            converted(tmp_path / "a.txt", "pdf")
        return
    assert "你好，世界" in documents.text_of(converted(tmp_path / "a.txt", "pdf"), "", RunContext(tmp_path))


@pytest.mark.parametrize("form", ["pdf", "odt", "html", "md"])
def test_pictures_of_a_word_document_come_along(tmp_path, form):
    from docx import Document
    from PIL import Image
    from pypdf import PdfReader

    stream = io.BytesIO()
    Image.new("RGB", (80, 60), "red").save(stream, "PNG")
    document = Document()
    document.add_paragraph("Before")
    stream.seek(0)
    document.add_picture(stream)
    document.save(str(tmp_path / "a.docx"))
    made = converted(tmp_path / "a.docx", form)
    if form == "pdf":
        assert len(PdfReader(made).pages[0].images) == 1
    elif form == "html":
        assert ("picture", 0) in kinds(made)
    assert form != "odt" or b"Pictures/1.png" in made.read_bytes()


def test_a_pdf_becomes_a_word_document(tmp_path):
    made = converted(written(tmp_path / "a.pdf", "The first page", "The second page"), "docx")
    text = documents.text_of(made, "", RunContext(tmp_path))
    assert "The first page" in text and "The second page" in text


STRUCTURED = """# The orchard

The committee met on Tuesday evening and talked about the **orchard** behind the school, which nobody has looked after \
since the spring, and about the pipe that has to be repaired before winter comes.

## What to bring

- gloves and boots
- a ladder, if you have one that is long enough for the old pear tree at the far end of the field, where the ground is \
wet

1. Cut the grass
2. Prune the trees

## Prices

| Tree | Height | Price |
| --- | --- | --- |
| Apple | 120 cm | 24.50 |
| Pear | 140 cm | 29.00 |
| Plum | 90 cm | 19.90 |

The next meeting is on 10 December.
"""


@pytest.mark.parametrize("source", ["docx", "html"])
def test_a_pdf_keeps_headings_lists_tables_and_bold_words(tmp_path, source):
    (tmp_path / "a.md").write_text(STRUCTURED, "utf-8")
    made = converted(converted(tmp_path / "a.md", source).rename(tmp_path / f"b.{source}"), "pdf")
    back = converted(made.rename(tmp_path / "c.pdf"), "md").read_text("utf-8")
    assert "# The orchard\n\nThe committee met on Tuesday evening" in back and "the **orchard** behind" in back
    assert "## What to bring\n" in back and "## Prices\n" in back
    assert "- gloves and boots\n- a ladder, if you have one" in back and "where the ground is wet\n" in back
    assert "1. Cut the grass\n2. Prune the trees" in back
    assert "| Tree | Height | Price |" in back and "| Plum | 90 cm | 19.90 |" in back
    assert back.rstrip().endswith("The next meeting is on 10 December.")


def test_a_pdf_keeps_its_pictures_and_a_scanned_page_is_read(tmp_path):
    from PIL import Image

    red = np.full((120, 200, 3), (200, 30, 30), np.uint8)
    Image.fromarray(red).save(tmp_path / "red.png")
    (tmp_path / "a.html").write_text(
        "<h1>Report</h1><p>Above the picture.</p>"
        f"<img src='data:image/png;base64,{base64.b64encode((tmp_path / 'red.png').read_bytes()).decode()}'>"
        "<p>Below the picture.</p>",
        "utf-8",
    )
    made = converted(converted(tmp_path / "a.html", "pdf"), "docx")
    found = [(block.kind, block.text) for block in blocks.of_file(made, RunContext(tmp_path))]
    assert found == [
        ("heading", "Report"), ("paragraph", "Above the picture."), ("picture", ""), ("paragraph", "Below the picture.")
    ]  # fmt: skip
    scan = np.asarray(Image.open(EXAMPLES / "receipt.png").convert("RGB"))
    pdf_files.write([scan], None, 0, tmp_path / "scan.pdf")
    assert "total" in converted(tmp_path / "scan.pdf", "txt").read_text("utf-8").lower()


def test_a_page_loads_nothing_and_runs_nothing(tmp_path):
    (tmp_path / "a.html").write_text(
        "<p>Shown<img src='http://127.0.0.1:9/x.png'><script>alert(1)</script><a href='javascript:x'>go</a></p>",
        "utf-8",
    )
    made = converted(tmp_path / "a.html", "md").read_text("utf-8")
    assert made == "Showngo\n"


@pytest.mark.parametrize("form", ["pdf", "docx", "odt", "html", "txt"])
@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.epub", "a.zip", "a.doc", "a.xlsx"])
def test_rubbish_names_the_file(tmp_path, name, form):
    (tmp_path / name).write_bytes(b"rubbish \x00\x01" * 50)
    if name == f"a.{form}":
        return
    with pytest.raises(NodeError) as raised:
        converted(tmp_path / name, form)
    assert raised.value.port == "file" and raised.value.fix


def test_the_form_that_it_has_is_refused(letter):
    with pytest.raises(NodeError, match="already") as raised:
        converted(letter, "md")
    assert raised.value.port == "format"


def test_letters_that_no_document_may_hold_are_left_out(tmp_path):
    (tmp_path / "a.txt").write_text("a\x0cb \x01c", "utf-8")
    for form in ("docx", "odt", "pdf", "html"):
        assert converted(tmp_path / "a.txt", form).stat().st_size


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program of that name that writes what it was called with."""
    folder = tmp_path / "bin"
    folder.mkdir()
    path = folder / "soffice"
    path.write_text(
        '#!/bin/sh\nwhile [ "$1" != --outdir ]; do shift; done\n'
        'case "$3" in *bad*) exit 0;; esac\necho made > "$2/letter.pdf"\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="a shell is needed")
def test_libreoffice_is_called_with_a_profile_of_its_own(program, letter):
    document = converted(letter, "docx").rename(letter.with_name("letter.docx"))
    assert office.converted(document, "pdf", RunContext(letter.parent)).read_text() == "made\n"
    bad = document.rename(letter.with_name("bad.docx"))
    with pytest.raises(NodeError, match=r"bad\.docx"):
        office.converted(bad, "odt", RunContext(letter.parent / "bin"))


def test_libreoffice_is_left_alone_for_what_it_does_not_do_well(letter, tmp_path):
    assert not office.converts(letter, "pdf") and not office.converts(written(tmp_path / "a.pdf", "x"), "docx")


FROM_RIGHT = """# כותרת

שלום עולם (2024) English סוף.

- ערך

| שם | גיל |
| --- | --- |
| דנה | 30 |

مرحبا بالعالم

Plain
"""


@pytest.fixture
def from_right(tmp_path):
    if typeset.missing("שלוםمرحباﻣ"):
        pytest.skip("no font here has Hebrew and Arabic letters")
    path = tmp_path / "right.md"
    path.write_text(FROM_RIGHT, "utf-8")
    return path


def test_pages_of_hebrew_and_arabic_are_set_from_the_right(from_right):
    made = converted(from_right, "pdf")
    document = pdf_files.opened(made)
    page = document[0]
    text = page.get_textpage()
    placed = [(chr(raw.FPDFText_GetUnicode(text, n)), text.get_charbox(n)) for n in range(text.count_chars())]
    middle, edge = page.get_width() / 2, page.get_width() - 25 / 25.4 * 72
    first, last = (next(box for letter, box in placed if letter == one) for one in "שם")
    assert first[0] > last[0] > middle, "the first letter is the one at the right"
    assert max(box[2] for _, box in placed) == pytest.approx(edge, abs=2)
    name, age = (next(box for letter, box in placed if letter == one) for one in "ד3")
    assert name[0] > age[0] > middle, "so is the first column"
    document.close()
    assert "مرحبا بالعالم" in documents.text_of(made, "", RunContext(made.parent)), "as it was typed"


def test_lines_of_both_directions_are_read_out_of_a_pdf_as_they_were_typed(tmp_path):
    if typeset.missing("שלוםمرحباﻣ"):
        pytest.skip("no font here has Hebrew and Arabic letters")
    lines = ["מכתב מיום 12.5.2026 בשעה 14:30, עבור iPhone 15 (כולל מס).", "Please call דנה at 03-555-1234 today.",
             "بدأ المشروع في عام 2024 مع شركة Siemens في برلين."]  # fmt: skip
    (tmp_path / "both.md").write_text("\n\n".join(lines), "utf-8")
    made = converted(tmp_path / "both.md", "pdf")
    assert documents.text_of(made, "", RunContext(tmp_path)).splitlines() == lines


def test_word_is_told_what_begins_at_the_right(from_right):
    made = docx.Document(str(converted(from_right, "docx")))
    sides = {p.text: (p._p.xpath("w:pPr/w:bidi") != [], p._p.xpath(".//w:rtl") != []) for p in made.paragraphs}
    assert sides["כותרת"] == sides["ערך"] == sides["مرحبا بالعالم"] == (True, True)
    assert sides["Plain"] == (False, False) and made.tables[0]._tbl.xpath("w:tblPr/w:bidiVisual")
    assert "unicode-bidi:plaintext" in converted(from_right, "html").read_text("utf-8")


def test_all_sheets_of_a_workbook_are_set(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "two.xlsx"))
    for name, cells in (("North", ["a", 1]), ("Empty", []), ("South", ["b", 2])):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["item", "count"] if cells else [])
        sheet.write_row(1, 0, cells)
    book.close()
    text = converted(tmp_path / "two.xlsx", "md").read_text("utf-8")
    assert text.index("## North") < text.index("| a | 1 |") < text.index("## South") < text.index("| b | 2 |")
    assert "Empty" not in text
    said = documents.text_of(tmp_path / "two.xlsx", "", RunContext(tmp_path))
    assert said == "North\nitem\tcount\na\t1\n\nSouth\nitem\tcount\nb\t2"
    context = RunContext(tmp_path)
    read_table(tmp_path / "two.xlsx", context=context)
    assert context.told == ["Not read: the sheets South of two.xlsx."]
    assert read_table(tmp_path / "two.xlsx", "south", context=context).rows == (("b", 2),) and len(context.told) == 1


def test_a_table_in_a_cell_is_read_with_the_cell(tmp_path):
    made = docx.Document()
    cell = made.add_table(1, 2).cell(0, 1)
    cell.text = "outer"
    inner = cell.add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "left", "right"
    made.save(str(tmp_path / "nested.docx"))
    assert "outer\nleft right" in documents.text_of(tmp_path / "nested.docx", "", RunContext(tmp_path))
    assert "outer left right" in converted(tmp_path / "nested.docx", "md").read_text("utf-8")


def test_an_open_document_without_a_list_of_its_parts_is_read(letter):
    made = converted(letter, "odt")
    bare = letter.with_name("bare.odt")
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(bare, "w") as target:
        target.writestr("content.xml", source.read("content.xml"))
    assert "Grüße aus Köln" in documents.text_of(bare, "", RunContext(bare.parent))
