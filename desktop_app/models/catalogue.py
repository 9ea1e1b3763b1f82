"""What models exist: the entries of resources/models.toml. Knows nothing of disks or networks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from desktop_app.core.errors import BadRequest
from desktop_app.core.paths import RESOURCES
from nodes.phrase import Phrase

SAFE_SUFFIXES = (".safetensors", ".onnx", ".json", ".txt")
"""Files of other kinds are never fetched: a pickle runs code when it is read."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BadCatalogue(ValueError):
    """An entry of the catalogue breaks a rule: the message says which."""


@dataclass(frozen=True)
class Model:
    """One checkpoint. `id` names its folder too; `task` is what it is for.

    `repo` and `revision` (a commit) say where it comes from, `files` which of its files are wanted, as patterns (`*`
    stays within a folder). `size_bytes` is what they take on disk, `memory_bytes` an estimate of what running takes.
    `needs` are ids of models without which it cannot run. `quality` is 0..1 against the best known way to do the task.
    `sha256` holds known digests by file name.
    """

    id: str
    task: str
    title: str
    repo: str
    revision: str
    files: tuple[str, ...]
    size_bytes: int
    memory_bytes: int
    licence: str
    source: str
    quality: float
    downloads: int = 0
    gated: bool = False
    needs: tuple[str, ...] = ()
    note: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)


@cache
def catalogue(path: Path = RESOURCES / "models.toml") -> Mapping[str, Model]:
    """All models by id, in the order of the file. Raises BadCatalogue."""
    import tomllib

    entries = tomllib.loads(path.read_text("utf-8")).get("model", [])
    models: dict[str, Model] = {}
    for entry in entries:
        model = _model(entry)
        if model.id in models:
            raise BadCatalogue(f"{model.id} is there twice")
        models[model.id] = model
    for model in models.values():
        unknown = [id for id in model.needs if id not in models]
        if unknown:
            raise BadCatalogue(f"{model.id} needs {', '.join(unknown)}, which are not in the catalogue")
    return MappingProxyType(models)


def find(id: str) -> Model:
    """The model of that id. Raises BadRequest."""
    model = catalogue().get(id)
    if model is None:
        raise BadRequest(Phrase("There is no model '{id}' in the catalogue.", id=id), "See: graphwright models list")
    return model


def with_needs(model: Model, models: Mapping[str, Model] | None = None) -> tuple[Model, ...]:
    """The model after all that it needs, each once: the order in which to fetch."""
    known = catalogue() if models is None else models
    found: dict[str, Model] = {}

    def add(one: Model) -> None:
        for id in one.needs:
            if id not in found:
                add(known[id])
        found[one.id] = one

    add(model)
    return tuple(found.values())


def _model(entry: Mapping[str, Any]) -> Model:
    id = str(entry.get("id", "?"))
    known = {f.name for f in fields(Model)}
    if unknown := entry.keys() - known:
        raise BadCatalogue(f"{id} has unknown keys: {', '.join(sorted(unknown))}")
    lists = {name: tuple(entry.get(name, ())) for name in ("files", "needs")}
    try:
        model = Model(**{**entry, **lists})
    except TypeError as error:
        raise BadCatalogue(f"{id} is not complete: {error}") from error
    _check(model)
    return model


def _check(model: Model) -> None:
    rules = {
        "its id must be of small letters, digits and hyphens": _ID.fullmatch(model.id),
        "its revision must be a commit, so that it never changes": _COMMIT.fullmatch(model.revision),
        "it names no files": model.files,
        f"its files must end with {', '.join(SAFE_SUFFIXES)}": all(f.endswith(SAFE_SUFFIXES) for f in model.files),
        "a file lies outside its folder": not any(f.startswith("/") or ".." in f for f in model.files),
        "its sizes must be positive": model.size_bytes > 0 and model.memory_bytes > 0,
        "its quality must be 0 to 1": 0 <= model.quality <= 1,
        "a checksum must be 64 hexadecimal digits": all(_DIGEST.fullmatch(d) for d in model.sha256.values()),
    }
    for rule, kept in rules.items():
        if not kept:
            raise BadCatalogue(f"{model.id}: {rule}")
