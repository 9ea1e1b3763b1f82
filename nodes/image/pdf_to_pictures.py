"""Make pictures of the pages of a PDF."""

from __future__ import annotations

from nodes._support.documents import pdf_files
from nodes.api import File, Image, Integer, Number, Port, ResourceType, RunContext, tool


@tool(
    id="pdf_to_pictures",
    title="PDF to pictures",
    domain="image",
    description="Makes a picture of each page of a PDF file.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf file"),
        Port("first_page", ResourceType.NUMBER, "begin at this page of a PDF", default=1, minimum=1, integer=True),
        Port("last_page", ResourceType.NUMBER, "end at this page of a PDF, 0 reads to the end", default=0, minimum=0,
             integer=True),
        Port("dpi", ResourceType.NUMBER, "pixels to the inch: 150 for a screen, 300 for print", default=150.0,
             minimum=10, maximum=1200),
    ),
    outputs=(Port("images", ResourceType.IMAGE, "the pages, in order", many=True),),
    backend="pdfium",
    backend_title="PDFium",
    quality=0.95,
    requires=("python:pypdfium2",),
    examples=(
        "Render the pages of report.pdf as pictures",
        "A picture of each page of the PDF",
        "Show me page 2 of contract.pdf as a picture",
    ),
    words=("pages as pictures", "pdf as images", "picture of a page", "render a pdf"),
    icon="images",
)  # fmt: skip
def pdf_to_pictures(
    file: File, first_page: Integer = 1, last_page: Integer = 0, dpi: Number = 150.0, *, context: RunContext
) -> tuple[Image, ...]:
    """uint8 RGB on white, turned as the page is, with filled-in forms and notes as a reader of PDFs shows them.

    NodeError for a file that is empty, damaged, locked by a password or no PDF, and for more than 600 million pixels.
    """
    return tuple(pdf_files.read(file, first_page, last_page, dpi, context))
