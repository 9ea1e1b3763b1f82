"""Tell whether a text sounds positive, negative or neutral."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from nodes._support import connected, text_models
from nodes._support.languages import FOLDER, detect_any, name_of
from nodes._support.sentences import sentences
from nodes._support.words import given
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


_UNKNOWN = 0.5  # how sure "neutral" is where no word of the lists tells a mood: of such reviews most have one


@tool(
    id="sentiment",
    title="Sentiment",
    domain="text",
    description="Tells whether a text, review or comment is positive, negative or neutral in mood.",
    inputs=(Port("text", ResourceType.TEXT, "the text to judge"),),
    outputs=(Port("labels", ResourceType.LABELS, "positive, negative, neutral; the strongest first"),),
    backend="lexicon",
    backend_title="Word lists (VADER)",
    quality=0.5,
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

    English is judged by VADER (Hutto and Gilbert 2014), German, French, Spanish, Italian and Chinese by word lists with
    negation and intensifiers. Sentences are judged one by one and those with an opinion are averaged; of more than
    3,000 an even sample. Raises NodeError for another language. Measured: right for 92 % of tweets, 53 to 64 % of
    reviews and newspaper sentences, where irony and praise before a "but" mislead it.
    """
    text = given(text)
    language = _language(text)
    pieces = sentences(text, language) or [text.strip()]
    pieces = pieces[:: len(pieces) // _MOST_SENTENCES + 1]
    values = [_vader().polarity_scores(p)["compound"] if language == "en" else _listed(p, language) for p in pieces]
    return _labels(values)


def _language(text: str) -> str:
    found = detect_any(text)
    code, chance = found[0] if found else ("en", 1.0)
    if code == "en" or (FOLDER / "sentiment" / f"{code}.txt").exists():
        return code
    if chance < 0.7:
        return "en"
    raise NodeError(
        Phrase("The text seems to be {language}, for which there is no word list.", language=name_of(code)),
        "text",
        "Translate it to English first. English, German, French, Spanish, Italian and Chinese are known.",
    )


def _labels(values: list[float]) -> Labels:
    """Values -1..1 of sentences as three scores. Where praise and blame stand side by side, words alone do not tell
    which of them counts, and neither comes out clearly."""
    opinions = [value for value in values if abs(value) > 0.05]
    mean = sum(opinions) / len(opinions) * (len(opinions) / len(values)) ** 0.25 if opinions else 0.0
    mean *= abs(sum(opinions)) / sum(map(abs, opinions)) if opinions else 1.0
    both = sum(v for v in opinions if v > 0) and sum(v for v in opinions if v < 0)
    neutral = math.exp(-((mean / 0.2) ** 2)) * (0.6 if both else 1.0 if opinions else _UNKNOWN)
    positive = (1 - neutral) * (1 + math.tanh(2 * mean)) / 2
    scores = {"positive": positive, "negative": 1 - neutral - positive, "neutral": neutral}
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
