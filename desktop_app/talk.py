"""The messages of a conversation, in order. A message that grows or closes is replaced by one of the same id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_app.conversation import Message


class Talk:
    """`told` hears of every change of `messages`."""

    def __init__(self, told: Callable[[], None], messages: tuple[Message, ...] = ()) -> None:
        self.messages = messages
        self._told = told
        self._number = max((message.id for message in messages), default=0)

    def say(self, role: str, text: str, **more: object) -> Message:
        """Adds a message; `more` are further fields of Message."""
        self._number += 1
        message = Message(self._number, role, text, **more)  # type: ignore[arg-type]
        self.messages = (*self.messages, message)
        self._told()
        return message

    def replace(self, message: Message, **fields: object) -> Message:
        """Puts `message`, with these fields changed, in the place of the one of its id."""
        newer = replace(message, **fields)  # type: ignore[arg-type]
        self.messages = tuple(newer if old.id == newer.id else old for old in self.messages)
        self._told()
        return newer

    def last_request(self) -> str:
        """What the user said last, "" when nothing."""
        return next((m.text for m in reversed(self.messages) if m.role == "user"), "")
