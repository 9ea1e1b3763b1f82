"""Mistyped words of a request, as they are meant: the nearest of the words that requests are made of.

Only while a request is read: what comes out of planning has what people typed, but for things to be found in a picture.
"""

from __future__ import annotations

import gzip
import lzma
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.segmentation import language_of
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.language.tokenizer import stem, tokens_of
from desktop_app.plan.types import Argument, Plan, Question, Request, Solution, Step, ToolSpec
from nodes.phrase import replaced

WORDS = RESOURCES / "planner" / "words.txt.xz"
"""Words of the requests that the networks were trained on (`python -m tests.training.words` writes them): those of one
request only, of up to five, of up to twenty-five, of more; each group is a line.
"""

_PART = re.compile(r"[^\W\d_]{4,}")
_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßàâçéèêëîïôûñáíóú"
EUROPEAN = "\u0370"
"""Letters from here on are of other writings."""
_SHORT, _LONG = 4, 6
"""In a word of so many letters two are exchanged at most: too many others are near it. In one of the second number a
letter may be another.
"""
_WHOLE, _ROOT = 5, 4
"""A word of so many letters may be right as it is where the sentence encoder knows it, or its stem of so many."""
_EXCHANGED, _ONE_MORE, _ONE_LESS, _ANOTHER = 4, 2, 2, 1
"""How likely each fault of the fingers is beside the others."""
_FOUND = frozenset(("boxes", "mask"))
_LISTS = {"english": "en", "german": "de", "french": "fr", "spanish": "es"}


@dataclass(frozen=True)
class Corrected:
    """A request as it is meant, and where its text differs from what was typed: offsets in both, in order."""

    request: Request
    typed: str
    spots: tuple[tuple[int, int, int, int], ...] = ()

    def typed_for(self, value: str) -> str:
        """What was typed where a value was read."""
        text = self.request.text
        at = text.find(value) if value else -1
        changed = [spot for spot in self.spots if at >= 0 and spot[0] < at + len(value) and at < spot[1]]
        if not changed:
            return value
        first = changed[0]
        if first[0] <= at and at + len(value) <= first[1] and len(value) < first[1] - first[0]:
            return value  # read in other words for what was typed
        start = changed[0][2] - max(0, changed[0][0] - at)
        end = changed[-1][3] + max(0, at + len(value) - changed[-1][1])
        return self.typed[start:end]

    def typed_in(self, tool: ToolSpec | None, port: str, value: Argument) -> Argument:
        """What a tool's input gets where `value` was read for it: a text as it was typed, but no choice, and nothing to
        be found in a picture where letters are only exchanged.
        """
        own = next((one for one in tool.inputs if one.name == port), None) if tool else None
        if tool is None or own is None or own.choices or not isinstance(value, str):
            return value
        typed = self.typed_for(value)
        found = all(out.type in _FOUND for out in tool.outputs)
        return value if found and sorted(typed.lower()) == sorted(value.lower()) else typed


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of some texts that are long enough to be mistyped, in small letters."""
    return frozenset(_PART.findall("\n".join(texts).lower()))


def corrected(request: Request, words: Collection[str]) -> Corrected:
    """The request with its mistyped words as they are meant. Quotes, names of files, what stands in tables, addresses
    and the `words` (in small letters) stay.
    """
    names = {part.lower() for given in request.resources for part in _PART.findall(given.called or given.name)}
    names |= words_of(cell for given in request.resources for cell in _written_in(given.rows))
    text, made, at = request.text, "", 0
    spots: list[tuple[int, int, int, int]] = []
    tokens = tokens_of(text)
    language = language_of(tokens)
    for token in tokens:
        if token.kind != "word":
            continue
        for part in _PART.finditer(token.text):
            start, end = token.start + part.start(), token.start + part.end()
            meant = part[0] if part[0].lower() in names else as_meant(part[0], words, language)
            if meant != part[0]:
                made += text[at:start]
                spots.append((len(made), len(made) + len(meant), start, end))
                made, at = made + meant, end
    return Corrected(replace(request, text=made + text[at:]), text, tuple(spots))


def _written_in(rows: Any) -> Iterator[str]:
    """The names of a table's columns, and the texts in it; nothing for None."""
    lines = (rows.columns, *rows.rows) if rows is not None else ()
    return (cell for line in lines for cell in line if isinstance(cell, str))


def reworded(read: Corrected, start: int, end: int, words: str) -> Corrected:
    """The same, with other words for what stands there; no correction may be only in part of that."""
    text, longer = read.request.text, len(words) - (end - start)
    before = [spot for spot in read.spots if spot[1] <= start]
    behind = [(a + longer, b + longer, c, d) for a, b, c, d in read.spots if a >= end]
    until = [spot for spot in read.spots if spot[1] <= end]
    own = start, start + len(words), start + _typed_more(before), end + _typed_more(until)
    request = replace(read.request, text=text[:start] + words + text[end:])
    return replace(read, request=request, spots=(*before, own, *behind))


