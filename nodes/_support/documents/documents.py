"""The text and the tables of documents: PDF, Word, OpenDocument, EPUB, HTML, spreadsheets, plain text. Must not know
tools.

PDF needs pypdf, Word python-docx; both are imported where they are used. Scanned pages are read as pictures.
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nodes._support.documents import books, page_numbers, pdf_letters, word_reading
from nodes._support.documents.html_text import text_of_html
from nodes._support.files import beginnings, codecs
from nodes._support.imaging import bidi
from nodes._support.tables import sheets
from nodes._support.vision import ocr
from nodes.api import Cancelled, NodeError, Phrase, ResourceType, RunContext, Table

if TYPE_CHECKING:
    import numpy as np
    from pypdf import PdfReader

PLAIN = (".txt", ".md", ".markdown", ".text", ".log", ".rst", ".srt", ".vtt", ".ass", ".ssa", ".csv", ".tsv")
HTML = (".html", ".htm", ".xhtml")
_SMALLEST_SIDE, _MOST_PAGE_PIXELS = 50, 100_000_000
"""Of pictures of pages that are read; smaller ones are lines and bullets."""
_TWO_COLUMNS = 200
"""Letters on a page of two columns of text at least."""
_STAMP, _SCANNED_SIDE, _SHAPE_NEAR = 120, 600, 0.1
"""Letters that scanners and offices write on a scan at most, its shorter side, and by what factor its shape differs."""
_FORMED = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]+")
"""Arabic letters as they stand on paper: in a text they are written as they are typed."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_T = TypeVar("_T")


def text_of(file: Path, pages: str, context: RunContext) -> str:
    """The text of a document, of a PDF that of the `pages` named, all of them for "". Raises NodeError."""
    if checked(file) == ".pdf":
        text = "\n\n".join(filter(None, _pages(file, pages, context, functools.partial(_page_text, file))))
    else:
        text = text_without_pages(file)
    if not text.strip():
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "file", "Choose another file.")
    return text


def text_without_pages(file: Path) -> str:
    """The text of a document other than a PDF, "" where it has none. Raises NodeError."""
    suffix = checked(file)
    if suffix == ".docx":
        return opened(file, lambda: _docx(file))
    if suffix in books.OPEN_DOCUMENT:
        return opened(file, lambda: text_of_html(books.open_document(file)))
    if suffix == ".epub":
        return opened(file, lambda: "\n\n".join(filter(None, map(text_of_html, books.chapters(file)))))
    if suffix in sheets.SPREADSHEETS:
        return opened(file, lambda: _of_sheet(file))
    if suffix in (*HTML, *PLAIN):
        text = codecs.decode(file, ResourceType.TEXT, "file")
        return text_of_html(text) if suffix in HTML else text
    raise unknown(file)


def beginning(file: Path) -> tuple[Any, bool]:
    """The text, or the table of a spreadsheet, as plain data for showing, as `beginnings` gives it; of a PDF its first
    page. Raises ValueError, and NodeError also where there are no words in it.
    """
    suffix = checked(file)
    if suffix in sheets.SPREADSHEETS:
        table = sheets.spreadsheet(file)
        return beginnings.shown_table(table.columns, table.rows, False)
    if suffix == ".pdf":
        text, pages = pdf(file, lambda reader: (written_on(reader.pages[0]), len(reader.pages)))
    else:
        text, pages = text_without_pages(file), 1
    if not text.strip():
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "file", "Choose another file.")
    return text[: beginnings.CHARACTERS], pages > 1 or len(text) > beginnings.CHARACTERS


def tables_of(file: Path, context: RunContext) -> list[sheets.Rows]:
    """The tables in a document. Raises NodeError; none in it is an empty list."""
    suffix = checked(file)
    if suffix == ".pdf":
        return [rows for page in _pages(file, "", context, _page_tables) for rows in page]
    if suffix == ".docx":
        return opened(file, lambda: _docx_tables(file))
    if suffix in books.OPEN_DOCUMENT:
        return sheets.of_page(opened(file, lambda: books.open_document(file)))
    if suffix == ".epub":
        return [rows for chapter in opened(file, lambda: books.chapters(file)) for rows in sheets.of_page(chapter)]
    if suffix in HTML:
        return sheets.of_page(codecs.decode(file, ResourceType.TEXT, "file"))
    raise unknown(file)


def checked(file: Path) -> str:
    """What kind of document it is, by the ending of its name, but for a PDF. Raises NodeError."""
    if not file.is_file() or file.stat().st_size == 0:
        raise NodeError(Phrase("{file} is missing or empty.", file=file.name), "file", "Choose another file.")
    if file.stat().st_size > books.MOST_BYTES:
        raise NodeError(Phrase("{file} is larger than 300 MB.", file=file.name), "file", "Give a part of it.")
    return ".pdf" if is_pdf(file) else file.suffix.lower()


