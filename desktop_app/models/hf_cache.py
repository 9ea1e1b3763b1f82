"""Models that other programs have fetched already, in the Hugging Face cache of the user.

A file there is a link to a blob that is named by its digest, so what is taken from there is checked like a download.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from desktop_app.models import transfer
from desktop_app.models.catalogue import Model
from desktop_app.models.transfer import Remote

_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def root() -> Path:
    """The cache: HF_HUB_CACHE, `hub` in HF_HOME, or in .cache/huggingface."""
    chosen, base = os.environ.get("HF_HUB_CACHE"), os.environ.get("HF_HOME")
    return Path(chosen) if chosen else (Path(base) if base else Path.home() / ".cache" / "huggingface") / "hub"


def revision(model: Model) -> str:
    """The commit of the model there: the one that it is held to, else the cache's own "main"; "" when there is none."""
    folder = _folder(model)
    try:
        found = model.revision or (folder / "refs" / "main").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
    known = re.fullmatch(r"[0-9a-f]{40}", found) and (folder / "snapshots" / found).is_dir()
    return found if known else ""


def files(model: Model) -> list[Remote]:
    """All files that the model wants, small ones first; [] when one of them is not there or says not what it is.

    Other programs write and remove here meanwhile.
    """
    commit = revision(model)
    snapshot = _folder(model) / "snapshots" / commit
    try:
        found = [_file(model, name, snapshot / name) for name in _names(model, snapshot)] if commit else []
    except OSError:
        return []
    whole = [file for file in found if file is not None]
    wanted = [pattern for pattern in model.files if not pattern.endswith("*.txt")]
    complete = all(any(fnmatch.fnmatchcase(file.name, pattern) for file in whole) for pattern in wanted)
    return sorted(whole, key=lambda file: (file.size, file.name)) if complete and len(whole) == len(found) else []


def bring(file: Remote, into: Path, report: Callable[[int], None]) -> bool:
    """Puts a file of `files` into a folder, a second name of the same content where the disk can; false when it is
    damaged. Raises OSError.
    """
    source, path = Path(file.url), into / file.name
    if transfer.digest(source, len(file.digest) == 40) != file.digest:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        os.link(source, path)
    except OSError:
        shutil.copyfile(source, path)
    report(file.size)
    return True


def _folder(model: Model) -> Path:
    return root() / f"models--{model.repo.replace('/', '--')}"


def _names(model: Model, snapshot: Path) -> list[str]:
    every = (path.relative_to(snapshot).as_posix() for path in snapshot.rglob("*") if path.is_file())
    return [
        name
        for name in every
        if model.is_safe(name)
        and any(fnmatch.fnmatchcase(name, p) and name.count("/") == p.count("/") for p in model.files)
    ]


def _file(model: Model, name: str, path: Path) -> Remote | None:
    blob = path.resolve()
    digest = model.sha256.get(name, blob.name)
    if not _DIGEST.fullmatch(digest) or not blob.is_relative_to(root().resolve()):
        return None
    return Remote(model.id, name, str(blob), blob.stat().st_size, digest)
