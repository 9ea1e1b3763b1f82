"""Turn pages of a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodes._support.documents import page_numbers
from nodes._support.documents.pdf_files import PDF, WHICH_PAGES, changed, pdf_tool
from nodes.api import File, Port, ResourceType, RunContext, Text

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter


@pdf_tool(
    id="turn_pages",
    title="Turn pages",
    description="Turns all or some pages of a PDF file that lie on their side or upside down.",
    inputs=(
        PDF,
        Port("angle", ResourceType.TEXT, "how far, clockwise, in degrees", default="90", choices=("90", "180", "270"),
             question="How many degrees should it be turned?"),
        WHICH_PAGES,
    ),
    quality=1.0,
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

    def turned(reader: PdfReader) -> PdfWriter:
        from pypdf import PdfWriter

        writer = PdfWriter(clone_from=reader)
        for number in page_numbers.chosen(pages, len(writer.pages), file.name):
            writer.pages[number - 1].rotate(int(angle))
        return writer

    return changed(file, turned, context)
