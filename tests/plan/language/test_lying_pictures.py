"""How a picture lies is read as the turn that sets it upright; what is to be found, written and kept is not."""

import pytest

from desktop_app.plan.language.lying_pictures import righted, righted_reply
from desktop_app.plan.language.spelling import Corrected, corrected
from desktop_app.plan.types import Request


def read(text: str) -> str:
    return righted(Corrected(Request(text), text)).request.text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("this photo is lying on its left side, turn it upright", "rotate this photo to the right"),
        ("Turn it upright because it’s lying on its right side", "rotate it to the left"),
        ("the image is rotated 90 degrees to the left, correct it", "rotate the image to the right"),
        ("das Foto liegt auf der linken Seite", "dreh das Foto nach rechts"),
        ("das Foto liegt auf der Seite, richte es bitte auf", "dreh das Foto"),
        ("la photo est à l'envers, remets-la à l'endroit", "tourne la photo à l'envers"),
        ("la foto está tumbada sobre el lado izquierdo, ponla derecha", "gira la foto a la derecha"),
        ("这张照片向左侧躺着，请转正", "把这张照片向右旋转"),
        ("the photo is sideways, turn it the right way up", "rotate the photo"),
    ],
)
def test_the_side_that_it_lies_on_says_the_turn(text, meant):
    assert read(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the photo is upside down, make it grey and turn it upright", "turn the photo upside down, make it grey"),
        ("a.jpg lies on its left side. Turn it upright and crop it", "rotate a.jpg to the right and crop it"),
        ("make it grey, it is upside down", "make it grey, turn it upside down"),
        ("it's on its left side, turn it to the right by 90 degrees", "turn it to the right by 90 degrees"),
    ],
)
def test_what_else_is_wished_stays(text, meant):
    assert read(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "the man is lying on his left side, cut him out", 'write "the photo is upside down" on it',
        "the photo should be turned left", "the photo is on the left side of the page", "is the photo upside down?",
        "blur the photo that is upside down", "turn it left, it is on its side", "turn the photo upside down",
    ],
)  # fmt: skip
def test_nothing_else_is_read_so(text):
    assert read(text) == text


def test_a_reply_may_say_how_it_lies():
    assert righted_reply("on its side") == "on its side"
    assert righted_reply("it is lying on its left side") == "rotate it to the right"
    assert righted_reply("upside down") == "upside down"


def test_texts_behind_it_are_given_as_they_were_typed():
    text = "the pitcure is upside down, fix it and wriet brithday below"
    found = righted(corrected(Request(text), ()))
    assert found.request.text == "turn the picture upside down and write birthday below"
    assert found.typed_for("write birthday") == "wriet brithday"
    assert found.typed_for("upside down") == "upside down"
