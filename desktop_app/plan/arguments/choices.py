"""Closed settings from the wording: one of a port's choices, and flags. A negated word keeps a choice out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.number_words import chinese_at, number_at
from desktop_app.plan.arguments.value_tables import Phrases, Sense, Word, negated, split, tables, words_of
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import plain_words, stem, tokens_of
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import PortSpec, ToolSpec

_DEGREES = frozenset(("low", "medium", "high", "small", "large", "standard", "all", "any"))
"""Choices that say little by themselves: the port has to be named beside them."""

_SURE = 0.6
"""How probable the tagger has to find it that words are the choice, so that no others are looked at."""

_AT_FIRST = 0.25
"""A language that a request begins with is the choice where the tagger finds that more probable: "French press"."""

_LANGUAGE_CUES = frozenset(
    ("in", "as", "a", "an", "auf", "en", "to", "ins", "into", "au", "al", "the", "language", "用", "speak", "speaks")
)


@dataclass(frozen=True)
class Chosen:
    """A choice (or a flag) with the words that say so and how sure that is."""

    value: str | bool
    evidence: float
    places: frozenset[int]


def choice(port: PortSpec, tool: ToolSpec, clause: Clause, taken: frozenset[int]) -> Chosen | None:
    """The choice that the clause names by words that serve nothing else (`taken`); None when it names none."""
    marked = _marked(port, tool, clause)
    named = [c for c in _candidates(port, tool, clause, marked) if not c.places & taken]
    latter = _without_the_former(named, clause)
    found = [c for c in latter if c.places & marked or not marked or len(latter) < len(named)]
    if not found:
        return _alike(port, clause, marked - taken)
    return max(found, key=lambda c: (c.evidence - 0.5 * (c.value == port.default), len(c.places), -min(c.places)))


def _without_the_former(found: list[Chosen], clause: Clause) -> list[Chosen]:
    """Without what a thing is before, where it is said beside what it shall become: "pdf to word", 英译中."""
    joints = tables().small["turned into"]
    ends = {min(c.places) - 1: c.value for c in found}

    def is_former(one: Chosen) -> bool:
        joint = max(one.places) + 1
        return joint in ends and ends[joint] != one.value and clause.words[joint].text in joints

    return [c for c in found if not is_former(c)]


def marked_places(tool: ToolSpec, clause: Clause) -> frozenset[int]:
    """Places of the words that the tagger marks as one of a port's choices: they say no amount."""
    return frozenset[int]().union(*(_marked(port, tool, clause) for port in tool.inputs if port.choices))


def _alike(port: PortSpec, clause: Clause, marked: frozenset[int]) -> Chosen | None:
    """Of marked words, of which none is in the table, the choice that one is a form of: "cálidas", "Kreisdiagramm"."""
    best: list[tuple[int, int, str]] = []
    for value in port.choices:
        bases = _bases(value)
        for place in marked:
            word = clause.words[place].text
            size = max((len(base) for base in bases if word.startswith(base)), default=0)
            if size and not negated(clause.words, place):
                best.append((size, place, value))
    longest = max(best, default=(0, 0, ""))
    if not best or any(size == longest[0] and value != longest[2] for size, _, value in best):
        return None
    return Chosen(longest[2], 2.0, frozenset((longest[1],)))


@lru_cache(maxsize=1024)
def _bases(value: str) -> tuple[str, ...]:
    """What the words for a choice begin with in all their forms: "cálid" for "cálido" and "cálidas"."""
    phrases = [split(entry) for entry in (value, *(tables().choices.get(value) or ()))]
    bases = [_ENDING.sub("", phrase[0]) for phrase in phrases if len(phrase) == 1]
    return tuple(base for base in bases if len(base) >= _BASE and base.isalpha() and base < "\u3000")


_BASE = 4
_ENDING = re.compile(r"(?:e[nmrs]?|[ao]s?|s|x)$")


