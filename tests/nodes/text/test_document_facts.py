"""The facts about documents: what each kind says of itself, what is counted in it, and nothing that is not there."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any

import docx
import numpy as np
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject

from nodes._support.documents import converting, pdf_files
from nodes.api import NodeError, RunContext
from nodes.text.document_facts import document_facts
from tests.nodes.text.test_book_chapter import book

MARKDOWN = "# Harbour\n\nShips come *and* go.\n\nThey go on.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
COUNTED = {"words": 12, "tables": 1}


def facts(path: Path) -> dict[str, Any]:
    table = document_facts(path, context=RunContext(path.parent))
    assert table.columns == ("fact", "value", "unit") and all(row[1] not in (None, "") for row in table.rows)
    return {row[0]: row[1] for row in table.rows}


def converted(folder: Path, form: str) -> Path:
    (folder / "given.md").write_text(MARKDOWN, "utf-8")
    return converting.converted(folder / "given.md", form, RunContext(folder))


def word(path: Path, **about: Any) -> Path:
    document = docx.Document()
    document.add_paragraph("Ships come and go.")
    document.add_table(2, 2)
    for name, value in about.items():
        setattr(document.core_properties, name, value)
    document.save(str(path))
    return path


def with_part(path: Path, name: str, change: Any) -> Path:
    """The archive with another part of that name."""
    with zipfile.ZipFile(path) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    parts[name] = change(parts.get(name, b""))
    with zipfile.ZipFile(path, "w") as archive:
        for entry, data in parts.items():
            archive.writestr(entry, data)
    return path


def test_pages_of_a_pdf_are_counted_and_its_properties_read(tmp_path):
    writer = PdfWriter(clone_from=PdfReader(converted(tmp_path, "pdf")))
    writer.add_blank_page(200, 200)
    writer.add_metadata(
        {"/Title": "A  Year", "/Author": "Ana Roth", "/CreationDate": "D:20240301235959+05'00'", "/ModDate": "D:2024"}
    )
    writer.write(tmp_path / "a.pdf")
    found = facts(tmp_path / "a.pdf")
    assert next(iter(found)) == "pages" and found["pages"] == 2
    assert (found["title"], found["author"], found["created"], found["changed"]) == (
        "A Year", "Ana Roth", "2024-03-01", "2024",
    )  # fmt: skip
    assert found["words"] == COUNTED["words"] and found["scan"] == found["locked"] == "no" and "tables" not in found


def test_a_pdf_that_says_nothing_of_itself_has_neither_author_nor_dates(tmp_path):
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.add_metadata({"/Author": "  ", "/CreationDate": "yesterday"})
    writer.write(tmp_path / "a.pdf")
    found = facts(tmp_path / "a.pdf")
    assert {"title", "author", "created", "changed"}.isdisjoint(found)
    assert found["pages"] == 1 and found["words"] == 0 and found["scan"] == "no"


def test_a_pdf_of_pictures_is_a_scan_and_a_picture_on_two_pages_is_one(tmp_path):
    pictures = [np.random.default_rng(seed).integers(0, 255, (90, 60, 3), np.uint8) for seed in (1, 2)]
    pdf_files.write(pictures, None, 0.0, tmp_path / "scan.pdf")
    found = facts(tmp_path / "scan.pdf")
    assert (found["pages"], found["pictures"], found["scan"]) == (2, 2, "yes") and "words" not in found
    reader, writer = PdfReader(tmp_path / "scan.pdf"), PdfWriter()
    first = writer.add_page(reader.pages[0])
    writer.add_blank_page(60, 90)[NameObject("/Resources")] = first["/Resources"]
    writer.write(tmp_path / "twice.pdf")
    assert facts(tmp_path / "twice.pdf")["pictures"] == 1


def test_of_a_locked_document_it_is_said_that_it_is_locked(tmp_path):
    writer = PdfWriter(clone_from=PdfReader(converted(tmp_path, "pdf")))
    writer.encrypt("pw")
    writer.write(tmp_path / "a.pdf")
    (tmp_path / "a.docx").write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    odt = with_part(converted(tmp_path, "odt"), "META-INF/manifest.xml", lambda _: b"<m><encryption-data/></m>")
    for path in (tmp_path / "a.pdf", tmp_path / "a.docx", odt):
        found = facts(path)
        assert list(found) == ["locked", "size"] and found["locked"] == "yes"


def test_a_word_document_says_who_wrote_it_and_when(tmp_path):
    day = datetime.datetime(2023, 5, 6, 7)
    path = word(tmp_path / "a.docx", author="Ben Ito", title="Letter", created=day, modified=day.replace(day=7))
    found = facts(path)
    assert (found["author"], found["title"], found["created"], found["changed"]) == (
        "Ben Ito", "Letter", "2023-05-06", "2023-05-07",
    )  # fmt: skip
    assert found["words"] == 4 and found["tables"] == 1 and found["pictures"] == 0


@pytest.mark.parametrize(("words", "pages"), [(b"4", 7), (b"0", None), (b"900", None)])
def test_pages_are_those_that_a_word_document_states_unless_it_is_not_about_this_text(tmp_path, words, pages):
    def stated(part: bytes) -> bytes:
        return part.replace(b"<Pages>1<", b"<Pages>7<").replace(b"<Words>0<", b"<Words>%s<" % words)

    path = with_part(word(tmp_path / "a.docx"), "docProps/app.xml", stated)
    assert facts(path).get("pages") == pages


def test_nothing_is_made_up_for_a_word_document_without_properties(tmp_path):
    path = word(tmp_path / "a.docx")
    with_part(path, "_rels/.rels", lambda part: part.replace(b"core-properties", b"none").replace(b"extended-", b"no-"))
    assert {"author", "title", "created", "changed", "pages"}.isdisjoint(facts(path))


def test_an_open_document_says_its_pages_itself(tmp_path):
    path = converted(tmp_path, "odt")
    assert "pages" not in facts(path)
    names = 'xmlns:m="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    meta = (
        f"<o {names}><meta><m:initial-creator>Ana</m:initial-creator><dc:creator>Ben</dc:creator>"
        "<m:creation-date>2020-02-03T10:00:00</m:creation-date><dc:date>2021-04-05</dc:date><dc:title>Port</dc:title>"
        '<m:document-statistic m:page-count="3" m:word-count="12"/></meta></o>'
    )
    found = facts(with_part(path, "meta.xml", lambda _: meta.encode()))
    wanted = {"pages": 3, "author": "Ana", "created": "2020-02-03", "changed": "2021-04-05", "title": "Port", **COUNTED}
    assert wanted.items() <= found.items()


def test_a_book_names_all_its_authors(tmp_path):
    path = book(tmp_path / "a.epub")
    about = b"<package><metadata><title>Sea</title><creator>Ana</creator><creator>Ben</creator><date>1999</date>"
    with_part(path, "OEBPS/book.opf", lambda part: part.replace(b"<package>", about + b"</metadata>"))
    found = facts(path)
    assert (found["title"], found["author"], found["created"]) == ("Sea", "Ana, Ben", "1999")
    assert "pages" not in found and found["words"] > 10


def test_a_page_of_the_web_has_title_author_and_pictures(tmp_path):
    head = '<title>Port</title><meta name="author" content="Ana"><meta name="date" content="2022-01-02T03:04">'
    path = tmp_path / "a.html"
    path.write_text(f"<html><head>{head}</head><body><p>Ships.</p><img src='x.png'><table><tr><td>1</table>", "utf-8")
    wanted = {"title": "Port", "author": "Ana", "created": "2022-01-02", "pictures": 1, "tables": 1, "words": 2}
    assert wanted.items() <= facts(path).items()


def test_plain_texts_are_counted_and_have_neither_pages_nor_an_author(tmp_path):
    (tmp_path / "a.txt").write_text("Ships come.\n\nAnd go.\n", "utf-8")
    found = facts(tmp_path / "a.txt")
    assert (found["words"], found["paragraphs"], found["characters"]) == (4, 2, 16)
    assert set(found) == {"words", "paragraphs", "characters", "size"}
    (tmp_path / "given.md").write_text(MARKDOWN + "\n![x](y.png)\n", "utf-8")
    assert (facts(tmp_path / "given.md")["pictures"], facts(tmp_path / "given.md")["tables"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.pdf", b"", "empty"),
        ("a.pdf", b"%PDF-1.7\nnothing", "damaged"),
        ("a.docx", b"no archive", "not a Word document"),
        ("a.odt", b"no archive", "damaged"),
        ("a.epub", b"no archive", "damaged"),
        ("a.doc", b"\xd0\xcf\x11\xe0", "not a document"),
    ],
)
def test_what_is_no_document_is_said(tmp_path, name, data, told):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(NodeError, match=told) as caught:
        facts(tmp_path / name)
    assert caught.value.port == "file" and caught.value.fix
