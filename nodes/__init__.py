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
from nodes.catalogue import with_models

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
    """
    with _loading:
        return _load()


@cache
def _load() -> Toolbox:
    """A file with anything wrong is reported; the others do not notice."""
    tools: dict[str, Tool] = {}
    names = _files()
    keep = declarations.PACKAGE / "__pycache__" / f"declarations.{sys.implementation.cache_tag}.json"
    found, failures = declarations.declared(names, keep=keep)
    for name, tool in found.items():
        if tool.id in tools:
            failures[name] = f"the id '{tool.id}' is taken by another file"
        else:
            tools[tool.id] = with_models(tool)
    return Toolbox(MappingProxyType(tools), MappingProxyType(failures))


class LazyTools(Mapping[str, Tool]):
    """The tools of `load_tools`, which are looked for when the first is asked for. Safe to use from threads."""

    def __init__(self, more: Callable[[], Mapping[str, Tool]] | None = None) -> None:
        """`more` gives tools that no file declares; those of files go before."""
        self._found: Mapping[str, Tool] | None = None
        self._more = more

    def load(self) -> Mapping[str, Tool]:
        """All of them; the first time after the files changed this takes a second."""
        if self._found is None:
            self._found = load_tools().tools
            if self._more is not None:
                self._found = {**self._more(), **self._found}
        return self._found

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
