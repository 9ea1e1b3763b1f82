"""Sets right the plain mistakes of a text by lists of words and a few rules, where there is little doubt.

Words come from the lists of pyspellchecker. What differs from no known word by one slip, or from several alike, stays
as it is, and so do names, addresses, code and abbreviations. Must not know tools.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from nodes._support.language import languages, meaning, sentences, words
from nodes.api import NodeError, Phrase

KNOWN = ("en", "de", "fr", "es", "it", "nl", "pt")
"""Languages of which the list is long enough, 86,000 words and more, and was tried."""
_STRANGE_SHARE = 0.4
"""Of so many words that the list does not have the text is in another language, or full of names."""
_SURE, _FREQUENT, _NO_NAME = 8.0, 2e-7, 6e-7
"""How much likelier a word has to be than the next, its share of all that is written, and that of one for what may be a
name.
"""
_LEMMAS = frozenset(("es",))
"""Languages of whose verbs and nouns the list has but one form; what has the stem of one is known, too."""
_COMPOUNDING, _PART = frozenset(("de", "nl")), 4
"""Languages that write several words as one, and how many letters each has at least."""
_CHANGED = (("ie", "e"), ("ue", "o"), ("i", "e"), ("u", "o"), ("zc", "c"), ("ng", "n"), ("lg", "l"))
"""How the stems of Spanish verbs change: "quieres" of "querer", "conozco" of "conocer"."""
_CLITICS = re.compile(r"(?:me|te|se|nos|os|l[aeo]s?){1,2}$")
_LIKELY, _SAME, _RARE = 20.0, 300.0, 1e-7
"""How much likelier than another wrong letter is one that sounds alike, or one without its accent; and how rare a word
is that is never meant otherwise.
"""
_FORM = 0.1
"""How often another form of a word is written, beside the form that is listed."""
_ALIKE = {
    "en": "ea ie sc ck", "de": "äe dt bp gk vf sß", "fr": "sc", "es": "bv sc sz cz gj mn yi", "it": "cq",
    "nl": "dt zs vf", "pt": "sz sc sç xz mn",
}  # fmt: skip
"""Pairs of letters that are written for each other, as they sound alike."""
_ALWAYS_GREAT = (
    "monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december"
)
"""What English writes with a capital, and is no name."""
_BEFORE_NOUN = re.compile(
    r"(?:^|\W)(?:d(?:er|ie|as|en|em|es)|(?:k|m|d|s)?ein(?:e[nmrs]?)?|ihr(?:e[nmrs]?)?|uns(?:e?re[nmrs]?|er)|"
    r"(?:dies|jed|welch|all|viel|manch)e[nmrs]?|zum|zur|vom|beim|am|im|ins|[a-zäöüß]{3,}e[nrsm]?)\W*$",
    re.IGNORECASE,
)
"""What stands before a noun of German, and seldom before a name."""
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NO_PROSE = re.compile(r"^\.\w|[@/\\_#<>{}=|~^*`\d]|\w\.\w|\w-$|^-\w")
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
    made = "\n".join(_ruled(words.mended(line), code) for line in text.split("\n"))
    return _without_slips(made) if code == "en" else made


class _Words:
    """What is known of the words of one text."""

    def __init__(self, code: str, text: str) -> None:
        self._code, self._list = code, _listed(code)
        self._alike = {frozenset(pair) for pair in _ALIKE[code].split()}
        self._has_sharp = "ß" in text
        tokens = [token for token in _TOKEN.findall(text) if not _NO_PROSE.search(token)]
        prose = [word for token in tokens for word in _WORD.findall(token)]
        self._times = {word: prose.count(word) for word in set(prose)}
        self.strange = sum(not self._knows(word) for word in prose) / max(1, len(prose))

    def mended(self, line: str) -> str:
        """The line with its words set right."""
        return _TOKEN.sub(lambda token: self._token(token[0], line[: token.start()].rstrip()), line)

    def _token(self, token: str, before: str) -> str:
        if _NO_PROSE.search(token.lstrip("\"'(„“«¿¡").rstrip(".,;:!?\"'()")) or (
            token.count("-") > 1 and token.islower()
        ):
            return token
        return _WORD.sub(lambda word: self._better(word[0], before + token[: word.start()]), token)

    def _better(self, word: str, before: str) -> str:
        if len(word) < 3 or not word[1:].islower() or _CONSONANTS.fullmatch(word) or self._knows(word):
            return word  # "pls", "mtg": shortened, and no slip
        past = _past(word.lower(), before) if self._code == "en" else ""
        if past:
            return past if word[0].islower() else past.capitalize()
        found = self._likely(word.lower())
        if word[0].islower():
            return found
        sure = found != word.lower() and self._slip(word.lower(), found) > 1 and self._is_no_name(word, found, before)
        return found.capitalize() if sure else word

    def _is_no_name(self, word: str, found: str, before: str) -> bool:
        """True where a word with a capital is none of a person or a place, as far as it shows."""
        if self._code == "en" and found in _ALWAYS_GREAT.split():
            return True
        if self._times.get(word, 0) > 1:
            return False
        if self._code == "de" and _BEFORE_NOUN.search(before):
            return True
        begins = not before or before[-1] in '.!?:"“„«'
        return (begins or self._code == "de") and self._frequency(found) > _NO_NAME

    def _knows(self, word: str) -> bool:
        plain = word.lower().replace("’", "'")
        ways = {plain, *(part for part in plain.split("'") if self._code != "en"), plain.removesuffix("'s")}
        ways |= {plain.replace("ss", "ß")} if self._code == "de" and not self._has_sharp else set()
        if self._code == "en":
            ways |= {plain.replace(british, own) for british, own in _AMERICAN}
        return len(plain) < 2 or any(map(self._is_word, ways))

    def _is_word(self, word: str) -> bool:
        if self._list.word_usage_frequency(word) > 0:
            return True
        if self._code in _COMPOUNDING and self._is_compound(word):
            return True
        if self._code in _LEMMAS and meaning.is_frequent(word):
            return True
        if not self._is_form(word) and not self._is_foreign(word):
            return False
        return not any(_bare(other) == _bare(word) for other in self._list.candidates(word) or ())

    def _is_compound(self, word: str) -> bool:
        """Two words in one, perhaps with an "s" between them."""
        ends = range(_PART, len(word) - _PART + 1)
        return any(self._is_part(word[:end]) and self._is_part(word[end:]) for end in ends)

    def _is_part(self, part: str) -> bool:
        return any(self._list.word_usage_frequency(one) > 0 for one in {part, part.removesuffix("s")})

    def _is_form(self, word: str) -> bool:
        """A form of a word of which the list has another: "semanas", and with "it" at its end "escríbelo"."""
        if self._code not in _LEMMAS:
            return False
        stem = words.stem(word, self._code)
        changed = (re.sub(rf"{of}(?=[^aeiou]*$)", to, stem) for of, to in _CHANGED)
        known = any(each in _stems(self._code, word[:1]) for each in (stem, *changed)) or word in languages.stop_words(
            self._code
        )
        return known or self._frequency(_bare(_CLITICS.sub("", word))) > 0

    def _is_foreign(self, word: str) -> bool:
        """An English word in another language: a text says "Download", and quotes."""
        return self._code != "en" and len(word) > 2 and _listed("en").word_usage_frequency(word) > 0

    def _frequency(self, word: str) -> float:
        """The share of all words that it has; of what has the stem of a listed word, a tenth of that one's."""
        own = self._list.word_usage_frequency(word)
        if own or self._code not in _LEMMAS:
            return own
        return _FORM * _stems(self._code, word[:1]).get(words.stem(word, self._code), 0.0)

    def _candidates(self, word: str) -> Iterable[str]:
        """What may have been meant: words at a distance of one slip, or of letters doubled or not."""
        found = set(self._list.candidates(word) or ())
        if self._code in _LEMMAS:
            found |= {
                each for each in self._list.edit_distance_1(word) if each[:1] == word[0] and self._frequency(each)
            }
        return found or {each for each in [_singles(self._code).get(_single(word))] if each}

    def _likely(self, word: str) -> str:
        """The word that was meant, or the same where that is not clear."""
        found = sorted(((self._chance(word, one), one) for one in self._candidates(word)), reverse=True)
        if not found or found[0][0] < _FREQUENT or (len(found) > 1 and found[0][0] < _SURE * found[1][0]):
            return word
        return found[0][1]

    def _chance(self, word: str, meant: str) -> float:
        """How often the word is written, times how likely the slip is."""
        slip, listed = self._slip(word, meant), self._list.word_usage_frequency(meant)
        if slip < _SAME and 0 < listed < _RARE:
            return 0.0
        return slip * (listed or (self._frequency(meant) if slip in (_LIKELY, _SAME) else 0.0))

    def _slip(self, word: str, meant: str) -> float:
        """How much likelier than a wrong letter it is to write the one word for the other; 0 for no slip at all."""
        swapped = sorted(word) == sorted(meant)
        if word[0] != meant[0] and not swapped:
            return 0.0
        if _bare(word) == _bare(meant):
            return _SAME if _accents(meant) or not _accents(word) else 0.0  # nobody writes an accent too many
        if swapped:
            return 30.0 if word[0] == meant[0] else 3.0
        if _single(word) == _single(meant):
            return 30.0
        if word.startswith(meant) or words.stem(word, self._code) == words.stem(meant, self._code):
            return 0.0  # an ending is another form of the word
        if len(word) != len(meant):
            return 5.0
        pairs = (pair for pair in zip(word, meant, strict=True) if pair[0] != pair[1])
        return _LIKELY if frozenset(next(pairs)) in self._alike else 1.0


