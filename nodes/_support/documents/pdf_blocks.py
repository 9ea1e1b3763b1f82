"""The blocks of a PDF, told by how its letters stand: headings by their size, items by their marks, tables by columns
that line up, pictures as they are. Must not know tools, nor how blocks are written.

A PDF says where letters are, not what they mean: what is found is a guess that people would make, too.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nodes._support.documents import pdf_files
from nodes._support.documents.blocks import Block, merged
from nodes._support.documents.pdf_letters import SAME_LINE, Piece, Span, pieces
from nodes._support.tables import sheets
from nodes.api import RunContext

_MARK = re.compile(r"(?P<bullet>[•◦▪▫●○‣·∙–—*\-\uf0b7])\s+|\(?(?P<number>\d{1,3})[.)]\s+")
_LARGER = 1.12
"""So much taller than the running text are the letters of a heading."""
_LONGEST_HEADING = 160
_WIDEST_CELL = 0.45
"""Of the width of the page: lines that are wider stand in columns of text, not in a table."""
_LEAST_SIDE = 24
_MOST_LEVELS = 4


@dataclass
class _Line:
    """Pieces at one height, from the left."""

    pieces: list[Piece]
    picture: bytes = b""

    @property
    def top(self) -> float:
        return min(piece.top for piece in self.pieces)

    @property
    def bottom(self) -> float:
        return max(piece.bottom for piece in self.pieces)

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def size(self) -> float:
        sizes = Counter[float]()
        for piece in self.pieces:
            sizes[piece.size] += len(piece.text)
        return sizes.most_common(1)[0][0]

    @property
    def spans(self) -> list[Span]:
        found: list[Span] = []
        for piece in self.pieces:
            found += [*([Span(" ")] if found else []), *piece.spans]
        return found

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


def of_file(file: Path, scanned: Callable[[int], list[Block]], context: RunContext) -> list[Block]:
    """The blocks of all pages; those of a page without letters are what `scanned` finds on it, by its number from 0.

    Raises NodeError for a locked file, ValueError for a damaged one.
    """
    document = pdf_files.opened(file)
    try:
        pages: list[list[_Line] | list[Block]] = []
        width = 0.0
        for number in range(len(document)):
            context.progress(number / len(document))
            page = document[number]
            width = max(width, page.get_width())
            lines = _lines(page)
            pages.append([*lines, *_pictures(page)] if any(line.text for line in lines) else scanned(number))
    finally:
        document.close()
    written = [[line for line in page if isinstance(line, _Line)] for page in pages]
    body, levels = _sizes([line for page in written for line in page if line.pieces and not line.picture])
    found: list[Block] = []
    for page, lines in zip(pages, written, strict=True):
        found += _blocks(lines, body, levels, width) if lines else [each for each in page if isinstance(each, Block)]
    return found


def _lines(page: Any) -> list[_Line]:
    """In the order in which they are written, pieces of one height together."""
    lines: list[_Line] = []
    for piece in pieces(page):
        last = lines[-1] if lines else None
        height = min(piece.size, last.size) if last else 0.0
        if last is not None and abs(piece.bottom - last.pieces[-1].bottom) < SAME_LINE * height:
            last.pieces.append(piece)
        else:
            lines.append(_Line([piece]))
    for line in lines:
        line.pieces.sort(key=lambda piece: piece.left)
    return lines


def _pictures(page: Any) -> Iterator[_Line]:
    """Each picture as a line of its own, as PNG."""
    import pypdfium2.raw as pdfium

    for found in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=4):
        picture = found.get_bitmap(render=False).to_pil()
        if min(picture.size) < _LEAST_SIDE:
            continue
        left, bottom, right, top = found.get_bounds()
        stream = io.BytesIO()
        picture.convert("RGB").save(stream, "PNG")
        height = page.get_height()
        yield _Line([Piece(left, right, height - top, height - bottom, 0.0, [])], stream.getvalue())


def _sizes(lines: Sequence[_Line]) -> tuple[float, dict[float, int]]:
    """The height of the running text, and of larger letters by height, which level of heading they have."""
    often = Counter[float]()
    for line in lines:
        often[line.size] += len(line.text)
    body = often.most_common(1)[0][0] if often else 0.0
    larger = sorted({line.size for line in lines if _is_short(line) and line.size > _LARGER * body}, reverse=True)
    levels: dict[float, int] = {}
    for size in larger:
        near = next((level for known, level in levels.items() if known - size < 0.06 * known), None)
        levels[size] = near or min(max(levels.values(), default=0) + 1, _MOST_LEVELS)
    return body, levels


def _is_short(line: _Line) -> bool:
    return len(line.text) <= _LONGEST_HEADING and any(map(str.isalnum, line.text))


def _blocks(lines: list[_Line], body: float, levels: dict[float, int], width: float) -> Iterator[Block]:
    """Of one page. Pictures come after the line above which they do not begin."""
    written = [line for line in lines if not line.picture]
    for picture in (line for line in lines if line.picture):
        place = next((i for i, line in enumerate(written) if line.top > picture.top), len(written))
        written.insert(place, picture)
    at = 0
    while at < len(written):
        line = written[at]
        if line.picture:
            yield Block("picture", picture=line.picture)
            at += 1
        elif (end := _table_end(written, at, width)) > at:
            yield Block("table", rows=_rows(written[at:end]))
            at = end
        else:
            end = _end(written, at, body, levels)
            yield _block(written[at:end], body, levels)
            at = end


def _table_end(lines: Sequence[_Line], at: int, width: float) -> int:
    """Where the rows of a table end that begins there; `at` when none does."""
    end = at
    while end < len(lines) and len(lines[end].pieces) > 1 and not lines[end].picture:
        if end > at and lines[end].top - lines[end - 1].bottom > 2.5 * lines[end].size:
            break
        end += 1
    widest = [max(piece.right - piece.left for piece in line.pieces) for line in lines[at:end]]
    is_table = end - at > 1 and sorted(widest)[len(widest) // 2] < _WIDEST_CELL * width
    is_list = all(_MARK.fullmatch(f"{line.pieces[0].text} ") for line in lines[at:end])
    return end if is_table and not is_list else at


def _rows(lines: Sequence[_Line]) -> tuple[tuple[str, ...], ...]:
    placed = [[sheets.Placed(p.left, p.right, " ".join(p.text.split())) for p in line.pieces] for line in lines]
    (found,) = sheets.of_lines(placed)
    return tuple(map(tuple, found))


def _kind(line: _Line, body: float, levels: dict[float, int]) -> str:
    if _MARK.match(line.text) and line.size <= _LARGER * body:
        return "item"
    return "heading" if line.size in levels and _is_short(line) else "paragraph"


def _end(lines: Sequence[_Line], at: int, body: float, levels: dict[float, int]) -> int:
    """Where what begins there ends: the lines below it that are set alike and stand close."""
    first, end = lines[at], at + 1
    kind = _kind(first, body, levels)
    while end < len(lines):
        line, before = lines[end], lines[end - 1]
        if line.picture or (len(line.pieces) > 1 and len(before.pieces) == 1 and kind != "item"):
            break
        apart = line.top - before.bottom > 0.45 * line.size or line.top < before.top
        if apart or abs(line.size - first.size) > 0.06 * first.size or _MARK.match(line.text):
            break
        if kind == "item" and line.left < first.left + 0.3 * first.size:
            break
        if kind == "paragraph" and all(p.is_bold for p in before.pieces) != all(p.is_bold for p in line.pieces):
            break
        end += 1
    return end


def _block(lines: Sequence[_Line], body: float, levels: dict[float, int]) -> Block:
    kind = _kind(lines[0], body, levels)
    spans = _joined(lines)
    if kind == "item":
        found = _MARK.match(lines[0].text)
        number = int(found["number"] or 0) if found else 0
        return Block("item", merged(_without(spans, found.end() if found else 0)), number=number)
    if kind == "heading":
        return Block("heading", merged([Span(span.text) for span in spans]), levels[lines[0].size])
    is_title = len(lines) == 1 and _is_short(lines[0]) and all(piece.is_bold for piece in lines[0].pieces)
    if is_title and lines[0].text[-1] not in ".,;":
        level = min(max(levels.values(), default=0) + 1, _MOST_LEVELS)
        return Block("heading", merged([Span(span.text) for span in spans]), level)
    return Block("paragraph", merged(spans))


def _joined(lines: Sequence[_Line]) -> list[Span]:
    """The lines as one; a word that was parted at the end of a line is whole again."""
    spans: list[Span] = []
    for line in lines:
        more = line.spans
        if spans:
            parted = re.search(r"[^\W\d_]-$", "".join(span.text for span in spans[-2:]).rstrip())
            if parted and line.text[:1].islower():
                while spans and not spans[-1].text.strip():
                    spans.pop()
                spans[-1] = spans[-1]._replace(text=spans[-1].text[:-1])
            else:
                spans.append(Span(" "))
        spans += more
    return spans


def _without(spans: Sequence[Span], letters: int) -> list[Span]:
    """Without so many letters at the beginning."""
    left: list[Span] = []
    for span in spans:
        left += [span._replace(text=span.text[letters:])] if len(span.text) > letters else []
        letters = max(0, letters - len(span.text))
    return left
