"""Tools as the user reads of them: titles, descriptions, ports and back ends in the language in use.

Planning and running take tools as they are; nothing but words differs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from desktop_app.i18n import catalogue
from nodes.api import Backend, Port, Tool


class LocalizedTools(Mapping[str, Tool]):
    """The tools in the language that is in use when they are asked for."""

    def __init__(self, plain: Mapping[str, Tool]) -> None:
        self.plain = plain
        self._worded: dict[tuple[str, str], tuple[Tool, Tool]] = {}

    def __getitem__(self, id: str) -> Tool:
        tool = self.plain[id]
        language = catalogue.language()
        if language == "en":
            return tool
        found = self._worded.get((language, id))
        if found is None or found[0] is not tool:
            found = self._worded[language, id] = tool, worded(tool)
        return found[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)


def original(tools: Mapping[str, Tool]) -> Mapping[str, Tool]:
    return tools.plain if isinstance(tools, LocalizedTools) else tools


def worded(tool: Tool) -> Tool:
    """The tool in the language in use; it can be found by its English title and words too."""
    more = catalogue.find(tool.id, "words").split()
    return replace(
        tool,
        title=catalogue.find(tool.title, "tools") or tool.title,
        description=catalogue.find(tool.description, "descriptions") or tool.description,
        words=(*more, *tool.words, tool.title.lower()),
        inputs=tuple(_port(port) for port in tool.inputs),
        outputs=tuple(_port(port) for port in tool.outputs),
        backends=tuple(_backend(backend) for backend in tool.backends),
    )


def _port(port: Port) -> Port:
    return replace(port, doc=catalogue.find(port.doc, "docs") or port.doc)


def _backend(backend: Backend) -> Backend:
    return replace(backend, title=catalogue.find(backend.title, "backends") or backend.title)
