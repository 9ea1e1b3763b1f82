"""Phrases, and the names of what is declared, in Chinese."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import BadRequest
from desktop_app.i18n import catalogue, tools
from nodes import load_tools
from nodes.phrase import Phrase, joined, listed, unstopped

TOOLS = load_tools().tools


@pytest.fixture
def chinese():
    catalogue.use("zh")
    yield
    catalogue.use("en")


def named(tool: str, spelled: str = "") -> Phrase:
    return Phrase(tool, "tools", spelled=spelled or tool)


def titled(first: str, *more: str) -> str:
    return listed([named(first), *(named(tool, tool.lower()) for tool in more)], " → ")


def test_english_is_said_as_it_is_written():
    assert catalogue.say("{n} things are missing:", n=2) == "2 things are missing:"
    assert catalogue.translated(Phrase("{steps}.", steps=titled("Find faces", "Blur"))) == "Find faces → blur."
    assert catalogue.port("soft_edge") == "soft edge" and catalogue.choice("robot") == "robot"
    assert tools.LocalizedTools(TOOLS)["blur"] is TOOLS["blur"]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Ready to run.", "可以运行。"),
        (BadRequest(Phrase("{path} is empty (0 bytes).", path="a.txt"), "Attach another file."),
         "a.txt 是空的（0 字节）。请附加其他文件。"),
        (Phrase("{steps}.", steps=titled("Find faces", "Mask from boxes", "Blur")), "查找人脸 → 框转蒙版 → 模糊。"),
        (Phrase("{one}, then {other}", one=named("Find faces"), other=named("Blur", "blur")),
         "先查找人脸，再模糊"),
        (Phrase("{does} instead of {doing}.", does=named("Pixelate", "Pixelates"),
                doing=named("Blur", "blurring")), "像素化，而不是模糊。"),
        (Phrase("Please attach {type} for “{tool}”.", type=Phrase("image", "types", spelled="an image"),
                tool=named("Blur")), "请为“模糊”附加图片。"),
        (Phrase("step {step} of {total}", step=3, total=20), "第 3 / 20 步"),
        (Phrase("{n} of {total} failed: {told}", n=2, total=5, told=Phrase("{all}.", all=listed(
            [Phrase("{name}: {message}", name=name, message=unstopped("The picture is empty.")) for name in ("a", "b")],
            "; "))), "5 项中有 2 项失败：a: 图片是空的；b: 图片是空的。"),
    ],
)  # fmt: skip
def test_phrases_are_shown_in_chinese(chinese, said, wanted):
    assert catalogue.translated(str(said) if isinstance(said, Exception) else said) == wanted


def test_the_description_of_a_tool_stands_with_its_first_clause(chinese):
    tool = TOOLS["cut_out"]
    clause = Phrase(tool.description, "descriptions", spelled=tool.description.split(",")[0])
    assert tools.worded(tool).description.startswith(catalogue.translated(clause))
    assert len(catalogue.translated(clause)) < len(tools.worded(tool).description)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cup.jpg",
        "把人脸打码",
        "Point at the cup and I will take it out, then paint what is left.",
        "The file kittens.jpg does not exist.",
        Phrase("Nobody has {ever} said that.", ever="Blur"),
    ],
)
def test_what_is_not_known_stays_as_it_is(chinese, text):
    assert catalogue.translated(text) == str(text)


def test_what_was_written_by_others_is_not_translated(chinese):
    assert catalogue.translated(Phrase("{path} is a folder.", path="Ready to run.")) == "Ready to run. 是文件夹。"
    assert catalogue.translated(joined("Kittens are nice.", "The disk is full.")) == "Kittens are nice. 磁盘已满。"


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "a.mp4 cannot be read as a video: Invalid data found"),
        ("de", "a.mp4 lässt sich nicht als Film lesen: das Programm meldet „Invalid data found“"),
        ("fr", "a.mp4 ne peut pas être lu comme vidéo : le programme dit « Invalid data found »"),
        ("es", "a.mp4 no se puede leer como vídeo: el programa dice «Invalid data found»"),
        ("zh", "无法将 a.mp4 读取为视频：程序报告“Invalid data found”"),
    ],
)
def test_what_a_library_said_is_quoted_in_another_language(language, wanted):
    said = Phrase("{path} cannot be read as a video: {error}", path="a.mp4", error=ValueError("Invalid data found"))
    with catalogue.speaking(language):
        assert catalogue.translated(said) == wanted


def test_a_cause_that_the_program_says_itself_or_a_mere_name_is_not_quoted():
    with catalogue.speaking("de"):
        why = Phrase("{file} is damaged: {why}", file="a.pdf", why=Phrase("it is damaged"))
        assert catalogue.translated(why) == "a.pdf ist beschädigt: es ist beschädigt"
        assert catalogue.translated(Phrase("{file} is damaged: {why}", file="a", why="E3")) == "a ist beschädigt: E3"


def test_what_is_in_the_places_never_becomes_a_place(chinese):
    said = Phrase("The file {path} does not exist.", path="{path}{name}{}")
    assert catalogue.translated(said) == "文件 {path}{name}{} 不存在。"


def test_tools_are_worded_and_keep_what_runs(chinese):
    shown, plain = tools.LocalizedTools(TOOLS)["blur"], TOOLS["blur"]
    assert (shown.title, shown.id) == ("模糊", "blur")
    assert "blur" in shown.words and "高斯模糊" in shown.words
    assert [p.name for p in shown.inputs] == [p.name for p in plain.inputs]
    assert shown.inputs[0].doc != plain.inputs[0].doc and shown.inputs[0].default == plain.inputs[0].default
    assert [b.id for b in shown.backends] == [b.id for b in plain.backends]
    assert shown.backends[0].run is plain.backends[0].run


def test_the_planner_gets_tools_as_they_were_declared(chinese):
    shown = tools.LocalizedTools(TOOLS)
    assert tools.original(shown) is TOOLS and tools.original(TOOLS) is TOOLS
    assert len(shown) == len(TOOLS) and set(shown) == set(TOOLS)


def test_another_language_counts_at_once():
    shown = tools.LocalizedTools(TOOLS)
    catalogue.use("zh")
    assert shown["blur"].title == "模糊"
    catalogue.use("en")
    assert shown["blur"].title == "Blur"
