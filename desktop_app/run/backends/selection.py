"""Which back end a node runs on: the one the user chose, else the best that works here as things are.

Made anew for each run, as programs and models may have come meanwhile; what it found holds for the whole run.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psutil

from desktop_app.models import offers, selection, store
from desktop_app.models.catalogue import catalogue
from desktop_app.models.offers import ModelOffer
from desktop_app.run.backends import availability
from desktop_app.run.backends.gpus import largest_bytes
from nodes._support.language import languages
from nodes.api import Backend, Tool
from nodes.phrase import Phrase, joined, listed

Values = Mapping[str, Any] | None
"""Those of a node: which model serves may depend on them (the pair of languages of a translation)."""
_FRESH_SECONDS = 2.0  # chosen: what is installed is not looked up again for each card
_shown: dict[tuple[Tool, str | None, str], tuple[Backend, float]] = {}
_lacking: dict[tuple[Tool, str | None, str], tuple[ModelOffer, float]] = {}


@dataclass(frozen=True)
class Fault:
    """Why a node cannot run, or did not. `port` is the input at fault, or "".

    `other` is the id of a back end of the same tool that could do it, `model` what has to be fetched first for it, by
    its id.
    """

    message: str
    port: str = ""
    fix: str = ""
    cause: str = ""
    other: str = ""
    model: str = ""


@dataclass(frozen=True)
class SelectedBackend:
    """A back end that can run here. `models` are its models as (id, revision), `folder` that of the first, or "".

    `notice` says why it is not the one that the tool would rather use, or "".
    """

    backend: Backend
    notice: str = ""
    folder: str = ""
    models: tuple[tuple[str, str], ...] = ()


class Backends:
    def __init__(self) -> None:
        self._choices: dict[tuple[str, str | None, str], SelectedBackend | Fault] = {}
        self._ranks: dict[tuple[str, str, str], list[selection.Ranked]] = {}

    @store.one_look()
    def choose(self, tool: Tool, id: str | None, values: Values = None) -> SelectedBackend | Fault:
        """The back end of that id; without id the best that is ready for a node with these values, or why there is
        none."""
        language = selection.language_asked(tool, values)
        known = self._choices.get((tool.id, id, language))
        if known is None:
            known = self._chosen(tool, id, language) if id is not None else self._best(tool, language=language)
            self._choices[tool.id, id, language] = known
        return known

    @store.one_look()
    def offer(self, tool: Tool, id: str | None, values: Values = None) -> ModelOffer:
        """What a node with this choice would have to have fetched first; falsy when it can run, or that is no help."""
        if isinstance(self.choose(tool, id, values), SelectedBackend):
            return ModelOffer()
        backend = self.wanted(tool, id, values)
        return _offer(backend) if backend is not None else ModelOffer()

    @store.one_look()
    def wanted(self, tool: Tool, id: str | None, values: Values = None) -> Backend | None:
        """The back end that a node with this choice runs on once everything has been fetched, None when none could.

        Without a choice that is the one that the catalogue names first, which is small; a translation out of English
        into the language of the node goes before a chat model, and is a part of the way from any other language.
        """
        if id is not None and id not in selection.PREFERENCES:
            chosen = tool.backend(id)
            return chosen if chosen is not None and _fetchable(chosen) else None
        return self._fetched(tool, id or "balanced", selection.language_asked(tool, values))

    def _fetched(self, tool: Tool, preference: str, language: str) -> Backend | None:
        ranked = self._ranked(tool, preference, language)
        ranked = [one for one in ranked if _fetchable(one.backend) and selection.serves(one.backend, language)]
        fitting = [one.backend for one in ranked if one.fits] or [one.backend for one in ranked]
        if preference == "balanced":
            apt = [b for b in fitting if b.family == languages.PAIRS and language not in ("", "en")]
            return next((backend for backend in [*apt, *tool.backends] if backend in fitting), None)
        return fitting[0] if fitting else None

    @store.one_look()
    def others(self, tool: Tool, than: Backend) -> list[Backend]:
        """The tool's other back ends that are ready, the best first; those that send data away last."""
        if len(tool.backends) == 1:
            return []
        ready = [one.backend for one in self._ranked(tool) if one.backend.id != than.id and _ready(one.backend)]
        return sorted(ready, key=lambda backend: backend.kind == "endpoint")

    def with_others(self, fault: Fault, tool: Tool, than: Backend) -> Fault:
        """The fault with what else could be tried, in words and as an id."""
        others = self.others(tool, than)
        if not others:
            return fault
        hint = Phrase("Or choose another back end: {names}.", names=listed(Phrase(b.title, "backends") for b in others))
        return Fault(
            fault.message, fault.port, joined(fault.fix, hint), fault.cause, others[0].id, fault.model
        )  # fmt: skip

    def _chosen(self, tool: Tool, id: str, language: str) -> SelectedBackend | Fault:
        if id in selection.PREFERENCES:
            return self._best(tool, id, language)
        backend = tool.backend(id)
        if backend is None:
            ids = ", ".join(b.id for b in tool.backends)
            return Fault(
                Phrase("{tool} has no back end '{id}'.", tool=Phrase(tool.title, "tools"), id=id),
                "",
                Phrase("It has: {ids}.", ids=ids),
            )
        fault = _fault(tool, backend)
        return self.with_others(fault, tool, backend) if fault else _choice(backend)

    def _best(self, tool: Tool, preference: str = "balanced", language: str = "") -> SelectedBackend | Fault:
        """One that asks a connected model only as the settings say, as a rule where nothing else can."""
        first = tool.backends[0]
        if len(tool.backends) == 1:
            return _fault(tool, first) or _choice(first)
        away = [(b, model) for b in tool.backends if (model := availability.asked(b)) and _ready(b)]
        if away and away[0][1].use == availability.FIRST:
            return _choice(away[0][0])
        backends = (one.backend for one in self._ranked(tool, preference, language))
        ranked = [b for b in backends if b.kind != "endpoint" or b is first]
        if preference == "best":
            fault = _fault(tool, ranked[0])
            return self.with_others(fault, tool, ranked[0]) if fault else _choice(ranked[0])
        ready = [b for b in ranked if _ready(b) and selection.serves(b, language)]
        if first in ready and first.kind == "endpoint":
            ready.sort(key=lambda b: b.kind == "built-in")  # what is declared after it only stands in for it
        if ready:
            fault = _fault(tool, first)
            instead = Phrase("{backend} is used instead.", backend=Phrase(ready[0].title, "backends"))
            return _choice(ready[0], joined(fault.message, instead) if fault and not ready[0].exact else "")
        if away and away[0][1].use == availability.AFTER:
            return _choice(away[0][0])
        wanted = self._fetched(tool, preference, language) or first
        fault = _fault(tool, wanted)
        assert fault is not None  # else it were ready
        return self.with_others(fault, tool, wanted)

    def _ranked(self, tool: Tool, preference: str = "balanced", language: str = "") -> list[selection.Ranked]:
        known = tool.id, preference, language
        if known not in self._ranks:
            self._ranks[known] = selection.rank(tool, machine(), preference, language)
        return self._ranks[known]


