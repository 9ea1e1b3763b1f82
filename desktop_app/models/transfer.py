"""Files from a server, whole and checked: one that was cut goes on from where it stopped. Knows no models."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_app.core.errors import DownloadFailed, StorageError
from desktop_app.core.paths import make_private, size_on_disk
from nodes.phrase import Phrase

TRIES = 4  # chosen
SECONDS = 30.0
"""For how long a server may be silent."""
SPARE_BYTES = 200_000_000  # chosen: left on the disk after a download
_LONGEST_LISTING = 64_000_000
_LISTING_SECONDS = 120.0
_AGAIN = "Try again; it goes on from where it stopped."
_FAULTY = "Choose another model, and report the fault."


@dataclass(frozen=True)
class Remote:
    """A file at an address, of the thing `owner`, which messages name. `digest` is the SHA-256 of its content or, of 40
    digits, the SHA-1 that git gives it. `page` is where its terms are accepted if it is given to nobody else, `token`
    the user's for it, which goes to the server of `url` alone.
    """

    owner: str
    name: str
    url: str
    size: int
    digest: str
    page: str = ""
    token: str = field(default="", repr=False)


class TransferCutShort(Exception):
    """The connection ended before the file did."""


def client() -> Any:
    """A client that sends no secret of the user's; the system's proxies and certificates hold. To be closed."""
    import httpx2

    agent = {"User-Agent": "graphwright", "Accept-Encoding": "identity"}
    return httpx2.Client(timeout=SECONDS, follow_redirects=True, headers=agent)


def _signed(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def listing(url: str, token: str = "", **query: str | int | list[str]) -> Any:
    """The JSON at an address. Raises Unreachable, Refused, or ValueError for what is no JSON or does not end."""
    import httpx2

    until, found = time.monotonic() + _LISTING_SECONDS, bytearray()
    try:
        with client() as http, http.stream("GET", url, params=query or None, headers=_signed(token)) as answer:
            if answer.status_code != 200:
                raise Refused(answer.status_code)
            for block in answer.iter_raw():
                found += block
                if len(found) > _LONGEST_LISTING or time.monotonic() > until:
                    raise ValueError("the answer does not end")
    except (httpx2.HTTPError, httpx2.InvalidURL, ConnectionError) as error:
        raise Unreachable(str(error) or type(error).__name__) from error
    try:
        return json.loads(found)
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error


class Unreachable(Exception):
    pass


class Refused(Exception):
    """The server answered, with the HTTP status `status` instead of what was asked for."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


def fetch(file: Remote, into: Path, report: Callable[[int], None]) -> None:
    """Brings one file into a folder, whole and checked; does nothing when it is there.

    `report` is called with the bytes that have arrived. Raises DownloadFailed; OSError when it cannot be written.
    """
    path = into / file.name
    if _is(file, path):
        report(file.size)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    begun = part.exists()
    _complete(file, part, report)
    if begun and not _is(file, part):  # it was begun as another file, or the disk has lost some of it
        part.unlink()
        _complete(file, part, report)
    _check(file, part)
    os.replace(part, path)


def _complete(file: Remote, part: Path, report: Callable[[int], None]) -> None:
    """Brings what is missing of `part`, again where the connection is lost and something came. Raises as `fetch`."""
    for left in reversed(range(TRIES)):
        before = part.stat().st_size if part.exists() else 0
        if before >= file.size and part.exists():
            return
        try:
            return stream(file, part, report)
        except TransferCutShort as error:
            if left and part.exists() and part.stat().st_size > before:
                continue
            lost = Phrase(
                "'{model}': the connection was lost in {file} ({error}).", model=file.owner, file=file.name, error=error
            )
            raise DownloadFailed(lost, _AGAIN) from error


