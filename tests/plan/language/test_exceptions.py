"""What is excepted by its place stays as it is, and nothing else does."""

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.exceptions import excepted
from desktop_app.plan.types import Given, Request
from nodes.api import Box
from nodes.image.select_boxes import select_boxes
from tests.plan.worlds import own_planner

LEFT, MIDDLE, RIGHT = Box(0, 0, 10, 10), Box(40, 0, 80, 40), Box(90, 0, 110, 20)


@pytest.mark.parametrize(
    ("text", "rest", "which"),
    [
        ("Hide all the dogs except for the one on the right", "Hide all the dogs", "rightmost"),
        ("except for the first, blur all faces", "blur all faces", "first"),
        ("blur every car but the biggest one and make it grey", "blur every car and make it grey", "largest"),
        ("verpixle alle Hunde bis auf die zwei ganz links", "verpixle alle Hunde", "leftmost 2"),
        ("floute tous les visages sauf celui de droite", "floute tous les visages", "rightmost"),
        ("tapa todas las caras menos la más grande", "tapa todas las caras", "largest"),
        ("把其他人都模糊,除了左边的两个人", "把所有人都模糊", "leftmost 2"),
    ],
)
def test_what_is_excepted_by_place_stands_apart(text, rest, which):
    assert excepted(text) == (rest, f"all but {which}")


@pytest.mark.parametrize(
    "text",
    [
        "blur everything except the largest face", "make everything grey except the red car",
        "blur all faces but not too strong", "blur all the faces except mine", "resize all but the left picture",
        "blur the faces except on the left side of the street", "mach alles grau außer dem mittleren Gesicht",
    ],
)  # fmt: skip
def test_other_exceptions_stay_where_they_are(text):
    assert excepted(text) == (text, "")


@pytest.mark.parametrize("trained", [False, True])
@pytest.mark.parametrize(
    ("text", "covers"),
    [
        ("pixelate all faces except the one in the middle", "pixelate"),
        ("pixelate all faces but the biggest", "pixelate"),
        ("verpixle alle Gesichter bis auf das linke", "pixelate"),
        ("floute tous les visages sauf le plus grand", "blur"),
        ("difumina todas las caras menos la primera", "blur"),
        ("把除了中间那张以外的所有脸都打上马赛克", "pixelate"),
    ],
)
def test_the_others_are_covered(monkeypatch, trained, text, covers):
    monkeypatch.setattr(sentence_encoder, "ENABLED", trained)
    plan = own_planner().plan(Request(text, (Given("group.jpg", "image"),)))
    steps = plan.solutions[0].steps
    assert [step.tool for step in steps] == ["detect_faces", "select_boxes", "mask_from_boxes", covers]
    assert steps[1].arguments["which"].startswith("all but ")


@pytest.mark.parametrize(
    ("which", "chosen"),
    [
        ("middle", (MIDDLE,)), ("the one in the middle", (MIDDLE,)), ("second", (MIDDLE,)), ("last", (RIGHT,)),
        ("all but middle", (LEFT, RIGHT)), ("all but leftmost 2", (RIGHT,)), ("all but the largest", (LEFT, RIGHT)),
        ("all except the first", (MIDDLE, RIGHT)),
    ],
)  # fmt: skip
def test_boxes_are_chosen_by_what_is_excepted(which, chosen):
    assert {*select_boxes((MIDDLE, RIGHT, LEFT), which)} == {*chosen}


def test_what_is_blacked_out_is_redacted(monkeypatch):
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)
    text = "black out all faces except the one in the middle"
    plan = own_planner().plan(Request(text, (Given("group.jpg", "image"),)))
    assert [step.tool for step in plan.solutions[0].steps][-1] == "redact"