def shown(tool: Tool, id: str | None, values: Values = None) -> Backend:
    """The back end on which a node with this choice and these values would run now; the first where none can.

    Cheap enough to be asked for each card of a graph: what was found out holds for two seconds.
    """
    return _now(tool, id, values)


def _now(tool: Tool, id: str | None, values: Values) -> Backend:
    chosen = id is not None and id not in selection.PREFERENCES
    if chosen or len(tool.backends) == 1:
        return tool.backend(id if chosen else None) or tool.backends[0]
    now = time.monotonic()
    language = selection.language_asked(tool, values)
    found, when = _shown.get((tool, id, language), (tool.backends[0], -_FRESH_SECONDS))
    if now - when >= _FRESH_SECONDS:
        choice = Backends().choose(tool, id, values)
        found = choice.backend if isinstance(choice, SelectedBackend) else tool.backends[0]
        _shown[tool, id, language] = found, now
    return found


def lacking(tool: Tool, id: str | None, values: Values = None) -> ModelOffer:
    """What a node with this choice and these values would have to have fetched first. As cheap as `shown`."""
    now = time.monotonic()
    language = selection.language_asked(tool, values)
    found, when = _lacking.get((tool, id, language), (ModelOffer(), -_FRESH_SECONDS))
    if now - when >= _FRESH_SECONDS:
        models = any(backend.kind == "model" for backend in tool.backends)
        found = Backends().offer(tool, id, values) if models else ModelOffer()
        _lacking[tool, id, language] = found, now
    return found


