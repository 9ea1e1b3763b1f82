"""Models of the Hugging Face hub, or of the mirror that is set: their files, and a search among them.

The hub is asked in plain HTTP, so that models can be had before any of their libraries is here.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from desktop_app.core import settings
from desktop_app.core.errors import DownloadFailed
from desktop_app.models import transfer
from desktop_app.models.catalogue import Model
from desktop_app.models.transfer import Remote
from nodes.phrase import Phrase

ADDRESS = "https://huggingface.co"
_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def endpoint() -> str:
    """The address of the hub, without a slash at its end: HF_ENDPOINT, else the mirror of the settings."""
    return (os.environ.get("HF_ENDPOINT") or settings.now().models_mirror or ADDRESS).rstrip("/")


def token() -> str:
    """The user's token for the hub: HF_TOKEN, else what `hf auth login` wrote; "" without one, and for a mirror that is
    set in this program, which it was not given for.
    """
    if not os.environ.get("HF_ENDPOINT") and settings.now().models_mirror:
        return ""
    if given := os.environ.get("HF_TOKEN", "").strip():
        return given
    home = os.environ.get("HF_HOME")
    kept = os.environ.get("HF_TOKEN_PATH") or (Path(home) if home else Path.home() / ".cache" / "huggingface") / "token"
    try:
        return Path(kept).read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def newest(model: Model) -> str:
    """The commit of its repository as it is now. Raises DownloadFailed."""
    found = _about(model, "").get("sha")
    if not isinstance(found, str) or not re.fullmatch(r"[0-9a-f]{40}", found):
        said = Phrase(
            "'{model}': the server does not say of which revision {repo} is.", model=model.title, repo=model.repo
        )
        raise DownloadFailed(said, "")
    return found


def files(model: Model) -> list[Remote]:
    """The files to fetch, small ones first. Raises DownloadFailed."""
    info = _about(model, model.revision)
    if info.get("sha") != model.revision:
        other = str(info.get("sha"))[:60]
        raise DownloadFailed(
            Phrase(
                "'{model}': the server gave revision {sha}, not the one that is wanted.", model=model.title, sha=other
            ),
            "",
        )
    entries = info.get("siblings")
    named = [entry for entry in (entries if isinstance(entries, list) else ()) if isinstance(entry, dict)]
    found = [_file(model, entry) for entry in named if _wanted(model, str(entry.get("rfilename", "")))]
    wanted = [p for p in model.files if not p.endswith("*.txt")]  # words of some tokenizers, which others have not
    lost = [p for p in wanted if not any(fnmatch.fnmatchcase(file.name, p) for file in found)]
    if lost:
        raise DownloadFailed(
            Phrase("'{model}': the server has no {lost} of {repo}.", model=model.title, lost=lost[0], repo=model.repo),
            "Choose another model, and report the fault.",
        )
    return sorted(found, key=lambda file: (file.size, file.name))


def _about(model: Model, revision: str) -> dict[str, Any]:
    """What the hub tells of the repository, with its files. Raises DownloadFailed."""
    at = f"/revision/{quote(revision, safe='')}" if revision else ""
    own = token() if model.gated else ""
    with told(model.title, model.repo, model.source if model.gated else "", bool(own)):
        info = transfer.listing(f"{endpoint()}/api/models/{quote(model.repo)}{at}", own, blobs="true")
        if not isinstance(info, dict):
            raise ValueError("it is no listing")
        return info


@contextmanager
def told(name: str, repo: str, page: str = "", signed: bool = False) -> Iterator[None]:
    """Turns what asking the hub raises into DownloadFailed. `page` and `signed` are those of transfer.gated."""
    try:
        yield
    except transfer.Refused as error:
        if error.status in (401, 403) and page:
            raise transfer.gated(name, page, signed) from error
        if error.status in (401, 403, 404):
            said = Phrase(
                "'{id}': there is no {repo} at that revision ({status}).", id=name, repo=repo, status=error.status
            )
            raise DownloadFailed(said, "Choose another model.") from error
        raise DownloadFailed(
            Phrase("'{id}': the server answered {status}.", id=name, status=error.status), "Try again later."
        ) from error
    except transfer.Unreachable as error:
        raise DownloadFailed(
            Phrase("'{id}': {endpoint} cannot be reached.", id=name, endpoint=settings.shown(endpoint())),
            "See whether there is a connection.",
        ) from error
    except ValueError as error:
        raise DownloadFailed(
            Phrase("'{id}': what {endpoint} answers is no listing.", id=name, endpoint=settings.shown(endpoint())),
            "See whether the address of the mirror is right.",
        ) from error


def _wanted(model: Model, name: str) -> bool:
    inside = not name.startswith("/") and ".." not in name.split("/") and "\\" not in name
    chosen = any(fnmatch.fnmatchcase(name, p) and name.count("/") == p.count("/") for p in model.files)
    return inside and chosen and model.is_safe(name)


def _file(model: Model, entry: dict[str, Any]) -> Remote:
    """A file as the hub lists it. The catalogue's checksum, where it has one, counts more than the hub's."""
    name, size, large = str(entry["rfilename"]), entry.get("size"), entry.get("lfs")
    stated = large.get("sha256") if isinstance(large, dict) else entry.get("blobId")
    digest = model.sha256.get(name) or stated
    if not isinstance(size, int) or size < 0 or not isinstance(digest, str) or not _HEX.fullmatch(digest):
        raise DownloadFailed(
            Phrase("'{model}': the server does not say what {rfilename} should be.", model=model.title, rfilename=name),
            "",
        )
    url = f"{endpoint()}/{quote(model.repo)}/resolve/{model.revision}/{quote(name)}"
    return Remote(model.title, name, url, size, digest, *((model.source, token()) if model.gated else ()))
