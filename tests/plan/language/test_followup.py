"""Requests that lean on what was said before, put so that they stand by themselves."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.follow_up import resolved
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.types import FromResource, Given, HistoryMessage, Request
from tests.plan.worlds import TOYS, attached

PLANNER = OfflinePlanner(TOYS)
BLUR = (HistoryMessage("user", "Blur a.jpg"), HistoryMessage("assistant", "Blur made a_blur.png."))
TWO = (
    HistoryMessage("user", "Blur a.jpg and b.jpg"),
    HistoryMessage("assistant", "Blur made a_blur.png and b_blur.png."),
)


def after(history, text: str, *names: str) -> tuple[str, list[str]]:
    request = resolved(Request(text, attached(*names), history))
    return request.text, [given.name for given in request.resources]


def test_without_history_nothing_changes():
    request = Request("same for the others", attached("a.jpg", "b.jpg"))
    assert resolved(request) is request


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("same for the others", "Blur b.jpg and c.jpg"),
        ("now the same for c.jpg", "Blur c.jpg"),
        ("do that with b.jpg too", "Blur b.jpg"),
        ("das gleiche für b.jpg", "Blur b.jpg"),
    ],
)
def test_same_again_is_the_wish_before_on_other_files(text, meant):
    assert after(BLUR, text, "a.jpg", "a_blur.png", "b.jpg", "c.jpg")[0] == meant


def test_the_others_are_planned_for_each_file():
    request = Request("same for the others", attached("a.jpg", "a_blur.png", "b.jpg", "c.jpg"), BLUR)
    steps = PLANNER.plan(request).solutions[0].steps
    assert [step.tool for step in steps] == ["t_blur", "t_blur"]
    assert [step.arguments["image"] for step in steps] == [FromResource("b.jpg"), FromResource("c.jpg")]


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        ("make a video from all the pictures you made", ()),
        ("make a collage of everything you have created and c.jpg", None),
        ("put the pictures you've drawn beside this one", ("c.jpg",)),
        ("mach ein Video aus allen Bildern, die du gemacht hast", ()),
        ("把你做的图片拼成视频", ()),
    ],
)
def test_what_was_made_is_every_answers_and_not_what_it_was_made_from(text, fresh):
    history = (*TWO, HistoryMessage("user", "Rotate a.jpg"), HistoryMessage("assistant", "Rotate made a_rotated.png."))
    names = ("a.jpg", "b.jpg", "a_blur.png", "b_blur.png", "a_rotated.png", *(fresh or ()))
    resources = [Given(name, "image", earlier=name not in (fresh or ())) for name in names]
    meant = [given.name for given in resolved(Request(text, tuple(resources), history)).resources]
    if fresh is None:  # a file is named: then all stay to be chosen from
        assert meant == list(names)
    else:
        assert meant == ["a_blur.png", "b_blur.png", "a_rotated.png", *fresh]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("put both side by side", ["a_blur.png", "b_blur.png"]),
        ("make the second one darker", ["a_blur.png", "b_blur.png"]),
        ("collage of the results", ["a_blur.png", "b_blur.png"]),
        ("go back to the originals and rotate them", ["a.jpg", "b.jpg"]),
        ("make b.jpg darker", ["a.jpg", "b.jpg", "a_blur.png", "b_blur.png"]),
    ],
)
def test_words_for_results_choose_among_the_newest(text, names):
    assert after(TWO, text, "a.jpg", "b.jpg", "a_blur.png", "b_blur.png")[1] == names


def test_correction_starts_from_the_original():
    text, names = after(BLUR, "no, pixelate it", "a.jpg", "a_blur.png")
    assert (text, names) == ("pixelate it", ["a.jpg"])


def test_the_other_way_round_turns_the_directions_of_the_wish_before():
    history = (
        HistoryMessage("user", "Rotate a.jpg to the left"),
        HistoryMessage("assistant", "Rotate made a_rotate.png."),
    )
    text, _ = after(history, "undo that, I meant the other way round", "a.jpg", "a_rotate.png")
    assert text == "Rotate a.jpg to the right"


def test_refinement_without_a_verb_refines_the_wish_before():
    assert after(BLUR, "a bit less, 3 pixels", "a.jpg", "a_blur.png")[0].startswith("Blur a.jpg, a bit less")


def test_shape_without_a_verb_is_made_of_the_newest():
    assert after(BLUR, "ok and as a video", "a.jpg", "a_blur.png")[0] == "turn a_blur.png into a video"


def test_new_wish_stays_as_it_is():
    assert after(BLUR, "rotate it by 90 degrees", "a.jpg", "a_blur.png")[0] == "rotate it by 90 degrees"
