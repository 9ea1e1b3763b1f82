"""Gets a public page over HTTP without letting anyone reach into private networks. Must not know tools.

The name is resolved once, every address it has must be public, and the connection goes to one of these addresses, so
that a name that changes its answer between the check and the connection gains nothing. Redirects are followed by hand
and checked the same way. Proxies of the environment are not used, as they would resolve names out of our sight.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
import urllib.parse
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from nodes._support import opening
from nodes._support.files import codecs
from nodes._support.media import movies
from nodes.api import NodeError, Phrase, ResourceType, RunContext

MOST_BYTES = 5_000_000
MOST_SECONDS = 20.0
MOST_FILE_BYTES = 500_000_000
MOST_FILE_SECONDS = 600.0
_REDIRECTS = 5
_AGENT = "Mozilla/5.0 (compatible; Graphwright; reads a page for its user)"
_REDIRECTING = (301, 302, 303, 307, 308)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Page:
    """What a server sent: the address it came from at last, its media type without parameters, and its text."""

    url: str
    kind: str
    text: str


def is_public(address: Address) -> bool:
    """False for loopback, private, link-local, shared, multicast, reserved and documentation addresses, and for
    IPv6 addresses that carry such an IPv4 address inside."""
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo
        inner = [address.ipv4_mapped, address.sixtofour, *(teredo or ())]
        if address in ipaddress.ip_network("64:ff9b::/96") or address in ipaddress.ip_network("::/96"):
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if any(v4 is not None and not is_public(v4) for v4 in inner):
            return False
        if address.ipv4_mapped is not None:
            return True
    return address.is_global and not address.is_multicast and not address.is_reserved


def fetch(url: str, allowed: Callable[[Address], bool] = is_public, check: Callable[[], None] = lambda: None) -> Page:
    """The page at `url`, at most 5 MB within 20 seconds and 5 redirects. `check` is called while it loads.

    Raises NodeError naming the port `url` for everything that goes wrong.
    """
    deadline = time.monotonic() + MOST_SECONDS
    with _answer(url, allowed, deadline, check) as (place, response):
        return _page(place, response, deadline, check)


def save(
    url: str, target: Path, kinds: tuple[str, ...], context: RunContext, allowed: Callable[[Address], bool] = is_public
) -> None:
    """Writes the file at `url` to `target`: at most 500 MB within 10 minutes, of a media type that begins with one of
    `kinds`. Raises NodeError naming the port `url`."""
    deadline = time.monotonic() + MOST_FILE_SECONDS
    with _answer(url, allowed, deadline, context.check) as (_, response), open(target, "wb") as file:
        kind = response.headers.get_content_type()
        if not kind.startswith((*kinds, "application/octet-stream")):
            raise _error(
                Phrase("The address holds {kind}.", kind=kind), Phrase("Give the address of {kind}.", kind=kinds[0])
            )
        whole = response.length or 0
        for received, block in _blocks(response, deadline, MOST_FILE_BYTES):
            file.write(block)
            context.progress(
                min(1.0, received / whole) if whole else 0.0, Phrase("{mb} MB", mb=f"{received / 1e6:.1f}")
            )


def downloaded(
    url: str, type: ResourceType, context: RunContext, allowed: Callable[[Address], bool] = is_public
) -> Any:
    """The picture, sound or film at `url`, as a tool gives it. Raises NodeError naming the port `url`."""
    if not isinstance(url, str) or not url.strip():
        raise _error("There is no web address.", "Give one such as https://example.com/page.")
    suffix = Path(urllib.parse.urlsplit(url).path).suffix.lower()
    target = context.new_file(suffix if re.fullmatch(r"\.[a-z0-9]{1,5}", suffix) else ".bin")
    save(url, target, (f"{type}/",), context, allowed)
    if type is ResourceType.VIDEO:
        movies.facts(target, "url")
        return target
    return codecs.decode(target, type, "url")


@contextlib.contextmanager
def _answer(
    url: str, allowed: Callable[[Address], bool], deadline: float, check: Callable[[], None]
) -> Iterator[tuple[str, http.client.HTTPResponse]]:
    """The address that answers in the end, and its answer, whose body is read inside. Raises NodeError."""
    current = _checked(url)
    for _ in range(_REDIRECTS + 1):
        check()
        connection = _Connection(current, allowed, deadline)
        try:
            response = connection.answer()
            if response.status in _REDIRECTING and response.headers.get("Location"):
                current = _checked(urllib.parse.urljoin(current, response.headers["Location"]))
                continue
            if response.status != 200:
                raise _error(
                    Phrase(
                        "{host} answered {status} {reason}.",
                        host=_host(current),
                        status=response.status,
                        reason=response.reason,
                    ),
                    "Check the address.",
                )
            yield current, response
            return
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise _error(
                Phrase("{host} broke off: {error}.", host=_host(current), error=error), "Try again later."
            ) from error
        finally:
            connection.close()
    raise _error(Phrase("{host} redirects too often.", host=_host(url)), "Check the address.")


def _error(message: str, fix: str) -> NodeError:
    return NodeError(message, "url", fix)


def _host(url: str) -> str:
    return urllib.parse.urlsplit(url).hostname or url[:60]


def _checked(url: str) -> str:
    """The address in the form to be sent. Raises NodeError for anything but http and https."""
    url = url.strip()
    if url and "://" not in url and re.match(r"[\w.-]+\.[a-zA-Z]{2,}(?:[/:?#]|$)", url):
        url = f"https://{url}"
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
        host = parts.hostname
    except ValueError as error:
        raise _error(
            Phrase("{url} is not a web address.", url=repr(url[:80])), "Give one such as https://example.com/page."
        ) from error
    if parts.scheme not in ("http", "https") or not host:
        raise _error(
            Phrase("{url} is not a web address.", url=repr(url[:80])), "Give one that begins with http:// or https://."
        )
    if parts.username or parts.password:
        raise _error("The address holds a user name or password.", "Take it out.")
    try:
        name = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _error(Phrase("{host} is not a host name.", host=host[:80]), "Check the address.") from error
    if not re.fullmatch(r"[\w.:-]+", name, re.ASCII):
        raise _error(Phrase("{host} is not a host name.", host=host[:80]), "Check the address.")
    place = f"[{name}]" if ":" in name else name
    path = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = urllib.parse.quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    return urllib.parse.urlunsplit((parts.scheme, f"{place}:{port}" if port else place, path, query, ""))


def _resolved(host: str, port: int, allowed: Callable[[Address], bool]) -> str:
    """An address of the host. Raises NodeError unless all its addresses are allowed."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _error(Phrase("{host} cannot be found.", host=host), "Check the address and the connection.") from error
    addresses = [ipaddress.ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]
    if not addresses or not all(allowed(address) for address in addresses):
        raise _error(Phrase("{host} is not on the public internet.", host=host), "Only public addresses are fetched.")
    return str(min(addresses, key=lambda address: address.version))  # IPv4 first: it works in more places


