"""Hiding faces, and telling people from what is behind them, on photographs."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest
import skimage.data

from nodes._support.vision import people
from nodes.api import Box, NodeError, RunContext
from nodes.image.blur import blur
from nodes.image.cut_out import cut_out as cut_out_with
from nodes.image.detect_faces import detect_faces
from nodes.image.pixelate import pixelate
from nodes.mask.mask_from_boxes import mask_from_boxes
from nodes.mask.segment_box import segment_box

WOMAN = skimage.data.astronaut()
MAN = cv2.cvtColor(skimage.data.camera(), cv2.COLOR_GRAY2RGB)
cut_out = partial(cut_out_with, context=RunContext(Path()))


def group() -> np.ndarray:
    """Three faces of 27 to 90 pixels on a landscape of 1000 x 700."""
    picture = cv2.resize(skimage.data.rocket(), (1000, 700))
    for i, scale in enumerate((0.25, 0.5, 0.8)):
        person = cv2.resize(WOMAN, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture[20 : 20 + len(person), 10 + i * 250 : 10 + i * 250 + person.shape[1]] = person
    return picture


@cache
def faces_of_group() -> tuple[Box, ...]:
    return detect_faces(group())


@pytest.mark.parametrize("hide", [pixelate, blur])
def test_no_face_is_found_where_faces_were_hidden(hide):
    picture, found = group(), faces_of_group()
    assert len(found) == 3
    mask = mask_from_boxes(found, picture, "ellipse")
    hidden = hide(picture, mask)
    seen = [mask[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)] for box in detect_faces(hidden)]
    assert [part for part in seen if (part > 0).mean() > 0.4] == []  # a head may still be one, by its hair
    assert np.array_equal(hidden[500:, :200], picture[500:, :200])


def test_blocks_are_at_least_a_sixth_of_each_part():
    picture = group()
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[300:420, 500:620] = 255
    row = pixelate(picture, mask)[310, 500:620].astype(int)
    assert (np.abs(np.diff(row, axis=0)).sum(axis=1) > 0).sum() <= 5


def test_the_block_that_was_asked_for_is_kept():
    picture = group()
    mask = np.full(picture.shape[:2], 255, np.uint8)
    assert np.array_equal(pixelate(picture, mask, 4), pixelate(picture, None, 4))


def share(mask: np.ndarray, part: tuple[slice, slice]) -> float:
    return float((mask[part] > 127).mean())


def test_people_are_cut_out_whole_and_without_what_is_behind_them():
    woman = cut_out(WOMAN)[:, :, 3]
    assert share(woman, np.s_[60:180, 180:270]) > 0.95 and share(woman, np.s_[250:420, 120:330]) > 0.95
    assert share(woman, np.s_[:200, :100]) < 0.02 and share(woman, np.s_[:230, 360:]) < 0.02
    man = cut_out(MAN)[:, :, 3]
    assert share(man, np.s_[200:480, 60:150]) > 0.95 and share(man, np.s_[:, 330:]) < 0.1


def test_a_box_around_a_person_selects_the_person():
    mask = segment_box(MAN, (Box(0, 60, 330, 512),), RunContext(Path()))
    assert share(mask, np.s_[200:480, 60:150]) > 0.95 and share(mask, np.s_[400:, 220:330]) < 0.2


@pytest.mark.parametrize("name", ["chelsea", "brick", "gravel"])
def test_an_object_that_is_not_clear_is_asked_for(name):
    picture = getattr(skimage.data, name)()
    with pytest.raises(NodeError, match=r"clear|background") as told:
        cut_out(picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2RGB))
    assert told.value.port == "mask"


def test_the_networks_say_what_the_originals_say():
    """Outputs of the TensorFlow Lite interpreter for a picture of waves, at 64 places each."""
    expected = json.loads((people.FOLDER / "expected.json").read_text("utf-8"))
    assert set(expected) == {path.name.partition(".")[0] for path in people.FOLDER.glob("*.onnx*")}
    for network, (side, low, outputs) in expected.items():
        y, x, channel = np.mgrid[:side, :side, :3]
        picture = (np.sin(x / 9 + channel) * np.cos(y / 13 - channel) + 1) / 2 * (1 - low) + low
        for got, told in zip(people.run(network, picture[None].astype(np.float32)), outputs, strict=True):
            flat = got.ravel()
            assert flat[:: max(1, flat.size // 64)][:64] == pytest.approx(told, rel=2e-3, abs=0.02)
