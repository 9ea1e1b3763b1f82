"""Tell the plain facts about a document."""

from __future__ import annotations

from nodes._support.documents import properties
from nodes.api import File, Port, ResourceType, RunContext, Table, TableValue, tool

_ORDER = (
    "pages", "title", "author", "created", "changed", "words", "characters", "paragraphs", "pictures", "tables", "scan",
    "locked",
)  # fmt: skip


@tool(
    id="document_facts",
    title="Pages, author and dates",
    domain="text",
    description="Tells how many pages and words a document has, who wrote it and when.",
    inputs=(Port("file", ResourceType.FILE, "a .pdf, .docx, .odt, .epub, .html, .md or .txt file"),),
    outputs=(Port("table", ResourceType.TABLE, "fact, value and unit"),),
    backend="properties",
    backend_title="pypdf, python-docx",
    quality=1.0,
    requires=("python:pypdf", "python:docx"),
    examples=(
        "How many pages does this document have?",
        "Who wrote this document?",
        "When was the document made?",
        "How long is the document, and is it a scan?",
        "Who wrote letter.docx and when?",
    ),
    words=("author and date of creation", "when was it last changed", "who wrote it and when",
           "pages of the document", "properties of the document", "is it protected by a password", "pdf metadata"),
    icon="info",
)  # fmt: skip
def document_facts(file: File, *, context: RunContext) -> TableValue:
    """Rows: pages, title, author, created and changed (ISO dates, those in the file), words, characters, paragraphs,
    pictures, tables, scan (a PDF of pictures without text), locked (needs a password), size (kB). What the file does
    not say is left out: a Word or OpenDocument file states its number of pages itself, texts have none.

    Raises NodeError naming `file` for one that is empty, damaged or of another kind.
    """
    found = properties.facts_of(file, context)
    size = file.stat().st_size / 1000
    rows = [(name, found[name], "") for name in _ORDER if name in found]
    return Table(("fact", "value", "unit"), (*rows, ("size", round(size, 1 if size >= 1 else 3), "kB")))
