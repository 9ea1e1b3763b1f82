"""What has to be fetched before something can run, and what that costs. Knows back ends, not how they are chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_app.core.values import size_of
from desktop_app.models import runtime, selection, store
from desktop_app.models.catalogue import Model, with_needs
from nodes.api import Backend
from nodes.phrase import Phrase, listed


@dataclass(frozen=True)
class ModelOffer:
    """`models` are those that are wanted for themselves; what these need comes along. Falsy when it is empty."""

    models: tuple[Model, ...] = ()
    runtime: bool = False

    def __bool__(self) -> bool:
        return self.runtime or bool(self.models)

    @property
    def ids(self) -> tuple[str, ...]:
        """In the order in which to fetch: the small thing that may fail comes after the large one that always works."""
        return ((runtime.ID,) if self.runtime else ()) + tuple(model.id for model in self.models)

    @property
    def size_bytes(self) -> int:
        """All of it, without what is here already; of the runtime about."""
        return store.missing_bytes(*self.models) + (runtime.size_bytes() if self.runtime else 0)

    @property
    def names(self) -> str:
        """`YOLOS tiny (26 MB) and the model runtime (about 250 MB)`."""
        named = [_named(model) for model in self.models]
        if self.runtime:
            said = Phrase("{name} ({size})" if runtime.known_bytes() else "{name} (about {size})",
                          name=runtime.TITLE, size=size_of(runtime.size_bytes()))  # fmt: skip
            named.append(said)
        if len(named) < 2:
            return listed(named)
        return Phrase("{names} and {last}", names=listed(named[:-1]), last=named[-1])


def _named(model: Model) -> Phrase:
    if store.cached(model):
        return Phrase("{name} (in your Hugging Face cache)", name=model.title)
    return Phrase("{name} ({size})", name=model.title, size=size_of(store.missing_bytes(model)))


def of(*backends: Backend, wants_runtime: bool = False) -> ModelOffer:
    """What the back ends have to have first; `wants_runtime` when one of them lacks that."""
    wanted: dict[str, Model] = {}
    for backend in backends:
        for model in selection.needed(backend) or ():
            if not store.present(model):
                wanted[model.id] = model
    inner = {each.id for model in wanted.values() for each in with_needs(model)[:-1]}
    return ModelOffer(tuple(model for id, model in wanted.items() if id not in inner), wants_runtime)


def both(offers: Iterable[ModelOffer]) -> ModelOffer:
    every = list(offers)
    models = {model.id: model for offer in every for model in offer.models}
    return ModelOffer(tuple(models.values()), any(offer.runtime for offer in every))
