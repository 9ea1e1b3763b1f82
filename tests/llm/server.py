"""A small server that speaks the OpenAI chat protocol on the loopback, and misbehaves as its script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Turn:
    """One answer. `status` other than 200 answers with an error. `hang` goes silent after the text."""

    text: str = ""
    status: int = 200
    hang: bool = False
    refusal: str = ""
    piece: int = 7


@dataclass
class Script:
    """Answers in order; the last one again and again. `refuses` holds response formats that are answered with 400."""

    turns: list[Turn]
    refuses: tuple[str, ...] = ()
    requests: list[dict[str, Any]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def next(self) -> Turn:
        return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]


@contextmanager
def serving(*turns: Turn | str, refuses: tuple[str, ...] = ()) -> Iterator[tuple[str, Script]]:
    """Serves the turns; gives the base URL and the script with the requests it has seen."""
    script = Script([turn if isinstance(turn, Turn) else Turn(turn) for turn in turns], refuses)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", script
    finally:
        script.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(script: Script) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append(body)
            kind = body.get("response_format", {}).get("type", "text")
            if kind in script.refuses:
                self._error(400, f"response_format {kind} is not supported")
                return
            turn = script.next()
            if turn.status != 200:
                self._error(turn.status, "as scripted")
            else:
                self._stream(turn)

        def _error(self, status: int, message: str) -> None:
            data = json.dumps({"error": {"message": message, "type": "error"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("retry-after-ms", "5")
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, turn: Turn) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                if turn.refusal:
                    self._send({"refusal": turn.refusal})
                for start in range(0, len(turn.text), turn.piece):
                    self._send({"content": turn.text[start : start + turn.piece]})
                if turn.hang:
                    script.released.wait(20)
                self.wfile.write(b"data: [DONE]\n\n")
            except OSError:
                pass  # the client has gone, as it should from a reply that goes wrong
            self.close_connection = True

        def _send(self, delta: dict[str, str]) -> None:
            chunk = {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "scripted",
                "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
            }
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

    return Handler
