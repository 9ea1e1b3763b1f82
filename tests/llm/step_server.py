"""A small server whose scripted model calls functions, streamed in pieces as the OpenAI protocol has it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import listening


@dataclass
class Call:
    """A reply that calls a function. `arguments` may be broken JSON as text. `also` is called beside it."""

    name: str = ""
    arguments: dict[str, Any] | str = field(default_factory=dict)
    text: str = ""
    also: tuple[str, dict[str, Any]] | None = None


def finish(*names: str, text: str = "") -> Call:
    """The call that ends a request."""
    return Call("finish", {"results": list(names)} if names else {"text": text})


Reply = Call | str | Callable[[dict[str, Any]], "Call | str"]


@dataclass
class Script:
    """Replies in order; the last one again and again. Those of a function depend on the situation that was told.

    A text is words where functions are known, and the whole reply where they are refused. With `hangs` it goes silent.
    """

    replies: list[Reply]
    refuses: tuple[str, ...] = ()
    hangs: bool = False
    usage: tuple[int, int] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)

    def situations(self) -> list[dict[str, Any]]:
        """What the model was told in each request for a step."""
        return [situation(request["messages"]) for request in self.requests if len(request["messages"]) > 1]

    def next(self, body: dict[str, Any]) -> Call | str:
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(situation(body["messages"])) if callable(reply) else reply


def _words(message: dict[str, Any]) -> str:
    """The text of a message, also of one with pictures."""
    content = message["content"]
    return content if isinstance(content, str) else content[0]["text"]


def situation(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What a model was told for one step, as one object, whether as data or as a conversation of calls."""
    told = json.loads(_words(messages[1]))
    data = told.setdefault("data", {"resources": []})
    called: dict[str, dict[str, Any]] = {}
    for message in messages[2:]:
        if message["role"] == "assistant" and message.get("tool_calls"):
            call = message["tool_calls"][0]
            called[call["id"]] = {
                "tool": call["function"]["name"], "args": json.loads(call["function"]["arguments"] or "{}"),
            }  # fmt: skip
        elif message["role"] == "tool" and message["tool_call_id"].startswith("step"):
            came = json.loads(message["content"])
            data.setdefault("steps", []).append(called[message["tool_call_id"]] | came)
            data["resources"] += [{**one, "earlier": True} for one in came.get("results", ())]
        elif _words(message).startswith('{"now"'):
            data |= json.loads(_words(message))["now"]
    data.setdefault("steps", [])
    return told


@contextmanager
def serving(*replies: Reply, **more: Any) -> Iterator[tuple[str, Script]]:
    """Serves the replies; gives the base URL and the script with the requests it has seen."""
    script = Script(list(replies), **more)
    with listening(_handler(script)) as url:
        try:
            yield f"{url}/v1", script
        finally:
            script.released.set()


def _handler(script: Script) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append(body)
            script.asked.set()
            refused = next((name for name in script.refuses if name in body), "")
            self._refuse(refused) if refused else self._stream(script.next(body))

        def _refuse(self, name: str) -> None:
            data = json.dumps({"error": {"message": f"{name} is not supported", "type": "error"}}).encode()
            self.send_response(400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, reply: Call | str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            try:
                while script.hangs and not script.released.wait(0.02):
                    self._write(": still here\n\n")
                for delta in _deltas(reply):
                    self._send([{"index": 0, "delta": delta, "finish_reason": None}])
                if script.usage:
                    sent, received = script.usage
                    self._send([], {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": 0})
                self._write("data: [DONE]\n\n")
            except OSError:
                script.gone.set()  # the client has left

        def _send(self, choices: list[Any], usage: dict[str, int] | None = None) -> None:
            about = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
            self._write(f"data: {json.dumps({**about, 'choices': choices, 'usage': usage})}\n\n")

        def _write(self, text: str) -> None:
            self.wfile.write(text.encode())
            self.wfile.flush()

    return Handler


def _deltas(reply: Call | str) -> Iterator[dict[str, Any]]:
    text = reply if isinstance(reply, str) else reply.text
    for start in range(0, len(text), 9):
        yield {"content": text[start : start + 9]}
    if isinstance(reply, Call) and reply.name:
        written = reply.arguments if isinstance(reply.arguments, str) else json.dumps(reply.arguments)
        yield _part(0, reply.name, "")
        for start in range(0, len(written), 11):
            yield _part(0, None, written[start : start + 11])
        if reply.also:
            yield _part(1, reply.also[0], json.dumps(reply.also[1]))


def _part(index: int, name: str | None, arguments: str) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"tool_calls": [{"index": index, "id": f"call{index}", "type": "function", "function": function}]}
