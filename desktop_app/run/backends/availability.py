"""Whether what a back end needs is on this machine. Used by the scheduler and by the doctor."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from functools import cache

from desktop_app.models import runtime
from nodes.api import Backend
from nodes.phrase import Phrase, joined

_PACKAGE = "python:"
_SERVICE = "service:"
FIRST, AFTER, NEVER = "first", "after local", "never"


@dataclass(frozen=True)
class Connected:
    """The language model that back ends may ask: its `name`, the `place` that it is at ("" on this computer), whether
    it `sees` pictures, and whether it is asked FIRST, AFTER what runs here, or NEVER unless a node says so.
    """

    name: str
    place: str = ""
    sees: bool = True
    use: str = AFTER


_connected: Connected | None = None


def connect(model: Connected | None) -> None:
    """From now on back ends may ask this one."""
    global _connected
    _connected = model


def asks_model(backend: Backend) -> bool:
    """True for a back end that asks the connected language model."""
    return "service:chat" in backend.requires


def connected() -> Connected | None:
    """The language model that back ends may ask."""
    return _connected


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
    return _connected is not None and (service == "chat" or (service == "vision" and _connected.sees))


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
    if name == "service:vision" and _connected is not None:
        return Phrase("Choose a language model that sees pictures in the settings.")
    if name.startswith(_SERVICE):
        return Phrase("Choose a language model in the settings.")
    return Phrase("Install the program '{name}' and see that it is on the PATH.", name=name)
