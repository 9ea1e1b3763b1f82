"""Keep or remove pages of a PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nodes._support import documents
from nodes._support.words import given_words
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, Text, tool

_PAGE = r"(\d{1,9}|first|last|end)"
_RANGE = re.compile(rf"{_PAGE}?\s*(?:-|–|—|~|\bto\b)\s*{_PAGE}?")
_FORM = "Write them as 1-3, 5."


@tool(
    id="pdf_pages",
    title="Pages of a PDF",
    domain="text",
    description="Keeps or removes some pages of a PDF file.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf file"),
        Port("pages", ResourceType.TEXT, "numbers of pages, such as 1-3, 5", said=True, question="Which pages?"),
        Port("how", ResourceType.TEXT, "what is done with these pages", default="keep", choices=("keep", "remove")),
    ),
    outputs=(Port("file", ResourceType.FILE, "the PDF"),),
    backend="pypdf",
    backend_title="pypdf",
    quality=1.0,
    requires=("python:pypdf",),
    examples=(
        "Take pages 1-3 out of report.pdf as a PDF of its own",
        "Remove page 2 of the PDF",
        "Keep only the last page of contract.pdf",
    ),
    words=("split a pdf", "extract pages", "delete pages", "pages of the pdf", "pdf without page"),
    icon="scissors",
)  # fmt: skip
def pdf_pages(file: File, pages: Text, how: Text = "keep", *, context: RunContext) -> File:
    """The pages in the order of the file, each once, with the bookmarks that lead to them. Pages are numbers and ranges
    apart by commas: "1-3, 5", "4-" to the end, "last".

    NodeError naming `pages` for what is no page, for pages beyond the end, and where no page would be left; naming
    `file` for what is no PDF, damaged or locked.
    """
    wanted = given_words(pages, "pages")

    def chosen(reader: Any) -> Any:
        from pypdf import PdfWriter

        total = len(reader.pages)
        named = set(_numbers(wanted, total, file.name))
        kept = [number for number in range(total) if (number + 1 in named) == (how == "keep")]
        if not kept:
            raise NodeError("No page would be left.", "pages", "Name fewer pages.")
        writer = PdfWriter()
        writer.append(reader, pages=kept)
        if reader.metadata:
            writer.add_metadata(reader.metadata)
        return writer

    made, target = documents.pdf(file, chosen), context.new_file(".pdf")
    made.write(target)
    return target


def _numbers(pages: str, total: int, name: str) -> Iterator[int]:
    """From 1. Raises NodeError."""
    parts = re.split(r"[,;，、\s]+(?:and\b)?\s*|\band\b", _plain(pages))
    for part in filter(None, parts):
        first, last = _ends(part, total)
        beyond = next((number for number in (first, last) if not 1 <= number <= total), None)
        if beyond is not None:
            said = Phrase("{name} has no page {number}.", name=name, number=beyond)
            raise NodeError(said, "pages", Phrase("Choose a page from 1 to {total}.", total=total))
        if last < first:
            raise NodeError(Phrase("Page {last} lies before page {first}.", last=last, first=first), "pages", _FORM)
        yield from range(first, last + 1)


def _plain(pages: str) -> str:
    """Without the words that may stand beside numbers, and each range in one piece."""
    text = re.sub(r"\b(pages?|pp?\.|the)\b", " ", pages.lower())
    return _RANGE.sub(lambda found: f" {found[1] or ''}-{found[2] or ''} ", text).strip()


def _ends(part: str, total: int) -> tuple[int, int]:
    """The first and the last page of a range or of a single page. Raises NodeError for what is neither."""
    named = {"first": 1, "last": total, "end": total}
    ends = part.split("-")
    if not all(not end or end in named or (end.isdecimal() and len(end) < 10) for end in ends) or part == "-":
        raise NodeError(Phrase("'{part}' is no page.", part=part), "pages", _FORM)
    numbers = [named.get(end) or int(end or 0) for end in ends]
    if len(numbers) == 1:
        return numbers[0], numbers[0]
    return (numbers[0] if ends[0] else 1), (numbers[-1] if ends[-1] else total)
