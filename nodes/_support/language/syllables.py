"""Counts syllables, for measures of readability. Must not know tools."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = {
    "de": "aeiouyäöü",
    "fr": "aeiouyàâäéèêëîïôöùûüœæ",
    "es": "aeiouáéíóúü",
    "it": "aeiouàèéìòóù",
    "pt": "aeiouáâãàéêíóôõúü",
    "nl": "aeiouyéëïöü",
}
_SPLIT_VOWELS = {
    "es": r"[aeoáéíóú](?=[aeoáéíóú])",
    "it": r"[aeoàèéìòóù](?=[aeoàèéìòóù])",
    "pt": r"[aeoáéíóú](?=[aeoáéíóú])",
}
LANGUAGES = ("en", *_VOWELS)


@lru_cache(maxsize=100_000)
def syllables(word: str, language: str) -> int:
    """How many syllables a word has, at least 1: groups of vowels, with each language's silent and split ones."""
    low = word.lower()
    if language == "en":
        return max(1, _english(low))
    groups = len(re.findall(f"[{_VOWELS[language]}]+", low))
    if language == "de":
        groups += len(re.findall("[eu]a|eo|io|ie(?=n$|r)", low))
    if language == "fr":
        groups -= bool(re.search(r"(?<=[^aeiouyàâäéèêëîïôöùûü])(?:e|es|ent)$", low)) and groups > 1
    groups += len(re.findall(_SPLIT_VOWELS.get(language, r"(?!)"), low))
    return max(1, groups)


_EXCEPTIONS = {"business": 2, "every": 2, "evening": 2, "people": 2, "idea": 3, "area": 3, "areas": 3, "ideas": 3}
_ENGLISH_SPLIT = re.compile(  # neighbouring vowels that are two syllables
    r"[aeiouy](?=ing$)|(?<![ctsgl])i(?=a(?!ge$)|o(?!n))|i(?=u)|(?<![ct])i(?=e(?:nt|nc|t))|"
    r"(?<=^sc)i(?=e)|(?<=soc)i(?=ety)|(?<![gq])u(?=al|at|ar[yi]|e[ln]|o)|e(?=o(?![pnu]))|(?<=cr)e(?=at)|"
    r"(?<=r)e(?=al(?!m))|(?<=th)e(?=at[re])"
)


def _english(word: str) -> int:
    """Groups of vowels, less the silent e, more the groups that split."""
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    silent = bool(re.search(r"(?<![aeiouy])e$", word)) and not re.search(r"[^aeiouy]le$", word)
    silent_ed = bool(re.search(r"[^aeiouytd]ed$", word))
    silent_es = bool(re.search(r"[^aeiouyscxz]es$", word)) and not re.search(r"(?:ch|sh|g)es$", word)
    groups = len(re.findall("[aeiouy]+", word)) + len(_ENGLISH_SPLIT.findall(word))
    return groups - silent - silent_ed - silent_es
