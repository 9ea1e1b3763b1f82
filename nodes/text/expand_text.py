"""Say a short text at more length."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes.api import Port, ResourceType, RunContext, Text


@connected.worded(
    id="expand_text",
    title="Expand text",
    description="Makes a longer text of a short one or of notes: whole sentences, in its own language.",
    takes="the short text or the notes",
    gives=Port("text", ResourceType.TEXT, "the longer text"),
    examples=("Expand these notes into a full text", "Make the paragraph in intro.txt longer", "Flesh out my outline"),
    words=("expand", "longer", "elaborate", "flesh out", "write out", "in more detail", "text expander"),
    icon="unfold-horizontal",
)
def expand_text(text: Text, *, context: RunContext) -> Text:
    """Two to three times as long, about; facts that the text does not hold are not to be added. Only a language model
    can do it."""
    how = (
        "Say the text at more length, in its own language, two to three times as long: whole sentences, each point "
        "explained. Add no facts, names or numbers that it does not hold."
    )
    return connected.rewritten(text, how, context)
