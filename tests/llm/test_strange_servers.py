"""A chat server that leads elsewhere, writes without end, or whose address holds a password."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler

import pytest

from desktop_app.core import settings
from desktop_app.core.errors import BadReply
from desktop_app.llm import response_limits
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.model_listing import offered
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.session import diagnostics
from tests.llm.server import serving
from tests.loopback import listening

SECRET = "my secret plan"
Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def answering(answer: Answer) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers everything so; its address, and all that it was sent."""
    heard: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def _any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            heard.append(f"{self.path}\n{self.headers}".encode() + body)
            try:
                answer(self)
            except OSError:
                self.close_connection = True

        do_GET = do_POST = _any

    with listening(Handler) as url:
        yield f"{url}/v1", heard


def ask(url: str, key: str = "sk-topsecret") -> str:
    return asyncio.run(complete(OpenAICompatible(url, "m", key, seconds=20, retries=0), [ChatMessage("user", SECRET)]))


def leading_to(target: str, status: int) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_what_is_asked_never_goes_to_another_address(status):
    with (
        answering(lambda handler: handler.send_error(500)) as (thief, stolen),
        answering(leading_to(f"{thief}/x?y=1", status)) as (url, _),
    ):
        with pytest.raises(BadReply, match="leads to another address") as told:
            ask(url)
        assert thief in str(told.value) and "settings" in told.value.fix
        with pytest.raises(BadReply, match="leads to another address"):
            offered(url, "sk-topsecret")
        assert stolen == []


def in_one_line(first: bytes, headers: dict[str, str]) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        block = b"x" * 65_536
        handler.wfile.write(first)
        while True:  # until the other side has had enough
            handler.wfile.write(block)

    return answer


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
def test_a_line_without_end_is_cut_off(kind):
    with answering(in_one_line(b'data: {"choices": [{"delta": {"content": "', {"Content-Type": kind})) as (url, _):
        tracemalloc.start()
        with pytest.raises(BadReply, match="without end"):
            ask(url)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 20 * response_limits.LINE_BYTES


def test_a_whole_without_end_is_cut_off(monkeypatch):
    monkeypatch.setattr(response_limits, "WHOLE_BYTES", 1 << 20)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        while True:
            handler.wfile.write(b": nothing\n\n" * 1000)

    with answering(answer) as (url, _), pytest.raises(BadReply, match="without end"):
        ask(url)


def test_a_packed_bomb_stays_packed():
    data = gzip.compress(b"data: " + b"x" * 50_000_000, 1)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    with answering(answer) as (url, heard):
        tracemalloc.start()
        with suppress(BadReply):
            assert ask(url) == ""
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert b"accept-encoding: identity" in heard[0].lower()
    assert most < 25_000_000


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:pass@example.org/v1", "https://example.org/v1"), ("http://tok@h:8/v1?key=abc#x", "http://h:8/v1"),
        ("http://h/v1/a@b", "http://h/v1/a@b"), ("me:pass@example.org", "example.org"), ("", ""), ("local", "local"),
        ("https://a:p@ss@h/", "https://h/"), ("https://h?k=me:pass@x", "https://h"),
    ],
)  # fmt: skip
def test_an_address_is_shown_without_login(url, shown):
    assert settings.shown(url) == shown


def test_a_login_in_the_address_is_in_no_error_and_not_in_the_doctors_words():
    gone = "http://me:swordfish@127.0.0.1:9/v1"
    with pytest.raises(BadReply) as told:
        ask(gone)
    assert "swordfish" not in str(told.value)
    found = diagnostics.examine(settings.Settings(llm_url=gone), type("None", (), {"tools": {}, "failures": {}}))
    assert "swordfish" not in repr(found) and "127.0.0.1:9" in repr(found)
    with pytest.raises(BadReply) as told:
        offered("ftp://me:swordfish@x/")
    assert "swordfish" not in str(told.value)
    with serving("hello") as (url, _):
        assert ask(url.replace("//", "//me:swordfish@")) == "hello"
