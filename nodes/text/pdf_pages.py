"""Keep, remove or move pages of a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodes._support.documents import page_numbers
from nodes._support.documents.pdf_files import PDF, changed, pdf_tool
from nodes._support.language.words import given_words
from nodes.api import File, NodeError, Port, ResourceType, RunContext, Text

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter


@pdf_tool(
    id="pdf_pages",
    title="Pages of a PDF",
    description="Keeps, removes or moves some pages of a PDF file.",
    inputs=(
        PDF,
        Port("pages", ResourceType.TEXT, "numbers of pages, such as 1-3, 5", said=True, question="Which pages?"),
        Port("how", ResourceType.TEXT, "what is done with these pages", default="keep",
             choices=("keep", "remove", "put first", "put last"), question="What should be done with these pages?"),
    ),
    quality=1.0,
    examples=(
        "Take pages 1-3 out of report.pdf as a PDF of its own",
        "Remove page 2 of the PDF",
        "Keep only the last page of contract.pdf",
        "Move page 5 of the PDF to the front",
        "Put the pages of scan.pdf in the order 3, 1, 2",
    ),
    words=("split a pdf", "extract pages", "delete pages", "pages of the pdf", "pdf without page",
           "reorder pages", "move a page", "change the order of the pages"),
    does="takes pages",
    icon="scissors",
)  # fmt: skip
def pdf_pages(file: File, pages: Text, how: Text = "keep", *, context: RunContext) -> File:
    """Each page once, with the bookmarks that lead to it. Pages are numbers and ranges apart by commas: "1-3, 5", "4-"
    to the end, "last". They are in the order of the file, but for those that are put first or last, before or behind
    all others: these come in the order in which they are named, "last-1" backwards.

    NodeError naming `pages` for what is no page, for pages beyond the end, and where no page would be left; naming
    `file` for what is no PDF, damaged or locked.
    """
    wanted = given_words(pages, "pages")

    def chosen(reader: PdfReader) -> PdfWriter:
        from pypdf import PdfWriter

        total = len(reader.pages)
        named = [*dict.fromkeys(page_numbers.numbers(wanted, total, file.name, how.startswith("put")))]
        others = [number for number in range(1, total + 1) if number not in named]
        left = {"keep": sorted(named), "remove": others, "put first": named + others, "put last": others + named}[how]
        if not left:
            raise NodeError("No page would be left.", "pages", "Name fewer pages.")
        writer = PdfWriter()
        writer.append(reader, pages=[number - 1 for number in left])
        if reader.metadata:
            writer.add_metadata(reader.metadata)
        return writer

    return changed(file, chosen, context)
