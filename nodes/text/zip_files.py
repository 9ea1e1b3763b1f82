"""Pack files into a ZIP archive."""

from __future__ import annotations

from pathlib import Path

from nodes._support.files import archives
from nodes.api import File, NodeError, Port, ResourceType, RunContext, tool


@tool(
    id="zip_files",
    title="Zip files",
    domain="text",
    description="Packs one or more files into a ZIP archive.",
    inputs=(Port("files", ResourceType.FILE, "the files, in order", many=True),),
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
    """Each file under its own name; a second one of a name gets a number. What is packed already, such as photos, is
    stored as it is.

    NodeError without files, and for one that is missing.
    """
    if not files:
        raise NodeError("There is no file to pack.", "files", "Add at least one.")
    said = context.names("files") or tuple(file.name for file in files)
    names = (name if Path(name).suffix else name + file.suffix for file, name in zip(files, said, strict=True))
    target = context.new_file(".zip")
    try:
        archives.pack(target, zip(files, names, strict=True), context.progress)
    except FileNotFoundError as error:
        raise NodeError("A file to pack is missing.", "files", "Add it again.") from error
    return target
