"""Sets blocks on the pages of a PDF, as text that can be searched and copied. Must not know tools. Needs pypdfium2.

The letters are those of the fonts of `typeset`, of which only what is used goes into the file. Lengths are in points.
"""

from __future__ import annotations

import ctypes
import io
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodes._support.documents.blocks import Block, is_shown
from nodes._support.documents.pdf_letters import Span
from nodes._support.imaging import bidi, picture_files, typeset
from nodes._support.imaging.cards import Line
from nodes.api import NodeError, Phrase, RunContext

if TYPE_CHECKING:
    import numpy as np

_POINTS_PER_MM = 72 / 25.4
_MARGIN = 25 * _POINTS_PER_MM
_SIZE = 10.5
_HEADINGS = (20.0, 16.0, 13.5, 12.0, 11.0, 10.5)
_LEADING = 1.42
_GAP = 6.0
_INDENT = 18.0
_CELL = 4.0
_MEASURED = 100
"""The size in pixels at which widths are measured."""
_SLANT = 0.2
_BLUE, _GREY = (5, 99, 193), (150, 150, 150)
_MOST_PIXELS_WIDE = 1600
_JPEG_QUALITY = 88


def write(
    blocks: Iterable[Block], paper: tuple[float, float], title: str, target: Path | io.BytesIO, context: RunContext
) -> None:
    """A PDF of pages of that width and height in millimetres. Raises NodeError where no font has the letters."""
    blocks = list(blocks)
    _check_letters(blocks)
    sheet = _Sheet(paper[0] * _POINTS_PER_MM, paper[1] * _POINTS_PER_MM)
    try:
        sheet.new_page()
        for number, block in enumerate(blocks):
            if number % 20 == 0:
                context.progress(number / len(blocks))
            _set(sheet, block, blocks[number + 1] if number + 1 < len(blocks) else None)
        sheet.save(target)
    finally:
        sheet.document.close()
    _finish(target, title)


def write_lines(lines: Sequence[str], colour: tuple[int, int, int, int], target: Path) -> None:
    """A PDF with a page for each line, as large as the line is in letters of 10 points: 14 points high. `colour` is
    red, green, blue and opacity, 0 to 255. Raises NodeError naming `text` where no font has the letters."""
    _check_fonts({letter for line in lines for letter in line}, "text")
    sheet = _Sheet(1.0, 14.0, colour)
    try:
        for line in lines:
            sheet.page_wide = max(1.0, _width(line, Span(""), 10.0))
            sheet.new_page()
            sheet.text(0.0, 3.5, [Span(line)], 10.0, bidi.is_from_right(line))
        sheet.save(target)
    finally:
        sheet.document.close()
    _finish(target, "")


def write_poster(ground: np.ndarray, lines: Sequence[Line], paper: tuple[float, float], target: Path) -> None:
    """A PDF of one page of that width and height in millimetres: the picture, uint8 RGB, fills it; the lines, in its
    pixels, are on it as text.
    """
    sheet = _Sheet(paper[0] * _POINTS_PER_MM, paper[1] * _POINTS_PER_MM)
    try:
        sheet.new_page()
        sheet.fill(ground)
        for line in lines:
            sheet.poster_line(line, sheet.page_high / ground.shape[0])
        sheet.save(target)
    finally:
        sheet.document.close()
    _finish(target, " ".join(line.text for line in lines))


def _check_letters(blocks: Sequence[Block]) -> None:
    used = {letter for block in blocks for letter in block.text}
    used |= {letter for block in blocks for row in block.rows for cell in row for letter in cell}
    _check_fonts(used)


def _check_fonts(letters: set[str], port: str = "") -> None:
    lacking = [letter for letter in typeset.missing("".join(sorted(letters))) if letter.isalnum()]
    if lacking:
        shown = Phrase("No font on this computer has the letters {shown}.", shown="".join(lacking[:8]))
        raise NodeError(shown, port, "Install a Noto font for them.")


