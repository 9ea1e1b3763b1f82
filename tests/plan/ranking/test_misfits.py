"""Wishes for which the nearest tool does something else: the wrong way round, of the whole, or from nothing."""

from __future__ import annotations

import pytest

from desktop_app.i18n.catalogue import Catalogue
from desktop_app.plan.batch import plan_row
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.mismatch import KNOWS_NOTHING, LOOKS_UP
from desktop_app.plan.types import Request, Solution
from tests.plan.worlds import attached, own_planner, port, tool


@pytest.fixture(scope="module")
def own() -> OfflinePlanner:
    return own_planner()


def first(planner: OfflinePlanner, text: str, *names: str) -> Solution:
    return planner.plan(Request(text, attached(*names))).solutions[0]


def tools(planner: OfflinePlanner, text: str, *names: str) -> list[str]:
    return [step.tool for step in first(planner, text, *names).steps]


def cause(planner: OfflinePlanner, text: str, *names: str) -> str:
    plan = planner.plan(Request(text, attached(*names)))
    assert not plan.solutions, [step.tool for step in plan.solutions[0].steps]
    return " ".join(plan.causes)


# Cropping to a thing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Crop the dog", "Crop a.jpg to the kettle", "Crop tightly around the car in a.jpg", "crop to my bicycle"]
)
def test_a_thing_to_crop_to_is_shown_first(own, text):
    solution = first(own, text, "a.jpg")
    assert [step.tool for step in solution.steps] == ["segment_points", "crop_to_mask"]
    assert [question.kind for question in solution.questions] == ["point"]


@pytest.mark.parametrize(
    "text", ["Crop the picture", "Crop the top half", "Crop the edges", "Crop a.jpg to the middle", "Crop it to 16:9"]
)
def test_a_part_of_any_picture_needs_no_pointing(own, text):
    assert tools(own, text, "a.jpg") == ["crop"]


def test_two_lengths_are_a_size_and_no_corner(own):
    arguments = first(own, "Crop photo.jpg to 400 by 300 pixels", "photo.jpg").steps[0].arguments
    assert (arguments.get("width"), arguments.get("height")) == (400, 300)
    assert not {"x", "y"} & arguments.keys()


# The wrong way round --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Turn day.jpg into night",
        "Convert my sketch day.jpg to a photo",
    ],
)
def test_what_no_tool_makes_of_a_picture_is_refused(own, text):
    assert cause(own, text, "day.jpg") == f"No tool here can do “{text}”."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Turn a.jpg into a sketch", "pencil_sketch"),
        ("Convert the black and white photo a.jpg to a sketch", "pencil_sketch"),
        ("Turn a.jpg into a sepia picture", "sepia"),
        ("Turn a.jpg into a watercolour", "watercolour"),
        ("Turn a.jpg to the left", "rotate"),
        ("Turn this photo into a cartoon", "cartoon"),
    ],
)
def test_what_a_tool_makes_of_a_picture_is_made(own, text, wanted):
    assert tools(own, text, "a.jpg") == [wanted]


def test_a_tool_that_takes_away_does_not_extract():
    removing = tool("no_drums", "Remove drums", "Removes the drums from a song.", [port("song", "audio")],
                    [port("out", "audio")])  # fmt: skip
    getting = tool("stem", "Single instrument", "Gets one instrument such as the drums out of a song.",
                   [port("song", "audio")], [port("out", "audio")])  # fmt: skip
    planner = OfflinePlanner([removing, getting])
    assert tools(planner, "Extract the drums from a.wav", "a.wav") == ["stem"]
    assert tools(planner, "Remove the drums from a.wav", "a.wav") == ["no_drums"]


@pytest.mark.parametrize(
    "text", ["Extract the vocals from a.wav", "only the vocals please", "Isoliere die Stimme in a.wav", "分离人声"]
)
def test_a_voice_alone_is_not_had_from_a_tool_that_removes_it(own, text):
    assert cause(own, text, "a.wav") == "No tool here gets a voice alone out of a song."


