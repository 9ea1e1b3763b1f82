"""Models of the hub that the catalogue does not have: searched for, and added as entries of the user's own."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest, DownloadFailed
from desktop_app.models import hub, own, transfer
from desktop_app.models.catalogue import Model, catalogue, keep
from nodes.phrase import Phrase

TASKS = {
    "object-detection": ("detect objects", "transformers object detection"),
    "image-classification": ("classify image", "transformers image classification"),
    "depth-estimation": ("depth map", "transformers depth estimation"),
    "zero-shot-object-detection": ("find by description", "transformers open-vocabulary detection"),
    "image-segmentation": ("name regions", "transformers semantic segmentation"),
    "automatic-speech-recognition": ("speech to text", "transformers whisper"),
    "text-generation": ("chat", "transformers chat"),
    "text-to-image": ("text to image", "diffusers pipeline"),
}
"""What the hub calls a task, what the catalogue calls it, and the family with which models of it are run, where the hub
does not say of which class a model is.
"""
_TAGS = {ours: tag for tag, (ours, _) in TASKS.items()} | {
    "answer about document": "document-question-answering",
    "answer about image": "visual-question-answering",
    "classify sound": "audio-classification",
    "classify video": "video-classification",
    "compare images": "image-feature-extraction",
    "describe image": "image-to-text",
    "edit by instruction": "image-to-image",
    "image to video": "image-to-video",
    "make music": "text-to-audio",
    "match labels": "zero-shot-image-classification",
    "pose map": "keypoint-detection",
    "read text": "image-to-text",
    "segment by points": "mask-generation",
    "segment by words": "image-segmentation",
    "text to speech": "text-to-speech",
    "text to video": "text-to-video",
    "upscale": "image-to-image",
}
"""What the hub calls a task of the catalogue; of one that is not here all kinds are looked through."""
_TOLD = ("config", "downloads", "gated", "pipeline_tag", "safetensors", "siblings", "tags")
"""What a search asks to be told of each model."""
_WIDTHS = {"F64": 8, "I64": 8, "F16": 2, "BF16": 2, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1}
"""Bytes of a number by its kind, where they are not 4."""
_SETTINGS = ("config.json", "scheduler_config.json", "tokenizer_config.json", "preprocessor_config.json")
_REPO = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


@dataclass(frozen=True)
class HubModel:
    """A repository. `size_bytes` is 0 where the hub does not say; `why_not` says why it cannot be used, or ""."""

    repo: str
    task: str
    licence: str
    size_bytes: int
    downloads: int
    why_not: str = ""


def search(words: str, task: str = "", most: int = 20) -> list[HubModel]:
    """The most downloaded with these words, of a task of the catalogue; "" for any. What can be used comes first.

    Raises DownloadFailed.
    What a search does not tell of the size of a model that can be used is asked of the model itself.
    """
    query: dict[str, Any] = {"sort": "downloads", "limit": most, "expand": list(_TOLD)}
    query |= {"search": words} if words else {}
    query |= {"pipeline_tag": _TAGS[task]} if task in _TAGS else {}
    entries = _asked("/api/models", **query)
    found = [_found(e) for e in (entries if isinstance(entries, list) else ()) if isinstance(e, dict) and _repo(e)]
    return [each if each.why_not or each.size_bytes else _measured(each)
            for each in sorted(found, key=lambda one: bool(one.why_not))]  # fmt: skip


def _measured(found: HubModel) -> HubModel:
    """With its size, where the hub tells it."""
    try:
        info = _asked(f"/api/models/{quote(found.repo)}", blobs="true")
    except DownloadFailed:
        return found
    return replace(found, size_bytes=_found(info).size_bytes) if isinstance(info, dict) else found


def add(repo: str) -> Model:
    """Makes a repository of the hub an entry of the user's own catalogue. Raises BadRequest, DownloadFailed."""
    if not _REPO.fullmatch(repo):
        raise BadRequest(
            Phrase("'{repo}' is no name of a repository.", repo=repo), "Write it as the hub does: owner/name"
        )
    info = _asked(f"/api/models/{quote(repo)}", blobs="true")
    found = _found(info if isinstance(info, dict) else {})
    if found.why_not:
        raise BadRequest(Phrase("{repo} cannot be used: {why}", repo=repo, why=found.why_not), "Choose another model.")
    kind, sizes = _kind(info), _sizes(info)
    files = _wanted(sizes, kind.family)
    size = sum(sizes[name] for name in files)
    needs = own.needs_of(kind.family)
    if not any(name.endswith(".safetensors") for name in files):
        raise BadRequest(Phrase("{repo} has no weights of a kind that is safe to load.", repo=repo), "Choose another.")
    id = re.sub(r"[^a-z0-9]+", "-", repo.rpartition("/")[2].lower()).strip("-")
    while id in catalogue() and catalogue()[id].repo != repo:
        id = f"{id}-own"
    if id in catalogue():
        raise BadRequest(Phrase("{repo} is in the catalogue already, as '{id}'.", repo=repo, id=id), "")
    entry = {
        "id": id, "task": kind.task, "family": kind.family, "abilities": list(own.alike(kind.family, kind.task)),
        "needs": list(needs), "title": repo.rpartition("/")[2], "repo": repo,
        "revision": str(info.get("sha", "")), "files": files, "size_bytes": max(1, size),
        "memory_bytes": int(size * 1.5) + 500_000_000, "licence": found.licence or "not stated",
        "source": f"{hub.ADDRESS}/{repo}", "quality": 0.5, "downloads": found.downloads,
        "gated": bool(info.get("gated")),
    }  # fmt: skip
    keep(entry)
    model = catalogue().get(id)
    if model is None:
        raise BadRequest(Phrase("{repo} cannot be used: {why}", repo=repo, why=Phrase("its listing is odd")), "")
    return model


