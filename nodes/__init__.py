"""Finds the tools: looks at each public file below this package, and collects what it declares."""

from __future__ import annotations

import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from nodes import declarations
from nodes.api import Tool
from nodes.catalogue import Model, with_models
from nodes.catalogue import catalogue as known_models

DOMAINS = ("image", "mask", "text", "audio", "video", "web")


@dataclass(frozen=True)
class Toolbox:
    """Every tool that loaded, by id, and for every file that did not, what went wrong."""

    tools: Mapping[str, Tool]
    failures: Mapping[str, str]


_loading = threading.Lock()


def load_tools() -> Toolbox:
    """All tools of this package, looked for once, whichever threads ask. A file that fails to import is reported, never
    the end of the program.

    Where the catalogue of models has changed since, their back ends do, in every mapping that was given out.
    """
    with _loading:
        toolbox, tools, plain, made_with = _load()
        if made_with[-1] is not known_models():
            made_with[:] = [known_models()]
            changed = ((id, with_models(tool)) for id, tool in plain.items())
            tools.update((id, tool) for id, tool in changed if tool != tools[id])
        return toolbox


@cache
def _load() -> tuple[Toolbox, dict[str, Tool], dict[str, Tool], list[Mapping[str, Model]]]:
    """The toolbox, its tools, the same as they are declared, and the catalogue from which they have their models. A
    file with anything wrong is reported; the others do not notice.
    """
    made_with = [known_models()]
    tools: dict[str, Tool] = {}
    plain: dict[str, Tool] = {}
    names = _files()
    keep = declarations.PACKAGE / "__pycache__" / f"declarations.{sys.implementation.cache_tag}.json"
    found, failures = declarations.declared(names, keep=keep)
    for name, tool in found.items():
        if tool.id in tools:
            failures[name] = f"the id '{tool.id}' is taken by another file"
        else:
            plain[tool.id], tools[tool.id] = tool, with_models(tool)
    return Toolbox(MappingProxyType(tools), MappingProxyType(failures)), tools, plain, made_with


class LazyTools(Mapping[str, Tool]):
    """Tools that are looked for when the first is asked for. Safe to use from threads."""

    def __init__(self, look: Callable[[], Mapping[str, Tool]]) -> None:
        """`look` gives them; it may be called on any thread, and on several at once."""
        self._found: Mapping[str, Tool] | None = None
        self._look = look

    def load(self) -> Mapping[str, Tool]:
        """The tools by id, looked for at the first call."""
        found = self._found
        if found is None:
            self._found = found = self._look()
        return found

    def look_again(self) -> None:
        """The next who asks finds what there is then."""
        self._found = None

    def __getitem__(self, id: str) -> Tool:
        return self.load()[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.load())

    def __len__(self) -> int:
        return len(self.load())


def _files() -> list[str]:
    names = []
    for domain in DOMAINS:
        folder = declarations.PACKAGE / domain
        names += [f"nodes.{domain}.{m.name}" for m in pkgutil.iter_modules([str(folder)]) if m.name[0] != "_"]
    return sorted(names)
