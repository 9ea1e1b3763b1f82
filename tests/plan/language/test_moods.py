"""Complaints, exclusions and firm wishes: what a sentence asks for when it names something else, or nothing we do."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.types import Intent
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import Plan, Request
from tests.plan.worlds import TOYS, attached, port, tool

SEND = tool("t_send", "Send", "Sends a picture to someone by mail.", [port("image", "image")], [port("text", "text")])
TRANSLATE = tool("t_translate", "Translate", "Translates a text.", [port("text", "text")], [port("text", "text")])
PLANNER = OfflinePlanner(TOYS)


def main(text: str) -> Intent:
    return intents_of(read(text))[0]


def plan(text: str, *names: str, planner: OfflinePlanner = PLANNER) -> Plan:
    return planner.plan(Request(text, attached(*names)))


def tools(found: Plan) -> list[str]:
    return [step.tool for step in found.solutions[0].steps] if found.solutions else []


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("cellar.jpg is far too dark", "brighten"),
        ("the picture looks a bit pale", "brighten"),
        ("scan.png is crooked", "rotate"),
        ("my photo came out blurry", "sharpen"),
        ("photo.jpg is really grainy", "denoise"),
        ("talk.wav is too quiet", "normalise"),
        ("the voice in memo.wav is too quiet", "normalise"),
        ("the clip bike.mp4 is very shaky", "stabilise"),
        ("Das Foto keller.jpg ist zu dunkel", "brighten"),
    ],
)
def test_complaint_asks_for_what_sets_it_right(text, remedy):
    intent = main(text)
    assert intent.complains and not intent.stating
    assert [t.key for t in intent.terms if t.kind == "task"] == [remedy]


@pytest.mark.parametrize(
    "text", ["Is photo.jpg dark?", "Make the dark picture smaller", "How dark is it?", "blur the photo that is dark"]
)
def test_property_that_is_only_named_is_no_complaint(text):
    assert not any(intent.complains for intent in intents_of(read(text)))


def test_fix_it_adds_nothing_to_a_complaint():
    assert tools(plan("photo.jpg is too dark, fix it", "photo.jpg")) == ["t_light"]


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Make talk.wav faster without a chipmunk voice", "voice"),
        ("Resize it, but don't crop it", "crop"),
        ("Resize lake.jpg without cropping", "crop"),
        ("a slideshow of a.jpg and b.jpg, no music", "music"),
        ("brighten it instead of rotating it", "rotate"),
        ("never blur the picture, only sharpen it", "blur"),
    ],
)
def test_what_is_excluded_is_not_meant(text, gone):
    assert all(gone not in intent.meanings for intent in intents_of(read(text)))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the photo without the background", "background"),
        ("no sound in clip.mp4", "silent"),
        ("crop it, not only a little", "crop"),
        ("the picture is not sharp", "sharpen"),
    ],
)
def test_lack_that_is_wished_for_stays(text, kept):
    assert any(kept in intent.meanings for intent in intents_of(read(text)))


def test_excluded_step_is_not_planned():
    assert tools(plan("Blur photo.jpg, but don't rotate it", "photo.jpg")) == ["t_blur"]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Book me a flight to Lisbon", "No tool here can book me a flight to Lisbon."),
        ("translate this", "No tool here translates text."),
        ("What's the weather in Oslo tomorrow?", "No tool here knows the weather."),
        ("Who won the football match last night?", "No tool here knows the news."),
        ("delete all files on my disk", "No tool here can delete all files on my disk."),
        ("make audio from a table", "No tool makes audio from a table."),
        ("play tennis with me", "No tool here can do “play tennis with me”."),
    ],
)
def test_wish_that_no_tool_serves_is_refused_in_its_own_words(text, cause):
    found = plan(text)
    assert found.solutions == ()
    assert found.causes == (cause,)


def test_wish_that_no_tool_serves_is_refused_with_files_too():
    assert plan("Send photo.jpg to my mother", "photo.jpg").causes[0].startswith("No tool here can send photo.jpg")
    assert plan("Translate note.txt into Japanese", "note.txt").solutions == ()
    assert plan("Turn cat.jpg into a 3D model", "cat.jpg").causes == ("No tool here makes 3D models.",)


def test_tool_that_speaks_of_a_firm_wish_serves_it():
    more = OfflinePlanner((*TOYS, SEND, TRANSLATE))
    assert tools(plan("Translate note.txt into Japanese", "note.txt", planner=more)) == ["t_translate"]
    assert tools(plan("Send photo.jpg to my mother", "photo.jpg", planner=more)) == ["t_send"]


def test_firm_word_as_content_is_no_wish():
    assert tools(plan("Blur the picture of the pizza", "pizza.jpg")) == ["t_blur"]


def test_what_can_be_done_is_planned_beside_what_cannot():
    found = plan("Blur photo.jpg, then send it to my boss", "photo.jpg")
    assert tools(found) == ["t_blur"]


@pytest.mark.parametrize("text", ["crop", "remove the background", "blur my face", "make a slideshow"])
def test_short_wish_without_a_file_is_not_refused(text):
    planner = OfflinePlanner((*TOYS, tool("t_crop", "Crop", "Crops a picture.", [port("image", "image")],
                                          [port("image", "image")])))  # fmt: skip
    assert planner.plan(Request(text)).solutions != ()


def test_firm_and_complained_classes_are_known():
    words = lexicon()
    assert set(words.firm) <= set(words.kinds)
    assert set(words.complaints.values()) <= set(words.kinds)
