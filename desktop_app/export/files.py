"""What leaves the program as files: results in the form that people use, and workflows; and workflows back in."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PureWindowsPath

from desktop_app.core.errors import BadRequest, BadWorkflow, OutsideFiles, StorageError
from desktop_app.core.paths import RESOURCES
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.export.metadata import embed, embedded, with_exif
from desktop_app.graph.workflow import Workflow, parse
from desktop_app.storage import decoding
from desktop_app.storage.resources import Resource, Store, attach, check_ordinary, safe_name
from nodes._support.files import codecs, saved_forms
from nodes._support.imaging import picture_files
from nodes.api import ResourceType
from nodes.phrase import Phrase

_ALIKE = {".jpeg": ".jpg", ".jpg": ".jpg", ".tiff": ".tif", ".tif": ".tif", ".htm": ".html", ".html": ".html",
          ".md": ".txt", ".txt": ".txt"}  # fmt: skip
"""Endings of one form, with the one that stands for it."""
_TABLES = (".json", ".csv", ".tsv", ".xlsx", ".ods")
_FORMS: dict[ResourceType, tuple[str, ...]] = {
    ResourceType.AUDIO: (".wav", ".flac", ".ogg", ".mp3"),
    ResourceType.TEXT: (".txt", ".docx", ".pdf", ".odt", ".html"),
    **dict.fromkeys((ResourceType.TABLE, ResourceType.LABELS, ResourceType.BOXES, ResourceType.POINTS), _TABLES),
    ResourceType.NUMBER: (".json", ".txt"),
    ResourceType.FLAG: (".json", ".txt"),
}
"""Endings of the other forms in which results of a type can be saved; of pictures `picture_files.FORMS`."""
_PAGES = frozenset((".pdf", ".html", ".htm"))
_SUBTITLES = frozenset((".srt", ".vtt", ".ass", ".ssa"))
_PHOTOS = frozenset((".jpg", ".jpeg", ".jpe", ".heic", ".heif"))
"""The endings of pictures as cameras write them."""
_SIZE_PORTS = {"size_kb": 1000, "size_mb": 1_000_000}
"""The ports by which tools are told how large a file may be, with the bytes in one of their units."""

MOST_BYTES = 64 << 20
"""A larger workflow file is not read: 100,000 nodes take 20 MB."""
_SHOWN = ("/proc", "/sys", "/dev")


def export(
    resource: Resource,
    store: Store,
    folder: Path,
    workflow: Workflow | None = None,
    saved_as: str = "",
    sources: Collection[Resource] = (),
) -> Path:
    """Writes a copy of the resource into the folder and returns its path; an existing file is never replaced.

    `saved_as` is a name, an ending or both ("sunset", ".mp3", "sunset.jpg") for the file; `sources` as in `write`.

    The workflow that made it goes into the file, where its format has a place for one (`embedding`).
    Raises StorageError when that is not possible.
    """
    source = store.path_of(resource)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # where a disk does not tell A.png from a.png, both are there
        name = unused_name(file_name(resource, saved_as), lambda name: os.path.lexists(folder / name), NUMBERED_FILE)
        target = folder / name
        write(resource, source, target, workflow, photo_behind(resource, sources, store.path_of))
    except OSError as error:
        raise StorageError(
            Phrase(
                "{resource} could not be written to {folder}: {error}.",
                resource=resource.name,
                folder=folder,
                error=error.strerror or error,
            ),
            "Choose another folder with --out, or free some space.",
        ) from error
    return target


def file_name(resource: Resource, saved_as: str = "") -> str:
    """What the resource is called as a file, on every system; `saved_as` as in `export`, where its form can be had."""
    if saved_as:
        ending = Path(saved_as).suffix.lower() if Path(saved_as).suffix else saved_as if saved_as[0] == "." else ""
        stem = saved_as.removesuffix(Path(saved_as).suffix) if saved_as[0] != "." else Path(resource.name).stem
        return safe_name(stem, ending if ending in endings(resource) else resource.suffix)
    return safe_name(Path(resource.name).stem if resource.suffix else resource.name, resource.suffix)


def endings(resource: Resource) -> tuple[str, ...]:
    """The endings under which a result can be saved, its own first."""
    own = resource.suffix.lower()
    forms = _FORMS.get(resource.type, ()) if resource.type not in codecs.IMAGE_TYPES else tuple(picture_files.FORMS)
    return tuple(dict.fromkeys((own, *(e for e in _ALIKE if _form(e) == _form(own)), *forms)))


def named_form(resource: Resource, saved_as: str, sources: Iterable[Resource], path: Path | None) -> str:
    """`saved_as`; where it says no ending, with that of a photo for a picture made of one, if the file at `path` has
    nothing that a photo has no place for; and with that of the sounds that a sound was made of, where all had one.
    """
    if saved_as[:1] == "." or Path(saved_as).suffix:
        return saved_as
    heard = {one.suffix.lower() for one in _brought(resource, sources) if one.type is ResourceType.AUDIO}
    if resource.type is ResourceType.AUDIO and resource.made_by and len(heard) == 1 and heard < {*endings(resource)}:
        return saved_as + heard.pop()
    is_photo = path is not None and bool(_photos(resource, sources)) and picture_files.fits_jpeg(path)
    return f"{saved_as}.jpg" if is_photo else saved_as


def photo_behind(resource: Resource, sources: Iterable[Resource], path_of: Callable[[Resource], Path]) -> Path | None:
    """The file of the only photo that a picture was made from."""
    found = _photos(resource, sources)
    return path_of(found[0]) if len(found) == 1 else None


def _photos(resource: Resource, sources: Iterable[Resource]) -> list[Resource]:
    if resource.type is not ResourceType.IMAGE or not resource.made_by or resource.suffix != ".png":
        return []
    return [one for one in _brought(resource, sources) if one.suffix.lower() in _PHOTOS]


def _brought(resource: Resource, sources: Iterable[Resource]) -> Iterator[Resource]:
    """The user's own files that it was made from; of a batch the one that is its own."""
    return (one.behind(resource.name) or one for one in sources if not one.made_by)


