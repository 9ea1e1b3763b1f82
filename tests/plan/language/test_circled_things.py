"""A wish for circles is read as one for boxes, in the words that it has besides."""

import pytest

from desktop_app.plan.language.circled_things import boxed
from desktop_app.plan.language.spelling import Corrected
from desktop_app.plan.types import Request


def read(text: str) -> Corrected:
    return boxed(Corrected(Request(text), text))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("circle the cats and dogs in red", "draw boxes around the cats and dogs in red"),
        ("put a red ring around the cat, then blur it", "draw red boxes around the cat, then blur it"),
        ("make it grey and mark the coins with circles", "make it grey and draw boxes around the coins"),
        ("kreise die Münzen ein", "zeichne Rahmen um die Münzen"),
        ("Male bitte rote Kreise um alle Gesichter", "zeichne rote Rahmen um alle Gesichter"),
        ("encercle les pièces", "dessine des cadres autour des pièces"),
        ("encierra cada cara en un círculo", "dibuja recuadros alrededor de cada cara"),
        ("marca con un círculo las setas", "dibuja recuadros alrededor de las setas"),
        ("请用红圈把硬币圈出来", "请用红框把硬币框出来"),
    ],
)
def test_circles_are_boxes(text, plain):
    assert read(text).request.text == plain


@pytest.mark.parametrize(
    "text", ["crop it to a circle", "draw a circle", 'write "circle the faces" on it', "fill the circle with red"]
)
def test_a_circle_that_goes_around_nothing_stays(text):
    assert read(text).request.text == text


def test_what_is_read_out_of_it_is_what_was_typed():
    found = read("circle the coins")
    assert found.typed_for("coins") == "coins" and found.typed_for("the coins") == "the coins"