def _wanted(names: Collection[str], family: str) -> list[str]:
    """Weights and settings: of the whole for transformers, of each part for diffusers; not in 16 bits too."""
    files = [n for n in names if n.endswith((".safetensors", ".json", ".txt", ".jinja")) and ".fp16." not in n]
    if not family.startswith("diffusers"):
        return [name for name in files if "/" not in name]
    optional = () if family == "diffusers film" else own.OPTIONAL
    parts = {part for part, _, name in (file.rpartition("/") for file in files) if name in _SETTINGS} - {"", *optional}
    return [file for file in files if file == "model_index.json" or file.rpartition("/")[0] in parts]


def _asked(path: str, **query: str | int | list[str]) -> Any:
    if settings.now().offline:
        raise DownloadFailed("The program is set to stay offline.", "Switch that off on the page of models.")
    with hub.told(path.removeprefix("/api/models").strip("/") or "search", hub.endpoint()):
        return transfer.listing(f"{hub.endpoint()}{path}", "", **query)


def _repo(entry: dict[str, Any]) -> str:
    repo = str(entry.get("id") or entry.get("modelId") or "")
    return repo if _REPO.fullmatch(repo) else ""


def _sizes(entry: Mapping[str, Any]) -> dict[str, int]:
    """The files of a repository with their bytes, 0 where they are not told."""
    told = [each for each in entry.get("siblings") or () if isinstance(each, dict)]
    sizes = ((str(each.get("rfilename", "")), each.get("size")) for each in told)
    return {name: size if isinstance(size, int) and size > 0 else 0 for name, size in sizes}


def _kind(entry: Mapping[str, Any]) -> own.Kind:
    """By the class that it is of, else by what it is said to be for."""
    config = entry.get("config")
    config = config if isinstance(config, dict) else {}
    part, classes = config.get("diffusers"), config.get("architectures")
    pipeline = str(part.get("_class_name") or "") if isinstance(part, dict) else ""
    classes = [str(name) for name in classes if name] if isinstance(classes, list) else []
    task, family = TASKS.get(tag := str(entry.get("pipeline_tag") or ""), (tag.replace("-", " "), ""))
    if pipeline or classes:
        return own.kind_of(classes, pipeline) or own.Kind("", task, ", ".join(classes) or pipeline)
    return own.Kind(family, task, "" if family else task)


def _size(entry: Mapping[str, Any], family: str) -> int:
    """Bytes of what is wanted of it, or of its weights alone; 0 where neither is told."""
    sizes = _sizes(entry)
    found = sum(sizes[name] for name in _wanted(sizes, family))
    told = entry.get("safetensors")
    counts = told.get("parameters") if isinstance(told, dict) else None
    if found or not isinstance(counts, dict):
        return found
    return sum(count * _WIDTHS.get(kind, 4) for kind, count in counts.items() if isinstance(count, int))


def _found(entry: dict[str, Any]) -> HubModel:
    tags = [str(tag) for tag in entry.get("tags") or () if isinstance(tag, str)]
    names, kind = _sizes(entry), _kind(entry)
    licence = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
    why = ""
    if entry.get("gated") and not hub.token():
        why = Phrase("it is only given to those who sign in.")
    elif not kind.family:
        why = Phrase("no tool here runs models of its kind ({kind}).", kind=kind.prepared or "?")
    elif not any(name.endswith(".safetensors") for name in names):
        why = Phrase("it has no weights of a kind that is safe to load.")
    elif lost := own.missing(kind, names):
        why = Phrase("{file} is missing", file=lost)
    downloads = entry.get("downloads")
    return HubModel(_repo(entry), kind.task, licence, _size(entry, kind.family),
                 downloads if isinstance(downloads, int) else 0, why)  # fmt: skip
