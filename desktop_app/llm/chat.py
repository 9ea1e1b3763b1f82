"""The protocol of a chat model, and what is sent to it. Knows no server and no planner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class ChatMessage:
    """`role` is system, user or assistant."""

    role: str
    text: str


class ChatModel(Protocol):
    """Anything that continues a conversation."""

    name: str

    def stream(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None) -> AsyncIterator[str]:
        """Yields the reply in pieces. With a JSON schema the whole reply is meant to be one such object.

        Raises BadReply when the server cannot be reached, refuses, or goes silent.
        """
        ...


async def complete(model: ChatModel, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None) -> str:
    """The whole reply."""
    return "".join([piece async for piece in model.stream(messages, schema)])
