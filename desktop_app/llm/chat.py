"""The protocol of a chat model, and what is sent to it. Knows no server and no planner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class ChatMessage:
    """`role` is system, user, assistant or tool. `images` are pictures as data: addresses, for models that see.

    `call` is the function that an assistant called, as (id, name, arguments as JSON text); `answers` the id of the call
    that a message of the role tool tells the result of.
    """

    role: str
    text: str
    images: tuple[str, ...] = ()
    call: tuple[str, str, str] | None = None
    answers: str = ""

    @property
    def content(self) -> str | list[dict[str, object]]:
        """The text, or text and pictures as parts, in the form of the OpenAI protocol."""
        if not self.images:
            return self.text
        pictures = [{"type": "image_url", "image_url": {"url": image}} for image in self.images]
        return [{"type": "text", "text": self.text}, *pictures]

    @property
    def sent(self) -> dict[str, object]:
        """The whole message in the form of the OpenAI protocol."""
        more: dict[str, object] = {"tool_call_id": self.answers} if self.answers else {}
        if self.call is not None:
            id, name, arguments = self.call
            function = {"name": name, "arguments": arguments}
            more = {"tool_calls": [{"id": id, "type": "function", "function": function}]}
        return {"role": self.role, "content": self.content, **more}


class ChatModel(Protocol):
    """Anything that continues a conversation."""

    name: str

    def stream(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None) -> AsyncIterator[str]:
        """Yields the reply in pieces. With a JSON schema the whole reply is meant to be one such object.

        Raises BadReply when the server cannot be reached, refuses, or goes silent.
        """
        ...


async def complete(model: ChatModel, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None) -> str:
    return "".join([piece async for piece in model.stream(messages, schema)])