def is_pdf(file: Path) -> bool:
    """True where the file begins as a PDF does, whatever its name. Raises OSError."""
    with open(file, "rb") as opened:
        return opened.read(8).startswith(b"%PDF")


def unknown(file: Path) -> NodeError:
    """What is said of a file that is no document that can be read."""
    old = file.suffix.lower() in (".doc", ".rtf", ".pages", ".ppt", ".pptx", ".mobi", ".azw3")
    fix = "Save it as .docx or PDF." if old else "Give PDF, Word, OpenDocument, EPUB or text."
    return NodeError(Phrase("{file} is not a document that can be read.", file=file.name), "file", fix)


def opened(file: Path, read: Callable[[], _T]) -> _T:
    """What `read` gives. Raises NodeError for whatever a reader of strangers' files stumbles over."""
    try:
        return read()
    except (NodeError, Cancelled, MemoryError):
        raise
    except books.NeedsPassword as error:
        raise locked(file) from error
    except Exception as error:  # an edge
        why = codecs.why(error)
        is_told = why != codecs.why(ValueError())
        said = Phrase("{file} is damaged: {why}", file=file.name, why=why)
        said = said if is_told else Phrase("{file} is damaged and cannot be opened.", file=file.name)
        raise NodeError(said, "file", "Open and save it again, or give another.") from error


def _of_sheet(file: Path) -> str:
    """Of several sheets each below its name."""
    tables = sheets.all_sheets(file)
    return "\n\n".join(f"{name}\n{_lines(table)}" if len(tables) > 1 else _lines(table) for name, table in tables)


def _lines(table: Table) -> str:
    """A table as text, cells apart by tabs."""
    rows = (table.columns, *table.rows)
    return "\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in rows)


def _pages(file: Path, pages: str, context: RunContext, read: Callable[[Any, RunContext], _T]) -> list[_T]:
    """What `read` finds on each of the pages named. Raises NodeError."""

    def all_of(reader: PdfReader) -> list[_T]:
        chosen = chosen_pages(file, len(reader.pages), pages, context)
        return [read(reader.pages[number], context) for number in chosen]

    return pdf(file, all_of)


def pdf(file: Path, read: Callable[[PdfReader], _T], password: str = "") -> _T:
    """What `read` gives of a PDF. Raises NodeError for what is no PDF or is damaged, Locked for another password."""
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # remarks about untidy files are nothing for the user
    check_pdf(file)

    def read_all() -> _T:
        with open(file, "rb") as stream:
            reader = PdfReader(stream)
            if reader.is_encrypted and not (reader.decrypt(password) or reader.decrypt(password.encode())):
                raise locked(file)
            return read(reader)

    return opened(file, read_all)


def check_pdf(file: Path) -> None:
    """Raises NodeError for what is no PDF."""
    if checked(file) != ".pdf":
        raise NodeError(Phrase("{file} is no PDF.", file=file.name), "file", "Choose a PDF file.")


def chosen_pages(file: Path, total: int, pages: str, context: RunContext) -> Iterator[int]:
    """The numbers, from 0, of the `pages` named of a PDF of `total`, all of them for ""; tells progress. Raises
    NodeError naming `pages` for what is no page and for pages that are not there.
    """
    chosen = page_numbers.chosen(pages if pages.strip() else "1-", total, file.name)
    for done, number in enumerate(chosen):
        context.progress(done / len(chosen), Phrase("page {number} of {total}", number=number, total=total))
        yield number - 1


class Locked(NodeError):
    """A document that is not opened without its password."""


def locked(file: Path) -> Locked:
    """What is said of a document that needs a password."""
    said = Phrase("{file} is protected by a password.", file=file.name)
    fix = Phrase("Tell its password to take it off first.") if is_pdf(file) else "Save a copy without the password."
    return Locked(said, "file", fix)


def _page_text(file: Path, page: Any, context: RunContext) -> str:
    text = written_on(page)
    if bidi.is_mixed(text) or len(text) > _TWO_COLUMNS:
        text = _by_place(file, page.page_number, bidi.is_mixed(text)) or text
    lines = (line for picture in _scanned(page, text) for line in ocr.lines(ocr.pieces(picture, context)))
    read = "\n".join(" ".join(piece.text for piece in line) for line in lines)
    return "\n".join(filter(None, (read, text)))


