"""Which language a text is written in, and the commonest words of nineteen languages.

The letters of a text settle most scripts. For Latin and Cyrillic, a naive Bayes classifier decides: each word is
either one of the language's common words (`resources/languages/CODE.txt`: name, function words, other frequent
words, most frequent first) or is spelled letter by letter by a trigram model of those words.
Must not know tools.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "languages"
_CYRILLIC = ("ru", "uk")
_SCRIPTS = {  # script: (first letter, last letter)...
    "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "kana": "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9d",
    "hangul": "\u1100-\u11ff\uac00-\ud7af",
    "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    "hebrew": "\u0590-\u05ff",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "devanagari": "\u0900-\u097f",
    "bengali": "\u0980-\u09ff",
    "tamil": "\u0b80-\u0bff",
    "thai": "\u0e00-\u0e7f",
    "georgian": "\u10a0-\u10ff",
    "armenian": "\u0530-\u058f",
    "cyrillic": "\u0400-\u04ff",
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff",
}
_ONE_LANGUAGE = {
    "kana": "ja", "hangul": "ko", "hebrew": "he", "greek": "el", "devanagari": "hi", "bengali": "bn",
    "tamil": "ta", "thai": "th", "georgian": "ka", "armenian": "hy",
}  # fmt: skip
_OTHER_NAMES = {
    "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ar": "Arabic", "fa": "Persian", "he": "Hebrew", "el": "Greek",
    "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "th": "Thai", "ka": "Georgian", "hy": "Armenian",
    "af": "Afrikaans", "am": "Amharic", "as": "Assamese", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "cy": "Welsh", "eo": "Esperanto", "et": "Estonian",
    "eu": "Basque", "fo": "Faroese", "fy": "West Frisian", "ga": "Irish", "gd": "Scottish Gaelic", "gl": "Galician",
    "gu": "Gujarati", "ha": "Hausa", "hr": "Croatian", "ht": "Haitian Creole", "ig": "Igbo", "is": "Icelandic",
    "jv": "Javanese", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mg": "Malagasy", "mk": "Macedonian",
    "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese",
    "ne": "Nepali", "nn": "Norwegian Nynorsk", "oc": "Occitan", "or": "Odia", "pa": "Punjabi", "ps": "Pashto",
    "qu": "Quechua", "rw": "Kinyarwanda", "sa": "Sanskrit", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
    "so": "Somali", "sq": "Albanian", "sr": "Serbian", "sw": "Swahili", "te": "Telugu", "tg": "Tajik", "tk": "Turkmen",
    "tl": "Filipino", "tt": "Tatar", "ug": "Uyghur", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa",
    "yo": "Yoruba", "yue": "Cantonese", "zu": "Zulu",
}  # fmt: skip
_SAME = {"no": "nb", "wuu": "zh"}
"""Languages that py3langid calls by another code."""
_CANTONESE = re.compile("[\u5605\u5497\u5514\u55ba\u5187\u4f62\u5572\u569f\u7540\u55f0\u5481\u4e5c\u5622]")
"""Characters that are in any Cantonese sentence and in hardly any other; without one a Chinese text is Mandarin."""
THREE_LETTERS = {
    "eng": "en", "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "pol": "pl", "rus": "ru",
    "ukr": "uk", "tur": "tr", "swe": "sv", "fin": "fi", "hun": "hu", "ron": "ro", "ell": "el", "vie": "vi", "ind": "id",
    "cat": "ca", "dan": "da", "nob": "nb", "nno": "nn", "ces": "cs", "isl": "is", "epo": "eo", "glg": "gl", "oci": "oc",
    "arg": "an", "srd": "sc", "cym": "cy", "bre": "br", "eus": "eu", "slv": "sl", "mkd": "mk", "bul": "bg", "hin": "hi",
}  # fmt: skip
"""Codes of ISO 639-3, as models of MMS and Apertium name languages."""
_NLLB = {
    "ar": "arb", "fa": "pes", "he": "heb", "ja": "jpn", "ko": "kor", "th": "tha", "zh": "zho", "bn": "ben", "ta": "tam",
    "af": "afr", "be": "bel", "et": "est", "hr": "hrv", "hy": "hye", "ka": "kat", "lt": "lit", "lv": "lvs", "ms": "zsm",
    "sk": "slk", "sq": "als", "sr": "srp", "sw": "swh", "tl": "tgl", "ur": "urd",
}  # fmt: skip
"""What NLLB calls languages that have no code above, or another one."""
_LETTERS = re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items()))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SAMPLE_CHARACTERS = 20_000
_SAMPLE_WORDS = 400


@dataclass(frozen=True)
class Language:
    """A language's common words. `stop_words` are those that carry grammar and no subject."""

    code: str
    name: str
    stop_words: frozenset[str]
    frequent: tuple[str, ...]


