"""What models exist: the entries of resources/models.toml, and which tools each of them can run.

Knows nothing of disks or networks. A back end that runs a family is a way to run a tool; each model of the catalogue
that is of its family and can do its task is a choice of it.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nodes.api import Backend, Tool

FILE = Path(__file__).resolve().parent.parent / "resources" / "models.toml"
OWN = "GRAPHWRIGHT_CATALOGUE"
"""Names the file with the user's own entries, of the same form."""
SAFE_SUFFIXES = (".safetensors", ".onnx", ".json", ".txt", ".jinja")
"""Files of other kinds are never fetched: a pickle runs code when it is read."""
_WEIGHTS = (".safetensors", ".onnx", ".bin")
_PLAIN_DATA = {"ctranslate2 whisper": ("model.bin",), "ctranslate2 nllb": ("model.bin",), "kokoro": ("voices/*.bin",),
               "onnx marian": ("source.spm",)}  # fmt: skip
"""Names that elsewhere stand for pickles, or for anything, and that these families read as numbers and words alone."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BadCatalogue(ValueError):
    """An entry of the catalogue breaks a rule: the message says which."""


@dataclass(frozen=True)
class Model:
    """One checkpoint. `id` names its folder too; `task` is what it is for, `abilities` the other tasks that it can do.

    `family` is how it is loaded and run, as back ends name it; "" for one that only other models need. `repo` and
    `revision` (a commit) say where it comes from; a revision of "" is not known here: the hub's own at the first
    download is recorded, and every later download is held to it, as every one is to the digests of its weights. One
    without `repo` was brought as files. `files` says which of its files are wanted, as patterns (`*` stays within a
    folder). `size_bytes` is what they take on disk (a
    guess by the number of its weights where `estimated`), `memory_bytes` an estimate of what running takes. `languages`
    are codes ("en"), or "many", for models of language; of a pair to translate between, from and into. `needs` are ids
    of models without which it cannot run. `quality` is 0..1 against the best known way to do the task. `steps` and
    `guidance` are what a model that paints does its best with, 0 and None where its kind says that. `sha256` holds
    known digests by file name. `own`: the user added it.
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
    family: str = ""
    abilities: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    estimated: bool = False
    downloads: int = 0
    gated: bool = False
    needs: tuple[str, ...] = ()
    steps: int = 0
    guidance: float | None = None
    note: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)
    own: bool = False

    def is_safe(self, name: str) -> bool:
        """True for a file, or a pattern of files, of a kind that cannot run code when it is read."""
        plain = any(fnmatch.fnmatchcase(name, pattern) for pattern in _PLAIN_DATA.get(self.family, ()))
        return plain or name.endswith(SAFE_SUFFIXES)

    def has_digests(self) -> bool:
        """True when the digests of all its weights are known: they hold it as well as a revision does."""
        weights = [name for name in self.files if name.endswith(_WEIGHTS)]
        return bool(weights) and all(name in self.sha256 for name in weights)

    def runs(self, backend: Backend) -> bool:
        """True when the back end can be run with it: it is of the family, and can do the task."""
        return bool(self.family) and self.family == backend.family and backend.task in (self.task, *self.abilities)


def catalogue(path: Path = FILE) -> Mapping[str, Model]:
    """All models by id, in the order of the file, and after them the user's own. Raises BadCatalogue."""
    own = os.environ.get(OWN, "")
    try:
        return _both(path, own, os.stat(own).st_mtime_ns if own else 0)
    except OSError:  # there is no such file
        return _read(path)


@lru_cache(maxsize=4)
def _both(path: Path, own: str, _changed: int) -> Mapping[str, Model]:
    known = _read(path)
    return MappingProxyType({**known, **_own(Path(own), known)}) if own else known


def _own(path: Path, known: Mapping[str, Model]) -> dict[str, Model]:
    """The entries of the user's file that are right; what is wrong with one of them is no reason to stop."""
    import tomllib

    found: dict[str, Model] = {}
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("model", [])
    except (OSError, ValueError):
        return found
    for entry in entries if isinstance(entries, list) else ():
        try:
            model = _model(entry)
        except (BadCatalogue, TypeError, AttributeError):
            continue
        if model.id not in known and all(id in known or id in found for id in model.needs):
            found[model.id] = replace(model, own=True)
    return found


@cache
def _read(path: Path) -> Mapping[str, Model]:
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


def models_of(backend: Backend, models: Mapping[str, Model] | None = None) -> tuple[Model, ...]:
    """All that has to be on disk before the back end can run, its own model last; () without one.

    Raises KeyError when one of them is not in the catalogue.
    """
    known = catalogue() if models is None else models
    wanted = (*backend.needs, backend.model) if backend.model else ()
    return tuple({each.id: each for id in wanted for each in with_needs(known[id], known)}.values())


def with_models(tool: Tool, models: Mapping[str, Model] | None = None) -> Tool:
    """The tool with a back end for each model in place of one for each family, in the order of the catalogue.

    A tool of which no family has a model keeps its families, so that it says what it lacks.
    """
    if not any(backend.family and not backend.model for backend in tool.backends):
        return tool
    known = catalogue() if models is None else models
    found = [each for backend in tool.backends for each in _each_model(backend, known)]
    return replace(tool, backends=tuple(found)) if found else tool


def _each_model(backend: Backend, known: Mapping[str, Model]) -> list[Backend]:
    if not backend.family or backend.model:
        return [backend]
    return [_with_model(backend, model, known) for model in known.values() if model.runs(backend)]


def _with_model(backend: Backend, model: Model, known: Mapping[str, Model]) -> Backend:
    chosen = replace(
        backend, id=model.id, title=model.title, model=model.id, way=backend.id, quality=model.quality
    )  # fmt: skip
    needed = models_of(chosen, known)
    memory = max(known[id].memory_bytes for id in (*backend.needs, model.id))
    return replace(chosen, memory_bytes=memory, download_bytes=sum(each.size_bytes for each in needed))


def _model(entry: Mapping[str, Any]) -> Model:
    id = str(entry.get("id", "?"))
    known = {f.name for f in fields(Model)}
    if unknown := entry.keys() - known:
        raise BadCatalogue(f"{id} has unknown keys: {', '.join(sorted(unknown))}")
    lists = {name: tuple(entry.get(name, ())) for name in ("files", "needs", "abilities", "languages")}
    try:
        model = Model(**{**entry, **lists})
    except TypeError as error:
        raise BadCatalogue(f"{id} is not complete: {error}") from error
    _check(model)
    return model


def _check(model: Model) -> None:
    rules = {
        "its id must be of small letters, digits and hyphens": _ID.fullmatch(model.id),
        "its revision must be a commit, so that it never changes": not model.revision
        or _COMMIT.fullmatch(model.revision),
        "it has checksums of some weights without the revision that they are of": model.revision
        or not model.sha256
        or model.has_digests(),
        "it names no files": model.files,
        f"its files must end with {', '.join(SAFE_SUFFIXES)}": all(map(model.is_safe, model.files)),
        "a file lies outside its folder": not any(f.startswith("/") or ".." in f for f in model.files),
        "its sizes must be positive": model.size_bytes > 0 and model.memory_bytes > 0,
        "its quality must be 0 to 1": 0 <= model.quality <= 1,
        "a checksum must be 64 hexadecimal digits": all(_DIGEST.fullmatch(d) for d in model.sha256.values()),
    }
    for rule, kept in rules.items():
        if not kept:
            raise BadCatalogue(f"{model.id}: {rule}")