def _marked(port: PortSpec, tool: ToolSpec, clause: Clause) -> frozenset[int]:
    """Places of the words that the tagger marks as the choice for the port; none where it does not know."""
    stretch = clause.marks.stretch(tool, port.name, clause.covers) if clause.marks else None
    if stretch is None or stretch.share < _SURE:
        return frozenset()
    return frozenset(i for i, w in enumerate(clause.words) if w.start < stretch.end and stretch.start < w.end)


def flag(port: PortSpec, clause: Clause, taken: frozenset[int]) -> Chosen | None:
    """True when the clause names the flag, False when it says that it shall not be."""
    entries = tables().names.get(port.name) or (port.name.replace("_", " "),)
    for places in _occurrences([split(e) for e in (*entries, port.name.replace("_", " "))], clause):
        if places & taken:
            continue
        if negated(clause.words, min(places)):
            return Chosen(False, 2.0, places)
        if port.default is not True:
            return Chosen(True, 2.0, places)
    return None


def says_opposite(port: PortSpec, clause: Clause, places: Collection[int]) -> bool:
    """True when these words say the opposite of what the flag is named after: "ascending" for descending."""
    opposite = tables().names.get(f"not {port.name}", ())
    return any(found <= set(places) for found in _occurrences([split(e) for e in opposite], clause))


def has_figures(port: PortSpec) -> bool:
    """True when figures are part of its choices: "16:9", "180"."""
    return any(any(c.isdigit() for c in choice) for choice in port.choices)


def _candidates(port: PortSpec, tool: ToolSpec, clause: Clause, marked: frozenset[int]) -> Iterator[Chosen]:
    codes = _codes(port)
    for value in port.choices:
        if value in codes.values():
            continue
        for places, evidence in _named(value, port, tool, clause, marked):
            if not negated(clause.words, min(places)):
                yield Chosen(value, evidence, places)
    if codes:
        yield from _languages(codes, port, tool, clause)
    yield from _ratios(port, clause)
    yield from _by_sense(port, clause)


def _named(
    value: str, port: PortSpec, tool: ToolSpec, clause: Clause, marked: frozenset[int] = frozenset()
) -> Iterator[tuple[frozenset[int], float]]:
    entries = tables().choices.get(value)
    if entries == ():
        return  # "auto" and the like are never said
    own = split(value)
    weak = len(own) == 1 and own[0] in lexicon().skipped
    if own:
        for places in _occurrences([own], clause):
            if places <= marked:
                yield places, 3.0 + len(own)
                continue
            if weak and not _cue(port, places, clause):
                continue  # "first", "only": said of many things
            if not _is_by_the_way(value, places, port, tool, clause):
                yield places, 3.0 + len(own) + _cue(port, places, clause)
    for places in _occurrences([split(e) for e in entries or ()], clause):
        if places <= marked or not _is_by_the_way(value, places, port, tool, clause):
            fuller = [w.text for w in clause.words[min(places) :]][: len(own)] == list(own)
            yield places, (3.0 + len(places) if fuller else 2.2 + 0.5 * len(places)) + _cue(port, places, clause)
    if len(own) > 1:
        for places in _scattered(own, clause):
            yield places, 3.0 + 2.0 * len(own)


def _occurrences(phrases: Sequence[tuple[str, ...]], clause: Clause) -> Iterator[frozenset[int]]:
    """Places of each phrase in the clause; a single longer word also by its stem."""
    known = [p for p in phrases if p and (p[0] in clause.vocabulary or stem(p[0]) in clause.vocabulary)]
    for place in sorted(clause.places) if known else ():
        for phrase in known:
            here = clause.words[place : place + len(phrase)]
            places = frozenset(range(place, place + len(phrase)))
            if len(here) == len(phrase) and places <= clause.places and _agrees(here, phrase):
                yield places


def _agrees(words: Sequence, phrase: tuple[str, ...]) -> bool:
    if any(w.kind in ("hole", "break") for w in words):
        return False
    if len(phrase) == 1 and len(phrase[0]) > 2 and phrase[0].isascii():
        return _unelided(words[0].text) == phrase[0] or words[0].stem == stem(phrase[0])
    return tuple(w.text for w in words) == phrase


