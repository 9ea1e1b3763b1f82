"""Sets right the plain mistakes of a text by lists of words and a few rules, where there is little doubt.

Words come from the lists of pyspellchecker. What differs from no known word by one slip, or from several alike, stays
as it is, and so do names, addresses, code and abbreviations. Must not know tools.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from nodes._support.language import languages, sentences
from nodes.api import NodeError, Phrase

KNOWN = ("en", "de", "fr", "es", "it", "nl", "pt")
"""Languages of which the list is long enough, 86,000 words and more, and was tried."""
_STRANGE_SHARE = 0.4
"""Of so many words that the list does not have the text is in another language, or full of names."""
_SURE, _FREQUENT, _NO_NAME = 8.0, 2e-7, 6e-7
"""How much likelier a word has to be than the next, its share of all that is written, and that of one for what may be a
name.
"""
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NO_PROSE = re.compile(r"[@/\\_#<>{}=|~^*`\d]|\w\.\w|\w-$|^-\w")
_TWICE = {
    "en": "the a an of to and for with my your his their from at",
    "de": "und ein eine mit von zu auf im am",
    "fr": "le la les de des du un une et dans pour",
    "es": "el los las de del un una y en con",
    "it": "il lo gli di del un una e con per",
    "nl": "het een en van met voor",
    "pt": "os um uma de do da em com",
}  # what nobody writes twice in a row on purpose
_SPACED = {"fr": ".,"}
_ARTICLE = re.compile(r"\b(a|an|(?<![^.!?] )(?:A|An)) +(?=([^\W\d_][a-z]+)\b)")
_VOWEL = re.compile(
    r"(?!eu|ew|uni(?!n|m)|us[aeu]|ut[aei]|ur[aio]|ubiq|uk|one\b|once\b)[aeiou]|hour|hono|heir|honest", re.IGNORECASE
)
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]+", re.IGNORECASE)
_AFTER_NO_ARTICLE = frozenset("is and or in are if at as on of am i it".split())  # noqa: SIM905
_BEGINNING = re.compile(r"([^\W\d_]{3,})([.!?]) +([^\W\d_])(?=[^\W\d_]*(?:\s|[,;]))")
_AMERICAN = (
    ("our", "or"), ("isa", "iza"), ("ise", "ize"), ("isi", "izi"), ("yse", "yze"), ("ysi", "yzi"), ("lled", "led"),
    ("lling", "ling"), ("ller", "ler"), ("re", "er"), ("ce", "se"), ("ogue", "og"), ("aes", "es"), ("oeu", "eu"),
    ("grey", "gray"), ("mme", "m"),
)  # fmt: skip


def corrected(text: str) -> str:
    """The text without the mistakes of which there is little doubt; its lines and all else stay.

    Raises NodeError naming `text` for a language without a list of words.
    """
    code = next(iter(languages.detect(text)), ("", 0.0))[0]
    if code not in KNOWN:
        known = ", ".join(languages.name_of(one) for one in KNOWN)
        said = Phrase("There is no list of words for {language}, only for {known}.", language=languages.name_of(code),
                      known=known)  # fmt: skip
        raise NodeError(said, "text", "Connect a language model in the settings, which knows more.")
    words = _Words(code, text)
    if words.strange > _STRANGE_SHARE:
        said = Phrase("Few words of the text are known in {language}.", language=languages.name_of(code))
        raise NodeError(said, "text", "Connect a language model in the settings, which knows more.")
    return "\n".join(_ruled(words.mended(line), code) for line in text.split("\n"))


class _Words:
    """What is known of the words of one text."""

    def __init__(self, code: str, text: str) -> None:
        self._code, self._list = code, _listed(code)
        tokens = [token for token in _TOKEN.findall(text) if not _NO_PROSE.search(token)]
        prose = [word for token in tokens for word in _WORD.findall(token)]
        self._times = {word: prose.count(word) for word in set(prose)}
        self.strange = sum(not self._knows(word) for word in prose) / max(1, len(prose))

    def mended(self, line: str) -> str:
        """The line with its words set right."""
        return _TOKEN.sub(lambda token: self._token(token[0], line[: token.start()].rstrip()), line)

    def _token(self, token: str, before: str) -> str:
        if _NO_PROSE.search(token.strip(".,;:!?\"'()")):
            return token
        begins = not before or before[-1] in '.!?:"“„«'
        return _WORD.sub(lambda word: self._better(word[0], begins), token)

    def _better(self, word: str, begins: bool) -> str:
        if _CONSONANTS.fullmatch(word):
            return word  # "pls", "mtg": shortened, and no slip
        named = word[0].isupper() and (self._times.get(word, 0) > 1 or not (begins or self._code == "de"))
        if named or len(word) < 3 or not word[1:].islower() or self._knows(word):
            return word
        found = self._likely(word.lower())
        if word[0].islower():
            return found
        return found.capitalize() if self._list.word_usage_frequency(found) > _NO_NAME else word

    def _knows(self, word: str) -> bool:
        plain = word.lower().replace("’", "'")
        ways = {plain, *(part for part in plain.split("'") if self._code != "en"), plain.removesuffix("'s")}
        ways |= {plain.replace("ss", "ß")} if self._code == "de" else set()
        if self._code == "en":
            ways |= {plain.replace(british, own) for british, own in _AMERICAN}
        return len(plain) < 2 or any(self._list.word_usage_frequency(way) > 0 for way in ways)

    def _likely(self, word: str) -> str:
        """The word that was meant, or the same where that is not clear."""
        found = sorted(((self._chance(word, one), one) for one in self._list.candidates(word) or ()), reverse=True)
        if not found or found[0][0] < _FREQUENT or (len(found) > 1 and found[0][0] < _SURE * found[1][0]):
            return word
        return found[0][1]

    def _chance(self, word: str, meant: str) -> float:
        """How often the word is written, times how much likelier the slip is than a wrong letter."""
        if word[0] != meant[0] and sorted(word) != sorted(meant):
            return 0.0
        slip = 1.0
        if _bare(word) == _bare(meant):
            slip = 300.0  # an accent or an apostrophe
        elif sorted(word) == sorted(meant) or _single(word) == _single(meant):
            slip = 30.0  # letters change places, or one is doubled
        elif word.startswith(meant):
            return 0.0  # an ending is another form of the word
        elif len(word) != len(meant):
            slip = 5.0
        return slip * self._list.word_usage_frequency(meant)


def _bare(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in letters if letter.isalpha())


def _single(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", word)


@lru_cache(maxsize=2)
def _listed(code: str) -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(language=code, distance=1)


def _ruled(line: str, code: str) -> str:
    """The line with its spaces, doubled words and, in English, articles set right."""
    line = re.sub(rf"(?<=\w) +(?=[{_SPACED.get(code, '.,;:!?')}](?:\s|$))", "", line)
    line = re.sub(r"(?<=\S)  +(?=\S)", " ", line) if line.count("  ") < 3 else line  # columns stay
    doubled = "|".join(_TWICE[code].split())
    line = re.sub(rf"\b({doubled}) +\1\b", r"\1", line, flags=re.IGNORECASE)
    if code == "en":
        line = _ARTICLE.sub(_article, line)
        line = re.sub(r"(?<![\w.'’])i(?=(?:['’](?:m|ve|ll|d))?(?:\s|[,;!?]|$))", "I", line)
    return _BEGINNING.sub(_begun, line)


def _article(match: re.Match[str]) -> str:
    if match[2].lower() in _AFTER_NO_ARTICLE:
        return match[0]
    return f"{match[1][0]}{'n' if _VOWEL.match(match[2]) else ''} "


def _begun(match: re.Match[str]) -> str:
    """A sentence with a capital, after a word that is no abbreviation."""
    if match[2] == "." and sentences.shortened(match[1]):
        return match[0]
    return f"{match[1]}{match[2]} {match[3].upper()}"
