"""Replace words in a document, whose look is kept."""

from __future__ import annotations

from nodes._support.documents import replacing
from nodes._support.language.words import given_words
from nodes.api import File, Port, ResourceType, RunContext, Text, tool


@tool(
    id="replace_in_document",
    title="Replace in document",
    domain="text",
    description="Replaces words in a Word, Excel, OpenDocument or text file everywhere and keeps its look.",
    inputs=(
        Port("file", ResourceType.FILE, "a .docx, .xlsx, .odt, .pdf, .html, .md or .txt file"),
        Port("find", ResourceType.TEXT, "what stands there now and is looked for: words, or the date", said=True,
             question="Which words should be replaced in the document?"),
        Port("replace", ResourceType.TEXT, "the new words that take its place; empty removes it", default="",
             said=True),
    ),
    outputs=(Port("file", ResourceType.FILE, "the changed document, of the same form"),),
    backend="python-docx",
    backend_title="python-docx",
    quality=0.9,
    requires=("python:docx",),
    examples=(
        'Replace "Mr Smith" by "Mrs Jones" in letter.docx',
        "Change 2024 to 2025 everywhere in contract.docx",
        "Write Friday instead of Tuesday in invitation.odt",
        "Change the date in the letter to 3 May",
        "Swap the old company name for the new one in prices.xlsx",
    ),
    words=("replace in word", "change a name in the letter", "replace in a file", "new date in the document",
           "write this instead of that", "change the date"),
    icon="whole-word",
    result="replaced",
)  # fmt: skip
def replace_in_document(file: File, find: Text, replace: Text = "", *, context: RunContext) -> File:
    """Each `find` becomes `replace`, taken literally and whatever its case; what takes its place looks as what stood
    there. Text over several runs, tables, headers, footers and notes are looked through; formulas are left alone. Where
    `find` is "the date" and the document does not hold that word, its only date is meant.

    NodeError naming `find` where it does not occur, `file` for what cannot be changed so.
    """
    return replacing.replaced(file, given_words(find, "find"), replace, context)
