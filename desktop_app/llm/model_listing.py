"""Asks an OpenAI-compatible server which models it offers: the cheapest sign that it is there and lets one in."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urljoin, urlsplit

from desktop_app.core.errors import BadReply
from desktop_app.core.settings import shown
from nodes.phrase import Phrase

_MOST_BYTES = 8_000_000


def offered(url: str, key: str = "", seconds: float = 10.0) -> tuple[str, ...]:
    """The ids of the models at base URL `url`, sorted. Waits for the network, so it is called on a thread.

    Raises BadReply that says what went wrong and what to do.
    """
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise BadReply(
            Phrase("'{url}' is no address of a server.", url=shown(url)), "It begins with http:// or https://."
        )
    try:
        data = asked(f"{url.rstrip('/')}/models", key, seconds)
        return tuple(sorted(str(model["id"]) for model in data["data"]))
    except urllib.error.HTTPError as error:
        error.close()
        if 300 <= error.code < 400:
            raise led_away(url, str(error.headers.get("Location", ""))) from error
        raise BadReply(
            Phrase("The server answered {code} ({reason}).", code=error.code, reason=error.reason),
            _remedy(error.code, key),
        ) from error
    except TimeoutError as error:
        raise BadReply(
            Phrase("The server did not answer in {seconds} s.", seconds=f"{seconds:g}"), "Is it still starting?"
        ) from error
    except OSError as error:
        why = getattr(error, "reason", error)
        why = getattr(why, "strerror", None) or why
        raise BadReply(
            Phrase("The server cannot be reached ({why}).", why=why), "Start it, or check the address."
        ) from error
    except Exception as error:  # an edge: what a stranger's server sends may be of any form
        raise BadReply("Something answers, but not with a list of models.", "The address often ends in /v1.") from error


def asked(address: str, key: str, seconds: float) -> Any:
    """The JSON at an address. Raises whatever goes wrong."""
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {key}"} if key else {})
    with urllib.request.build_opener(Stays).open(request, timeout=seconds) as reply:
        return json.loads(_read(reply, seconds))


def _read(reply: HTTPResponse, seconds: float) -> bytes:
    """The body, as far as it comes in that time: the time-out of the connection starts anew with each byte."""
    end, data = time.monotonic() + seconds, b""
    while len(data) < _MOST_BYTES and (block := reply.read1(1 << 16)):
        data += block
        if time.monotonic() > end:
            raise TimeoutError
    return data


class Stays(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key would go along."""

    def redirect_request(self, *_: object) -> None:
        return None


def led_away(url: str, place: str) -> BadReply:
    """The error for a server at `url` that sends what it is asked to another place: an address, or a path on it."""
    try:
        address = urljoin(url, place)
    except ValueError:
        address = place
    return BadReply(
        Phrase(
            "The language model's server leads to another address ({address}), and nothing was sent there.",
            address=shown(address),
        ),
        "If you trust that address, set it in the settings.",
    )


def _remedy(code: int, key: str) -> str:
    if code in (401, 403):
        return "It does not accept the key." if key else "It wants a key: set GRAPHWRIGHT_API_KEY and start again."
    return "The address often ends in /v1." if code == 404 else "Try again later."