def _typed_more(spots: Iterable[tuple[int, int, int, int]]) -> int:
    """By how many letters more was typed there than is meant."""
    return sum(d - c - (b - a) for a, b, c, d in spots)


def as_typed(plan: Plan, read: Corrected, tools: Mapping[str, ToolSpec]) -> Plan:
    """The plan of a corrected request with its texts as they were typed: a sign is written as people want it. What is
    to be found in a picture stays as it is meant.
    """
    if not read.spots:
        return plan

    def step(one: Step) -> Step:
        tool = tools.get(one.tool)
        return replace(one, arguments={name: read.typed_in(tool, name, value) for name, value in one.arguments.items()})

    def solution(one: Solution) -> Solution:
        return replace(one, steps=tuple(map(step, one.steps)))

    def said(text: str) -> str:
        for start, end, first, last in read.spots:
            text = replaced(text, read.request.text[start:end], read.typed[first:last])
        return text

    def asked(one: Question) -> Question:
        return replace(one, text=said(one.text))

    return replace(
        plan,
        solutions=tuple(map(solution, plan.solutions)),
        questions=tuple(map(asked, plan.questions)),
        causes=tuple(map(said, plan.causes)),
        left_out=read.typed_for(plan.left_out),
    )


def as_meant(word: str, others: Collection[str] = (), language: str = "english") -> str:
    """A word as it is meant, with a capital where it has one; itself where it is known, one of the `others`, a word of
    the language though no request has it, or near no known word.
    """
    small = word.lower()
    if small in known() or small in others or small[0] >= EUROPEAN:
        return word
    accented = _accented().get(_unaccented(small), "")
    found = accented or _nearest(small)
    exchanged = sorted(found) == sorted(small)  # then a known piece of words says nothing: "Schrieb"
    if found and (_is_listed(small, language) or (not (accented or exchanged) and _is_written(small, language))):
        return word
    return word if not found else found.capitalize() if word[0].isupper() else found


def _is_listed(word: str, language: str) -> bool:
    """True for a word in the list of its language. In 2,600 requests three words are mended with it, 25 without, 24
    of them right as they stood; of words mistyped on purpose as many are.
    """
    return f'\n"{word}":'.encode() in _list_of(language)


@cache
def _list_of(language: str) -> bytes:
    """The words of a language with their frequencies, as pyspellchecker has them (JSON, a word in each line)."""
    name = f"resources/{_LISTS.get(language, '')}.json.gz"
    return gzip.decompress((files("spellchecker") / name).read_bytes()) if language in _LISTS else b""


def _is_written(word: str, language: str) -> bool:
    """True where the sentence encoder has met the word, or its stem, often enough to know it as a whole."""
    encoder, root = sentence_encoder(), stem(word, language)
    forms = [form for form in (word, root if len(root) >= _ROOT else word) for form in (form, form.capitalize())]
    return len(word) >= _WHOLE and encoder.is_ready() and any(map(encoder.knows, forms))


@cache
def known() -> Mapping[str, int]:
    """1 to 4 by word: in how many requests it stands."""
    lines = lzma.decompress(WORDS.read_bytes()).decode().split("\n")
    return {word: worth for worth, line in enumerate(lines, 1) for word in line.split()}


def _nearest(word: str) -> str:
    """The likeliest of the known words of one fault less; "" for none."""
    worth = known()
    least = {_ANOTHER: 3 if len(word) >= _LONG else 5}
    likely = [
        (worth[other] * share, other) for other, share in _near(word) if worth.get(other, 0) >= least.get(share, 2)
    ]
    return max(likely, default=(0, ""))[1]


def _near(word: str) -> Iterator[tuple[str, int]]:
    """Words of one fault less, with how likely the fault is (Damerau 1964); the first letter is hardly ever wrong."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :], _EXCHANGED
    for at in range(1, len(word)) if len(word) > _SHORT else ():
        head, tail = word[:at], word[at:]
        if len(tail) > 1:  # at its end a word is another form, not mistyped
            yield head + tail[1:], _ONE_MORE
            for letter in _LETTERS:
                yield head + letter + tail, _ONE_LESS
                yield head + letter + tail[1:], _ANOTHER


@cache
def _accented() -> Mapping[str, str]:
    """Words with accents, by their letters without: many people type none."""
    found = sorted((worth, word) for word, worth in known().items() if worth > 1 and not word.isascii())
    return {plain: word for _, word in found if (plain := _unaccented(word)) not in known()}


def _unaccented(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
