"""What a chat server streams, piece by piece, whatever it is made of: within a time, and with every type looked at.

The client library builds its objects from any JSON without a check: each field may be missing or of any type here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.core.errors import BadReply
from desktop_app.llm.token_usage import Spent
from nodes.phrase import Phrase

THINKING = 3
"""A model may think for so many times as long as it may be silent otherwise, before the first word."""
RETRYING = 10.0
"""Seconds that the waits between attempts may add to the time of a reply."""
MOST_BYTES = 4 << 20
"""Of a reply that comes as a whole."""
_MOST_TOKENS = 10**9
_WRONG_ADDRESS = "Check its address in the settings; it often ends in /v1. Or is there a page to log in first?"


@dataclass(frozen=True)
class Delta:
    """What one chunk brings. `calls` are parts of functions called: (index, name, arguments, id). `spent` is by the
    server's count, None when it does not say.
    """

    text: str = ""
    refusal: str = ""
    calls: tuple[tuple[int, str, str, str], ...] = ()
    spent: Spent | None = None


async def pieces(reply: Any, silent: float, end: float, longest: float, first: float) -> AsyncGenerator[Delta, None]:
    """The pieces of a streamed reply, or the one piece of a reply that came as a whole.

    Raises BadReply when the server answers with something else, or is not done at `end` (of the loop's clock, `longest`
    seconds after the request), and TimeoutError when nothing comes for `silent` seconds, `first` before the beginning.
    """
    kind = _kind(reply)
    if "html" in kind:
        raise BadReply("The language model's server answered with a web page.", _WRONG_ADDRESS)
    if "json" in kind and "stream" not in kind and "lines" not in kind:
        yield read(_checked(await within(_whole(reply), silent, end, longest)))
        return
    chunks, some = reply.__aiter__(), False
    while True:
        try:
            chunk = await within(anext(chunks), silent if some else first, end, longest)
        except StopAsyncIteration:
            break
        some = True
        yield read(_checked(chunk))
    if not some and "event-stream" not in kind:
        raise BadReply("The language model's server answered, but with no reply.", _WRONG_ADDRESS)


async def within(work: Any, silent: float, end: float, longest: float) -> Any:
    """What `work` gives within the times of `pieces`; the client's own time-out starts anew with each byte."""
    left = end - asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(min(silent, max(0.0, left))):  # wait_for of Python 3.11 can lose a cancellation
            return await work
    except TimeoutError as error:
        if left > silent:
            raise
        said = Phrase("The language model did not come to the end of its reply in {longest} s.", longest=f"{longest:g}")
        raise BadReply(said, "Ask for less, or choose a faster model.") from error


def read(chunk: Any) -> Delta:
    """A chunk, or a whole reply, as what can be used of it."""
    choices = _get(chunk, "choices")
    choice = choices[0] if isinstance(choices, list | tuple) and choices else None
    said = _get(choice, "delta") or _get(choice, "message")
    calls = _get(said, "tool_calls")
    parts = tuple(_call(call) for call in calls) if isinstance(calls, list | tuple) else ()
    return Delta(_text(_get(said, "content")), _text(_get(said, "refusal")), parts, _spent(_get(chunk, "usage")))


def _checked(chunk: Any) -> Any:
    """Some servers tell of an error within a reply that began well."""
    error = _get(chunk, "error")
    if error:
        said = _text(_get(error, "message")) or (error if isinstance(error, str) else "")
        why = " ".join(said.split())[:300].rstrip(".")
        if not why:
            raise BadReply("The language model's server told of an error.", "")
        raise BadReply(Phrase("The language model's server told of an error: {why}.", why=why), "")
    return chunk


async def _whole(reply: Any) -> Any:
    data = bytearray()
    async for block in reply.response.aiter_bytes():
        data += block
        if len(data) > MOST_BYTES:
            raise BadReply("The language model's server writes without end, so it was cut off.", "")
    try:
        return json.loads(bytes(data))
    except (ValueError, RecursionError) as error:
        raise BadReply("The language model's server answered with damaged JSON.", "") from error


def _kind(reply: Any) -> str:
    headers = _get(_get(reply, "response"), "headers")
    return str(headers.get("content-type", "")).lower().partition(";")[0] if headers is not None else ""


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _text(value: Any) -> str:
    """Words, or a list of parts with words, as some servers write it; "" for anything else."""
    if isinstance(value, list | tuple):
        return "".join(_text(_get(part, "text") if not isinstance(part, str) else part) for part in value[:1000])
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")  # halves of characters


def _call(call: Any) -> tuple[int, str, str, str]:
    index, function = _get(call, "index"), _get(call, "function")
    arguments = _get(function, "arguments")
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments)
    place = index if isinstance(index, int) else 0
    return place, _text(_get(function, "name")), _text(arguments), _text(_get(call, "id"))


def _spent(usage: Any) -> Spent | None:
    sent, received = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens")
    fit = all(isinstance(count, int) and 0 <= count < _MOST_TOKENS for count in (sent, received))
    return Spent(sent, received) if fit else None
