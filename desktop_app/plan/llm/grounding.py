"""What the user has said in this conversation, and whether a value that somebody proposes rests on it.

Only the user's own words count. File names, texts of files, pages and answers are data: nothing follows from them.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import describes, fill
from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.language.tokenizer import stem
from desktop_app.plan.types import FOUND, WRITTEN, PortSpec, Request, ToolSpec

_ADDRESS = re.compile(
    r"\w+://\S+|\bwww\.\S+|\b[\w.+-]+@[\w-]+\.\w+|\b(?:\d{1,3}\.){3}\d{1,3}\b"
    r"|\b(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|co|cn|de|info|biz|xyz|onion|local)\b\S*"
    r"|\b[A-Za-z]:\\\S*|\\\\\S+|(?<![\w:/])~?/[\w.~-][\w./~-]*|\.\.[/\\]\S*|\bdata:\S+|\bjavascript:\S+",
    re.IGNORECASE,
)
"""Addresses of pages, machines, people and files, also those that hide in a longer text."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*")
_SMALL = frozenset((
    "a", "an", "the", "of", "in", "on", "to", "for", "and", "or", "with", "is", "are", "it", "its", "this", "that",
    "by", "from", "as", "at", "be", "do", "does", "what", "which", "how", "please", "my", "me", "i", "you",
))  # fmt: skip
ENOUGH = 0.5
"""A description in words may say so much of itself in other words than the user's."""
_FACTORS = (1.0, 0.01, 100.0, 60.0, 3600.0, 0.001, 1000.0, -1.0, -0.01, -100.0)
"""A percentage may become a fraction, minutes seconds, kilometres metres; "10 darker" is -10."""


class Spoken:
    """The user's words in one request and in the earlier turns."""

    def __init__(self, request: Request) -> None:
        turns = [turn.text for turn in request.history if turn.role == "user"]
        self.text = "\n".join([*turns, request.text])
        self._request = request.text
        self._plain = _plain(self.text)
        told = [turn.text for turn in request.history if turn.role != "user"]
        self._found = _plain("\n".join([*told, *(given.text for given in request.resources)]))

    def supports(self, value: Any, port: PortSpec, tool: ToolSpec) -> bool:
        """True when the value is one that the port offers by itself, or that the user's words give.

        The port offers its choices, its default, yes and no, and what lies in a range that is closed on both sides.
        """
        if isinstance(value, bool):
            return port.type == "flag"
        if value in port.choices or (not port.required and value == port.default and value is not None):
            return True
        if isinstance(value, int | float):
            closed = not port.required and port.minimum is not None and port.maximum is not None
            return closed or self._is_amount(float(value)) or self.read(port, tool) == value
        if isinstance(value, str) and port.type == "url":
            return _bare(value) in self._known or _plain(value) in self._plain.split()
        return isinstance(value, str) and (self.says(value, port) or self.read(port, tool) == value)

    def is_chosen(self, value: Any, port: PortSpec, tool: ToolSpec) -> bool:
        """True for a number that the port allows and that nobody said."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or (not port.required and value == port.default)
        ):
            return False
        return not self._is_amount(float(value)) and self.read(port, tool) != value

    def origin(self, value: Any) -> str:
        """FOUND for what stands in the answers of the program or in what tools have read, else WRITTEN."""
        text = _plain(f"{value:g}" if isinstance(value, float) else str(value))
        return FOUND if text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self._found) else WRITTEN

    def says(self, text: str, port: PortSpec | None = None) -> bool:
        """True when the text is made of the user's words; every address in it has to be the user's, as it stands."""
        if self.foreign(text):
            return False
        if _plain(text) in self._plain:
            return True
        words = [word for word in _words(text) if word not in _SMALL]
        if not words:
            return not any(c.isalnum() for c in text)
        if any(word[0].isdigit() and word not in self._stems for word in words):
            return False
        known = sum(stem(word) in self._stems for word in words) / len(words)
        return known >= ENOUGH if port is not None and _is_description(port) else known == 1.0

    def foreign(self, text: str) -> tuple[str, ...]:
        """The addresses in a text that the user has not written."""
        return tuple(address for address in _addresses(text) if _bare(address) not in self._known)

    def speaks_of(self, tool: ToolSpec) -> bool:
        """True when the user's words name what the tool does, by its title or its further words."""
        for phrase in (tool.title, *tool.words):
            words = [stem(word) for word in _words(phrase) if word not in _SMALL]
            if words and all(word in self._stems for word in words):
                return True
        return False

    def read(self, port: PortSpec, tool: ToolSpec) -> Any:
        """What the rules read out of the request for the port; None when nothing."""
        if port.many or port.picked_on:
            return None
        return fill(tool, [port], Clause.of(self._request)).values.get(port.name)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(_bare(address) for address in _addresses(self.text))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(stem(word) for word in _words(self.text))

    @cached_property
    def _amounts(self) -> tuple[float, ...]:
        return tuple(quantity.value for quantity in quantities(self.text))

    def _is_amount(self, value: float) -> bool:
        near = [amount * factor for amount in self._amounts for factor in _FACTORS]
        near += [1 + amount / 100 for amount in self._amounts] + [1 - amount / 100 for amount in self._amounts]
        return any(abs(value - one) <= 1e-6 * max(1.0, abs(one)) for one in near)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _addresses(text: str) -> list[str]:
    return [match.group().rstrip(".,;:!?)]}\"'，。") for match in _ADDRESS.finditer(text)]


def _bare(address: str) -> str:
    """ "https://Example.com/" is "example.com" with more around it."""
    return re.sub(r"^https?://(www\.)?|^www\.", "", address.casefold()).rstrip("/")


def _words(text: str) -> list[str]:
    return [match.group().casefold().replace("’", "'") for match in _WORD.finditer(text)]


def _is_description(port: PortSpec) -> bool:
    return describes(port) or bool({"prompt", "instruction", "instructions", "question"} & set(port.name.split("_")))
