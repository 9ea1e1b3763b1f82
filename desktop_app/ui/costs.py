"""What it costs to do something, in words, before it is done. Must not know widgets."""

from __future__ import annotations

from desktop_app.session import Alternative
from desktop_app.ui import words
from nodes.api import Backend


def of_alternative(alternative: Alternative) -> str:
    """`4 steps · nothing to download · about 20 s`."""
    count = len(alternative.workflow.nodes)
    parts = [words.translate("1 step") if count == 1 else words.translate("{n} steps").format(n=count)]
    if alternative.download_bytes:
        parts.append(words.translate("downloads {size}").format(size=words.size(alternative.download_bytes)))
    else:
        parts.append(words.translate("nothing to download"))
    if alternative.memory_bytes:
        parts.append(words.translate("{size} memory").format(size=words.size(alternative.memory_bytes)))
    if alternative.seconds is not None:
        parts.append(words.translate("about {time}").format(time=words.duration(alternative.seconds)))
    return " · ".join(parts)


def of_backend(backend: Backend, seconds: float | None) -> str:
    """`Built-in · no download · CPU · 200 MB memory · about 0.8 s`; `seconds` from earlier runs, None when unknown."""
    parts = [facts_of(backend)]
    if backend.memory_bytes:
        parts.append(words.translate("{size} memory").format(size=words.size(backend.memory_bytes)))
    if seconds is not None:
        parts.append(words.translate("about {time}").format(time=words.duration(seconds)))
    return " · ".join(parts)


def facts_of(backend: Backend) -> str:
    """`Model · downloads 196 MB · GPU`."""
    kinds = {
        "built-in": words.translate("Built-in"),
        "model": words.translate("Model"),
        "endpoint": words.translate("Hosted endpoint"),
    }
    load = words.size(backend.download_bytes) if backend.download_bytes else ""
    places = {"cpu": "CPU", "gpu": "GPU", "network": words.translate("network")}
    return " · ".join(
        (
            kinds.get(backend.kind, backend.kind),
            words.translate("downloads {size}").format(size=load) if load else words.translate("no download"),
            places.get(backend.device, backend.device),
        )
    )
