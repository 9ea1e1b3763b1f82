"""What a search offers, and which of it answers a query. Pure; it knows neither widgets nor workflows."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.i18n import catalogue
from nodes.api import Tool

_WEIGHTS = (100, 60, 60, 25)


@dataclass(frozen=True)
class SearchEntry:
    """Something to be found. `words` are further words for it; `refused` says why it cannot be chosen,
    `lack` what has to be fetched before it can run, `keys` what does the same."""

    id: str
    title: str
    detail: str = ""
    icon: str = "box"
    type: str = "any"
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    group: str = ""
    refused: str = ""
    lack: str = ""
    keys: str = ""


def entry_of(tool: Tool, refused: str = "", lack: str = "") -> SearchEntry:
    needed = tuple(str(p.type) for p in tool.inputs if p.required)
    gives = tuple(str(p.type) for p in tool.outputs)
    detail = refused or tool.description.split("。")[0].split(". ")[0].rstrip(".")
    return SearchEntry(
        tool.id, tool.title, detail, tool.icon or "box", gives[0] if gives else "any", needed, gives,
        (*tool.words, tool.id.replace("_", " ")), domain_words(tool.domain), refused, lack,
    )  # fmt: skip


def domain_words(domain: str) -> str:
    return catalogue.find(domain, "domains") or domain.capitalize()


def in_order(title: str) -> bytes:
    """What titles are sorted by: Latin letters first, then the usual Chinese characters as they sound (GB 2312)."""
    return title.encode("gb18030")


def score(entry: SearchEntry, query: str) -> tuple[float, str]:
    """How well the entry answers the query (0: not at all), and the further word that did it, if one did.

    Every word of the query must begin a word of the title, of the further words, or of the detail.
    """
    total, also = 0.0, ""
    fields = (entry.title.lower(), *(w.lower() for w in entry.words), entry.detail.lower())
    last = len(fields) - 1
    for token in query.lower().split():
        best, by = 0.0, ""
        for i, text in enumerate(fields):
            weight = _WEIGHTS[0] if i == 0 else _WEIGHTS[3] if i == last else _WEIGHTS[1]
            found = _match(token, text) * weight
            if found > best:
                best, by = found, text if 0 < i < last else ""
        if not best:
            return 0.0, ""
        total += best
        also = also or by
    return total, also if also not in entry.title.lower() else ""


def _match(token: str, text: str) -> float:
    if text == token:
        return 1.5
    if text.startswith(token):
        return 1.2
    if any(word.startswith(token) for word in text.replace("-", " ").split()):
        return 1.0
    telling = len(token) > 2 or not token.isascii()  # two Chinese characters are a word
    return 0.4 if telling and token in text else 0.0


def find(entries: Sequence[SearchEntry], query: str) -> list[tuple[SearchEntry, str]]:
    """The entries that answer the query, best first, each with the further word that did it. Typing errors
    are forgiven when nothing else is found. An empty query finds all in their order.
    """
    if not query.strip():
        return [(entry, "") for entry in entries]
    scored = [(score(entry, query), entry) for entry in entries]
    hits = sorted(((s, also, e) for (s, also), e in scored if s > 0), key=lambda hit: (-hit[0], hit[2].title))
    if hits:
        return [(entry, also) for _, also, entry in hits]
    names = {entry.title.lower(): entry for entry in entries}
    close = difflib.get_close_matches(query.lower(), names, n=5, cutoff=0.55)
    return [(names[name], "") for name in close]
