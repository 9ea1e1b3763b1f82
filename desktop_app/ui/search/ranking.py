"""What the search for everything offers, and which of it answers a query. Pure; it knows neither widgets nor window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_app.ui.search.search_entry import SearchEntry, score

_FUZZY_FROM = 4
"""Words shorter than this are too much alike to be forgiven a letter."""
_LIKE = 76.0
_FUZZY, _INITIALS, _TEXT, _WHOLE = 16.0, 40.0, 22.0, 40.0
"""What is only like a word stays below what has the word, even in a long text and whatever the weights of kinds."""
_REFUSED = 0.4
_ABOUT = 36
MOST = 6


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
    if _initials(entry.title).startswith(query.strip().lower()) and len(query.strip()) > 1:
        return _INITIALS, entry, ""
    return _likeness(entry, tokens), entry, ""


def _initials(title: str) -> str:
    return "".join(word[0] for word in title.lower().split())


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
