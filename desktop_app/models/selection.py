"""Which back end of a tool to take on this machine. Knows the catalogue and the disk, not how anything is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from desktop_app.core.values import size_of
from desktop_app.models import store
from desktop_app.models.catalogue import Model, catalogue, models_of
from nodes._support.language import languages
from nodes._support.models.placement import GPU_BYTES, STAGED
from nodes.api import Backend, Tool
from nodes.phrase import Phrase

ON_DISK = "{where}, on disk"

PREFERENCES = ("fast", "balanced", "best")
"""What may stand for a back end on a node: the least demanding that is ready, the best that is ready (what no choice
means too), or the best that fits this machine, fetched if need be.
"""
_ROUGH = 0.25
"""Of less quality are last resorts."""


@dataclass(frozen=True)
class Facts:
    """What this machine has: bytes of free memory, free memory of the largest GPU (0 without one).

    `works` tells whether what a back end requires (programs, packages) is installed or can be fetched, `installed`
    whether it is installed.
    """

    memory_bytes: int
    gpu_bytes: int = 0
    works: Callable[[Backend], bool] = lambda backend: True
    installed: Callable[[Backend], bool] = lambda backend: True


class Ranked(NamedTuple):
    """A back end, whether it can run here as things stand (but for a download), and why it stands where it does."""

    backend: Backend
    fits: bool
    reason: str


def facts(works: Callable[[Backend], bool], gpu_bytes: int = 0) -> Facts:
    import psutil

    return Facts(psutil.virtual_memory().available, gpu_bytes, works)


def language_asked(tool: Tool, values: Mapping[str, Any] | None) -> str:
    """The code of the language into which a node with these values translates, where a model of the tool knows only
    some; else "".
    """
    said = (values or {}).get("language")
    if not isinstance(said, str) or not any(backend.family == languages.PAIRS for backend in tool.backends):
        return ""
    return languages.code_of(said) or ""


def serves(backend: Backend, language: str) -> bool:
    """False for a model of a pair of languages that does not lead into that one ("" for any)."""
    model = catalogue().get(backend.model) if language and backend.family == languages.PAIRS else None
    return model is None or language in model.languages[1:]


@store.one_look()
def rank(tool: Tool, facts: Facts, preference: str = "balanced", language: str = "") -> list[Ranked]:
    """The tool's back ends, best first: what can run before what cannot, what runs here before what a server does, what
    is on disk before what must be fetched, then by quality, popularity and the tool's own order. What does not serve
    for the `language` (`language_asked`) cannot run.

    Of `preference` "fast", what takes least memory comes before what takes more, unless it is rough; of "best", quality
    goes before what is on disk.
    """
    models = catalogue()

    def order(ranked: tuple[int, Ranked]) -> tuple[bool, bool, bool, float, float, int, int]:
        place, (backend, fits, _) = ranked
        model = models.get(backend.model)
        rough = quality(backend) < _ROUGH
        small = float("inf") if rough else float(backend.memory_bytes) if preference == "fast" else 0.0
        away = preference != "best" and not (on_disk(backend) and facts.installed(backend))
        return (
            not fits,
            backend.kind == "endpoint",
            away,
            small,
            -quality(backend),
            -(model.downloads if model else 0),
            place,
        )

    judged = [
        _judged(backend, models.get(backend.model), facts)
        if serves(backend, language)
        else Ranked(backend, False, Phrase("it does not translate into this language"))
        for backend in tool.backends
    ]
    return [ranked for _, ranked in sorted(enumerate(judged), key=order)]


def on_gpu(backend: Backend, memory_bytes: int, facts: Facts) -> bool:
    """Whether the back end, which takes so much in 32 bits, runs on the GPU: in 16 bits, all of it at once, or part by
    part where its kind can do that and the machine's memory holds what waits.
    """
    if backend.device != "gpu":
        return False
    staged = backend.family.startswith(STAGED) and facts.gpu_bytes >= GPU_BYTES
    return facts.gpu_bytes >= max(1, memory_bytes // 2) or (staged and facts.memory_bytes >= memory_bytes // 2)


def on_disk(backend: Backend) -> bool:
    """True when nothing has to be fetched first."""
    found = needed(backend)
    return found is not None and all(store.present(model) for model in found)


def works_now(facts: Facts) -> Callable[[Backend], bool]:
    """Tells of a back end whether it is built in, or has a model that can run at once on a machine with these facts."""

    def works(backend: Backend) -> bool:
        ready = backend.kind == "model" and bool(backend.model) and facts.installed(backend) and on_disk(backend)
        return backend.kind == "built-in" or ready

    return works


def fetch_bytes(backend: Backend) -> int:
    """What has to be downloaded before the back end can run; 0 when its models are on disk."""
    found = needed(backend)
    return store.missing_bytes(*found) if found else backend.download_bytes


def needed(backend: Backend) -> tuple[Model, ...] | None:
    """All models that it runs with, its own last; () without one; None when the catalogue does not know one of them."""
    try:
        return models_of(backend)
    except KeyError:
        return None


def quality(backend: Backend) -> float:
    """0..1; the catalogue's word on a model counts more than the tool's."""
    model = catalogue().get(backend.model)
    return model.quality if model else backend.quality


def _judged(backend: Backend, model: Model | None, facts: Facts) -> Ranked:
    if not facts.works(backend):
        return Ranked(backend, False, "what it requires is not installed")
    if backend.kind == "model" and not backend.model and backend.family:
        return Ranked(
            backend, False, Phrase("the catalogue has no model of its family, {family}", family=backend.family)
        )
    if backend.model and model is None:
        return Ranked(backend, False, Phrase("its model '{model}' is not in the catalogue", model=backend.model))
    needed = model.memory_bytes if model else backend.memory_bytes
    gpu = on_gpu(backend, needed, facts)
    needed = needed // 2 if backend.family.startswith(STAGED) else needed  # where there is little, in 16 bits
    if not gpu and needed > facts.memory_bytes:
        return Ranked(
            backend,
            False,
            Phrase(
                "it takes {needed} GB of memory, {free} are free",
                needed=f"{needed / 1e9:.1f}",
                free=f"{facts.memory_bytes / 1e9:.1f}",
            ),
        )
    where = Phrase("runs on the GPU" if gpu else "works at once" if not backend.model else "runs on the CPU")
    if model and not facts.installed(backend):
        return Ranked(backend, True, Phrase("{where} once the model runtime is here", where=where))
    if model and not on_disk(backend):
        size = size_of(fetch_bytes(backend))
        return Ranked(backend, True, Phrase("{where} after a download of {size}", where=where, size=size))
    return Ranked(backend, True, Phrase(ON_DISK, where=where) if model else where)
