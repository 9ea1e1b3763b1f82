"""Shorten a text to its most telling sentences."""

from __future__ import annotations

from nodes._support.inference import connected, text_models
from nodes._support.language import ranking
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import annotated, joined
from nodes._support.language.words import given_words
from nodes.api import Family, Integer, Port, ResourceType, RunContext, Text, backend_of, tool


@tool(
    id="summarise",
    title="Summarise text",
    domain="text",
    description="Shortens a long text, article or report to a summary of its most important sentences.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to shorten"),
        Port(
            "sentences",
            ResourceType.NUMBER,
            "how many sentences",
            default=3,
            minimum=1,
            maximum=100,
            integer=True,
            question="How many sentences should there be?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the summary"),),
    backend="textrank",
    backend_title="TextRank",
    quality=0.45,
    examples=(
        "Summarise this article",
        "Give me a summary of report.txt in three sentences",
        "Shorten this text",
        "What are the main points of this document in short?",
    ),
    words=("summarize", "summary", "summarization", "shorten", "condense", "abstract", "in short", "tl;dr", "gist"),
    icon="scissors",
    result="summary",
)
def summarise(text: Text, sentences: Integer = 3) -> Text:
    """The `sentences` sentences that cover the text best, word for word and in the order of the text.

    A text with no more sentences than that comes back whole, without its headings. Works for languages with word lists
    or stemmers (see `languages.py`) and for Chinese and Japanese. Method: see `nodes/_support/language/ranking.py`.
    """
    text = given_words(text)
    language = language_of(text)
    whole = annotated(text, language)
    items = [item for item in whole if not item.heading] or whole
    if len(items) <= sentences:
        return joined([item.text for item in items])
    order = ranking.best(items, len(items) if ranking.of_meeting(whole) else sentences, language)
    if ranking.of_meeting(whole):  # what it decided is what the minutes of a meeting are read for
        order.sort(key=lambda i: not ranking.tells_decision(items[i].text))
    chosen = sorted(order[:sentences])
    return joined([items[i].text for i in chosen])


@backend_of(summarise, families=(connected.CHAT,), **connected.CONNECTED)
def by_connected_model(text: Text, sentences: Integer, *, context: RunContext) -> Text:
    """In the model's own words, cut after so many sentences."""
    length = "exactly one sentence" if sentences == 1 else f"{sentences} sentences at most"
    order = f"Summarise the text in {length}, in its own language. Reply with the summary alone."
    return _cut(connected.write(order, context, given_words(text)), sentences)


@backend_of(summarise, families=(Family("transformers summarisation", "summarise"),))
def by_summariser(text: Text, sentences: Integer, *, context: RunContext) -> Text:
    """In the words of a model that was made for it, cut after so many sentences."""
    return _cut(text_models.summary(given_words(text), context), sentences)


def _cut(written: str, sentences: int) -> str:
    """The first so many sentences of what a model wrote; all of it, as it stands, where it has no more."""
    items = annotated(written, language_of(written))
    if sum(not item.heading for item in items) <= sentences:
        return written
    told = [item for item in items if not item.heading]
    return joined([item.text for item in told[:sentences]])
