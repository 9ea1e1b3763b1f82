"""Resources: the values of a conversation, and the content-addressed store in which their files live.

Must not know graphs, runs or the window.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mimetypes
import os
import re
import shutil
import stat
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from desktop_app.core import checked_json as checked
from desktop_app.core.errors import AppError, BadRequest, DamagedContent, StorageError
from desktop_app.core.paths import make_private
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.storage import decoding
from nodes._support.files import codecs, facts
from nodes.api import ResourceType
from nodes.phrase import Phrase, english, replaced

_BLOCK = 1 << 20
_text = json.JSONEncoder(separators=(",", ":"), default=str).encode
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SUFFIX = re.compile(r"(\.[a-z0-9]{1,10})?")
_MOST_FACETS = 64
_MOST_POINTS = 100_000
Facts = Callable[[Path, ResourceType], dict[str, Any]]

STEM_KEPT = 40
"""So many characters of a file's name stand in the names of what is made of it."""


@dataclass(frozen=True)
class Resource:
    """A typed value in the store.

    `name` is unique in its conversation and tells whence it is: `photo_blur.png` was made from `photo.jpg` by
    *blur*. `digest` is the SHA-256 of the content, in hexadecimal; with `suffix` it finds the file.
    `facets` are facts such as width, height, seconds, rate. `made_by` is a node id, or "" for the user.
    `files` are those of a batch (`batch_of`), one after the other; digest, suffix and facets are then of the first.
    """

    name: str
    type: ResourceType
    digest: str
    suffix: str
    facets: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    made_by: str = ""
    files: tuple[Resource, ...] = ()

    @property
    def parts(self) -> tuple[Resource, ...]:
        """The files of a batch, else the resource itself."""
        return self.files or (self,)

    def behind(self, result: str) -> Resource | None:
        """The file of a batch from which the result of that name was made; None where it is of no single one."""
        parts = result.split("_") if self.files else []
        begun = ("_".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
        return next((self._by_stem[stem] for stem in begun if stem in self._by_stem), None)

    @cached_property
    def _by_stem(self) -> Mapping[str, Resource]:
        """The files of a batch by how the names of their results begin, but for those that begin alike."""
        stems = [Path(file.name).stem[:STEM_KEPT] for file in self.files]
        counts = Counter(stems)
        return {stem: file for stem, file in zip(stems, self.files, strict=True) if counts[stem] == 1}

    @property
    def contents(self) -> tuple[str, ...]:
        """The digest of each part: two resources of the same contents are the same whatever they are called."""
        return tuple(part.digest for part in self.parts)

    def fits(self, wanted: ResourceType) -> bool:
        """Whether it may be given to a port of that type. What the user brought is a file whatever is in it, and a
        plain picture of theirs may be any kind of picture: a depth map, a mask."""
        brought = not self.made_by and (
            wanted is ResourceType.FILE or (self.type is ResourceType.IMAGE and wanted.parent is ResourceType.IMAGE)
        )
        return brought or self.type.is_a(wanted)

    @cached_property
    def text(self) -> str:
        """`to_json` as JSON text, made once: what is recorded of ten thousand results is put together from it."""
        return _text(self.to_json())

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "type": str(self.type),
            "digest": self.digest,
            "suffix": self.suffix,
            "facets": dict(self.facets),
            "made_by": self.made_by,
            **({"files": [file.to_json() for file in self.files]} if self.files else {}),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Resource:
        """Raises ValueError that says where the data is of another form: nothing of it can name a file elsewhere."""
        data = checked.mapping(data, "a resource")
        name = checked.name(data, "name")
        digest, suffix = checked.text(data, "digest"), checked.text(data, "suffix")
        if not names_content(digest, suffix):
            raise ValueError(f"{name[:60]!r} names no content of the store")
        made_by = checked.text(data, "made_by", "")
        facets, files = _facets(data.get("facets", {})), checked.items(data, "files", ())
        batch = tuple(Resource.from_json(file) for file in files)
        if any(file.files or file.type is not _type(data) for file in batch):
            raise ValueError(f"the files of {name[:60]!r} are not all of its type")
        return Resource(name, _type(data), digest, suffix, facets, made_by, batch)


class Store:
    """Files by content. Writing is atomic (a temporary file, then another name for it), so a crash leaves no half file.

    With a folder `staging` files are written there and linked into the store, for which no right is needed to change
    what is there already. Safe to use from threads.
    """

    def __init__(self, folder: Path, staging: Path | None = None) -> None:
        self.folder = folder
        self._staging = staging
        self._known: dict[str, tuple[int, ...]] = {}
        make_private(folder)

    def path(self, digest: str, suffix: str) -> Path:
        """Where that content lies, whether or not it is there. Raises StorageError for what cannot be its name."""
        if not names_content(digest, suffix):
            raise StorageError(
                Phrase("{value} names no content of the store.", value=repr(f"{digest}{suffix}"[:80])),
                "Attach the file again.",
            )
        return self.folder / digest[:2] / f"{digest}{suffix}"

    def path_of(self, resource: Resource) -> Path:
        """The file of a resource. Raises StorageError when it is gone."""
        path = self.path(resource.digest, resource.suffix)
        if not path.exists():
            raise StorageError(
                Phrase("The content of {resource} is no longer in the store.", resource=resource.name),
                "Attach it again.",
            )
        return path

    def whole_path_of(self, resource: Resource) -> Path:
        """The file of a resource, read through. Raises StorageError when it is gone or its content is another."""
        path = self.path_of(resource)
        if not self.whole(resource.digest, resource.suffix):
            said = Phrase("The content of {resource} in the store is damaged.", resource=resource.name)
            raise StorageError(said, "Run again what made it, or attach it again.")
        return path

    def put_bytes(self, data: bytes, suffix: str) -> str:
        """Keeps the bytes and returns their digest. Raises StorageError when they cannot be written."""
        return self._put_pieces(lambda: (data,), suffix)

    def _put_pieces(self, pieces: Callable[[], Iterable[bytes]], suffix: str) -> str:
        """Keeps what the pieces are together, which are asked for twice: no more than one need be in memory."""
        content = hashlib.sha256()
        for piece in pieces():
            content.update(piece)
        digest = content.hexdigest()
        if not self.whole(digest, suffix):
            self._write(self.path(digest, suffix), lambda file: file.writelines(pieces()))
        return digest

    def put_file(self, source: Path, moved: bool = False) -> str:
        """Keeps a copy of the file, or where it can be `moved` the file itself, and returns its digest. Raises
        StorageError."""
        digest, suffix = digest_of(source), suffix_of(source)
        if not self.whole(digest, suffix) and not (moved and self._moved(source, self.path(digest, suffix))):
            with open(source, "rb") as opened:
                self._write(self.path(digest, suffix), lambda file: shutil.copyfileobj(opened, file, _BLOCK))
        return digest

    def put_value(self, value: Any, type: ResourceType, moved: bool = False) -> tuple[str, str]:
        """Keeps a tool's value, a file as in `put_file`, and returns digest and suffix. Raises StorageError."""
        if type in codecs.FILE_TYPES:
            return self.put_file(Path(value), moved), suffix_of(Path(value))
        suffix = codecs.suffix_of(value, type)
        if type is ResourceType.AUDIO:
            return self._put_pieces(lambda: codecs.encoded(value, type), suffix), suffix
        return self.put_bytes(codecs.encode(value, type)[0], suffix), suffix

    def value(self, resource: Resource) -> Any:
        """The decoded value of a resource. Raises StorageError or NodeError."""
        return codecs.decode(self.whole_path_of(resource), resource.type)

    # Whether a file is what its name says. It is read for that once, and again when it was touched

    def whole(self, digest: str, suffix: str) -> bool:
        """True when that content is there, and every byte of it is right."""
        path = f"{self.folder}{os.sep}{digest[:2]}{os.sep}{digest}{suffix}"
        try:
            about = os.stat(path)
            state = _state(about)
            if self._known.get(path) == state:
                return True
            whole = (_digest_of_small(path) if about.st_size <= _BLOCK else digest_of(path)) == digest
        except OSError:
            return False
        if whole:
            self._known[path] = state
        return whole

    def trust(self, digest: str, suffix: str) -> None:
        """Counts the file as right as it is now, which who just wrote it knows."""
        path = f"{self.folder}{os.sep}{digest[:2]}{os.sep}{digest}{suffix}"
        with contextlib.suppress(OSError):
            self._known[path] = _state(os.stat(path))

    def unread_bytes(self, digest: str, suffix: str) -> int:
        """How much `whole` would have to read, at least 1; 0 when that is known, -1 when there is no such file."""
        path = f"{self.folder}{os.sep}{digest[:2]}{os.sep}{digest}{suffix}"
        try:
            about = os.stat(path)
        except OSError:
            return -1
        return 0 if self._known.get(path) == _state(about) else max(1, about.st_size)

    def remove_damaged(self, digest: str, suffix: str) -> bool:
        """Removes the file if its content is another than its name says; true when it was so and is gone."""
        path = self.path(digest, suffix)
        if not path.exists() or self.whole(digest, suffix):
            return False
        with contextlib.suppress(OSError):
            path.unlink()
        return not path.exists()

    def _write(self, path: Path, fill: Any) -> None:
        try:
            make_private(path.parent)
            handle, temporary = tempfile.mkstemp(dir=self._staging or path.parent, prefix=".writing-")
            try:
                with os.fdopen(handle, "wb") as file:
                    fill(file)
                self._name(temporary, path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise StorageError(
                Phrase(
                    "{path}{suffix} could not be written to {folder}: {error}.",
                    path=path.name[:12],
                    suffix=path.suffix,
                    folder=self.folder,
                    error=error.strerror or error,
                ),
                "Free some disk space and run again; finished results are kept.",
            ) from error

    def _moved(self, source: Path, path: Path) -> bool:
        """Whether the file lies in the store now: false where it has another name, too, or is on another disk."""
        try:
            about = source.lstat()
            if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1:
                return False
            make_private(path.parent)
            source.chmod(0o600)  # as what is written here
            self._name(str(source), path)
        except OSError:
            return False
        return True

    def _name(self, temporary: str, path: Path) -> None:
        """Gives what was written its name. What lies there under that name is replaced, or is right already."""
        if self._staging is None:
            os.replace(temporary, path)
        else:
            self._link(temporary, path)
            os.unlink(temporary)
        self._known[str(path)] = _state(path.stat())

    def _link(self, temporary: str, path: Path) -> None:
        try:
            os.link(temporary, path)
        except FileExistsError as error:
            digest = path.name.partition(".")[0]
            if not self.whole(digest, path.name.removeprefix(digest)):  # it may have come just now
                raise DamagedContent(path.name) from error


def _digest_of_small(path: str) -> str:
    """As `digest_of`, without the buffer that takes longer than a small file."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        content = hashlib.sha256()
        while data := os.read(handle, _BLOCK):
            content.update(data)
        return content.hexdigest()
    finally:
        os.close(handle)


def _state(about: os.stat_result) -> tuple[int, ...]:
    """What changes when a file is written; the time of the last change cannot be set back where the system keeps it."""
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def names_content(digest: str, suffix: str) -> bool:
    """True for a SHA-256 in hexadecimal and the end of a file's name: what can lie in a store, and nowhere else."""
    return _DIGEST.fullmatch(digest) is not None and _SUFFIX.fullmatch(suffix) is not None


def suffix_of(path: Path) -> str:
    """The end of a file's name in small letters, "" for one that the store does not take (".jpg~")."""
    suffix = path.suffix.lower()
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def digest_of(path: Path | str) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_BY_MAJOR = {"image": ResourceType.IMAGE, "audio": ResourceType.AUDIO, "video": ResourceType.VIDEO}
_BY_SUFFIX = {
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"), ResourceType.IMAGE),
    **dict.fromkeys((".wav", ".mp3", ".ogg"), ResourceType.AUDIO),
    **dict.fromkeys((".mp4", ".mov", ".avi", ".webm"), ResourceType.VIDEO),
    ".txt": ResourceType.TEXT,
    **dict.fromkeys((".md", ".srt", ".vtt", ".ass", ".ssa"), ResourceType.TEXT),
    ".html": ResourceType.HTML,
    ".htm": ResourceType.HTML,
    ".csv": ResourceType.TABLE,
    ".tsv": ResourceType.TABLE,
    ".pdf": ResourceType.FILE,
    ".docx": ResourceType.FILE,
    ".flac": ResourceType.AUDIO,
    ".opus": ResourceType.AUDIO,
    ".m4a": ResourceType.AUDIO,
    ".mkv": ResourceType.VIDEO,
    ".m4v": ResourceType.VIDEO,
    ".avif": ResourceType.IMAGE,
    ".heic": ResourceType.IMAGE,
    ".heif": ResourceType.IMAGE,
}


def seen_as(resource: Resource) -> ResourceType:
    """The type that a result is shown as: a file that a tool has written by what is in it, others by their own."""
    return type_of_name(f"x{resource.suffix}") if resource.type is ResourceType.FILE else resource.type


def type_of_name(name: str) -> ResourceType:
    """The type that a file's name promises; FILE when it promises none."""
    suffix = Path(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    major = (mimetypes.guess_type(name)[0] or "").partition("/")[0]
    return _BY_MAJOR.get(major, ResourceType.FILE)


def check_ordinary(path: Path) -> None:
    """Raises BadRequest for what is neither a file nor a folder: reading a device or a pipe may never end."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # whoever opens it says what is wrong
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise BadRequest(Phrase("{path} is a device or a pipe, not a file.", path=path), "Choose a file.")


def attach(path: Path, store: Store, taken: frozenset[str] = frozenset()) -> Resource:
    """A user's file as a Resource, checked: it exists, is not empty, and is what its name promises.

    `taken` holds the names already used in the conversation. Raises BadRequest, or StorageError, and nothing else,
    whatever is wrong with the file: every way into the program leads through here.
    """
    try:
        return _attached(path, store, taken)
    except AppError:
        raise
    except PermissionError as error:
        raise BadRequest(Phrase("{path} may not be read.", path=path), "Change its permissions, or copy it.") from error
    except Exception as error:  # an edge: disks, drivers and decoders have each their own way to fail
        raise BadRequest(
            Phrase("{path} could not be attached: {why}", path=path.name, why=codecs.why(error)), "Attach another file."
        ) from error


def _attached(path: Path, store: Store, taken: frozenset[str]) -> Resource:
    if not path.exists():
        raise BadRequest(Phrase("The file {path} does not exist.", path=path), "Check the name and the folder.")
    if path.is_dir():
        raise BadRequest(Phrase("{path} is a folder.", path=path), "Attach the files in it instead.")
    check_ordinary(path)  # to open a pipe is to wait for whoever writes into it
    if path.stat().st_size == 0:
        raise BadRequest(Phrase("{path} is empty (0 bytes).", path=path.name), "Attach another file.")
    type, facets = _seen(path)
    digest = store.put_file(path)
    return Resource(unused_name(path.name, taken.__contains__, NUMBERED_FILE), type, digest, suffix_of(path), facets)


def _seen(path: Path) -> tuple[ResourceType, dict[str, Any]]:
    """The type that a file's name promises, and facts about it; a GIF that moves is a film. Raises BadRequest."""
    type = type_of_name(path.name)
    facets = facets_of(path, type, decoding.facts_of)
    if path.suffix.lower() == ".gif" and facets.get("frames", 1) > 1:  # what is done to it is done to all of it
        return ResourceType.VIDEO, facets_of(path, ResourceType.VIDEO, decoding.facts_of)
    return type, facets


def type_of_file(path: Path) -> ResourceType:
    """The type as which `attach` takes a file, by its name alone where that is enough or there is no such file."""
    if path.suffix.lower() != ".gif" or not path.is_file():
        return type_of_name(path.name)
    try:
        return _seen(path)[0]
    except (AppError, OSError):
        return type_of_name(path.name)


MOST_SINGLE = 12
"""So many files of one type that come together stay single; the planner looks at no more. Others are a batch."""
MOST_IN_BATCH = 5000  # chosen: the largest batch that the engine is measured with


def attach_all(paths: Sequence[Path], store: Store) -> tuple[tuple[Resource, ...], AppError | None]:
    """Users' files and folders as resources: a folder as a batch for each type that several of its files have, and so
    are more than MOST_SINGLE files of one type. And the first of the faults, as of `attach`: what else there is comes.
    """
    found: list[Resource] = []
    loose: list[Path] = []
    faults: list[AppError] = []
    for path in paths:
        if path.is_dir():
            found += _gathered(path.name or "files", _files_in(path, faults), store, faults, 1)
        else:
            loose.append(path)
    name = loose[0].absolute().parent.name if loose else ""
    found += _gathered(name or "files", loose, store, faults, MOST_SINGLE)
    return tuple(found), faults[0] if faults else None


def _files_in(folder: Path, faults: list[AppError]) -> list[Path]:
    """The files of a folder by name, as people count (2 before 10), but for hidden ones."""
    try:
        found = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        said = Phrase("{path} cannot be read: {error}.", path=folder, error=error.strerror or error)
        faults.append(BadRequest(said, "Choose another folder."))
        return []
    if not found:
        faults.append(BadRequest(Phrase("There are no files in {path}.", path=folder), "Choose another folder."))
    if len(found) > MOST_IN_BATCH:
        said = Phrase("There are {n} files in {path}.", n=len(found), path=folder)
        faults.append(BadRequest(said, Phrase("Choose a folder of no more than {most}.", most=MOST_IN_BATCH)))
        return []
    return sorted(
        found, key=lambda path: [int(s) if s.isdecimal() else s for s in re.split(r"(\d+)", path.name.lower())]
    )


def _gathered(name: str, paths: Sequence[Path], store: Store, faults: list[AppError], most: int) -> Iterator[Resource]:
    """What these files are: a batch of that name for each type of which there are more than `most`, else themselves."""
    by_type: dict[ResourceType, list[Resource]] = {}
    taken: set[str] = set()
    for path in paths:
        try:
            file = attach(path, store, frozenset(taken))
        except AppError as error:
            faults.append(error)
        else:
            taken.add(file.name)
            by_type.setdefault(file.type, []).append(file)
    for files in sorted(by_type.values(), key=len, reverse=True):
        yield from [batch_of(name, files)] if len(files) > most else files


def batch_of(name: str, files: Sequence[Resource]) -> Resource:
    """Files of one type as one resource: what takes one of them runs once for each."""
    return replace(files[0], name=name, files=tuple(files))


def facets_of(path: Path, type: ResourceType, read: Facts = facts.facts_of) -> dict[str, Any]:
    """Facts about a file, which also proves that it is of the type: raises BadRequest when it is not.

    By default it is decoded in this process, which should be a lane; `decoding.facts_of` does it in another.
    """
    try:
        return read(path, type)
    except PermissionError:
        raise
    except Exception as error:  # an edge: decoders of strangers' files raise whatever they stumble over
        raise BadRequest(
            Phrase(
                "{path} is named like {type}, but cannot be read as one: {error}",
                path=path.name,
                type=Phrase(type, "types", spelled=english("a {type}", {"type": str(type)})),
                error=_short(error, path),
            ),
            "Attach another file, or give it the ending that fits its content.",
        ) from error


_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)", re.IGNORECASE)
_FORBIDDEN = frozenset('<>:"/\\|?*')
_MOST_BYTES = 200
"""Of a file's name; 255 is what file systems take, and a number may be added."""


def safe_name(name: str, suffix: str = "") -> str:
    """The last part of `name`, with `suffix` as its end, as a file name that Linux, Windows and macOS take.

    Never a hidden file, an option ("-rf"), a device ("con.txt") or a place elsewhere, and never empty.
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    stem = last[: -len(suffix)] if suffix and last.lower().endswith(suffix) else last
    stem = "".join("_" if c in _FORBIDDEN or not c.isprintable() else c for c in stem).lstrip(" .-").rstrip(" .")
    stem = stem.encode("utf-8", "replace")[: _MOST_BYTES - len(suffix)].decode("utf-8", "ignore").rstrip(" .")
    if _RESERVED.match(stem):
        stem = f"_{stem}"
    return f"{stem or 'file'}{suffix}"


def _type(data: Mapping[str, Any]) -> ResourceType:
    name = checked.text(data, "type")
    try:
        return ResourceType(name)
    except ValueError:
        raise ValueError(f"there is no type {name[:40]!r}") from None


_COUNTS = frozenset(("width", "height", "frames", "rows", "columns", "count", "characters", "bytes", "channels"))
_AMOUNTS = frozenset(("seconds", "rate", "fps", "grow", "feather"))


def _facets(data: Any) -> dict[str, Any]:
    """Facts of the kinds that the program writes down. Raises ValueError for others."""
    data = checked.mapping(data, "'facets'")
    if len(data) > _MOST_FACETS:
        raise ValueError(f"a resource has {len(data)} facets, more than {_MOST_FACETS}")
    return {str(name): _facet(str(name), value) for name, value in data.items()}


def _facet(name: str, value: Any) -> Any:
    if name in _COUNTS:
        if not isinstance(value, int):
            raise ValueError(f"the facet '{name}' should be a whole number")
        checked.number(value, f"the facet '{name}'", 0)
    elif name in _AMOUNTS:
        checked.number(value, f"the facet '{name}'", -1e6)
    elif name == "points":
        return [_click(point) for point in checked.items({name: value}, name)[:_MOST_POINTS]]
    elif name == "place":
        return _click(value) if value is not None else None
    elif name != "drawing" and not isinstance(value, str | bool | int | float | None):
        raise ValueError(f"the facet '{name[:40]}' should be a word or a number")
    return value


def _click(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise ValueError("a point is no [x, y]")
    x, y = (checked.number(one, "a coordinate") for one in value[:2])
    return [x, y, bool(value[2]) if len(value) > 2 else True]


def _short(error: Exception, path: Path) -> str:
    said = replaced(codecs.why(error), str(path), path.name)
    return replaced(replaced(said, f" '{path.name}'", ""), f"'{path.name}'", "it")
