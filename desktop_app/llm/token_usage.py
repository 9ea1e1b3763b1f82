"""What talking to a language model costs: tokens, told by the server where it says so, else estimated; and dollars."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
class Price:
    """US dollars for a million tokens."""

    sent: float = 0.0
    received: float = 0.0


@dataclass(frozen=True)
class Spent:
    """Tokens sent and received; `guessed` is true when some of them were estimated. `dollars` is None where some of
    them have no known price.
    """

    sent: int = 0
    received: int = 0
    guessed: bool = False
    dollars: float | None = None

    def __add__(self, other: Spent) -> Spent:
        known = [one.dollars for one in (self, other) if one.total or one.dollars is not None]
        dollars = None if None in known or not known else sum(one for one in known if one is not None)
        guessed = self.guessed or other.guessed
        return Spent(self.sent + other.sent, self.received + other.received, guessed, dollars)

    def at(self, price: Price | None) -> Spent:
        """The same at a price, None for one that is not known."""
        if price is None:
            return self
        return replace(self, dollars=(self.sent * price.sent + self.received * price.received) / 1e6)

    @property
    def total(self) -> int:
        return self.sent + self.received


def money(dollars: float) -> str:
    """`$1.20`, `$0.0034`; no less than `$0.0001`, so that what costs something is never told as nothing."""
    return f"${dollars:,.2f}" if dollars >= 0.1 or not dollars else f"${max(dollars, 1e-4):.2g}"


def price_of(model: object) -> Price | None:
    """What a chat model charges, None where that is not known."""
    found = getattr(model, "price", None)
    return found if isinstance(found, Price) else None


class Tally:
    """Adds up what several replies cost: one for each conversation. `request` is what they cost since `begin`."""

    def __init__(self) -> None:
        self.spent = self.request = Spent()

    def begin(self) -> None:
        self.request = Spent()

    def add(self, spent: Spent) -> None:
        self.spent += spent
        self.request += spent


class Counted:
    """A chat model whose replies are counted; also those that end early, by a fault or because nobody waits."""

    def __init__(self, model: ChatModel, tally: Tally) -> None:
        self.name = model.name
        self._model = model
        self._tally = tally

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        written: list[str] = []
        told = None
        try:
            async for piece in self._model.stream(messages, schema):
                written.append(piece)
                yield piece
            told = getattr(self._model, "usage", None)
        finally:
            sent = sum(estimated(message.text) + _FRAME for message in messages)
            spent = told or Spent(sent, estimated("".join(written)), True)
            self._tally.add(spent.at(price_of(self._model)))
