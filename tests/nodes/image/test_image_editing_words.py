"""Editing by instruction: what is understood, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from skimage import data

from nodes import load_tools
from nodes._support.imaging.instructions import understood
from nodes.api import NodeError
from nodes.image.black_and_white import black_and_white
from nodes.image.brightness_contrast import brightness_contrast
from nodes.image.crop import crop
from nodes.image.edit_by_instruction import edit_by_instruction
from nodes.image.flip import flip

CAT = data.chelsea()[:120, :160]


@pytest.mark.parametrize(
    ("instruction", "tools"),
    [
        ("make it black and white", ["black_and_white"]),
        ("Convert the picture to grayscale, please.", ["black_and_white"]),
        ("brighter", ["brightness_contrast"]),
        ("can you make this image a little bit brighter?", ["brightness_contrast"]),
        ("less contrast", ["brightness_contrast"]),
        ("make the colors more vivid", ["brightness_contrast"]),
        ("turn it into an oil painting", ["oil_painting"]),
        ("make it look like a watercolor painting", ["watercolour"]),
        ("a coloured pencil drawing", ["pencil_sketch"]),
        ("blur it", ["blur"]),
        ("less blurry", ["deblur"]),
        ("remove the noise", ["denoise"]),
        ("make it warmer", ["white_balance"]),
        ("twice as large", ["upscale"]),
        ("half the size", ["resize"]),
        ("and rotate them", ["rotate"]),
        ("now blur it too", ["blur"]),
        ("make these photos sepia as well", ["sepia"]),
        ("remove the background", ["cut_out"]),
        ("rotate it to the left, flip it vertically and then add a red border", ["rotate", "flip", "border"]),
        ("sharper and more contrast; sepia", ["sharpen", "brightness_contrast", "sepia"]),
    ],
)
def test_wishes_are_understood(instruction, tools):
    assert [name for name, _ in understood(instruction, "instruction")] == tools


@pytest.mark.parametrize(
    ("instruction", "values"),
    [
        ("rotate 90 degrees left", {"degrees": 90, "direction": "left"}),
        ("turn the picture by 45° clockwise", {"degrees": 45, "direction": "right"}),
        ("rotate counterclockwise", {"degrees": 90, "direction": "left"}),
        ("turn it upside down", {"degrees": 180}),
        ("flip vertically", {"direction": "vertically"}),
        ("crop to 16:9", {"shape": "16:9"}),
        ("resize to 800x600", {"width": 800, "height": 600}),
        ("make it 300 pixels wide", {"width": 300}),
        ("scale it to 25%", {"percent": 25}),
        ("4x larger", {"factor": 4}),
        ("increase the brightness by 20%", {"brightness": 0.2}),
        ("darker by 10 percent", {"brightness": -0.1}),
    ],
)
def test_numbers_and_directions_are_read(instruction, values):
    [(_, found)] = understood(instruction, "instruction")
    assert {name: found[name] for name in values} == pytest.approx(values) if "percent" in values else found == values


def test_strength_is_read():
    amounts = [understood(said, "")[0][1]["brightness"] for said in ("a bit darker", "darker", "much darker")]
    assert 0 > amounts[0] > amounts[1] > amounts[2] >= -1


@pytest.mark.parametrize(
    "instruction",
    [
        "make the sky darker",
        "add a hat to the dog",
        "replace the cat with a dog",
        "brighter and put a moon in the sky",
        "rotate it like a fish",
        "please",
        "",
    ],
)
def test_what_is_not_understood_is_refused_with_what_is_known(instruction):
    with pytest.raises(NodeError) as caught:
        edit_by_instruction(CAT, instruction)
    assert caught.value.port == "instruction" and "black and white" in caught.value.fix


def test_instruction_does_what_the_tools_do():
    assert np.array_equal(edit_by_instruction(CAT, "make it black and white"), black_and_white(CAT))
    assert np.array_equal(edit_by_instruction(CAT, "flip it, then crop to a square"), crop(flip(CAT), shape="square"))
    brighter = edit_by_instruction(CAT, "brighter")
    assert np.array_equal(brighter, brightness_contrast(CAT, None, "brighter"))


def test_every_known_phrase_runs():
    with pytest.raises(NodeError) as caught:
        understood("", "instruction")
    phrases = caught.value.fix.removeprefix("Known are: ").rstrip(".").split(", ")
    phrases = [phrase.replace("more or less", "less") for phrase in phrases]
    assert len(phrases) > 25
    small = np.ascontiguousarray(data.coffee()[::4, ::4])
    for phrase in phrases:
        assert edit_by_instruction(small, phrase).dtype == np.uint8


def test_every_rule_names_a_tool_and_its_ports():
    tools = load_tools().tools
    for said in ("sharper", "blur", "warmer", "vignette", "white border", "crop to a square", "3x", "colored sketch"):
        [(name, values)] = understood(said, "")
        assert all(tools[name].input(port) for port in values)