def _set(sheet: _Sheet, block: Block, following: Block | None) -> None:
    from_right = bidi.is_from_right(block.text)
    if block.kind == "table":
        _set_table(sheet, block.rows)
    elif block.kind == "picture":
        sheet.picture(block.picture)
    elif block.kind == "rule":
        sheet.room(2 * _GAP)
        sheet.line(sheet.left, sheet.y - _GAP, sheet.right, sheet.y - _GAP)
        sheet.y -= 2 * _GAP
    elif block.kind == "heading":
        size = _HEADINGS[min(block.level, 6) - 1]
        sheet.y -= 0 if sheet.is_new else size * 0.7
        sheet.room(size * _LEADING + 3 * _SIZE * _LEADING)
        sheet.lines(_wrapped([span._replace(bold=True) for span in block.spans], sheet.wide, size), size,
                    from_right=from_right)  # fmt: skip
    elif block.kind == "item":
        indent = _INDENT * block.level
        mark = f"{block.number}." if block.number else "•"
        lines = _wrapped(block.spans, sheet.wide - indent, _SIZE)
        sheet.lines(lines, _SIZE, indent, mark, from_right)
        sheet.y += _GAP * 0.6 if following is not None and following.kind == "item" else 0
    else:
        indent = _INDENT if block.kind in ("quote", "code") else 0.0
        spans = [s._replace(italic=s.italic or block.kind == "quote", code=s.code or block.kind == "code")
                 for s in block.spans]  # fmt: skip
        sheet.lines(_wrapped(spans, sheet.wide - 2 * indent, _SIZE), _SIZE, indent, from_right=from_right)


# Lines ----------------------------------------------------------------------------------------------------------------


def _weight(span: Span) -> str:
    return "mono" if span.code else "bold" if span.bold else "regular"


def _width(text: str, span: Span, size: float) -> float:
    return typeset.width_of(bidi.formed(text), _MEASURED, _weight(span)) * size / _MEASURED


def _line_wide(line: Sequence[Span], size: float) -> float:
    return sum(_width(span.text, span, size) for span in line)


def _visual(line: Sequence[Span], from_right: bool) -> Sequence[Span]:
    """The line as it stands on paper, from left to right, without what is blank at its end."""
    text = "".join(span.text for span in line)
    if not from_right and not bidi.is_mixed(text):
        return line
    letters = [(letter, span._replace(text="")) for span in line for letter in span.text][: len(text.rstrip())]
    placed = itertools.groupby(bidi.visual(letters, from_right), key=lambda one: one[1])
    return [span._replace(text="".join(letter for letter, _ in part)) for span, part in placed]


def _wrapped(spans: Sequence[Span], wide: float, size: float) -> list[list[Span]]:
    """Lines that are at most so wide; words that are wider are cut."""
    lines: list[list[Span]] = [[]]
    used = 0.0
    for span in spans:
        for number, part in enumerate(span.text.split("\n")):
            if number:
                lines.append([])
                used = 0.0
            for piece in typeset.PIECE.findall(part.replace("\t", "    ")):
                for bit in _fitting(piece, span, wide, size):
                    width = _width(bit, span, size)
                    if lines[-1] and used + width > wide and not bit.isspace() and bit not in typeset.NO_START:
                        lines.append([])
                        used = 0.0
                    if lines[-1] or not bit.isspace() or span.code:
                        lines[-1].append(span._replace(text=bit))
                        used += width
    return lines


def _fitting(piece: str, span: Span, wide: float, size: float) -> list[str]:
    if _width(piece, span, size) <= wide or len(piece) < 2:
        return [piece]
    each = max(1, int(len(piece) * wide / _width(piece, span, size) * 0.95))
    return [piece[at : at + each] for at in range(0, len(piece), each)]


# Tables ---------------------------------------------------------------------------------------------------------------


