"""What tools with models do beside the model: sizes, empty answers, wrong words, what is put back where."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from nodes._support.inference import pose
from nodes._support.language.naming import things
from nodes.api import Cancelled, NodeError
from nodes.image.ask_image import ask_image
from nodes.image.classify_image import classify_image
from nodes.image.depth_map import depth_map, scaled
from nodes.image.edit_by_instruction import edit_by_instruction
from nodes.image.find_described import find_described
from nodes.image.map_to_image import map_to_image
from nodes.image.match_labels import match_labels
from nodes.image.normal_map import normal_map
from nodes.image.normal_to_image import normal_to_image
from nodes.image.pose_map import pose_map
from nodes.image.replace_object import replace_object
from nodes.mask.segment_described import segment_described


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a cat, the red mug and two dogs", ("cat", "red mug", "two dogs")),
        ("sky", ("sky",)),
        ("猫，狗、车", ("猫", "狗", "车")),
        ("the cat; the cat.", ("cat",)),
    ],
)
def test_a_list_of_things_is_read(text, names):
    assert things(text, "what") == names


@pytest.mark.parametrize("text", ["", " , ", "the"])
def test_a_list_of_nothing_is_refused(text):
    with pytest.raises(NodeError) as caught:
        things(text if text != "the" else " . ", "what")
    assert caught.value.port == "what"


@pytest.mark.parametrize("shape", [(30, 60, 3), (9, 12, 3), (40, 50, 4)])
def test_depth_is_as_large_as_the_picture(shape, context_for):
    image = np.random.default_rng(0).integers(0, 255, shape, np.uint8)
    found = depth_map(image, context=context_for("depth-anything-v2-small"))
    assert found.shape == shape[:2] and found.dtype == np.uint8


def test_a_picture_of_a_pixel_is_refused(context_for):
    with pytest.raises(NodeError) as caught:
        depth_map(np.zeros((1, 1, 3), np.uint8), context=context_for("depth-anything-v2-small"))
    assert caught.value.port == "image"


def test_metres_become_nearness_and_what_is_the_same_everywhere_is_black():
    metres = np.array([[1.0, 2.0, 4.0]])
    assert scaled(metres, True).tolist() == [[255, 85, 0]]
    assert scaled(metres, False).tolist() == [[0, 85, 255]]
    assert not scaled(np.full((2, 2), 3.0), False).any()


def test_normals_from_depth_are_directions(context_for, picture):
    found = normal_map(picture, context=context_for("depth-anything-v2-small"))
    lengths = np.linalg.norm(found.astype(float) / 127.5 - 1, axis=2)
    assert found.shape == picture.shape and abs(lengths - 1).max() < 0.03


def test_labels_are_as_many_as_wanted_and_the_best_comes_first(context_for, picture):
    found = classify_image(picture, 3, context=context_for("vit-base"))
    assert len(found) == 3 and [label.score for label in found] == sorted((x.score for x in found), reverse=True)
    every = match_labels(picture, "cat, dog", context=context_for("clip-vit-b-32"))
    assert {label.name for label in every} == {"cat", "dog"}
    assert sum(label.score for label in every) == pytest.approx(1, abs=1e-5)


def test_what_nothing_fits_is_empty(context_for, picture):
    assert find_described(picture, "cat", 1.0, context=context_for("owlv2-base")) == ()
    assert not segment_described(picture, "cat", 1.0, context=context_for("clipseg-rd64")).any()


def test_an_empty_question_is_refused(context_for, picture):
    with pytest.raises(NodeError) as caught:
        ask_image(picture, "  ", context=context_for("vilt-b32-vqa"))
    assert caught.value.port == "question"


def test_looking_stops_between_layers(context_for, picture):
    context = context_for("vit-base")
    context.stop_after = 4
    with pytest.raises(Cancelled):
        classify_image(picture, context=context)


def test_a_picture_without_people_has_a_black_pose(context_for, picture):
    found = pose_map(picture, context=context_for("vitpose-base-simple"))
    assert found.shape == picture.shape and not found.any()


def test_a_body_is_drawn_where_it_is_sure():
    body = np.array([[10 + 3 * n, 20 + 2 * n, 0.9] for n in range(17)])
    whole = pose.drawn([body], (80, 90), 0.3)
    assert whole.shape == (80, 90, 3) and whole[20, 10].any() and not whole[70:, :5].any()
    assert not pose.drawn([body], (80, 90), 0.95).any()


def test_a_thing_is_replaced_and_the_rest_stays(context_for, model_of, picture):
    model_of("clipseg-rd64")
    context = context_for("sd-1-5")
    found = replace_object(picture, "replace the cat with a dog", 0.0, steps=2, context=context)
    assert found.shape == picture.shape and (found != picture).any()
    with pytest.raises(NodeError, match="fits 'the cat'") as caught:
        replace_object(picture, "the cat by a dog", 1.0, steps=2, context=context_for("sd-1-5"))
    assert caught.value.port == "instruction"
    with pytest.raises(NodeError, match="by what"):
        replace_object(picture, "the cat", context=context_for("sd-1-5"))


def test_an_instruction_that_is_known_needs_no_painting(context_for, picture):
    context = context_for("instruct-pix2pix")
    plain = edit_by_instruction(picture, "flip it horizontally")
    assert np.array_equal(edit_by_instruction(picture, "flip it horizontally", context), plain)
    assert not context.previews
    painted = edit_by_instruction(picture, "make it snow in the garden", context)
    assert painted.shape == picture.shape and (painted != picture).any()


def shown_by(tool):
    """What a tool that paints after a map shows to its ControlNet."""
    return inspect.unwrap(tool)


def test_soft_edges_are_taken_as_they_are():
    soft = np.tile(np.linspace(0, 200, 64).astype(np.uint8) // 2, (40, 1))
    soft[:, :40] = 0
    assert np.array_equal(shown_by(map_to_image)(np.repeat(soft[:, :, None], 3, 2)), soft)


def test_a_normal_map_is_turned_to_what_the_controlnet_learned(context_for):
    normal = np.random.default_rng(0).integers(0, 255, (40, 48, 3), np.uint8)
    shown = shown_by(normal_to_image)(normal)
    assert np.array_equal(shown[:, :, 0], 255 - normal[:, :, 0])
    assert np.array_equal(shown[:, :, 1:], normal[:, :, 1:])
    assert normal_to_image(normal, "a bust", steps=2, context=context_for("controlnet-normal")).shape == (40, 48, 3)


def test_only_people_are_looked_at_for_poses():
    assert pose.bodies(np.zeros((20, 20, 3), np.uint8), [], None) == []  # type: ignore[arg-type]
