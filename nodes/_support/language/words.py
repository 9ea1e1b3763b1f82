"""Words, stems and weights of text, and the check that a tool was given text at all. Must not know tools."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache, lru_cache
from typing import Any

from nodes._support.language.languages import FOLDER, language_of, stop_words
from nodes.api import NodeError, Phrase

MAXIMUM_CHARACTERS = 20_000_000
_WORD = re.compile(r"\d+(?:[.,:/]\d+)+(?![^\W_])|[^\W_]+(?:['’\-‑][^\W_]+)*")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
HAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffd\ufffe\uffff]")
_STEMMERS = {
    "ar": "arabic", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "it": "italian",
    "nb": "norwegian", "nl": "dutch", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
_CJK_EMPTY = frozenset(
    "的了是在和与及或也就都而之其这那有不我你他她它们个一上下中为以于从到对将被把吗呢吧啊着过はがのにをとでもへや"
)


def given(text: Any, port: str = "text") -> str:
    """`text` with control characters removed. Raises NodeError naming `port` when it holds nothing to read."""
    if not isinstance(text, str) or not text.strip():
        raise NodeError(Phrase("The {port} is empty.", port=_spoken(port)), port, "Type or attach some text.")
    if len(text) > MAXIMUM_CHARACTERS:
        raise NodeError(
            Phrase(
                "The {port} has {count} characters; {most} is the most.",
                port=_spoken(port),
                count=f"{len(text):,}",
                most=f"{MAXIMUM_CHARACTERS:,}",
            ),
            port,
            "Give a part of it.",
        )
    clean, removed = _CONTROL.subn("", text)
    if removed > 0.05 * len(text) or not clean.strip():
        raise NodeError(
            Phrase("The {port} is not readable text.", port=_spoken(port)),
            port,
            "Choose a text file, or read a document.",
        )
    return clean.encode("utf-8", "ignore").decode("utf-8")  # a lone surrogate cannot be saved


def given_words(text: Any, port: str = "text") -> str:
    """As `given`, and there must be at least one letter or digit in it."""
    clean = given(text, port)
    if not any(c.isalnum() for c in clean):
        raise NodeError(
            Phrase("There are no words in the {port}.", port=_spoken(port)), port, "Give a text with words in it."
        )
    return clean


def words(text: str) -> list[str]:
    """Words and numbers as written; "don't" and "well-known" are one word. Chinese, Japanese and Thai runs are cut
    into pairs of neighbouring characters, since their words have no spaces between."""
    found = []
    for token in _WORD.findall(text):
        if token.isascii() or not _UNSPACED.search(token):
            found.append(token)
        else:
            found += _pieces(token)
    return found


def count_of_words(text: str) -> int:
    """Words and numbers, and each Chinese or Japanese character as one: so count word processors."""
    return len(HAN.findall(text)) + len(words(HAN.sub(" ", text)))


def count_of_characters(text: str) -> int:
    """All signs but white space: so count word processors, and so is a length in Chinese characters meant."""
    return sum(map(len, text.split()))


def terms(text: str, language: str = "", keep_stop_words: bool = False) -> list[str]:
    """Lower-case stems of the words that carry a subject, in order, repeats kept."""
    language = language or language_of(text)
    found = [_term(word, language, keep_stop_words) for word in words(text)]
    return [term for term in found if term]


@lru_cache(maxsize=200_000)
def _term(word: str, language: str, keep_stop_words: bool) -> str:
    """The stem of a word as written, "" for one that carries no subject."""
    bare = bare_word(word, language)
    if (len(bare) == 1 and not bare.isdigit() and ord(bare) < 0x2E80) or bare in _CJK_EMPTY:
        return ""
    return "" if not keep_stop_words and bare in stop_words(language) else stem(bare, language)


def bare_word(word: str, language: str) -> str:
    """Lower case, without an elided article (l'eau -> eau) or a possessive (John's -> john)."""
    low = word.lower().replace("’", "'")
    if "'" in low:
        head, _, tail = low.rpartition("'")
        if language in ("fr", "it") and len(head.split("'")[-1]) <= 4 and tail:
            return tail
        if tail == "s":
            return head
    return low


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """The Snowball stem of a lower-case word; the word itself in a language without a stemmer. Irregular forms have the
    stem of their word: "chose" that of "choose"."""
    stemmer, word = _stemmer(language), _irregular(language).get(word, word)
    return stemmer.stemWord(word) if stemmer is not None and len(word) > 2 else word


def weights(documents: list[list[str]]) -> dict[str, float]:
    """The inverse document frequency of each term, smoothed: ln((1 + n) / (1 + df)) + 1."""
    counts = Counter(term for document in documents for term in set(document))
    return {term: math.log((1 + len(documents)) / (1 + n)) + 1 for term, n in counts.items()}


def _pieces(token: str) -> list[str]:
    found, end = [], 0
    for match in _UNSPACED.finditer(token):
        found += [token[end : match.start()]] if match.start() > end else []
        run, end = match.group(), match.end()
        found += [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
    return found + ([token[end:]] if end < len(token) else [])


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    name = _STEMMERS.get(language)
    return snowballstemmer.stemmer(name) if name else None


@cache
def _irregular(language: str) -> dict[str, str]:
    """The irregular forms with their words."""
    return {form: word for word, *forms in irregular_forms(language) for form in forms}


def irregular_forms(language: str) -> list[list[str]]:
    """Words, each before its irregular forms: of a verb the past, and the form behind "have" where that is another."""
    path = FOLDER / "irregular" / f"{language}.txt"
    return [line.split() for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _spoken(port: str) -> Phrase:
    return Phrase(f"{port} text" if port in ("first", "second") else port, "ports")
