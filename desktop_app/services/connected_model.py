"""The language model of the settings as a service that back ends ask: the program sends, and keeps the key.

Whether the model sees pictures is tried once for each server and model, with two small pictures of one colour.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from desktop_app.core.errors import BadReply
from desktop_app.core.settings import LOCAL, Settings
from desktop_app.llm.abilities import HERE, abilities
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.token_usage import Counted, Tally
from desktop_app.run.backends import availability, selection
from desktop_app.run.backends.availability import Connected
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel

_MOST_IMAGES, _MOST_CHARACTERS = 16, 1_000_000
_IMAGE_BYTES = 4 << 20
_ROLES = ("system", "user")
_COLOURS = {"red": (220, 20, 20), "blue": (20, 20, 220)}


def connected_of(settings: Settings) -> Connected | None:
    """The language model of the settings as back ends see it; None when none is set."""
    if not settings.llm_url:
        return None
    if settings.llm_url == LOCAL:
        return Connected(settings.llm_model or LOCAL, "", False, settings.connected)
    host = urlsplit(settings.llm_url).hostname or ""
    sees = abilities(settings.llm_url, settings.llm_model).sees is not False
    return Connected(settings.llm_model or host, "" if host in HERE else host, sees, settings.connected)


class ConnectedModel:
    """`tally` gives what counts what it costs."""

    def __init__(self, tally: Callable[[], Tally] = Tally) -> None:
        self._chat: ChatModel | None = None
        self._url = ""
        self.tally = tally

    def use(self, chat: ChatModel | None, settings: Settings) -> None:
        self._chat, self._url = chat, settings.llm_url
        availability.connect(connected_of(settings) if chat is not None else None)
        selection.look_again()

    async def serve(self, tool: str, service: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """As in Services: {"messages": [{"role", "text", "images"?}], "schema"?} gives {"text"}."""
        if self._chat is None:
            raise BadReply("No language model is connected.", "Choose one in the settings.")
        messages = _messages(request)
        if any(message.images for message in messages):
            await self._check_sight()
        chat = Counted(self._chat, self.tally())
        schema = request.get("schema")
        return {"text": await complete(chat, messages, schema if isinstance(schema, dict) else None)}

    async def _check_sight(self) -> None:
        """Raises BadReply for a model that does not see."""
        if not await self.sees():
            known = availability.connected()
            if known is not None:
                availability.connect(replace(known, sees=False))
            raise BadReply(
                Phrase("The language model {name} does not see pictures.", name=self._chat.name if self._chat else ""),
                "Choose another back end, or a language model that sees.",
            )

    async def sees(self) -> bool:
        """True when the model sees pictures; tried when it is not known. Raises BadReply when it cannot be asked."""
        chat = self._chat
        if chat is None or self._url == LOCAL:
            return False
        known = abilities(self._url, chat.name)
        if known.sees is None:
            known.sees = await _sees(Counted(chat, self.tally()))
            known.keep()
        return known.sees


async def _sees(chat: ChatModel) -> bool:
    """Tries it with two pictures. Raises BadReply when the server cannot be asked, which says nothing about sight."""
    asked = "Name the colour of each of these two pictures, in their order: two words."
    images = tuple(map(_picture, _COLOURS.values()))
    try:
        said = (await complete(chat, [ChatMessage("user", asked, images)])).lower()
    except BadReply as error:
        if 400 <= int(Phrase.of(error.message).values.get("status", 0)) < 500:
            return False
        raise
    places = [said.find(name) for name in _COLOURS]
    return min(places) >= 0 and places == sorted(places)


def _picture(colour: tuple[int, int, int]) -> str:
    """A PNG of 64 by 64 pixels in one colour, as a data: address."""
    from PIL import Image

    png = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(png, "PNG")
    return f"data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}"


def _messages(request: Mapping[str, Any]) -> list[ChatMessage]:
    """What a tool wants said, looked through: a tool file may write anything. Raises BadReply."""
    found: list[ChatMessage] = []
    given = request.get("messages")
    for message in given if isinstance(given, list) else ():
        role, text, images = message.get("role"), message.get("text"), message.get("images", [])
        fit = role in _ROLES and isinstance(text, str) and isinstance(images, list)
        if not fit or not all(_is_picture(image) for image in images):
            raise BadReply("The tool has a fault: what it wants to say is no message.", "")
        found.append(ChatMessage(role, text, tuple(images)))
    if not found or sum(len(m.images) for m in found) > _MOST_IMAGES:
        raise BadReply("The tool has a fault: what it wants to say is no message.", "")
    if sum(len(m.text) for m in found) > _MOST_CHARACTERS:
        raise BadReply("The text is too long for a language model.", "Shorten it, or use a part of it.")
    return found


def _is_picture(image: object) -> bool:
    beginnings = ("data:image/jpeg;base64,", "data:image/png;base64,")
    return isinstance(image, str) and image.startswith(beginnings) and len(image) <= _IMAGE_BYTES
