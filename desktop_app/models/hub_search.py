"""Models of the hub that the catalogue does not have: searched for, and added as entries of the user's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest, DownloadFailed
from desktop_app.models import hub, transfer
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
"""What the hub calls a task, what the catalogue calls it, and the family with which models of it are run."""
_REPO = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_PARTS = ("unet", "vae", "text_encoder", "text_encoder_2", "tokenizer", "tokenizer_2", "scheduler", "transformer")


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
    """The most downloaded with these words, of a task of the catalogue ("" for any). Raises DownloadFailed."""
    query: dict[str, str | int] = {"search": words, "sort": "downloads", "direction": -1, "limit": most, "full": "true"}
    tag = next((tag for tag, (ours, _) in TASKS.items() if ours == task), "")
    entries = _asked("/api/models", **query, **({"pipeline_tag": tag} if tag else {}))
    return [_found(e) for e in (entries if isinstance(entries, list) else ()) if isinstance(e, dict) and _repo(e)]


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
    names = [str(entry.get("rfilename", "")) for entry in info["siblings"] if isinstance(entry, dict)]
    sizes = {str(e.get("rfilename", "")): int(e.get("size") or 0) for e in info["siblings"] if isinstance(e, dict)}
    task, family = TASKS[str(info["pipeline_tag"])]
    files = [name for name in names if _wanted(name, family)]
    size = sum(sizes[name] for name in files)
    if not any(name.endswith(".safetensors") for name in files):
        raise BadRequest(Phrase("{repo} has no weights of a kind that is safe to load.", repo=repo), "Choose another.")
    id = re.sub(r"[^a-z0-9]+", "-", repo.rpartition("/")[2].lower()).strip("-")
    while id in catalogue() and catalogue()[id].repo != repo:
        id = f"{id}-own"
    if id in catalogue():
        raise BadRequest(Phrase("{repo} is in the catalogue already, as '{id}'.", repo=repo, id=id), "")
    entry = {
        "id": id, "task": task, "family": family, "title": repo.rpartition("/")[2], "repo": repo,
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


def _wanted(name: str, family: str) -> bool:
    """Weights and settings: of the whole for transformers, of each part for diffusers; not in 16 bits too."""
    if not name.endswith((".safetensors", ".json", ".txt", ".jinja")) or ".fp16." in name:
        return False
    part, slash, _ = name.rpartition("/")
    if family.startswith("diffusers"):
        return name == "model_index.json" or part in _PARTS
    return not slash


def _asked(path: str, **query: str | int) -> Any:
    if settings.now().offline:
        raise DownloadFailed("The program is set to stay offline.", "Switch that off on the page of models.")
    with hub.told(path.removeprefix("/api/models").strip("/") or "search", hub.endpoint()):
        return transfer.listing(f"{hub.endpoint()}{path}", "", **query)


def _repo(entry: dict[str, Any]) -> str:
    repo = str(entry.get("id") or entry.get("modelId") or "")
    return repo if _REPO.fullmatch(repo) else ""


def _found(entry: dict[str, Any]) -> HubModel:
    tags = [str(tag) for tag in entry.get("tags") or () if isinstance(tag, str)]
    tag = str(entry.get("pipeline_tag") or "")
    names = [str(e.get("rfilename", "")) for e in entry.get("siblings") or () if isinstance(e, dict)]
    sizes = [e.get("size") for e in entry.get("siblings") or () if isinstance(e, dict)]
    licence = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
    why = ""
    if entry.get("gated") and not hub.token():
        why = Phrase("it is only given to those who sign in.")
    elif tag not in TASKS:
        why = Phrase("no tool here runs models of its kind ({kind}).", kind=tag or "?")
    elif not any(name.endswith(".safetensors") for name in names):
        why = Phrase("it has no weights of a kind that is safe to load.")
    downloads = entry.get("downloads")
    return HubModel(_repo(entry), TASKS.get(tag, (tag, ""))[0], licence, sum(s for s in sizes if isinstance(s, int)),
                 downloads if isinstance(downloads, int) else 0, why)  # fmt: skip
