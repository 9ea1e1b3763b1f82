"""Whether what a back end needs is on this machine. Used by the scheduler and by the doctor."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from functools import cache

from desktop_app.core.settings import ENDPOINTS
from desktop_app.models import runtime
from nodes.api import Backend
from nodes.phrase import Phrase, joined

_PACKAGE = "python:"
_SERVICE = "service:"
FIRST, AFTER, NEVER = "first", "after local", "never"


CHAT = "chat"
"""The service of the language model; the others are those of settings.ENDPOINTS."""


@dataclass(frozen=True)
class Connected:
    """A model on a server that back ends may ask: its `name`, the `place` that it is at ("" on this computer), whether
    it `sees` pictures, and whether it is asked FIRST, AFTER what runs here, or NEVER unless a node says so.
    """

    name: str
    place: str = ""
    sees: bool = True
    use: str = AFTER


_connected: dict[str, Connected] = {}


def connect(model: Connected | None, service: str = CHAT) -> None:
    """From now on back ends may ask this one for what the service does; None for none."""
    _connected.pop(service, None)
    if model is not None:
        _connected[service] = model


def asks_model(backend: Backend) -> bool:
    return service_of(backend) == CHAT


def service_of(backend: Backend) -> str:
    """The service of the program that the back end asks: CHAT, or one of settings.ENDPOINTS; "" for none of these."""
    asked = (name.removeprefix(_SERVICE) for name in backend.requires if name.startswith(_SERVICE))
    return next((name for name in asked if name == CHAT or name in ENDPOINTS), "")


def connected(service: str = CHAT) -> Connected | None:
    """The language model that back ends may ask, or what does the work of another service."""
    return _connected.get(service)


def asked(backend: Backend) -> Connected | None:
    """Whom the back end would ask; None where nobody is connected for it, or it asks nobody."""
    return _connected.get(service_of(backend))


def missing(backend: Backend) -> tuple[str, ...]:
    """What the back end requires and this machine has not, as written in `Backend.requires`."""
    return tuple(name for name in backend.requires if not _there(name))


def available(backend: Backend) -> bool:
    """True when nothing is missing. Whether its model is on disk is another question."""
    return not missing(backend)


def obtainable(backend: Backend) -> bool:
    """True when nothing is missing that could not be fetched from here."""
    return available(backend) or wants_runtime(backend)


def fix(backend: Backend) -> str:
    """What to do about what is missing, as sentences; "" when nothing is."""
    return joined(*map(_fix, missing(backend)))


def look_again() -> None:
    """Forgets what was found: something may have been installed meanwhile."""
    importlib.invalidate_caches()
    _present.cache_clear()


def _there(name: str) -> bool:
    if not name.startswith(_SERVICE):
        return _present(name)
    service = name.removeprefix(_SERVICE)
    if service == "mcp":
        return importlib.util.find_spec("mcp") is not None
    model = _connected.get(CHAT if service == "vision" else service)
    return model is not None and (service != "vision" or model.sees)


@cache
def _present(name: str) -> bool:
    if not name.startswith(_PACKAGE):
        return shutil.which(name) is not None
    return runtime.has(name.removeprefix(_PACKAGE))


def wants_runtime(backend: Backend) -> bool:
    """True when all that is missing for the back end comes with the model runtime."""
    absent = missing(backend)
    return bool(absent) and all(n.startswith(_PACKAGE) and runtime.supplies(n.removeprefix(_PACKAGE)) for n in absent)


def _fix(name: str) -> str:
    if name.startswith(_PACKAGE):
        return Phrase("Install the Python package '{removeprefix}'.", removeprefix=name.removeprefix(_PACKAGE))
    if name == "service:mcp":
        return Phrase("Install the Python package '{removeprefix}'.", removeprefix="mcp")
    if name.removeprefix(_SERVICE) in ENDPOINTS:
        return Phrase("Name a service for it in the settings.")
    if name == "service:vision" and CHAT in _connected:
        return Phrase("Choose a language model that sees pictures in the settings.")
    if name.startswith(_SERVICE):
        return Phrase("Choose a language model in the settings.")
    return Phrase("Install the program '{name}' and see that it is on the PATH.", name=name)
