"""The part of a request that one tool has to do with, and what is worth knowing about its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from desktop_app.plan.arguments.quantities import Quantity, quantities
from desktop_app.plan.arguments.value_marks import ValueMarks
from desktop_app.plan.arguments.value_tables import Sense, Word, negated, read_words, tables
from desktop_app.plan.language.segmentation import with_contents
from desktop_app.plan.language.tokenizer import Token

_AND = frozenset(("and", "und", "et", "y", "or"))


@dataclass(frozen=True)
class Hit:
    """A sense found at words `first` to `last`; its sign is already turned for "too dark" and "less bright"."""

    sense: Sense
    first: int
    last: int


@dataclass(frozen=True)
class Clause:
    """Stretches of a request: `spans` are pairs of offsets. Places of words count through the whole request."""

    text: str
    spans: tuple[tuple[int, int], ...]
    marks: ValueMarks | None = None
    """Where the tagger has read the request: which of its words are the value of which input."""

    @staticmethod
    def of(text: str, tokens: Iterable[Token] | None = None, marks: ValueMarks | None = None) -> Clause:
        """The stretches that these tokens of the request cover; the whole request without tokens."""
        if tokens is None:
            return _clause(text, ((0, len(text)),), marks)
        return _clause(text, _stretches(text, frozenset((token.start, token.end) for token in tokens)), marks)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the whole request."""
        return read_words(self.text)

    @cached_property
    def places(self) -> frozenset[int]:
        """Places of the words that belong to the clause."""
        return frozenset(i for i, word in enumerate(self.words) if self.covers(word.start, word.end))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the clause that are not negated."""
        return tuple(q for q in quantities(self.text) if q.at in self.places and not self._denied(q))

    @cached_property
    def mentions(self) -> tuple[Token, ...]:
        """The files, addresses and quoted texts of the clause."""
        return tuple(t for t in _mentions(self.text) if self.covers(t.start, t.end))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of the clause, and their stems."""
        words = [self.words[place] for place in self.places]
        texts = frozenset(w.text for w in words)
        elided = frozenset(text.partition("'")[2] for text in texts if "'" in text)
        return texts | elided | frozenset(w.stem for w in words if w.kind == "word")

    @cached_property
    def quotes(self) -> tuple[Token, ...]:
        """The quoted texts of the clause."""
        return tuple(t for t in self.mentions if t.kind == "quote")

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """Words for more or less of a quality."""
        return tuple(self._hits())

    def covers(self, start: int, end: int) -> bool:
        """True when this stretch of the request belongs to the clause."""
        return any(first <= start and end <= last for first, last in self.spans)

    def _denied(self, quantity: Quantity) -> bool:
        before = self.words[quantity.first - 1] if quantity.first else None
        return before is not None and before.text in tables().small["no"] and before.text not in ("no",)

    def _hits(self) -> Iterator[Hit]:
        for _, first, last in tables().senses.all(self.words):
            if first not in self.places or negated(self.words, first) or self._attributive(first, last):
                continue
            before = [w.text for w in self.words[max(0, first - 2) : first]]
            small = tables().small
            turned = any(w in small["too"] for w in before) or bool({*before[-1:]} & small["less"])
            for sense in tables().senses.all_of(self.words, first, last):  # "alto" is loud, and high
                yield Hit(Sense(sense.quality, -sense.sign if turned else sense.sign), first, last)

    def _attributive(self, first: int, last: int) -> bool:
        """ "the dark room": the word tells which, not what shall become of it, as it does in "a darker room"."""
        if first == 0 or last + 1 >= len(self.words) or first != last:
            return False
        before, after = self.words[first - 1], self.words[last + 1]
        if before.text in ("a", "an") and self.words[first].text.endswith("er"):
            return False
        determiner = before.text in {
            *tables().small["these"],
            "the",
            "a",
            "an",
            "this",
            "das",
            "die",
            "der",
            "le",
            "la",
        }
        return determiner and after.kind == "word" and after.text not in tables().small["glue"]


@lru_cache(maxsize=512)
def _clause(text: str, spans: tuple[tuple[int, int], ...], marks: ValueMarks | None) -> Clause:
    """The same clause for the next tool, with what is known about it already."""
    return Clause(text, spans, marks)


@lru_cache(maxsize=256)
def _mentions(text: str) -> tuple[Token, ...]:
    return tuple(token for token in with_contents(text) if token.kind in ("file", "url", "quote"))


@lru_cache(maxsize=512)
def _stretches(text: str, spans: frozenset[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(_merged(sorted(spans), text))


def _merged(spans: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Spans with only spaces, signs or "and" between them become one; a sign around them is taken in."""
    current: tuple[int, int] | None = None
    for start, end in spans:
        if current and (start <= current[1] or _joins(text[current[1] : start])):
            current = (current[0], max(end, current[1]))
            continue
        if current:
            yield _widened(current, text)
        current = (start, end)
    if current:
        yield _widened(current, text)


def _joins(between: str) -> bool:
    words = between.lower().split()
    return not any(c.isalnum() for c in between) or (len(words) == 1 and words[0] in _AND)


def _widened(span: tuple[int, int], text: str) -> tuple[int, int]:
    start, end = span
    while start and not text[start - 1].isalnum() and text[start - 1] not in " .,;!?\n":
        start -= 1
    while end < len(text) and not text[end].isalnum() and text[end] not in " .,;!?\n":
        end += 1
    return start, end