@cache
def _english() -> Mapping[str, Any]:
    return tomllib.loads((words.FOLDER / "english_slips.toml").read_text("utf-8"))


@cache
def _made_up() -> Mapping[str, tuple[str, str]]:
    """By regular forms of verbs that have others ("swimmed") the past, and the form behind "have"."""
    found: dict[str, tuple[str, str]] = {}
    for verb, past, *behind in words.irregular_forms("en"):
        stems = (verb.removesuffix("e"), verb + verb[-1], re.sub("y$", "i", verb))
        found |= dict.fromkeys((f"{stem}ed" for stem in stems), (past, (behind or [past])[0]))
    return found


def _past(word: str, before: str) -> str:
    """The past of a verb that was made up, "" for other words."""
    last = re.findall(r"'?[a-z]+", before.lower().replace("’", "'"))[-1:]
    forms = _made_up().get(word)
    return "" if forms is None else forms[bool(last) and last[0] in _english()["behind_have"].split()]


def _without_slips(text: str) -> str:
    """Without words that are known and cannot be meant where they stand."""
    for slip in _english()["slips"]:
        if not re.search(rf"\b(?:{slip['unless']})\b", text, re.I):
            text = re.sub(slip["said"], slip["meant"], text)
    return text


def _bare(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in letters if letter.isalpha())


