"""Tell which language a text is written in."""

from __future__ import annotations

from nodes._support.language.languages import detect_any, name_of
from nodes._support.language.words import given
from nodes.api import Label, Labels, NodeError, Port, ResourceType, Text, tool


@tool(
    id="detect_language",
    title="Detect language",
    domain="text",
    description="Tells which language a text is written in.",
    inputs=(Port("text", ResourceType.TEXT, "the text"),),
    outputs=(Port("labels", ResourceType.LABELS, "languages, most probable first", unit="%"),),
    backend="langid",
    backend_title="Letters (langid) and words",
    quality=0.8,
    examples=("Which language is this?", "Detect the language of letter.txt", "Is this text Spanish or Portuguese?"),
    words=("what language", "language identification", "written in"),
    icon="languages",
)
def detect_language(text: Text) -> Labels:
    """English names of languages with their probability 0..1.

    Knows about a hundred languages. Of one or two words, and between near relatives (Danish and Norwegian, Croatian and
    Serbian), it is not sure, and the probability says so.
    """
    found = detect_any(given(text))
    if not found:
        raise NodeError("There are no letters in the text.", "text", "Give a text with words in it.")
    return tuple(Label(name_of(code), round(chance, 4)) for code, chance in found)
