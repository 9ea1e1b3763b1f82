"""The small tools between the large ones: choosing, drawing and cutting out boxes, numbers to text, joining."""

from __future__ import annotations

import numpy as np
import pytest
import skimage.data

from nodes import load_tools
from nodes._support.vision.seeing import reading_order
from nodes.api import Box, Label, NodeError

TOOLS = load_tools().tools
DOG = Box(10, 10, 60, 40, "dog", 0.9)
CAT = Box(100, 20, 130, 50, "cat", 0.6)
PERSON = Box(200, 5, 280, 190, "person", 0.8)
SMALL_DOG = Box(150, 100, 170, 115, "dog", 0.7)
FOUND = (DOG, CAT, PERSON, SMALL_DOG)


def run(id: str, *values, **named):
    return TOOLS[id].backends[0].run(*values, **named)


def refused(port: str, id: str, *values, **named) -> str:
    with pytest.raises(NodeError) as caught:
        run(id, *values, **named)
    assert caught.value.port == port
    return caught.value.fix


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    return skimage.data.coffee()


@pytest.mark.parametrize(
    ("which", "wanted"),
    [
        ("largest", (PERSON,)),
        ("the smallest", (SMALL_DOG,)),
        ("leftmost", (DOG,)),
        ("the one on the right", (PERSON,)),
        ("top", (DOG,)),
        ("bottom", (SMALL_DOG,)),
        ("highest score", (DOG,)),
        ("dogs", (DOG, SMALL_DOG)),
        ("puppy", (DOG, SMALL_DOG)),
        ("kittens", (CAT,)),
        ("people", (PERSON,)),
        ("the woman", (PERSON,)),
        ("the largest dog", (DOG,)),
        ("rightmost dog", (SMALL_DOG,)),
        ("two largest", (PERSON, DOG)),
    ],
)
def test_words_choose_boxes(which, wanted):
    assert run("select_boxes", FOUND, which) == wanted


@pytest.mark.parametrize("which", ["Hunde", "le chien", "perros", "狗", "die Hunde und Welpen", "dogs"])
def test_a_kind_may_be_named_in_another_language(which):
    assert run("select_boxes", FOUND, which) == (DOG, SMALL_DOG)


def test_count_says_how_many_are_chosen():
    assert run("select_boxes", FOUND, "largest", 3) == (PERSON, DOG, CAT)


def test_choosing_among_none_gives_none():
    assert run("select_boxes", (), "largest") == ()


def test_a_kind_that_is_not_there_gives_an_empty_list():
    assert run("select_boxes", FOUND, "elephant") == ()
    assert run("count_boxes", run("select_boxes", FOUND, "horses")) == 0
    refused("which", "select_boxes", FOUND, "  ")


def test_labels_are_chosen_by_kind_and_counted():
    labels = (Label("golden retriever dog", 0.6), Label("cat", 0.3), Label("puppy", 0.1))
    assert [label.name for label in run("select_labels", labels, "the dogs")] == ["golden retriever dog", "puppy"]
    assert [label.name for label in run("select_labels", labels, "dogs", 0.5)] == ["golden retriever dog"]
    assert run("select_labels", labels, "elephants") == () and run("count_labels", labels, 0.2) == 2
    refused("which", "select_labels", labels, " ")


def test_unlabelled_boxes_are_chosen_by_place_alone():
    plain = tuple(box._replace(label="") for box in FOUND)
    assert run("select_boxes", plain, "leftmost face") == (plain[0],)


def test_boxes_are_counted():
    assert run("count_boxes", FOUND) == 4 and run("count_boxes", FOUND, 0.75) == 2 and run("count_boxes", ()) == 0


def test_frames_are_drawn_on_the_boxes_and_nowhere_else(photo):
    drawn = run("draw_boxes", photo, (Box(100, 100, 300, 250, "cup"),), "red")
    assert drawn[175, 100].tolist() == [255, 0, 0] and drawn[249, 200].tolist() == [255, 0, 0]
    assert (drawn[120:230, 120:280] == photo[120:230, 120:280]).all() and (drawn[260:] == photo[260:]).all()
    assert (drawn[90:100, 100:120] == (255, 0, 0)).all(axis=2).any()  # the label's plate above the corner