def likely_ending(resource: Resource, sources: Iterable[Resource], last: str = "") -> str:
    """The ending under which a result that is in no form yet is likely wanted: that of one of the files it was made
    from, else the one that was wanted `last`, else the usual one. Of others `last`. Text that was taken out of pages is
    text, and no page; subtitles stay what they are.
    """
    if resource.suffix in _SUBTITLES:
        return ""
    usual = saved_forms.USUAL.get(resource.type, "") if resource.made_by else ""
    came = (one.suffix.lower() for one in sources if usual and not one.made_by)
    came = (ending for ending in came if resource.type is not ResourceType.TEXT or ending not in _PAGES)
    return next((ending for ending in came if ending in endings(resource)), last or usual)


def forms_of(resource: Resource) -> list[tuple[str, ...]]:
    """The same endings, those of one form together."""
    forms: dict[str, tuple[str, ...]] = {}
    for ending in endings(resource):
        forms[_form(ending)] = (*forms.get(_form(ending), ()), ending)
    return list(forms.values())


def as_text(resource: Resource, source: Path) -> str:
    """What the resource's file `source` says, for pasting elsewhere: tables and lists with tabs between their cells.

    Another process decodes. Raises OSError.
    """
    return _changed(resource, source, ".tsv" if ".tsv" in endings(resource) else ".txt").decode("utf-8")


def write(
    resource: Resource, source: Path, target: Path, workflow: Workflow | None = None, photo: Path | None = None
) -> None:
    """Writes a resource's file `source` to `target` in the form that the ending of `target` says.

    In its own form it is copied; sounds that a node made get the 16 bits that all programs read. A JPEG gets what the
    file of the `photo` that it was made from says of when and how that was taken. Another process decodes and encodes.
    Raises BadRequest for an ending that the resource cannot have, OSError.
    """
    ending, own = target.suffix.lower(), resource.suffix.lower()
    if ending not in endings(resource):
        raise BadRequest(
            _refusal(resource, target), Phrase("Choose one of: {names}.", names=", ".join(endings(resource)))
        )
    made = bool(resource.made_by) and ending == ".wav"
    if _form(ending) == _form(own) and not (resource.type is ResourceType.AUDIO and made):
        shutil.copyfile(source, target)
    else:
        data = _changed(resource, source, ending)
        target.write_bytes(with_exif(data, _taken(photo)) if photo and _form(ending) == ".jpg" else data)
    if workflow is not None and workflow.nodes:
        workflow = _of_item(workflow, resource)
        _embed(workflow, target, _most_bytes(resource, workflow))


def _of_item(workflow: Workflow, result: Resource) -> Workflow:
    """With that file of a batch in its place from which the result was made: a thousand results do not each tell of a
    thousand files."""
    for batch in workflow.resources:
        item = batch.behind(result.name)
        workflow = workflow.with_resource(replace(item, name=batch.name)) if item else workflow
    return workflow


def _embed(workflow: Workflow, target: Path, most: float) -> None:
    """Where that would make the file larger than was asked for, it is left as it is."""
    plain = target.read_bytes() if most < math.inf else b""
    if embed(workflow, target) and target.stat().st_size > most:
        target.write_bytes(plain)


def _most_bytes(resource: Resource, workflow: Workflow) -> float:
    """The size that the step which made the file was to keep."""
    if resource.type not in (ResourceType.FILE, ResourceType.VIDEO):
        return math.inf
    sizes = [(node.values.get(port), each) for node in workflow.nodes for port, each in _SIZE_PORTS.items()]
    return min((size * each for size, each in sizes if isinstance(size, int | float)), default=math.inf)


