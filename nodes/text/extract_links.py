"""List the web addresses in a text."""

from __future__ import annotations

import re

from nodes._support.language.words import given_words
from nodes.api import Port, ResourceType, Text, Url, tool

_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'`\]\[{}|\\^]+", re.IGNORECASE)
_CLOSING = {")": "("}


@tool(
    id="extract_links",
    title="Extract links",
    domain="text",
    description="Lists the web addresses (URLs) that a text holds, each once, in order.",
    inputs=(Port("text", ResourceType.TEXT, "the text"),),
    outputs=(Port("urls", ResourceType.URL, "the web addresses", many=True),),
    backend="patterns",
    backend_title="Patterns",
    quality=0.9,
    examples=(
        "Extract the links from notes.txt",
        "Which web addresses are in this text?",
        "List all URLs in the letter",
    ),
    words=("links", "urls", "web addresses", "hyperlinks", "websites mentioned"),
    icon="link",
)
def extract_links(text: Text) -> tuple[Url, ...]:
    """http, https and www addresses; "www." gets "https://" before it. Marks that end a sentence are left off."""
    found = []
    for match in _LINK.findall(given_words(text)):
        link = _trimmed(match)
        if "." in link.partition("://")[2] or link.lower().startswith("www."):
            found.append(link if "://" in link else f"https://{link}")
    return tuple(dict.fromkeys(found))


def _trimmed(link: str) -> str:
    """Without the sentence's marks at its end; a bracket stays where one was opened inside."""
    while link and (link[-1] in ".,;:!?…。，、；：！？" or _opens_nothing(link)):
        link = link[:-1]
    return link


def _opens_nothing(link: str) -> bool:
    before = _CLOSING.get(link[-1])
    return link[-1] in "）」』》" or (before is not None and link.count(link[-1]) > link.count(before))