def test_kinds_have_their_own_colours_and_alpha_shows_frames():
    clear = np.zeros((200, 300, 4), np.uint8)
    drawn = run("draw_boxes", clear, (DOG._replace(y0=60, y1=90), CAT._replace(y0=60, y1=90)))
    assert drawn.shape == clear.shape and drawn[60, 30, 3] == 255 and drawn[150, 250, 3] == 0
    assert drawn.dtype == np.uint8
    assert drawn[75, 100, :3].tolist() != drawn[75, 10, :3].tolist()


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 400, 4)])
def test_drawing_on_tiny_pictures_keeps_their_size(shape):
    assert run("draw_boxes", np.zeros(shape, np.uint8), (Box(0, 0, 400, 3, "a long name"),)).shape == shape


def test_found_things_are_numbered_row_by_row_and_the_frames_stay(photo):
    found = tuple(Box(x, y, x + 60, y + 60, "cup") for x, y in ((200, 100), (20, 110), (110, 90), (30, 200)))
    bare, numbered = (run("draw_boxes", photo, found, "red", label=label) for label in ("none", "number"))
    for x, y in ((200, 100), (20, 110), (110, 90), (30, 200)):
        changed = (bare != numbered).any(axis=2)[y : y + 60, x : x + 60]
        assert changed[4:10, 26:34].mean() > 0.9, "its disc lies inside the upper edge"
        assert not changed[40:].any(), "the thing is seen below"
    alone = run("draw_boxes", photo, found[1:2], "red", label="number")
    assert (alone[110:170, 20:80] == numbered[110:170, 20:80]).all(), "the leftmost of the first row is 1"
    assert [found.index(box) for box in reading_order(found)] == [1, 2, 0, 3]


def test_boxes_without_words_are_frames_alone(photo):
    named = Box(100, 100, 300, 250, "cup")
    framed = run("draw_boxes", photo, (named,), "red", label="none")
    assert (framed == run("draw_boxes", photo, (named._replace(label=""),), "red")).all() and (framed != photo).any()


def test_a_circle_goes_around_a_thing_and_leaves_the_corners(photo):
    drawn = run("draw_boxes", photo, (Box(100, 100, 200, 200, ""),), "red", shape="circle")
    changed = (drawn != photo).any(axis=2)
    assert changed[150, 85:92].any() and changed[85:92, 150].any() and not changed[100:104, 100:104].any()
    assert not changed[120:180, 120:180].any(), "the thing is seen"


def test_no_boxes_change_nothing(photo):
    assert (run("draw_boxes", photo, ()) == photo).all()


def test_unknown_colour_is_refused(photo):
    refused("colour", "draw_boxes", photo, FOUND, "loud")


@pytest.mark.parametrize("style", ["dim", "tint", "outline", "grey"])
def test_highlight_changes_one_side_of_the_mask(photo, style):
    mask = np.zeros(photo.shape[:2], np.uint8)
    mask[100:200, 200:300] = 255
    shown = run("highlight", photo, mask, style)
    inside_same = (shown[110:190, 210:290] == photo[110:190, 210:290]).all()
    outside_same = (shown[:80] == photo[:80]).all()
    assert (inside_same, outside_same) == {
        "dim": (True, False), "grey": (True, False), "tint": (False, True), "outline": (True, True),
    }[style]  # fmt: skip
    assert not (shown == photo).all()


def test_highlight_needs_a_mask_of_the_picture(photo):
    refused("mask", "highlight", photo, np.zeros(photo.shape[:2], np.uint8))
    refused("mask", "highlight", photo, np.full((5, 5), 255, np.uint8))


def test_each_box_becomes_a_picture(photo):
    parts = run("crop_to_boxes", photo, (Box(10, 20, 110, 70), Box(550, 350, 700, 700)), 0.0)
    assert [part.shape for part in parts] == [(50, 100, 3), (50, 50, 3)]
    assert (parts[0] == photo[20:70, 10:110]).all()


def test_margin_widens_each_part(photo):
    (part,) = run("crop_to_boxes", photo, (Box(100, 100, 200, 150),), 0.1)
    assert part.shape == (70, 120, 3)


