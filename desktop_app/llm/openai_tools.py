"""Native tool calling over the OpenAI protocol, as far as a server has it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.errors import BadReply
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.tokens import Spent, estimated
from desktop_app.llm.tool_calls import Called

if TYPE_CHECKING:
    import openai

_MOST_CHARACTERS = 100_000


async def call(
    client: openai.AsyncOpenAI,
    model: str,
    messages: Sequence[ChatMessage],
    functions: Sequence[Mapping[str, Any]],
    seconds: float,
) -> Called | None:
    """One reply, streamed, temperature 0; None when the server refuses `tools`. Raises what the client raises,
    TimeoutError after `seconds` of silence, BadReply when the model refuses or writes without end.
    """
    tools: Any = [{"type": "function", "function": dict(one)} for one in functions]
    reply = await _opened(client, model, messages, tools)
    if reply is None:
        return None
    gathered = _Gathered()
    async with reply:
        chunks = reply.__aiter__()
        while True:
            try:
                gathered.add(await asyncio.wait_for(anext(chunks), seconds))
            except StopAsyncIteration:
                break
    known = gathered.spent
    guess = sum(estimated(m.text) for m in messages) + estimated(json.dumps(tools, ensure_ascii=False))
    spent = known or Spent(guess, estimated(gathered.text + gathered.arguments) + 8, True)
    return Called(gathered.name, gathered.arguments, gathered.text.strip(), spent)


async def _opened(
    client: openai.AsyncOpenAI, model: str, messages: Sequence[ChatMessage], tools: Any
) -> openai.AsyncStream[Any] | None:
    """The beginning of a reply, without what this server does not know; None when that is `tools` itself."""
    import openai

    sent: Any = [{"role": m.role, "content": m.text} for m in messages]
    extras: dict[str, Any] = {"stream_options": {"include_usage": True}, "temperature": 0}
    while True:
        try:
            return await client.chat.completions.create(model=model, messages=sent, tools=tools, stream=True, **extras)
        except (openai.BadRequestError, openai.UnprocessableEntityError, openai.NotFoundError) as error:
            named = next((name for name in extras if name in str(error)), "")
            if not named:
                return None
            del extras[named]


class _Gathered:
    """What has come so far. Of several calls only the first counts: one step at a time."""

    def __init__(self) -> None:
        self.name = self.arguments = self.text = ""
        self.spent: Spent | None = None
        self._first: int | None = None

    def add(self, chunk: Any) -> None:
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self.spent = Spent(usage.prompt_tokens or 0, usage.completion_tokens or 0)
        choice = chunk.choices[0] if chunk.choices else None
        if choice is None:
            return
        if getattr(choice.delta, "refusal", None):
            raise BadReply(f"The language model refused: {choice.delta.refusal}", "")
        self.text += choice.delta.content or ""
        for part in choice.delta.tool_calls or ():
            self._part(part)
        if len(self.text) + len(self.arguments) > _MOST_CHARACTERS:
            raise BadReply(f"The language model wrote more than {_MOST_CHARACTERS:,} characters.", "")

    def _part(self, part: Any) -> None:
        index = part.index or 0
        if self._first is None:
            self._first = index
        if index == self._first and part.function is not None:
            self.name = self.name or part.function.name or ""
            self.arguments += part.function.arguments or ""
