"""Turns documents into other forms. Must not know tools."""

from __future__ import annotations

from pathlib import Path

from nodes._support import documents, paper, prose, word_files
from nodes.api import RunContext

FORMS = ("pdf", "docx", "odt", "html", "txt", "md")


def converted(file: Path, form: str, context: RunContext) -> Path:
    """The document in another form. Raises NodeError."""
    text = documents.text_of(file, 1, 0, context)
    target = context.new_file(f".{form}")
    if form == "pdf":
        paper.write(text, target)
    elif form in ("docx", "odt"):
        made = word_files.WordFile("A4")
        made.add_text(text)
        made.save(target)
    else:
        target.write_text(prose.html_of(text) if form == "html" else text, "utf-8")
    return target
