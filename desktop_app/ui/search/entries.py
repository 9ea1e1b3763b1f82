"""What searches offer, and which of it answers a query, best first. Must not know widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting
from desktop_app.ui.support.formatting import translate
from nodes.api import Tool

_WEIGHTS = (100, 60, 60, 25)

_ICONS = {
    "image": "image", "mask": "venetian-mask", "audio": "audio-lines", "video": "film", "text": "file-text",
    "table": "table",
}  # fmt: skip

_FUZZY_FROM = 4
"""Words shorter than this are too much alike to be forgiven a letter."""
_LIKE = 76.0
_FUZZY, _TEXT, _WHOLE = 16.0, 22.0, 40.0
"""What is only like a word stays below what has the word, even in a long text and whatever the weights of kinds."""
_REFUSED = 0.4
_ABOUT = 36
MOST = 6


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
    import difflib  # here: the first window does without

    names = {entry.title.lower(): entry for entry in entries}
    close = difflib.get_close_matches(query.lower(), names, n=5, cutoff=0.55)
    return [(names[name], "") for name in close]


def icon_of(kind: str) -> str:
    return _ICONS.get(kind, "file")


def entry_of_resource(resource: Resource, workflow: Workflow, tools: Mapping[str, Tool]) -> SearchEntry:
    """The entry of a file or result, by its name: what is worth knowing of it, which node made it. Its group is
    "Results" or "Files".
    """
    kind = str(resource.type)
    known = resource.made_by in workflow.ids()
    source = translate("by {title}").format(title=workflow.title_of(resource.made_by, tools)) if known else ""
    told = " · ".join(part for part in (formatting.facts_of(resource), source) if part)
    return SearchEntry(
        resource.name, resource.name, told or formatting.type_word(kind), icon_of(kind), kind, outputs=(kind,),
        words=(formatting.type_word(kind), kind),
        group=translate("Results") if resource.made_by else translate("Files"),
    )  # fmt: skip


@dataclass(frozen=True)
class SearchItem:
    """An entry with what choosing it does. Ids tell things apart over all kinds. `weight` raises or lowers a kind;
    `text` is a long text in small letters, searched as a whole.
    """

    entry: SearchEntry
    act: Callable[[], object]
    weight: float = 1.0
    text: str = ""


@dataclass(frozen=True)
class Group:
    """Hits of one kind, best first, at most MOST of them of `total`; each with the further word that did it."""

    title: str
    hits: tuple[tuple[SearchEntry, str], ...]
    total: int


def rank(things: Iterable[SearchItem], query: str) -> list[Group]:
    """The groups that answer the query, that of the best hit first. What cannot be done now comes last in its group."""
    tokens = query.lower().split()
    found: dict[str, list[tuple[float, SearchEntry, str]]] = {}
    for thing in things:
        points, entry, also = _points(thing, query, tokens)
        if points:
            points *= thing.weight * (_REFUSED if entry.refused else 1.0)
            found.setdefault(entry.group, []).append((points, entry, also))
    for hits in found.values():
        hits.sort(key=lambda hit: (bool(hit[1].refused), -hit[0]))  # else as they were given
    ordered = sorted(found.items(), key=lambda pair: (bool(pair[1][0][1].refused), -pair[1][0][0]))
    return [Group(title, tuple((entry, also) for _, entry, also in hits[:MOST]), len(hits)) for title, hits in ordered]


def _points(thing: SearchItem, query: str, tokens: Sequence[str]) -> tuple[float, SearchEntry, str]:
    """How well the thing answers (0: not at all), its entry with the place in its text, and the further word."""
    entry = thing.entry
    points, also = score(entry, query)
    if points:
        whole = _WHOLE if entry.title.lower().startswith(query.strip().lower()) else 0.0
        return points / len(tokens) + whole, entry, also
    if thing.text and all(token in thing.text or token in entry.title.lower() for token in tokens):
        return _TEXT, replace(entry, detail=excerpt(thing.text, tokens)), ""
    return _likeness(entry, tokens), entry, ""


def _likeness(entry: SearchEntry, tokens: Sequence[str]) -> float:
    """For words with a typing error: how much alike the least alike of them is to a word of the title, or to one of
    the further words; 0 when one is like nothing.
    """
    from rapidfuzz import fuzz, process  # here: the first window does without

    said = {word for text in (entry.title, *entry.words) for word in text.lower().split()}
    least = 100.0
    for token in tokens:
        if token in said:
            continue
        if len(token) < _FUZZY_FROM or (best := process.extractOne(token, said, scorer=fuzz.ratio)) is None:
            return 0.0
        least = min(least, best[1])
    return _FUZZY * least / 100 if least >= _LIKE else 0.0


def excerpt(text: str, tokens: Sequence[str]) -> str:
    """The piece of a text round the first of the words that it has, on one line."""
    places = [at for token in tokens if (at := text.find(token)) >= 0]
    start = max(0, min(places, default=0) - _ABOUT)
    if start:
        start = text.find(" ", start, start + _ABOUT) + 1 or start
    piece = " ".join(text[start : start + 4 * _ABOUT].split())
    return f"…{piece}" if start else piece
