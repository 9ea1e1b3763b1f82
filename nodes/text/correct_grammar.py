"""Set right the spelling and grammar of a text."""

from __future__ import annotations

from nodes._support import connected
from nodes.api import Port, ResourceType, RunContext, Text


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
    """Nothing but mistakes is changed. Only a language model can do it."""
    how = "Correct spelling, grammar and punctuation of the text, in its own language, and change nothing else."
    return connected.rewritten(text, how, context)
