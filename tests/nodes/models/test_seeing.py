"""Detectors and SAM, on tiny models with random weights, through the real loading code."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from nodes._support.inference import sam as sam_support
from nodes.api import Box, Cancelled, NodeError, Point
from nodes.image.detect_objects import detect_objects
from nodes.mask.segment_points import segment_points


@pytest.mark.parametrize("id", ["yolos-tiny", "rt-detr-r50"])
def test_boxes_lie_inside_the_picture_and_are_named_by_the_model(id, context_for, picture):
    boxes = detect_objects(picture, 0.0, context=context_for(id))
    assert boxes
    assert all(isinstance(box, Box) and 0 <= box.x0 < box.x1 <= 90 and 0 <= box.y0 < box.y1 <= 60 for box in boxes)
    assert {box.label for box in boxes} <= {"cat", "dog", "cup", "car"}
    assert [box.score for box in boxes] == sorted((box.score for box in boxes), reverse=True)
    assert all(0 <= box.score <= 1 for box in boxes)


def test_only_what_is_sure_enough_is_found(context_for, picture):
    context = context_for("yolos-tiny")
    scores = [box.score for box in detect_objects(picture, 0.0, context=context)]
    middle = sorted(scores)[len(scores) // 2]
    assert len(detect_objects(picture, middle, context=context)) < len(scores)
    assert detect_objects(picture, 1.0, context=context) == ()


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 300, 3), (40, 50, 4)])
def test_pictures_of_any_shape_are_looked_at(shape, context_for):
    image = np.full(shape, 120, np.uint8)
    boxes = detect_objects(image, 0.0, context=context_for("rt-detr-r50"))
    assert all(box.x1 <= shape[1] and box.y1 <= shape[0] for box in boxes)


def test_the_same_picture_gives_the_same_boxes_and_is_not_modified(context_for, picture):
    before = picture.copy()
    first = detect_objects(picture, 0.0, context=context_for("yolos-tiny"))
    assert detect_objects(picture, 0.0, context=context_for("yolos-tiny")) == first
    assert (picture == before).all()


def test_a_model_is_loaded_once(context_for, picture, fresh_pool):
    contexts = [context_for("yolos-tiny"), context_for("yolos-tiny")]
    for context in contexts:
        detect_objects(picture, 0.5, context=context)
    assert "loading the model" in contexts[0].notes
    assert "loading the model" not in contexts[1].notes
    assert len(fresh_pool.held()) == 1


def test_detecting_stops_between_layers(context_for, picture):
    context = context_for("yolos-tiny")
    detect_objects(picture, 0.5, context=context)
    needed, context.looks = context.looks, 0
    context.stop_after = 8
    with pytest.raises(Cancelled):
        detect_objects(picture, 0.5, context=context)
    assert needed > 20
    context.stop_after = None
    detect_objects(picture, 0.5, context=context)  # the model is whole again


def test_without_its_model_a_back_end_says_what_to_do(context_for, picture):
    context = context_for("yolos-tiny")
    context.model = None
    with pytest.raises(NodeError, match="not on this computer") as caught:
        detect_objects(picture, 0.5, context=context)
    assert "Download" in caught.value.fix


def test_a_damaged_model_says_what_to_do(tmp_path, model_of, context_for, picture):
    broken = tmp_path / "yolos-tiny"
    shutil.copytree(model_of("yolos-tiny"), broken)
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:500])
    context = context_for("yolos-tiny")
    context.model = broken
    with pytest.raises(NodeError, match="damaged") as caught:
        detect_objects(picture, 0.5, context=context)
    assert "again" in caught.value.fix


def test_pickled_weights_are_not_loaded(tmp_path, model_of, context_for, picture):
    import torch
    from safetensors.torch import load_file

    folder = tmp_path / "yolos-tiny"
    shutil.copytree(model_of("yolos-tiny"), folder)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    context = context_for("yolos-tiny")
    context.model = folder
    with pytest.raises(NodeError, match="cannot be loaded"):
        detect_objects(picture, 0.5, context=context)


def test_clicks_give_a_mask_as_large_as_the_picture(context_for, picture):
    mask = segment_points(picture, (Point(40, 30),), context=context_for("sam-vit-base"))
    assert mask.shape == (60, 90) and mask.dtype == np.uint8
    assert set(np.unique(mask)) <= {0, 255}


def test_what_clicks_mean_depends_on_where_and_what_kind_they_are(context_for, picture):
    context = context_for("sam-vit-base")
    sets = [(Point(5, 5),), (Point(80, 50),), (Point(5, 5), Point(80, 50, False)), (Point(5, 5), Point(80, 50))]
    masks = [segment_points(picture, points, context=context) for points in sets]
    assert all((a != b).any() for i, a in enumerate(masks) for b in masks[:i])


def test_a_second_click_does_not_look_at_the_picture_again(context_for, picture):
    first, second, other = (context_for("sam-vit-base") for _ in range(3))
    mask = segment_points(picture, (Point(40, 30),), context=first)
    again = segment_points(picture.copy(), (Point(40, 30),), context=second)
    segment_points(picture[::-1], (Point(40, 30),), context=other)
    assert "looking at the picture" in first.notes
    assert "looking at the picture" not in second.notes
    assert "looking at the picture" in other.notes
    assert (mask == again).all()


def test_features_of_few_pictures_are_kept(context_for, picture, fresh_pool):
    for turn in range(sam_support._PICTURES_KEPT + 2):
        segment_points(np.roll(picture, turn, 0), (Point(40, 30),), context=context_for("sam-vit-base"))
    (entry,) = fresh_pool._entries.values()
    assert len(entry.kept) == sam_support._PICTURES_KEPT


def test_sam_refuses_the_clicks_that_the_built_in_way_refuses(context_for, picture):
    for points in ((), (Point(500, 5),), (Point(5, 5, False),)):
        with pytest.raises(NodeError) as caught:
            segment_points(picture, points, context=context_for("sam-vit-base"))
        assert caught.value.port == "points"


def test_readings_of_a_click_are_the_three_guesses_by_their_area(context_for, picture):
    context = context_for("sam-vit-base")
    read = {
        name: segment_points(picture, (Point(40, 30),), name, context=context)
        for name in ("small", "medium", "large", "best")
    }
    assert (read["small"] > 0).sum() <= (read["medium"] > 0).sum() <= (read["large"] > 0).sum()
    assert any((read["best"] == read[name]).all() for name in ("small", "medium", "large"))


def test_what_was_painted_counts_over_what_the_model_finds(context_for, picture):
    drawn = np.full(picture.shape[:2], 128, np.uint8)
    drawn[:20], drawn[-20:] = 255, 0
    context = context_for("sam-vit-base")
    mask = segment_points(picture, (Point(40, 30),), "best", drawn, context=context)
    alone = segment_points(picture, (Point(40, 30),), context=context)
    assert mask[:20].min() == 255 and not mask[-20:].any() and (mask[20:-20] == alone[20:-20]).all()