def test_a_tool_that_separates_vocals_is_asked_for_them():
    stems = tool("stems", "Separate vocals", "Vocal separation: gives the vocals and the rest of a song.",
                 [port("song", "audio")], [port("vocals", "audio"), port("rest", "audio")])  # fmt: skip
    assert tools(OfflinePlanner([stems]), "Extract the vocals from a.wav", "a.wav") == ["stems"]


def test_vocals_are_still_removed(own):
    assert tools(own, "Remove the vocals from a.wav", "a.wav") == ["remove_vocals"]


# Two files for one step -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Replace the background of me.jpg with beach.jpg",
        "Change the background of me.jpg to the picture beach.jpg",
        "Use beach.jpg as the background of me.jpg",
        "Replace the background with beach.jpg",
    ],
)
def test_a_named_part_takes_the_file_that_is_put_in(own, text):
    row = plan_row(own, {"id": 1, "request": text, "resources": [{"name": "me.jpg", "type": "image"}]})
    (node,) = row["solutions"][0]["nodes"]
    assert node["tool"] == "replace_background"
    assert (node["args"]["image"], node["args"]["background"]) == ("me.jpg", "beach.jpg")


def test_two_files_that_are_treated_alike_stay_two_steps(own):
    found = first(own, "Replace the background of a.jpg and b.jpg with white", "a.jpg", "b.jpg")
    assert [step.tool for step in found.steps] == ["replace_background"] * 2
    assert all(step.arguments["colour"] == "white" and "background" not in step.arguments for step in found.steps)


# Nothing to answer from -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["What is the capital of France?", "Who wrote Hamlet?", "When was Rome founded?"])
def test_a_question_about_the_world_needs_a_text(own, text):
    assert cause(own, text) == LOOKS_UP
    solution = first(own, text, "notes.txt")
    assert [step.tool for step in solution.steps] == ["answer_from_text"]
    assert solution.steps[0].arguments["question"] == text.rstrip("?")


def test_a_text_is_asked_for_only_where_a_tool_looks_things_up():
    case = tool("case", "Change case", "Writes a text in capital letters.", [port("text", "text")],
                [port("out", "text")])  # fmt: skip
    assert cause(OfflinePlanner([case]), "What is the capital of France?") == KNOWS_NOTHING


def test_a_question_that_a_tool_answers_is_left_to_it(own):
    assert tools(own, "What is the sentiment?", "notes.txt") == ["sentiment"]
    assert tools(own, "How many words?", "notes.txt") == ["count_words"]


# Told of a picture ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Write a story about a.jpg", "Write a poem about the picture"])
def test_what_is_written_in_a_picture_is_no_description_of_it(own, text):
    assert tools(own, text, "a.jpg") == ["describe_image", "chat"]


def test_a_story_follows_from_a_description_where_a_tool_gives_one():
    caption = tool("look", "Describe picture", "Describes what a picture shows.", [port("picture", "image")],
                   [port("words", "text")])  # fmt: skip
    write = tool("tale", "Write a story", "Writes a story about what a text says.", [port("text", "text")],
                 [port("story", "text")])  # fmt: skip
    assert tools(OfflinePlanner([caption, write]), "Write a story about a.jpg", "a.jpg") == ["look", "tale"]


def test_a_story_of_a_text_is_written(own):
    assert tools(own, "Write a story about notes.txt", "notes.txt") == ["chat"]


# Chinese --------------------------------------------------------------------------------------------------------------


def test_every_refusal_has_chinese():
    chinese = Catalogue("zh")
    sentences = [wish.refusal for wish in lexicon().firm.values()] + [LOOKS_UP, KNOWS_NOTHING]
    assert [s for s in sentences if not any("一" <= c <= "鿿" for c in chinese.translated(s))] == []
    assert [
        s for s in sentences if any(c.isascii() and c.isalpha() for c in chinese.translated(s).replace("3D", ""))
    ] == []
