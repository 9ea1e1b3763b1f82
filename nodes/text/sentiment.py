"""Tell whether a text sounds positive, negative or neutral."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np

from nodes._support.inference import connected, text_models
from nodes._support.language import meaning
from nodes._support.language.languages import FOLDER, detect_any, name_of
from nodes._support.language.sentences import sentences
from nodes._support.language.words import given
from nodes.api import (
    Family,
    Label,
    Labels,
    NodeError,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)  # fmt: skip

_MOST_SENTENCES = 3_000
_MOODS = ("positive", "negative", "neutral")
_WORD = re.compile(r"[^\W\d_]+|[,.;:!?，。；：！？]")


_KNOWN = {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
_STEEP, _EDGE = 5.0, 1.0  # of the logistic curves from a value to how likely the text is positive, and negative
_IDLE = re.compile(r"\b(never|not|no|without|\w+n['’]t)\s+(?:(?:ever|had|have|been|an?|any|one|single)\s+)+", re.I)
"""What stands between a negation and its word: VADER looks three words back, "never had a single problem" is four."""


@tool(
    id="sentiment",
    title="Sentiment",
    domain="text",
    description="Tells whether a text, review or comment is positive, negative or neutral in mood.",
    inputs=(Port("text", ResourceType.TEXT, "the text to judge"),),
    outputs=(Port("labels", ResourceType.LABELS, "positive, negative, neutral; the strongest first", unit="%"),),
    backend="lexicon",
    backend_title="Sentence vectors and word lists (VADER)",
    quality=0.58,
    examples=(
        "Is this review positive or negative?",
        "What is the sentiment of this comment?",
        "How does the mail sound?",
    ),
    words=("mood", "opinion", "tone", "feeling", "emotion", "polarity"),
    icon="smile",
)
def sentiment(text: Text) -> Labels:
    """Three labels whose scores sum to 1.

    Sentences (of more than 3,000 an even sample) are judged one by one, those with a mood count most: by a regression
    from their vectors to ratings of twenty people each (tests.training.of_nodes.train_sentiment), in English with VADER
    (Hutto and Gilbert 2014), which decides where the two contradict each other, in German, French, Spanish, Italian and
    Chinese with word lists. Raises NodeError for a language that the vectors do not know. Measured on kinds of text
    left out of the fitting, sentences with a mood: right for 84 % of tweets, 79 % of reviews of goods, 69 % of films,
    77 % of newspapers (VADER alone: 96, 63, 58, 61 %); irony misleads it.
    """
    text = given(text)
    language = _language(text)
    pieces = sentences(text, language) or [text.strip()]
    return _labels(_values(pieces[:: len(pieces) // _MOST_SENTENCES + 1], language))


def _values(pieces: list[str], language: str) -> np.ndarray:
    """-1..1 of each sentence."""
    kind = "with_words" if language == "en" else "alone"
    weights = np.load(FOLDER / "sentiment" / "vectors.npz")[kind].astype(np.float32)
    found = meaning.vectors(pieces) @ weights[: meaning.WIDTH] + weights[-1]
    if language == "en":
        words = np.array([_vader().polarity_scores(_IDLE.sub(r"\1 ", piece))["compound"] / 2 for piece in pieces])
        found += words * weights[meaning.WIDTH]
        found = np.where((abs(words) > 0.15) & (words * found < 0), words, found)
    elif (FOLDER / "sentiment" / f"{language}.txt").exists():
        words = np.array([_listed(piece, language) for piece in pieces])
        found += words * 0.3  # about what a word of VADER's is worth
    else:
        return found
    return np.where(words == 0, found * 0.75, found)  # a sentence without a known word of mood more often has none


def _language(text: str) -> str:
    found = detect_any(text)
    code, chance = found[0] if found else ("en", 1.0)
    if code in _KNOWN:
        return code
    if chance < 0.7:
        return "en"
    raise NodeError(
        Phrase("The text seems to be {language}, whose moods are not known.", language=name_of(code)),
        "text",
        "Translate it to English first.",
    )


def _labels(values: np.ndarray) -> Labels:
    """Values of sentences as three scores; each sentence counts by how much of a mood it has."""
    mean = float(np.average(values, weights=abs(values) + 0.02))
    positive, negative = (1 / (1 + math.exp(_EDGE - _STEEP * side)) for side in (mean, -mean))
    scores = {"positive": positive, "negative": negative, "neutral": 1 - positive - negative}
    return tuple(Label(name, round(score, 4)) for name, score in sorted(scores.items(), key=lambda s: -s[1]))


@cache
def _vader() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


@cache
def _lists(language: str) -> tuple[frozenset[str], ...]:
    """Positive, negative, negating and strengthening words."""
    lines = (FOLDER / "sentiment" / f"{language}.txt").read_text("utf-8").strip().split("\n")
    return tuple(frozenset(line.split()) for line in lines)


def _listed(sentence: str, language: str) -> float:
    """-1..1: words of the lists; a negation within three words before turns the sign, an intensifier adds."""
    positive, negative, negating, strong = _lists(language)
    tokens = _han_tokens(sentence, language) if language == "zh" else [w.lower() for w in _WORD.findall(sentence)]
    total = 0.0
    for i, token in enumerate(tokens):
        value = 1.0 if token in positive else -1.0 if token in negative else 0.0
        before = _clause(tokens[max(0, i - 3) : i])
        value *= 1.4 if strong.intersection(before) else 1.0
        total += -0.7 * value if negating.intersection(before) else value
    return total / math.sqrt(total * total + 3)


def _clause(tokens: list[str]) -> list[str]:
    """What stands behind the last punctuation mark."""
    for i in range(len(tokens) - 1, -1, -1):
        if not tokens[i].isalpha():
            return tokens[i + 1 :]
    return tokens


def _han_tokens(sentence: str, language: str) -> list[str]:
    """Words of the lists, longest first, other characters one by one."""
    known = {word for group in _lists(language) for word in group}
    found, i = [], 0
    while i < len(sentence):
        size = next((n for n in (4, 3, 2) if sentence[i : i + n] in known), 1)
        found.append(sentence[i : i + size])
        i += size
    return found


@backend_of(sentiment, **connected.CONNECTED)
def by_connected_model(text: Text, *, context: RunContext) -> Labels:
    """By what the text means as a whole."""
    order = "How does the author feel about it? Give each of positive, negative and neutral its probability; sum 1."
    score = {"type": "number", "minimum": 0, "maximum": 1}
    schema = {"type": "object", "properties": dict.fromkeys(_MOODS, score), "required": list(_MOODS)}
    found = connected.structured(order, schema, context, given(text))
    return connected.labels([{"name": mood, "score": found.get(mood)} for mood in _MOODS])


@backend_of(sentiment, families=(Family("transformers text classification", "sentiment"),))
def by_classifier(text: Text, *, context: RunContext) -> Labels:
    """As a classifier learned it from reviews; its labels are those of the model."""
    return text_models.mood(given(text), context)
