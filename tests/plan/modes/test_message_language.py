"""In which language a message is written, short ones too."""

from __future__ import annotations

import json
import lzma
import tomllib
from pathlib import Path

import pytest

from desktop_app.plan.modes.message_language import SPOKEN, language_of_message

DATA = Path(__file__).resolve().parents[2] / "data"
SHORT = tomllib.loads((DATA / "short_messages.toml").read_text("utf-8"))


def rated(rows: list[tuple[str, str]]) -> tuple[int, list[tuple[str, str, str]]]:
    """How many are told rightly, and those that are told as another language: the right one, what is told, the text."""
    told = [(language, language_of_message(text), text) for language, text in rows]
    return sum(right == said for right, said, _ in told), [row for row in told if row[1] not in (row[0], "")]


def half(name: str) -> list[tuple[str, str]]:
    return [(language, text) for language, texts in SHORT[name].items() for text in texts]


@pytest.mark.parametrize(("language", "text"), half("known"))
def test_a_short_message_is_told_by_its_function_words(language, text):
    assert language_of_message(text) == language


@pytest.mark.parametrize("text", ["transcribe talk.wav", "rotate cat.jpg", "describe cat.jpg", "reduce cat.jpg"])
def test_one_word_that_is_english_too_is_of_no_language_surely(text):
    assert language_of_message(text) in ("", "en")


def test_short_messages_that_the_rule_was_not_made_with():
    right, wrong = rated(half("held"))
    assert right >= 32 and wrong == []  # of 33


def test_follow_ups_of_five_languages():
    text = lzma.decompress((DATA / "planning" / "follow_ups.jsonl.xz").read_bytes()).decode("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    right, wrong = rated([(row["language"], row["request"]) for row in rows if row["language"] in SPOKEN])
    assert right >= 312 and len(wrong) <= 5, wrong  # of 326


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "42", "a.png b.mp3", "«gracias»", "mp4", "xqzt", "ok ok",
        "もっと暗く", "темнее", "più scuro, per favore", "nog een keer alsjeblieft", "gør den mørkere", "daha koyu yap",
    ],
)  # fmt: skip
def test_no_language_is_told_without_words_or_of_one_that_is_not_spoken(text):
    assert language_of_message(text) == ""


def test_a_name_or_a_quotation_does_not_make_the_language():
    assert language_of_message('Schreib "the quick brown fox" auf merci.png') == "de"
    assert language_of_message("把 receipt.png 里的文字读出来") == "zh"


@pytest.mark.parametrize("text", ["arreglalo", "arréglala", "recórtalo", "gíralo", "bórralos", "súbelo", "tradúcemelo"])
def test_what_is_worked_on_may_be_written_to_a_spanish_verb(text):
    assert language_of_message(text) == "es"


@pytest.mark.parametrize(("text", "language"), [("a villa", "en"), ("hallo", "de"), ("voilà la salle", "fr")])
def test_what_only_ends_so_is_no_spanish(text, language):
    assert language_of_message(text) in ("", language)
