"""A chat model behind any server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.errors import BadReply
from desktop_app.llm.chat import ChatMessage

if TYPE_CHECKING:
    import openai

MAXIMUM_CHARACTERS = 100_000


class OpenAICompatible:
    """`seconds` is how long the server may be silent; 429, 5xx and lost connections are tried again `retries` times.

    What a server refuses is remembered: first a JSON schema is asked for, then JSON mode, then plain text.
    """

    def __init__(self, url: str, model: str, key: str = "", seconds: float = 60.0, retries: int = 3) -> None:
        self.name = model
        self._url = url
        self._key = key
        self._seconds = seconds
        self._retries = retries
        self._formats = ["schema", "object", "text"]

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        """As in ChatModel. Temperature 0."""
        import openai  # takes 0.4 s, so not before it is needed

        client = openai.AsyncOpenAI(
            base_url=self._url, api_key=self._key or "none", timeout=self._seconds, max_retries=self._retries
        )
        try:
            async with client, contextlib.aclosing(self._pieces(client, messages, schema)) as pieces:
                async for piece in pieces:
                    yield piece
        except (openai.APITimeoutError, TimeoutError) as error:
            raise BadReply(f"The language model at {self._url} did not answer in {self._seconds:g} s.", "") from error
        except openai.APIConnectionError as error:
            raise BadReply(f"The language model's server {self._url} cannot be reached.", "") from error
        except openai.APIStatusError as error:
            raise BadReply(f"The language model's server answered {error.status_code}: {_said(error)}.", "") from error
        except (openai.OpenAIError, ValueError) as error:
            raise BadReply(f"The language model's reply could not be read: {error}.", "") from error

    async def _pieces(
        self, client: openai.AsyncOpenAI, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> AsyncGenerator[str, None]:
        reply = await self._open(client, messages, schema)
        length = 0
        async with reply:
            chunks = reply.__aiter__()
            while True:
                try:  # the client's own time-out starts anew with each byte, also with those of a comment
                    chunk = await asyncio.wait_for(anext(chunks), self._seconds)
                except StopAsyncIteration:
                    return
                choice = chunk.choices[0] if chunk.choices else None
                if choice is None:
                    continue
                if getattr(choice.delta, "refusal", None):
                    raise BadReply(f"The language model refused: {choice.delta.refusal}", "")
                piece = choice.delta.content or ""
                length += len(piece)
                if length > MAXIMUM_CHARACTERS:
                    raise BadReply(f"The language model wrote more than {MAXIMUM_CHARACTERS:,} characters.", "")
                if piece:
                    yield piece

    async def _open(
        self, client: openai.AsyncOpenAI, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> openai.AsyncStream[Any]:
        import openai

        sent: Any = [{"role": m.role, "content": m.text} for m in messages]
        while True:
            wanted: Any = _response_format(self._formats[0], schema) if schema else {}
            try:
                return await client.chat.completions.create(
                    model=self.name, messages=sent, temperature=0, stream=True, **wanted
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                if not wanted:
                    raise
                self._formats.pop(0)


def _response_format(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "schema":
        about = {"name": "reply", "schema": dict(schema), "strict": False}
        return {"response_format": {"type": "json_schema", "json_schema": about}}
    return {"response_format": {"type": "json_object"}} if kind == "object" else {}


def _said(error: openai.APIStatusError) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return str(message or error.message).strip().rstrip(".")[:300]