def _set_table(sheet: _Sheet, rows: Sequence[Sequence[str]]) -> None:
    """The first row in bold, and again on each page."""
    widths = _column_widths(rows, sheet.wide)
    if bidi.is_from_right(" ".join(rows[0])):  # then the first column is the one at the right
        rows, widths = [row[::-1] for row in rows], widths[::-1]
        indent = sheet.wide - sum(widths)
    else:
        indent = 0.0
    head = _row(rows[0], widths, True)
    sheet.y -= 0 if sheet.is_new else _GAP
    _draw_row(sheet, head, widths, indent)
    for row in rows[1:]:
        lines = _row(row, widths, False)
        if sheet.y - _height(lines) < sheet.bottom:
            sheet.new_page()
            _draw_row(sheet, head, widths, indent)
        _draw_row(sheet, lines, widths, indent)
    sheet.y -= _GAP * 2


def _column_widths(rows: Sequence[Sequence[str]], wide: float) -> list[float]:
    """As wide as what stands in them asks, made smaller in proportion where that is too much."""
    plain = Span("", bold=True)
    sample = rows[:200]
    asked = [
        max(12.0, *(_width(row[n][:200], plain, _SIZE) for row in sample)) + 2 * _CELL for n in range(len(rows[0]))
    ]
    if sum(asked) <= wide:
        return asked
    fair = wide / len(asked)
    spare = sum(max(0.0, fair - each) for each in asked)
    over = sum(max(0.0, each - fair) for each in asked)
    return [each if each <= fair else fair + (each - fair) * spare / over for each in asked]


def _row(cells: Sequence[str], widths: Sequence[float], is_bold: bool) -> list[list[list[Span]]]:
    return [_wrapped([Span(cell, bold=is_bold)], max(wide - 2 * _CELL, _SIZE), _SIZE)
            for cell, wide in zip(cells, widths, strict=True)]  # fmt: skip


def _height(cells: Sequence[Sequence[Sequence[Span]]]) -> float:
    return max(map(len, cells)) * _SIZE * _LEADING + _CELL


def _draw_row(sheet: _Sheet, cells: Sequence[list[list[Span]]], widths: Sequence[float], indent: float) -> None:
    """A row that is higher than a page goes on on the next."""
    step = _SIZE * _LEADING
    while cells:
        if sheet.y - step - _CELL < sheet.bottom:
            sheet.new_page()
        count = max(1, int((sheet.y - _CELL - sheet.bottom) / step))
        now, later = [cell[:count] for cell in cells], [cell[count:] for cell in cells]
        height, left = _height(now), sheet.left + indent
        for lines, wide in zip(now, widths, strict=True):
            sheet.box(left, sheet.y - height, wide, height)
            from_right = bidi.is_from_right("".join(span.text for line in lines for span in line))
            for number, line in enumerate(lines):
                begin = left + wide - _CELL - _line_wide(_visual(line, True), _SIZE) if from_right else left + _CELL
                sheet.text(begin, sheet.y - _CELL / 2 - step * (number + 0.75), line, _SIZE, from_right)
            left += wide
        sheet.y -= height
        cells = later if any(later) else []


# The file -------------------------------------------------------------------------------------------------------------