def _unelided(word: str) -> str:
    """ "Homme" of "d'homme"."""
    before, _, after = word.partition("'")
    return after if after and len(before) <= 2 and len(after) > 2 else word


def _scattered(own: tuple[str, ...], clause: Clause) -> Iterator[frozenset[int]]:
    """The words of a choice, or words that mean the same, in any order with only small words between."""
    options = [{(word,), *(split(e) for e in tables().choices.get(word, ()))} for word in own]
    if not all(any(words and words[0] in clause.vocabulary for words in same) for same in options):
        return
    places = sorted(clause.places)
    for start in places:
        chosen: list[range] = []
        for words in options:
            hit = _first_of(
                words, [p for p in range(start, start + len(own) + 4) if p in clause.places], chosen, clause
            )
            if hit is None:
                break
            chosen.append(hit)
        found = frozenset(place for hit in chosen for place in hit)
        if len(chosen) == len(own) and start in found and _only_small_between(found, clause):
            yield found


def _first_of(
    options: set[tuple[str, ...]], window: Sequence[int], chosen: Sequence[range], clause: Clause
) -> range | None:
    """The first stretch in the window that is one of the options, longest option first, and not chosen yet."""
    for place in window:
        words = tuple(w.text for w in clause.words[place : place + 4])
        for option in sorted(options, key=len, reverse=True):
            hit = range(place, place + len(option))
            if option and words[: len(option)] == option and not any(set(hit) & set(other) for other in chosen):
                return hit
    return None


def _only_small_between(chosen: frozenset[int], clause: Clause) -> bool:
    small = tables().small["glue"] | {"hand", "corner", "and", "left", "right", "degrees", "side"}
    between = set(range(min(chosen), max(chosen))) - chosen
    return all(clause.words[p].text in small or clause.words[p].kind == "sign" for p in between)


def _is_by_the_way(value: str, places: frozenset[int], port: PortSpec, tool: ToolSpec, clause: Clause) -> bool:
    """True when the word is part of another phrase or of something else that the request speaks of."""
    first, last = min(places), max(places)
    after = clause.words[last + 1] if last + 1 < len(clause.words) else None
    if after is not None and after.kind == "number" and len(places) == 1 and not any(c.isdigit() for c in value):
        return True  # "top 10"
    if _cue(port, places, clause):
        return False
    if value in _DEGREES:
        return True
    return _is_hidden(places, clause) or _names_resource(first, last, tool, clause)


def _is_hidden(places: frozenset[int], clause: Clause) -> bool:
    """Part of a longer phrase that a known choice or colour phrase has: the white of "black and white"."""
    first, last = min(places), max(places)
    return any(start <= first and last <= end and end - start > last - first for start, end in _idioms(clause))


@lru_cache(maxsize=256)
def _idioms(clause: Clause) -> tuple[tuple[int, int], ...]:
    """First and last places of the phrases in the clause that hide the choices inside them."""
    return tuple((first, last) for _, first, last in _long_phrases().all(clause.words))


@cache
def _long_phrases() -> Phrases:
    phrases = [e for entries in tables().choices.values() for e in entries if len(split(e)) > 1]
    return Phrases((phrase, phrase) for phrase in (*phrases, *tables().small["idiom"]))


def _names_resource(first: int, last: int, tool: ToolSpec, clause: Clause) -> bool:
    """ "the sound of clip.mp4", "a video": the word stands for what the tool takes or gives. "Count the words" is of
    what is counted, and the word "roof" is not.
    """
    counts = [(out.type, out.integer) for out in tool.outputs] == [("number", True)]
    if counts and not any(word.kind == "hole" for word in clause.words[last + 1 : last + 2]):
        return False
    before = [w.text for w in clause.words[max(0, first - 2) : first]]
    if first != last or not before:
        return False
    ports = list(tool.outputs) if before[-1] in ("a", "an") else []
    if any(word in ("the", "this", "that", "my", "its") for word in before):
        ports += tool.inputs
    types = {t.key for t in lexicon().terms(tokens_of(clause.words[first].text)) if t.kind == "type"}
    return any(fits(t, port.type) for t in types for port in ports)