@cache
def languages() -> dict[str, Language]:
    """The languages with a word list, by ISO 639-1 code."""
    found = {}
    for path in sorted(FOLDER.glob("*.txt")):
        name, stop, common = path.read_text("utf-8").strip().split("\n")
        found[path.stem] = Language(path.stem, name, frozenset(stop.split()), tuple((stop + " " + common).split()))
    return found


PAIRS = "onnx marian"
"""The family of models of which each translates between a pair of languages (nodes/_support/inference/marian.py)."""


def name_of(code: str) -> str:
    """The English name of a language: "de" -> "German". The code itself when it is not known."""
    code = _SAME.get(code, code)
    known = languages().get(code)
    return known.name if known else _OTHER_NAMES.get(code, code)


def code_of(name: str) -> str:
    """The code of a language by its English name: "German" -> "de". The name itself when it is not known."""
    known = {language.name: code for code, language in languages().items()}
    return {**{other: code for code, other in _OTHER_NAMES.items()}, **known}.get(name, name)


def stop_words(code: str) -> frozenset[str]:
    """The function words of a language, lower case; an empty set when there is no list."""
    known = languages().get(code)
    return known.stop_words if known else frozenset()


def codes_of(code: str) -> tuple[str, ...]:
    """The code ("de") and the one of three letters ("deu") where that is known."""
    return (code, *(long for long, short in THREE_LETTERS.items() if short == code))


def nllb_of(code: str, known: Iterable[str]) -> str:
    """What NLLB calls a language ("de" -> "deu_Latn") among the names `known`; "" for one that is not."""
    longs = (_NLLB.get(code, ""), *codes_of(code)[1:])
    return next((name for long in longs if long for name in sorted(known) if name.startswith(f"{long}_")), "")


def detect(text: str) -> list[tuple[str, float]]:
    """Languages of `text` as (code, probability), most probable first; empty when it has no letters.

    Looks at up to 20,000 characters taken from the beginning, the middle and the end.
    """
    sample = _sample(text)
    shares = _script_shares(sample)
    total = sum(shares.values())
    chances: dict[str, float] = defaultdict(float)
    for script, count in shares.items():
        for code, chance in _within(script, sample, shares).items():
            chances[code] += chance * count / total
    return [(code, chance) for code, chance in sorted(chances.items(), key=lambda item: -item[1]) if chance >= 0.005]


def detect_any(text: str) -> list[tuple[str, float]]:
    """As `detect`, among a hundred languages instead of 32, and sure only where a text is long enough to be.

    The letters of the whole text decide (langid's naive Bayes by py3langid; Lui and Baldwin 2012). What they leave
    open, as in a greeting, the word lists say, of languages that are likely by their letters too. The rest is unknown.
    """
    sample = _sample(text)
    by_words = detect(sample)
    if not by_words:
        return []
    chances: dict[str, float] = defaultdict(float)
    for code, chance in _by_letters().rank(sample):
        code = "zh" if code == "yue" and not _CANTONESE.search(sample) else _SAME.get(code, code)
        if code in _OTHER_NAMES or code in languages():
            chances[code] += chance
    best = max(chances.values(), default=0.0) or 1.0
    words = {code: (1 - best) * chance * chances[code] / best for code, chance in by_words}
    for code in chances:
        chances[code] = chances[code] * (1 - sum(words.values())) + words.get(code, 0.0)
    return [(code, chance) for code, chance in sorted(chances.items(), key=lambda item: -item[1]) if chance >= 0.005]


@cache
def _by_letters() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_of(text: str, fallback: str = "en") -> str:
    """The code of the most probable language; `fallback` for a text without letters."""
    found = detect(text)
    return found[0][0] if found else fallback


@cache
def latin() -> tuple[str, ...]:
    """The codes of the languages with a word list that are written in Latin letters."""
    return tuple(code for code in languages() if code not in _CYRILLIC)


