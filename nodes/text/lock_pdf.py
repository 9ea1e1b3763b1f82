"""Protect a PDF with a password."""

from __future__ import annotations

from nodes._support.documents.pdf_files import password_tool, with_password
from nodes.api import File, RunContext, Text


@password_tool(
    id="lock_pdf",
    title="Lock a PDF",
    description="Protects a PDF file with a password: nobody opens it without.",
    examples=(
        "Protect report.pdf with the password Maple-42",
        "Encrypt the PDF so that it only opens with a password",
        "Put a password on contract.pdf",
        "Lock this PDF with the password 7391",
    ),
    words=("password protect", "protect a pdf", "encrypt a pdf", "lock a pdf", "add a password"),
    result="locked",
)
def lock_pdf(file: File, password: Text, context: RunContext) -> File:
    """All that is in it, encrypted by AES with 256 bits; the password is needed to open it, and allows everything.

    NodeError naming `password` when it is empty or too long for a PDF; `file` for what is no PDF, damaged or locked.
    """
    return with_password(
        file, password, lambda _, made: made.encrypt(password, algorithm="AES-256"), context, opens=False
    )
