"""Fetching pages: what is refused, and what a server on this computer may answer when the check lets it."""

from __future__ import annotations

import contextlib
import gzip
import ipaddress
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from nodes._support.web import fetching
from nodes.api import Cancelled, NodeError, RunContext
from nodes.web.fetch_page import _readable, fetch_page

REFUSED = (
    "http://127.0.0.1/", "http://localhost:8000/", "https://10.0.0.1/x", "http://192.168.1.1/", "http://172.16.5.4/",
    "http://169.254.169.254/latest/meta-data", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://2130706433/",
    "http://0x7f.1/", "http://0/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[::7f00:1]/",
    "http://[fe80::1]/", "http://[fd00::1]/", "http://100.64.0.1/", "http://224.0.0.1/", "http://255.255.255.255/",
    "http://127.0.0.1.:80/", "127.0.0.1",
    "file:///etc/passwd", "ftp://example.com/", "javascript:alert(1)", "data:text/html,x", "gopher://example.com",
    "http://user:word@example.com/", "http://", "http://exa mple.com/", "http://example.com:99999/", "http://[::1", "",
    "   ", "hello world", "http://example.com\\@127.0.0.1/", "http://\x00/",
)  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
def test_addresses_that_are_not_public_pages_are_refused(url, tmp_path):
    with pytest.raises(NodeError) as raised:
        fetch_page(url, RunContext(tmp_path))
    assert raised.value.port == "url" and raised.value.fix


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_pass(address):
    assert fetching.is_public(ipaddress.ip_address(address))


def test_a_name_with_one_private_address_is_refused(monkeypatch):
    def resolve(host, port, **_):
        return [(socket.AF_INET, 1, 6, "", (address, port)) for address in ("93.184.215.14", "10.0.0.7")]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(NodeError, match="public"):
        fetching.fetch("http://both.example/")


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A name that answers differently the second time gains nothing: it is asked once."""
    asked, reached = [], []

    def resolve(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, 1, 6, "", ("93.184.215.14" if len(asked) == 1 else "127.0.0.1", port))]

    def connect(address, timeout):
        reached.append(address)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NodeError, match="cannot be reached"):
        fetching.fetch("http://rebinding.example/")
    assert asked == ["rebinding.example"] and reached == [("93.184.215.14", 80)]


class _Site(BaseHTTPRequestHandler):
    """A small site with good and bad pages."""

    def do_GET(self):
        page = self.path.partition("?")[0]
        if page == "/turn":
            self._send(302, b"", location=self.path.partition("?")[2] or "/page")
        elif page == "/loop":
            self._send(302, b"", location="/loop")
        elif page == "/gone":
            self._send(404, b"no")
        elif page == "/picture":
            self._send(200, b"\x89PNG", kind="image/png")
        elif page == "/packed":
            self._send(200, gzip.compress(_PAGE), encoding="gzip")
        elif page == "/bomb":
            self._send(200, gzip.compress(b"a" * 50_000_000, 1), encoding="gzip")
        elif page == "/large":
            self._send(200, b"a" * (fetching.MOST_BYTES + 10))
        elif page == "/latin":
            self._send(200, "<p>caf\xe9".encode("latin-1"), kind="text/html; charset=iso-8859-1")
        elif page == "/meta":
            self._send(200, '<meta charset="gbk"><p>中文'.encode("gbk"))
        elif page == "/plain":
            self._send(200, b"a < b\n", kind="text/plain")
        elif page == "/short":
            self._send(200, b"abc", length=500)
        elif page == "/empty":
            self._send(200, b"<html><script>draw()</script></html>")
        else:
            self._send(200, _PAGE)

    def _send(self, status, body, kind="text/html", location="", encoding="", length=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if location:
            self.send_header("Location", location)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


_PAGE = "<title>News</title><nav>menu</nav><p>Größe <b>matters</b>.</p><script>x</script>".encode()


@pytest.fixture(scope="module")
def site():
    server = HTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def _all(address):
    return True


def _get(url):
    return _readable(fetching.fetch(url, _all))


def test_title_and_main_text_are_returned(site):
    assert _get(f"{site}/page") == "News\n\nGröße matters."
    assert _get(f"{site}/packed") == "News\n\nGröße matters."
    assert _get(f"{site}/plain") == "a < b"


def test_characters_are_decoded_as_declared(site):
    assert _get(f"{site}/latin") == "café" and _get(f"{site}/meta") == "中文"


def test_redirects_are_followed_and_checked(site):
    assert _get(f"{site}/turn") == "News\n\nGröße matters."
    for target in ("file:///etc/passwd", "ftp://x.example/"):
        with pytest.raises(NodeError, match="not a web address"):
            _get(f"{site}/turn?{target}")
    seen = []

    def only_first(address):
        seen.append(str(address))
        return str(address) == "127.0.0.1"

    with pytest.raises(NodeError, match="public"):
        fetching.fetch(f"{site}/turn?http://10.1.2.3/", only_first)
    assert seen == ["127.0.0.1", "10.1.2.3"]


BAD = {
    "/gone": "404", "/loop": "redirects too often", "/picture": "image/png", "/bomb": "5 MB", "/large": "5 MB",
    "/short": "broke off", "/empty": "no text",
}  # fmt: skip


@pytest.mark.parametrize("path", BAD)
def test_bad_answers_are_explained(site, path):
    with pytest.raises(NodeError, match=BAD[path]) as raised:
        _get(site + path)
    assert raised.value.port == "url"


def test_the_public_tool_does_not_reach_this_site(site, tmp_path):
    with pytest.raises(NodeError, match="public"):
        fetch_page(f"{site}/page", RunContext(tmp_path))


def test_a_slow_server_is_cut_off(monkeypatch):
    monkeypatch.setattr(fetching, "MOST_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NodeError, match=r"reached|longer"):
        fetching.fetch(f"http://127.0.0.1:{silent.getsockname()[1]}/", _all)


def test_the_user_can_stop_it(site):
    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        fetching.fetch(f"{site}/page", _all, stop)
