"""Reading documents: files made here with the real libraries, and broken ones."""

from __future__ import annotations

import zipfile

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, nsmap
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from nodes.api import NodeError, RunContext, Table
from nodes.text.read_document import read_document
from nodes.text.read_table import read_table
from nodes.web.html_to_table import html_to_table


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
    assert read_document(path, "page 2", context=context) == "Second page here"
    assert read_document(path, "last, 1", context=context) == "First page here\n\nThird page here"
    with pytest.raises(NodeError) as raised:
        read_document(path, "4", context=context)
    assert raised.value.port == "pages"


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


def _scan(path, rows, angle=0):
    """A PDF of one page that is a picture of writing, turned to the left."""
    page = Image.new("RGB", (900, 420), (250, 250, 250))
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(34)
    for line, cells in enumerate(rows):
        for column, text in enumerate(cells):
            pen.text((60 + 300 * column, 40 + 70 * line), text, (20, 20, 20), font)
    page.rotate(angle, expand=True).save(path, resolution=100)
    return path


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_scanned_page_is_read_and_its_table_stays_a_table_however_it_lies(tmp_path, context, angle):
    rows = (["Visitors counted"], ["City", "Year"], ["Skarn", "2021"], ["Brunn", "2022"])
    path = _scan(tmp_path / "scan.pdf", rows, angle)
    assert read_document(path, context=context).splitlines() == [
        "Visitors counted",
        "City Year",
        "Skarn 2021",
        "Brunn 2022",
    ]
    assert read_table(path, context=context) == TABLE


def test_a_scanned_page_without_writing_is_no_document(tmp_path, context):
    with pytest.raises(NodeError, match="no text"):
        read_document(_scan(tmp_path / "scan.pdf", ()), context=context)


def _zipped(path, parts):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


TABLE = Table(("City", "Year"), (("Skarn", 2021), ("Brunn", 2022)))
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table"))


def _row(cells):
    return f"<table:table-row>{''.join(map(_cell, cells))}</table:table-row>"


def _cell(value):
    if isinstance(value, int):
        kind = f'office:value-type="float" office:value="{value}"'
    else:
        kind = 'office:value-type="string"'
    return f"<table:table-cell {kind}><text:p>{value}</text:p></table:table-cell>"


_ODT = f"""<office:document {_SPACES}><office:body><text:h>Häfen &amp; Quays</text:h>
<text:p>Open<text:s text:c="2"/>since<text:tab/>1904.<office:annotation><text:p>no</text:p></office:annotation></text:p>
<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>
<table:table>{"".join(map(_row, (TABLE.columns, *TABLE.rows)))}</table:table></office:body></office:document>"""


def test_notes_and_what_is_on_the_paper_of_an_open_document_stand_behind_its_text(tmp_path, context):
    note = (
        '<text:note text:id="n"><text:note-citation>1</text:note-citation><text:note-body><text:p>In May.</text:p>'
        "</text:note-body></text:note>"
    )
    content = (
        f"<office:document {_SPACES}><text:p>It opened{note} late.</text:p><table:table><table:table-row>"
        f"<table:table-cell><text:p>tea{note.replace('>1<', '>2<')}</text:p></table:table-cell></table:table-row>"
        "</table:table></office:document>"
    )
    above = "<style:header><text:p>Harbour club</text:p></style:header>"
    styles = (
        f'<office:styles-file {_SPACES} xmlns:style="{_ODF}:style:1.0">{above}{above}'
        "<style:footer><text:p>- <text:page-number>IV</text:page-number> -</text:p></style:footer></office:styles-file>"
    )
    path = _zipped(tmp_path / "a.odt", {"content.xml": content, "styles.xml": styles})
    text = "It opened[1] late.\n\ntea[2]\n\n[1] In May.\n\n[2] In May.\n\nHarbour club"
    assert read_document(path, context=context) == text


