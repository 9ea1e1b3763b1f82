"""A server that answers a chat request with any bytes, on the loopback: what no honest server would send."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Wait = Callable[[float], bool]
"""Waits so many seconds, less when the test ends; true then."""
Attack = Callable[[Wait], Iterable[bytes]]
"""Gives the whole answer, head and body, in pieces."""

JSON, STREAM, HTML = "application/json", "text/event-stream", "text/html; charset=utf-8"
_LOGIN = b"<!DOCTYPE html><html><head><title>Log in</title></head><body><form></form></body></html>"


def head(kind: str = STREAM, status: str = "200 OK", more: str = "") -> bytes:
    """The head of an answer that goes on until the connection ends."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{more}\r\n".encode()


def event(data: Any) -> bytes:
    """One event of a stream."""
    return b"data: " + (data if isinstance(data, bytes) else json.dumps(data).encode()) + b"\n\n"


def once(body: bytes, kind: str = STREAM, **more: str) -> Attack:
    """An answer that comes at once."""
    return lambda wait: (head(kind, **more), body)


def delta(said: Any) -> bytes:
    """An event in which the model says something."""
    return event({"choices": [{"index": 0, "delta": said}]})


def for_ever(piece: bytes, pause: float = 0.0, first: bytes = b"") -> Attack:
    """A stream of the same piece without end."""

    def attack(wait: Wait) -> Iterator[bytes]:
        yield head() + first
        while not wait(pause):
            yield piece

    return attack


ODD: dict[str, Any] = {
    "null": None, "a number": 7, "a text": "x", "a list": [1], "an object": {"a": 1}, "NaN": float("nan"),
    "a huge number": 10**400,
}  # fmt: skip


def _odd_events() -> dict[str, Attack]:
    """At every place of an event, and of a reply that comes as a whole, a value of another type."""
    found: dict[str, Attack] = {}
    for name, value in ODD.items():
        events = {
            "event": value,
            "choices": {"choices": value},
            "choice": {"choices": [value]},
            "delta": {"choices": [{"delta": value}]},
            "content": {"choices": [{"delta": {"content": value}}]},
            "refusal": {"choices": [{"delta": {"refusal": value}}]},
            "calls": {"choices": [{"delta": {"tool_calls": value}}]},
            "call": {"choices": [{"delta": {"tool_calls": [value]}}]},
            "function": {"choices": [{"delta": {"tool_calls": [{"index": value, "function": value}]}}]},
            "usage": {"choices": [], "usage": value},
            "counts": {"choices": [], "usage": {"prompt_tokens": value, "completion_tokens": value}},
            "error": {"error": value},
        }
        for place, data in events.items():
            found[f"{name} as {place}"] = once(event(data) + b"data: [DONE]\n\n")
            found[f"{name} as {place} of a whole reply"] = once(json.dumps(data).encode(), JSON)
    return found


_DEEP = b"[" * 100_000
ODD_EVENTS = _odd_events()
NAMED: dict[str, Attack] = {
    "a login page": once(_LOGIN, HTML),
    "a login page without a type": once(_LOGIN, "text/plain"),
    "a login page as a stream": once(_LOGIN, STREAM),
    "a login page with an error": once(_LOGIN, HTML, status="502 Bad Gateway"),
    "an empty body": once(b"", STREAM),
    "an empty JSON body": once(b"", JSON),
    "no answer": lambda wait: (),
    "half a head": lambda wait: (b"HTTP/1.1 200 O",),
    "no HTTP": lambda wait: (b"SSH-2.0-OpenSSH_9.6\r\n",),
    "deep JSON in a stream": once(event(_DEEP)),
    "deep JSON that is closed": once(event(b'{"choices":' + _DEEP + b"]" * 100_000 + b"}")),
    "deep JSON as a whole": once(_DEEP, JSON),
    "deep JSON as an error": once(_DEEP, JSON, status="400 Bad Request"),
    "deep JSON in the words": once(delta({"content": '{"tasks":' * 9_000})),
    "less deep JSON in the words": once(delta({"content": '{"tasks":' + "[" * 900 + "]" * 900 + "}"})),
    "JSON that is cut off": once(b'data: {"choices": [{"delta": {"con\n\n'),
    "no UTF-8": once(b"data: \xff\xfe\xfa\n\n"),
    "halves of characters": once(delta({"content": "\ud800 \udfff"})),
    "another charset": once(delta({"content": "caf\u00e9"}), "text/event-stream; charset=utf-16"),
    "a charset that takes long": once(b"a" * 200_000, "text/plain; charset=punycode", status="400 Bad Request"),
    "blanks without end": for_ever(delta({"content": " "})),
    "a fence of blanks": once(delta({"content": "```" + "\n" * 90_000})),
    "blanks and a mark": once(delta({"content": " " * 90_000 + "[[x]]"})),
    "empty events without end": for_ever(event({"choices": []})),
    "comments without end": for_ever(b": still here\n\n", 0.01),
    "a byte now and then": for_ever(b"d", 0.05, b"data: "),
    "silence after the head": for_ever(b"", 0.05),
    "words without end": for_ever(delta({"content": "word " * 500})),
    "one huge event": once(delta({"content": "x" * 3_000_000})),
    "a packed bomb": once(gzip.compress(b" " * 50_000_000), STREAM, more="Content-Encoding: gzip\r\n"),
    "a packed bomb as an error": once(
        gzip.compress(b" " * 50_000_000), JSON, status="400 Bad Request", more="Content-Encoding: gzip\r\n"
    ),
    "packed and damaged": once(b"no gzip", JSON, more="Content-Encoding: gzip\r\n"),
    "a redirect to itself": once(b"", status="307 Temporary Redirect", more="Location: /v1/chat/completions\r\n"),
    "a redirect to nowhere": once(b"", status="307 Temporary Redirect", more="Location: http://[::1\r\n"),
    "a status of its own": once(b"", status="999 Odd"),
    "an error of odd types": once(b'{"error": {"message": [1, {"a": null}]}}', JSON, status="400 Bad Request"),
    "too many requests for a year": once(b"", JSON, status="429 Too Many", more="Retry-After: 31536000\r\n"),
}
ATTACKS = {**NAMED, **ODD_EVENTS}


@contextmanager
def hostile(attack: Attack) -> Iterator[str]:
    """Serves the attack to whoever asks; gives the base URL."""
    ended = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.05)

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(5)
            asked = connection.makefile("rb")
            size = 0
            while (line := asked.readline()).strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            asked.read(size)
            for piece in attack(lambda seconds: ended.wait(seconds)):
                connection.sendall(piece)

    def serve() -> None:
        while not ended.is_set():
            with suppress(OSError):
                connection, _ = listening.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    server = threading.Thread(target=serve, daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        ended.set()
        server.join()
        listening.close()
