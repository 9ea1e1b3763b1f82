"""Reading documents: files made here with the real libraries, and broken ones."""

from __future__ import annotations

import zipfile

import docx
import pytest
from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from nodes.api import NodeError, RunContext
from nodes.text.read_document import read_document


def _pdf(path, pages, password=""):
    """A PDF with a line of Helvetica on each page."""
    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(400, 200)
        font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
                                 NameObject("/BaseFont"): NameObject("/Helvetica")})  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
        )
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 18 Tf 30 100 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password)
    with open(path, "wb") as file:
        writer.write(file)
    return path


@pytest.fixture
def context(tmp_path):
    return RunContext(tmp_path)


def test_pages_of_a_pdf_are_read_in_order_and_by_number(tmp_path, context):
    path = _pdf(tmp_path / "a.pdf", ["First page here", "Second page here", "Third page here"])
    assert read_document(path, context=context) == "First page here\n\nSecond page here\n\nThird page here"
    assert read_document(path, 2, 2, context=context) == "Second page here"
    with pytest.raises(NodeError) as raised:
        read_document(path, 4, context=context)
    assert raised.value.port == "first_page"


def test_progress_is_told_for_each_page(tmp_path):
    told = []

    class EventEmitter(RunContext):
        def progress(self, fraction, note="", preview=None):
            told.append((fraction, note))

    read_document(_pdf(tmp_path / "a.pdf", ["one", "two"]), context=EventEmitter(tmp_path))
    assert told == [(0.0, "page 1 of 2"), (0.5, "page 2 of 2")]


def test_a_locked_pdf_asks_for_a_copy_without_password(tmp_path, context):
    with pytest.raises(NodeError, match="protected by a password") as raised:
        read_document(_pdf(tmp_path / "a.pdf", ["secret"], "pw"), context=context)
    assert raised.value.port == "file" and "secret" not in raised.value.message


def test_a_scanned_pdf_points_to_text_recognition(tmp_path, context):
    path = tmp_path / "scan.pdf"
    Image.new("RGB", (200, 200), (240, 240, 240)).save(path)
    with pytest.raises(NodeError, match="only pictures") as raised:
        read_document(path, context=context)
    assert "Read text" in raised.value.fix


def test_a_word_document_is_read_with_its_lists_and_tables_in_order(tmp_path, context):
    document = docx.Document()
    document.add_heading("Report", 1)
    document.add_paragraph("Größe matters.")
    document.add_paragraph("a point", style="List Bullet")
    table = document.add_table(2, 2)
    for i, text in enumerate(("name", "price", "tea", "3")):
        table.cell(i // 2, i % 2).text = text
    document.add_paragraph("The end.")
    document.save(str(tmp_path / "a.docx"))
    text = read_document(tmp_path / "a.docx", context=context)
    assert text == "Report\n\nGröße matters.\n\n• a point\n\nname\tprice\ntea\t3\n\nThe end."


def test_text_and_html_files_are_read(tmp_path, context):
    (tmp_path / "a.md").write_bytes("# Ä\nb".encode("utf-16"))
    assert read_document(tmp_path / "a.md", context=context) == "# Ä\nb"
    (tmp_path / "a.html").write_text("<html><style>p{}</style><p>One<p>Two<script>alert(1)</script>", "utf-8")
    assert read_document(tmp_path / "a.html", context=context) == "One\n\nTwo"


def _empty_pdf(path):
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(path)


def _zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.txt", "hello")


BROKEN = {
    "empty.pdf": lambda p: p.write_bytes(b""),
    "cut.pdf": lambda p: p.write_bytes(b"%PDF-1.7\n1 0 obj\n<<"),
    "junk.pdf": lambda p: p.write_bytes(bytes(range(256)) * 20),
    "blank.pdf": _empty_pdf,
    "junk.docx": lambda p: p.write_bytes(b"hello"),
    "zip.docx": _zip,
    "locked.docx": lambda p: p.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600),
    "old.doc": lambda p: p.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600),
    "spaces.txt": lambda p: p.write_bytes(b" \n \n"),
    "binary.txt": lambda p: p.write_bytes(b"\x00\x01\x02" * 100),
    "empty.html": lambda p: p.write_bytes(b"<html><script>x</script></html>"),
    "photo.jpg": lambda p: Image.new("RGB", (9, 9)).save(p),
    "missing.pdf": lambda p: None,
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_holds_no_text_names_the_port_and_a_way_out(name, tmp_path, context):
    BROKEN[name](tmp_path / name)
    with pytest.raises(NodeError) as raised:
        read_document(tmp_path / name, context=context)
    assert raised.value.port == "file" and raised.value.fix