def test_an_open_document_is_read_with_its_lists_and_tables(tmp_path, context):
    path = _zipped(tmp_path / "a.odt", {"META-INF/manifest.xml": "<manifest/>", "content.xml": _ODT})
    text = "Häfen & Quays\n\nOpen since 1904.\n\n- one\n\nCity\tYear\nSkarn\t2021\nBrunn\t2022"
    assert read_document(path, context=context) == text
    assert read_table(path, context=context) == TABLE
    locked = {"META-INF/manifest.xml": "<m><encryption-data/></m>", "content.xml": "?"}
    with pytest.raises(NodeError, match="password"):
        read_document(_zipped(tmp_path / "b.odt", locked), context=context)


def test_the_chapters_of_a_book_are_read_in_order_without_its_contents(tmp_path, context):
    parts = {
        "META-INF/container.xml": '<c><rootfile full-path="in/book.opf"/></c>',
        "in/book.opf": '<p xmlns="x"><manifest><item id="n" href="nav.xhtml" properties="nav"/>'
        '<item id="b" href="b%20%C3%A4.xhtml"/><item id="a" href="../a.xhtml"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></p>',
        "in/nav.xhtml": "<p>Contents</p>", "a.xhtml": "<p>Second</p>",
        "in/b ä.xhtml": '<?xml version="1.0" encoding="utf-8"?><html><h1>First</h1><p>é</p></html>',
    }  # fmt: skip
    assert read_document(_zipped(tmp_path / "a.epub", parts), context=context) == "First\n\né\n\nSecond"
    with pytest.raises(NodeError, match="protected"):
        read_document(_zipped(tmp_path / "b.epub", {**parts, "META-INF/rights.xml": ""}), context=context)


def _ods(path, sheets):
    tables = "".join(
        f'<table:table table:name="{name}">{"".join(map(_row, rows))}</table:table>' for name, rows in sheets.items()
    )
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f"<office:document-content {_SPACES}>{body}</office:document-content>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return _zipped(path, {"mimetype": kind, "META-INF/manifest.xml": "<manifest/>", "content.xml": content})


def test_the_fullest_sheet_of_a_spreadsheet_is_its_table_and_others_are_found_by_name(tmp_path, context):
    visitors = [["Visitors counted"], ["City", "", "Year"], ["Skarn", "", 2021], ["Brunn", "", 2022]]
    path = _ods(tmp_path / "a.ods", {"Notes": [["a", "b"], [1, 2]], "Data": visitors})
    assert read_table(path, context=context) == TABLE
    assert (
        read_table(path, "notes", context=context)
        == read_table(path, "1", context=context)
        == Table(("a", "b"), ((1, 2),))
    )
    with pytest.raises(NodeError, match="no sheet") as raised:
        read_table(path, "Total", context=context)
    assert raised.value.port == "sheet" and "Notes, Data" in raised.value.fix
    said = read_document(path, context=context)
    assert said == "Notes\na\tb\n1\t2\n\nData\nCity\tYear\nSkarn\t2021\nBrunn\t2022"


def test_tables_of_pages_keep_their_columns_where_cells_are_wide_high_or_hold_a_table():
    page = """<table><tr><th rowspan=2>City</th><th colspan=2>Guests</th></tr><tr><th>in</th><th>out</th></tr>
      <tr><td>Skarn<td>1<td>2<table><tr><td>inner</td></tr></table></td>
      <tr><td>Brunn</td><td>3</td><td>4 %</td></table>"""
    assert html_to_table(page) == Table(
        ("City", "Guests", "column 3"), ((None, "in", "out"), ("Skarn", 1, 2), ("Brunn", 3, "4 %"))
    )
    with pytest.raises(NodeError) as raised:
        html_to_table("<p>no table</p>")
    assert raised.value.port == "html" and raised.value.fix


