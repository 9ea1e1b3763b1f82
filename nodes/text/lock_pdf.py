"""Protect a PDF with a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodes._support.documents.pdf_files import PASSWORD, PDF, changed, check_password, pdf_tool
from nodes.api import File, RunContext, Text

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter


@pdf_tool(
    id="lock_pdf",
    title="Lock a PDF",
    description="Protects a PDF file with a password: nobody opens it without.",
    inputs=(PDF, PASSWORD),
    quality=1.0,
    examples=(
        "Protect report.pdf with the password Maple-42",
        "Encrypt the PDF so that it only opens with a password",
        "Put a password on contract.pdf",
        "Lock this PDF with the password 7391",
    ),
    words=("password protect", "protect a pdf", "encrypt a pdf", "lock a pdf", "add a password"),
    icon="key",
    result="locked",
)
def lock_pdf(file: File, password: Text, context: RunContext) -> File:
    """All that is in it, encrypted by AES with 256 bits; the password is needed to open it, and allows everything.

    NodeError naming `password` when it is empty or too long for a PDF; `file` for what is no PDF, damaged or locked.
    """
    check_password(password)

    def locked(reader: PdfReader) -> PdfWriter:
        from pypdf import PdfWriter

        writer = PdfWriter(clone_from=reader)
        writer.encrypt(password, algorithm="AES-256")
        return writer

    return changed(file, locked, context)
