"""Find the words and phrases that a text is about."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes._support.language import letters
from nodes._support.language.keyphrases import keyphrases
from nodes._support.language.languages import language_of
from nodes._support.language.words import given_words
from nodes.api import Integer, Label, Labels, NodeError, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="keywords",
    title="Keywords",
    domain="text",
    description="Finds the keywords, tags and key phrases of a text.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to look at"),
        Port("count", ResourceType.NUMBER, "how many at most", default=8, minimum=1, maximum=100, integer=True,
             question="How many should be named at most?"),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "keywords, most important first"),),
    backend="phrases",
    backend_title="Key phrases",
    quality=0.5,
    examples=(
        "Find the keywords of this article",
        "Suggest five tags for this text",
        "Extract the most important terms from notes.txt",
    ),
    words=("tags", "key phrases", "key terms", "hashtags", "topics", "important words"),
    icon="tags",
)  # fmt: skip
def keywords(text: Text, count: Integer = 8) -> Labels:
    """Words and phrases of one to three words with a weight 0..1, the first one 1. Method: see `keyphrases.py`."""
    text = letters.body(given_words(text))
    found = keyphrases(text, count, language_of(text))
    if not found:
        raise NodeError("The text has no words that say what it is about.", "text", "Give a longer text.")
    return tuple(Label(phrase, weight) for phrase, weight in found)


@backend_of(keywords, families=(connected.CHAT_HELD,), **connected.CONNECTED)
def by_connected_model(text: Text, count: Integer, *, context: RunContext) -> Labels:
    """Tags in the model's own words, which need not stand in the text."""
    order = (
        f"Name the keywords or tags of the text, at most {count}, in its own language, one to three words each, with "
        "their weight from 0 to 1."
    )
    return connected.ranked(order, context, given_words(text))[:count]