def _cue(port: PortSpec, places: frozenset[int], clause: Clause) -> float:
    """1 when the port is named within three words."""
    names = {stem(word) for word in plain_words(port.name) if len(word) > 2}
    near = [*range(min(places) - 3, min(places)), *range(max(places) + 1, max(places) + 4)]
    return float(any(p in clause.places and clause.words[p].stem in names for p in near))


@lru_cache(maxsize=1024)
def _codes(port: PortSpec) -> Mapping[str, str]:
    """The choices that are languages by their codes, when the port is about languages: "en" or "English"."""
    named = {hit[0]: value for value in port.choices[::-1] if (hit := _language(value))}
    codes = named | {value: value for value in port.choices if value in tables().codes}
    return codes if len(codes) >= 2 and len(codes) * 2 >= len(port.choices) else {}


def _language(value: str) -> tuple[str, int] | None:
    words = words_of(value)
    hit = tables().languages.at(words, 0)
    return hit if hit and hit[1] == len(words) else None


def _languages(codes: Mapping[str, str], port: PortSpec, tool: ToolSpec, clause: Clause) -> Iterator[Chosen]:
    for code, first, last in tables().languages.all(clause.words):
        said = first or _share(port, tool, clause, first, last) > _AT_FIRST
        if code in codes and first in clause.places and said and not negated(clause.words, first):
            cued = any(w.text in _LANGUAGE_CUES for w in clause.words[max(0, first - 2) : first])
            yield Chosen(codes[code], 3.0 + cued, frozenset(range(first, last + 1)))


def _share(port: PortSpec, tool: ToolSpec, clause: Clause, first: int, last: int) -> float:
    """How probable the tagger finds it (0..1) that these words are the value of the port."""
    if clause.marks is None or not clause.marks.knows(port.name):
        return 0.0
    return clause.marks.share_at(tool, port.name, clause.words[first].start, clause.words[last].end)


def _ratios(port: PortSpec, clause: Clause) -> Iterator[Chosen]:
    """ "Sixteen to nine", 四比三, "16/9" for a port that has "16:9"."""
    if not any(re.fullmatch(r"\d+:\d+", value) for value in port.choices):
        return
    for place in sorted(clause.places):
        above = _whole(clause.words, place)
        joint = place + above[1] if above else 0
        if above is None or joint not in clause.places or clause.words[joint].text not in _PROPORTIONS:
            continue
        below = _whole(clause.words, joint + 1)
        value = f"{above[0]:g}:{below[0]:g}" if below else ""
        if below and value in port.choices:
            yield Chosen(value, 4.0, frozenset(range(place, joint + 1 + below[1])))


_PROPORTIONS = frozenset((":", "/", "to", "by", "zu", "x", "×", "à", "a", "sur", "por", "比"))


def _whole(words: Sequence[Word], place: int) -> tuple[float, int] | None:
    """A whole number in figures or in words."""
    if place < len(words) and words[place].kind == "number" and words[place].text.isdigit():
        return float(words[place].text), 1
    return chinese_at(words, place) or number_at(words, place) if place < len(words) else None


def _by_sense(port: PortSpec, clause: Clause) -> Iterator[Chosen]:
    """ "too dark" asks for the choice that means brighter."""
    senses = _senses(port)
    for hit in clause.hits:
        if hit.sense in senses:
            yield Chosen(senses[hit.sense], 2.5, frozenset(range(hit.first, hit.last + 1)))


@lru_cache(maxsize=1024)
def _senses(port: PortSpec) -> dict[Sense, str]:
    found: dict[Sense, str] = {}
    for value in port.choices:
        words = Clause.of(value.removeprefix("more ")).words
        hit = tables().senses.at(words, 0)
        if hit and hit[1] == len(words):
            found.setdefault(hit[0], value)
    return found
