"""The examples of the papers (Visual ChatGPT, HuggingGPT, ControlLLM), on a tool set with the tools they assume.

papers_toolbox.json.xz (tests/data) holds our own declarations of those tools; the planner knows none of them by name.
"""

from __future__ import annotations

from collections import Counter

import pytest

from desktop_app.plan.batch import plan_row
from tests.plan.worlds import papers_planner

TYPES = {"jpg": "image", "mp4": "video"}


@pytest.fixture(scope="module")
def planner():
    return papers_planner()


def plans(planner, request: str, *names: str) -> list[tuple[Counter, set]]:
    """Tools and links between tools of every solution, best first."""
    resources = [{"name": name, "type": TYPES[name.rpartition(".")[2]]} for name in names]
    found = []
    for solution in plan_row(planner, {"id": 1, "request": request, "resources": resources})["solutions"]:
        tool = {node["id"]: node["tool"] for node in solution["nodes"]}
        links = {(tool[link["source"]], tool[link["target"]]) for link in solution["links"]}
        found.append((Counter(tool.values()), links))
    return found


def test_a_flower_on_the_depth_of_a_picture_then_a_cartoon(planner):
    """Visual ChatGPT, figure 1."""
    request = (
        "please generate a red flower conditioned on the predicted depth of this image and then make it like a cartoon,"
        " step by step"
    )
    tools, links = plans(planner, request, "photo.jpg")[0]
    assert tools == Counter(["image_to_depth", "depth_text_to_image", "edit_by_text"])
    assert links == {("image_to_depth", "depth_text_to_image"), ("depth_text_to_image", "edit_by_text")}


def test_a_desk_for_the_sofa_then_a_water_colour(planner):
    """Visual ChatGPT, section 4."""
    request = "replace the sofa in this image with a desk and then make it like a water-color painting"
    tools, links = plans(planner, request, "room.jpg")[0]
    assert tools["replace_under_mask"] == 1 and tools["edit_by_text"] == 1
    assert ("replace_under_mask", "edit_by_text") in links
    assert any(target == "replace_under_mask" for _, target in links), "the mask of the sofa has to come from somewhere"


def test_a_pose_a_new_picture_and_its_description_spoken(planner):
    """HuggingGPT, figure 2."""
    request = (
        "Please generate an image where a girl is reading a book, and her pose is the same as the boy in the image"
        " example.jpg, then please describe the new image with your voice."
    )
    tools, links = plans(planner, request, "example.jpg")[0]
    assert tools == Counter(["image_to_pose", "pose_text_to_image", "image_captioning", "text_to_speech"])
    assert links == {
        ("image_to_pose", "pose_text_to_image"),
        ("pose_text_to_image", "image_captioning"),
        ("image_captioning", "text_to_speech"),
    }


def test_horses_are_counted_in_two_ways(planner):
    """ControlLLM, figure 1: several solutions for one request."""
    ways = plans(planner, "How many horses are there in these three pictures?", "a.jpg", "b.jpg", "c.jpg")
    counting = {"count_boxes", "count_masks", "image_question_answering"}
    kinds = {frozenset(tools.keys() & counting) for tools, _ in ways if tools.keys() & counting}
    assert len(kinds) >= 2, ways
    assert max(ways[0][0].values()) == 3, "each of the three pictures is looked at"


def test_a_video_is_dubbed_and_gets_a_web_page(planner):
    """ControlLLM, figure 5."""
    tools, links = plans(planner, "dub the video with suitable music and make a web page for it", "clip.mp4")[0]
    assert tools["text_to_music"] == tools["dub_video"] == tools["video_to_webpage"] == 1
    assert {("text_to_music", "dub_video"), ("dub_video", "video_to_webpage")} <= links
    assert tools["video_captioning"] == 1, "music and page suit the video when something has looked at it"


def test_a_promotional_video_from_a_prompt(planner):
    """ControlLLM, appendix."""
    tools, _ = plans(planner, "Generate a promotional video from this prompt: sunrise over a quiet lake")[0]
    assert tools["text_to_video"] == 1
