"""Lists of names in a text: "a cat, a dog and two cups" is three things."""

from __future__ import annotations

import re

from nodes.api import NodeError, Port, ResourceType

LABELS = Port(
    "labels", ResourceType.TEXT, "the labels to choose from, with commas between", said=True,
    question="Between which words should be decided?",
)  # fmt: skip
"""For tools that say how well each of some given names fits."""

_BETWEEN = re.compile(r"\s*(?:[,;\n|/]|\band\b|\bor\b|[，、；])\s*")
_LEADING = re.compile(r"^(?:the|all|every|each|any|some|a|an)\s+", re.IGNORECASE)


def things(text: str, port: str) -> tuple[str, ...]:
    """The names in a list, without articles, each once. Raises NodeError naming `port` when there is none."""
    found = dict.fromkeys(_LEADING.sub("", part.strip(" .!?\"'")) for part in _BETWEEN.split(text))
    names = tuple(name for name in found if any(map(str.isalnum, name)))
    if not names:
        raise NodeError("Nothing says what to look for.", port, "Name it, several things with commas between.")
    return names
