"""An index over the tools' own texts: which tools does a handful of meanings point to, and how strongly."""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop_app.plan.language.lexicon import Lexicon
from desktop_app.plan.language.lexicon import lexicon as lexicon_of
from desktop_app.plan.language.segmentation import glossed, known_words, language_of
from desktop_app.plan.language.tokenizer import Token, stem, tokens_of
from desktop_app.plan.language.types import Term
from desktop_app.plan.types import READY, ToolSpec

_TITLE, _WORDS, _EXAMPLE, _FIRST, _REST, _PORT, _MADE = 3.0, 2.6, 1.6, 2.0, 1.0, 0.5, 1.0
"""What a meaning is worth by where a tool's texts have it: its title, words, examples, the first sentence of its
description and the rest, its ports, and what it makes.
"""
_RAREST = 3.3
"""What a meaning is worth that one tool alone has, however many tools there are."""
_NAME = 6
"""A name for who does something ("clipper") has so many letters; most shorter words in -er are something else."""
_LONGEST = 14
"""Letters of two words of a name that people write as one."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Profile:
    """What a tool's texts say: weight 0..1 of each meaning, and the meanings of its title.

    `doers` gives for the verb of an agent's name in the title ("clip" of a clipper) the meaning of that name.
    """

    weights: Mapping[str, float]
    title: frozenset[str]
    first: frozenset[str]
    doers: Mapping[str, str] = field(default_factory=dict)


def _plain(text: str) -> str:
    return _CAMEL.sub(" ", text).replace("_", " ").replace("-", " ").replace("/", " ")


def _inner_words(tokens: Sequence[Token], terms: Sequence[Term], lexicon: Lexicon) -> Iterator[str]:
    """The words inside of phrases: "brown tint" speaks of brown as well, and "split ... vocals" of splitting."""
    said = {place for t in terms if t.kind in ("task", "thing") for place in range(t.first, t.last + 1)}
    for place in sorted(said):
        word = stem(tokens[place].word)
        if tokens[place].kind == "word" and not lexicon.holds(word) and word not in lexicon.skipped:
            yield word
    for term in terms:
        if term.kind == "type" and term.first == term.last:
            yield stem(tokens[term.first].word)  # "clip", which is a film to most, and a verb to some


def _doers(title: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Pairs of a verb and the name of who does it, for names in a title that the lexicon does not hold."""
    for token in tokens_of(_plain(title)):
        name = stem(token.word)
        if (
            token.kind != "word"
            or not token.word.endswith(("er", "or"))
            or len(token.word) < _NAME
            or lexicon.holds(name)
        ):
            continue
        doubled = token.word[-3] == token.word[-4] and token.word[-3] not in "sl"
        verb = token.word[:-3] if doubled else token.word[:-1] if token.word.endswith("er") else token.word[:-2] + "e"
        for form in (verb, verb.removesuffix("e")):
            tokens = [replace(token, text=form, word=form)]
            yield from ((term.key, name) for term in lexicon.terms(tokens) if term.kind in ("action", "task", "thing"))
        yield stem(verb), name


def _compounds(title: str) -> Iterator[str]:
    """ "Autotune" for a tool called autoTune or auto_tune: two words of a name that people write as one."""
    if " " in title.strip():
        return
    words = _plain(title).split()
    for one, other in itertools.pairwise(words):
        if one.isalpha() and other.isalpha() and len(one) + len(other) <= _LONGEST:
            yield stem(f"{one}{other}".lower())


def _list_for(text: str, english: Lexicon) -> Lexicon:
    """The list of the language that a tool is described in; English where a third of the words are."""
    tokens = tokens_of(_plain(text))
    words = [token.word for token in tokens if token.kind == "word"]
    if 3 * known_words(words, "english") >= len(words):
        return english
    language = language_of(tokens)
    return english if language == "english" else lexicon_of(language)


def profile_of(tool: ToolSpec, lexicon: Lexicon) -> Profile:
    """Reads title, words, examples, description and ports of a tool; the strongest mention of a meaning counts.

    A tool that is described in another language is read with the list of that language.
    """
    weights: dict[str, float] = {}
    own = _list_for(tool.description, lexicon)

    def read(text: str, weight: float) -> list[Term]:
        tokens = tokens_of(_plain(text))
        if own is not lexicon:
            tokens = glossed(tokens, own)
        terms = own.terms(tokens)
        for term in terms:
            weights[term.key] = max(weights.get(term.key, 0.0), weight)
        for word in _inner_words(tokens, terms, lexicon):
            weights[word] = max(weights.get(word, 0.0), weight)
        return terms

    title = read(tool.title, _TITLE)
    for word in _compounds(tool.title):
        weights[word] = _TITLE
    doers = dict(_doers(tool.title, lexicon))
    weights |= {key: max(weights.get(key, 0.0), _TITLE) for key in doers}
    first, _, rest = tool.description.partition(". ")
    opening = read(first, _FIRST)
    read(rest, _REST)
    for text in tool.words:
        read(text, _WORDS)
    for text in tool.examples:
        read(text, _EXAMPLE)
    for port in (*tool.inputs, *tool.outputs):
        read(f"{port.name} {port.description} {' '.join(port.choices)}", _PORT)
    for port in tool.outputs:
        read(port.name, _MADE)
    scaled = {key: weight / _TITLE for key, weight in weights.items()}
    return Profile(scaled, frozenset(t.key for t in title), frozenset(t.key for t in opening), doers)


