"""How many sentences a request wants of a text that is written for it: "in one sentence", "in zwei bis drei Sätzen"."""

from __future__ import annotations

from functools import cache

from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.arguments.value_tables import Phrases, read_words, tables

PORT = "sentences"
"""The name of inputs that take it."""
_FAR = 3
"""So many words after the number may its noun stand: "two short plain sentences"."""


def said_sentences(text: str) -> int | None:
    """The number, of two the larger; None where the text says none."""
    counted = said_count(text, PORT)
    if counted is not None:
        return counted
    return 1 if _one().all(read_words(text)) else None


def said_count(text: str, counted: str) -> int | None:
    """How many sentences or words ("sentences", "words") a text wants, of two numbers the larger; None where none."""
    words = read_words(text)
    nouns = {*tables().names[counted]}
    counts = [
        int(quantity.value)
        for quantity in quantities(text)
        if quantity.value >= 1
        and float(quantity.value).is_integer()
        and not quantity.unit
        and nouns & {word.text for word in words[quantity.last + 1 : quantity.last + 1 + _FAR]}
    ]
    return max(counts) if counts else None


@cache
def _one() -> Phrases:
    return Phrases((phrase, 1) for phrase in tables().small["one sentence"])
