"""The lexicon: classes of words that mean the same for planning, in several languages. Knows no tools."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tokenizer import Token, is_ideographic, stem
from desktop_app.plan.language.types import Term

_PARTICLES = frozenset(
    ("out", "up", "down", "off", "away", "aloud", "loud", "together", "vor", "zusammen", "aus", "ab", "um", "frei")
)
_REACH = 8
KINDS = {"types": "type", "actions": "action", "tasks": "task", "things": "thing", "skip": "skip"}


@dataclass(frozen=True)
class Signature:
    """What an operation takes and gives, as type names; empty means anything."""

    takes: frozenset[str]
    gives: frozenset[str]


@dataclass(frozen=True)
class UnsupportedRequest:
    """A wish for which nothing near will do; `does` ends "No tool here ...". `whole` is true for one about files as
    such, which is not meant where something in a file is spoken of. A tool that speaks of a key in `spoken` serves it
    too; where the wording has a key in `unless`, something else is meant. With `told` only a tool that needs a text,
    which says what shall be done, serves it.
    """

    does: str
    shape: Signature
    whole: bool = False
    spoken: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    told: bool = False

    @property
    def refusal(self) -> str:
        """Why there is no plan, as a sentence."""
        return f"No tool here {self.does}."


@dataclass
class _Branch:
    classes: list[tuple[str, str]] = field(default_factory=list)
    next: dict[str, _Branch] = field(default_factory=dict)
    english: bool = False
    said: str = ""


class Lexicon:
    """The lists of one language over those of English. Immutable after construction."""

    def __init__(self, language: str, files: Sequence[dict[str, Any]]) -> None:
        self.language = language
        self._root = _Branch()
        self._longest = 1
        self._distant: dict[str, list[tuple[str, str, str]]] = {}  # "read … aloud"
        self.skipped: frozenset[str] = frozenset()
        self.exact: frozenset[str] = frozenset()
        self.colours: frozenset[str] = frozenset()
        self.codes: dict[str, frozenset[str]] = {}
        self.alike: dict[str, str] = {}
        self.gloss: dict[str, str] = {}
        self.signatures: dict[str, Signature] = {}
        self.roles: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.firm: dict[str, UnsupportedRequest] = {}
        self._first_entry: dict[str, str] = {}
        self.complaints: dict[str, str] = {}
        self.vocabulary: frozenset[str] = frozenset()
        """Stems and small words of the last list, by which a text is known to be of its language."""
        for data in files:
            self._load(data)
        self._terms_of = lru_cache(maxsize=1024)(self._terms_in)

    def _load(self, data: dict[str, Any]) -> None:
        language = data["language"]
        for section, kind in KINDS.items():
            for name, words in data.get(section, {}).items():
                if kind != "skip":
                    self.kinds.setdefault(name, kind)
                for entry in _entries(words):
                    self._add(entry, name, kind, language)
        for name, words in data.get("words", {}).items():  # other languages name the classes of English
            for entry in _entries(words):
                self._add(entry, name, self.kinds[name], language)
        for english, words in data.get("gloss", {}).items():
            self.gloss.update((entry, english) for entry in _entries(words))
        for name, text in data.get("signatures", {}).items():
            self.signatures[name] = _signature(text)
        for name, entry in data.get("firm", {}).items():
            self.firm[name] = UnsupportedRequest(
                entry["does"],
                _signature(entry.get("shape", "")),
                entry.get("whole", False),
                _names(entry.get("spoken", "")),
                _names(entry.get("unless", "")),
                entry.get("told", False),
            )
        for name, words in data.get("complaints", {}).items():
            self.complaints.update((stem(word, language), name) for word in _entries(words))
        self._describe(data, language)
        self.colours |= frozenset(_entries(data.get("values", {}).get("colours", "")))
        self.codes |= {code: frozenset(_entries(words)) for code, words in data.get("codes", {}).items()}
        for word, others in data.get("alike", {}).items():
            self.alike.update((other, word) for other in (*_entries(others), word))
        self.roles |= data.get("roles", {})

    def _describe(self, data: dict[str, Any], language: str) -> None:
        sections = [data.get(section, {}) for section in ("words", "gloss", *KINDS)]
        entries = [entry for section in sections for words in section.values() for entry in _entries(words)]
        words = [word for entry in entries for word in _split(entry.partition("=")[0])]
        self.vocabulary = frozenset(stem(word, language) for word in words)

    def _add(self, entry: str, name: str, kind: str, language: str) -> None:
        entry, _, english = (part.strip() for part in entry.partition("="))
        if "…" in entry:
            first, last = (stem(word.strip(), language) for word in entry.split("…"))
            self._distant.setdefault(first, []).append((last, name, kind))
            return
        words = [stem(word, language) for word in _split(entry)]
        if kind == "skip":
            self.skipped |= {*words, entry}
            self.exact |= {entry}
            return
        branch = self._root
        for word in words:
            branch = branch.next.setdefault(word, _Branch())
        self._longest = max(self._longest, len(words))
        branch.english |= language == "english"
        branch.said = branch.said or " ".join(stem(word) for word in _split(english))
        if (name, kind) not in branch.classes:
            branch.classes.append((name, kind))
        self._first_entry.setdefault(name, " ".join(words))

    def cut(self, run: str) -> list[str]:
        """A run of characters without spaces, cut into the longest entries of the lexicon from the left."""
        found = []
        place = 0
        while place < len(run):
            size = next((n for n in range(min(8, len(run) - place), 0, -1) if self._knows(run[place : place + n])), 0)
            if size:
                found.append(run[place : place + size])
            place += size or 1
        return found

    def _knows(self, entry: str) -> bool:
        return entry in self.gloss or entry in self._root.next or entry in self._distant

    def holds(self, word: str) -> bool:
        """True when the stem is the name of a class or an entry of one by itself."""
        return word in self.kinds or (word in self._root.next and bool(self._root.next[word].classes))

    def terms(self, tokens: Sequence[Token]) -> list[Term]:
        """All meanings in the tokens, in order. Longer phrases hide the shorter ones of the same class inside."""
        return list(self._terms_of(tuple((token.kind, token.word) for token in tokens)))

    def _terms_in(self, said: tuple[tuple[str, str], ...]) -> tuple[Term, ...]:
        """The same of words with their kinds; the clauses of a request are read again in each of its other readings."""
        tokens = [Token(kind, word, word, 0, 0) for kind, word in said]
        stems = [self._stems(token) for token in tokens]
        found: list[Term] = []
        for first in range(len(tokens)):
            found += self._at(tokens, stems, first)
        return tuple(_without_inner(found))

    def _stems(self, token: Token) -> tuple[str, ...]:
        if token.kind != "word":
            return ("#",) if token.kind == "number" else ()
        own = stem(token.word, self.language)
        english = stem(token.word)
        return (own,) if own == english else (own, english)

    def _at(self, tokens: Sequence[Token], stems: list[tuple[str, ...]], first: int) -> list[Term]:
        found: list[Term] = []
        branches = [self._root]
        for last in range(first, min(first + self._longest, len(tokens))):
            branches = [b.next[s] for b in branches for s in stems[last] if s in b.next]
            if not branches:
                break
            if last > first or tokens[first].word not in self.exact:
                classes = [pair for b in branches for pair in b.classes]
                found += [Term(name, kind, first, last) for name, kind in classes]
                found += self._exactly(branches, stems, first, last)
        found += self._apart(stems, first)
        if not found and tokens[first].kind == "word" and not self._is_skipped(tokens[first], stems[first]):
            found.append(Term(stems[first][-1], "word", first, first))
        return found

    def _exactly(
        self, branches: Sequence[_Branch], stems: Sequence[tuple[str, ...]], first: int, last: int
    ) -> list[Term]:
        """The very words of a task or thing; for those of another language the first that English has for it."""
        named = [name for b in branches for name, kind in b.classes if kind in ("task", "thing")]
        if not named:
            return []
        if any(b.english for b in branches if b.classes):
            return [Term(_exact(stems[place][-1] for place in range(first, last + 1)), "exact", first, last)]
        said = [b.said for b in branches if b.said] or list(dict.fromkeys(self._first_entry[name] for name in named))
        return [Term(_exact(words.split()), "exact", first, last, words) for words in said]

    def phrases(self, tokens: Sequence[Token]) -> frozenset[int]:
        """Places of the tokens that belong to an entry of several words ("noir et blanc")."""
        stems = [self._stems(token) for token in tokens]
        found: set[int] = set()
        for first in range(len(tokens)):
            branches = [self._root]
            for last in range(first, min(first + self._longest, len(tokens))):
                branches = [b.next[s] for b in branches for s in stems[last] if s in b.next]
                if last > first and any(b.classes for b in branches):
                    found.update(range(first, last + 1))
        return frozenset(found)

    def _apart(self, stems: list[tuple[str, ...]], first: int) -> list[Term]:
        """Verbs with their particle some words later ("cut the cup *out*"), and pairs that the lists write with "…"."""
        found = []
        later = {word for place in range(first + 2, min(first + _REACH, len(stems))) for word in stems[place]}
        for word in stems[first]:
            follows = self._root.next[word].next if word in self._root.next else {}
            classes = [pair for particle in _PARTICLES & later & follows.keys() for pair in follows[particle].classes]
            classes += [(name, kind) for last, name, kind in self._distant.get(word, ()) if last in later]
            found += [Term(name, kind, first, first) for name, kind in classes]
        return found

    def _is_skipped(self, token: Token, stems: tuple[str, ...]) -> bool:
        return token.word in self.skipped or any(s in self.skipped for s in stems)


def _exact(stems: Iterable[str]) -> str:
    return "=" + "=".join(word[:6] for word in stems)


def _without_inner(found: list[Term]) -> list[Term]:
    """Longer phrases hide what is inside them: "background noise" is not about backgrounds. Actions stay."""
    kept: list[Term] = []
    for term in found:
        if term not in kept and not any(_hides(other, term) for other in found):
            kept.append(term)
    return kept


def _hides(other: Term, term: Term) -> bool:
    if other.last - other.first <= term.last - term.first or other.first > term.first or term.last > other.last:
        return False
    if term.kind == "type":
        return other.kind == "type"
    return other.kind != "exact" and (term.kind != "action" or other.key == term.key)


def _signature(text: str) -> Signature:
    takes, _, gives = text.partition(">")
    return Signature(_names(takes), _names(gives))


def _entries(words: str) -> list[str]:
    return [entry.strip().lower() for entry in words.split(",") if entry.strip()]


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split("|") if name.strip())


def _split(entry: str) -> list[str]:
    if is_ideographic(entry):
        return [entry]
    return [word for word in entry.replace("-", " ").replace(".", " ").split() if word]


@cache
def lexicon(language: str = "english") -> Lexicon:
    """The lexicon of a language (by name, as in resources/lexicon); English words are understood in each."""
    names = ["english"] if language == "english" else ["english", language]
    files = [tomllib.loads((RESOURCES / "lexicon" / f"{name}.toml").read_bytes().decode("utf-8")) for name in names]
    return Lexicon(language, files)


@cache
def languages() -> tuple[str, ...]:
    """The languages for which there is a list besides English."""
    names = sorted(path.stem for path in (RESOURCES / "lexicon").glob("*.toml"))
    return tuple(name for name in names if name != "english")
