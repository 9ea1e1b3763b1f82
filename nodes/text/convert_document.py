"""Turn a document into another form."""

from __future__ import annotations

from nodes._support.documents import converting, office
from nodes.api import File, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="convert_document",
    title="Convert document",
    domain="text",
    description="Turns a Word, OpenDocument, PDF, HTML, Markdown or text file into another of these forms.",
    inputs=(
        Port("file", ResourceType.FILE, "a .docx, .odt, .pdf, .epub, .html, .md or .txt file"),
        Port("format", ResourceType.TEXT, "the form that it gets", default="pdf", choices=converting.FORMS,
             question="Which kind of file should it be?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the document in that form"),),
    backend="blocks",
    backend_title="Headings, lists, tables",
    quality=0.6,
    requires=("python:pypdf", "python:docx"),
    examples=(
        "Convert letter.docx to PDF",
        "Make a Word document out of report.pdf",
        "Save notes.odt as HTML",
        "Turn this letter into a PDF",
    ),
    words=("docx to pdf", "word to pdf", "pdf to word", "odt to docx", "html to pdf", "save as pdf", "export as pdf",
           "change the file format of a document"),
    icon="refresh-cw",
    result="",
)  # fmt: skip
def convert_document(file: File, format: Text = "pdf", *, context: RunContext) -> File:
    """Its text with headings, lists, tables, links and pictures; columns, colours and fonts are not kept.

    NodeError for a file that is empty, damaged, locked, or of another kind.
    """
    return converting.converted(file, format, context)


@backend_of(convert_document, id="libreoffice", title="LibreOffice", quality=0.95, requires=("soffice",))
def by_office(file: File, format: Text, *, context: RunContext) -> File:
    """With the program LibreOffice, which keeps columns, colours and fonts too; what it does not take or write, such as
    Markdown and the text of a PDF, goes block by block.
    """
    if not office.converts(file, format):
        return converting.converted(file, format, context)
    return office.converted(file, format, context)
