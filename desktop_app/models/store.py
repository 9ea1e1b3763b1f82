"""What models are on disk, and how they get there.

A model lies in a folder named by its id, and counts as present when the marker in it says so, which is written last;
until then everything is in a folder beside it, from which a download that was cut goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_app.core import settings
from desktop_app.core.errors import DownloadFailed, StorageError
from desktop_app.core.paths import home, size_on_disk
from desktop_app.models import hf_cache, hub, transfer
from desktop_app.models.catalogue import Model, catalogue, forget, with_needs
from desktop_app.models.transfer import Remote
from nodes.phrase import Phrase

MARKER = "graphwright.json"
_KNOWN = "digests.json"
"""The digests of every file that was ever fetched, by model and revision. It outlives the models."""
Progress = Callable[[int, int, str], None]
"""Called with the bytes that are there, the bytes of all, and the name of the file that is coming."""


class _Looked(threading.local):
    """`found`: which models are complete, by id and revision, as found in the look that goes on in this thread; None
    outside of one. `root` is where they lie. Not a context variable: a task that begins within a look goes on after it.
    """

    found: dict[str, bool] | None = None
    root: Path | None = None


_looked = _Looked()


@contextmanager
def one_look() -> Iterator[None]:
    """Within, and in what it decorates, the disk is looked at once for each model: whoever asks about many of them, or
    about the same ones often, needs it. What is within may fetch, remove and await nothing.
    """
    outer = _looked.found
    _looked.found = {} if outer is None else outer
    try:
        yield
    finally:
        _looked.found = outer
        if outer is None:
            _looked.root = None


def root() -> Path:
    """The folder of all models: GRAPHWRIGHT_MODELS, else that of the settings, else `models` in the program's."""
    chosen = os.environ.get("GRAPHWRIGHT_MODELS") or settings.now().models_folder
    return Path(chosen) if chosen else home() / "models"


def folder(model: Model) -> Path:
    return root() / model.id


def present(model: Model) -> bool:
    """True when the model, in the catalogue's revision, and all that it needs are complete. Reads no weights."""
    return all(_complete(each) for each in with_needs(model))


def missing_bytes(*models: Model) -> int:
    """What fetching the models with all that they need would load, by the catalogue; 0 when they are present."""
    wanted = {each.id: each for model in models for each in with_needs(model)}
    return sum(each.size_bytes for each in wanted.values() if not _complete(each))


def arrived_bytes(model: Model) -> int:
    """What is here of a download of the model that was not finished."""
    return size_on_disk(_partial(model))


def revision(model: Model) -> str:
    """The commit that it is held to: the catalogue's, else that of its first download here; "" before there was one."""
    if model.revision:
        return model.revision
    return next(iter(_all_known(model)), "")


def download(model: Model, progress: Progress | None = None) -> Path:
    """Fetches the model and what it needs, unless it is present, and returns its folder.

    May raise in between whatever `progress` raises, which is how one stops it; what has arrived is kept for the next
    time. Raises DownloadFailed, or StorageError when the disk is too full or cannot be written.
    """
    report = progress or (lambda done, total, name: None)
    wanted = [each for each in with_needs(model) if not _complete(each) and not _adopt(each, report)]
    if brought := next((each for each in wanted if not each.repo), None):
        said = Phrase(
            "'{model}' was brought from {source}, and is no longer here.", model=brought.id, source=brought.source
        )
        raise DownloadFailed(said, "Bring it again.")
    if wanted and settings.now().offline:
        raise DownloadFailed(
            Phrase("'{model}' is not fetched: the program is set to stay offline.", model=model.title),
            "Switch that off on the page of models.",
        )
    _check_disk([(each, each.size_bytes) for each in wanted])
    try:
        pinned = [replace(each, revision=revision(each) or hub.newest(each)) for each in wanted]
        listed = [(each, hub.files(each)) for each in pinned]
        _check_disk([(each, transfer.total_of(files)) for each, files in listed])  # the catalogue may be wrong
        total = sum(transfer.total_of(files) for _, files in listed)
        before = 0
        for each, files in listed:
            _fetch(each, files, lambda done, name, before=before: report(before + done, total, name))
            before += transfer.total_of(files)
    except OSError as error:
        raise StorageError(
            Phrase(
                "'{model}' could not be written to {root}: {error}.",
                model=model.title,
                root=root(),
                error=error.strerror or error,
            ),
            "Free some disk space and try again; what has arrived is kept.",
        ) from error
    return folder(model)


def cached(model: Model) -> bool:
    """True when the model is not here and all of it lies in the user's Hugging Face cache."""
    return not _complete(model) and bool(hf_cache.files(replace(model, revision=revision(model))))


def _adopt(model: Model, report: Progress) -> bool:
    """Takes the model out of the user's Hugging Face cache; false when it is not there, or damaged."""
    held = replace(model, revision=revision(model))
    files = hf_cache.files(held)
    if not files:
        return False
    making, total, done = _partial(model), transfer.total_of(files), 0
    try:
        for file in files:
            if not hf_cache.bring(
                file, making, lambda have, name=file.name, done=done: report(done + have, total, name)
            ):
                return False
            done += file.size
        _finish(replace(held, revision=hf_cache.revision(held)), files)
    except OSError:
        return False  # then it is fetched, and what is wrong with the disk is told there
    return True


