"""The letters of a page of a PDF: which stand together, and in which order they are read. Must not know tools."""

from __future__ import annotations

import ctypes
import itertools
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nodes._support.imaging import bidi

SAME_LINE = 0.5
"""Lines differ by so many heights of a letter at least."""
_GAP = 0.55
"""So many heights of a letter lie between the cells of a row."""
_BLANK = 0.12
"""So many heights of a letter lie between words, at least."""
_MIDDLE = 0.3, 0.7
"""Of the width of a page: between two columns of text is a gap there."""
_LEAST_LINES, _LEAST_LETTERS = 5, 20
"""So many lines of so many letters, as an average, make a column of text."""
_FULL = 0.75


class Span(NamedTuple):
    """Letters that look alike; `link` is an address or empty."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""


@dataclass
class Piece:
    """Letters in a row, without a wide gap; `size` is their height, and `top` grows downwards, in points."""

    left: float
    right: float
    top: float
    bottom: float
    size: float
    spans: list[Span]

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans).strip()

    @property
    def is_bold(self) -> bool:
        return all(span.bold for span in self.spans if span.text.strip())


def pieces(page: Any, looks: bool = True) -> Iterator[Piece]:
    """Of a page of pypdfium2, in the order of the file; without `looks` nothing is bold or italic, which is quicker."""
    import pypdfium2.raw as pdfium

    text = page.get_textpage()
    height, piece = page.get_height(), None
    box = pdfium.FS_RECTF()
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text, place) or 0x20)
        if letter in "\r\n\x00":
            continue
        pdfium.FPDFText_GetLooseCharBox(text, place, box)
        left, right, top, bottom = box.left, box.right, height - box.top, height - box.bottom
        size = round(abs(bottom - top) * 4) / 4
        if letter.isspace() or size <= 0:
            if piece is not None and piece.spans:
                piece.spans.append(piece.spans[-1]._replace(text=" "))
            continue
        letter = "-" if letter in "\x02\xad" else letter  # as PDFium tells of a hyphen at the end of a line
        bold, italic = _look(text, place) if looks else (False, False)
        span = Span(letter, bold, italic)
        near = piece is not None and abs(bottom - piece.bottom) < SAME_LINE * size
        if piece is not None and near and -size < left - piece.right < _GAP * size:
            piece.spans.append(span)
            piece.right, piece.top, piece.bottom = right, min(piece.top, top), max(piece.bottom, bottom)
            continue
        if piece is not None:
            yield piece
        piece = Piece(left, right, top, bottom, size, [span])
    if piece is not None:
        yield piece


def lines_from_right(page: Any) -> str:
    """The text of a page of pypdfium2 on which some is read from right to left: line by line, each by where its letters
    stand, for their order in the file differs from program to program."""
    lines: list[list[_Placed]] = []
    for letter in sorted(_placed(page), key=lambda one: one.baseline):
        if lines and letter.baseline - lines[-1][-1].baseline < SAME_LINE * letter.size:
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return "\n".join(_typed(_shown(sorted(line, key=lambda one: one.left))) for line in lines)


def _typed(shown: str) -> str:
    """A line as it was typed. PDFium tells of some brackets as they stand and of others as they are meant: where
    something is read from the right they open before a word and close behind one."""
    read = bidi.logical(shown)
    for opening, closing in ("()", "[]", "{}", "«»") if bidi.is_mixed(read) else ():
        either = f"[{re.escape(opening + closing)}]"
        read = re.sub(rf"(?<!\S){either}(?=\w)", opening, read)
        read = re.sub(rf"(?<=\w){either}(?!\w)", closing, read)
    return read


class _Placed(NamedTuple):
    """A letter; `baseline` grows downwards, in points."""

    letter: str
    left: float
    right: float
    baseline: float
    size: float


def _placed(page: Any) -> Iterator[_Placed]:
    import pypdfium2.raw as pdfium

    text, box = page.get_textpage(), pdfium.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text, place) or 0x20)
        pdfium.FPDFText_GetLooseCharBox(text, place, box)
        if not letter.isspace() and letter.isprintable() and box.top > box.bottom:
            pdfium.FPDFText_GetCharOrigin(text, place, x, y)
            yield _Placed(letter, box.left, box.right, page.get_height() - y.value, box.top - box.bottom)


def _shown(line: Sequence[_Placed]) -> str:
    """The letters from left to right, with a blank where one is seen."""
    gaps = (after.left - before.right > _BLANK * after.size for before, after in itertools.pairwise(line))
    return "".join(" " * gap + one.letter for gap, one in zip((False, *gaps), line, strict=True))


def _look(text: Any, place: int) -> tuple[bool, bool]:
    """Whether a letter is bold and italic, by the name of its font."""
    import pypdfium2.raw as pdfium

    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text, place, name, 128, flags)
    said = name.value.decode("utf-8", "replace").lower()
    is_named = any(word in said for word in ("bold", "black", "heavy"))
    return is_named or pdfium.FPDFText_GetFontWeight(text, place) > 600, "italic" in said or "oblique" in said


def in_columns(found: Sequence[Piece], width: float) -> str | None:
    """The text of a page of two columns, the left one first, between lines that go across both; None where there are no
    two, or the file has them in this order already. `width` is that of the page, in points.
    """
    gap = _gap(found, width)
    if gap is None:
        return None
    sides = [_side(piece, gap) for piece in found]
    turns = sum(before == 1 and side == 0 for before, side in itertools.pairwise(sides))
    if turns < _LEAST_LINES:  # once for a column is as it should be
        return None
    text, waiting = list[str](), ([], [])
    for piece, side in sorted(zip(found, sides, strict=True), key=lambda one: one[0].top):
        if side is None:
            text += [*_lines(waiting[0]), *_lines(waiting[1]), piece.text]
            waiting = ([], [])
        else:
            waiting[side].append(piece)
    return "\n".join([*text, *_lines(waiting[0]), *_lines(waiting[1])])


def _gap(found: Sequence[Piece], width: float) -> float | None:
    """Where a page is free between two columns of text: in the middle of where the fewest lines go across."""
    places: list[tuple[int, float]] = []
    for share in range(round(100 * _MIDDLE[0]), round(100 * _MIDDLE[1]) + 1):
        at = width * share / 100
        left, right = ([p for p in found if _side(p, at) == side] for side in (0, 1))
        across = len(found) - len(left) - len(right)
        if all(map(_is_text, (left, right))) and across <= 0.2 * len(found):
            both = min(p.bottom for p in right) < max(p.bottom for p in left)
            below = min(p.bottom for p in left) < max(p.bottom for p in right)
            if both and below:
                places.append((across, at))
    free = [at for across, at in places if across == min(places)[0]]
    return free[len(free) // 2] if free else None


def _side(piece: Piece, gap: float) -> int | None:
    """0 left of the gap, 1 right of it, None across."""
    return 0 if piece.right <= gap else 1 if piece.left >= gap else None


def _is_text(column: Sequence[Piece]) -> bool:
    """Whether its lines are as long as the column is wide, which the cells of a table are not."""
    if len(column) < _LEAST_LINES or sum(len(p.text) for p in column) < _LEAST_LETTERS * len(column):
        return False
    widths = [piece.right - piece.left for piece in column]
    return statistics.median(widths) > _FULL * max(widths)


def _lines(column: Sequence[Piece]) -> Iterator[str]:
    """From top to bottom, pieces of one height together."""
    line = list[Piece]()
    for piece in sorted(column, key=lambda one: one.bottom):
        if line and piece.bottom - line[-1].bottom >= SAME_LINE * piece.size:
            yield " ".join(one.text for one in sorted(line, key=lambda one: one.left))
            line = []
        line.append(piece)
    if line:
        yield " ".join(one.text for one in sorted(line, key=lambda one: one.left))
