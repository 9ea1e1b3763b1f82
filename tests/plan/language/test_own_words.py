"""A word of its own for each of several pictures."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.own_words import own_words
from desktop_app.plan.revision.labelled_pictures import labeller_of, with_own_words
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Request, Solution, Step
from nodes import load_tools

GRAPH = ToolGraph(from_tools(load_tools().tools))
PICTURES = tuple(Given(f"{name}.png", "image") for name in "abc")


@pytest.mark.parametrize(("text", "words", "rest"), [
    ("Write Before on the first and After on the second picture", "Before After", ""),
    ('put them side by side, then write "Before" on the first picture and "After" on the second', "Before After",
     "put them side by side"),
    ("write Before and After on them and put them side by side", "Before After", "put them side by side"),
    ("call them A, B and C", "A B C", ""), ("label them A and B and make a collage", "A B", "make a collage"),
    ("put them side by side and label them A, B and C", "A B C", "put them side by side"),
    ("write A, B and C on them at the top left, then make a collage", "A B C", "make a collage"),
    ("Schreibe Vorher auf das erste und Nachher auf das zweite Bild", "Vorher Nachher", ""),
    ("beschrifte die Bilder mit A, B und C und setze sie nebeneinander", "A B C", "setze sie nebeneinander"),
    ("Écris Avant sur la première et Après sur la deuxième photo", "Avant Après", ""),
    ("étiquette les photos A, B et C", "A B C", ""),
    ("Escribe Antes en la primera y Después en la segunda foto", "Antes Después", ""),
    ("pon A, B y C en las fotos", "A B C", ""), ("分别写上A、B和C，然后拼成一张", "A B C", "拼成一张"),
])  # fmt: skip
def test_each_picture_has_its_word(text, words, rest):
    own = own_words(Request(text, PICTURES[: len(words.split())]))
    assert own is not None and own.rest.text == rest
    assert own.words == tuple(zip((one.name for one in PICTURES), words.split(), strict=False))


@pytest.mark.parametrize("text", [
    "write Hello World on them", "write Hello and goodbye on a.png", "call them A, B and C", "make them grey and small",
    "make a GIF of the first and the second picture", "schreibe Hallo auf das erste Bild", "write Hello on the first",
])  # fmt: skip
def test_one_text_is_for_all_or_for_one(text):
    assert own_words(Request(text, PICTURES[:2])) is None


def test_the_rest_of_the_wish_works_on_the_pictures_with_the_words():
    text, writer = "label them A and B at the top and put them side by side", labeller_of(GRAPH)
    own = own_words(Request("label them A and B, put them side by side", PICTURES[:2]))
    both = tuple(FromResource(f"{name}.png") for name in "ab")
    rest = Plan(
        (Solution("", "", 1.0, (Step("join", "stitch_side_by_side", {"images": both}),), (("join", "image"),)),)
    )
    assert own is not None and writer is not None
    (one,) = with_own_words(rest, own, text, writer, GRAPH).solutions
    *labelled, joined = one.steps
    assert [(step.arguments["image"], step.arguments["text"]) for step in labelled] == [*zip(both, "AB", strict=True)]
    assert joined.arguments["images"] == tuple(FromNode(step.id, "image") for step in labelled)
    assert one.wanted == (("join", "image"),)
    (alone,) = with_own_words(None, own, text, writer, GRAPH).solutions
    assert alone.wanted == tuple((step.id, "image") for step in alone.steps)
