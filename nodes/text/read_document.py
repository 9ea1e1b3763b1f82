"""Read the text of a document."""

from __future__ import annotations

from nodes._support.documents.documents import text_of
from nodes._support.documents.pdf_files import WHICH_PAGES
from nodes.api import File, Port, ResourceType, RunContext, Text, tool


@tool(
    id="read_document",
    title="Read document",
    domain="text",
    description="Reads the text of a PDF (also a scanned one), Word, OpenDocument, EPUB, HTML or text document.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf, .docx, .odt, .epub, .html, .md or .txt file"),
        WHICH_PAGES,
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text of the document"),),
    backend_title="pypdf, python-docx",
    quality=0.8,
    requires=("python:pypdf", "python:docx"),
    examples=(
        "Read report.pdf and summarise it",
        "Get the text out of letter.docx",
        "What does the document contract.pdf say?",
        "Read pages 2 to 4 of report.pdf",
    ),
    words=("pdf", "pdf file", "read a pdf", "word document", "docx", "open a document", "extract text from a file"),
    icon="file-text",
)  # fmt: skip
def read_document(file: File, pages: Text = "", *, context: RunContext) -> Text:
    """The text in reading order as the file stores it; pages, chapters and paragraphs are apart by a blank line, cells
    of tables by tabs. Pages that are pictures are read as Read text does.

    `pages` are those of a PDF: "1-3, 5", "4-" to the end, "last". Raises NodeError naming `pages` for what is no page
    and for pages beyond the end; `file` for a file that is empty, damaged, locked by a password, or of another kind.
    """
    return text_of(file, pages, context)