@dataclass
class _Sheet:
    """The page that is being filled from above; `y` is how far up the next line begins."""

    page_wide: float
    page_high: float
    colour: tuple[int, int, int, int] = (0, 0, 0, 255)
    document: Any = None
    y: float = 0.0
    is_new: bool = True
    _page: Any = None
    _fonts: dict[str, Any] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        import pypdfium2

        self.document = pypdfium2.PdfDocument.new()

    @property
    def left(self) -> float:
        """Where lines begin."""
        return _MARGIN

    @property
    def right(self) -> float:
        """Where they end."""
        return self.page_wide - _MARGIN

    @property
    def bottom(self) -> float:
        """Below which nothing stands."""
        return _MARGIN

    @property
    def wide(self) -> float:
        """How wide lines are."""
        return self.right - self.left

    def new_page(self) -> None:
        """Goes on to the next page."""
        self._end_page()
        self._page = self.document.new_page(self.page_wide, self.page_high)
        self.y, self.is_new = self.page_high - _MARGIN, True

    def _end_page(self) -> None:
        if self._page is not None:
            self._page.gen_content()
            self._page.close()
            self._page = None

    def room(self, height: float) -> None:
        """Goes to the next page where less is left."""
        if self.y - height < self.bottom and not self.is_new:
            self.new_page()

    def lines(
        self, lines: Sequence[Sequence[Span]], size: float, indent: float = 0.0, mark: str = "",
        from_right: bool = False,
    ) -> None:  # fmt: skip
        """Lines below each other, with a mark before the first, and a gap below; `from_right` they end at the left."""
        step = size * _LEADING
        for number, line in enumerate(lines):
            self.room(step)
            base = self.y - step * 0.75
            if mark and number == 0:
                wide = _width(mark, Span(""), size)
                place = self.right - indent + 5 if from_right else self.left + indent - wide - 5
                self.text(place, base, [Span(mark)], size, from_right)
            wide = _line_wide(_visual(line, True), size) if from_right else 0.0
            self.text(self.right - indent - wide if from_right else self.left + indent, base, line, size, from_right)
            self.y -= step
            self.is_new = False
        self.y -= _GAP

    def text(self, x: float, y: float, line: Sequence[Span], size: float, from_right: bool = False) -> None:
        """A line whose letters stand on `y`; `from_right` is that of its paragraph."""
        for span in _visual(line, from_right):
            wide = _width(span.text, span, size)
            if span.link:
                self.line(x, y - 1.5, x + wide, y - 1.5, _BLUE)
                self._link(x, y - 3, x + wide, y + size, span.link)
            for path, part in typeset.runs(span.text, _weight(span)):
                if part.strip():
                    self._letters(path, part, x, y, size, span)
                x += _width(part, span, size)
        self.is_new = False

    def _letters(self, path: str, text: str, x: float, y: float, size: float, span: Span) -> None:
        import pypdfium2.raw as pdfium

        letters = pdfium.FPDFPageObj_CreateTextObj(self.document, self._font(path), size)
        coded = ctypes.create_string_buffer((text + "\0").encode("utf-16-le"))
        pdfium.FPDFText_SetText(letters, ctypes.cast(coded, ctypes.POINTER(ctypes.c_ushort)))
        pdfium.FPDFPageObj_Transform(letters, 1, 0, _SLANT if span.italic else 0, 1, x, y)
        pdfium.FPDFPageObj_SetFillColor(letters, *((*_BLUE, 255) if span.link else self.colour))
        pdfium.FPDFPage_InsertObject(self._page, letters)

    def fill(self, picture: np.ndarray) -> None:
        """The picture, uint8 RGB, over the whole page."""
        self._insert(picture_files.encode(picture, ".jpg", _JPEG_QUALITY), 0, 0, self.page_wide, self.page_high)

    def poster_line(self, line: Line, scale: float) -> None:
        """A line that is set in pixels, of so many points each."""
        x, size, self.colour = line.x * scale, line.size * scale, (line.ink[0], line.ink[1], line.ink[2], 255)
        shown = "".join(span.text for span in _visual([Span(line.text)], bidi.is_from_right(line.text)))
        for path, part in typeset.runs(shown, line.weight):
            if part.strip():
                self._letters(path, part, x, self.page_high - (line.y + 0.36 * line.size) * scale, size, Span(part))
            x += typeset.width_of(part, line.size, line.weight) * scale

    def _font(self, path: str) -> Any:
        import pypdfium2.raw as pdfium

        if path not in self._fonts:
            data = typeset.font_data(path) if path else b""
            held = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
            self._kept.append(held)
            font = pdfium.FPDFText_LoadFont(self.document, held, len(data), pdfium.FPDF_FONT_TRUETYPE, 1)
            if not font:
                raise NodeError("The font of this document cannot be put into a PDF.", "", "Choose another form.")
            self._fonts[path] = font
        return self._fonts[path]

    def _link(self, left: float, bottom: float, right: float, top: float, address: str) -> None:
        import pypdfium2.raw as pdfium

        note = pdfium.FPDFPage_CreateAnnot(self._page, pdfium.FPDF_ANNOT_LINK)
        pdfium.FPDFAnnot_SetRect(note, pdfium.FS_RECTF(left, top, right, bottom))
        pdfium.FPDFAnnot_SetURI(note, address.encode("ascii", "ignore"))
        pdfium.FPDFPage_CloseAnnot(note)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: tuple[int, int, int] = _GREY) -> None:
        """A thin line."""
        import pypdfium2.raw as pdfium

        path = pdfium.FPDFPageObj_CreateNewPath(x0, y0)
        pdfium.FPDFPath_LineTo(path, x1, y1)
        self._stroke(path, colour)

    def box(self, x: float, y: float, wide: float, high: float) -> None:
        """The outline of a cell."""
        import pypdfium2.raw as pdfium

        self._stroke(pdfium.FPDFPageObj_CreateNewRect(x, y, wide, high), _GREY)
        self.is_new = False

    def _stroke(self, path: Any, colour: tuple[int, int, int]) -> None:
        import pypdfium2.raw as pdfium

        pdfium.FPDFPageObj_SetStrokeColor(path, *colour, 255)
        pdfium.FPDFPageObj_SetStrokeWidth(path, 0.5)
        pdfium.FPDFPath_SetDrawMode(path, pdfium.FPDF_FILLMODE_NONE, True)
        pdfium.FPDFPage_InsertObject(self._page, path)

    def picture(self, data: bytes) -> None:
        """A picture, as wide as the lines at most; nothing for what cannot be read."""
        found = is_shown(data)
        if found is None:
            return
        scale = min(1.0, _MOST_PIXELS_WIDE / max(found.size))
        plain = found.convert("RGBA")
        from PIL import Image

        paper = Image.new("RGB", plain.size, "white")
        paper.paste(plain, mask=plain.getchannel("A"))
        stream = io.BytesIO()
        paper.resize([max(1, round(side * scale)) for side in paper.size]).save(stream, "JPEG", quality=_JPEG_QUALITY)
        fits = min(self.wide / found.width, (self.page_high - 2 * _MARGIN) / found.height, 0.75)
        wide, high = found.width * fits, found.height * fits
        self.room(high)
        self._insert(stream.getvalue(), self.left, self.y - high, wide, high)
        self.y -= high + _GAP
        self.is_new = False

    def _insert(self, jpeg: bytes, left: float, bottom: float, wide: float, high: float) -> None:
        import pypdfium2

        image = pypdfium2.PdfImage.new(self.document)
        image.load_jpeg(io.BytesIO(jpeg), inline=True)
        image.set_matrix(pypdfium2.PdfMatrix().scale(wide, high).translate(left, bottom))
        self._page.insert_obj(image)

    def save(self, target: Path | io.BytesIO) -> None:
        """Writes the file, with what is used of the fonts."""
        import pypdfium2.raw as pdfium

        self._end_page()
        self.document.save(target, flags=pdfium.FPDF_SUBSET_NEW_FONTS)


