"""Write a Word document."""

from __future__ import annotations

from nodes._support.documents import blocks, paper, word_files
from nodes._support.language.words import given
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, TableValue, Text, tool

_MOST_CELLS = 100_000


@tool(
    id="write_document",
    title="Word document",
    domain="text",
    description="Writes a text, or a table, into a Word document (.docx) or PDF with headings, lists and paragraphs.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text of the document; headings, lists, tables and links as in Markdown",
             default=""),
        Port("table", ResourceType.TABLE, "a table below the text", default=None),
        Port("title", ResourceType.TEXT, "a title above", default="", said=True),
        Port("page", ResourceType.TEXT, "the paper", default="A4", choices=tuple(word_files.SHEETS), advanced=True),
        Port("format", ResourceType.TEXT, "what kind of file it becomes", default="docx", choices=("docx", "pdf"),
             question="Which kind of file should it be?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the document"),),
    backend="python-docx",
    backend_title="python-docx",
    quality=0.9,
    requires=("python:docx",),
    examples=(
        "Make a Word document from notes.txt",
        "Save the summary as a docx",
        'Write the table into a Word file with the title "Prices"',
        "Save the text as a PDF",
    ),
    words=("word file", "docx", "ms word", "text to word", "markdown to word", "save as docx", "document for word",
           "text to pdf", "save the text as pdf"),
    icon="file-text",
    result="document",
    does="converts",
    any_of=("text", "table"),
)  # fmt: skip
def write_document(
    text: Text = "",
    table: TableValue | None = None,
    title: Text = "",
    page: Text = "A4",
    format: Text = "docx",
    *,
    context: RunContext,
) -> File:
    """Headings, numbered and other lists, quotations and tables in Word's own styles, with bold, italic, code and
    links. In plain text, a short line that stands alone is a heading, and lines that were broken for width are joined;
    lists within lists become one list. The first row of a table stands on each page.

    NodeError naming `text` for a text that is too long, or where neither text nor table is given; `table` for one
    without columns, and of more than 100,000 cells.
    """
    rows = [] if table is None else _rows(table)
    heading = given(" ".join(title.split()), "title") if title.strip() else ""
    written = given(text) if text or table is None else ""
    target = context.new_file(f".{format}")
    if format == "pdf":
        found = [blocks.Block("heading", (blocks.Span(heading),))] if heading else []
        found += blocks.of_text(written) if written else []
        found += [blocks.Block("table", rows=tuple(map(tuple, rows)))] if rows else []
        paper.write(found, word_files.SHEETS[page], heading, target, context)
        return target
    file = word_files.WordFile(page)
    if heading:
        file.add_title(heading)
    if written:
        file.add_text(written)
    if rows:
        file.add_table(rows, context)
    file.save(target)
    return target


def _rows(table: TableValue) -> list[list[str]]:
    """As they are written, that of the names first. Raises NodeError."""
    if not table.columns:
        raise NodeError("The table has no columns.", "table", "Give a table with a line of column names.")
    if (len(table.rows) + 1) * len(table.columns) > _MOST_CELLS:
        said = Phrase("The table has more than {most} cells.", most=f"{_MOST_CELLS:,}")
        raise NodeError(said, "table", "Choose some of its rows first.")
    return [word_files.written(row) for row in (table.columns, *table.rows)]
