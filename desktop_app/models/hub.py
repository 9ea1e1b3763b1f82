"""Files of models from the Hugging Face hub, or whatever HF_ENDPOINT names: listed, fetched, checked.

The hub's own client lists the files and makes the connections. It does not go on with a file whose download was cut,
so that part is here: what has arrived is kept beside the file, and the rest is asked for.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.core.errors import DownloadFailed
from desktop_app.models.catalogue import SAFE_SUFFIXES, Model
from nodes.phrase import Phrase

_TRIES = 4
_SECONDS = 30.0
_AGAIN = "Try again; it goes on from where it stopped."


@dataclass(frozen=True)
class File:
    """A file of a model. `digest` is the SHA-256 of its content or, of 40 digits, the SHA-1 that git gives it."""

    name: str
    size: int
    digest: str


def newest(model: Model) -> str:
    """The commit of its repository as it is now. Raises DownloadFailed."""
    from huggingface_hub import HfApi

    with _told(model):
        found = HfApi(endpoint=_endpoint(), token=False).model_info(model.repo, timeout=_SECONDS).sha
    if not found or not re.fullmatch(r"[0-9a-f]{40}", found):
        said = Phrase(
            "'{model}': the server does not say of which revision {repo} is.", model=model.id, repo=model.repo
        )
        raise DownloadFailed(said, "")
    return found


def files(model: Model) -> list[File]:
    """The files to fetch, small ones first. Raises DownloadFailed."""
    from huggingface_hub import HfApi

    api = HfApi(endpoint=_endpoint(), token=False)
    with _told(model):
        info = api.model_info(model.repo, revision=model.revision, files_metadata=True, timeout=_SECONDS)
    if info.sha != model.revision:
        raise DownloadFailed(
            Phrase(
                "'{model}': the server gave revision {sha}, not the one that is wanted.", model=model.id, sha=info.sha
            ),
            "",
        )
    found = [_file(model, entry) for entry in info.siblings or () if _wanted(model, entry.rfilename)]
    wanted = [p for p in model.files if not p.endswith("*.txt")]  # words of some tokenizers, which others have not
    lost = [p for p in wanted if not any(fnmatch.fnmatchcase(file.name, p) for file in found)]
    if lost:
        raise DownloadFailed(
            Phrase("'{model}': the server has no {lost} of {repo}.", model=model.id, lost=lost[0], repo=model.repo),
            "Choose another model, and report the fault.",
        )
    return sorted(found, key=lambda file: (file.size, file.name))


def fetch(model: Model, file: File, into: Path, report: Callable[[int], None]) -> None:
    """Brings one file into a folder, whole and checked; does nothing when it is there.

    `report` is called with the bytes that have arrived. Raises DownloadFailed; OSError when it cannot be written.
    """
    path = into / file.name
    if path.exists() and path.stat().st_size == file.size:
        report(file.size)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    for left in reversed(range(_TRIES)):
        before = part.stat().st_size if part.exists() else 0
        if before < file.size or not part.exists():
            try:
                _stream(model, file, part, report)
            except _Cut as error:
                grown = part.exists() and part.stat().st_size > before
                if left and grown:
                    continue
                raise DownloadFailed(
                    Phrase(
                        "'{model}': the connection was lost in {file} ({error}).",
                        model=model.id,
                        file=file.name,
                        error=error,
                    ),
                    _AGAIN,
                ) from error
        break
    _check(model, file, part)
    os.replace(part, path)


class _Cut(Exception):
    """The connection ended before the file did."""


def _stream(model: Model, file: File, part: Path, report: Callable[[int], None]) -> None:
    """Appends to `part` what is missing of the file. Raises _Cut when the connection ends early."""
    import httpx2
    from huggingface_hub import hf_hub_url
    from huggingface_hub.utils import get_session

    url = hf_hub_url(model.repo, file.name, revision=model.revision, endpoint=_endpoint())
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with get_session().stream("GET", url, headers=headers, timeout=_SECONDS, follow_redirects=True) as answer:
            _check_status(model, file, answer.status_code)
            have = have if answer.status_code == 206 else 0
            with open(part, "ab" if have else "wb") as stream:
                report(have)
                for block in answer.iter_raw():
                    have += len(block)
                    if have > file.size:
                        break
                    stream.write(block)
                    report(have)
    except (httpx2.HTTPError, ConnectionError) as error:
        raise _Cut(str(error) or type(error).__name__) from error
    if have > file.size:
        part.unlink()
        raise DownloadFailed(
            Phrase(
                "'{model}': {file} is larger than the {size} bytes that the server listed.",
                model=model.id,
                file=file.name,
                size=f"{file.size:,}",
            ),
            "Choose another model, and report the fault.",
        )
    if have < file.size:
        raise _Cut("it ended early")


def _check_status(model: Model, file: File, status: int) -> None:
    if status in (200, 206):
        return
    if status in (401, 403, 404, 410):
        raise DownloadFailed(
            Phrase(
                "'{model}': the server does not give {file} ({status}).", model=model.id, file=file.name, status=status
            ),
            "Choose another model, and report the fault.",
        )
    raise DownloadFailed(
        Phrase("'{model}': the server answered {status} for {file}.", model=model.id, status=status, file=file.name),
        "Try again later.",
    )


def _check(model: Model, file: File, part: Path) -> None:
    """Raises DownloadFailed, and deletes what has arrived, when it is not the file that it should be."""
    if part.stat().st_size == file.size and digest(part, len(file.digest) == 40) == file.digest:
        return
    part.unlink()
    raise DownloadFailed(
        Phrase("'{model}': {file} arrived damaged, its checksum is wrong.", model=model.id, file=file.name),
        "Try again; it is fetched anew.",
    )


def digest(path: Path, git: bool = False) -> str:
    """The SHA-256 of a file, or the SHA-1 by which git knows it."""
    if not git:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _wanted(model: Model, name: str) -> bool:
    inside = not name.startswith("/") and ".." not in name.split("/") and "\\" not in name
    chosen = any(fnmatch.fnmatchcase(name, p) and name.count("/") == p.count("/") for p in model.files)
    return inside and chosen and name.endswith(SAFE_SUFFIXES)


def _file(model: Model, entry: Any) -> File:
    """A file as the hub lists it. The catalogue's checksum, where it has one, counts more than the hub's."""
    digest = model.sha256.get(entry.rfilename) or (entry.lfs.sha256 if entry.lfs else entry.blob_id)
    if entry.size is None or not digest or not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", digest):
        raise DownloadFailed(
            Phrase(
                "'{model}': the server does not say what {rfilename} should be.",
                model=model.id,
                rfilename=entry.rfilename,
            ),
            "",
        )
    return File(entry.rfilename, entry.size, digest)


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


class _told:
    """Turns what the hub's client raises into DownloadFailed."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        import httpx2
        from huggingface_hub.errors import HfHubHTTPError

        id, repo = self._model.id, self._model.repo
        if isinstance(error, HfHubHTTPError):
            status = error.response.status_code
            if status in (401, 403, 404):
                raise DownloadFailed(
                    Phrase("'{id}': there is no {repo} at that revision ({status}).", id=id, repo=repo, status=status),
                    "Choose another model.",
                ) from error
            raise DownloadFailed(
                Phrase("'{id}': the server answered {status}.", id=id, status=status), "Try again later."
            ) from error
        if isinstance(error, httpx2.HTTPError | ConnectionError):
            raise DownloadFailed(
                Phrase("'{id}': {endpoint} cannot be reached.", id=id, endpoint=_endpoint() or "huggingface.co"),
                "See whether there is a connection.",
            ) from error