def test_the_table_of_a_pdf_is_found_by_where_its_words_stand(tmp_path, context):
    lines = (("Visitors counted in two years of the region",), ("City", "Year"), ("Skarn", "2021"), ("Brunn", "2022"))
    path = _pdf(tmp_path / "a.pdf", [""])
    writer = PdfWriter(clone_from=path)
    stream = DecodedStreamObject()
    drawn = "".join(
        f"1 0 0 1 {30 + 150 * x} {160 - 20 * y} Tm ({text}) Tj "
        for y, line in enumerate(lines)
        for x, text in enumerate(line)
    )
    stream.set_data(f"BT /F1 12 Tf {drawn}ET".encode())
    writer.pages[0][NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    assert read_table(path, context=context) == TABLE
    with pytest.raises(NodeError, match="No table"):
        read_table(_pdf(tmp_path / "b.pdf", ["Only words"]), context=context)


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


_WORD_SPACES = f'{nsdecls("w", "m")} xmlns:v="urn:schemas-microsoft-com:vml"'


def _element(xml: str):
    return parse_xml(f"<w:r {_WORD_SPACES}>{xml}</w:r>")[0]


@pytest.mark.parametrize(
    ("said", "xml"),
    [
        ("in thirty days", '<w:ins w:id="1" w:author="x"><w:r><w:t>thirty </w:t></w:r></w:ins>'),
        ("in thirty days", "<w:sdt><w:sdtContent><w:r><w:t>thirty </w:t></w:r></w:sdtContent></w:sdt>"),
        ("in thirty days", '<w:fldSimple w:instr="DATE"><w:r><w:t>thirty </w:t></w:r></w:fldSimple>'),
        ("in days", '<w:del w:id="1" w:author="x"><w:r><w:delText>sixty </w:delText></w:r></w:del>'),
        ("in 2+x days", "<m:oMath><m:r><m:t>2+</m:t></m:r><m:r><m:t>x </m:t></m:r></m:oMath>"),
        ("in 東 days", "<w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt>"
         "<w:rubyBase><w:r><w:t>東 </w:t></w:r></w:rubyBase></w:ruby></w:r>"),
        ("in days\n\nby", "<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>by</w:t></w:r></w:p>"
         "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"),
    ],
)  # fmt: skip
def test_what_word_keeps_in_other_elements_is_read_where_it_stands(tmp_path, context, said, xml):
    document = docx.Document()
    paragraph = document.add_paragraph("in ")
    paragraph._p.append(_element(xml))
    paragraph.add_run("days")
    document.save(str(tmp_path / "a.docx"))
    assert read_document(tmp_path / "a.docx", context=context) == said


def test_the_headers_footers_and_notes_of_a_word_document_are_read_once_without_page_numbers(tmp_path, context):
    document = docx.Document()
    for text in ("The offer stands.", "It ends in May."):
        document.add_paragraph(text)
        document.add_section()
    first, second, _ = document.sections
    first.different_first_page_header_footer = True
    first.first_page_header.paragraphs[0].text = "Mill Lane 12, Leeds"
    first.header.paragraphs[0].text = "Offer 4711"
    second.header.is_linked_to_previous = False
    second.header.paragraphs[0].text = "Offer 4711"
    number = second.footer.paragraphs[0]
    for xml in ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', "<w:r><w:t>IV</w:t></w:r>",
                '<w:r><w:fldChar w:fldCharType="end"/></w:r>'):  # fmt: skip
        number._p.append(_element(xml))
    document.save(str(tmp_path / "a.docx"))
    text = read_document(tmp_path / "a.docx", context=context)
    assert text == "The offer stands.\n\nIt ends in May.\n\nMill Lane 12, Leeds\n\nOffer 4711"


