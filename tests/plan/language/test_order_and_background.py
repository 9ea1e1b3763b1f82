"""What is said later and done earlier, what only tells why, and what of a picture is to be hidden."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.corrections import refined
from desktop_app.plan.language.discourse import with_adverbs
from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import FromNode, Request, Solution
from tests.plan.worlds import attached, own_planner

HIDDEN_TEXT = ["read_text", "mask_from_boxes"]


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def best(planner: OfflinePlanner, text: str, *names: str) -> Solution:
    return planner.plan(Request(text, attached(*names))).solutions[0]


def tools(planner: OfflinePlanner, text: str, *names: str) -> list[str]:
    return [step.tool for step in best(planner, text, *names).steps]


def links(planner: OfflinePlanner, text: str, *names: str) -> set[tuple[str, str]]:
    steps = best(planner, text, *names).steps
    tool = {step.id: step.tool for step in steps}
    return {
        (tool[value.node], step.tool)
        for step in steps
        for value in step.arguments.values()
        if isinstance(value, FromNode)
    }


def wishes(planner: OfflinePlanner, text: str, *names: str) -> list[str]:
    found = refined(intents_of(read(text)), Request(text, attached(*names)), planner.index.lexicon)
    return [intent.text for intent in found if not intent.stating]


# Order ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Sharpen a.jpg, but crop it to a square first",
        "Sharpen a.jpg, but first crop it to a square",
        "Sharpen a.jpg, but crop it to a square beforehand",
        "Sharpen a.jpg. Before that, crop it to a square.",
        "Sharpen a.jpg after cropping it to a square",
        "Before you sharpen it, crop a.jpg to a square",
        "Schärfe a.jpg, aber schneide es vorher quadratisch zu",
    ],
)
def test_what_is_said_to_come_first_comes_first_and_hands_on_its_result(planner, text):
    assert links(planner, text, "a.jpg") == {("crop", "sharpen")}


def test_what_comes_first_comes_before_the_step_that_can_take_it(planner):
    text = "Give me a thumbnail of trip.mp4 and frame it in white, but rotate the film by 90 degrees beforehand."
    found = links(planner, text, "trip.mp4")
    assert found == {("rotate_video", "video_thumbnail"), ("video_thumbnail", "border")}


def test_a_participle_after_but_is_done_to_what_was_just_named(planner):
    assert links(planner, "web page out of notes.txt, but shortened", "notes.txt") == {("summarise", "web_page")}


def test_the_first_seconds_are_no_order(planner):
    step = best(planner, "Make a GIF of clip.mp4, then keep the first", "clip.mp4").steps[0]
    assert step.tool == "video_to_gif"


def test_a_file_that_only_the_next_step_names_is_worked_on_in_turn(planner):
    text = "Blur the faces, and then turn crowd.jpg black and white."
    assert ("blur", "black_and_white") in links(planner, text, "crowd.jpg")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Before that, crop it", "beforehand crop it"),
        ("crop it before that", "crop it beforehand"),
        ("crop it after that", "crop it then"),
        ("before that talk begins", "before that talk begins"),
        ("crop it before", "crop it beforehand"),
    ],
)
def test_before_that_is_one_word_unless_a_noun_follows(text, words):
    assert " ".join(token.word for token in with_adverbs(tokens_of(text), frozenset())) == words


# Background -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I have to put my mugs on our website tomorrow, so please cut out the mug in mug.jpg.", 1),
        ("Customers keep writing to us. Make mug.jpg brighter.", 1),
        ("Thank you for your help yesterday. Make mug.jpg brighter.", 1),
        ("I would like to tidy mug.jpg: crop it to a square", 1),
        ("Which depth of field was used? Never mind, just make mug.jpg brighter.", 1),
        ("I need mug.jpg brighter, and blur it", 2),
        ("I have to translate the following text: 'crop it'", 1),
    ],
)
def test_what_only_tells_why_is_no_wish(planner, text, left):
    assert len(wishes(planner, text, "mug.jpg")) == left


def test_a_hope_in_an_unknown_word_is_one_wish_with_what_it_needs(planner):
    text = "I want to sing ballad.wav at karaoke night, strip the singer out"
    assert tools(planner, text, "ballad.wav") == ["remove_vocals"]


def test_where_a_file_is_told_to_be_names_it_for_the_next_sentence(planner):
    text = "The class list is in pupils.csv. Could you sort it by surname and show it as a web page?"
    assert links(planner, text, "pupils.csv") == {("sort_table", "table_page")}


def test_the_one_thing_complained_of_is_set_right(planner):
    assert tools(planner, "It is too dark, so brighten it", "a.jpg") == ["brightness_contrast"]


def test_a_verb_with_a_thing_of_its_own_is_more_than_a_setting(planner):
    assert tools(planner, "rotate a.jpg and add a white border", "a.jpg") == ["rotate", "border"]


# What is hidden -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thing", ["the guy on the right", "my son", "the woman", "this number plate", "the neighbour"])
@pytest.mark.parametrize("verb", ["Blur", "Pixelate"])
def test_a_thing_that_is_to_be_hidden_is_pointed_at(planner, verb, thing):
    found = planner.plan(Request(f"{verb} {thing} in a.jpg", attached("a.jpg")))
    steps = [step.tool for step in found.solutions[0].steps]
    assert steps[0] == "segment_points" and "mask" in found.solutions[0].steps[1].arguments
    assert [question.kind for question in found.solutions[0].questions] == ["point"]


@pytest.mark.parametrize(
    "text", ["Blur this picture", "Blur this with a radius of 20", "Blur the picture of the pizza", "Pixelate it all"]
)
def test_a_whole_picture_is_hidden_without_pointing(planner, text):
    assert len(tools(planner, text, "a.jpg")) == 1


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Cover the text in a.jpg with a black bar", "redact"),
        ("Blank out every word on the whiteboard in a.jpg", "redact"),
        ("Hide the writing in a.jpg", "redact"),
        ("Blur the text in a.jpg", "blur"),
        ("Pixelate the writing in a.jpg", "pixelate"),
        ("Remove the text from a.jpg", "remove_object"),
    ],
)
def test_words_in_a_picture_are_hidden_where_they_stand(planner, text, last):
    assert tools(planner, text, "a.jpg") == [*HIDDEN_TEXT, last]


def test_words_in_a_text_are_replaced_as_before(planner):
    assert "mask_from_boxes" not in tools(planner, "Remove the word 'very' from a.txt", "a.txt")
