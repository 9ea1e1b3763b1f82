"""What is cut out is right, or it is said that it may not be: photographs, and an object on a ground."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from skimage import data

from nodes._support.vision.foreground import UNSURE
from nodes.api import Box, Point, RunContext
from nodes.image.cut_out import cut_out
from nodes.image.replace_background import replace_background
from nodes.mask.segment_box import segment_box
from nodes.mask.segment_points import segment_points
from nodes.mask.segment_subject import segment_subject

FOLDER = Path(data.__path__[0])
CLOCK = np.array(Image.open(FOLDER / "clock_motion.png").convert("RGB"))
GRASS = (np.array(Image.open(FOLDER / "grass.png").convert("RGB"))[:360, :480] * (0.5, 0.9, 0.4)).astype(np.uint8)
ROCKET = data.rocket()


def ellipse(shape: tuple[int, ...], middle: tuple[int, int], axes: tuple[int, int]) -> np.ndarray:
    return cv2.ellipse(np.zeros(shape[:2], np.uint8), middle, axes, 0, 0, 360, 255, -1) > 0


def overlap(found: np.ndarray, true: np.ndarray) -> float:
    return float(((found > 127) & true).sum() / ((found > 127) | true).sum())


def subject(picture: np.ndarray) -> tuple[np.ndarray, list[str]]:
    context = RunContext(Path())
    return segment_subject(picture, context), context.told


def fur_on_grass() -> tuple[np.ndarray, np.ndarray]:
    mask = ellipse((360, 480), (240, 200), (90, 85))
    picture = GRASS.copy()
    picture[mask] = data.chelsea()[:300, :451][np.nonzero(mask)[0] - 100, np.nonzero(mask)[1] - 60]
    return picture, mask


def test_a_blurred_object_on_a_smooth_ground_is_found_whole():
    """Two thirds of it were, without a word."""
    mask, told = subject(CLOCK)
    assert overlap(mask, ellipse(CLOCK.shape, (209, 154), (69, 59))) > 0.75 and told == [UNSURE]
    context = RunContext(Path())
    assert np.array_equal(cut_out(CLOCK, context=context)[:, :, 3], mask)
    replace_background(CLOCK, context=context)
    assert context.told == [UNSURE, UNSURE]


def test_what_is_clear_is_cut_out_without_a_word():
    picture, true = fur_on_grass()
    mask, told = subject(picture)
    assert overlap(mask, true) > 0.9 and not told
    assert not subject(data.coffee())[1]


@pytest.mark.parametrize("picture", [cv2.GaussianBlur(ROCKET, (0, 0), 5), ROCKET // np.uint8(3)])
def test_a_part_of_an_object_is_not_cut_out_without_a_word(picture: np.ndarray):
    assert subject(picture)[1] == [UNSURE]


def test_a_box_that_is_not_filled_as_it_should_is_told():
    picture, true = fur_on_grass()
    context = RunContext(Path())
    assert overlap(segment_box(picture, (Box(147, 112, 333, 288),), context), true) > 0.9 and not context.told
    segment_box(cv2.GaussianBlur(ROCKET, (0, 0), 5), (Box(309, 125, 338, 427),), context)
    assert context.told == [UNSURE]


def test_a_click_that_gives_no_clear_outline_is_told():
    picture, true = fur_on_grass()
    context = RunContext(Path())
    assert overlap(segment_points(picture, (Point(240, 200),), context=context), true) > 0.9 and not context.told
    segment_points(data.chelsea(), (Point(200, 180),), context=context)
    assert "outline is not clear" in str(context.told[0])


def test_nobody_is_cut_in_two_beside_a_face():
    """Where the part that is looked at around a face ended there went the mask, in a straight line."""
    woman = data.astronaut()
    turned = cv2.flip(woman, 1)
    turned[40:180, 220:340] = cv2.GaussianBlur(turned, (0, 0), 15)[40:180, 220:340]
    mask, _ = subject(np.hstack((woman, turned))[:, 60:])
    steps = np.abs(np.diff(mask.astype(int), axis=1)).sum(axis=0) / 255 / len(mask)
    assert steps.max() < 0.25
