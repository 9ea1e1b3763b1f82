"""Suggest a headline for a text, in its own words."""

from __future__ import annotations

import re
from collections import Counter

from nodes._support.inference import connected
from nodes._support.language import letters, ranking
from nodes._support.language.languages import language_of, stop_words
from nodes._support.language.sentences import Sentence, annotated, is_page_line
from nodes._support.language.words import given_words
from nodes.api import Integer, Port, ResourceType, RunContext, Text, backend_of, tool

_QUOTES = ' \t\n\u00a0\u202f"“”„«»「」'
_NUMBERS = re.compile(r"\d+")
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）)")
_OPENING = re.compile(
    r"^(?:however|therefore|moreover|furthermore|meanwhile|in addition|for example|for instance|as a result|also|"
    r"jedoch|außerdem|cependant|en outre|sin embargo|además|但是|因此|所以|然而)[,，]?\s*",
    re.IGNORECASE,
)
_ANY_TEXTS = re.compile(  # headings that say nothing of this text
    r"(?:\W|\d)*(?:(?:an? |the )?(?:introduction|overview|summary|abstract|contents|preface|foreword|background|"
    r"outlook|conclusions?)|table of contents|einleitung|einführung|vorwort|inhalt(?:sverzeichnis)?|zusammenfassung|"
    r"überblick|ausblick|résumé|sommaire|avant-propos|introducción|índice|resumen|prólogo|introduzione|indice|prefazione|"
    r"引言|前言|目录|摘要|概述|简介|绪论)\W*",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"(?:,\s*(?:which|who|where|according to|as|with|while|after|because|although|including|followed by|and|but|so|"
    r"said|wobei|welche[rs]?|die|der|das|dass|weil|laut|qui|selon|dont|que|según|quien|lo que)\b"
    r"|;|:\s|\s[–—-]\s|，|；).*$"
)


@tool(
    id="title_text",
    title="Suggest a title",
    domain="text",
    description="Suggests a short title or headline for a text.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text that needs a title"),
        Port("length", ResourceType.NUMBER, "characters at most", default=70, minimum=10, maximum=300, integer=True,
             advanced=True),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the title"),),
    backend="sentence",
    backend_title="Best sentence, cut",
    quality=0.35,
    examples=("Suggest a title for this text", "Write a headline for article.txt", "What could I call this story?"),
    words=("headline", "heading", "name for the text"),
    icon="heading",
)  # fmt: skip
def title_text(text: Text, length: Integer = 70) -> Text:
    """The heading a text begins with; without one, the first of its three most telling sentences, cut
    to a headline of `length`."""
    text = given_words(text)
    language, is_letter = language_of(text), letters.is_letter(text)
    if own := letters.subject(text):
        return own if len(own) <= length else _cut_at_word(own, length, language)
    items = annotated(letters.body(text), language)
    if is_letter:
        items = [item for item in items if not letters.only_thanks(item.text)] or items
    items = _without_page_headers(items)
    items = [item for item in items if not (item.heading and _ANY_TEXTS.fullmatch(item.text))] or items
    own = _own_heading(items, length)
    if own:
        return own
    best = [items[i].text for i in sorted(ranking.best(items, min(3, len(items)), language))]
    lines = [_shortened(sentence, length, language) for sentence in best]
    return next((line for line in lines if len(line) >= min(12, length // 2)), lines[0])


def _without_page_headers(items: list[Sentence]) -> list[Sentence]:
    """Without the headings that come again, which stand on every page, whatever its number; all, if none is left."""
    told = Counter(_NUMBERS.sub("", item.text).strip() for item in items if item.heading)
    found = [item for item in items if not item.heading or told[_NUMBERS.sub("", item.text).strip()] == 1]
    return [item for item in found if not is_page_line(item)] or items


def _own_heading(items: list[Sentence], length: int) -> str:
    first = items[0]
    alone = len(items) > 1 and items[1].paragraph != first.paragraph
    return first.text if first.heading and alone and len(first.text) <= length and first.text[-1] not in ":," else ""


def _shortened(sentence: str, length: int, language: str) -> str:
    """The main clause, without brackets, opening adverb and end mark."""
    line = _OPENING.sub("", _ASIDE.sub("", sentence)).strip(_QUOTES)
    line = re.sub(r"[.。!！…]+$", "", line).strip(_QUOTES)
    while len(line) > length and (cut := _TRAILER.sub("", line)) != line and len(cut) >= 12:
        line = cut
    if len(line) > length:
        line = _cut_at_word(line, length, language)
    line = line.rstrip(_QUOTES + ",;:-–—，；、")
    return line[:1].upper() + line[1:]


def _cut_at_word(line: str, length: int, language: str) -> str:
    """Cut before a comma or a function word, so that no phrase is torn; else at a space."""
    if " " not in line[:length]:
        return line[:length]
    comma = line.rfind(", ", 0, length + 1)
    if comma >= length * 0.5:
        return line[:comma]
    kept = line[: length + 1].rsplit(" ", 1)[0].split()
    for i in range(len(kept) - 1, 2, -1):
        if kept[i].lower() in stop_words(language) and len(" ".join(kept[:i])) >= length * 0.5:
            kept = kept[:i]
            break
    while len(kept) > 2 and kept[-1].lower().strip(",;:") in stop_words(language):
        kept.pop()
    return " ".join(kept)


@backend_of(title_text, families=(connected.CHAT,), **connected.CONNECTED)
def by_connected_model(text: Text, length: Integer, *, context: RunContext) -> Text:
    """In the model's own words: the first line that it writes, without marks, cut to `length`."""
    order = f"Give the text one title of at most {length} characters, in its own language. Reply with the title alone."
    line = connected.write(order, context, given_words(text)).splitlines()[0].strip(_QUOTES + "#*")
    return line if len(line) <= length else _cut_at_word(line, length, language_of(text))
