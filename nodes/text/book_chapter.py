"""Take one chapter out of an electronic book."""

from __future__ import annotations

from nodes._support.documents import blocks, book_chapters, converting, documents
from nodes._support.language.words import given_words
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, Text, tool


@tool(
    id="book_chapter",
    title="Chapter of a book",
    domain="text",
    description="Takes one chapter out of an EPUB book, by its number or title, as a document.",
    inputs=(
        Port("file", ResourceType.FILE, "an .epub file"),
        Port("chapter", ResourceType.TEXT, "its number or title", said=True, question="Which chapter?"),
        Port("format", ResourceType.TEXT, "the form that it gets", default="docx", choices=converting.FORMS,
             question="Which kind of file should it be?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the chapter"),),
    quality=0.8,
    requires=("python:docx",),
    examples=(
        "Take chapter 3 out of novel.epub",
        "Only the chapter \"The Storm\" of the book as a PDF",
        "Summarise the second chapter of the e-book",
    ),
    words=("chapter", "epub chapter", "one chapter", "part of the book", "e-book"),
    icon="book-open",
    result="chapter",
)  # fmt: skip
def book_chapter(file: File, chapter: Text, format: Text = "docx", *, context: RunContext) -> File:
    """What its table of contents leads to, up to the next line of that, with headings, lists and tables. A number is
    that in the title where titles have numbers.

    NodeError naming `chapter` for one that is not there; `file` for what is no EPUB, damaged or protected.
    """
    wanted = given_words(chapter, "chapter")
    if documents.checked(file) != ".epub":
        raise NodeError(Phrase("{file} is no EPUB book.", file=file.name), "file", "Choose an .epub file.")
    title, pages = documents.opened(file, lambda: book_chapters.chapter(file, wanted))
    found = [block for page in pages for block in blocks.of_html(page)]
    if not any(block.text.strip() or block.rows for block in found):
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "chapter", "Choose another chapter.")
    target = context.new_file(f".{format}")
    converting.write(found, format, title, "A4", target, context)
    return target
