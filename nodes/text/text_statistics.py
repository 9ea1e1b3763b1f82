"""Measure a text: words, sentences, length of words, time to read."""

from __future__ import annotations

from collections import Counter

from nodes._support.language import chinese
from nodes._support.language.languages import detect, name_of, stop_words
from nodes._support.language.sentences import count_sentences, paragraphs
from nodes._support.language.words import count_of_characters, count_of_words, given_words, words
from nodes.api import Port, ResourceType, Table, TableValue, Text, tool

_WORDS_A_MINUTE = 220
_WIDE_A_MINUTE = 500


@tool(
    id="text_statistics",
    title="Text statistics",
    domain="text",
    description="Measures a text: words, characters, sentences, vocabulary, average lengths, reading time, language.",
    inputs=(Port("text", ResourceType.TEXT, "the text to measure"),),
    outputs=(Port("table", ResourceType.TABLE, "a measure and its value in each row"),),
    quality=0.8,
    examples=(
        "Show the statistics of this text",
        "Analyse the text: how long is it and how long does it take to read?",
    ),
    words=("reading time", "vocabulary size", "average sentence length", "text analysis"),
    icon="chart-bar",
)
def text_statistics(text: Text) -> TableValue:
    """Columns "measure" and "value". Reading time is in minutes at 220 words (500 Chinese characters) a minute;
    a Chinese or Japanese character counts as a word, as in `count_words`."""
    text = given_words(text)
    found = detect(text)
    language = found[0][0] if found else ""
    wide = language in ("zh", "ja")
    count = count_of_words(text)
    units = _words(text, language)
    pieces = count_sentences(text, language)
    telling = Counter(u for u in units if u not in stop_words(language) and len(u) > (1 if wide else 2))
    rows = (
        ("language", name_of(language) if language else "unknown"),
        ("words", count),
        ("different words", len(set(units))),
        ("characters", count_of_characters(text)),
        ("letters", sum(c.isalpha() for c in text)),
        ("sentences", pieces),
        ("paragraphs", len(paragraphs(text))),
        ("words per sentence", round(count / max(1, pieces), 1)),
        ("letters per word", round(sum(map(len, units)) / max(1, len(units)), 2)),
        ("longest word", max(units, key=len)),
        ("commonest word", telling.most_common(1)[0][0] if telling else ""),
        ("minutes to read", round(count / (_WIDE_A_MINUTE if wide else _WORDS_A_MINUTE), 1)),
    )
    return Table(("measure", "value"), rows)


def _words(text: str, language: str) -> list[str]:
    """In small letters; in Chinese the words of its dictionary, of which `count_of_words` counts the characters."""
    if language == "zh":
        return [word.text for word in chinese.words(text) if any(map(str.isalpha, word.text))]
    return [word.lower() for word in words(text)]
