"""Put texts into a template."""

from __future__ import annotations

import re

from nodes._support.language.words import given
from nodes.api import NodeError, Phrase, Port, ResourceType, Text, tool

_PLACE = re.compile(r"\{\{|\}\}|\{(\d*)\}")


@tool(
    id="format_text",
    title="Fill in a template",
    domain="text",
    description="Puts one or more texts into a template with places {1}, {2} and so on.",
    inputs=(
        Port("template", ResourceType.TEXT, "a text with places {1}, {2} ... or {} for the next one"),
        Port("texts", ResourceType.TEXT, "what goes into the places, in order", many=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the filled-in text"),),
    quality=0.9,
    examples=(
        'Put the caption into the template "Today I saw {1}."',
        'Fill in the template "Dear {1}, welcome to {2}" with Anna and Rome',
    ),
    words=("template", "placeholder", "fill in", "mail merge"),
    icon="braces",
)
def format_text(template: Text, texts: tuple[Text, ...]) -> Text:
    """`{1}` is the first text, `{}` the next unused one, `{{` and `}}` are braces. Texts are not read as templates.

    Raises NodeError when the template names a text that is not there, or has no place at all.
    """
    template = given(template, "template")
    following = 0

    def fill(match: re.Match[str]) -> str:
        nonlocal following
        if match[1] is None:
            return match.group()[0]
        following += match[1] == ""
        number = int(match[1] or following)
        if not 1 <= number <= len(texts):
            raise NodeError(
                Phrase(
                    "The template has a place {{number}}, but there are {count} texts.", number=number, count=len(texts)
                ),
                "texts",
                "Give one more text, or take the place out.",
            )
        return texts[number - 1]

    if not any(match[1] is not None for match in _PLACE.finditer(template)):
        raise NodeError("The template has no place for a text.", "template", "Write {1} where the text should go.")
    return _PLACE.sub(fill, template)
