"""A small server that speaks the OpenAI chat protocol on the loopback, and misbehaves as its script says."""

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
class Turn:
    """One answer. `status` other than 200 answers with an error. `hang` goes silent after the text.

    `usage` is the count of tokens (sent, received) that is told when it is asked for. `pace` is how long it takes
    before each piece, in seconds, unless the test ends.
    """

    text: str = ""
    status: int = 200
    hang: bool = False
    refusal: str = ""
    piece: int = 7
    message: str = "as scripted"
    usage: tuple[int, int] | None = None
    pace: float = 0.0


@dataclass
class Script:
    """Answers in order; the last one again and again. `refuses` holds response formats, and other fields of a request,
    that are answered with 400. A turn may be a function of the request: a model that does as it is told.
    """

    turns: list[Turn | Callable[[dict[str, Any]], str]]
    refuses: tuple[str, ...] = ()
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)

    def next(self, body: dict[str, Any]) -> Turn:
        turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return turn if isinstance(turn, Turn) else Turn(turn(body))


@contextmanager
def serving(
    *turns: Turn | str | Callable[[dict[str, Any]], str], refuses: tuple[str, ...] = ()
) -> Iterator[tuple[str, Script]]:
    """Serves the turns; gives the base URL and the script with the requests it has seen."""
    script = Script([Turn(turn) if isinstance(turn, str) else turn for turn in turns], refuses)
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
            script.keys.append(self.headers.get("Authorization", ""))
            kind = body.get("response_format", {}).get("type", "text")
            refused = [kind] if kind in script.refuses else [name for name in script.refuses if name in body]
            if refused:
                what = f"response_format {kind}" if refused == [kind] else refused[0]
                self._error(400, f"{what} is not supported")
                return
            turn = script.next(body)
            if turn.status != 200:
                self._error(turn.status, turn.message)
            else:
                self._stream(turn, bool((body.get("stream_options") or {}).get("include_usage")))

        def _error(self, status: int, message: str) -> None:
            data = json.dumps({"error": {"message": message, "type": "error"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("retry-after-ms", "5")
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, turn: Turn, counted: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                if turn.refusal:
                    self._send({"refusal": turn.refusal})
                for start in range(0, len(turn.text), turn.piece):
                    script.released.wait(turn.pace)
                    self._send({"content": turn.text[start : start + turn.piece]})
                while turn.hang and not script.released.wait(0.05):
                    self._write(": still here\n\n")  # a comment, which is no sign of life
                if counted and turn.usage:
                    sent, received = turn.usage
                    usage = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
                    self._send({}, usage)
                self.wfile.write(b"data: [DONE]\n\n")
            except OSError:
                script.left.set()  # the client has gone, as it should from a reply that goes wrong
            self.close_connection = True

        def _send(self, delta: dict[str, str], usage: dict[str, int] | None = None) -> None:
            chunk = {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "scripted",
                "choices": [] if usage else [{"index": 0, "delta": delta, "finish_reason": None}],
                "usage": usage,
            }
            self._write(f"data: {json.dumps(chunk)}\n\n")

        def _write(self, text: str) -> None:
            self.wfile.write(text.encode())
            self.wfile.flush()

    return Handler
