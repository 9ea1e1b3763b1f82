"""Tell which words of a text come most often, and how often."""

from __future__ import annotations

from collections import Counter

from nodes._support.language import chinese
from nodes._support.language.languages import language_of, stop_words
from nodes._support.language.words import bare_word, given_words, words
from nodes.api import Flag, Integer, NodeError, Port, ResourceType, Table, TableValue, Text, tool


@tool(
    id="frequent_words",
    title="Most frequent words",
    domain="text",
    description="Lists the most frequent words of a text and how often each occurs.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to count in"),
        Port("count", ResourceType.NUMBER, "how many words at most", default=10, minimum=1, maximum=10_000,
             integer=True, question="How many should be named at most?"),
        Port("all_words", ResourceType.FLAG, "also articles, prepositions and the like", default=False, advanced=True),
    ),
    outputs=(Port("table", ResourceType.TABLE, "word and times, most frequent first"),),
    quality=1.0,
    examples=(
        "The most frequent words",
        "Which words occur most often in this text, and how often?",
        "List the 20 most common words of speech.txt",
        "How often does each word occur?",
        "Word frequencies of notes.txt",
    ),
    words=("most common words", "word frequency", "which words come up most often", "how often each word occurs"),
    icon="whole-word",
)  # fmt: skip
def frequent_words(text: Text, count: Integer = 10, all_words: Flag = False) -> TableValue:
    """Columns: word, times. Words in capitals count as the same, and stand as they are written most; inflected forms
    are words of their own. Numbers are none. In Chinese those are counted that name, do or describe something.

    NodeError naming `text` when nothing is left to count.
    """
    text = given_words(text)
    language = language_of(text)
    skipped = frozenset[str]() if all_words else stop_words(language)
    written: dict[str, Counter[str]] = {}
    for word in _chinese(text, all_words) if language == "zh" else words(text):
        own = bare_word(word, language)
        if any(map(str.isalpha, own)) and (all_words or not {own, word.lower()} & skipped):
            written.setdefault(own, Counter())[_as_written(word, own)] += 1
    if not written:
        raise NodeError("The text has no words that say what it is about.", "text", "Give a longer text.")
    times = sorted(written.values(), key=lambda forms: -forms.total())[:count]
    return Table(("word", "times"), tuple((forms.most_common(1)[0][0], forms.total()) for forms in times))


def _chinese(text: str, all_words: bool) -> list[str]:
    return [word.text for word in chinese.words(text) if all_words or word.is_subject]


def _as_written(word: str, own: str) -> str:
    """The word alone in its own letters: "Eau" of "L'Eau", "John" of "John's"."""
    small = word.lower()
    return word[-len(own) :] if small.endswith(own) else word[: len(own)] if small.startswith(own) else word
