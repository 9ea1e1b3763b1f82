"""Pick one entry of a list."""

from __future__ import annotations

import random
import re

from nodes._support.language.words import given
from nodes.api import Integer, NodeError, Phrase, Port, ResourceType, Text, tool


@tool(
    id="pick_line",
    title="Pick from list",
    domain="text",
    description="Picks one entry of a list: the first, last, longest, shortest, a random one, or by its number.",
    inputs=(
        Port("text", ResourceType.TEXT, "the list, one entry a line, or with commas between"),
        Port("which", ResourceType.TEXT, "which of them", default="only",
             choices=("only", "first", "second", "third", "last", "random", "longest", "shortest"),
             question="Which of them should it be?"),
        Port("entry", ResourceType.NUMBER, "its number from 1, from the end when below 0; goes before which",
             default=None, integer=True, question="Which entry should it be, counted from 1?"),
        Port("holding", ResourceType.TEXT, "only entries with these words", default="", advanced=True, by_hand=True),
        Port("seed", ResourceType.NUMBER, "another number gives another random one", default=0, minimum=0,
             maximum=2**32 - 1, integer=True, advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the entry"),),
    quality=0.9,
    examples=("Pick entry 3 of the list", "Pick a random line of names.txt", "Take the longest line of the list"),
    words=("pick from the list", "random line", "random entry", "longest line", "entry of the list", "draw a name"),
    icon="list-filter",
)  # fmt: skip
def pick_line(
    text: Text, which: Text = "only", entry: Integer | None = None, holding: Text = "", seed: Integer = 0
) -> Text:
    """Marks of a list ("- ", "2. ") are no part of an entry.

    NodeError naming `text` when the list is empty, `which` when nothing says which entry, `entry` or `holding` when
    there is no such one.
    """
    every = _entries(given(text))
    if not every:
        raise NodeError("The list is empty.", "text", "Give a list with an entry on each line.")
    held = [line for line in every if holding.strip().lower() in line.lower()]
    if not held:
        said = Phrase("No entry of the list has the words '{words}'.", words=holding)
        raise NodeError(said, "holding", "Use words of an entry.")
    if entry is None and which == "only" and len(held) > 1:
        raise NodeError("Nothing says which entry is meant.", "which", "Choose which, or give its number.")
    if entry is None and which == "random":
        return random.Random(seed).choice(held)
    if entry is None and which in ("longest", "shortest"):
        return (max if which == "longest" else min)(held, key=len)
    place = entry if entry is not None else {"second": 2, "third": 3, "last": -1}.get(which, 1)
    if not 1 <= abs(place) <= len(held):
        said = Phrase("The list of {count} has no entry {place}.", count=len(held), place=place)
        raise NodeError(said, "entry", Phrase("Use a number from 1 to {count}.", count=len(held)))
    return held[place - 1 if place > 0 else place]


def _entries(text: str) -> list[str]:
    lines = text.splitlines() if "\n" in text.strip() else re.split(r"[,;]", text)
    plain = (re.sub(r"^\s*(?:[-*\N{BULLET}]|\d+[.)])\s+", "", line).strip() for line in lines)
    return [line for line in plain if line]
