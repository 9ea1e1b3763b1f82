"""Native tool calling over the OpenAI protocol, as far as a server has it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import BadReply
from desktop_app.llm.abilities import Abilities
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.stream_chunks import RETRYING, THINKING, Delta, pieces, within
from desktop_app.llm.token_usage import Spent, estimated
from desktop_app.llm.tool_calls import Called
from nodes.phrase import Phrase

if TYPE_CHECKING:
    import openai

_MOST_CHARACTERS = 100_000
_NO_TOOLS = re.compile(r"\btools?\b|\bfunctions?\b|tool use", re.IGNORECASE)


async def call(
    client: openai.AsyncOpenAI,
    model: str,
    messages: Sequence[ChatMessage],
    functions: Sequence[Mapping[str, Any]],
    seconds: float,
    longest: float,
    able: Abilities,
    extras: Mapping[str, Any],
) -> Called | None:
    """One reply, streamed, in which one function has to be called; None when the server refuses `tools`. Raises what
    the client raises, TimeoutError after `seconds` of silence, BadReply when the model refuses, writes without end, or
    takes more than `longest` seconds in all. What the server refuses is remembered in `able`.
    """
    tools: Any = [{"type": "function", "function": dict(one)} for one in functions]
    end = asyncio.get_running_loop().time() + longest
    opening = _opened(client, model, messages, tools, able, extras)
    reply = await within(opening, longest + RETRYING, end + RETRYING, longest)
    if reply is None:
        return None
    gathered = _Gathered()
    async with reply, contextlib.aclosing(pieces(reply, seconds, end, longest, THINKING * seconds)) as coming:
        async for piece in coming:
            gathered.add(piece)
    known = gathered.spent
    guess = sum(estimated(m.text) for m in messages) + estimated(json.dumps(tools, ensure_ascii=False))
    spent = known or Spent(guess, estimated(gathered.text + gathered.arguments) + 8, True)
    return Called(gathered.name, gathered.arguments, gathered.text.strip(), spent, gathered.id)


async def _opened(
    client: openai.AsyncOpenAI,
    model: str,
    messages: Sequence[ChatMessage],
    tools: Any,
    able: Abilities,
    extras: Mapping[str, Any],
) -> openai.AsyncStream[Any] | None:
    """The beginning of a reply, without what this server does not know; None when that is `tools` itself."""
    import openai

    sent: Any = [m.sent for m in messages]
    known = {**extras, "tool_choice": "required", "parallel_tool_calls": False}
    while True:
        told: Any = {name: value for name, value in known.items() if name not in able.lacks}
        try:
            return await client.chat.completions.create(model=model, messages=sent, tools=tools, stream=True, **told)
        except (openai.BadRequestError, openai.UnprocessableEntityError, openai.NotFoundError) as error:
            if able.gives_up(str(error), told):
                continue
            if _NO_TOOLS.search(str(error)):
                able.lack("tools")
                return None
            raise


class _Gathered:
    """What has come so far. Of several calls only the first counts: one step at a time."""

    def __init__(self) -> None:
        self.name = self.arguments = self.text = self.id = ""
        self.spent: Spent | None = None
        self._first: int | None = None

    def add(self, piece: Delta) -> None:
        self.spent = piece.spent or self.spent
        if piece.refusal:
            raise BadReply(
                Phrase("The language model refused: {refusal}.", refusal=piece.refusal[:300].strip().rstrip(".")), ""
            )
        self.text += piece.text
        for index, name, arguments, id in piece.calls:
            self._first = index if self._first is None else self._first
            if index == self._first:
                self.name = self.name or name
                self.id = self.id or id
                self.arguments += arguments
        if len(self.text) + len(self.arguments) > _MOST_CHARACTERS:
            raise BadReply(
                Phrase(
                    "The language model wrote more than {n} characters.",
                    n=f"{_MOST_CHARACTERS:,}",
                ),
                "",
            )
