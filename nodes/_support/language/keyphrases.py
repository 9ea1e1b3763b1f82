"""The words and short phrases that a text is about, with weights. Must not know tools.

Candidates as in RAKE (Rose et al. 2010): runs of up to three words without function words. A word weighs more when it
is frequent, early, spread over the text and capitalised inside sentences, less when it is common in its language. In
Chinese they are nouns and pairs of nouns.

Our own, as YAKE is under the GPL, KeyBERT wants torch, and multi-rake has had no release since 2021.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from itertools import pairwise

from nodes._support.language import chinese, letters, meaning
from nodes._support.language.languages import languages, stop_words
from nodes._support.language.sentences import sentences
from nodes._support.language.words import bare_word, stem

_CLAUSE = re.compile(r"[,;:!?()\[\]{}\"“”„«»|/]|\.(?=\s|$)|\s[-–—]\s")
_TOKEN = re.compile(r"[^\W_]+(?:['’\-.&][^\W_]+)*")
_HAN_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u30a0-\u30ff]{2,}")
_HAN_BREAK = re.compile("[的了是在和与及或也就都而之其这那有不我你他她它们个把被吗呢吧啊着过从到对将为以于很说]")
_MOST_CHARACTERS = 1_000_000
_SHORT = 1500
"""Letters of a text whose words are weighed by their meaning, too."""
_MOST_WEIGHED = 40
_SHARPNESS = 1.0


def keyphrases(text: str, count: int, language: str) -> list[tuple[str, float]]:
    """Up to `count` (phrase, weight) pairs, heaviest first, the first weighing 1. No phrase repeats another's words.

    Reads the first million characters.
    """
    pieces = sentences(text[:_MOST_CHARACTERS], language)
    find = {"zh": _chinese, "ja": _japanese}.get(language)
    found = find(pieces) if find else _spaced(pieces, language)
    top = found[0][1] if found else 1.0
    return [(phrase, round(weight / top, 4)) for phrase, weight in _distinct(found, count, language)]


def _spaced(pieces: list[str], language: str) -> list[tuple[str, float]]:
    runs = [(row, run) for row, piece in enumerate(pieces) for run in _runs(piece, language)]
    values = _word_values(runs, len(pieces), language)
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for _, run in runs:
        for size in (1, 2, 3):
            for i in range(len(run) - size + 1):
                part = run[i : i + size]
                forms[tuple(stem(bare_word(w, language), language) for w in part)][" ".join(part)] += 1
    found = []
    for stems, written in forms.items():
        times = sum(written.values())
        if len(stems) > 1 and (times < 2 and not all(w[0].isupper() for w in _shown(written).split())):
            continue
        mean = sum(values[s] for s in stems) / len(stems)
        found.append((_shown(written), mean * math.log2(1 + times) * len(stems) ** 0.9))
    return _by_meaning(sorted(found, key=lambda pair: (-pair[1], pair[0])), " ".join(pieces))


def _by_meaning(found: list[tuple[str, float]], text: str) -> list[tuple[str, float]]:
    """In a short text hardly a word occurs twice: there those weigh more that mean what the whole text does, as in
    KeyBERT (Grootendorst 2020)."""
    if len(text) > _SHORT or len(found) < 2:
        return found
    likely = found[:_MOST_WEIGHED]
    vectors = meaning.vectors([text, *(phrase for phrase, _ in likely)])
    near = vectors[1:] @ vectors[0]
    weighed = [
        (phrase, weight * max(0.02, float(n)) ** _SHARPNESS) for (phrase, weight), n in zip(likely, near, strict=True)
    ]
    return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))


def _runs(piece: str, language: str) -> list[list[str]]:
    """Runs of subject words between function words and punctuation."""
    skipped = stop_words(language) | letters.adverbs(language)
    dated = letters.calendar_names(language)
    found: list[list[str]] = []
    for clause in _CLAUSE.split(piece):
        run: list[str] = []
        for token in _TOKEN.findall(clause):
            bare = bare_word(token, language)
            if (
                bare in skipped
                or token.lower() in skipped
                or len(bare) < 3
                or bare.replace(".", "").isdigit()
                or (bare in dated and (token[0].isupper() or language in ("fr", "es")))
            ):
                found.append(run)
                run = []
            else:
                run.append(re.sub(r"['’]s$", "", token))
        found.append(run)
    return [run for run in found if run]


def _word_values(runs: list[tuple[int, list[str]]], total: int, language: str) -> dict[str, float]:
    known = languages().get(language)
    common = {stem(w, language) for w in known.frequent} if known else set()
    times: Counter[str] = Counter()
    first: dict[str, int] = {}
    rows: dict[str, set[int]] = defaultdict(set)
    capital: Counter[str] = Counter()
    for row, run in runs:
        for place, word in enumerate(run):
            key = stem(bare_word(word, language), language)
            times[key] += 1
            first.setdefault(key, row)
            rows[key].add(row)
            capital[key] += word[0].isupper() and place > 0
    values = {}
    for key, n in times.items():
        early = 1 + 0.6 * math.exp(-3 * first[key] / max(1, total))
        spread = 0.5 + 0.5 * len(rows[key]) / n
        name = 1.25 if capital[key] * 2 >= n and language != "de" else 1.0
        values[key] = n**0.75 * early * spread * name * (0.35 if key in common else 1.0) * min(1.0, len(key) / 5)
    return values


def _shown(written: Counter[str]) -> str:
    """The commonest way it is written; of equals, the one without a capital."""
    return min(written, key=lambda form: (-written[form], form[0].isupper(), form))


def _chinese(pieces: list[str]) -> list[tuple[str, float]]:
    """Nouns, and pairs of them that come again: frequent, early and long ones and names weigh more."""
    times: Counter[str] = Counter()
    first: dict[str, int] = {}
    words: set[str] = set()
    named: set[str] = set()
    for row, piece in enumerate(pieces):
        found = chinese.words(piece)
        pairs = [one.text + other.text for one, other in pairwise(found) if one.is_subject and other.is_subject]
        words |= {word.text for word in found if word.is_subject}
        parts = [word.text for word in found if word.is_subject] + pairs
        times.update(parts)
        named |= {word.text for word in found if word.is_name}
        for part in parts:
            first.setdefault(part, row)
    kept = {part: n for part, n in times.items() if n > 1 or part in words}

    def weight(part: str) -> float:
        early = 1 + 0.6 * math.exp(-3 * first[part] / len(pieces))
        return kept[part] * early * len(part) ** 0.5 * (1.25 if part in named else 1.0)

    return sorted(((part, weight(part)) for part in kept), key=lambda pair: (-pair[1], pair[0]))


def _japanese(pieces: list[str]) -> list[tuple[str, float]]:
    """Repeated runs of two to six characters stand for words, which have no spaces between them."""
    times: Counter[str] = Counter()
    for piece in pieces:
        for run in _HAN_RUN.findall(piece):
            for part in _HAN_BREAK.split(run):
                times.update(part[i : i + n] for n in range(2, 7) for i in range(len(part) - n + 1))
    repeated = {p: n for p, n in times.items() if n > 1} or dict(times.most_common(200))
    inner = {p[i : i + n] for p, c in repeated.items() for n in range(2, len(p)) for i in range(len(p) - n + 1)
             if repeated.get(p[i : i + n]) == c}  # fmt: skip
    found = [(p, n * len(p) ** 0.7) for p, n in repeated.items() if p not in inner]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _distinct(found: list[tuple[str, float]], count: int, language: str) -> list[tuple[str, float]]:
    chosen: list[tuple[str, float]] = []
    taken: list[set[str]] = []
    for phrase, weight in found:
        parts = (
            {phrase} if language in ("zh", "ja") else {stem(bare_word(w, language), language) for w in phrase.split()}
        )
        if any(parts <= other or other <= parts for other in taken):
            continue
        if language in ("zh", "ja") and any(phrase in p or p in phrase for p, _ in chosen):
            continue
        chosen.append((phrase, weight))
        taken.append(parts)
        if len(chosen) == count:
            break
    return chosen
