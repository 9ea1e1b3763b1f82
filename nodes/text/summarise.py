"""Shorten a text to its most telling sentences."""

from __future__ import annotations

from nodes._support.inference import connected, text_models
from nodes._support.language import letters, ranking
from nodes._support.language.keyphrases import keyphrases
from nodes._support.language.languages import language_of
from nodes._support.language.sentences import Sentence, annotated, joined
from nodes._support.language.words import given_words
from nodes.api import Family, Integer, Port, ResourceType, RunContext, Text, backend_of, tool
from nodes.text.title_text import title_text

_FORMS = ("plain", "as e-mail")


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
        Port("form", ResourceType.TEXT, "how it is written; an e-mail has a subject, a greeting and an ending",
             default="plain", choices=_FORMS, question="How should it be written?"),
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
        "Summarise this letter as an e-mail",
    ),
    words=("summarize", "summary", "summarization", "shorten", "condense", "abstract", "in short", "tl;dr", "gist"),
    icon="scissors",
    result="summary",
)  # fmt: skip
def summarise(text: Text, sentences: Integer = 3, form: Text = "plain") -> Text:
    """The `sentences` sentences that cover the text best, word for word and in the order of the text.

    A text with no more sentences than that comes back whole, without its headings. Works for languages with word lists
    or stemmers (see `languages.py`) and for Chinese and Japanese. Method: see `nodes/_support/language/ranking.py`.
    Of a letter what it asks its reader to do is among them. The subject of an e-mail is the letter's own, or a title.
    """
    text = given_words(text)
    language = language_of(text)
    short = _shortened(letters.body(text), sentences, language, letters.is_letter(text))
    return short if form == "plain" else letters.as_email(_subject(text), short, language)


def _subject(text: str) -> str:
    """The letter's own subject, a title that is no torn sentence, or the phrases that the text is about."""
    if own := letters.subject(text):
        return own
    title, whole = title_text(text), " ".join(text.split())
    place = whole.find(title)
    torn = (
        place >= 0 and whole[place + len(title) :].lstrip()[:1].isalnum() and "\n" + title + "\n" not in f"\n{text}\n"
    )
    phrases = keyphrases(letters.body(text), 3, language_of(text)) if torn else []
    named = ", ".join(phrase for phrase, _ in phrases)
    return f"{named[:1].upper()}{named[1:]}" or title


def _shortened(text: str, sentences: int, language: str, is_letter: bool) -> str:
    whole = annotated(text, language)
    items = [item for item in whole if not item.heading] or whole
    if len(items) <= sentences:
        return joined([item.text for item in items])
    of_meeting = ranking.of_meeting(whole)
    order = ranking.best(items, len(items) if of_meeting or is_letter else sentences, language)
    if of_meeting:  # what it decided is what the minutes of a meeting are read for
        order.sort(key=lambda i: not ranking.tells_decision(items[i].text))
    elif is_letter:
        order = _with_what_is_asked(order, sentences, items)
    chosen = sorted(order[:sentences])
    return joined([items[i].text for i in chosen])


def _with_what_is_asked(order: list[int], count: int, items: list[Sentence]) -> list[int]:
    """The first `count`, without mere thanks; what the reader is asked for takes the place of the last if it lacks."""
    telling = [i for i in order if not letters.only_thanks(items[i].text)] or order
    chosen, asking = telling[:count], [i for i in telling if letters.asks(items[i].text)]
    return chosen if not asking or {*asking} & {*chosen} else [*chosen[:-1], asking[0]]


@backend_of(summarise, families=(connected.CHAT,), **connected.CONNECTED)
def by_connected_model(text: Text, sentences: Integer, form: Text, *, context: RunContext) -> Text:
    """In the model's own words, cut after so many sentences; an e-mail as it is written."""
    length = "exactly one sentence" if sentences == 1 else f"{sentences} sentences at most"
    if form != "plain":
        order = (f"Write an e-mail that tells its reader what the text says, in {length}, in its own language: a line "
                 "with the subject, a greeting, the summary, and an ending. Reply with the e-mail alone.")  # fmt: skip
        return connected.write(order, context, given_words(text))
    order = f"Summarise the text in {length}, in its own language. Reply with the summary alone."
    return _cut(connected.write(order, context, given_words(text)), sentences)


@backend_of(summarise, families=(Family("transformers summarisation", "summarise"),))
def by_summariser(text: Text, sentences: Integer, form: Text, *, context: RunContext) -> Text:
    """In the words of a model that was made for it, cut after so many sentences."""
    text = given_words(text)
    short = _cut(text_models.summary(text, context), sentences)
    return short if form == "plain" else letters.as_email(_subject(text), short, language_of(text))


def _cut(written: str, sentences: int) -> str:
    """The first so many sentences of what a model wrote; all of it, as it stands, where it has no more."""
    items = annotated(written, language_of(written))
    if sum(not item.heading for item in items) <= sentences:
        return written
    told = [item for item in items if not item.heading]
    return joined([item.text for item in told[:sentences]])
