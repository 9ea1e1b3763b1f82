"""Write a text in capitals, small letters, title case or sentence case."""

from __future__ import annotations

import re
from collections.abc import Collection

from nodes._support.language.languages import language_of, stop_words
from nodes._support.language.words import given
from nodes.api import Port, ResourceType, Text, tool

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SMALL = frozenset({
    "a", "an", "the", "and", "but", "or", "nor", "for", "so", "yet", "as", "at", "by", "in", "of", "off", "on", "per",
    "to", "up", "via", "with", "from", "into", "over", "than", "if",
})  # fmt: skip
"""English articles, conjunctions and prepositions; of other languages the short function words serve."""


@tool(
    id="change_case",
    title="Change case",
    domain="text",
    description="Writes a text in capital letters, small letters, title case or sentence case.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to change"),
        Port("case", ResourceType.TEXT, "how to write it", default="upper",
             choices=("upper", "lower", "title", "sentence"), question="In capitals or in small letters?"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text in that case"),),
    quality=0.9,
    examples=("Write this text in capital letters", "Make the heading title case", "Convert notes.txt to lower case"),
    words=("uppercase", "lowercase", "capitalise", "capitalize", "all caps", "small letters"),
    icon="case-sensitive",
    result_by="case",
)  # fmt: skip
def change_case(text: Text, case: Text = "upper") -> Text:
    """Everything but the letters' case stays, line breaks too.

    Title case leaves articles and prepositions small, except at the ends of a sentence or line, and keeps words with
    capitals inside (NASA, iPhone). Sentence case keeps the pronoun I.
    """
    text = given(text)
    if case == "upper":
        return text.upper()
    if case == "lower":
        return text.lower()
    if case == "title":
        language = language_of(text)
        small = _SMALL if language == "en" else {word for word in stop_words(language) if len(word) <= 4}
        return "\n".join(_title(line, small) for line in text.split("\n"))
    return _sentence(text)


def _title(line: str, small: Collection[str]) -> str:
    matches = list(_WORD.finditer(line))
    shout = line.isupper()
    out, end = [], 0
    for i, match in enumerate(matches):
        word = match.group().lower() if shout else match.group()
        counted = line[: match.start()][-1:].isdigit()  # "7pm", "1st"
        if not counted and not any(c.isupper() for c in word[1:]):
            begins = i == 0 or line[end : match.start()].strip(" \"'“‘(")[-1:] in (*".!?…",)
            keep_small = word.lower() in small and not begins and i < len(matches) - 1
            word = word.lower() if keep_small else word[0].upper() + word[1:].lower()
        out += [line[end : match.start()], word]
        end = match.end()
    return "".join(out) + line[end:]


def _sentence(text: str) -> str:
    low = text.lower()
    opened = re.sub(r"(^|[.!?…]['\"”’)]*\s+|\n\s*)([\"'“‘(¿¡]*)([^\W\d_])", lambda m: m[1] + m[2] + m[3].upper(), low)
    if language_of(text) == "en":
        opened = re.sub(r"\bi\b(?!\.\w)", "I", opened)
    return opened
