"""Keep or remove pages of a PDF."""

from __future__ import annotations

from typing import Any

from nodes._support import documents, page_numbers
from nodes._support.words import given_words
from nodes.api import File, NodeError, Port, ResourceType, RunContext, Text, tool


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
        named = set(page_numbers.numbers(wanted, total, file.name))
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
