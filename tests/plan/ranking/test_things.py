"""Wishes about a thing in a picture, and questions, on a neutral tool set and on sets made up here."""

from __future__ import annotations

import pytest

from desktop_app.plan.batch import plan_row, request_of
from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.question_tools import is_question
from desktop_app.plan.tools.tool_specs import with_own_types
from tests.plan.worlds import own_planner, papers_planner, port, tool

ASKED = tool("pic_ask", "Ask a picture", "Answers a question about a picture.",
             [port("picture", "image"), port("question", "text")], [port("reply", "text")])  # fmt: skip
TALK = tool("talk", "Talk", "Answers any question and holds a conversation.", [port("message", "text")],
            [port("reply", "text")])  # fmt: skip
SHARP = tool("crisp", "Sharpen", "Makes a picture sharper.", [port("picture", "image")], [port("out", "image")])
PAINT = tool("paint", "Picture from words", "Generates a picture of what a text describes.", [port("prompt", "text")],
             [port("out", "image")])  # fmt: skip


@pytest.fixture(scope="module")
def planner():
    return papers_planner()


@pytest.fixture(scope="module")
def own():
    return own_planner()


def first(planner, request: str) -> tuple[list[str], dict]:
    """The tools of the first solution in order, and its nodes' literals by tool."""
    solutions = plan_row(planner, {"id": 1, "request": request})["solutions"]
    nodes = solutions[0]["nodes"] if solutions else []
    return [node["tool"] for node in nodes], {node["tool"]: node["args"] for node in nodes}


def refused(planner, request: str) -> str:
    row = plan_row(planner, {"id": 1, "request": request})
    assert not row["solutions"], row["solutions"][0]
    return " ".join(row["reasons"])


# Types of other tool sets ---------------------------------------------------------------------------------------------


def test_subtypes_of_a_file_get_our_names(planner):
    tools = planner.graph.tools
    assert [p.type for p in tools["image_to_depth"].outputs] == ["depth"]
    assert [p.type for p in tools["instance_segmentation"].outputs] == ["mask"]
    assert [p.type for p in tools["object_detection"].outputs] == ["boxes"]


def test_two_types_that_would_get_one_name_stay_apart():
    one = tool("a", "A", "a", [port("x", "image.mask")], [port("y", "mask")])
    (spec,) = with_own_types([one])
    assert (spec.inputs[0].type, spec.outputs[0].type) == ("image.mask", "mask")


def test_an_unknown_subtype_is_of_its_parent_and_of_its_own_name():
    planner = OfflinePlanner([tool("a", "Stem", "Finds the stem.", [port("x", "audio")], [port("y", "audio.stem")])])
    assert planner.graph.output("a", "audio") is not None
    assert planner.graph.output("a", "stem") is not None


def test_points_are_picked_on_the_only_picture(planner):
    points = next(p for p in planner.graph.tools["segment_by_points"].inputs if p.type == "points")
    assert points.picked_on == "image"


# Things in pictures ---------------------------------------------------------------------------------------------------


def test_the_mask_of_a_thing_is_chosen_from_all_masks(planner):
    tools, args = first(planner, "Give me the mask of the giraffe in zoo.jpg")
    assert tools == ["instance_segmentation", "select_masks"]
    assert args["select_masks"]["condition"] == "giraffe"


def test_a_thing_is_segmented_by_its_name(planner):
    assert first(planner, "segment the wheelbarrow in yard.jpg")[0] == ["instance_segmentation", "select_masks"]


def test_a_thing_to_be_isolated_is_found_and_cut_out(planner):
    tools, args = first(planner, "Isolate the kettle in kitchen.jpg")
    assert tools[-1] == "crop" and tools[0] in ("visual_grounding", "object_detection")
    assert "kettle" in str(args)


def test_locate_and_zoom_in_is_one_cut(planner):
    tools, args = first(planner, "Locate the teapot in kitchen.jpg and zoom in on it.")
    assert tools[-1] == "crop" and "teapot" in str(args) and "zoom" not in str(args[tools[0]])


def test_what_lies_on_a_dining_table_is_no_table(planner):
    tools, args = first(planner, "extract the dining table from room.jpg")
    assert tools and "table" in str(args).lower()


def test_a_new_picture_takes_the_kind_that_is_named(planner):
    tools, args = first(planner, "Use the edge map of house.jpg to create a new image of a castle")
    assert tools == ["image_to_edge", "edge_text_to_image"]
    assert "castle" in str(args["edge_text_to_image"])


def test_an_opening_with_a_kind_belongs_to_the_wish(planner):
    assert first(planner, "With the depth of a.jpg, generate a new image of a farm")[0] == [
        "image_to_depth",
        "depth_text_to_image",
    ]


