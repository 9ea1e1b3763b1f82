"""Replace words or characters in a text."""

from __future__ import annotations

import re

from nodes._support.documents.replacing import cased
from nodes._support.language.words import given
from nodes.api import Flag, NodeError, Phrase, Port, ResourceType, Text, tool


@tool(
    id="find_replace",
    title="Find and replace",
    domain="text",
    description="Replaces every occurrence of a word or phrase in a text with another one.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to change"),
        Port(
            "find",
            ResourceType.TEXT,
            "what stands there now and is looked for",
            said=True,
            question="Which word or phrase should be replaced?",
        ),
        Port(
            "replace", ResourceType.TEXT, "the new words that take its place; empty removes it", default="", said=True
        ),
        Port("whole_words", ResourceType.FLAG, "leave longer words alone that contain it", default=False),
        Port("match_case", ResourceType.FLAG, "tell capitals from small letters", default=False),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the changed text"),),
    quality=0.9,
    examples=(
        'Replace "colour" with "color" in this text',
        'Change every "Smith" to "Jones" in letter.txt',
        'Remove the word "very" from the text',
        "Write Friday instead of Tuesday",
    ),
    words=("substitute", "search and replace", "swap words", "delete a word"),
    icon="replace",
)
def find_replace(
    text: Text, find: Text, replace: Text = "", whole_words: Flag = False, match_case: Flag = False
) -> Text:
    """The text with each `find` replaced, taken literally (no patterns), from left to right.

    Unless `match_case`, the case of a found word is kept where that is plain: "Cat" -> "Dog", "CAT" -> "DOG".
    Raises NodeError when it does not occur.
    """
    text = given(text)
    if not isinstance(find, str) or not find:
        raise NodeError("There is nothing to look for.", "find", "Say which word or phrase to replace.")
    pattern = re.escape(find)
    if whole_words:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    changed, times = re.subn(
        pattern,
        lambda match: replace if match_case else cased(match.group(), find, replace),
        text,
        flags=0 if match_case else re.IGNORECASE,
    )
    if not times and replace.strip() and replace.casefold() in text.casefold():
        said = Phrase(
            '"{find}" does not occur in the text, but "{replace}" does.', find=find[:60], replace=replace[:60]
        )
        raise NodeError(said, "find", "Say it the other way round, if these two words were swapped.")
    if not times:
        raise NodeError(Phrase('"{find}" does not occur in the text.', find=find[:60]), "find", "Check the spelling.")
    return changed