def test_nothing_to_cut_out_is_refused(photo):
    refused("boxes", "crop_to_boxes", photo, ())
    refused("boxes", "crop_to_boxes", photo, (Box(900, 900, 910, 910),))


def test_picture_is_cropped_to_its_mask(photo):
    mask = np.zeros(photo.shape[:2], np.uint8)
    mask[100:150, 200:280] = 255
    assert (run("crop_to_mask", photo, mask, 0.0) == photo[100:150, 200:280]).all()
    assert run("crop_to_mask", photo, mask, 0.5).shape == (130, 160, 3)
    square = run("crop_to_mask", photo, mask, 0.0, "square")
    assert (square == photo[85:165, 200:280]).all()
    assert run("crop_to_mask", photo, mask, 2.0, "square").shape[:2] == (min(photo.shape[:2]),) * 2
    wide = run("crop_to_mask", photo, mask, 0.0, "16:9")
    assert wide.shape[:2] == (50, 89)
    refused("mask", "crop_to_mask", photo, mask * 0)


def test_numbers_add_up_exactly():
    assert run("add_numbers", (2, 0, 3)) == 5 and run("add_numbers", (0.1,) * 10) == 1.0
    refused("numbers", "add_numbers", ())


@pytest.mark.parametrize(("how", "wanted"), [("mean", 3.5), ("median", 2.5), ("least", 1), ("most", 8)])
def test_average_of_numbers(how, wanted):
    assert run("average_numbers", (1, 2, 3, 8), how) == wanted


def test_average_of_none_is_refused():
    refused("numbers", "average_numbers", ())


@pytest.mark.parametrize(
    ("number", "wanted"), [(3.0, "3"), (2.5, "2.5"), (1 / 3, "0.33"), (-0.001, "0"), (1200000, "1200000"), (0, "0")]
)
def test_numbers_are_written_plainly(number, wanted):
    assert run("number_to_text", number) == wanted


def test_number_stands_in_its_sentence():
    assert run("number_to_text", 4, "I see {} faces.") == "I see 4 faces."
    refused("sentence", "number_to_text", 4, "I see faces.")
    refused("number", "number_to_text", float("inf"))


def test_labels_are_written_best_first():
    labels = (Label("cat", 0.2), Label("dog", 0.75), Label("fox", 0.05))
    assert run("label_text", labels, 2) == "dog, cat"
    assert run("label_text", labels, 1, "scores") == "dog (75 %)"
    assert run("label_text", ()) == ""


def test_texts_are_joined_without_blank_ones():
    assert run("merge_texts", ("one\n", "  ", "two")) == "one\ntwo"
    assert run("merge_texts", ("a", "b"), "comma") == "a, b"
    refused("texts", "merge_texts", ())


@pytest.mark.parametrize(
    ("named", "wanted"),
    [
        ({"which": "first"}, "Ann"), ({"which": "third"}, "Christopher"), ({"which": "last"}, "Di"),
        ({"which": "longest"}, "Bo, the younger"), ({"which": "shortest"}, "Di"), ({"entry": 3}, "Christopher"),
        ({"entry": -2}, "Christopher"), ({"holding": "CHRIS"}, "Christopher"),
        ({"entry": 2, "which": "last"}, "Bo, the younger"),
    ],
)  # fmt: skip
def test_one_entry_of_a_list_is_picked(named, wanted):
    assert run("pick_line", "1. Ann\n- Bo, the younger\n* Christopher\n\n4) Di\n", **named) == wanted


def test_a_list_may_stand_on_one_line_and_chance_can_be_repeated():
    assert run("pick_line", "red, green; blue", entry=2) == "green"
    picked = [run("pick_line", "red, green, blue", "random", seed=seed) for seed in range(20)]
    assert set(picked) == {"red", "green", "blue"}
    assert picked == [run("pick_line", "red, green, blue", "random", seed=seed) for seed in range(20)]


def test_what_a_list_does_not_have_is_said():
    assert "1 to 2" in refused("entry", "pick_line", "red, green", entry=3)
    refused("entry", "pick_line", "red, green", entry=0)
    refused("entry", "pick_line", "red, green", "third")
    refused("which", "pick_line", "red, green")
    refused("holding", "pick_line", "red, green", holding="purple")
    refused("text", "pick_line", " \n-  \n")
