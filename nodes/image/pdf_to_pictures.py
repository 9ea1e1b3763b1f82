"""Make pictures of the pages of a PDF."""

from __future__ import annotations

from nodes._support.documents import pdf_files
from nodes._support.documents.pdf_files import WHICH_PAGES
from nodes.api import File, Image, Number, Port, ResourceType, RunContext, Text, tool


@tool(
    id="pdf_to_pictures",
    title="PDF to pictures",
    domain="image",
    description="Makes a picture of each page of a PDF file, or of some of its pages.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf file"),
        WHICH_PAGES,
        Port("dpi", ResourceType.NUMBER, "pixels to the inch: 150 for a screen, 300 for print", default=150.0,
             minimum=10, maximum=1200, question="How many pixels to the inch should there be?"),
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
        "Save pages 1-3 of the PDF as pictures",
        "The last page of report.pdf as an image",
    ),
    words=("pages as pictures", "pdf as images", "picture of a page", "page as an image",
           "pages to jpg", "render a pdf"),
    icon="images",
)  # fmt: skip
def pdf_to_pictures(file: File, pages: Text = "", dpi: Number = 150.0, *, context: RunContext) -> tuple[Image, ...]:
    """uint8 RGB on white, turned as the page is, with filled-in forms and notes as a reader of PDFs shows them.

    Pages are numbers and ranges apart by commas: "1-3, 5", "4-" to the end, "last"; they come in the order of the file.
    NodeError naming `pages` for what is no page and for pages beyond the end; `file` for a file that is empty, damaged,
    locked by a password or no PDF, and for more than 600 million pixels.
    """
    return tuple(pdf_files.read(file, pages, dpi, context))
