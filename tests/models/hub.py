"""A small server on the loopback that gives files of a model as the hub does, and misbehaves as it is told."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import listening


@dataclass
class Hub:
    """Files of one repository by name. `cut` ends the next answers for that file after so many bytes.

    `wrong` names files whose content is not what the listing says, `absent` files that are listed but not given.
    `stalls` are files of which only so many bytes come, and then nothing until `go_on` is set. `longer` is by how many
    bytes a file is announced longer than it is. `pages` are HTML by path.
    """

    repo: str
    revision: str
    files: dict[str, bytes]
    cut: dict[str, list[int]] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    stalls: dict[str, int] = field(default_factory=dict)
    longer: dict[str, int] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    go_on: threading.Event = field(default_factory=threading.Event)
    piece: int = 0
    """Where not 0, files come in pieces of so many bytes, each as soon as `step` was released."""
    step: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    status: int = 200
    ranges: bool = True
    gated: str = ""
    """The one token with which files are given; they lie on another server then."""
    url: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """(path, Range) of each request for a file."""
    headers: list[dict[str, str]] = field(default_factory=list)

    def listing(self) -> dict[str, Any]:
        siblings = [self._sibling(*item) for item in self.files.items()]
        return {"id": self.repo, "sha": self.revision, "private": False, "tags": [], "siblings": siblings}

    def _sibling(self, name: str, data: bytes) -> dict[str, Any]:
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        entry: dict[str, Any] = {"rfilename": name, "size": len(data), "blobId": git}
        if name.endswith((".safetensors", ".bin")):
            entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
        return entry


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    with listening(_handler(hub)) as hub.url:
        try:
            yield hub
        finally:
            hub.go_on.set()
            hub.piece = 0
            hub.step.release(10_000)


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            hub.headers.append({**self.headers, "Path": path, "Query": query})
            if path in hub.pages:
                self._answer(200, hub.pages[path].encode(), {}, "text/html")
            elif hub.status != 200:
                self._answer(hub.status, b'{"error": "as told"}')
            elif path in (f"/api/models/{hub.repo}", f"/api/models/{hub.repo}/revision/{hub.revision}"):
                self._answer(200, json.dumps(hub.listing()).encode())
            elif path.startswith(f"/{hub.repo}/resolve/{hub.revision}/"):
                if hub.gated and self.headers.get("Authorization") != f"Bearer {hub.gated}":
                    self._answer(403 if self.headers.get("Authorization") else 401, b"", {"X-Error-Code": "GatedRepo"})
                    return
                elsewhere = hub.url.replace("127.0.0.1", "localhost") if hub.gated else ""
                self.send_response(302)  # the hub sends on to where large files lie
                self.send_header("Location", f"{elsewhere}/store/{path.split('/', 5)[5]}")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif path.startswith("/store/"):
                self._file(path.removeprefix("/store/"))
            else:
                self._answer(404, b'{"error": "Repository not found"}', {"X-Error-Code": "RevisionNotFound"})

        def _file(self, name: str) -> None:
            given = self.headers.get("Range", "")
            hub.asked.append((name, given))
            data = hub.files.get(name)
            if data is None or name in hub.absent:
                self._answer(404, b"")
                return
            if name in hub.wrong:
                data = bytes([data[0] ^ 1]) + data[1:]
            start = int(given.removeprefix("bytes=").rstrip("-")) if given and hub.ranges else 0
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(data) - start + hub.longer.get(name, 0)))
            self.end_headers()
            cuts = hub.cut.get(name)
            if cuts:
                self.wfile.write(data[start : start + cuts.pop(0)])
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
                return
            if name in hub.stalls:
                self.wfile.write(data[start : hub.stalls[name]])
                self.wfile.flush()
                hub.go_on.wait()
                self.close_connection = True
                return
            if name in hub.longer:
                self.close_connection = True
            for at in range(start, len(data), hub.piece or len(data)):
                if hub.piece:
                    hub.step.acquire()
                with suppress(OSError):  # the client has gone
                    self.wfile.write(data[at : at + (hub.piece or len(data))])
                    self.wfile.flush()

        def _answer(
            self, status: int, data: bytes, headers: dict[str, str] | None = None, kind: str = "application/json"
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    return Handler