def _accents(word: str) -> int:
    return sum(unicodedata.combining(letter) > 0 for letter in unicodedata.normalize("NFKD", word))


def _single(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", word)


def is_listed(word: str, code: str) -> bool:
    """Whether the dictionary of a language, one of those of pyspellchecker, has the word."""
    return word.lower() in _listed(code)


@lru_cache(maxsize=3)
def _listed(code: str) -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(language=code, distance=1)


@lru_cache(maxsize=64)
def _stems(code: str, first: str) -> Mapping[str, float]:
    """The stems of the listed words with this first letter, with the share of the most frequent word of each."""
    listed, found = _listed(code), dict[str, float]()
    for word in (word for word in listed.word_frequency.dictionary if word.startswith(first)):
        stem = words.stem(word, code)
        found[stem] = max(found.get(stem, 0.0), listed.word_usage_frequency(word))
    return found


@lru_cache(maxsize=2)
def _singles(code: str) -> Mapping[str, str]:
    """The listed words by what they are with no letter doubled; of several the most frequent."""
    listed, found = _listed(code), dict[str, str]()
    for word in listed.word_frequency.dictionary:
        single = _single(word)
        if listed.word_usage_frequency(found.get(single, "")) <= listed.word_usage_frequency(word):
            found[single] = word
    return found


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