def _form(ending: str) -> str:
    return _ALIKE.get(ending, ending)


def _refusal(resource: Resource, target: Path) -> str:
    if not target.suffix:
        return Phrase(
            "{target} has no ending, which tells the form to save {resource} in.",
            target=target.name,
            resource=resource.name,
        )
    return Phrase("{name} cannot be saved as {form}.", name=resource.name, form=target.suffix)


def _changed(resource: Resource, source: Path, ending: str) -> bytearray:
    """The resource in another form. Raises OSError when it cannot be read, or the form has no place for it."""
    try:
        return decoding.converted(source, resource.type, ending)
    except decoding.Unreadable as error:
        raise OSError(*error.args) from error


def _taken(photo: Path) -> bytes:
    """What the photo says of how it was taken; b"" where it says nothing or cannot be read."""
    try:
        return decoding.taken(photo)
    except (decoding.Unreadable, OSError):
        return b""


def save_workflow(workflow: Workflow, path: Path) -> None:
    """Writes the workflow as JSON, without passwords. Raises StorageError."""
    try:
        path.write_text(json.dumps(workflow.to_json(), indent=1, ensure_ascii=False), "utf-8")
    except OSError as error:
        raise StorageError(
            Phrase("The workflow could not be saved to {path}: {error}.", path=path, error=error.strerror), ""
        ) from error


def open_workflow(path: Path, store: Store, outside: bool = False) -> Workflow:
    """A saved workflow, or that of a result; files that it names by path are put into the store.

    They have to lie in its folder or below it. Others are read only with `outside`, when the user has agreed, and never
    devices, pipes or what the system only shows as files. Raises OutsideFiles, BadWorkflow or BadRequest.
    """
    if not path.exists():
        raise BadRequest(
            Phrase("The workflow file {path} does not exist.", path=path), "Check the name and the folder."
        )
    check_ordinary(path)
    inside = embedded(path)
    if inside is not None:
        return inside
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BadWorkflow(
                Phrase("The workflow file {path} is too large ({size} MB).", path=path.name, size=f"{size / 1e6:.0f}"),
                "Open another one.",
            )
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadWorkflow(
            Phrase("The workflow file {path} cannot be read: {error}.", path=path.name, error=error), ""
        ) from error
    folder = path.parent

    def check(names: tuple[str, ...]) -> None:
        for name in names:
            _check_name(name)
        if not outside:
            strange = tuple(dict.fromkeys(name for name in names if not _lies_in(folder, name)))
            if strange:
                raise OutsideFiles(path.name, strange)

    def bring(name: str) -> Resource:
        _check_place(folder / name, name)
        return attach(folder / name, store)

    workflow = parse(text, bring, check)
    address = next((r.name for r in workflow.resources if r.type is ResourceType.URL), None)
    if address is not None:
        raise BadWorkflow(
            Phrase("The workflow brings the address {address} as a file.", address=address),
            "Addresses are values of a node.",
        )
    return workflow


def _check_name(name: str) -> None:
    """Raises BadWorkflow for what is a file nowhere, or a device by its name."""
    strange = not name or not name.isprintable() or name.startswith(("\\\\.\\", "\\\\?\\"))
    if strange or any(safe_name(part) == f"_{part}" for part in PureWindowsPath(name).parts):
        raise BadWorkflow(
            Phrase("The workflow names {name} as a file, which is none.", name=repr(name[:80])),
            "Open another workflow.",
        )


def _lies_in(folder: Path, name: str) -> bool:
    """True for a file of the folder or below, told without following any link, and for one that comes with the program.
    Other places are not even looked at.
    """
    if Path(name).is_relative_to(RESOURCES) and ".." not in Path(name).parts:
        return True
    if Path(name).is_absolute() and Path(name).is_relative_to(folder.absolute()):
        name = str(Path(name).relative_to(folder.absolute()))  # the same place in other words
    windows = PureWindowsPath(name)
    if windows.drive or windows.root or Path(name).is_absolute() or ".." in (*windows.parts, *Path(name).parts):
        return False
    place = folder
    for part in Path(name).parts:
        place /= part
        if place.is_symlink():
            return False
    return place.resolve().is_relative_to(folder.resolve())


def _check_place(path: Path, name: str) -> None:
    """Raises BadRequest for a device, a pipe, and what the system only shows as files."""
    check_ordinary(path)
    if any(path.resolve().is_relative_to(shown) for shown in _SHOWN):
        raise BadRequest(
            Phrase("{name} belongs to the system and is not read for a workflow.", name=name), "Choose another file."
        )
