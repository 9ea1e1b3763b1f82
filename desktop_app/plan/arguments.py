"""Fills settings from the wording: numbers, choices, colours, quoted texts. Never invents a value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from desktop_app.plan.decompose import Intent
from desktop_app.plan.lexicon import lexicon
from desktop_app.plan.request import PortSpec, ToolSpec
from desktop_app.plan.words import Token, plain_words, stem, tokens_of

_NUMERALS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"half": 0.5, "double": 2, "twice": 2, "triple": 3, "quarter": 0.25, "once": 1, "thrice": 3}  # fmt: skip
_UNITS = {
    "px": "pixel", "pixels": "pixel", "pixel": "pixel", "percent": "percent", "%": "percent", "seconds": "second",
    "second": "second", "s": "second", "sec": "second", "times": "time", "x": "time", "degrees": "degree",
    "degree": "degree", "°": "degree", "hz": "hertz", "fps": "frame",
}  # fmt: skip


def literal(port: PortSpec, tool: ToolSpec, intent: Intent) -> Any:
    """The value that the wording gives to a number, flag or choice; None when it gives none."""
    if port.choices:
        return _choice(port, intent)
    if port.type == "number":
        return _number(port, tool, intent)
    if port.type == "url":
        urls = intent.mentions("url")
        return urls[0].text if urls else None
    if port.type == "text" and set(plain_words(port.name)) & {"colour", "color"}:
        return colour_in(intent)
    return None


def _choice(port: PortSpec, intent: Intent) -> str | None:
    words = [stem(token.word) for token in intent.tokens if token.kind in ("word", "number", "quote")]
    joined = " ".join(words)
    for choice in sorted(port.choices, key=len, reverse=True):
        wanted = " ".join(stem(word) for word in plain_words(choice))
        if len(choice) > 2 and wanted and f" {wanted} " in f" {joined} ":
            return choice
    return None


def _number(port: PortSpec, tool: ToolSpec, intent: Intent) -> float | int | None:
    """A number stands for a port when a word beside it names the port, or when it is the only number port."""
    names = {stem(word) for word in plain_words(f"{port.name} {port.description}")}
    ports = [p for p in tool.inputs if p.type == "number"]
    found: list[tuple[int, float]] = []
    for place, token in enumerate(intent.tokens):
        value = number_of(token)
        if value is None:
            continue
        around = {stem(_UNITS.get(t.word, t.word)) for t in _around(intent.tokens, place)}
        percent = token.text.rstrip().endswith("%")
        if percent:
            around.add("percent")
        unit = _unit(intent.tokens, place)
        alien = bool(unit) and stem(unit) not in names and not (unit == "time" and len(ports) == 1)
        alone = len(ports) == 1 and token.kind == "number" and not alien
        classes = {t.key for t in intent.terms if t.first == place + 1}
        fit = (
            0
            if alien
            else 2 * len(around & names) + alone + bool(classes & _classes(f"{port.name} {port.description}"))
        )
        if percent and port.maximum is not None and port.maximum <= 10 and fit:
            value /= 100
        if fit and _within(value, port):
            found.append((fit, value))
    if not found:
        return None
    value = max(found)[1]
    return int(value) if float(value).is_integer() else value


@lru_cache(maxsize=4096)
def _classes(text: str) -> frozenset[str]:
    """The classes of the lexicon that a port's words belong to, so that "drei Sätze" finds a port for sentences."""
    return frozenset(t.key for t in lexicon().terms(tokens_of(text)) if t.kind != "word")


def _unit(tokens: Sequence[Token], place: int) -> str:
    """The unit that follows the number: "pixel", "second", "percent"; empty when none does."""
    if tokens[place].text.rstrip().endswith("%"):
        return "percent"
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    return _UNITS.get(after, "")


def _around(tokens: Collection[Token], place: int) -> list[Token]:
    tokens = list(tokens)
    return [*tokens[max(0, place - 3) : place], *tokens[place + 1 : place + 3]]


def _within(value: float, port: PortSpec) -> bool:
    return (port.minimum is None or value >= port.minimum) and (port.maximum is None or value <= port.maximum)


def number_of(token: Token) -> float | None:
    """The number that a token writes in figures or in words."""
    if token.kind == "number":
        text = token.text.rstrip("% ").replace(",", ".")
        return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None
    return _NUMERALS.get(token.word) if token.kind == "word" else None


_WHOLE = frozenset(("instruction", "instructions", "prompt", "question", "request", "command"))
"""Ports of these names take a wish as it was said."""

_FREE = frozenset(
    ("text", "what", "description", "query", "object", "objects", "thing", "things", "subject", "topic", "label",
     "labels", "target", "name", "words", "search", "condition", "location", "input", "msg", "title")
)  # fmt: skip
"""Ports with one of these words in their names take a description in the user's words."""


def describes(port: PortSpec) -> bool:
    """True for a text in the user's own words, false for one in a language of its own, such as a colour or a date."""
    return bool(_FREE & set(plain_words(re.sub(r"\d", "", port.name))))


def literal_text(port: PortSpec, tool: ToolSpec, intent: Intent, residual: Mapping[str, float]) -> str | None:
    """The text for a port that nothing else feeds: a quote of the intent, else the words that say what is meant."""
    names = set(plain_words(port.name))
    if names & {"colour", "color"}:
        return colour_in(intent)
    quotes = intent.mentions("quote")
    if quotes:
        return quotes[0].text
    if _WHOLE & names:
        return intent.text
    kept = [t for t in intent.terms if t.key in residual and t.kind in ("word", "thing", "task")]
    if not kept or not describes(port):
        return None
    first, last = min(t.first for t in kept), max(t.last for t in kept)
    return " ".join(token.text for token in intent.tokens[first : last + 1]) or None


def colour_in(intent: Intent) -> str | None:
    """The colour that the wording names, as written: "red", "#ff8800"."""
    for token in intent.tokens:
        if token.word in lexicon().colours or re.fullmatch(r"#?[0-9a-f]{6}", token.text.lower()):
            return token.word
    return None
