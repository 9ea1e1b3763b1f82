"""Amounts as people read them: bytes, seconds, file facts, the names of nodes. Must not know widgets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from time import struct_time

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from desktop_app.core.errors import BadWorkflow
from desktop_app.core.values import clock as clock_of
from desktop_app.core.values import duration as duration
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.storage.resources import Resource
from nodes.api import Tool
from nodes.phrase import Phrase

_MOST_TITLES = 3
_TIED = re.compile(r"(?<=\d) (?=(?:[kKMG]?B|h|min|s|ms|px|pixels|fps)\b|[%×°])|(?<=×) (?=\d)| (?=· )")


def translate(text: str) -> str:
    return QCoreApplication.translate("words", text)


def said(text: str) -> str:
    """A message of a part below the window, in the language of the window; what is not known there as it is."""
    return catalogue.translated(text)


def type_word(type: str) -> str:
    """A type of resources in the language of the window."""
    return catalogue.translated(Phrase(str(type), "types"))


def size(size_bytes: int) -> str:
    """`8.1 GB`, `196 MB`, `12 KB`; powers of ten, as disks are sold."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size_bytes >= factor * 0.9995:
            amount = size_bytes / factor
            return f"{amount:.1f} {unit}" if amount < 99.95 and unit == "GB" else f"{amount:.0f} {unit}"
    return f"{size_bytes} B"


def unbroken(text: str) -> str:
    """The text where no line ends between a number and its unit, within `600 × 400`, or before the dot of a list."""
    return _TIED.sub("\N{NO-BREAK SPACE}", text)


def pair(name: str, value: str) -> str:
    """What something is called and what it is, with the colon of the language: `Memory: 25 GB`."""
    return translate("{name}: {value}").format(name=name, value=value)


def date(day: struct_time) -> str:
    """`3 November 2026`."""
    return _locale().toString(QDate(day.tm_year, day.tm_mon, day.tm_mday), translate("d MMMM yyyy"))


def weekday(day: struct_time) -> str:
    """`Tuesday`."""
    return _locale().standaloneDayName(day.tm_wday + 1)


def _locale() -> QLocale:
    return QLocale(catalogue.language())


def clock(seconds: float) -> str:
    """A place in sound or film, the second that has begun: `0:07`, `12:30`, `1:02:05`."""
    return clock_of(int(seconds))


def facts_of(resource: Resource) -> str:
    """What is worth knowing of a resource in a few characters: `600 × 400`, `0:12`, `14 rows`, `40 files`."""
    facets = resource.facets
    if resource.files:
        return translate("{n} files").format(n=len(resource.files))
    if "width" in facets and "height" in facets:
        size_of = f"{facets['width']} × {facets['height']}"
        frames = facets.get("frames", 1)
        return translate("{size}, the first of {n} frames").format(size=size_of, n=frames) if frames > 1 else size_of
    if "seconds" in facets:
        return clock(float(facets["seconds"]))
    if "rows" in facets:
        return translate("{n} rows").format(n=facets["rows"])
    if "characters" in facets:
        return translate("{n} characters").format(n=facets["characters"])
    if "bytes" in facets:
        return size(int(facets["bytes"]))
    return ""


def caption_of(resource: Resource) -> str:
    """Name and facts: `coffee.jpg · 600 × 400`."""
    facts = facts_of(resource)
    return f"{resource.name} · {facts}" if facts else resource.name


def shorter(name: str, characters: int = 28) -> str:
    """A file's name cut in the middle, so that its ending stays."""
    if len(name) <= characters:
        return name
    tail = min(len(Path(name).suffix) + 4, characters // 2)
    return f"{name[: characters - tail - 1]}…{name[-tail:]}"


def title_of_node(id: str, workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> str:
    """The title of a node, also of one that is gone from the graph since the run."""
    ran = run.nodes.get(id)
    flow = workflow if workflow.find(id) is not None else ran.workflow if ran is not None else None
    return flow.title_of(id, tools) if flow is not None else translate("Removed step")


def title_of_graph(workflow: Workflow, tools: Mapping[str, Tool]) -> str:
    """What a graph that was changed by hand or by a follow-up does: `Cartoon → Blur`, of a long one the ends."""
    try:
        ids = workflow.order()
    except BadWorkflow:  # a circle, which is told where it can be mended
        ids = tuple(node.id for node in workflow.nodes)
    titles = [workflow.title_of(id, tools) for id in ids]
    return " → ".join(titles if len(titles) <= _MOST_TITLES else [titles[0], "…", titles[-1]])


def reason_of(title: str, reason: str, workflow: Workflow, tools: Mapping[str, Tool]) -> str:
    """Why one would go the way of that title; where the reason only says the title again, what its tool does."""
    if reason.rstrip(".。").casefold() != title.casefold():
        return reason
    known = (tools[node.tool] for node in reversed(workflow.nodes) if node.tool in tools)
    return next((tool.description for tool in known if tool.title == title), reason)


def port_label(name: str) -> str:
    """A port's name as a label: `soft_edge` becomes `Soft edge`."""
    spaced = catalogue.port(name).strip()
    return spaced[:1].upper() + spaced[1:]


def choice_label(choice: str) -> str:
    """A choice as a label; short ones such as `en` and those with capitals are codes and stay as they are."""
    if (other := catalogue.choice(choice)) != choice:
        return other
    return port_label(choice) if len(choice) > 3 and choice.islower() else choice


def state_of(node: NodeRun) -> str:
    """The state to show: `cached` for what was done without computing, `skipped` for what was cancelled."""
    if node.state == "done" and node.cached:
        return "cached"
    return {"queued": "waiting", "cancelled": "skipped"}.get(node.state, node.state)


def state_words(node: NodeRun) -> str:
    """The state of a node that does not run in words for the end of a row: `1.4 s`, `from cache`, `failed`."""
    if node.state == "done":
        took = translate("done before") if node.cached else duration(node.seconds)
        return f"{batch(node)} · {took}" if node.failed else took
    return {
        "running": translate("running"),
        "waiting": translate("waiting"),
        "queued": translate("queued"),
        "failed": translate("failed"),
        "skipped": translate("skipped"),
        "cancelled": translate("stopped"),
        "outdated": translate("out of date"),
    }.get(node.state, node.state)


def batch(node: NodeRun) -> str:
    """How many of its items a node that ran once for each of several has made: `19 of 20`; "" for one item."""
    if not node.items:
        return ""
    return translate("{n} of {total}").format(n=node.items - len(node.failed), total=node.items)


def first_sentence(text: str) -> str:
    """The first sentence, up to a colon, without its full stop."""
    head = text.strip().split("\n")[0]
    cuts = [cut for mark in (". ", ": ", "。", "：") if (cut := head.find(mark)) > 0]
    return head[: min(cuts)] if cuts else head.rstrip(".")
