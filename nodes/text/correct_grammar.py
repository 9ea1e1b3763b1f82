"""Set right the spelling and grammar of a text."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes._support.language import spelling
from nodes._support.language.words import given_words
from nodes.api import Port, ResourceType, RunContext, Text, backend_of


@connected.worded(
    id="correct_grammar",
    title="Correct grammar",
    description="Corrects the spelling, grammar and punctuation mistakes of a text.",
    takes="the text to correct",
    gives=Port("text", ResourceType.TEXT, "the corrected text"),
    examples=("Correct the grammar of this text", "Fix the spelling mistakes in letter.txt", "Proofread this text"),
    words=("grammar", "spelling", "proofread", "typos", "punctuation", "mistakes", "correct the text"),
    icon="case-sensitive",
)
def correct_grammar(text: Text, *, context: RunContext) -> Text:
    """Nothing but mistakes is changed; all of them only by a language model."""
    how = "Correct spelling, grammar and punctuation of the text, in its own language, and change nothing else."
    return connected.rewritten(text, how, context)


@backend_of(
    correct_grammar, id="word-list", title="Word list and rules", quality=0.35, requires=("python:spellchecker",)
)
def by_words(text: Text) -> Text:
    """Misspelled words of which it is clear what was meant, and a few slips of spacing, articles, capitals, pasts that
    were made up ("swimmed") and words taken for others ("the see").

    No grammar beyond that: "he go" stays. NodeError naming `text` for languages without a list of words.
    """
    return spelling.corrected(given_words(text))