def _by_place(file: Path, number: int, is_mixed: bool) -> str | None:
    """The text of a page, the number from 0, where the file has it in another order than it is read in: two columns row
    by row, or lines that are wholly or in part read from the right."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError:  # what one library reads and the other does not is read as it is
        return None
    try:
        page = document[number]
        if page.get_rotation():
            return None
        if is_mixed:
            return _as_typed(pdf_letters.lines_from_right(page))
        return pdf_letters.in_columns([*pdf_letters.pieces(page, looks=False)], page.get_width())
    finally:
        document.close()


def written_on(page: Any) -> str:
    """The text of a page of a PDF, without what is to be read in its pictures."""
    text = re.sub(r"[ \t]+\n", "\n", (page.extract_text() or "").replace("\x00", "")).strip()
    return _as_typed(text)


def _as_typed(text: str) -> str:
    return _FORMED.sub(lambda letters: unicodedata.normalize("NFKC", letters[0]), text)


def _page_tables(page: Any, context: RunContext) -> list[sheets.Rows]:
    text = page.extract_text(extraction_mode="layout") or ""
    typed = sheets.of_lines([sheets.placed(line) for line in text.splitlines() if line.strip()])
    return typed + [rows for picture in _scanned(page, text) for rows in written_tables(picture, context)]


def written_tables(picture: np.ndarray, context: RunContext) -> list[sheets.Rows]:
    """The tables in a picture, uint8 RGB, by where its writing stands."""
    _, _, found = ocr.righted(picture, context)
    return sheets.of_lines([
        [sheets.Placed(float(p.corners[:, 0].min()), float(p.corners[:, 0].max()), p.text) for p in line]
        for line in ocr.lines(found, columns=False)
    ])  # fmt: skip


def _scanned(page: Any, text: str) -> Iterator[np.ndarray]:
    """The pictures that are to be read of a page on which `text` is written, upright, uint8 RGB: all of them where
    that is nothing; where it is little, as of a stamp on a scan, those of the shape of the page; else none."""
    import numpy as np

    written = sum(map(str.isalnum, text))
    if written > _STAMP:
        return
    shape = max(page.mediabox.width, 1) / max(page.mediabox.height, 1)
    for name in page.images.keys():  # noqa: SIM118 - a sequence that finds by name
        kept = page.images[name]
        if kept.image is None or min(kept.image.size) < _SMALLEST_SIDE:
            continue
        if written and not _is_page(kept.image.width / kept.image.height, float(shape), min(kept.image.size)):
            continue
        if kept.image.width * kept.image.height > _MOST_PAGE_PIXELS:
            raise ValueError(Phrase("it has too many pixels"))
        yield np.asarray(kept.image.convert("RGB").rotate(-page.rotation, expand=True))


def _is_page(shape: float, of_page: float, side: int) -> bool:
    """Whether a picture of that width over height is a scan of the page, lying or upright."""
    near = (abs(math.log(shape / each)) < _SHAPE_NEAR for each in (of_page, 1 / of_page))
    return side >= _SCANNED_SIDE and any(near)


def _docx(file: Path) -> str:
    from docx.table import Table as WordTable

    document = read_word(file)
    above, below = word_reading.headings_of_paper(document)
    blocks = [
        "\n".join("\t".join(row) for row in cells_of(block)) if isinstance(block, WordTable) else _paragraph(block)
        for block in (*document.iter_inner_content(), *above, *below)
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in blocks if block.strip()))


def _docx_tables(file: Path) -> list[sheets.Rows]:
    return [cells_of(table) for table in read_word(file).tables]


def cells_of(table: Any) -> list[list[str]]:
    """What stands in each cell of a table in Word, row by row; what is in one over several columns once."""
    rows = (row.cells for row in table.rows)
    return [
        [
            "" if beside and beside._tc is cell._tc else _cell(cell)
            for beside, cell in zip((None, *cells), cells, strict=False)
        ]
        for cells in rows
    ]


def _cell(cell: Any) -> str:
    """What stands in a cell, in tables within it, too."""
    parts = (part.text if hasattr(part, "text") else "\n".join(" ".join(row) for row in cells_of(part))
             for part in cell.iter_inner_content())  # fmt: skip
    return "\n".join(parts).strip("\n")


def read_word(file: Path) -> Any:
    """As `word`, with all of it that is read laid open; not to be written again."""
    document = word(file)
    word_reading.open_up(document)
    return document


def word(file: Path) -> Any:
    """A Word document, of python-docx. Raises NodeError for what is none, or locked."""
    from docx import Document

    try:
        with zipfile.ZipFile(file) as archive:
            books.check_size(archive)
        return Document(str(file))
    except (zipfile.BadZipFile, KeyError) as error:
        with open(file, "rb") as stream:
            if stream.read(4) == _OLD_OFFICE:  # what is kept with a password lies in such a file
                raise locked(file) from error
        fix = "Open and save it again in a word processor, or give another."
        said = Phrase("{file} is not a Word document that can be opened.", file=file.name)
        raise NodeError(said, "file", fix) from error


def _paragraph(block: Any) -> str:
    style = (block.style.name or "") if block.style is not None else ""
    return f"• {block.text}" if style.startswith("List") and block.text.strip() else block.text
