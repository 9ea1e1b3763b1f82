"""Hide names, addresses and numbers of persons in a text."""

from __future__ import annotations

import re

from nodes._support.imaging.pixels import SILENT
from nodes._support.language import entities, private
from nodes._support.language.words import given
from nodes.api import Flag, Port, ResourceType, RunContext, Text, tool

_PRIVATE = ("mail", "phone", "iban", "card", "ip", "url")
_CAPITAL_WORD = re.compile(r"(?<![\w\[])[^\W\d_a-z][^\W_]{2,}(?!\w)")
_LETTERS = re.compile(r"[^\W_]")


@tool(
    id="anonymise_text",
    title="Anonymise text",
    domain="text",
    description="Hides personal data: names of people and towns, mail and postal addresses, birth dates, identity, "
    "phone, card and account numbers, links. Read the result: some may be left.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to make anonymous"),
        Port("names", ResourceType.FLAG, "hide names of people and places too", default=True),
        Port(
            "style",
            ResourceType.TEXT,
            "what stands in their place",
            default="label",
            choices=("label", "blocks"),
            question="What should stand in their place?",
        ),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the text without personal data"),),
    backend="patterns",
    backend_title="Patterns",
    quality=0.45,
    examples=(
        "Anonymise this letter",
        "Remove all personal data from mail.txt",
        "Mask the phone numbers and names in this text",
    ),
    words=("anonymize", "redact", "pseudonymise", "personal data", "privacy", "mask names"),
    icon="venetian-mask",
    does="hides",
)
def anonymise_text(text: Text, names: Flag = True, style: Text = "label", context: RunContext = SILENT) -> Text:
    """The text with "[name 1]", "[mail 1]" ... (the same number for the same value), or █ for each letter and digit.

    Covered are English, German, French, Spanish, Italian and Chinese forms, and numbers of seven digits or more. A name
    found once is hidden wherever its parts stand alone. Chinese names are told by a dictionary and the usual order of
    their characters. Nothing finds everything: names in lower case, rare single ones that begin a sentence or stand in
    German without a cue ("Herr", "ich heiße") stay, and small towns without their postal code or a word such as "near".
    """
    text = given(text)
    context.tell("Nothing finds everything: read the text before you pass it on.")
    kinds = {*_PRIVATE, *private.KINDS, *(("name",) if names else ())}
    named = [*private.find(text), *entities.find(text)]
    named += [place._replace(kind="name") for place in private.maybe_places(text, named)]
    found = entities.apart(named, kinds)
    found = [e for e in found if not (e.kind == "name" and _is_acronym(e.text))]
    hidden = {place for e in found for place in range(e.position, e.position + len(e.text))}
    found += [e for e in private.long_numbers(text) if not hidden & {*range(e.position, e.position + len(e.text))}]
    found.sort(key=lambda e: e.position)
    numbers: dict[tuple[str, str], int] = {}
    out, end = [], 0
    for entity in found:
        mark = _mark(entity.kind, entity.text, style, numbers)
        out += [text[end : entity.position], mark]
        end = entity.position + len(entity.text)
    hidden = "".join(out) + text[end:]
    return _alone(hidden, found, style, numbers)


def _is_acronym(name: str) -> bool:
    return name.isupper() and " " not in name


def _mark(kind: str, value: str, style: str, numbers: dict[tuple[str, str], int]) -> str:
    if style == "blocks":
        return _LETTERS.sub("█", value)
    same = next((n for (k, other), n in numbers.items() if k == kind and kind == "name" and _same(other, value)), 0)
    number = same or numbers.get((kind, value)) or 1 + max((n for (k, _), n in numbers.items() if k == kind), default=0)
    numbers[kind, value] = number
    return f"[{kind} {number}]"


def _same(first: str, second: str) -> bool:
    """Whether two names may be one person's: they share the last word ("Dr. Anna Huber", "Huber")."""
    return first.split()[-1] == second.split()[-1]


def _alone(text: str, found: list[entities.Entity], style: str, numbers: dict[tuple[str, str], int]) -> str:
    """Hides the parts of longer names where they stand alone."""
    parts: dict[str, str] = {}
    for entity in found:
        words = [word for word in _CAPITAL_WORD.findall(entity.text) if word[0].isupper()]
        if entity.kind == "name" and len(words) > 1:
            parts.update(dict.fromkeys(words, entity.text))

    def hide(match: re.Match[str]) -> str:
        name = parts.get(match.group())
        if name is None:
            return match.group()
        return _LETTERS.sub("█", match.group()) if style == "blocks" else f"[name {numbers['name', name]}]"

    return _CAPITAL_WORD.sub(hide, text) if parts else text
