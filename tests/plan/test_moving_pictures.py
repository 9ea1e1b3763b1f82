"""An animated GIF counts as a film, and what is made of it is a GIF again."""

import asyncio

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.planner import Planner
from desktop_app.plan.types import Given, Request
from nodes import load_tools


@pytest.fixture(scope="module")
def planner():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        assert sentence_encoder.sentence_encoder().is_ready()
        yield Planner(lambda: load_tools().tools, "adaptive")


def tools(planner, text, *files):
    request = Request(text, tuple(Given(name, type) for name, type in files))
    return [step.tool for step in asyncio.run(planner.plan(request)).solutions[0].steps]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("half speed", ["video_speed", "video_to_gif"]), ("play this gif backwards", ["reverse_video", "video_to_gif"]),
        ("play this gif backwards as a GIF", ["reverse_video", "video_to_gif"]),
        ("mach das GIF halb so schnell", ["video_speed", "video_to_gif"]),
        ("make this gif black and white", ["video_effect", "video_to_gif"]),
        ("turn the gif into an mp4", ["video_file"]), ("convert this gif to a video", ["video_file"]),
        ("take a still from the gif", ["video_frame"]),
    ],
)  # fmt: skip
def test_a_form_is_kept_unless_another_is_said(planner, text, made):
    assert tools(planner, text, ("dance.gif", "video")) == made


def test_other_films_and_still_pictures_are_what_they_were(planner):
    assert tools(planner, "half speed", ("dance.mp4", "video")) == ["video_speed"]
    assert "video_to_gif" not in tools(planner, "make this gif black and white", ("logo.gif", "image"))
    assert tools(planner, "make a gif of clip.mp4", ("clip.mp4", "video")) == ["video_to_gif"]


def test_what_a_gif_cannot_hold_stays_a_film(planner):
    files = (("dance.gif", "video"), ("song.mp3", "audio"), ("clip.mp4", "video"))
    assert "video_to_gif" not in tools(planner, "put song.mp3 under dance.gif", *files[:2])
    assert tools(planner, "join dance.gif and clip.mp4", *files[::2]) == ["join_videos"]


@pytest.mark.parametrize(
    "text",
    ["Make an animated WebP of clip.mp4", "Save the film as .webp", "Mach ein animiertes WebP daraus", "转成webp动图"],
)
def test_a_film_becomes_a_webp_that_moves_and_no_other_form(planner, text):
    request = Request(text, (Given("clip.mp4", "video"),))
    (step,) = asyncio.run(planner.plan(request)).solutions[0].steps
    assert (step.tool, step.arguments["format"]) == ("video_to_gif", "webp")


def test_a_still_picture_stays_one_as_a_webp(planner):
    request = Request("Save photo.jpg as webp", (Given("photo.jpg", "image"),))
    (step,) = asyncio.run(planner.plan(request)).solutions[0].steps
    assert (step.tool, step.arguments["format"]) == ("picture_file", "webp")
