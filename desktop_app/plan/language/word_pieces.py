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
        if not _IDEOGRAPH.match(text):
            text = _SPACE + text
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
        found: list[int] = []
        at = len(text)
        while at:
            at, place = back[at]
            found.append(place)
        return tuple(reversed(found))
