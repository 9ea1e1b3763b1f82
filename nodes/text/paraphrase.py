"""Say a text in other words."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes.api import Port, ResourceType, RunContext, Text


@connected.worded(
    id="paraphrase",
    title="Paraphrase",
    description="Says the same as a text in other words, in its own language.",
    takes="the text to reword",
    gives=Port("text", ResourceType.TEXT, "the same in other words"),
    examples=("Paraphrase this text", "Rephrase the paragraph in letter.txt", "Spin this article"),
    words=("rephrase", "reword", "in other words", "different words", "restate", "rewrite", "article spinner"),
    icon="refresh-cw",
)
def paraphrase(text: Text, *, context: RunContext) -> Text:
    """As long as the text, about; what it says stays. Only a language model can do it."""
    how = "Say the text in other words, in its own language, about as long as it is."
    return connected.rewritten(text, how, context)
