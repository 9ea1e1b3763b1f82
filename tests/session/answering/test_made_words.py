"""What an answer says of steps: in the language of the request, with the values that were given, or by their titles."""

from __future__ import annotations

import re

import pytest

from desktop_app.graph.workflow import Node
from desktop_app.i18n import catalogue
from desktop_app.session.answering import made_words
from nodes import load_tools

TOOLS = load_tools().tools
LANGUAGES = {"en", "de", "fr", "es", "zh"}


@pytest.mark.parametrize(
    ("language", "tool", "values", "said"),
    [
        ("en", "brightness_contrast", {"change": "brighter"}, "brighter"),
        ("en", "border", {"colour": "red", "width": 40}, "with a border (40 px, red)"),
        ("de", "border", {"colour": "red"}, "mit Rahmen (rot)"),
        ("en", "audio_file", {"format": "mp3"}, "as an mp3 file"),
        ("fr", "picture_file", {"format": "webp"}, "en fichier webp"),
        ("zh", "white_balance", {"tone": "warmer"}, "更暖"),
        ("en", "change_volume", {}, "louder"),
        ("en", "brightness_contrast", {"brightness": -0.15}, "darker"),
        ("en", "rotate", {"degrees": 180}, "turned right by 180°"),
        ("de", "rotate", {"direction": "left"}, "um 90° nach links gedreht"),
        ("en", "rotate", {"direction": "upside down"}, "upside down"),
        ("zh", "rotate_video", {"turn": "180"}, "已旋转 180°"),
        ("en", "crop", {"shape": "square"}, "cropped to a square"),
        ("en", "crop", {"width": 300, "height": 200}, "cropped (width 300 px, height 200 px)"),
        ("de", "crop", {"shape": "circle"}, "rund zugeschnitten"),
        ("en", "draw_boxes", {"label": "number"}, "with what was found numbered"),
        ("en", "draw_boxes", {"label": "none", "shape": "circle"}, "with what was found circled"),
        ("en", "pencil_sketch", {"coloured": True}, "as a drawing in coloured pencils"),
        ("de", "pencil_sketch", {"coloured": False}, "als Bleistiftzeichnung"),
        ("en", "cover_boxes", {"symbol": "hat"}, "with hats on what was found"),
        ("fr", "round_corners", {"radius": 40}, "avec des coins arrondis (40 px)"),
        ("en", "table_file", {}, "as an xlsx file"),
        ("en", "cartoon", {"tones": 9}, "as a cartoon"),
        ("de", "change_volume", {"gain": -6}, "leiser (-6 dB)"),
        ("es", "blur", {}, "con desenfoque"),
        ("en", "filter_table", {"condition": "Leeds"}, "only the rows for “Leeds”"),
        ("en", "fade", {"fade_out": 1}, "faded out (fade out 1 s)"),
        ("en", "fade", {}, "faded in and out"),
        ("en", "text_to_speech", {"language": "de"}, "read aloud (German)"),
        ("de", "text_to_speech", {"language": "fr"}, "vorgelesen (Französisch)"),
        ("de", "fade", {"fade_in": 2, "fade_out": 1}, "eingeblendet, ausgeblendet (Einblenden 2 s, Ausblenden 1 s)"),
        ("en", "brightness_contrast", {"brightness": 0.2, "contrast": -0.1}, "brighter, with less contrast"),
        ("de", "translate", {"language": "German"}, "auf Deutsch"),
        ("fr", "sort_table", {"column": "Ville"}, "trié par Ville"),
    ],
)
def test_a_step_is_told_by_what_it_made(language, tool, values, said):
    with catalogue.speaking(language):
        assert made_words.made_by(TOOLS[tool], Node("one", tool, values)) == said


def test_for_a_tool_that_joins_several_files_there_are_no_words():
    with catalogue.speaking("de"):
        assert made_words.made_by(TOOLS["panorama"], Node("one", "panorama")) == ""


@pytest.mark.parametrize("key", made_words._table())
def test_words_are_of_a_tool_and_in_every_language_of_the_chat(key):
    id, _, choice = key.partition(":")
    words, ports = made_words._table()[key], {port.name for port in TOOLS[id].inputs}
    assert set(words) == LANGUAGES and all(words.values())
    assert all(set(re.findall(r"\{(\w+)\}", one)) <= ports for one in words.values())
    assert not choice or choice[:-1] in ports or any(choice in port.choices for port in TOOLS[id].inputs)
