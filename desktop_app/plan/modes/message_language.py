"""In which of the languages that the chat speaks a message is written, short ones too. Knows no conversation."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.arguments.value_tables import entries
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import is_ideographic, stem, tokens_of
from nodes._support.language import languages

SPOKEN = {"en": "english", "zh": "chinese", "de": "german", "fr": "french", "es": "spanish"}
"""The languages of the chat, with the names that the planner gives to them."""
_LISTED = 0.3  # of the words of a message; 0.2 to 0.7 differ by 4 of 4,000 (short forms and wishes)
_RARE = (
    3e-6  # any word may stand in any language: "una pizza" is not English; without it 28 of 5,700 were wrong, now 15
)
_OTHERS = 0.2  # how likely one of the other languages is beside one of SPOKEN, before a word is read
_SURE = 0.6
_MOST_WORDS = 60
_ORDER = re.compile(r"(\w{3,}?)(?:me|nos|se)?l[oa]s?")
_PLAIN = str.maketrans("áéíóú", "aeiou")


@lru_cache(maxsize=256)
def language_of_message(text: str) -> str:
    """Its code, a key of SPOKEN; "" where no language is told surely, or one in which the chat does not speak.

    Names of files, quotations and figures say nothing of it.
    """
    words = [token.word for token in tokens_of(text) if token.kind == "word"]
    written = "".join(filter(is_ideographic, words))
    if written:
        return "zh" if languages.language_of(written) == "zh" else ""
    parts = [part for word in words for part in word.split("'") if part and part not in _neutral()]
    return _likeliest(parts[:_MOST_WORDS])


def _likeliest(words: Sequence[str]) -> str:
    """The language that is surely the likeliest among those with word lists, which knows at least one of the words."""
    before = {code: 0.0 if code in SPOKEN else math.log(_OTHERS) for code in languages.latin()}
    logs = {code: log + sum(_log_chance(word, code) for word in words) for code, log in before.items()}
    best = max(logs, key=lambda code: logs[code])
    share = 1 / sum(math.exp(log - logs[best]) for log in logs.values())
    known = best in SPOKEN and any(languages.is_common(word, best) or _is_listed(word, best) for word in words)
    is_shared = best != "en" and len(words) == 1 and words[0] in _vocabulary("en")  # "transcribe", "rotate"
    return best if known and share >= _SURE and not is_shared else ""


@lru_cache(maxsize=16_384)
def _log_chance(word: str, code: str) -> float:
    """The natural logarithm of how often the word stands in such messages of that language."""
    chance = math.exp(languages.log_chance(word, code))
    if code in SPOKEN:
        chance = (1 - _LISTED) * chance + _LISTED * _is_listed(word, code) / len(_vocabulary(code))
    return math.log(max(chance, _RARE))


def _is_listed(word: str, code: str) -> bool:
    """True where the planner's lists of the language hold it."""
    return word in _vocabulary(code) or stem(word, SPOKEN[code]) in _vocabulary(code) or _is_order(word, code)


def _is_order(word: str, code: str) -> bool:
    """ "Arréglalo", "recórtala": in Spanish what is worked on is written to the verb, often without the accent."""
    verb = _ORDER.fullmatch(word) if code == "es" else None
    return verb is not None and _is_known(verb[1].translate(_PLAIN), code)


def _is_known(word: str, code: str) -> bool:
    return languages.is_common(word, code) or word in _vocabulary(code) or stem(word, SPOKEN[code]) in _vocabulary(code)


@cache
def _vocabulary(code: str) -> frozenset[str]:
    return lexicon(SPOKEN[code]).vocabulary | frozenset(entries(_tables()["languages"].get(code, "")))


@cache
def _neutral() -> frozenset[str]:
    """Words that are the same in all of them."""
    forms = (entry for text in _tables()["forms"].values() for entry in entries(text))
    return frozenset((*forms, *entries(_tables()["languages"]["all"])))


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((RESOURCES / "conversation.toml").read_bytes().decode())
