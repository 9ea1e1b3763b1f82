"""Texts that were put together in English, in Chinese as far as they are known."""

from __future__ import annotations

import json

import pytest

from desktop_app.i18n import catalogue, tools
from nodes import load_tools

TOOLS = load_tools().tools


@pytest.fixture
def chinese():
    catalogue.use("zh")
    yield
    catalogue.use("en")


def test_english_is_said_as_it_is_written():
    assert catalogue.say("{n} things are missing:", n=2) == "2 things are missing:"
    assert catalogue.shown("Find faces → blur.") == "Find faces → blur."
    assert catalogue.port("soft_edge") == "soft edge" and catalogue.choice("robot") == "robot"
    assert tools.ShownTools(TOOLS)["blur"] is TOOLS["blur"]


@pytest.mark.parametrize(
    ("english", "wanted"),
    [
        ("Ready to run.", "可以运行。"),
        ("a.txt is empty (0 bytes). Attach another file.", "a.txt 是空的（0 字节）。请附加其他文件。"),
        ("Find faces → mask from boxes → blur.", "查找人脸 → 框转蒙版 → 模糊。"),
        ("Find faces, then blur", "先查找人脸，再模糊"),
        ("Cuts out the object of a picture, instead of “Remove object”.", "抠出图片中的对象，代替“移除物体”。"),
        ("Pixelates instead of blurring.", "像素化，而不是模糊。"),
        ("Please attach an image for “Blur”.", "请为“模糊”附加图片。"),
        ("Find faces → blur. Nothing here does “fly away”.", "查找人脸 → 模糊。这里没有能做“fly away”的。"),
        ("step 3 of 20", "第 3 / 20 步"),
        ("The mask is 3 x 4 pixels, the picture 5 x 6.", "蒙版为 3 x 4 像素，图片为 5 x 6。"),
        ("The start, 9 s, is not before the end of the sound, which lasts 3 s. Choose an earlier start.",
         "开始 9 秒不在声音结束之前，声音长 3 秒。请选择更早的开始。"),
        ("2 of 5 failed: a.jpg: The picture is empty.", "5 项中有 2 项失败：a.jpg: 图片是空的。"),
    ],
)  # fmt: skip
def test_known_texts_are_shown_in_chinese(chinese, english, wanted):
    assert catalogue.shown(english) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cup.jpg",
        "把人脸打码",
        "Point at the cup and I will take it out, then paint what is left.",
        "It needs patience and time",
        "Once there was a dragon: it slept, and then it woke.",
    ],
)
def test_what_is_not_known_stays_as_it_is(chinese, text):
    assert catalogue.shown(text) == text


def test_known_sentences_are_shown_among_unknown_ones(chinese):
    shown = catalogue.shown("Kittens are nice.\n\nThe disk is full. So it goes.")
    assert shown == "Kittens are nice.\n\n磁盘已满。So it goes."


def test_what_is_in_the_places_never_becomes_a_place(chinese):
    assert catalogue.shown("The file {0}{name}{} does not exist.") == "文件 {0}{name}{} 不存在。"


def test_every_template_gives_back_its_values(chinese):
    messages = json.loads((catalogue.CATALOGUES / "zh.json").read_text("utf-8"))["messages"]
    for english in messages:
        count = english.count("{}")
        strong = len(english.replace("{}", "").replace(" ", "")) > 24
        if strong and count and "{{" not in english:
            values = [f"x{n}y.jpg" for n in range(count)]
            shown = catalogue.shown(english.replace("{}", "\0").replace("\0", "%s") % tuple(values))
            assert all(value in shown for value in values) and any("一" <= c <= "鿿" for c in shown), english


def test_tools_are_worded_and_keep_what_runs(chinese):
    shown, plain = tools.ShownTools(TOOLS)["blur"], TOOLS["blur"]
    assert (shown.title, shown.id) == ("模糊", "blur")
    assert "blur" in shown.words and "高斯模糊" in shown.words
    assert [p.name for p in shown.inputs] == [p.name for p in plain.inputs]
    assert shown.inputs[0].doc != plain.inputs[0].doc and shown.inputs[0].default == plain.inputs[0].default
    assert [b.id for b in shown.backends] == [b.id for b in plain.backends]
    assert shown.backends[0].run is plain.backends[0].run


def test_the_planner_gets_tools_as_they_were_declared(chinese):
    shown = tools.ShownTools(TOOLS)
    assert tools.original(shown) is TOOLS and tools.original(TOOLS) is TOOLS
    assert len(shown) == len(TOOLS) and set(shown) == set(TOOLS)


def test_another_language_counts_at_once():
    shown = tools.ShownTools(TOOLS)
    catalogue.use("zh")
    assert shown["blur"].title == "模糊"
    catalogue.use("en")
    assert shown["blur"].title == "Blur"
