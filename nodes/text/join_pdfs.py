"""Join PDF files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nodes._support.documents import documents
from nodes._support.documents.pdf_files import pdf_tool
from nodes.api import File, NodeError, Port, ResourceType, RunContext


@pdf_tool(
    id="join_pdfs",
    title="Join PDFs",
    description="Joins two or more PDF files into one, in their order.",
    inputs=(Port("files", ResourceType.FILE, "the .pdf files, in order", many=True, least=2),),
    quality=1.0,
    examples=(
        "Join a.pdf and b.pdf into one file",
        "Merge these PDFs",
        "Put the appendix behind report.pdf",
    ),
    words=("merge pdf", "combine pdf", "append a pdf", "one pdf", "put pdfs together"),
    icon="files",
    result="joined",
)  # fmt: skip
def join_pdfs(files: tuple[File, ...], context: RunContext) -> File:
    """All pages as they are, with the bookmarks of each file.

    NodeError for fewer than two files, and naming the one that is no PDF, damaged or locked by a password.
    """
    from pypdf import PdfWriter

    if len(files) < 2:
        raise NodeError("There are not two PDF files to join.", "files", "Add at least two.")
    joined: Any = PdfWriter()
    for number, file in enumerate(files):
        context.progress(number / len(files))
        _append(joined, file)
    target = context.new_file(".pdf")
    joined.write(target)
    return target


def _append(joined: Any, file: Path) -> None:
    try:
        documents.pdf(file, joined.append)
    except NodeError as error:
        raise NodeError(error.message, "files", error.fix) from error