def test_what_the_new_picture_should_be_is_no_wish_of_its_own(planner):
    request = "Use the depth of a.jpg to create a new image. The new image should be a harbour in a storm."
    tools, args = first(planner, request)
    assert tools == ["image_to_depth", "depth_text_to_image"]
    assert "harbour" in str(args["depth_text_to_image"])


# Questions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [
    "Why might the doors be open in train.jpg?",
    "In the train.jpg, why might the doors be open?",
    "Given the image train.jpg, is the roof round or square?",
    "As for the train.jpg, how can the crew get off?",
])  # fmt: skip
def test_a_question_goes_to_the_tool_that_is_asked_about_pictures(request_):
    planner = OfflinePlanner([SHARP, PAINT, ASKED, TALK])
    tools, args = first(planner, request_)
    assert tools == ["pic_ask"] and args["pic_ask"]["picture"] == "train.jpg"


def test_a_wish_without_anything_to_work_on_is_answered_in_words():
    planner = OfflinePlanner([SHARP, PAINT, ASKED, TALK])
    tools, args = first(planner, "Write a Java program to print all permutations of an array.")
    assert tools == ["talk"]
    assert args["talk"]["message"] == "Write a Java program to print all permutations of an array."


def test_a_picture_to_be_made_is_no_question():
    planner = OfflinePlanner([SHARP, PAINT, ASKED, TALK])
    assert first(planner, "Generate an image of a lighthouse at dusk")[0] == ["paint"]


def test_talk_does_nothing_in_the_world():
    planner = OfflinePlanner([SHARP, PAINT, ASKED, TALK])
    assert refused(planner, "Book me a flight to Lisbon")


@pytest.mark.parametrize(("text", "asked"), [
    ("How many are there?", True),
    ("I wonder if there is a cat", True),
    ("Could you tell me whether it rains?", True),
    ("Is it possible to cut the film?", False),
    ("Do the same again", False),
    ("Can you sharpen it?", False),
])  # fmt: skip
def test_questions_are_told_from_polite_wishes(text, asked):
    intents = intents_of(read(text))
    assert any(is_question(intent) for intent in intents) == asked


# With our tools -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("request_", "cause"), [
    ("Make the girl in photo.jpg smile", "looks"),
    ("Clone my voice from me.wav and say hello", "voice"),
])  # fmt: skip
def test_what_our_tools_cannot_do_is_said(own, request_, cause):
    assert cause in refused(own, request_)


@pytest.mark.parametrize(("request_", "wanted"), [
    ("describe the table sales.csv", "table_statistics"),
    ("Add the caption 'Hello' to photo.jpg", "add_text"),
    ("replace 'cat' with 'dog' in story.txt", "find_replace"),
    ("replace the audio of clip.mp4 with song.mp3", "dub_video"),
    ("Is there a dog in park.jpg?", "detect_objects"),
    ("What is in photo.jpg?", "describe_image"),
    ("Estimate the depth of room.jpg", "depth_map"),
    ("Detect the pose of the person in photo.jpg", "pose_map"),
    ("Which things can be seen in desk.jpg?", "detect_objects"),
    ("Generate a video of a dog running on the beach", "text_to_video"),
    ("Fix the grammar in letter.txt", "correct_grammar"),
    ("Transcribe speech.wav and translate it to German", "translate"),
    ("Colorize old.jpg", "colourise"),
    ("Restore this damaged photo old.jpg", "restore_photo"),
])  # fmt: skip
def test_what_our_tools_can_do_is_not_refused(own, request_, wanted):
    assert wanted in first(own, request_)[0]


def test_a_part_that_cannot_be_done_is_named(own):
    plan = own.plan(request_of({"request": "Transcribe speech.wav and clone the voice of the speaker"}))
    assert [step.tool for step in plan.solutions[0].steps] == ["speech_to_text"]
    assert "voice" in plan.solutions[0].reason


def test_a_cut_asks_for_its_end(own):
    ride = {"name": "ride.mp4", "type": "video"}
    row = plan_row(own, {"id": 1, "request": "Can you cut this video?", "resources": [ride]})
    assert [(q["kind"], q["port"]) for q in row["questions"]] == [("text", "end")]


def test_what_is_compared_is_a_column(own):
    tools, args = first(own, "from orders.json, only the rows with total > 50, sorted by date")
    assert tools == ["read_table", "filter_table", "sort_table"]
    assert args["filter_table"]["condition"] == "total > 50"


def test_no_words_are_read_from_a_page_around_a_film(own):
    assert not {"video_page", "video_to_gif", "gallery_page"} & set(first(own, "Summarise clip.mp4")[0])
