"""Count the words, characters, sentences, lines or paragraphs of a text, or how often a word occurs."""

from __future__ import annotations

import re

from nodes._support.language.sentences import count_sentences, paragraphs
from nodes._support.language.words import HAN, count_of_characters, count_of_words, given
from nodes.api import Number, Port, ResourceType, Text, tool

_UNITS = ("words", "characters", "characters with spaces", "letters", "sentences", "lines", "paragraphs")


@tool(
    id="count_words",
    title="Count words",
    domain="text",
    description="Counts the words, characters, sentences, lines or paragraphs of a text, or how often a word occurs.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to count in"),
        Port(
            "unit",
            ResourceType.TEXT,
            "what is counted",
            default="words",
            choices=_UNITS,
            question="What should be counted?",
        ),
        Port("phrase", ResourceType.TEXT, "when given, how often this word or phrase occurs", default="", said=True),
    ),
    outputs=(Port("number", ResourceType.NUMBER, "how many", integer=True),),
    quality=0.9,
    examples=(
        "How many words are in this text?",
        "Count the words of essay.txt",
        "How many sentences does the article have?",
        'How often does the word "freedom" occur in speech.txt?',
    ),
    words=("word count", "number of words", "text length", "count characters", "count sentences"),
    icon="whole-word",
)
def count_words(text: Text, unit: Text = "words", phrase: Text = "") -> Number:
    """A whole number. Each Chinese or Japanese character counts as a word; characters leave out white space
    unless it is asked for, letters also marks.

    `phrase` is found whatever its case, as whole words only.
    """
    if isinstance(text, str) and not text.strip():
        return 0
    text = given(text)
    if phrase.strip():
        return _occurrences(text, " ".join(phrase.split()))
    counters = {
        "words": count_of_words,
        "characters": count_of_characters,
        "characters with spaces": len,
        "letters": lambda t: sum(c.isalpha() for c in t),
        "sentences": count_sentences,
        "lines": lambda t: len(t.rstrip("\n").splitlines()),
        "paragraphs": lambda t: len(paragraphs(t)),
    }
    return counters[unit](text)


def _occurrences(text: str, phrase: str) -> int:
    pattern = r"\s+".join(re.escape(part) for part in phrase.split(" "))
    before = r"(?<!\w)" if phrase[0].isalnum() and not HAN.match(phrase[0]) else ""
    after = r"(?!\w)" if phrase[-1].isalnum() and not HAN.match(phrase[-1]) else ""
    return len(re.findall(before + pattern + after, text, re.IGNORECASE))