def test_the_notes_of_a_word_document_stand_at_its_end_by_their_numbers(tmp_path, context):
    document = docx.Document()
    document.add_paragraph("Of oak.").add_run()._r.append(
        _element('<w:footnoteReference w:id="7"></w:footnoteReference>')
    )
    document.add_paragraph("Forty chairs.")
    notes = (
        f'<w:footnotes xmlns:w="{nsmap["w"]}"><w:footnote w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="7"><w:p><w:r><w:t>Not of pine.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    name = PackURI("/word/footnotes.xml")
    part = Part(name, "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml", notes.encode())
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document.save(str(tmp_path / "a.docx"))
    assert read_document(tmp_path / "a.docx", context=context) == "Of oak.[1]\n\nForty chairs.\n\n[1] Not of pine."


def test_a_cell_over_several_columns_is_read_once(tmp_path, context):
    document = docx.Document()
    table = document.add_table(2, 3)
    for cell, text in zip(table.rows[0].cells, ("item", "count", "price"), strict=True):
        cell.text = text
    table.cell(1, 0).merge(table.cell(1, 1)).text = "all"
    table.cell(1, 2).text = "9"
    document.save(str(tmp_path / "a.docx"))
    assert read_document(tmp_path / "a.docx", context=context) == "item\tcount\tprice\nall\t\t9"


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
    "zip.odt": _zip,
    "zip.epub": _zip,
    "junk.xlsx": lambda p: p.write_bytes(b"hello"),
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


LEFT = """The lighthouse was built in the spring
of a dry year, when the road across the
dunes could still be used by carts, and
no one thought of the storms to come. It
stood for ninety years before the sea had
eaten the ground below its eastern wall.""".splitlines()
RIGHT = """Today a museum shows what is left of it:
the lens, which came from a workshop in
the south, two lamps, and the books that
its keepers wrote every night. Visitors
may climb the new tower beside it, from
which one sees as far as the islands.""".splitlines()


def _placed(path, lines):
    """A PDF of one page of 600 x 400 points with lines of Helvetica at their places, in that order."""
    _pdf(path, [""])
    writer = PdfWriter(clone_from=path)
    page = writer.pages[0]
    page.mediabox.upper_right = (600, 400)
    stream = DecodedStreamObject()
    stream.set_data("".join(f"BT /F1 11 Tf {x} {y} Td ({text}) Tj ET\n" for text, x, y in lines).encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    writer.write(path)
    return path


@pytest.mark.parametrize("order", ["row by row", "column by column"])
def test_two_columns_are_read_one_after_the_other_between_lines_across(tmp_path, context, order):
    rows = [(text, x, 340 - 14 * n) for n, row in enumerate(zip(LEFT, RIGHT, strict=True))
            for text, x in zip(row, (40, 320), strict=True)]  # fmt: skip
    if order != "row by row":
        rows.sort(key=lambda row: row[1])
    title = ("The lighthouse at the end of the long road across the dunes, and what is left of it now", 40, 370)
    foot = ("Printed for the society of friends of old towers and harbours, in its fortieth year", 40, 230)
    path = _placed(tmp_path / "two.pdf", [title, *rows, foot])
    assert read_document(path, context=context).split() == " ".join([title[0], *LEFT, *RIGHT, foot[0]]).split()


def test_two_columns_are_told_apart_where_some_lines_are_longer_than_the_rest(tmp_path, context):
    left = [f"The tower number {n} was built late" + " in the year" * (n in (3, 9)) for n in range(11)]
    right = [f"and the lamp number {n} came later" for n in range(11)]
    rows = [(text, x, 380 - 14 * n) for n, row in enumerate(zip(left, right, strict=True))
            for text, x in zip(row, (40, 320), strict=True)]  # fmt: skip
    assert read_document(_placed(tmp_path / "two.pdf", rows), context=context).splitlines() == [*left, *right]


def test_the_cells_of_a_table_stay_beside_each_other(tmp_path, context):
    cells = [("Name of the member of the society", "Street and number, and the town"), ("Ana", "4 Mill Road, Leeds"),
             ("Benjamin Okafor-Lindqvist", "17 Church Street, second floor, York"), ("Chen", "Hull"),
             ("Dora Marchetti", "22 Long Acre, Whitby, North Yorkshire"), ("Eli", "1 Quay, Bath"),
             ("Frances", "9 The Green, Kendal")]  # fmt: skip
    rows = [(text, x, 340 - 14 * n) for n, row in enumerate(cells) for text, x in zip(row, (40, 320), strict=True)]
    read = read_document(_placed(tmp_path / "table.pdf", rows), context=context).split()
    assert read == " ".join(" ".join(row) for row in cells).split()
