"""Read the text of a document."""

from __future__ import annotations

from nodes._support.documents.documents import text_of
from nodes.api import File, Integer, Port, ResourceType, RunContext, Text, tool


@tool(
    id="read_document",
    title="Read document",
    domain="text",
    description="Reads the text of a PDF (also a scanned one), Word, OpenDocument, EPUB, HTML or text document.",
    inputs=(
        Port("file", ResourceType.FILE, "a .pdf, .docx, .odt, .epub, .html, .md or .txt file"),
        Port("first_page", ResourceType.NUMBER, "begin at this page of a PDF", default=1, minimum=1, integer=True),
        Port("last_page", ResourceType.NUMBER, "end at this page of a PDF, 0 reads to the end", default=0, minimum=0,
             integer=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text of the document"),),
    backend_title="pypdf, python-docx",
    quality=0.8,
    requires=("python:pypdf", "python:docx"),
    examples=(
        "Read report.pdf and summarise it",
        "Get the text out of letter.docx",
        "What does the document contract.pdf say?",
    ),
    words=("pdf", "pdf file", "read a pdf", "word document", "docx", "open a document", "extract text from a file"),
    icon="file-text",
)  # fmt: skip
def read_document(file: File, first_page: Integer = 1, last_page: Integer = 0, *, context: RunContext) -> Text:
    """The text in reading order as the file stores it; pages, chapters and paragraphs are apart by a blank line, cells
    of tables by tabs. Pages that are pictures are read as Read text does.

    Raises NodeError for a file that is empty, damaged, locked by a password, or of another kind.
    """
    return text_of(file, first_page, last_page, context)
