"""What the wording says of a graph beyond its tools: the order, which of several files, what is handed on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.files_said import files_said
from desktop_app.plan.ranking.one_of_several import speaks_of_one
from desktop_app.plan.ranking.told_order import put_in_order, told_order
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, Given, Plan, Request
from nodes import load_tools

TOOLS = {tool.id: tool for tool in from_tools(load_tools().tools)}


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield OfflinePlanner([*TOOLS.values()])


def links(plan: Plan) -> set[tuple[str, str]]:
    """Pairs of tools of which the first feeds the second, in the first solution."""
    steps = plan.solutions[0].steps
    tools = {step.id: step.tool for step in steps}
    taken = [(step.tool, argument) for step in steps for argument in step.arguments.values()]
    items = [(tool, item) for tool, found in taken for item in (found if isinstance(found, tuple) else (found,))]
    return {(tools[item.node], tool) for tool, item in items if isinstance(item, FromNode)}


def order(text: str, *wishes: str) -> list[int]:
    stretches = [(text.index(wish), text.index(wish) + len(wish)) for wish in wishes]
    return told_order(read(text).tokens, stretches, {(0, 1): 0.9, (1, 2): 0.8, (0, 2): 0.1})


@pytest.mark.parametrize(("text", "wishes", "wanted"), [
    ("mute it; before that trim it to a minute", ["mute it", "trim it to a minute"], [1, 0]),
    ("leg Musik darunter, kürze sie aber vorher", ["leg Musik darunter", "kürze sie aber vorher"], [1, 0]),
    ("mets un filigrane, mais avant redresse-la", ["mets un filigrane", "redresse-la"], [1, 0]),
    ("ponle música, pero antes quítale el ruido", ["ponle música", "quítale el ruido"], [1, 0]),
    ("加上水印，但在那之前先裁成正方形", ["加上水印", "裁成正方形"], [1, 0]),
    ("before you print the title on it, straighten it", ["print the title on it", "straighten it"], [1, 0]),
    ("say it louder after translating it", ["say it louder", "translating it"], [1, 0]),
    ("sepia, but before that mend it and enlarge it", ["sepia", "mend it", "enlarge it"], [1, 2, 0]),
    ("sepia, but before that mend it. Enlarge it", ["sepia", "mend it", "Enlarge it"], [1, 0, 2]),
    ("trim it, then mute it", ["trim it", "mute it"], [0, 1]),
    ("cut the minute before that bell, blur it", ["cut the minute", "blur it"], [0, 1]),
    ("mais avant de la recadrer, éclaircis-la", ["recadrer", "éclaircis-la"], [0, 1]),
])  # fmt: skip
def test_what_is_said_to_come_first_comes_first(text: str, wishes: list[str], wanted: list[int]) -> None:
    assert order(text, *wishes) == wanted


def test_links_follow_the_order_that_was_told() -> None:
    found = {(0, 1): 0.9, (1, 0): 0.1, (2, 0): 0.2, (2, 1): 0.7}
    put_in_order([2, 1, 0], found)
    assert found[0, 1] == 0 and found[1, 0] > 0.9 and found[2, 1] > 0.9
    unmoved = {(0, 1): 0.3, (1, 0): 0.9}
    put_in_order([0, 1], unmoved)
    assert unmoved == {(0, 1): 0.3, (1, 0): 0.9}, "what the tagger reads stands where nothing is said"


def said(text: str, **shares: float) -> list[str]:
    files = [Given(f"{name}.mp3", "audio") for name in shares]
    rated = {f"{name}.mp3": share for name, share in shares.items()}
    found = files_said(rated, files, text, (0, len(text)), (0, 0), lambda at: True)
    return [name.removesuffix(".mp3") for name in found]


def test_files_are_meant_by_their_numbers_and_by_how_many() -> None:
    takes = {"take1": 0.8, "take2": 0.7, "take3": 0.9, "take4": 0.1}
    assert said("1 und 3 lauter", **takes) == ["take1", "take3"]
    assert said("de 2 a 4 sin ruido", **takes) == ["take2", "take3", "take4"]
    speakers = {"Anna": 0.9, "Ben": 0.3, "jingle": 0.6, "noise": 0.1}
    assert said("the two speakers louder", **speakers) == ["Anna", "jingle"]
    assert said("les quatre enregistrements plus forts", **speakers) == [*speakers]
    assert said("每个都去噪", **(speakers | {"noise": 0.0})) == ["Anna", "Ben", "jingle"]
    assert said("alle außer Ben", **speakers) == said("alle bis auf Ben", **speakers) == ["Anna", "jingle"]
    assert said("zwei davon, alle gleich", Anna=0.9, jingle=0.1, noise=0.1) == [], "not so many are likely"
    assert said("verse two louder", verse_one=0.1, verse_two=0.9, verse_three=0.1) == []
    assert said("louder please", **speakers) == []


@pytest.mark.parametrize(("text", "tool", "wanted"), [
    ("put the picture in a frame", "border", True),
    ("la foto en blanco y negro", "black_and_white", True),
    ("mach das Bild schärfer", "sharpen", True),
    ("redresse l'image", "rotate", True),
    ("把这张照片调亮", "brightness_contrast", True),
    ("frame them", "border", False),
    ("both: frame the picture", "border", False),
    ("frame the three pictures", "border", False),
    ("one over the other as a blend of the picture", "blend", False),
    ("the picture of the harbour in a frame", "border", False),
])  # fmt: skip
def test_a_wish_for_one_of_several_files_is_known(text: str, tool: str, wanted: bool) -> None:
    files = (Given("harbour.jpg", "image"), Given("attic.jpg", "image"))
    shares = {file.name: 0.9 for file in files}
    assert speaks_of_one(TOOLS[tool], shares, text, Request(text, files)) == wanted


def test_which_of_two_is_asked(planner: OfflinePlanner) -> None:
    plan = planner.plan(Request("rends le film muet", (Given("quai.mp4", "video"), Given("gare.mp4", "video"))))
    questions = plan.solutions[0].questions
    assert [(question.kind, question.choices) for question in questions] == [("file", ("quai.mp4", "gare.mp4"))]


@pytest.mark.parametrize(("text", "name", "type", "wanted"), [
    ("Wähle den Hund aus, vergrößere die Auswahl um 8 Pixel, dort verpixeln", "hof.jpg", "image",
     {("segment_described", "grow_mask"), ("grow_mask", "pixelate")}),
    ("rotate it a quarter turn, but beforehand crop it to a square", "tin.jpg", "image", {("crop", "rotate")}),
    ("把买家的留言翻译成英文", "note.txt", "text", set[tuple[str, str]]()),
])  # fmt: skip
def test_what_one_makes_is_handed_on(
    planner: OfflinePlanner, text: str, name: str, type: str, wanted: set[tuple[str, str]]
) -> None:
    plan = planner.plan(Request(text, (Given(name, type),)))
    assert plan.solutions, plan.causes
    assert links(plan) == wanted
