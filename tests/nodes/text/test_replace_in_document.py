"""Words of documents are replaced, and everything else stays as it was."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from nodes import load_tools
from nodes._support.documents import books
from nodes._support.documents.html_text import text_of_html
from nodes._support.tables import sheets
from nodes.api import NodeError, RunContext
from tests.nodes.text.test_pdf_files import written

REPLACE = load_tools().tools["replace_in_document"].backends[0].run


def changed(file: Path, find: str, replace: str) -> Path:
    return REPLACE(file, find, replace, context=RunContext(file.parent))


def letter(path: Path) -> Path:
    """A Word document whose name is cut into runs, with a table, a header and a footer."""
    from docx import Document

    document = Document()
    paragraph = document.add_paragraph("Dear ")
    paragraph.add_run("Mr ").bold = True
    paragraph.add_run("Smi").italic = True
    paragraph.add_run("th")
    paragraph.add_run(", Smithson wrote. Mr\u00a0Smith's dog.")
    document.add_table(1, 2).cell(0, 1).text = "MR SMITH"
    section = document.sections[0]
    section.header.paragraphs[0].text = "To Mr Smith"
    section.footer.paragraphs[0].text = "mr smith, page"
    document.save(str(path))
    return path


def test_a_word_document_is_changed_everywhere_and_keeps_its_look(tmp_path):
    from docx import Document

    made = Document(str(changed(letter(tmp_path / "letter.docx"), "Mr Smith", "Mrs Jones")))
    paragraph = made.paragraphs[0]
    assert paragraph.text == "Dear Mrs Jones, Smithson wrote. Mrs Jones's dog."
    assert [(run.text, run.bold, run.italic) for run in paragraph.runs[:4]] == [
        ("Dear ", None, None), ("Mrs Jones", True, None), ("", None, True), ("", None, None)
    ]  # fmt: skip
    assert made.tables[0].cell(0, 1).text == "MRS JONES"
    assert made.sections[0].header.paragraphs[0].text == "To Mrs Jones"
    assert made.sections[0].footer.paragraphs[0].text == "Mrs Jones, page"


def test_parts_of_words_are_left_alone_but_for_chinese(tmp_path):
    (tmp_path / "a.txt").write_text("Ann, Annual, joAnn; 我们爱北京市", "utf-8")
    assert changed(tmp_path / "a.txt", "Ann", "Eva").read_text("utf-8") == "Eva, Annual, joAnn; 我们爱北京市"
    assert changed(tmp_path / "a.txt", "北京", "上海").read_text("utf-8").endswith("我们爱上海市")


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_BOOK = {
    "[Content_Types].xml": f"""<Types xmlns="{_PACKAGE}/content-types">
        <Default Extension="xml" ContentType="application/xml"/></Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">
        <Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>""",
    "xl/workbook.xml": f"""<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">
        <sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets><calcPr calcId="1"/></workbook>""",
    "xl/_rels/workbook.xml.rels": f"""<Relationships xmlns="{_PACKAGE}/relationships">
        <Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>
        <Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>""",
    "xl/sharedStrings.xml": f"""<sst xmlns="{_MAIN}"><si><t>Year</t></si>
        <si><r><t>Ac</t></r><r><t>me Ltd</t></r></si></sst>""",
    "xl/worksheets/sheet1.xml": f"""<worksheet xmlns="{_MAIN}"><sheetData>
        <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Firm</t></is></c></row>
        <row r="2"><c r="A2"><v>2024</v></c><c r="B2" t="s"><v>1</v></c></row>
        <row r="3"><c r="A3"><f>A2+0</f><v>2024</v></c><c r="B3" t="str"><f>B2</f><v>Acme Ltd</v></c></row>
        </sheetData></worksheet>""",
}


def workbook(path: Path) -> Path:
    """A spreadsheet with shared and inline strings, a number, and formulas with their results."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in _BOOK.items():
            archive.writestr(name, text)
    return path


def test_cells_are_changed_and_formulas_are_not(tmp_path):
    made = changed(workbook(tmp_path / "a.xlsx"), "Acme Ltd", "Better Inc")
    assert sheets.spreadsheet(made).rows[0] == (2024, "Better Inc")
    made = changed(workbook(tmp_path / "a.xlsx"), "2024", "2025")
    assert [row[0] for row in sheets.spreadsheet(made).rows] == [2025, 2024]
    with zipfile.ZipFile(made) as archive:
        assert "<f>A2+0</f>" in archive.read("xl/worksheets/sheet1.xml").decode()
        assert 'fullCalcOnLoad="1"' in archive.read("xl/workbook.xml").decode()


def open_text(path: Path, body: str) -> Path:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
    )
    inner = f"<office:body><office:text>{body}</office:text></office:body>"
    content = f"<office:document-content {spaces}>{inner}</office:document-content>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    return path


def test_an_open_document_is_changed_and_its_kind_stays_first(tmp_path):
    given = open_text(tmp_path / "a.odt", "<text:p>Dear <text:span>Mr</text:span><text:s/>Smith!</text:p>")
    made = changed(given, "Mr Smith", "Mrs Jones")
    assert text_of_html(books.open_document(made)).strip() == "Dear Mrs Jones!"
    with zipfile.ZipFile(made) as archive:
        first = archive.infolist()[0]
        assert first.filename == "mimetype" and first.compress_type == zipfile.ZIP_STORED


def test_a_page_keeps_its_tags_and_its_encoding(tmp_path):
    source = '<p title="Müller">M&uuml;l<b>ler</b> &amp; Söhne</p><script>"Müller"</script>'
    (tmp_path / "a.html").write_bytes(source.encode("cp1252"))
    made = changed(tmp_path / "a.html", "Müller & Söhne", "Kö & Ω").read_bytes().decode("cp1252")
    assert made == '<p title="Müller">Kö &amp; &#937;<b></b></p><script>"Müller"</script>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_keeps_its_encoding_and_line_ends(tmp_path, encoding):
    (tmp_path / "a.txt").write_bytes("Grüße an Herrn Weiß aus München\r\nund noch ein Weiß\r\n".encode(encoding))
    made = changed(tmp_path / "a.txt", "Weiß", "Größe").read_bytes()
    assert made == "Grüße an Herrn Größe aus München\r\nund noch ein Größe\r\n".encode(encoding)


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(NodeError, match="Mr Brown") as raised:
        changed(letter(tmp_path / "letter.docx"), "Mr Brown", "x")
    assert raised.value.port == "find"


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.odt", "a.doc", "a.zip"])
def test_what_is_no_document_names_the_file(tmp_path, name):
    (tmp_path / name).write_bytes(b"rubbish \x00\x01" * 50)
    with pytest.raises(NodeError) as raised:
        changed(tmp_path / name, "a", "b")
    assert raised.value.port == "file" and raised.value.fix


def test_a_pdf_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(NodeError, match=r"a\.pdf") as raised:
        changed(written(tmp_path / "a.pdf", "one"), "one", "two")
    assert "docx" in str(raised.value.fix)