def example_words(text: str) -> list[str]:
    """The stems of a short text, small words too, without names of files and quoted texts."""
    return [stem(token.word) for token in tokens_of(text) if token.kind == "word" and len(token.word) > 1]


class Index:
    """An inverted index; a look-up costs what the meanings' postings hold, not what the tool set holds."""

    def __init__(self, tools: Sequence[ToolSpec], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.profiles = {tool.id: profile_of(tool, lexicon) for tool in tools}
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for id, profile in self.profiles.items():
            for key, weight in profile.weights.items():
                self._postings[key].append((id, weight))
        self._examples = [(tool.id, frozenset(example_words(text))) for tool in tools for text in tool.examples]
        self._with_word: dict[str, list[int]] = defaultdict(list)
        for number, (_, words) in enumerate(self._examples):
            for word in words:
                self._with_word[word].append(number)
        self._worth = {word: 1.0 / (1.0 + math.log1p(len(places))) for word, places in self._with_word.items()}
        self._wholes = [sum(self._worth[word] for word in words) for _, words in self._examples]
        ready = {tool.id for tool in tools if tool.quality >= READY} or {*self.profiles}
        self._having = {key: sum(id in ready for id, _ in found) or 1 for key, found in self._postings.items()}
        self._count = len(ready)
        self._scale = _RAREST / max(0.1, math.log((self._count + 2) / 1.5))
        self._rarity = {key: self._rarity_of(having) for key, having in self._having.items()}
        self._titles = {id: sum(map(self.rarity, profile.title)) for id, profile in self.profiles.items()}

    def rarity(self, key: str) -> float:
        """How much a meaning tells tools apart: 0.2 when all have it, 3.3 when one tool has it, 0 when none has.

        Tools that cannot work now, for want of a model, do not change what the words are worth for those that can.
        """
        return self._rarity.get(key, 0.0)

    def _rarity_of(self, having: int) -> float:
        return max(0.2, self._scale * math.log((self._count + 2) / (having + 0.5)))

    def match(self, meanings: Mapping[str, float]) -> dict[str, float]:
        """Similarity of every tool that shares a meaning; `meanings` gives the weight of each in the request."""
        scores: dict[str, float] = {}
        known = scores.get
        for key, weight in meanings.items():
            worth = weight * self.rarity(key)
            for id, own in self._postings.get(key, ()):
                scores[id] = known(id, 0.0) + worth * own
        return scores

    def strongest(self, meanings: Iterable[str]) -> dict[str, float]:
        """Of every tool that holds one of the meanings the weight of the one that it holds most."""
        found: dict[str, float] = {}
        for key in meanings:
            for id, own in self._postings.get(key, ()):
                found[id] = max(found.get(id, 0.0), own)
        return found

    def resembling(self, words: Iterable[str], least: float) -> dict[str, float]:
        """For each tool with an example like these words, how alike they are: the common part, `least`..1, by rarity.
        Others are left out.
        """
        asked = set(words)
        common: dict[int, float] = defaultdict(float)
        for word in asked:
            worth = self._worth.get(word, 1.0)
            for number in self._with_word.get(word, ()):
                common[number] += worth
        whole = sum(self._worth.get(word, 1.0) for word in asked)
        found: dict[str, float] = {}
        for number, both in common.items():
            likeness = both / (whole + self._wholes[number] - both)
            if likeness < least:
                continue
            id = self._examples[number][0]
            found[id] = max(found.get(id, 0.0), likeness)
        return found

    def titled(self, tool: str, meanings: Iterable[str]) -> float:
        """The part (0..1) of the tool's title that the meanings cover, weighted by rarity."""
        profile = self.profiles[tool]
        whole = self._titles[tool]
        meant = {profile.doers.get(key, key) for key in meanings}
        return sum(self.rarity(key) for key in profile.title & meant) / whole if whole else 0.0


GUIDES = frozenset(("based", "according", "accordingly", "using", "instruction", "instructions", "script"))
"""Words that say that something tells how."""
