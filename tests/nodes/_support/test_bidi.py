"""Letters of lines that are read from right to left stand on paper as readers expect them."""

from __future__ import annotations

import unicodedata

import pytest

from nodes._support.imaging import bidi


def shown(text: str) -> str:
    letters = [(letter, place) for place, letter in enumerate(text)]
    return "".join(letter for letter, _ in bidi.visual(letters, bidi.is_from_right(text)))


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("plain (text) 12", "plain (text) 12"),
        ("אבג דה", "הד גבא"),
        ("אב 12.5, ג", "ג ,12.5 בא"),
        ("אב abc (x) ג.", ".ג abc (x) בא"),
        ("אב (גד) ה", "ה (דג) בא"),
        ("call אבג now", "call גבא now"),
        ("a (אב) b", "a (בא) b"),
        ("אב 5% גד", "דג 5% בא"),
        ("שָׁלוֹם", "םוֹלשָׁ"),
        ("12 abc", "12 abc"),
        ("", ""),
    ],
)
def test_letters_stand_in_the_order_of_the_paper(text: str, paper: str):
    assert shown(text) == paper


@pytest.mark.parametrize(
    "text",
    [
        "plain (text) 12",
        "אבג דה",
        "אב 12.5, ג",
        "אב abc (x) ג.",
        "אב (גד) ה",
        "call אבג now",
        "a (12 אב) b at 03-555-1234.",
        "אב 5% גד",
        "המחיר הוא 250 עבור iPhone 15 (כולל מס).",
        "מיום 12.5.2026 בשעה 14:30, אולם 3",
        "אולמות 12, 15 וגם 18.",
        "بدأ المشروع في عام 2024 مع شركة Siemens في برلين.",
    ],
)
def test_what_stands_on_paper_is_read_as_it_was_typed(text: str):
    letters = [(letter, None) for letter in text]
    paper = "".join(letter for letter, _ in bidi.visual(letters, bidi.is_from_right(text)))
    assert unicodedata.normalize("NFKC", bidi.logical(paper)) == text


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("بيت", "\ufe91\ufef4\ufe96"),  # initial, medial, final
        ("دار", "\ufea9\ufe8d\ufead"),  # none of them joins the next
        ("سلام", "\ufeb3\ufefc\ufee1"),  # lam and alef are one
        ("لا", "\ufefb"),
        ("پچ", "\ufb58\ufb7b"),
        ("بِت", "\ufe91\u0650\ufe96"),  # a mark does not part what it stands on
        ("بـ", "\ufe91\u0640"),
        ("abc", "abc"),
    ],
)
def test_arabic_letters_have_the_forms_of_their_places(text: str, forms: str):
    assert bidi.formed(text) == forms


def test_a_paragraph_begins_where_its_first_letter_says():
    assert bidi.is_from_right("12. אב ab") and not bidi.is_from_right("12. ab אב") and not bidi.is_from_right("12")


def test_what_belongs_to_a_letter_goes_with_it():
    made = bidi.visual([("ל", "bold"), ("ا", "plain"), ("\u0644", "x"), ("\u0627", "y")], True)
    assert made == [("\ufefb", "x"), ("\ufe8d", "plain"), ("ל", "bold")]
