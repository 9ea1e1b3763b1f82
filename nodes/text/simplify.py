"""Say a text in plain language."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes.api import Port, ResourceType, RunContext, Text


@connected.worded(
    id="simplify",
    title="Simplify text",
    description="Rewrites a text in plain, simple language that is easy to understand.",
    takes="the text to simplify",
    gives=Port("text", ResourceType.TEXT, "the text in plain language"),
    examples=("Simplify this text", "Rewrite report.txt in plain language", "Make this text easier to understand"),
    words=("plain language", "simpler", "easier", "easy to understand", "simple words", "simplification"),
    icon="book-open",
)
def simplify(text: Text, *, context: RunContext) -> Text:
    """Short sentences and common words; what it says stays. Only a language model can do it."""
    how = "Rewrite the text in plain language, in its own language: short sentences, common words, terms explained."
    return connected.rewritten(text, how, context)
