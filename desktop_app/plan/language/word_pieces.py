"""Words as the pieces that the tagger knows: the likeliest cutting by a unigram model (Kudo 2018)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

BEGIN, PAD, END, UNKNOWN = range(4)
"""Places of the four pieces that are no text."""

_SPACE = "\u2581"
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_PARTS = re.compile(rf"(?P<run>{_IDEOGRAPH.pattern}+)[^\w]*|(?:(?!{_IDEOGRAPH.pattern})\S)+")
_LONGEST = 16
_STRANGE = -30.0


class WordPieces:
    """`pieces` has the place of each piece, `scores` the logarithm of its probability by place."""

    def __init__(self, pieces: Mapping[str, int], scores: tuple[float, ...]) -> None:
        self._pieces, self._scores = pieces, scores
        self.places = lru_cache(maxsize=4096)(self._places)

    def _places(self, word: str) -> tuple[int, ...]:
        """Of the pieces of a word, as it stands between spaces; of Chinese writing as it stands between any signs."""
        text = unicodedata.normalize("NFKC", word).strip().replace(" ", _SPACE)
        if not text:
            return (UNKNOWN,)
        return tuple(place for place, _ in self._cut(text if _IDEOGRAPH.match(text) else _SPACE + text))

    def words(self, run: str) -> list[tuple[int, int]]:
        """Places in a run of Chinese writing of its likeliest words."""
        found, at = list[tuple[int, int]](), 0
        for _, length in self._cut(run):
            found.append((at, at + length))
            at += length
        return found

    def _cut(self, text: str) -> list[tuple[int, int]]:
        """The likeliest pieces, with how many signs each has."""
        best = [0.0] + [-1e9] * len(text)
        back = [(0, UNKNOWN)] * (len(text) + 1)
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + _LONGEST) + 1):
                place = self._pieces.get(text[start:end], UNKNOWN if end == start + 1 else -1)
                if place < 0:
                    continue
                score = best[start] + (self._scores[place] if place > UNKNOWN else _STRANGE)
                if score > best[end]:
                    best[end], back[end] = score, (start, place)
        found: list[tuple[int, int]] = []
        at = len(text)
        while at:
            start, place = back[at]
            found.append((place, at - start))
            at = start
        return found[::-1]


def units_of(text: str, pieces: WordPieces) -> list[tuple[int, int]]:
    """The words of a text as places in it, with the punctuation that touches them."""
    found: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", text):
        for part in _PARTS.finditer(word[0]):
            start = word.start() + part.start()
            own = pieces.words(part["run"]) if part["run"] else [(0, len(part[0]))]
            found += [(start + a, start + b) for a, b in own]
            found[-1] = found[-1][0], word.start() + part.end()
    return found
