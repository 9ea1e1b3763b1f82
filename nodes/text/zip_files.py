"""Pack files into a ZIP archive."""

from __future__ import annotations

from pathlib import Path

from nodes._support.files import archives, saved_forms
from nodes.api import File, NodeError, Port, ResourceType, RunContext, tool


@tool(
    id="zip_files",
    title="Zip files",
    domain="text",
    description="Packs files and results of any kind into one ZIP archive.",
    inputs=(Port("files", ResourceType.FILE, "the files and results, in order", many=True, any_kind=True),),
    outputs=(Port("file", ResourceType.FILE, "the archive, .zip"),),
    quality=1.0,
    examples=(
        "Pack report.pdf and notes.txt into a zip",
        "Put all files into a zip archive",
        "Zip photo.jpg and table.csv",
        "Zip these files",
    ),
    words=("zip", "pack these pictures into a zip file", "zip archive", "compressed folder"),
    icon="folder",
    result="packed",
)
def zip_files(files: tuple[File, ...], context: RunContext) -> File:
    """Each file under its own name; a second one of a name gets a number. Results go in as people keep them: tables for
    a spreadsheet, numbers as text, sounds with 16 bits. What is packed already, such as photos, is stored as it is.

    NodeError without files, and for one that is missing.
    """
    if not files:
        raise NodeError("There is no file to pack.", "files", "Add at least one.")
    said = context.names("files") or tuple(file.name for file in files)
    kinds = context.kinds("files") or (None,) * len(files)
    target = context.new_file(".zip")
    try:
        forms = [_as_kept(file, kind, context) for file, kind in zip(files, kinds, strict=True)]
        names = (_named(name, form, kind) for name, form, kind in zip(said, forms, kinds, strict=True))
        archives.pack(target, zip(forms, names, strict=True), context.progress)
    except FileNotFoundError as error:
        raise NodeError("A file to pack is missing.", "files", "Add it again.") from error
    return target


def _as_kept(file: Path, kind: ResourceType | None, context: RunContext) -> Path:
    """A result in the form in which people keep such; what the user brought as it is."""
    ending = ".wav" if kind is ResourceType.AUDIO else saved_forms.USUAL.get(kind, "") if kind is not None else ""
    if not ending or (ending == file.suffix == ".txt"):
        return file
    context.check()
    target = context.new_file(ending)
    target.write_bytes(saved_forms.converted(file, ResourceType(kind), ending))
    return target


def _named(name: str, file: Path, kind: ResourceType | None) -> str:
    if kind is None:
        return name if Path(name).suffix else name + file.suffix
    return name.removesuffix(Path(name).suffix) + file.suffix