def bring(model: Model, files: Mapping[str, Path | bytes]) -> Model:
    """Makes a model present of files of the user's, by the names that they are to have, or of bytes.

    They get a second name where the disk can give one, else they are copied. Returns the model held to what it is now,
    as by a revision. Raises StorageError.
    """
    making = _partial(model)
    try:
        if making.exists():
            shutil.rmtree(making)
        for name, source in files.items():
            _bring(source, making / name)
        digests = {name: transfer.digest(making / name) for name in files}
        held = replace(model, revision=hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()[:40])
        _seal(held, {name: (making / name).stat().st_size for name in files}, digests)
    except OSError as error:
        said = error.strerror or error
        raise StorageError(
            Phrase("'{model}' could not be written to {root}: {error}.", model=model.title, root=root(), error=said),
            "Free some disk space and try again.",
        ) from error
    return held


def _bring(source: Path | bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, bytes):
        path.write_bytes(source)
        return
    try:
        os.link(source.resolve(), path)
    except OSError:
        transfer.check_disk(root(), source.stat().st_size)
        shutil.copyfile(source, path)


def remove(model: Model) -> int:
    """Deletes the model and what is left of an interrupted download, but not what it needs; returns the freed bytes.

    One that was brought leaves the catalogue too; the files that it was brought from stay. Raises StorageError when
    something of it cannot be deleted.
    """
    places = [path for path in (folder(model), _partial(model)) if path.exists()]
    freed = sum(transfer.delete(path, path / MARKER) for path in places)
    if model.own and not model.repo:
        forget(model.id)
    return freed


def pinned(model: Model) -> str:
    """What a download is held to: "digest" when the catalogue has those of all weights, "first download" when those of
    an earlier one are known here, else "revision", and what the hub says of it.
    """
    if model.has_digests():
        return "digest"
    if _known(model):
        return "first download"
    return "revision" if model.revision else "nothing"


def _known(model: Model) -> dict[str, str]:
    """The digests by file of the model's first download in this revision; {} when there was none."""
    return _all_known(model).get(revision(model), {})


def _all_known(model: Model) -> dict[str, dict[str, str]]:
    """The digests by file of each revision of the model that was ever fetched here, the first one first."""
    try:
        found = json.loads((root() / _KNOWN).read_text("utf-8"))[model.id]
        return {
            str(commit): {str(name): str(digest) for name, digest in digests.items()}
            for commit, digests in found.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _remember(model: Model, digests: dict[str, str]) -> None:
    """Keeps the digests, beside those of other revisions."""
    path = root() / _KNOWN
    try:
        known = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        known = {}
    known = known if isinstance(known, dict) else {}
    earlier = known.get(model.id)
    known[model.id] = {**(earlier if isinstance(earlier, dict) else {}), model.revision: digests}
    writing = path.with_suffix(".writing")
    writing.write_text(json.dumps(known, indent=1), "utf-8")
    os.replace(writing, path)


def _check_known(model: Model, partial: Path, digests: dict[str, str]) -> None:
    """Raises DownloadFailed, and deletes what has arrived, when it is not what it was the first time."""
    known = _known(model)
    other = next((name for name, digest in digests.items() if known.get(name, digest) != digest), None)
    if other is not None:
        shutil.rmtree(partial)
        raise DownloadFailed(
            Phrase(
                "'{model}': {other} is not the file that was fetched the first time, though it has the same revision.",
                model=model.title,
                other=other,
            ),
            Phrase("Do not use it, and report the fault. If you know better, delete {root}.", root=root() / _KNOWN),
        )


def users(model: Model) -> tuple[Model, ...]:
    """The models on disk that need this one."""
    return tuple(each for each in catalogue().values() if model.id in each.needs and _complete(each))


def _partial(model: Model) -> Path:
    return root() / f"{model.id}.partial"


def _complete(model: Model) -> bool:
    looked = _looked.found
    if looked is None:
        return _lies_whole(model, root())
    key = f"{model.id} {model.revision}"
    if key not in looked:
        _looked.root = _looked.root or root()
        looked[key] = _lies_whole(model, _looked.root)
    return looked[key]


def _lies_whole(model: Model, models: Path) -> bool:
    where = models / model.id
    try:
        marker = json.loads((where / MARKER).read_text("utf-8"))
        return marker["revision"] == (revision(model) or marker["revision"]) and all(
            (where / name).stat().st_size == size for name, size in marker["files"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _check_disk(wanted: Iterable[tuple[Model, int]]) -> None:
    """Raises StorageError when there is not room for what is to come, by its bytes, and a little more."""
    transfer.check_disk(root(), sum(max(0, size - size_on_disk(_partial(each))) for each, size in wanted))


def _fetch(model: Model, files: list[Remote], report: Callable[[int, str], None]) -> None:
    """Brings the files one after the other, and makes the model present when all are there and right."""
    making = _partial(model)
    making.mkdir(parents=True, exist_ok=True)
    done = 0
    for file in files:
        transfer.fetch(file, making, lambda bytes, file=file, done=done: report(done + bytes, file.name))
        done += file.size
    _finish(model, files)


def _finish(model: Model, files: Sequence[Remote]) -> None:
    """Makes the model present: all its files are there and right."""
    making = _partial(model)
    digests = {file.name: transfer.digest(making / file.name) for file in files}
    _check_known(model, making, digests)
    _seal(model, {file.name: file.size for file in files}, digests)


def _seal(model: Model, sizes: Mapping[str, int], digests: dict[str, str]) -> None:
    """Writes the marker, and puts what was made in the place of the model."""
    making = _partial(model)
    marker: dict[str, Any] = {
        "id": model.id,
        "repo": model.repo,
        "revision": model.revision,
        "files": dict(sizes),
        "sha256": digests,
    }
    with open(making / MARKER, "w", encoding="utf-8") as stream:
        json.dump(marker, stream, indent=1)
        stream.flush()
        os.fsync(stream.fileno())
    _remember(model, digests)
    if folder(model).exists():
        shutil.rmtree(folder(model))  # of another revision, or damaged
    os.replace(making, folder(model))
