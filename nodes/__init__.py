"""Finds the tools: imports each public file below this package and collects what it declares."""

from __future__ import annotations

import importlib
import pkgutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from nodes.api import Tool

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
    tools: dict[str, Tool] = {}
    failures: dict[str, str] = {}
    for name in _files():
        try:
            found = _tool_of(name)
        except Exception as error:  # an edge: any fault of one file must not stop the others
            failures[name] = f"{type(error).__name__}: {error}"
            continue
        if found.id in tools:
            failures[name] = f"the id '{found.id}' is taken by another file"
            continue
        tools[found.id] = found
    return Toolbox(MappingProxyType(tools), MappingProxyType(failures))


class LazyTools(Mapping[str, Tool]):
    """The tools of `load_tools`, which are looked for when the first is asked for. Safe to use from threads."""

    def __init__(self) -> None:
        self._found: Mapping[str, Tool] | None = None

    def load(self) -> Mapping[str, Tool]:
        """All of them; takes a quarter of a second the first time."""
        if self._found is None:
            self._found = load_tools().tools
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
        package = importlib.import_module(f"nodes.{domain}")
        names += [f"nodes.{domain}.{m.name}" for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_"]
    return sorted(names)


def _tool_of(name: str) -> Tool:
    module = importlib.import_module(name)
    declared = (getattr(value, "tool", None) for value in vars(module).values() if callable(value))
    found = [tool for tool in declared if isinstance(tool, Tool) and tool.backends[0].run.__module__ == name]
    if len(found) != 1:
        raise ImportError(f"{name} declares {len(found)} tools; a tool is one file")
    return found[0]
