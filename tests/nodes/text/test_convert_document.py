"""Documents are turned into other forms, and what they are made of comes along."""

from __future__ import annotations

import base64
import io
import stat
from pathlib import Path

import numpy as np
import pytest

from nodes import load_tools
from nodes._support.documents import blocks, documents, office, pdf_files
from nodes._support.imaging import typeset
from nodes.api import NodeError, RunContext, Table
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
