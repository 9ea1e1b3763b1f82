"""Services on servers that the settings name, for pictures and sound, as back ends ask them: the program sends, and
keeps the key.

Two protocols: that of OpenAI, which many servers speak, and Hugging Face inference. A request of a tool is looked
through: a tool file may write anything.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import functools
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from desktop_app.core.errors import BadReply
from desktop_app.core.settings import ENDPOINTS, OPENAI, Settings, shown
from desktop_app.llm import credentials
from desktop_app.llm.abilities import HERE
from desktop_app.llm.response_limits import WHOLE_BYTES, bounded
from desktop_app.run.backends import availability, selection
from desktop_app.run.backends.availability import Connected
from nodes.phrase import Phrase

HUB = "https://router.huggingface.co/hf-inference"
"""Where Hugging Face runs models for whoever asks."""
_MOST_CHARACTERS = 100_000
_FILE_BYTES = 11 << 20
"""Of a picture or a sound, either way: in letters it is a third more, and has to fit into a worker's line."""
_SAID_CHARACTERS = 300
_SIZES = ((1024, 1024), (1536, 1024), (1024, 1536))
_PICTURE = re.compile(r"data:image/(png|jpeg);base64,")


@dataclass(frozen=True)
class Endpoint:
    """One service: a model at the base URL of a server."""

    url: str
    model: str
    protocol: str
    voice: str = ""

    @property
    def place(self) -> str:
        """The server's name, "" for this computer."""
        host = urlsplit(self.url).hostname or ""
        return "" if host in HERE else host


class ServiceRequest:
    """What a tool asks for, of which each part is checked when it is taken. Raises BadReply for what is none."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        """A text, "" when none is given."""
        return self._of(name, str, "")

    def number(self, name: str) -> float | None:
        """A number, None when none is given."""
        return self._of(name, (int, float), None)

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A PNG or JPEG with its kind, None when none is given."""
        data = self._of(name, str, "", 2 * _FILE_BYTES)
        kind = _PICTURE.match(data)
        if data and kind is None:
            raise _fault()
        return (_bytes(data[kind.end() :]), kind[1]) if kind else None

    def sound(self, name: str) -> bytes:
        """A FLAC file."""
        return _bytes(self._of(name, str, "", 2 * _FILE_BYTES))

    def _of(self, name: str, kind: Any, missing: Any, most: int = _MOST_CHARACTERS) -> Any:
        value = self._given.get(name)
        if value is None:
            return missing
        if not isinstance(value, kind) or isinstance(value, bool) or (isinstance(value, str) and len(value) > most):
            raise _fault()
        return value


