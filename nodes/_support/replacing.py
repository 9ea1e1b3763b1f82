"""Replaces words inside documents of several forms. Must not know tools."""

from __future__ import annotations

import re
from pathlib import Path

from nodes._support import codecs, documents
from nodes.api import NodeError, Phrase, ResourceType, RunContext


def replaced(file: Path, find: str, replace: str, context: RunContext) -> Path:
    """A copy of the document with each `find` replaced. Raises NodeError."""
    target = context.new_file(file.suffix.lower())
    if file.suffix.lower() == ".docx":
        document = documents.opened(file, lambda: documents._word(file))
        times = 0
        for paragraph in document.element.body.iter("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}t"):
            paragraph.text, n = re.subn(re.escape(find), lambda _: replace, paragraph.text or "", flags=re.IGNORECASE)
            times += n
        document.save(str(target))
    else:
        text = codecs.decode(file, ResourceType.TEXT, "file")
        text, times = re.subn(re.escape(find), lambda _: replace, text, flags=re.IGNORECASE)
        target.write_text(text, "utf-8")
    if not times:
        said = Phrase('"{find}" does not occur in {file}.', find=find[:60], file=file.name)
        raise NodeError(said, "find", "Check the spelling.")
    return target
