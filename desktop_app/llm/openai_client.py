"""A chat model behind any server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, BadReply
from desktop_app.core.settings import shown
from desktop_app.llm.abilities import abilities, context_of
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.model_listing import led_away
from desktop_app.llm.response_limits import bounded
from desktop_app.llm.stream_chunks import RETRYING, THINKING, pieces, within
from desktop_app.llm.token_usage import Price, Spent
from desktop_app.llm.tool_calls import Called
from nodes.phrase import Phrase

if TYPE_CHECKING:
    import ssl

    import openai

MAXIMUM_CHARACTERS = 100_000
_TOO_MUCH = re.compile(r"context|too (?:long|large|many tokens)|maximum", re.IGNORECASE)
LONGEST = 5
"""A whole reply may take so many times as long as the server may be silent, where nothing else is said."""


@cache
def _authorities() -> ssl.SSLContext:
    """Whom a server's certificate has to come from. To read them takes 24 ms, which each client would do anew."""
    import httpx2

    return httpx2.create_ssl_context()


class OpenAICompatible:
    """`seconds` is how long the server may be silent, `longest` how long a reply may take in all; 429, 5xx and lost
    connections are tried again `retries` times, after waits that double or that the server asks for. `key` may be a
    function that looks it up, on a thread, when it is first needed.

    What a server refuses by name is remembered for it and the model (abilities.py): first a JSON schema is asked for,
    then JSON mode, then plain text; and so are the count of tokens, the temperature and the `effort` of a model that
    thinks. `context_tokens` is what fits, 0 to ask the server. `usage` is what the latest reply cost, None when the
    server did not say; `price` goes before what the server says of it. A model may think for THINKING times as long as
    it may be silent before it begins.
    """

    def __init__(
        self, url: str, model: str, key: str | Callable[[], str] = "", seconds: float = 60.0, retries: int = 3,
        longest: float | None = None, effort: str = "", context_tokens: int = 0, price: Price | None = None,
    ) -> None:  # fmt: skip
        self.name = model
        self.usage: Spent | None = None
        self._url = url
        self._key = key
        self._seconds = seconds
        self._longest = longest or LONGEST * seconds
        self._retries = retries
        self._abilities = abilities(url, model)
        self._context = context_tokens
        self._price = price
        self._extras: dict[str, Any] = {"stream_options": {"include_usage": True}, "temperature": 0}
        if effort:
            self._extras["reasoning_effort"] = effort

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        """As in ChatModel. Temperature 0. A reply that is cut off by the network is asked for once more."""
        self.usage = None
        sent = ""
        for again in (False, True):
            whole = ""
            try:
                async with (
                    self._client() as client,
                    contextlib.aclosing(self._pieces(client, messages, schema)) as pieces,
                ):
                    async for piece in pieces:
                        whole += piece
                        if len(whole) > len(sent) and whole.startswith(sent):
                            yield whole[len(sent) :]
                            sent = whole
                if not whole.startswith(sent):
                    raise BadReply("The language model had to begin anew in the middle of its reply.", "Ask again.")
                return
            except ReplyCutShort:
                if again:
                    raise

    @property
    def price(self) -> Price | None:
        """What it charges, None where nobody says it."""
        return self._price or self._abilities.price

    async def context(self) -> int:
        """The tokens that the model can be told and write together; asked of the server once."""
        if not self._abilities.context:
            key = await self._looked_up()
            self._abilities.context = await asyncio.to_thread(context_of, self._url, self.name, key)
            self._abilities.keep()
        return self._context or self._abilities.context

    async def call(self, messages: Sequence[ChatMessage], functions: Sequence[Mapping[str, Any]]) -> Called | None:
        from desktop_app.llm import openai_tools

        if "tools" in self._abilities.lacks:
            return None
        async with self._client() as client:
            return await openai_tools.call(
                client, self.name, messages, functions, self._seconds, self._longest, self._abilities, self._extras
            )

    async def _looked_up(self) -> str:
        if callable(self._key):
            self._key = await asyncio.to_thread(self._key)
        return self._key

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[openai.AsyncOpenAI]:
        """A client whose faults come as sentences: BadReply."""
        import httpx2
        import openai  # takes 0.4 s, so not before it is needed

        key = await self._looked_up()
        patience = THINKING * self._seconds + RETRYING  # beyond the times that are kept here: a time-out is not retried
        try:
            async with openai.AsyncOpenAI(
                base_url=self._url, api_key=key or "none", timeout=patience, max_retries=self._retries,
                http_client=openai.DefaultAsyncHttpxClient(
                    verify=_authorities(), follow_redirects=False, event_hooks={"response": [bounded, unpaid]},
                    headers={"Accept-Encoding": "identity"},
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
            if isinstance(error.__cause__, httpx2.RemoteProtocolError | httpx2.ReadError):
                raise ReplyCutShort("The language model's reply broke off.", "Ask again.") from error
            raise BadReply(
                Phrase("The language model's server {url} cannot be reached.", url=shown(self._url)), ""
            ) from error
        except openai.APIStatusError as error:
            if 300 <= error.status_code < 400:
                raise led_away(self._url, error.response.headers.get("location", "")) from error
            said = self._without_key(_said(error))
            if is_unpaid(error.status_code, str(error.body)):
                raise BadReply(
                    Phrase("The language model's server wants to be paid first: {said}.", said=said),
                    "Add credit at the provider, or choose another model in the settings.",
                ) from error
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
        opening = self._open(client, messages, schema)
        reply = await within(opening, THINKING * self._seconds + RETRYING, end + RETRYING, self._longest)
        length = 0
        async with (
            reply,
            contextlib.aclosing(pieces(reply, self._seconds, end, self._longest, THINKING * self._seconds)) as coming,
        ):
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

        sent: Any = [m.sent for m in messages]
        while True:
            wanted: Any = _response_format(self._abilities.formats[0], schema) if schema else {}
            extras = {name: value for name, value in self._extras.items() if name not in self._abilities.lacks}
            try:
                return await client.chat.completions.create(
                    model=self.name, messages=sent, stream=True, **extras, **wanted
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if _TOO_MUCH.search(_said(error)) or not self._abilities.gives_up(_said(error), {**extras, **wanted}):
                    raise


class ReplyCutShort(BadReply):
    """The network ended a reply before its end."""


async def unpaid(response: Any) -> None:
    """Keeps the client from asking again where no credit is left: a hook of its client."""
    if response.status_code == 429 and is_unpaid(429, (await response.aread()).decode("utf-8", "replace")):
        response.headers["x-should-retry"] = "false"


def is_unpaid(status: int, body: str) -> bool:
    """True for what servers answer who want money first."""
    return status == 402 or (status == 429 and ("insufficient_quota" in body or "credit balance" in body))


def strict(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema in the strict form, in which every object has just its properties and all of them; None where it
    leaves something free.
    """
    made = dict(schema)
    if schema.get("type") == "object":
        inner = {name: strict(one) for name, one in schema.get("properties", {}).items()}
        if not inner or None in inner.values() or set(schema.get("required", ())) != set(inner):
            return None
        made |= {"properties": inner, "additionalProperties": False}
    if "items" in schema:
        made["items"] = strict(schema["items"])
    if "anyOf" in schema:
        made["anyOf"] = [strict(one) for one in schema["anyOf"]]
    return None if made.get("items", 1) is None or None in made.get("anyOf", ()) else made


def _response_format(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "schema":
        held = strict(schema)
        about = {"name": "reply", "schema": held or dict(schema), "strict": held is not None}
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