def _finish(target: Path | io.BytesIO, title: str) -> None:
    """Gives the file its title, and presses together what is in it."""
    from pypdf import PdfWriter

    made: Any = PdfWriter(clone_from=target)
    for page in made.pages:
        page.compress_content_streams()
    _name_outlines(made)
    made.add_metadata({"/Title": title} if title else {})
    if isinstance(target, io.BytesIO):
        target.seek(0)
        target.truncate()
    made.write(target)


def _name_outlines(made: Any) -> None:
    """Fonts whose letters are drawn as Type 1 does, as those of Noto for Chinese, are told to be such: PDFium takes all
    for TrueType, and strict readers show nothing then (ISO 32000, 9.9)."""
    from pypdf.generic import NameObject

    for kept in made._objects:
        if not isinstance(kept, dict) or kept.get("/Subtype") != "/CIDFontType2":
            continue
        about = kept["/FontDescriptor"].get_object()
        file = about.get("/FontFile2")
        if file is not None and file.get_object().get_data()[:4] == b"OTTO":
            kept[NameObject("/Subtype")] = NameObject("/CIDFontType0")
            kept.pop("/CIDToGIDMap", None)
            file.get_object()[NameObject("/Subtype")] = NameObject("/OpenType")
            about[NameObject("/FontFile3")] = about.raw_get("/FontFile2")
            del about["/FontFile2"]