def recipe(tool: Tool, id: str | None, values: Values = None) -> tuple[Any, ...]:
    """What of the back end of a node with this choice, as it is now, its result depends on: as in keys.key_of.

    As cheap as `shown`.
    """
    known = id is None or id in selection.PREFERENCES or tool.backend(id) is not None
    backend = _now(tool, id, values) if tool.backends and known else None
    return (id,) if backend is None else (backend.id, _models(backend) or backend.model)


def look_again() -> None:
    """Finds anew what `shown` tells: a run begins."""
    _shown.clear()
    _lacking.clear()


@functools.cache
def machine() -> selection.Facts:
    """By all memory, not by what is free now: else the same workflow would take another back end each time."""
    total, gpu = psutil.virtual_memory().total, largest_bytes()
    return selection.Facts(total, gpu, availability.obtainable, availability.available)


def _ready(backend: Backend) -> bool:
    return availability.available(backend) and (backend.kind != "model" or _present(backend))


def _present(backend: Backend) -> bool:
    return bool(backend.model) and selection.on_disk(backend)


def _choice(backend: Backend, notice: str = "") -> SelectedBackend:
    model = catalogue().get(backend.model) if backend.kind == "model" else None
    asked = availability.asked(backend)
    if asked is not None:
        sent = Phrase("{name} at {place} does this: the work leaves this computer.", name=asked.name, place=asked.place)
        return SelectedBackend(backend, joined(notice, sent) if asked.place else notice, "", _models(backend))
    if model is None:
        return SelectedBackend(backend, notice)
    return SelectedBackend(backend, notice, str(store.folder(model)), _models(backend))


def _models(backend: Backend) -> tuple[tuple[str, str], ...]:
    """The models of a back end as (id, revision), its own first; empty when it has none, or one is unknown."""
    asked = availability.asked(backend)
    if asked is not None:
        return ((asked.name, asked.place),)
    return tuple((each.id, store.revision(each)) for each in reversed(selection.needed(backend) or ()))


def _fetchable(backend: Backend) -> bool:
    return backend.kind == "model" and availability.obtainable(backend) and bool(selection.needed(backend))


def _offer(backend: Backend) -> ModelOffer:
    return offers.of(backend, wants_runtime=availability.wants_runtime(backend))


def _fault(tool: Tool, backend: Backend) -> Fault | None:
    """Why the back end cannot run here, or None."""
    if availability.asks_model(backend) and not availability.available(backend):
        named = Phrase(tool.title, "tools")
        if availability.connected() is None:
            return Fault(Phrase("{tool} needs a language model, and none is connected.", tool=named), "",
                         availability.fix(backend))  # fmt: skip
        return Fault(Phrase("{tool} needs a language model that sees pictures.", tool=named), "",
                     "Choose another one in the settings.")  # fmt: skip
    if availability.service_of(backend) and not availability.available(backend):
        said = Phrase("{tool} needs a service on a server, and none is named for it.", tool=Phrase(tool.title, "tools"))
        return Fault(said, "", availability.fix(backend))
    if not availability.obtainable(backend):
        names = ", ".join(name.removeprefix("python:") for name in availability.missing(backend))
        said = Phrase(
            "{tool} cannot run with {backend}: {names} is not installed.",
            tool=Phrase(tool.title, "tools"),
            backend=Phrase(backend.title, "backends"),
            names=names,
        )
        return Fault(said, "", availability.fix(backend))
    if backend.kind != "model":
        return None
    if not selection.needed(backend):
        said = Phrase(
            "{tool} cannot run with {backend}: its model '{model}' is not in the catalogue.",
            tool=Phrase(tool.title, "tools"),
            backend=Phrase(backend.title, "backends"),
            model=backend.model,
        )
        return Fault(said, "", "Choose another back end, or update Graphwright.")
    offer = _offer(backend)
    if not offer:
        return None
    said = Phrase(
        "{tool} needs {what}, which has to be fetched first.", tool=Phrase(tool.title, "tools"), what=offer.names
    )  # fmt: skip
    fix = Phrase("Get it: graphwright models download {ids}.", ids=" ".join(offer.ids))
    return Fault(said, "", fix, model=offer.ids[-1])
