"""Removing objects: what is filled in, what stays."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage import data

from nodes._support.imaging import patch_fill, patch_match
from nodes.api import Cancelled, NodeError, RunContext
from nodes.image.remove_object import remove_object, remove_object_telea


def ring(shape: tuple[int, ...], y: int, x: int, radius: int) -> np.ndarray:
    mask = np.zeros(shape[:2], np.uint8)
    return cv2.circle(mask, (x, y), radius, 255, -1)


def error(one: np.ndarray, other: np.ndarray, where: np.ndarray) -> float:
    """Root mean square difference."""
    return float(np.sqrt(np.mean((one.astype(np.float64) - other)[where] ** 2)))


def stripes() -> np.ndarray:
    """Wallpaper: slanted stripes in three colours."""
    y, x = np.mgrid[:160, :200]
    colours = np.array([[200, 60, 50], [240, 220, 180], [40, 60, 120]], np.uint8)
    return colours[((x + y // 2) // 8) % 3]


def test_pattern_is_continued_where_an_object_was():
    clean = stripes()
    mask = ring(clean.shape, 80, 100, 26)
    dirty = clean.copy()
    dirty[mask > 0] = (0, 255, 0)
    filled = remove_object(dirty, mask)
    assert error(filled, clean, mask > 0) < 25
    assert error(remove_object_telea(dirty, mask, None), clean, mask > 0) > 50


def test_smooth_shading_is_continued_without_a_step():
    y, x = np.mgrid[:180, :240].astype(np.float64)
    sky = np.dstack((60 + y / 2, 90 + x / 4, 200 - x / 5)) + np.random.default_rng(0).normal(0, 2, (180, 240, 3))
    sky = np.clip(sky, 0, 255).astype(np.uint8)
    mask = ring(sky.shape, 90, 120, 40)
    dirty = np.where(mask[:, :, None] > 0, np.uint8(0), sky)
    filled = remove_object(dirty, mask)
    coarse = [cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 5) for picture in (filled, sky)]
    assert np.abs(coarse[0] - coarse[1])[mask > 0].max() < 4


def test_texture_is_not_smeared():
    grass = np.repeat(data.grass()[:240, :240, None], 3, axis=2)
    mask = ring(grass.shape, 120, 120, 40)
    inside = ring(grass.shape, 120, 120, 30) > 0
    fine = lambda picture: np.abs(cv2.Laplacian(picture[:, :, 0].astype(np.float32), cv2.CV_32F))[inside].mean()  # noqa: E731
    assert fine(remove_object(grass, mask)) > 0.6 * fine(grass)
    assert fine(remove_object_telea(grass, mask, None)) < 0.3 * fine(grass)


@pytest.mark.parametrize("tool", [remove_object, remove_object_telea])
def test_pixels_outside_the_grown_mask_are_untouched(tool):
    picture = data.rocket()[::2, ::2]
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[60:150, 150:172] = 255
    result = tool(picture, mask, 3)
    grown = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))) > 0
    assert np.array_equal(result[~grown], picture[~grown])
    assert (result[mask > 0] != picture[mask > 0]).any()


def test_nothing_of_the_object_shines_through():
    picture = np.full((120, 160, 3), 128, np.uint8)
    picture += np.random.default_rng(0).integers(0, 9, picture.shape, np.uint8)
    mask = ring(picture.shape, 60, 80, 25)
    picture[mask > 0] = (255, 0, 255)
    result = remove_object(picture, mask)
    assert result.max() <= 145 and result.min() >= 120


def test_removing_keeps_alpha_and_repeats():
    picture = np.dstack((data.chelsea()[:150, :200], np.full((150, 200), 90, np.uint8)))
    mask = ring(picture.shape, 70, 90, 20)
    first = remove_object(picture, mask)
    assert np.array_equal(first[:, :, 3], picture[:, :, 3])
    assert np.array_equal(first, remove_object(picture, mask))


def test_several_objects_and_objects_at_the_border_are_filled():
    clean = stripes()
    mask = ring(clean.shape, 20, 20, 12) | ring(clean.shape, 100, 150, 15) | ring(clean.shape, 159, 80, 14)
    dirty = np.where(mask[:, :, None] > 0, np.uint8(255), clean)
    assert error(remove_object(dirty, mask, 0), clean, mask > 0) < 45


def test_soft_edges_of_the_mask_are_removed_too():
    picture = np.full((80, 80, 3), 100, np.uint8)
    soft = cv2.GaussianBlur(ring(picture.shape, 40, 40, 15), (0, 0), 3)
    dirty = np.where(soft[:, :, None] > 25, np.uint8(255), picture)
    assert remove_object(dirty, soft).max() < 110


def test_a_mask_over_everything_is_refused():
    with pytest.raises(NodeError) as caught:
        remove_object(np.zeros((30, 30, 3), np.uint8), np.full((30, 30), 255, np.uint8))
    assert caught.value.port == "mask"


def test_a_hole_that_leaves_no_whole_patch_is_still_filled():
    picture = np.full((40, 40, 3), 77, np.uint8)
    mask = np.zeros((40, 40), np.uint8)
    mask[2:38, 2:38] = 255
    picture[mask > 0] = 255
    assert np.abs(remove_object(picture, mask, 0).astype(int) - 77).max() < 30


def test_large_holes_are_filled_at_full_size(monkeypatch):
    monkeypatch.setattr(patch_fill, "_WORK_PIXELS", 2_000)
    for module in (patch_fill, patch_match):
        monkeypatch.setattr(module, "LOCAL_PIXELS", 6_000)
    large = cv2.resize(stripes(), None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST)
    hole = ring(large.shape, 240, 300, 90) > 0
    dirty = np.where(hole[:, :, None], np.uint8(0), large)
    filled = patch_fill.fill(dirty, hole)
    assert np.array_equal(filled[~hole], large[~hole])
    assert error(filled, large, hole) < 50
    smeared = patch_fill.smooth_fill(dirty, hole)
    assert error(filled, large, hole) < 0.7 * error(smeared, large, hole)


def test_fill_of_nothing_and_of_everything_is_the_picture():
    picture = stripes()
    assert np.array_equal(patch_fill.fill(picture, np.zeros(picture.shape[:2], bool)), picture)
    assert np.array_equal(patch_fill.fill(picture, np.ones(picture.shape[:2], bool)), picture)


def test_removing_reports_progress_and_can_be_cancelled(tmp_path):
    class Impatient(RunContext):
        seen: tuple[float, ...] = ()

        def progress(self, fraction, note="", preview=None):
            self.seen += (fraction,)
            if len(self.seen) == 2:
                raise Cancelled

    context, picture = Impatient(tmp_path), stripes()
    with pytest.raises(Cancelled):
        remove_object(picture, ring(picture.shape, 80, 100, 40), None, context)
    assert context.seen[0] == 0 and 0 < context.seen[1] < 1
