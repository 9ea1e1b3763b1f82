"""What talking to a language model costs in tokens: told by the server where it says so, else estimated."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.llm.chat import ChatMessage, ChatModel

CHARACTERS = 4
"""Characters of plain English that make a token in the usual vocabularies."""
_FRAME = 4
"""Tokens that a message costs besides its text."""


def estimated(text: str) -> int:
    """About how many tokens the text has, where no tokenizer is at hand.

    Four ASCII characters count as one token, every other character as one of its own. That is near for English, right
    for Chinese, and too many for Cyrillic or Greek: a budget that is kept by this estimate is kept in truth.
    """
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / CHARACTERS) + len(text) - plain


@dataclass(frozen=True)
class Spent:
    """Tokens sent and received; `guessed` is true when some of them were estimated."""

    sent: int = 0
    received: int = 0
    guessed: bool = False

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.sent + other.sent, self.received + other.received, self.guessed or other.guessed)

    @property
    def total(self) -> int:
        """Both directions together."""
        return self.sent + self.received


class Tally:
    """Adds up what several replies cost: one for each conversation."""

    def __init__(self) -> None:
        self.spent = Spent()

    def add(self, spent: Spent) -> None:
        """Counts one more reply."""
        self.spent += spent


class Counted:
    """A chat model whose replies are counted; also those that end early, by a fault or because nobody waits."""

    def __init__(self, model: ChatModel, tally: Tally) -> None:
        self.name = model.name
        self._model = model
        self._tally = tally

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        """As in ChatModel."""
        written: list[str] = []
        told = None
        try:
            async for piece in self._model.stream(messages, schema):
                written.append(piece)
                yield piece
            told = getattr(self._model, "usage", None)
        finally:
            sent = sum(estimated(message.text) + _FRAME for message in messages)
            self._tally.add(told or Spent(sent, estimated("".join(written)), True))
