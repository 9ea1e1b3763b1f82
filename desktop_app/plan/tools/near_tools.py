"""The tools that do something like a wish which none of them does: by how like their examples are to it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.types import ToolSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEAR = 0.47
"""So like (cosine) is an example that is about the same: of 43 wishes that nothing here does, in three languages, 11
had one, 10 of these about the same thing; what is like it from 0.42 on is every second time about something else.
"""

_NAMED = re.compile(r"\w\.[a-z][a-z0-9]{1,4}\b")
_SPOKEN = {
    "image": ("image", "picture", "photo", "photograph", "snapshot", "illustration", "drawing"),
    "audio": ("audio", "sound", "recording", "soundtrack", "podcast"),
    "video": ("video", "movie", "film", "clip"),
    "text": ("text", "article", "essay", "document", "paragraph", "sentence"),
    "table": ("table", "spreadsheet", "csv"),
    "file": ("file", "pdf", "document"),
}
"""How a file of a kind is spoken of: two wishes are not alike because both are for "this picture"."""


class NearTools:
    """Immutable after construction; encodes the examples for a kind of file when it is first asked about."""

    def __init__(self, graph: ToolGraph) -> None:
        self._tools = graph.tools

    @cached_property
    def _examples(self) -> tuple[tuple[ToolSpec, str], ...]:
        """Those that name no file: they can be said here as they stand."""
        tools = self._tools.values()
        return tuple((tool, text) for tool in tools for text in tool.examples if not _NAMED.search(text))

    def near(self, wish: str, types: Collection[str], most: int) -> list[ToolSpec]:
        """The tools for what is there, files of these types or none, that do something like the wish; the likest first,
        each with its likest example as the first. [] where nothing is like it, or the encoder is not here.
        """
        if not sentence_encoder().is_ready():
            return []
        fitting = [(tool, text) for tool, text in self._examples if _takes(tool, types)]
        likeness = _likeness(wish, [text for _, text in fitting], _phrases(types))
        found: dict[str, ToolSpec] = {}
        for place in sorted(range(len(fitting)), key=lambda place: -likeness[place]):
            tool, text = fitting[place]
            if likeness[place] < NEAR or len(found) == most:
                break
            if tool.id not in found:
                others = tuple(one for one in tool.examples if one != text)
                found[tool.id] = replace(tool, examples=(text, *others))
        return list(found.values())


def _takes(tool: ToolSpec, types: Collection[str]) -> bool:
    """Whether it works on one of these, or without a file where there is none."""
    inputs = main_inputs(tool)
    if not types:
        return not any(port.required and port.type != "text" for port in inputs)
    return any(fits(type, port.type) for type in types for port in inputs)


def _phrases(types: Collection[str]) -> list[str]:
    words = [word for type in sorted(types) for word in _SPOKEN.get(type, (type,))]
    return [f"this {word}" for word in words] or ["this"]


def _likeness(wish: str, texts: Sequence[str], phrases: Sequence[str]) -> NDArray[np.float32]:
    """(texts,): the cosine of each with the wish, both without what the phrases span."""
    import numpy as np

    encode = sentence_encoder().encode
    basis, _ = np.linalg.qr(encode(phrases).T)

    def rest(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        left = vectors - (vectors @ basis) @ basis.T
        return left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-6)

    return rest(encode(texts)) @ rest(encode([wish]))[0]