def stream(file: Remote, part: Path, report: Callable[[int], None]) -> None:
    """Appends to `part` what is missing of the file. Raises TransferCutShort when the connection ends early."""
    import httpx2

    have = part.stat().st_size if part.exists() else 0
    headers = ({"Range": f"bytes={have}-"} if have else {}) | _signed(file.token)
    try:
        with client() as http, http.stream("GET", file.url, headers=headers) as answer:
            _check_status(file, answer.status_code)
            have = have if answer.status_code == 206 else 0
            with open(part, "ab" if have else "wb") as writing:
                report(have)
                for block in answer.iter_raw():
                    have += len(block)
                    if have > file.size:
                        break
                    writing.write(block)
                    report(have)
    except (httpx2.HTTPError, httpx2.InvalidURL, ConnectionError) as error:
        raise TransferCutShort(str(error) or type(error).__name__) from error
    if have > file.size:
        part.unlink()
        larger = Phrase(
            "'{model}': {file} is larger than the {size} bytes that the server listed.",
            model=file.owner,
            file=file.name,
            size=f"{file.size:,}",
        )
        raise DownloadFailed(larger, _FAULTY)
    if have < file.size:
        raise TransferCutShort("it ended early")


def _check_status(file: Remote, status: int) -> None:
    if status in (200, 206):
        return
    if status in (401, 403) and file.page:
        raise gated(file.owner, file.page, bool(file.token))
    if status in (401, 403, 404, 410):
        said = Phrase(
            "'{model}': the server does not give {file} ({status}).", model=file.owner, file=file.name, status=status
        )
        raise DownloadFailed(said, _FAULTY)
    raise DownloadFailed(
        Phrase("'{model}': the server answered {status} for {file}.", model=file.owner, status=status, file=file.name),
        "Try again later.",
    )


def gated(owner: str, page: str, signed: bool) -> DownloadFailed:
    """Says of what is only given to those who accepted its terms what to do, with a token (`signed`) or without."""
    if signed:
        said = Phrase("'{model}' is not given to the account of your token.", model=owner)
        return DownloadFailed(said, Phrase("Accept its terms with that account at {page}, and try again.", page=page))
    return DownloadFailed(
        Phrase("'{model}' is only given to those who accepted its terms.", model=owner),
        Phrase("Sign in at {page} and accept them; then put a token of your account into HF_TOKEN, or run "
               "`hf auth login`, and try again.", page=page),
    )  # fmt: skip


def _check(file: Remote, part: Path) -> None:
    """Raises DownloadFailed, and deletes what has arrived, when it is not the file that it should be."""
    if _is(file, part):
        return
    part.unlink()
    raise DownloadFailed(
        Phrase("'{model}': {file} arrived damaged, its checksum is wrong.", model=file.owner, file=file.name),
        "Try again; it is fetched anew.",
    )


def _is(file: Remote, path: Path) -> bool:
    """True when what lies there is the file, byte for byte."""
    if not path.exists() or path.stat().st_size != file.size:
        return False
    return digest(path, len(file.digest) == 40) == file.digest


def digest(path: Path, git: bool = False) -> str:
    """The SHA-256 of a file, or the SHA-1 by which git knows it."""
    if not git:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def check_disk(folder: Path, needed: int) -> None:
    """Raises StorageError when the folder cannot be made or has not room for so many bytes and a little more."""
    if needed <= 0:
        return
    try:
        make_private(folder)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise StorageError(
            Phrase("{root} cannot be used for models: {error}.", root=folder, error=error.strerror),
            "Choose another folder.",
        ) from error
    if free < needed + SPARE_BYTES:
        said = Phrase(
            "The download takes {needed} GB, and {free} GB are free in {root}.",
            needed=f"{needed / 1e9:.1f}",
            free=f"{free / 1e9:.1f}",
            root=folder,
        )
        raise StorageError(said, "Free some disk space, or set GRAPHWRIGHT_MODELS to a folder on another disk.")


def total_of(files: Iterable[Remote]) -> int:
    return sum(file.size for file in files)


def delete(folder: Path, marker: Path) -> int:
    """Deletes a folder, and first the marker in it, so that no half of it ever counts; returns the freed bytes. Raises
    StorageError.
    """
    freed = size_on_disk(folder)
    marker.unlink(missing_ok=True)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(
            Phrase("{path} could not be deleted: {error}.", path=folder, error=error.strerror), "Delete it by hand."
        ) from error
    return freed
