"""Take the password off a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodes._support.documents import documents
from nodes._support.documents.pdf_files import password_tool, with_password
from nodes.api import File, NodeError, Phrase, RunContext, Text

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter


@password_tool(
    id="unlock_pdf",
    title="Unlock a PDF",
    description="Removes the password of a protected PDF file when it is told: it opens without.",
    examples=(
        "Remove the password from report.pdf, it is Maple-42",
        "Unlock the PDF, the password is 7391",
        "Decrypt contract.pdf with the password Maple-42",
        "Save statement.pdf without its password",
    ),
    words=("remove the password", "unlock a pdf", "decrypt a pdf", "without password", "password protected"),
    result="unlocked",
)
def unlock_pdf(file: File, password: Text, context: RunContext) -> File:
    """All that is in it, no longer encrypted, where the password is the one that opens the file or the one of its
    owner. A file without a password is given back as it was, which is told.

    NodeError naming `password` when it is empty or another; `file` for what is no PDF or damaged.
    """

    def told(reader: PdfReader, _: PdfWriter) -> None:
        if not reader.is_encrypted:
            context.tell("It has no password: everybody can open it as it is.")

    try:
        return with_password(file, password, told, context, opens=True)
    except documents.Locked as error:
        said = Phrase("This is not the password of {file}.", file=file.name)
        raise NodeError(said, "password", "Type it as it was set: capitals and spaces count.") from error
