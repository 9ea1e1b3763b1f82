"""What the wording says of a graph beyond its tools: which of several files, what is handed on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.one_of_several import speaks_of_one
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, Given, Plan, Request
from nodes import load_tools
from tests.plan.worlds import own_planner

TOOLS = {tool.id: tool for tool in from_tools(load_tools().tools)}


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner()


def links(plan: Plan) -> set[tuple[str, str]]:
    """Pairs of tools of which the first feeds the second, in the first solution."""
    steps = plan.solutions[0].steps
    tools = {step.id: step.tool for step in steps}
    taken = [(step.tool, argument) for step in steps for argument in step.arguments.values()]
    items = [(tool, item) for tool, found in taken for item in (found if isinstance(found, tuple) else (found,))]
    return {(tools[item.node], tool) for tool, item in items if isinstance(item, FromNode)}


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
    ("wähle den roten Ball aus, vergrößere die Auswahl um 8 Pixel und verpixle sie", "hof.jpg", "image",
     {("segment_described", "grow_mask"), ("grow_mask", "pixelate")}),
    ("把买家的留言翻译成英文", "note.txt", "text", set[tuple[str, str]]()),
])  # fmt: skip
def test_what_one_makes_is_handed_on(
    planner: OfflinePlanner, text: str, name: str, type: str, wanted: set[tuple[str, str]]
) -> None:
    plan = planner.plan(Request(text, (Given(name, type),)))
    assert plan.solutions, plan.causes
    assert links(plan) == wanted
