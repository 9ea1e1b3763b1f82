"""Writes Word documents from text as `prose` understands it, and tables. Must not know tools. Needs python-docx.

Headings, lists and quotations get Word's own styles, so that its outline, table of contents and themes know them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO

from nodes._support.documents import prose
from nodes._support.imaging import bidi
from nodes._support.tables import tables
from nodes.api import RunContext

SHEETS = {"A4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Paper by name: width and height in millimetres."""
_PLACE = "\ue000"  # of private use: stands for a table in the text
_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MONO = "Consolas"
_AFTER_SIDE = tuple(f"w:{name}" for name in (
    "adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents", "suppressOverlap", "jc",
    "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl", "divId", "cnfStyle", "rPr", "sectPr",
    "pPrChange",
))  # fmt: skip
"""What stands behind the side of a paragraph in its properties, where order counts; likewise of a run, of a table."""
_AFTER_RUN_SIDE = tuple(f"w:{name}" for name in ("cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath"))
_AFTER_TABLE_SIDE = tuple(f"w:{name}" for name in (
    "tblStyleRowBandSize", "tblStyleColBandSize", "tblW", "jc", "tblCellSpacing", "tblInd", "tblBorders", "shd",
    "tblLayout", "tblCellMar", "tblLook",
))  # fmt: skip


class WordFile:
    """A document that grows block by block. `paper` is one of SHEETS."""

    def __init__(self, paper: str) -> None:
        from docx import Document
        from docx.shared import Mm

        self._document: Any = Document()
        self._lists = self._kind = 0
        section = self._document.sections[0]
        section.page_width, section.page_height = map(Mm, SHEETS[paper])
        section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(25)

    def add_title(self, title: str) -> None:
        """A title above all, which is that of the file too."""
        title = cleaned(title)
        self._document.add_heading(title, 0)
        self._document.core_properties.title = title[:255]

    def add_text(self, text: str) -> None:
        """Plain text or Markdown: what `prose` knows, and tables whose cells stand between bars."""
        kept, found = without_tables(cleaned(text).replace(_PLACE, ""))
        _Blocks(self, found).read(prose.html_of(kept, 1))

    def add_table(self, rows: Sequence[Sequence[str]], context: RunContext | None = None, marked: bool = False) -> None:
        """A table whose first row names the columns, and stands on each page; all rows have as many cells. Where cells
        are `marked`, bold and links in them are understood."""
        from docx.oxml import OxmlElement

        table: Any = self._document.add_table(len(rows), len(rows[0]), "Table Grid")
        for number, (row, cells) in enumerate(zip(table.rows, rows, strict=True)):
            if context is not None and number % 100 == 0:
                context.progress(number / len(rows))
            for cell, text in zip(row.cells, cells, strict=True):
                paragraph = cell.paragraphs[0]
                if marked:
                    _Blocks(self, [], paragraph).read(prose.inline(text))
                else:
                    paragraph.add_run(text)
                for run in paragraph.runs if number == 0 else ():
                    run.bold = True
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        self._document.add_paragraph()  # else Word makes one table of two

    def add_spans(self, style: str, spans: Sequence[Any], number: int = 0) -> None:
        """A paragraph of `blocks.Span`; `number` is that of the numbered list it is an item of, 0 for none."""
        paragraph = self.paragraph(style)
        if number:
            paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number
        for span in spans:
            run = paragraph.add_run(cleaned(span.text))
            run.bold, run.italic = span.bold or None, span.italic or None
            if span.code:
                run.font.name = _MONO
            if span.link:
                _link(paragraph, run, span.link)

    def add_rule(self) -> None:
        """A line over the width of the page."""
        _underline(self._document.add_paragraph())

    def add_picture(self, stream: Any, pixels: int) -> None:
        """A picture of so many pixels across, no wider than the lines."""
        from docx.shared import Inches, Mm

        section = self._document.sections[0]
        room = section.page_width - section.left_margin - section.right_margin
        self._document.add_picture(stream, width=min(Inches(pixels / 96), room, Mm(400)))

    def paragraph(self, style: str = "Normal") -> Any:
        """A new paragraph of python-docx."""
        return self._document.add_paragraph(style=style)

    def new_list(self, start: int) -> int:
        """The number of a new numbered list, which counts from `start`."""
        from docx.oxml.numbering import CT_Num

        numbering = self._document.part.numbering_part.element
        if not self._lists:
            usual = self._document.styles["List Number"].element.pPr.numPr.numId.val
            self._kind = next(num.abstractNumId.val for num in numbering.num_lst if num.numId == usual)
            self._lists = max(num.numId for num in numbering.num_lst)
        self._lists += 1  # counted here: python-docx looks through all of them for each
        made = CT_Num.new(self._lists, self._kind)
        made.add_lvlOverride(0).add_startOverride(start)
        numbering.append(made)
        return self._lists

    def save(self, target: Path | BinaryIO) -> None:
        """Writes the file."""
        about, now = self._document.core_properties, datetime.datetime.now(datetime.UTC)
        about.author = about.comments = ""
        about.created = about.modified = now
        _turn_to_the_right(self._document.element.body)
        self._document.save(str(target) if isinstance(target, Path) else target)


