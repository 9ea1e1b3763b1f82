"""Wishes for the built-in tools that follow from types, quotes, questions and names and not from single words."""

from __future__ import annotations

import pytest

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.search.alternatives import is_sound, of_several_kinds
from desktop_app.plan.types import FromResource, Request, Solution
from tests.plan.worlds import attached, own_planner


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def solutions(planner: OfflinePlanner, text: str, *names: str) -> tuple[Solution, ...]:
    return planner.plan(Request(text, attached(*names))).solutions


def tools(planner: OfflinePlanner, text: str, *names: str) -> list[str]:
    found = solutions(planner, text, *names)
    return [step.tool for step in found[0].steps] if found else []


def test_a_film_is_shortened_as_a_film(planner):
    step = solutions(planner, "Shorten a.mp4 to 10 seconds", "a.mp4")[0].steps[0]
    assert (step.tool, step.arguments["end"]) == ("trim_video", 10)
    assert tools(planner, "Shorten a.wav to 10 seconds", "a.wav") == ["trim_audio"]


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("remove the last 5 seconds of a.mp4", "a.mp4", {"end": -5}),
        ("keep only the last 10 seconds of a.mp4", "a.mp4", {"start": -10}),
        ("trim 5 seconds off the end of a.mp4", "a.mp4", {"end": -5}),
        ("cut the first 3 seconds and the last 2 seconds of a.mp4", "a.mp4", {"start": 3, "end": -2}),
        ("slow down a.mp4", "a.mp4", {"speed": 0.5}),
        ("make a.wav a bit slower", "a.wav", {"speed": 0.82}),
        ("make a.wav much faster", "a.wav", {"speed": 2.25}),
        ("make a.wav faster", "a.wav", {}),
        ("fade out a.wav", "a.wav", {"fade_out": 1}),
        ("a.wav ein- und ausblenden", "a.wav", {}),
    ],
)
def test_the_opposite_is_not_done(planner, text, name, values):
    step = solutions(planner, text, name)[0].steps[0]
    assert {port: value for port, value in step.arguments.items() if not isinstance(value, FromResource)} == values


@pytest.mark.xfail(strict=True, reason='by the lexicon alone: tools that reckon made "how many" say less')
def test_a_thing_that_can_be_found_is_counted_after_finding(planner):
    assert tools(planner, "How many cars are in street.jpg?", "street.jpg") == ["detect_objects", "count_boxes"]


def test_what_a_code_says_is_its_text(planner):
    step = solutions(planner, "Make a QR code that says hello world")[0].steps[0]
    assert (step.tool, step.arguments) == ("make_code", {"text": "hello world"})


def test_what_a_picture_says_is_read_and_not_spoken(planner):
    assert tools(planner, "What does the sign in sign.jpg say?", "sign.jpg") == ["read_text"]


def test_one_of_the_faces_is_chosen_between_two_wishes(planner):
    found = tools(planner, "Find the largest face and crop to it", "team.jpg")
    assert found == ["detect_faces", "select_boxes", "crop_to_boxes"]


def test_pictures_become_a_gif_without_a_film(planner):
    assert tools(planner, "animated gif of three pictures", "a.jpg", "b.jpg", "c.jpg") == ["animate_pictures"]


def test_facts_are_worded_before_they_stand_on_a_page(planner):
    found = tools(planner, "Put the keywords of article.txt on a web page", "article.txt")
    assert found == ["keywords", "label_text", "web_page"]


def test_a_file_that_is_called_like_the_thing_is_meant(planner):
    steps = solutions(planner, "Cut out the dog and put it on beach.jpg", "dog.jpg", "beach.jpg")[0].steps
    assert next(s for s in steps if s.tool == "cut_out").arguments["image"] == FromResource("dog.jpg")
    assert steps[-1].arguments["image"] == FromResource("beach.jpg")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Draw me a castle above the clouds", "text_to_image"),
        ("compose something calm, 20 seconds", "make_music"),
        ("Make the sound of rain falling on a roof", "make_sound"),
    ],
)
def test_what_is_to_be_made_up_is_planned_with_what_is_there(planner, text, wanted):
    assert tools(planner, text) == [wanted]


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("write something on photo.jpg", "text", ("photo.jpg",)),
        ("mix song.wav with another track", "file", ("song.wav",)),
        ("lay the logo over promo.mp4", "file", ("promo.mp4",)),
        ("I have a question about contract.txt", "text", ("contract.txt",)),
    ],
)
def test_what_is_missing_is_asked_for(planner, text, kind, names):
    assert kind in [question.kind for question in solutions(planner, text, *names)[0].questions]


def test_every_piece_of_a_list_is_of_the_file_that_ends_it(planner):
    steps = solutions(planner, "keywords and a short version of article.txt", "article.txt")[0].steps
    assert [step.arguments["text"] for step in steps] == [FromResource("article.txt")] * 2


# Alternatives ---------------------------------------------------------------------------------------------------------

TYPICAL = (
    ("Blur the faces in group.jpg", ("group.jpg",)), ("Make portrait.jpg look like a painting", ("portrait.jpg",)),
    ("Summarise report.txt and read it aloud", ("report.txt",)), ("Remove the background of cup.jpg", ("cup.jpg",)),
    ("Hide the licence plate in car.jpg", ("car.jpg",)), ("Find the largest face and crop to it", ("team.jpg",)),
    ("Cut out the dog and put it on beach.jpg", ("dog.jpg", "beach.jpg")), ("Show the waveform of a.wav", ("a.wav",)),
    ("Shorten a.mp4 to 10 seconds", ("a.mp4",)), ("Make the photo brighter", ("p.jpg",)),
)  # fmt: skip


@pytest.mark.parametrize(("text", "names"), TYPICAL)
def test_alternatives_are_sound_few_of_a_kind_and_well_named(planner, text, names):
    first, *others = solutions(planner, text, *names)
    graph = planner.graph
    assert all(is_sound(other, first, graph) for other in others)
    assert len(of_several_kinds([first, *others], graph)) == 1 + len(others) <= 5
    for solution in (first, *others):
        assert 1 <= len(solution.title.split()) <= 5 and "→" not in solution.title
        assert solution.reason.endswith(".")
    assert len({solution.title for solution in (first, *others)}) == 1 + len(others)


def test_a_third_filter_of_the_same_kind_is_not_offered(planner):
    first, *others = solutions(planner, "Make portrait.jpg look like a painting", "portrait.jpg")
    filters = [s for s in others if len(s.steps) == 1 and not s.questions]
    assert first.steps[0].tool == "oil_painting" and len(filters) == 1


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("make it twice as long", 0.5),
        ("make it half as long", 2),
        ("three times longer", 0.33),
        ("make it twice as fast", 2),
        ("make it twice as slow", 0.5),
        ("zwei mal so lang", 0.5),
    ],
)
def test_the_longer_the_slower(planner, text, speed):
    tool = planner.graph.tools["video_speed"]
    assert fill(tool, list(tool.inputs), Clause.of(text)).values["speed"] == speed
