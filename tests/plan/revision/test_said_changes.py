"""Two changes of one kind are both made of one thing, one after the other."""

from __future__ import annotations

import pytest

from desktop_app.plan.types import FromNode, FromResource, Given, Request
from tests.plan.worlds import own_planner


@pytest.fixture(scope="module")
def planner():
    return own_planner()


@pytest.mark.parametrize(
    ("text", "name", "tool", "port", "values"),
    [
        ("make this picture brighter and more colourful", "a.jpg", "brightness_contrast", "change",
         ["brighter", "more colourful"]),
        ("Mach das Bild heller und bunter", "a.jpg", "brightness_contrast", "change", ["brighter", "more colourful"]),
        ("rends la photo plus sombre et plus contrastée", "a.jpg", "brightness_contrast", "change",
         ["darker", "more contrast"]),
        ("haz la foto más clara y con más contraste", "a.jpg", "brightness_contrast", "change",
         ["brighter", "more contrast"]),
        ("flip it horizontally and vertically", "a.jpg", "flip", "direction", ["horizontally", "vertically"]),
    ],
)  # fmt: skip
def test_each_change_is_a_step_on_what_the_one_before_made(planner, text, name, tool, port, values):
    type = {"jpg": "image", "mp4": "video"}[name[2:]]
    steps = planner.plan(Request(text, (Given(name, type),))).solutions[0].steps
    assert [(step.tool, step.arguments[port]) for step in steps] == [(tool, value) for value in values]
    first, second = steps
    assert FromResource(name) in first.arguments.values() and first.id != second.id
    assert any(isinstance(value, FromNode) and value.node == first.id for value in second.arguments.values())


@pytest.mark.parametrize("text", ["one version brighter and one version darker", "make it brighter"])
def test_versions_stay_apart_and_one_change_is_one(planner, text):
    steps = planner.plan(Request(text, (Given("a.jpg", "image"),))).solutions[0].steps
    assert all(step.arguments["image"] == FromResource("a.jpg") for step in steps)


@pytest.mark.parametrize(
    "text",
    [
        "It came out far too dark in the church, so please make the whole picture brighter",
        "Auf dem Foto ist alles so dunkel, mach es bitte etwas heller",
        "la photo est trop sombre, il faudrait vraiment la rendre plus claire",
        "la foto quedó muy oscura, quiero que la pongas más clara",
        "这张照片拍得太暗了，帮我整体调亮一点",
    ],
)
def test_what_is_said_elsewhere_is_no_second_change(planner, text):
    (step,) = planner.plan(Request(text, (Given("a.jpg", "image"),))).solutions[0].steps
    assert step.tool == "brightness_contrast"
    assert step.arguments.get("change") == "brighter" or step.arguments["brightness"] > 0


def test_of_ways_that_have_become_the_same_one_is_offered(planner):
    plan = planner.plan(Request("make this picture brighter and more colourful", (Given("a.jpg", "image"),)))
    assert len(plan.solutions) == 1 and not any(question.choices for question in plan.questions)


@pytest.mark.parametrize(
    "text",
    [
        "make the photo brighter and more colourful",
        "Mach das Foto heller und bunter",
        "flip the picture horizontally and vertically",
    ],
)
def test_what_lacks_its_picture_is_asked_for_it_once(planner, text):
    solution = planner.plan(Request(text)).solutions[0]
    first, second = solution.steps
    assert [(one.kind, one.step, one.port) for one in solution.questions] == [("file", first.id, "image")]
    assert "image" not in first.arguments and second.arguments["image"] == FromNode(first.id, "image")
