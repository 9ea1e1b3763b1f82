"""Wishes that do not say what shall be done ("make it nicer"), and what can be done with a file of that kind."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.types import READY
from desktop_app.session.conversation import offers_of
from nodes.api import Tool

MOST = 4
"""So many things to do are offered."""

_USUAL: Mapping[str, tuple[str, ...]] = {
    "image": ("auto_contrast", "sharpen", "denoise", "brightness_contrast", "crop"),
    "audio": ("clean_audio", "normalise_loudness", "change_volume", "cut_silence"),
    "video": ("stabilise_video", "video_effect", "trim_video", "mute_video"),
    "text": ("correct_grammar", "simplify", "summarise", "translate"),
    "table": ("chart", "table_statistics", "remove_duplicates"),
    "file": ("compress_pdf", "document_facts", "read_document"),
}
"""What people mostly want of a kind of file."""
_AROUND = ("vague", "filler", "picture", "no")


def is_vague(text: str) -> bool:
    """True where each word says that something shall be done or be better, and none says what."""
    said = MessageWords(text)
    return said.has("vague") and not said.left(_AROUND)


def usual(type: str, tools: Mapping[str, Tool]) -> list[str]:
    """Wishes for a file of that type, in the language in use, by tools that work now."""
    ready = [tools[id] for id in _USUAL.get(type, ()) if id in tools]
    ready = [tool for tool in ready if any(backend.quality > READY for backend in tool.backends)]
    return [offer.value for tool in ready for offer in offers_of((tool,), (type,))]
