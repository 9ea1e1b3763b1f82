"""The protocol of a chat model, and what is sent to it. Knows no server and no planner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class ChatMessage:
    """`role` is system, user or assistant. `images` are pictures as data: addresses, for models that see."""

    role: str
    text: str
    images: tuple[str, ...] = ()

    @property
    def content(self) -> str | list[dict[str, object]]:
        """The text, or text and pictures as parts, in the form of the OpenAI protocol."""
        if not self.images:
            return self.text
        pictures = [{"type": "image_url", "image_url": {"url": image}} for image in self.images]
        return [{"type": "text", "text": self.text}, *pictures]


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