def _turn_to_the_right(body: Any) -> None:
    """Paragraphs and tables that begin at the right are told to (ECMA-376, part 1, 17.3.1.6, 17.3.2.30, 17.4.1)."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for table in body.iter(qn("w:tbl")):
        if bidi.is_from_right("".join(table.tr_lst[0].itertext()) if table.tr_lst else ""):
            table.tblPr.insert_element_before(OxmlElement("w:bidiVisual"), *_AFTER_TABLE_SIDE)
    for paragraph in body.iter(qn("w:p")):
        text = "".join(each.text or "" for each in paragraph.iter(qn("w:t")))
        if not bidi.is_mixed(text):
            continue
        if bidi.is_from_right(text):
            paragraph.get_or_add_pPr().insert_element_before(OxmlElement("w:bidi"), *_AFTER_SIDE)
        for run in paragraph.iter(qn("w:r")):
            if bidi.is_mixed(run.text):
                run.get_or_add_rPr().insert_element_before(OxmlElement("w:rtl"), *_AFTER_RUN_SIDE)


class _Blocks(HTMLParser):
    """Puts the HTML of `prose` into a document. `tables` are those whose places are in the text; with a `paragraph`
    all goes into that."""

    def __init__(self, file: WordFile, tables: list[list[list[str]]], paragraph: Any = None) -> None:
        super().__init__()
        self._file, self._tables = file, tables
        self._paragraph: Any = paragraph
        self._open: list[str] = []
        self._list = 0
        self._target = ""

    def read(self, html: str) -> None:
        """Adds what the HTML holds to the end of the document."""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self._paragraph = self._file.paragraph(f"Heading {tag[1]}")
        elif tag in ("p", "pre"):
            self._paragraph = self._file.paragraph("Quote" if "blockquote" in self._open else "Normal")
        elif tag == "ol":
            self._list = self._file.new_list(int(given.get("start") or 1))
        elif tag == "li":
            self._paragraph = self._item()
        elif tag == "hr":
            self._file.add_rule()
        elif tag == "br":
            self._paragraph.add_run().add_break()
        elif tag == "a":
            self._target = given.get("href") or ""
        if tag not in ("hr", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "li"):
            self._paragraph = None
        elif tag == "a":
            self._target = ""

    def handle_data(self, data: str) -> None:
        if self._paragraph is None:  # line ends between blocks
            return
        if data.startswith(_PLACE):
            self._paragraph._p.getparent().remove(self._paragraph._p)
            self._file.add_table(self._tables[int(data[1:])], marked=True)
            return
        run = self._paragraph.add_run(data)
        run.bold = True if "strong" in self._open else None
        run.italic = True if "em" in self._open else None
        if "code" in self._open:
            run.font.name = _MONO
        if self._target:
            _link(self._paragraph, run, self._target)

    def _item(self) -> Any:
        if "ol" not in self._open:
            return self._file.paragraph("List Bullet")
        item = self._file.paragraph("List Number")
        item._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = self._list
        return item


def _link(paragraph: Any, run: Any, target: str) -> None:
    """Makes the run one that is clicked."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    run.font.underline, run.font.color.rgb = True, RGBColor(0x05, 0x63, 0xC1)
    link: Any = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    paragraph._p.replace(run._r, link)
    link.append(run._r)


def _underline(paragraph: Any) -> None:
    """A line over the width of the page."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    line = f'<w:pBdr {nsdecls("w")}><w:bottom w:val="single" w:sz="6" w:space="1" w:color="808080"/></w:pBdr>'
    paragraph._p.get_or_add_pPr().append(parse_xml(line))


def without_tables(text: str) -> tuple[str, list[list[list[str]]]]:
    """The text with a mark at the place of each table, and the tables: rows of cells, the first names the columns."""
    lines, kept, found = (
        text.replace("\r\n", "\n").replace("\r", "\n").split("\n"),
        list[str](),
        list[list[list[str]]](),
    )
    fenced, at = False, 0
    while at < len(lines):
        line = lines[at]
        fenced ^= line.startswith("```")
        ruled = at + 1 < len(lines) and "|" in line and _RULE.fullmatch(lines[at + 1])
        if fenced or not ruled or len(_cells(line)) != len(_cells(lines[at + 1])):
            kept.append(line)
            at += 1
            continue
        rows, at = [_cells(line)], at + 2
        while at < len(lines) and "|" in lines[at]:
            rows.append(fitted(_cells(lines[at]), len(rows[0])))
            at += 1
        kept += ["", f"{_PLACE}{len(found)}", ""]
        found.append(rows)
    return "\n".join(kept), found


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(line)]


def fitted(cells: list[str], count: int) -> list[str]:
    """So many cells: filled up with empty ones, or cut."""
    return [*cells, *[""] * (count - len(cells))][:count]


def written(cells: Iterable[Any]) -> list[str]:
    """Cells of a table as people write them: 1200 for 1200.0, nothing for None; without what no document may hold."""
    texts = (
        "" if tables.is_empty(cell) else tables.shown(cell, 12) if isinstance(cell, float) else str(cell)
        for cell in cells
    )  # fmt: skip
    return [cleaned(text) for text in texts]


def place_of_table(text: str) -> int | None:
    """The number of the table whose place a paragraph keeps; None for another one."""
    return int(text[1:]) if text.startswith(_PLACE) and text[1:].isdecimal() else None


def cleaned(text: str) -> str:
    """Without the characters that no document may hold; a new page is a new paragraph."""
    return _FORBIDDEN.sub("", re.sub(r"[\x0b\x0c]", "\n\n", text))
