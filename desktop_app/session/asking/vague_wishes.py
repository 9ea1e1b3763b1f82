"""Wishes that do not say what shall be done ("make it nicer"), and what can be done with a file of that kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

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
    "text": ("clean_text", "correct_grammar", "simplify", "summarise", "translate"),
    "table": ("chart", "table_statistics", "remove_duplicates", "sort_table"),
    "html": ("html_to_text", "summarise"),
    ".pdf": ("compress_pdf", "document_facts", "read_document"),
    "file": ("correct_grammar", "summarise", "convert_document", "document_facts"),
}
"""What people mostly want of a kind of file, or of files of that name's ending."""
_AROUND = ("vague", "vague_beside", "slightly", "filler", "picture", "no")


def is_vague(text: str) -> bool:
    """True where each word says that something shall be done or be better, and none says what."""
    said = MessageWords(text)
    return said.has("vague") and not said.left(_AROUND)


def wanted(type: str, name: str = "") -> tuple[str, ...]:
    """The tools that people mostly want for a file of that type and name."""
    return _USUAL.get(PurePath(name).suffix.lower()) or _USUAL.get(type, ())


def usual(type: str, name: str, tools: Mapping[str, Tool]) -> dict[str, str]:
    """Wishes for a file of that type and name, in the language in use, and the tool for each: one that works now."""
    ready = [tools[id] for id in wanted(type, name) if id in tools]
    ready = [tool for tool in ready if any(backend.quality > READY for backend in tool.backends)]
    return {offer.value: tool.id for tool in ready for offer in offers_of((tool,), (type,))}