def is_common(word: str, code: str) -> bool:
    """True for a word in lower case that is on the list of the language."""
    return word in _models()[code].listed


def log_chance(word: str, code: str) -> float:
    """The natural logarithm of how often a word in lower case stands in texts of that language."""
    return _models()[code].log_chance(word)


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE_CHARACTERS:
        return text
    part, middle = _SAMPLE_CHARACTERS // 3, len(text) // 2
    return " ".join((text[:part], text[middle : middle + part], text[-part:]))


def _script_shares(sample: str) -> Counter[str]:
    """Letters in each script. A Han character counts as two letters, as it says about as much."""
    shares: Counter[str] = Counter()
    for match in _LETTERS.finditer(sample):
        script = match.lastgroup or ""
        shares[script] += len(match.group()) * (2 if script in ("han", "kana") else 1)
    return shares


def _within(script: str, sample: str, shares: Counter[str]) -> dict[str, float]:
    """How probable each language is for the part of the text in that script."""
    if script == "han":
        return {"ja": 1.0} if shares["kana"] * 8 > shares["han"] else {"zh": 1.0}
    if script == "arabic":
        return {"fa": 1.0} if len(re.findall("[پچژگکی]", sample)) * 40 > shares["arabic"] else {"ar": 1.0}
    if script in _ONE_LANGUAGE:
        return {_ONE_LANGUAGE[script]: 1.0}
    codes = _CYRILLIC if script == "cyrillic" else latin()
    letters = re.compile(f"[{_SCRIPTS[script]}]")
    words = [w.lower().replace("’", "'") for w in _WORD.findall(sample) if letters.match(w)]
    return _posterior(Counter(words[:_SAMPLE_WORDS]), codes)


def _posterior(words: Counter[str], codes: tuple[str, ...]) -> dict[str, float]:
    count = sum(words.values())
    if not count:
        return {}
    logs = {code: sum(n * _models()[code].log_chance(word) for word, n in words.items()) for code in codes}
    # neighbouring words are not independent: without the root, ten words would already give certainty
    temper = max(1.0, math.sqrt(count)) / 1.2
    best = max(logs.values())
    weights = {code: math.exp((value - best) / temper) for code, value in logs.items()}
    total = sum(weights.values())
    return {code: weight / total for code, weight in weights.items()}


class _Model:
    """P(word) of one language: half from its list of common words, half from their spelling."""

    def __init__(self, language: Language) -> None:
        ranks = {word: 1 / (8 + rank) for rank, word in enumerate(language.frequent)}
        total = sum(ranks.values())
        self.listed = {word: 0.5 * weight / total for word, weight in ranks.items()}
        self._pairs: Counter[str] = Counter()
        self._triples: Counter[str] = Counter()
        self._singles: Counter[str] = Counter()
        for word in ranks:
            padded = f"^^{word}$"
            for i in range(2, len(padded)):
                self._triples[padded[i - 2 : i + 1]] += 1
                self._pairs[padded[i - 1 : i + 1]] += 1
                self._singles[padded[i]] += 1
        self._pair_starts: Counter[str] = Counter()
        self._single_starts: Counter[str] = Counter()
        for triple, n in self._triples.items():
            self._pair_starts[triple[:2]] += n
        for pair, n in self._pairs.items():
            self._single_starts[pair[0]] += n
        self._letters = sum(self._singles.values())

    def log_chance(self, word: str) -> float:
        """The natural logarithm of P(word). Witten-Bell-like back-off from three letters to one."""
        padded = f"^^{word[:24]}$"
        spelled = 0.0
        for i in range(2, len(padded)):
            single = (self._singles[padded[i]] + 0.05) / (self._letters + 4)
            pair = (self._pairs[padded[i - 1 : i + 1]] + 6 * single) / (self._single_starts[padded[i - 1]] + 6)
            triple = (self._triples[padded[i - 2 : i + 1]] + 5 * pair) / (self._pair_starts[padded[i - 2 : i]] + 5)
            spelled += math.log(triple)
        return math.log(self.listed.get(word, 0.0) + 0.5 * math.exp(max(spelled, -600)))


@cache
def _models() -> dict[str, _Model]:
    return {code: _Model(language) for code, language in languages().items()}
