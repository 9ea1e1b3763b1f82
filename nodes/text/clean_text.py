"""Tidy the spaces, line breaks and quotes of a text, as after scanning or copying from a PDF."""

from __future__ import annotations

import re
import unicodedata

from nodes._support.language.sentences import paragraphs
from nodes._support.language.words import given
from nodes.api import Flag, Port, ResourceType, Text, tool

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200e\u200f\u2060\ufeff]")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "…": "..."})


@tool(
    id="clean_text",
    title="Clean up text",
    domain="text",
    description="Tidies a text: joins broken lines and hyphenated words, removes double spaces and odd characters.",
    inputs=(
        Port("text", ResourceType.TEXT, "the untidy text"),
        Port("join_lines", ResourceType.FLAG, "join lines that were broken for width", default=True),
        Port("plain_quotes", ResourceType.FLAG, "straight quotes in place of curly ones", default=False),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the tidy text"),),
    quality=0.7,
    examples=(
        "Clean up this text",
        "Fix the line breaks and spaces in scan.txt",
        "Remove double spaces and hyphenation from the recognised text",
    ),
    words=(
        "tidy",
        "normalise whitespace",
        "extra spaces",
        "line breaks",
        "hyphenation",
        "formatting errors",
        "spacing",
    ),
    icon="remove-formatting",
)
def clean_text(text: Text, join_lines: Flag = True, plain_quotes: Flag = False) -> Text:
    """Paragraphs stay apart by a blank line, list items and short lines by a line break.

    Also: ligatures and invisible characters resolved, Unicode composed (NFC), spaces before commas and full stops
    removed and missing ones after commas added, runs of the same mark ("!!!!") cut to three. Words are not changed.
    """
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", given(text).translate(_LIGATURES)))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    text = text.translate(_QUOTES) if plain_quotes else text
    blocks = re.split(r"\n\s*\n", text.strip())
    tidy = [[_line(line) for line in (paragraphs(b) if join_lines else b.split("\n"))] for b in blocks]
    return "\n\n".join("\n".join(line for line in lines if line) for lines in tidy if any(lines))


def _line(line: str) -> str:
    line = re.sub(r"[^\S\n]+", " ", line).strip()
    line = re.sub(r" +([,.;:!?])(?=\s|$)(?!\s?[:;]?[)(DP])", r"\1", line)
    line = re.sub(r"(?<=[^\W\d_]),(?=[^\W\d_])", ", ", line)
    line = re.sub(r"([(\[«„“]) +(?=\w)", r"\1", re.sub(r"(?<=[\w.!?]) +([)\]”])", r"\1", line))
    return re.sub(r"([!?])\1{3,}", r"\1\1\1", line)
