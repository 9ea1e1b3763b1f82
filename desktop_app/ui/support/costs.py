"""What it costs to do something, in words, before it is done; and what a language model has cost. Knows no widgets."""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent, money
from desktop_app.models import downloads, selection, store
from desktop_app.models.downloads import Download
from desktop_app.run.backends import availability
from desktop_app.run.backends.selection import machine
from desktop_app.session.session import Alternative
from desktop_app.ui.support import formatting
from nodes.api import Backend, Tool

Unmet = Callable[[Backend], str]


def of_alternative(alternative: Alternative) -> str:
    """`4 steps · nothing to download · about 20 s`."""
    parts = [steps_of(alternative.workflow)]
    if alternative.download_bytes:
        parts.append(formatting.translate("downloads {size}").format(size=formatting.size(alternative.download_bytes)))
    else:
        parts.append(formatting.translate("nothing to download"))
    if alternative.memory_bytes:
        parts.append(formatting.translate("{size} memory").format(size=formatting.size(alternative.memory_bytes)))
    parts.append(time_of(alternative))
    return " · ".join(parts)


def steps_of(workflow: Workflow) -> str:
    count = len(workflow.nodes)
    return formatting.translate("1 step") if count == 1 else formatting.translate("{n} steps").format(n=count)


def time_of(alternative: Alternative) -> str:
    """`about 20 s`, by earlier runs; `roughly 3 min`, by the size of a model that never ran here."""
    if alternative.seconds is None:
        return formatting.translate("time not known yet")
    said = formatting.translate("roughly {time}") if alternative.rough else formatting.translate("about {time}")
    return said.format(time=formatting.duration(alternative.seconds))


def of_backend(backend: Backend, seconds: float | None) -> str:
    """`Built-in · no download · CPU · 200 MB memory · about 0.8 s`; `seconds` from earlier runs, None when unknown."""
    parts = [facts_of(backend)]
    if backend.memory_bytes:
        parts.append(formatting.translate("{size} memory").format(size=formatting.size(backend.memory_bytes)))
    if seconds is not None:
        parts.append(formatting.translate("about {time}").format(time=formatting.duration(seconds)))
    return " · ".join(parts)


def facts_of(backend: Backend) -> str:
    """`Model · downloads 196 MB · GPU`; `on disk` in place of the size once the model is there."""
    kinds = {
        "built-in": formatting.translate("Built-in"),
        "model": formatting.translate("Model"),
        "endpoint": formatting.translate("Hosted endpoint"),
    }
    load = selection.fetch_bytes(backend)
    ready = (
        formatting.translate("on disk")
        if backend.download_bytes or backend.model
        else formatting.translate("no download")
    )
    return " · ".join(
        (
            kinds.get(backend.kind, backend.kind),
            formatting.translate("downloads {size}").format(size=formatting.size(load)) if load else ready,
            place_of(backend),
        )
    )


def place_of(backend: Backend) -> str:
    """Where it would run here: what wants a GPU runs on the CPU where there is none, or none that holds it."""
    if backend.device == "network":
        return formatting.translate("network")
    return "GPU" if selection.on_gpu(backend, backend.memory_bytes, machine()) else "CPU"


def unmet(backend: Backend) -> str:
    """What is missing for the back end to run, and cannot be fetched from here, as words; "" when nothing is."""
    missing = availability.missing(backend)
    if not missing or availability.wants_runtime(backend):
        return ""
    if availability.asks_model(backend):
        return formatting.translate("needs a language model")
    if availability.service_of(backend):
        return formatting.translate("needs a service on a server")
    return formatting.translate("needs {names}").format(names=", ".join(n.removeprefix("python:") for n in missing))


@store.one_look()
def lack_of(tool: Tool, lack: Unmet = unmet) -> str:
    """What has to be fetched before the tool can run here, in words; "" when one of its back ends needs nothing."""
    works = [backend for backend in tool.backends if not lack(backend)]
    sizes = [selection.fetch_bytes(backend) for backend in works]
    if not works:
        return next((lack(backend) for backend in tool.backends), "")
    least = min(sizes)
    return formatting.translate("model: {size} to fetch").format(size=formatting.size(least)) if least else ""


def of_model(spent: Spent) -> str:
    """`3,120 tokens · $0.0034`; `free` for a model on this computer, no money where the price is not known."""
    said = formatting.translate("{n} tokens").format(n=f"{spent.total:,}")
    if spent.dollars is None:
        return said
    return f"{said} · {money(spent.dollars) if spent.dollars else formatting.translate('free')}"


def split_of_model(spent: Spent) -> str:
    """`3,000 tokens of prompts, 120 of replies, $0.0034. Some of them are estimated.`"""
    text = formatting.translate("{sent} tokens of prompts, {received} of replies")
    said = text.format(sent=f"{spent.sent:,}", received=f"{spent.received:,}")
    said += f", {money(spent.dollars)}" if spent.dollars else ""
    return f"{said}. {formatting.translate('Some of them are estimated.')}" if spent.guessed else f"{said}."


def download_words(download: Download, short: bool = False) -> str:
    """`12 of 26 MB · 3.1 MB/s · 5 s left`; `short`, without the speed."""
    done, total = formatting.size(download.done_bytes), formatting.size(download.total_bytes)
    amount = formatting.translate("{done} of {size}").format(done=done, size=total)
    if download.state == downloads.PAUSED:
        return formatting.translate("Paused · {amount}").format(amount=amount)
    if download.state == downloads.FAILED:
        return formatting.translate("Failed")
    if download.state != downloads.FETCHING:
        return {
            downloads.WAITING: formatting.translate("Waiting for its turn"),
            downloads.LOOKING: formatting.translate("Looking what is needed"),
            downloads.INSTALLING: formatting.translate("Installing"),
        }.get(download.state, formatting.translate("On disk"))
    if short:
        return amount
    speed = formatting.translate("{size}/s").format(size=formatting.size(int(download.speed))) if download.speed else ""
    seconds = download.seconds_left
    left = formatting.translate("{time} left").format(time=formatting.duration(seconds)) if seconds is not None else ""
    return " · ".join(part for part in (amount, speed, left) if part)