class _Connection:
    """A connection to one checked address, cut off at the deadline however slowly the server sends."""

    def __init__(self, url: str, allowed: Callable[[Address], bool], deadline: float) -> None:
        parts = urllib.parse.urlsplit(url)
        secure = parts.scheme == "https"
        self._host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        self._target = parts.path + (f"?{parts.query}" if parts.query else "")
        address = _resolved(self._host, port, allowed)
        left = _left(deadline)
        self._response: http.client.HTTPResponse | None = None
        self._http = http.client.HTTPConnection(self._host, port, timeout=left)
        try:
            self._socket = socket.create_connection((address, port), timeout=left)
            if secure:
                self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=self._host)
        except OSError as error:
            self._fail(error)
        self._http.sock = self._socket
        self._timer = threading.Timer(left, self._cut)
        self._timer.daemon = True
        self._timer.start()

    def answer(self) -> http.client.HTTPResponse:
        """Sends the request and reads the head of the answer. Raises NodeError."""
        headers = {"User-Agent": _AGENT, "Accept": "text/html,text/*;q=0.9,*/*;q=0.1", "Accept-Encoding": "gzip"}
        try:
            self._http.request("GET", self._target, headers=headers)
            self._response = self._http.getresponse()
            return self._response
        except (OSError, http.client.HTTPException) as error:
            self._fail(error)

    def close(self) -> None:
        """Ends the connection; call it always."""
        self._timer.cancel()
        if self._response is not None:  # the connection forgets an answer after which the server hangs up
            self._response.close()
        self._http.close()

    def _cut(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _fail(self, error: Exception) -> NoReturn:
        if "_socket" in vars(self):
            self._socket.close()
        raise _error(
            Phrase("{host} cannot be reached: {error}.", host=self._host, error=error),
            "Check the address, or try again later.",
        ) from error


def _left(deadline: float) -> float:
    """Seconds until the deadline. Raises NodeError when it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise _error(
            Phrase("The page took longer than {most_seconds} seconds.", most_seconds=f"{MOST_SECONDS:.0f}"),
            "Try again later.",
        )
    return left


def _page(url: str, response: http.client.HTTPResponse, deadline: float, check: Callable[[], None]) -> Page:
    kind = response.headers.get_content_type()
    if not (kind.startswith("text/") or kind in ("application/xhtml+xml", "application/json", "application/xml")):
        raise _error(
            Phrase("The address holds {kind}, which is no page of text.", kind=kind), "Download the file and attach it."
        )
    data = _body(response, deadline, check)
    return Page(url, kind, _decoded(data, response.headers.get_content_charset()))


def _body(response: http.client.HTTPResponse, deadline: float, check: Callable[[], None]) -> bytes:
    """The body, unpacked. Raises NodeError when it is larger than 5 MB, packed or unpacked."""
    data = bytearray()
    for _, block in _blocks(response, deadline, MOST_BYTES):
        check()
        data += block
    return bytes(data)


def _blocks(response: http.client.HTTPResponse, deadline: float, most: int) -> Iterator[tuple[int, bytes]]:
    """The body, unpacked, piece by piece, each with what has been received so far. Raises NodeError when it is more
    than `most`, packed or unpacked, OSError when it is not whole."""
    packed = response.headers.get("Content-Encoding", "").lower()
    if packed not in ("", "identity", "gzip", "x-gzip"):
        raise _error(
            Phrase("The page is packed as {packed}, which is not known.", packed=packed[:20]), "Try another address."
        )
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if packed.endswith("gzip") else None
    received = size = 0
    while block := response.read1(65536):
        _left(deadline)
        received += len(block)
        plain = unpack.decompress(block, most + 1 - size) if unpack else block
        size += len(plain)
        if received > most or size > most:
            raise _error(
                Phrase("The page is larger than {most_bytes} MB.", most_bytes=f"{most / 1e6:.0f}"),
                "Choose a smaller page.",
            )
        yield received, plain
    _left(deadline)  # a connection that was cut off ends like a complete one
    if response.length:
        raise OSError("the page is incomplete")


def _decoded(data: bytes, charset: str | None) -> str:
    declared = re.search(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{2,30})", data[:4096], re.IGNORECASE)
    return opening.decoded(data, charset, declared[1].decode("ascii", "ignore") if declared else None)
