"""Which of several files a wish means where its words count them, number them, or say that all of them are meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from desktop_app.plan.arguments.number_words import number_at
from desktop_app.plan.arguments.value_tables import Word, tables, words_of
from desktop_app.plan.ranking.wish_files import name_words
from desktop_app.plan.types import Given

_HARDLY, _PERHAPS, _RATHER = 0.05, 0.2, 0.35
"""A file that is less probable is not among all; not among so many; not among all where some are spared."""
_MOST = 30
"""Files are numbered up to this."""


def files_said(
    shares: Mapping[str, float],
    files: Sequence[Given],
    text: str,
    own: tuple[int, int],
    before: tuple[int, int],
    is_free: Callable[[int], bool],
) -> list[str]:
    """Those of the files that the words of a wish mean; empty where they tell nothing. `shares` are how probable each
    is (0..1), all of one type; `own` and `before` the offsets of its words and of those between the wish before and it;
    `is_free` is false for an offset at which the value of an input stands.
    """
    words = words_of(text)
    heard = [w for w in words if is_free(w.start)]
    mine, earlier = ([w for w in heard if start <= w.start < end] for start, end in (own, before))
    numbers = _numbered(shares, files)
    begun = max((place + 1 for place, word in enumerate(earlier) if word.kind == "break"), default=0)
    for some in ([*earlier[begun:], *mine], earlier):
        said = {n for n in _figures(some) if n in numbers}
        if said:
            return [name for n, name in numbers.items() if n in said]
    spared, own_spared = (any(w.text in tables().small["spared"] for w in some) for some in (heard, mine))
    counts = {n for n in _counts(mine) if 2 <= n <= len(shares)} - {*numbers}
    names = {word.lower() for file in files for word in name_words(file.called or file.name)}
    if any(w.text in names for w in words if own[0] <= w.start < own[1] and number_at([w], 0)):
        return []  # "stanza two"
    if len(counts) == 1:
        count = counts.pop()
        likeliest = sorted(shares, key=lambda name: -shares[name])[:count]
        if (count == len(shares) and not own_spared) or shares[likeliest[-1]] >= _PERHAPS:
            return [name for name in shares if name in likeliest]
        return []
    if any(w.text in tables().small["every"] for w in (*mine, *earlier)):
        least = _RATHER if spared else _HARDLY
        kept = [name for name, share in shares.items() if share >= least]
        return kept if max(shares.values()) > _RATHER else []
    return []


def _numbered(shares: Mapping[str, float], files: Sequence[Given]) -> dict[int, str]:
    """The files by the numbers in their names, where each has one of its own."""
    found: dict[int, str] = {}
    called = {file.name: file.called or file.name for file in files}
    digits = {name: {int(w) for w in name_words(called[name])[:-1] if w.isdigit() and len(w) < 4} for name in shares}
    shared = set[int].intersection(*digits.values()) if digits else set[int]()
    for name, own in digits.items():
        if len(own - shared) != 1:
            return {}
        found[(own - shared).pop()] = name
    return found if len(found) == len(shares) else {}


def _figures(words: Sequence[Word]) -> list[int]:
    """The whole numbers in figures, with all of "1 to 4"."""
    found: list[int] = []
    for place, word in enumerate(words):
        if word.kind != "number" or not word.text.isdigit() or int(word.text) > _MOST:
            continue
        number = int(word.text)
        ranged = place > 1 and words[place - 1].text in tables().joints["range"] and words[place - 2].text.isdigit()
        found += range(int(words[place - 2].text), number + 1) if ranged else [number]
    return found


def _counts(words: Sequence[Word]) -> list[int]:
    """The numbers in words, and "both"."""
    found = [number_at(words, place) for place in range(len(words))]
    both = [2 for word in words if word.text in tables().small["both"]]
    return [int(number) for number, _ in (one for one in found if one) if number == int(number)] + both
