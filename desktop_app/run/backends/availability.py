"""Whether what a back end needs is on this machine. Used by the scheduler and by the doctor."""

from __future__ import annotations

import importlib
import shutil
from functools import cache

from desktop_app.models import runtime
from nodes.api import Backend
from nodes.phrase import Phrase, joined

_PACKAGE = "python:"


def missing(backend: Backend) -> tuple[str, ...]:
    """What the back end requires and this machine has not, as written in `Backend.requires`."""
    return tuple(name for name in backend.requires if not _present(name))


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
    return Phrase("Install the program '{name}' and see that it is on the PATH.", name=name)
