"""A chat model behind any server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, BadReply
from desktop_app.core.settings import shown
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.model_listing import led_away
from desktop_app.llm.response_limits import bounded
from desktop_app.llm.stream_chunks import RETRYING, pieces, within
from desktop_app.llm.token_usage import Spent
from desktop_app.llm.tool_calls import Called
from nodes.phrase import Phrase

if TYPE_CHECKING:
    import openai

MAXIMUM_CHARACTERS = 100_000
_TOO_MUCH = re.compile(r"context|too (?:long|large|many tokens)|maximum", re.IGNORECASE)
LONGEST = 5
"""A whole reply may take so many times as long as the server may be silent, where nothing else is said."""


class OpenAICompatible:
    """`seconds` is how long the server may be silent, `longest` how long a reply may take in all; 429, 5xx and lost
    connections are tried again `retries` times, after waits that double or that the server asks for. `key` may be a
    function that looks it up, on a thread, when it is first needed.

    What a server refuses is remembered: first a JSON schema is asked for, then JSON mode, then plain text; and so are
    the count of tokens and the temperature. `usage` is what the latest reply cost, None when the server did not say.
    """

    def __init__(
        self, url: str, model: str, key: str | Callable[[], str] = "", seconds: float = 60.0, retries: int = 3,
        longest: float | None = None,
    ) -> None:  # fmt: skip
        self.name = model
        self.usage: Spent | None = None
        self._url = url
        self._key = key
        self._seconds = seconds
        self._longest = longest or LONGEST * seconds
        self._retries = retries
        self._formats = ["schema", "object", "text"]
        self._extras: dict[str, Any] = {"stream_options": {"include_usage": True}, "temperature": 0}
        self._calls_tools = True

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        """As in ChatModel. Temperature 0."""
        self.usage = None
        async with self._client() as client, contextlib.aclosing(self._pieces(client, messages, schema)) as pieces:
            async for piece in pieces:
                yield piece

    async def call(self, messages: Sequence[ChatMessage], functions: Sequence[Mapping[str, Any]]) -> Called | None:
        """As in CallsTools."""
        from desktop_app.llm import openai_tools

        if not self._calls_tools:
            return None
        async with self._client() as client:
            called = await openai_tools.call(client, self.name, messages, functions, self._seconds, self._longest)
        self._calls_tools = called is not None
        return called

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[openai.AsyncOpenAI]:
        """A client whose faults come as sentences: BadReply."""
        import openai  # takes 0.4 s, so not before it is needed

        if callable(self._key):
            self._key = await asyncio.to_thread(self._key)
        try:
            async with openai.AsyncOpenAI(
                base_url=self._url, api_key=self._key or "none", timeout=self._seconds, max_retries=self._retries,
                http_client=openai.DefaultAsyncHttpxClient(
                    follow_redirects=False, event_hooks={"response": [bounded]}, headers={"Accept-Encoding": "identity"}
                ),
            ) as client:  # fmt: skip
                yield client
        except (openai.APITimeoutError, TimeoutError) as error:
            said = Phrase(
                "The language model at {url} did not answer in {seconds} s.",
                url=shown(self._url),
                seconds=f"{self._seconds:g}",
            )
            raise BadReply(said, "") from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, BadReply):
                raise error.__cause__ from error
            raise BadReply(
                Phrase("The language model's server {url} cannot be reached.", url=shown(self._url)), ""
            ) from error
        except openai.APIStatusError as error:
            if 300 <= error.status_code < 400:
                raise led_away(self._url, error.response.headers.get("location", "")) from error
            said = self._without_key(_said(error))
            said = Phrase("The language model's server answered {status}: {said}.", status=error.status_code, said=said)
            raise BadReply(said, _remedy(error.status_code)) from error
        except (openai.OpenAIError, ValueError) as error:
            said = self._without_key(str(error))
            raise BadReply(Phrase("The language model's reply could not be read: {error}.", error=said), "") from error
        except AppError:
            raise
        except Exception as error:  # an edge: what a stranger's server sends goes through parsers that expect better
            raise BadReply("The language model's reply could not be read: it is damaged.", "") from error

    def _without_key(self, text: str) -> str:
        """Some servers repeat the key in what they complain of; it belongs in no message, nor does a login."""
        login = self._url.partition("://")[2].partition("/")[0].rpartition("@")[0]
        text = text.replace(f"{login}@", "") if login else text
        key = self._key if isinstance(self._key, str) else ""
        return text.replace(key, "(key)") if len(key) > 3 else text

    async def _pieces(
        self, client: openai.AsyncOpenAI, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> AsyncGenerator[str, None]:
        end = asyncio.get_running_loop().time() + self._longest
        opening = self._open(client, messages, schema)  # of which each attempt has the time of silence for itself
        reply = await within(opening, self._longest + RETRYING, end + RETRYING, self._longest)
        length = 0
        async with reply, contextlib.aclosing(pieces(reply, self._seconds, end, self._longest)) as coming:
            async for piece in coming:
                self.usage = piece.spent or self.usage
                if piece.refusal:
                    raise BadReply(
                        Phrase(
                            "The language model refused: {refusal}.", refusal=piece.refusal[:300].strip().rstrip(".")
                        ),
                        "",
                    )
                length += len(piece.text)
                if length > MAXIMUM_CHARACTERS:
                    raise BadReply(
                        Phrase(
                            "The language model wrote more than {n} characters.",
                            n=f"{MAXIMUM_CHARACTERS:,}",
                        ),
                        "",
                    )
                if piece.text:
                    yield piece.text

    async def _open(
        self, client: openai.AsyncOpenAI, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> openai.AsyncStream[Any]:
        import openai

        sent: Any = [{"role": m.role, "content": m.content} for m in messages]
        while True:
            wanted: Any = _response_format(self._formats[0], schema) if schema else {}
            try:
                return await client.chat.completions.create(
                    model=self.name, messages=sent, stream=True, **self._extras, **wanted
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._gives_up(_said(error), bool(wanted)):
                    raise

    def _gives_up(self, complaint: str, formatted: bool) -> bool:
        """Does without one of the things that not every server knows; false when there is none left."""
        if _TOO_MUCH.search(complaint):
            return False
        named = next((name for name in self._extras if name in complaint), "")
        if named:
            del self._extras[named]
        elif formatted:
            self._formats.pop(0)
        elif self._extras:
            self._extras.popitem()
        else:
            return False
        return True


def _response_format(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "schema":
        about = {"name": "reply", "schema": dict(schema), "strict": False}
        return {"response_format": {"type": "json_schema", "json_schema": about}}
    return {"response_format": {"type": "json_object"}} if kind == "object" else {}


def _remedy(code: int) -> str:
    if code in (401, 403):
        return "Check the key in the settings."
    return "Try again in a while." if code == 429 or code >= 500 else ""


def _said(error: openai.APIStatusError) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    said = str(message or error.message).strip()
    return "it sent a web page" if said.startswith("<") else said.rstrip(".")[:300]
