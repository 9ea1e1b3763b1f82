"""Take the files out of a ZIP archive."""

from __future__ import annotations

import zipfile

from nodes._support.files import archives, codecs
from nodes.api import File, NodeError, Phrase, Port, ResourceType, RunContext, tool


@tool(
    id="unzip_files",
    title="Unzip",
    domain="text",
    description="Unpacks a ZIP archive: takes out all files that are in it.",
    inputs=(Port("file", ResourceType.FILE, "the archive, .zip"),),
    outputs=(Port("files", ResourceType.FILE, "the files in it, in order", many=True),),
    quality=1.0,
    examples=(
        "Unzip photos.zip",
        "Unpack the zip archive",
        "Extract the archive",
    ),
    words=("unzip", "unpack", "unpack the zip file", "extract a zip"),
    icon="folder-open",
    result="unpacked",
)
def unzip_files(file: File, context: RunContext) -> tuple[File, ...]:
    """The files without the folders that they were in; a second one of a name gets a number, archives in it stay
    archives. At most a thousand files of 2 GB together.

    NodeError naming `file` for what is no ZIP archive, empty, damaged, locked by a password or too large.
    """
    if not file.is_file() or file.stat().st_size == 0:
        raise NodeError(Phrase("{file} is missing or empty.", file=file.name), "file", "Choose another file.")
    try:
        made = archives.unpack(file, context.folder, context.progress)
    except archives.NeedsPasswordError as error:
        said = Phrase("{file} is protected by a password.", file=file.name)
        raise NodeError(said, "file", "Save a copy without the password.") from error
    except zipfile.BadZipFile as error:
        said = Phrase("{file} is no ZIP archive, or is damaged.", file=file.name)
        raise NodeError(
            said, "file", "Give a .zip file; others have to be unpacked by the program that made them."
        ) from error
    except ValueError as error:
        said = Phrase("{file} cannot be unpacked: {why}", file=file.name, why=codecs.why(error))
        raise NodeError(said, "file", "Unpack it with another program, and give the files that you need.") from error
    if not made:
        raise NodeError(Phrase("There is no file in {file}.", file=file.name), "file", "Choose another file.")
    return tuple(made)