class Hosted:
    def __init__(self) -> None:
        self._settings = Settings()
        self._endpoints: dict[str, Endpoint] = {}

    def use(self, settings: Settings) -> None:
        self._settings = settings
        self._endpoints = {name: Endpoint(**about) for name, about in settings.endpoints.items()}
        for service in ENDPOINTS:
            endpoint = self._endpoints.get(service)
            known = endpoint and Connected(endpoint.model or endpoint.place, endpoint.place, True, settings.connected)
            availability.connect(known, service)
        selection.look_again()

    async def serve(self, tool: str, service: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """As in Services. What is asked and answered is what the functions below take and give."""
        endpoint = self._endpoints.get(service)
        if endpoint is None:
            raise BadReply("No service on a server is named for this.", "Name a service for it in the settings.")
        key = await asyncio.to_thread(credentials.key_for_service, endpoint.url, self._settings.llm_url)
        ask = (_OPENAI if endpoint.protocol == OPENAI else _HUGGING_FACE)[service]
        return await ask(_HttpServer(endpoint, key, self._settings.llm_total_seconds), ServiceRequest(request))


class _Refused(BadReply):
    """The server did not take the request as it is."""


@dataclass(frozen=True)
class _HttpServer:
    """Sends, and reads what comes back. `seconds` is how long an answer may take in all."""

    endpoint: Endpoint
    key: str
    seconds: float

    async def answer(self, path: str, **sent: Any) -> bytes:
        """The body of the answer to what is posted to the path. Raises BadReply."""
        import httpx2

        url, place = f"{self.endpoint.url.rstrip('/')}{path}", shown(self.endpoint.url)
        keyed = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers = keyed | {"Accept-Encoding": "identity"} | sent.pop("headers", {})
        hook = functools.partial(bounded, line_bytes=WHOLE_BYTES)
        try:
            async with (
                asyncio.timeout(self.seconds),
                httpx2.AsyncClient(timeout=self.seconds, event_hooks={"response": [hook]}) as client,
            ):
                response = await client.post(url, headers=headers, **sent)
        except (TimeoutError, httpx2.TimeoutException) as error:
            took = f"{self.seconds:g}"
            raise BadReply(Phrase("The service at {url} did not answer in {seconds} s.", url=place, seconds=took),
                           "Try again in a while.") from error  # fmt: skip
        except httpx2.HTTPError as error:
            raise BadReply(Phrase("The service at {url} cannot be reached.", url=place), "Is it started?") from error
        except (ValueError, httpx2.InvalidURL) as error:
            raise BadReply(Phrase("'{url}' is no address of a server.", url=place), "") from error
        status = response.status_code
        if 300 <= status < 400:
            from desktop_app.llm.model_listing import led_away  # here: the first window does without a client of HTTP

            raise led_away(self.endpoint.url, response.headers.get("location", ""))
        if status != 200:
            said = Phrase("The service at {url} answered {status}: {said}.", url=place, status=status,
                          said=self._complaint(response.content))  # fmt: skip
            raise (_Refused if status in (400, 422) else BadReply)(said, _remedy(status))
        return response.content

    async def values(self, path: str, **sent: Any) -> Any:
        """The answer as JSON. Raises BadReply."""
        try:
            return json.loads(await self.answer(path, **sent))
        except (ValueError, RecursionError) as error:
            raise self.unreadable() from error

    def unreadable(self) -> BadReply:
        return BadReply(Phrase("What the service at {url} answered cannot be read.", url=shown(self.endpoint.url)), "")

    def _complaint(self, body: bytes) -> str:
        try:
            found = json.loads(body)
            error = found.get("error", found) if isinstance(found, dict) else found
            error = error.get("message", error) if isinstance(error, dict) else error
            text = str(error[0] if isinstance(error, list) and error else error)
        except (ValueError, RecursionError):
            text = body[:_SAID_CHARACTERS].decode("utf-8", "replace")
        text = text.replace(self.key, "(key)") if len(self.key) > 3 else text
        return " ".join(text.split()).rstrip(".")[:_SAID_CHARACTERS]


# OpenAI: {url}/images/generations, /images/edits, /audio/speech, /audio/transcriptions


async def _images(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    """{"prompt", "negative", "width", "height"} gives {"image"}."""
    width, height = wish.number("width"), wish.number("height")
    about: dict[str, Any] = {"model": server.endpoint.model, "prompt": _described(wish), "n": 1}
    if width and height:
        about["size"] = "{}x{}".format(*min(_SIZES, key=lambda size: abs(size[0] / size[1] - width / height)))
    return await _one_picture(server, lambda more: server.values("/images/generations", json=about | more))


async def _edits(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    """{"prompt", "image", "mask"?} gives {"image"}. Where the mask is clear is painted."""
    files = {}
    for name in ("image", "mask"):
        found = wish.picture(name)
        if found:
            files[name] = (f"{name}.{found[1]}", found[0], f"image/{found[1]}")
    about = {"model": server.endpoint.model, "prompt": wish.text("prompt")}
    return await _one_picture(server, lambda more: server.values("/images/edits", data=about | more, files=files))


async def _one_picture(server: _HttpServer, ask: Callable[[dict[str, str]], Awaitable[Any]]) -> dict[str, Any]:
    """The picture itself is asked for, not where it lies; some servers send nothing else, and refuse that word."""
    try:
        found = await ask({"response_format": "b64_json"})
    except _Refused as error:
        if "response_format" not in str(error):
            raise
        found = await ask({})
    try:
        return {"image": _letters(_bytes(found["data"][0]["b64_json"]))}
    except (KeyError, IndexError, TypeError, BadReply) as error:
        raise server.unreadable() from error


async def _speech(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    """{"text", "speed"} gives {"audio"}, a file."""
    about = {"model": server.endpoint.model, "input": wish.text("text"), "voice": server.endpoint.voice or "alloy"}
    speed = wish.number("speed")
    about |= {"response_format": "wav"} | ({"speed": speed} if speed not in (None, 1) else {})
    return {"audio": _letters(await server.answer("/audio/speech", json=about))}


async def _transcription(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    """{"audio", "language"} gives {"text"}. The language is a code, "" for whichever it is."""
    about = {"model": server.endpoint.model, "response_format": "json"}
    about |= {"language": wish.text("language")} if wish.text("language") else {}
    files = {"file": ("audio.flac", wish.sound("audio"), "audio/flac")}
    return _text(server, await server.values("/audio/transcriptions", data=about, files=files))


# Hugging Face: {url}/models/{model}, or the address itself where one model has a server of its own


def _place(server: _HttpServer) -> str:
    return f"/models/{server.endpoint.model}" if server.endpoint.model else ""


async def _hf_images(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    names = ("width", "height", "seed")
    wanted = {name: wish.number(name) for name in names} | {"negative_prompt": wish.text("negative") or None}
    given = {name: value for name, value in wanted.items() if value is not None}
    body = {"inputs": wish.text("prompt"), "parameters": given}
    return {"image": _letters(await server.answer(_place(server), json=body, headers={"Accept": "image/png"}))}


async def _hf_edits(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    found = wish.picture("image")
    if wish.picture("mask") or not found:
        said = "A service of Hugging Face paints whole pictures, not a part of one."
        raise BadReply(said, "Choose another back end.")
    body = {"inputs": base64.b64encode(found[0]).decode(), "parameters": {"prompt": wish.text("prompt")}}
    return {"image": _letters(await server.answer(_place(server), json=body))}


async def _hf_speech(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    return {"audio": _letters(await server.answer(_place(server), json={"inputs": wish.text("text")}))}


async def _hf_transcription(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    headers = {"Content-Type": "audio/flac"}
    found = await server.values(_place(server), content=wish.sound("audio"), headers=headers)
    return _text(server, found)


async def _hf_looking(server: _HttpServer, wish: ServiceRequest) -> dict[str, Any]:
    """{"image"} gives {"found"}: a list of {"label", "score"}, and for things {"box": {"xmin", ...}} in its pixels."""
    image = wish.picture("image")
    if image is None:
        raise _fault()
    headers = {"Content-Type": f"image/{image[1]}"}
    found = await server.values(_place(server), content=image[0], headers=headers)
    if not isinstance(found, list):
        raise server.unreadable()
    return {"found": found[:1000]}


_Ask = Callable[[_HttpServer, ServiceRequest], Awaitable[dict[str, Any]]]
_OPENAI: Mapping[str, _Ask] = {
    "images": _images, "edits": _edits, "speech": _speech, "transcription": _transcription,
}  # fmt: skip
_HUGGING_FACE: Mapping[str, _Ask] = {
    "images": _hf_images, "edits": _hf_edits, "speech": _hf_speech, "transcription": _hf_transcription,
    "classification": _hf_looking, "detection": _hf_looking,
}  # fmt: skip


def _described(wish: ServiceRequest) -> str:
    """This protocol has no place of its own for what is not wanted."""
    negative = wish.text("negative")
    return wish.text("prompt") + (f"\nDo not show: {negative}" if negative else "")


def _text(server: _HttpServer, found: Any) -> dict[str, Any]:
    text = found.get("text") if isinstance(found, dict) else None
    if not isinstance(text, str) or len(text) > _MOST_CHARACTERS:
        raise server.unreadable()
    return {"text": text.strip()}


def _letters(data: bytes) -> str:
    if len(data) > _FILE_BYTES:
        raise BadReply("What the service sent is too large.", "")
    return base64.b64encode(data).decode()


def _bytes(letters: str) -> bytes:
    try:
        data = base64.b64decode(letters, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise _fault() from error
    if not data or len(data) > _FILE_BYTES:
        raise BadReply("The picture or sound is too large for a service on a server.", "Make it smaller or shorter.")
    return data


def _fault() -> BadReply:
    return BadReply("The tool has a fault: what it wants done is no request.", "")


def _remedy(status: int) -> str:
    if status in (401, 403):
        return "Check its key in the settings."
    if status == 404:
        return "Check its address and its model in the settings."
    return "Try again in a while." if status == 429 or status >= 500 else ""
