"""Which results of a conversation "it" may be: what the latest answer gave, and not what lies on the way there."""

import pytest

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session.messages import Message
from desktop_app.session.questions import goes_on, passed_over
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
        ("how many faces?", set()),
    ],
)
def test_a_short_wish_that_speaks_of_no_file_goes_on_from_the_latest_result(text, left):
    answer = Message(1, "assistant", "Here it is.", kind="answer", resources=("a_frame.png",))
    found = [PHOTO, made("a_frame.png", "frame")]
    assert passed_over(found, GRAPH, {"a_frame.png": ("frame", "image")}, (), [answer], goes_on(text)) == left
