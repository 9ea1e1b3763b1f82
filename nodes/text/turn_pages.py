"""Turn pages of a PDF."""

from __future__ import annotations

from typing import Any

from nodes._support import documents, page_numbers
from nodes.api import File, Port, ResourceType, RunContext, Text, tool


@tool(
    id="turn_pages",
    title="Turn pages",
    domain="text",
    description="Turns all or some pages of a PDF file that lie on their side or upside down.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf file"),
        Port("angle", ResourceType.TEXT, "how far, clockwise, in degrees", default="90", choices=("90", "180", "270")),
        Port("pages", ResourceType.TEXT, "which pages, such as 1-3, 5, last; empty turns all", default="", said=True),
    ),
    outputs=(Port("file", ResourceType.FILE, "the PDF"),),
    backend="pypdf",
    backend_title="pypdf",
    quality=1.0,
    requires=("python:pypdf",),
    examples=(
        "Rotate the pages of scan.pdf by 90 degrees",
        "Page 3 of the PDF is upside down, turn it",
        "Turn the last page of contract.pdf to the left",
    ),
    words=("rotate pdf", "rotate pages", "pdf upside down", "pdf lies on its side", "turn the scan"),
    icon="rotate-cw-square",
    result="turned",
)  # fmt: skip
def turn_pages(file: File, angle: Text = "90", pages: Text = "", *, context: RunContext) -> File:
    """All pages in their order; those named are shown turned by so much more. Nothing in them is changed.

    NodeError naming `pages` for what is no page and for pages beyond the end; `file` for what is no PDF, damaged or
    locked.
    """

    def turned(reader: Any) -> Any:
        from pypdf import PdfWriter

        total = len(reader.pages)
        named = set(page_numbers.numbers(pages, total, file.name)) if pages.strip() else set(range(1, total + 1))
        writer = PdfWriter(clone_from=reader)
        for number, page in enumerate(writer.pages, 1):
            if number in named:
                page.rotate(int(angle))
        return writer

    made, target = documents.pdf(file, turned), context.new_file(".pdf")
    made.write(target)
    return target
