"""Native tool calling: a model names one function with its arguments. Knows what is sent, and no server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.token_usage import Spent


@dataclass(frozen=True)
class Called:
    """The first function that was called, with its arguments as JSON text as they came; `name` is "" when none was.

    `text` is what was written beside it.
    """

    name: str = ""
    arguments: str = ""
    text: str = ""
    spent: Spent = field(default_factory=Spent)
    id: str = ""


@runtime_checkable
class CallsTools(Protocol):
    async def call(self, messages: Sequence[ChatMessage], functions: Sequence[Mapping[str, Any]]) -> Called | None:
        """What the model calls; None when its server knows no functions, from then on at once.

        `functions` are objects with `name`, `description` and `parameters` (a JSON schema). Raises BadReply.
        """
        ...
