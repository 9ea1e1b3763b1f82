"""Runs LibreOffice, where it is installed, to turn documents into other forms. Must not know tools."""

from __future__ import annotations

import shutil
from pathlib import Path

from nodes._support.documents import documents
from nodes._support.programs import run_program
from nodes.api import NodeError, Phrase, RunContext

_TITLE = "LibreOffice"
_FIX = "Choose the other back end."
_TAKEN = (".docx", ".docm", ".doc", ".odt", ".ott", ".fodt", ".rtf", ".html", ".htm", ".xhtml", ".xlsx", ".xls", ".ods",
          ".pptx", ".ppt", ".odp")  # fmt: skip
_OF_TEXTS = {
    "pdf": "pdf",
    "docx": "docx:MS Word 2007 XML",
    "odt": "odt:writer8",
    "html": "html:XHTML Writer File:UTF8",
    "txt": "txt:Text (encoded):UTF8",
}
_SHEETS_AND_SLIDES = (".xlsx", ".xls", ".ods", ".pptx", ".ppt", ".odp")


def converts(file: Path, form: str) -> bool:
    """Whether it turns such a file into that form."""
    suffix = file.suffix.lower()
    is_same = suffix == f".{form}" or documents.is_pdf(file)
    return not is_same and suffix in _TAKEN and form in (("pdf",) if suffix in _SHEETS_AND_SLIDES else _OF_TEXTS)


def converted(file: Path, form: str, context: RunContext) -> Path:
    """The file in another form, with a profile of its own, so that a window of LibreOffice that is open is left alone.
    Raises NodeError."""
    documents.checked(file)
    made = context.folder / "office"
    made.mkdir(exist_ok=True)
    profile = (context.folder / "profile").absolute().as_uri()
    command = [
        shutil.which("soffice") or "soffice", f"-env:UserInstallation={profile}", "--headless", "--norestore",
        "--nolockcheck", "--convert-to", _OF_TEXTS[form], "--outdir", str(made), str(file.absolute()),
    ]  # fmt: skip
    run_program(command, b"", context, _TITLE, _FIX)
    found = next((each for each in made.iterdir() if each.suffix == f".{form}"), None)
    if found is None:  # it ends without an error for what it cannot read
        raise NodeError(Phrase("{file} is not a document that can be read.", file=file.name), "file", _FIX)
    return found.rename(context.new_file(f".{form}"))
