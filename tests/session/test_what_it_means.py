"""Which results of a conversation "it" may be: what the latest answer gave, and not what lies on the way there."""

import pytest

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session.inputs.wish_files import goes_on, passed_over
from desktop_app.session.messages import Message
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType

PHOTO = Resource("a.jpg", ResourceType.IMAGE, "0" * 64, ".jpg")
GRAPH = Workflow(
    (PHOTO,),
    (Node("grey", "grey"), Node("frame", "frame")),
    (Link("a.jpg", RESOURCE_OUTPUT, "grey", "image"), Link("grey", "image", "frame", "image")),
    (("frame", "image"),),
)


def made(name, node, type=ResourceType.IMAGE):
    return Resource(name, type, "1" * 64, ".png", {}, node)


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ([made("a_grey.png", "grey"), made("a_frame.png", "frame")], {"a_grey.png"}),
        ([made("a_mask.png", "grey", ResourceType.MASK), made("a_frame.png", "frame")], set()),
        ([made("a_frame.png", "frame"), made("a_frame_old.png", "frame")], {"a_frame_old.png"}),
        ([made("gone.png", "left")], set()),
    ],
)
def test_it_is_not_what_was_passed_over(found, left):
    answer = Message(1, "assistant", "Here it is.", kind="answer", resources=("a_frame.png",))
    outputs = {one.name: (one.made_by, "image") for one in found if "old" not in one.name}
    assert passed_over([PHOTO, *found], GRAPH, outputs, {"a.jpg"}, [answer]) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("much darker", {"a.jpg"}),
        ("and a white frame", {"a.jpg"}),
        ("noch viel dunkler", {"a.jpg"}),
        ("make it black and white too", {"a.jpg"}),
        ("could you now please turn it into a short video with music", {"a.jpg"}),
        ("mach es auch schwarz-weiß", {"a.jpg"}),
        ("how bright is it?", {"a.jpg"}),
        ("put it next to the original", set()),
        ("do it to the other picture too", set()),
        ("make the original darker", set()),
        ("the same with the first one", set()),
        ("now turn the whole picture black and white", {"a.jpg"}),
        ("describe the picture of the dog", set()),
        ('write "Good morning to all of you and to the dog" at the bottom in white', {"a.jpg"}),
        ("how many faces?", set()),
    ],
)
def test_a_short_wish_that_speaks_of_no_file_goes_on_from_the_latest_result(text, left):
    answer = Message(1, "assistant", "Here it is.", kind="answer", resources=("a_frame.png",))
    found = [PHOTO, made("a_frame.png", "frame")]
    assert passed_over(found, GRAPH, {"a_frame.png": ("frame", "image")}, (), [answer], goes_on(text)) == left


def test_what_was_taken_back_is_not_meant():
    answer = Message(1, "assistant", "Here it is.", kind="answer", resources=("a_frame.png",))
    found = [PHOTO, made("a_frame.png", "frame"), made("a_crop.png", "crop")]
    assert "a_crop.png" in passed_over(found, GRAPH, {"a_frame.png": ("frame", "image")}, (), [answer], True)


def test_of_what_graphs_of_before_made_the_last_is_meant_where_nothing_else_is_there():
    answer = Message(1, "assistant", "There are 3.", kind="answer", resources=("n.json",))
    found = [PHOTO, made("old.png", "x"), made("new.png", "y"), made("n.json", "frame", ResourceType.NUMBER)]
    assert passed_over(found, GRAPH, {"n.json": ("frame", "number")}, (), [answer], True) == {"old.png"}


def test_it_is_the_end_of_a_way_whatever_was_shown_last():
    """ "How long is it?", of the sound of which the wave was shown."""
    answer = Message(1, "assistant", "Here is the wave.", kind="answer", resources=("wave.png",))
    found = [made("one.wav", "grey", ResourceType.AUDIO), made("two.wav", "frame", ResourceType.AUDIO)]
    nodes = {one.name: (one.made_by, "audio") for one in found}
    assert passed_over(found, GRAPH, nodes, (), [answer], True) == {"one.wav"}
