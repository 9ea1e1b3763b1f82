"""The text of PDF, Word, HTML and plain text files. Must not know tools.

PDF needs pypdf, Word python-docx; both are imported where they are used.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

from nodes._support import codecs
from nodes._support.html_text import text_of_html
from nodes.api import Cancelled, NodeError, Phrase, ResourceType, RunContext

PLAIN = (".txt", ".md", ".markdown", ".text", ".log", ".rst", ".srt", ".vtt")
_MAXIMUM_BYTES = 300_000_000
_SCANNED = "Turn its pages into pictures and use Read text on them."


def text_of(file: Path, first: int, last: int, context: RunContext) -> str:
    """The text of a document. `first` and `last` (0: to the end) are pages of a PDF. Raises NodeError."""
    suffix = file.suffix.lower()
    if not file.is_file() or file.stat().st_size == 0:
        raise NodeError(Phrase("{file} is missing or empty.", file=file.name), "file", "Choose another file.")
    if file.stat().st_size > _MAXIMUM_BYTES:
        raise NodeError(Phrase("{file} is larger than 300 MB.", file=file.name), "file", "Give a part of it.")
    with open(file, "rb") as opened:
        start = opened.read(8)
    if suffix == ".pdf" or start.startswith(b"%PDF"):
        text = _pdf(file, first, last, context)
    elif suffix == ".docx":
        text = _docx(file)
    elif suffix in (".html", ".htm", ".xhtml"):
        text = text_of_html(codecs.decode(file, ResourceType.TEXT, "file"))
    elif suffix in PLAIN:
        text = codecs.decode(file, ResourceType.TEXT, "file")
    else:
        fix = "Save it as .docx or PDF." if suffix in (".doc", ".odt", ".rtf", ".pages") else "Give PDF, Word or text."
        raise NodeError(Phrase("{file} is not a document that can be read.", file=file.name), "file", fix)
    if not text.strip():
        raise NodeError(Phrase("There is no text in {file}.", file=file.name), "file", "Choose another file.")
    return text


def _pdf(file: Path, first: int, last: int, context: RunContext) -> str:
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # remarks about untidy files are nothing for the user
    try:
        with open(file, "rb") as opened:
            reader = PdfReader(opened)
            if reader.is_encrypted and not reader.decrypt(""):
                raise NodeError(
                    Phrase("{file} is protected by a password.", file=file.name),
                    "file",
                    "Save a copy without the password.",
                )
            return _pages(reader, file.name, first, last, context)
    except (NodeError, Cancelled, MemoryError):
        raise
    except Exception as error:  # an edge: readers of strangers' files raise whatever they stumble over
        why = codecs.why(error)
        raise NodeError(
            Phrase("{file} is damaged: {why}", file=file.name, why=why),
            "file",
            "Open and save it again, or give another.",
        ) from error


def _pages(reader: Any, name: str, first: int, last: int, context: RunContext) -> str:
    total = len(reader.pages)
    if first > total:
        raise NodeError(
            Phrase("{name} has only {total} pages.", name=name, total=total),
            "first_page",
            Phrase("Choose a page from 1 to {total}.", total=total),
        )
    chosen = range(first - 1, min(last or total, total))
    pages, pictures = [], False
    for done, number in enumerate(chosen):
        context.progress(done / len(chosen), Phrase("page {number} of {total}", number=number + 1, total=total))
        page = reader.pages[number]
        pages.append(_page_text(page))
        pictures = pictures or "/XObject" in (page.get("/Resources") or {})
    if not any(c.isalnum() for page in pages for c in page):
        if pictures:
            raise NodeError(Phrase("{name} holds only pictures of its pages.", name=name), "file", _SCANNED)
        raise NodeError(Phrase("{name} holds no text.", name=name), "file", "Choose another file.")
    return "\n\n".join(page for page in pages if page)


def _page_text(page: Any) -> str:
    text = page.extract_text() or ""
    return re.sub(r"[ \t]+\n", "\n", text.replace("\x00", "")).strip()


def _docx(file: Path) -> str:
    from docx import Document
    from docx.table import Table as WordTable

    try:
        with zipfile.ZipFile(file) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MAXIMUM_BYTES:
                raise NodeError(
                    Phrase("{file} unpacks to more than 300 MB.", file=file.name), "file", "Give a part of it."
                )
        document = Document(str(file))
        blocks = [
            "\n".join("\t".join(cell.text for cell in row.cells) for row in block.rows)
            if isinstance(block, WordTable)
            else _paragraph(block)
            for block in document.iter_inner_content()
        ]
    except (NodeError, MemoryError):
        raise
    except Exception as error:  # an edge, as above
        fix = "Save a copy without the password, or as PDF."
        raise NodeError(
            Phrase("{file} is not a Word document that can be opened.", file=file.name), "file", fix
        ) from error
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in blocks if block.strip()))


def _paragraph(block: Any) -> str:
    style = (block.style.name or "") if block.style is not None else ""
    return f"• {block.text}" if style.startswith("List") and block.text.strip() else block.text
