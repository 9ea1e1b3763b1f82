"""A sheet in a photo becomes a flat, white page. The photos are made here by a known camera."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from skimage import data

from nodes._support.imaging.pixels import SILENT
from nodes._support.vision import photographed_pages
from nodes.api import NodeError, RunContext
from nodes.image.scan_page import scan_page

WORDS = ("Corner Bakery", "Rye bread 4.20", "Lemon cake 3.10", "Total 7.30", "Thank you", "Open every morning")
A4 = (850, 1202)


def page(size: tuple[int, int] = A4) -> np.ndarray:
    picture = Image.new("RGB", size, (250, 248, 242))
    pen = ImageDraw.Draw(picture)
    for row in range(12):
        pen.text((90, 90 + row * 84), WORDS[row % len(WORDS)], fill=(25, 25, 35), font=ImageFont.load_default(44))
    pen.rectangle((600, 60, 780, 150), fill=(190, 30, 45))
    return np.asarray(picture)


@cache
def a_photo() -> np.ndarray:
    """Of a page, not to be changed."""
    photo = photographed(page())[0]
    photo.flags.writeable = False
    return photo


def photographed(
    sheet: np.ndarray,
    turns: tuple[float, float, float] = (25, -10, 6),
    ground: tuple[int, int, int] = (90, 65, 45),
    size: tuple[int, int] = (1400, 1050),
    shadow: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """A photo of the sheet, turned about the three axes by degrees, in light that falls off, with a shadow; and where
    its corners are.
    """
    width, height = size
    tall = sheet.shape[0] / sheet.shape[1]
    plane = np.array([(-0.5, -tall / 2), (0.5, -tall / 2), (0.5, tall / 2), (-0.5, tall / 2)])
    turn = cv2.Rodrigues(np.radians([turns[0], 0.0, 0.0]))[0]
    turn = turn @ cv2.Rodrigues(np.radians([0.0, turns[1], 0.0]))[0] @ cv2.Rodrigues(np.radians([0.0, 0, turns[2]]))[0]
    there = np.column_stack((plane, np.zeros(4))) @ turn.T + np.array([0, 0, 2.9])
    corners = (there[:, :2] / there[:, 2:] * 1.2 * width + np.array([width / 2, height / 2])).astype(np.float32)
    own = np.array([(0, 0), (sheet.shape[1], 0), sheet.shape[1::-1], (0, sheet.shape[0])], np.float32) - 0.5
    change = cv2.getPerspectiveTransform(own, corners)
    random = np.random.default_rng(4)
    grain = cv2.GaussianBlur(random.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 30, sigmaY=2)
    table = np.array(ground) + grain[:, :, None] / grain.std() * 7
    seen = cv2.warpPerspective(sheet, change, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    on = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), change, size)[:, :, None] / 255
    y, x = np.mgrid[:height, :width]
    light = 1 - 0.3 * x / width - 0.1 * y / height
    if shadow:
        light = cv2.GaussianBlur(light * np.where(x + y < 0.7 * width, 0.65, 1.0), (0, 0), 8)
    photo = (table * (1 - on) + seen * on) * light[:, :, None] * np.array([1, 0.97, 0.9])
    return np.clip(photo + random.normal(0, 3, (height, width, 1)), 0, 255).astype(np.uint8), corners


@pytest.fixture
def context(tmp_path) -> RunContext:
    return RunContext(tmp_path)


@pytest.mark.parametrize("turns", [(0, 0, 0), (25, -10, 6), (-20, 15, -12), (0, 30, 3)])
@pytest.mark.parametrize("ground", [(90, 65, 45), (30, 30, 32), (180, 160, 140)])
def test_corners_are_found_to_a_hundredth(turns, ground):
    photo, corners = photographed(page(), turns, ground)
    found = photographed_pages.corners(photo)
    assert found is not None
    assert np.linalg.norm(found - corners, axis=1).max() < 0.01 * photo.shape[1]


@pytest.mark.parametrize("ground", [(90, 65, 45), (202, 193, 180)])
@pytest.mark.parametrize("tilt", [1.5, -2.5])
def test_a_sheet_that_fills_the_picture_is_seen_by_the_strips_beside_it(tilt, ground):
    photo, corners = photographed(page(), (0, 0, tilt), ground)
    (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    found = photographed_pages.corners(photo[top:bottom, left:right])
    assert found is not None
    assert np.abs(found + np.array((left, top)) - corners).max() < 0.01 * max(photo.shape)


@pytest.mark.parametrize("name", ["astronaut", "chelsea", "coffee", "camera", "grass", "moon", "coins"])
def test_a_photo_without_a_sheet_has_no_corners(name):
    photo = getattr(data, name)()
    assert photographed_pages.corners(np.dstack([photo] * 3) if photo.ndim == 2 else photo[:, :, :3]) is None


@pytest.mark.parametrize("turns", [(25, -10, 6), (35, 0, 0), (-20, 15, -12)])
def test_the_page_has_its_proportions_and_its_writing_where_it_was(turns, context):
    photo, _ = photographed(page(), turns)
    result = scan_page(photo, context=context)
    assert result.shape[1] / result.shape[0] == pytest.approx(A4[0] / A4[1], rel=0.04)
    same = cv2.resize(result, A4, interpolation=cv2.INTER_AREA)
    one, other = (cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY), (0, 0), 3).ravel() for p in (same, page()))
    assert np.corrcoef(one, other)[0, 1] > 0.85
    assert not context.told


def test_what_is_written_on_it_can_be_read(context):
    from nodes.image.read_text import read_text

    text = read_text(scan_page(a_photo(), context=context), SILENT)[0]
    assert sum(text.count(line) for line in WORDS) >= 10


def test_paper_is_white_in_light_and_shadow_and_colours_stay(context):
    result = scan_page(a_photo(), context=context)
    small = cv2.resize(result, A4, interpolation=cv2.INTER_AREA)
    bare = np.concatenate([small[500:1150, 640:820].reshape(-1, 3), small[20:60, 60:560].reshape(-1, 3)])
    assert np.percentile(bare, 5) > 235
    red = small[80:130, 640:740].reshape(-1, 3).mean(axis=0)
    assert red[0] > 120 and red[1] < 80 and red[2] < 90


def test_in_grey_no_colour_and_in_black_and_white_no_grey(context):
    photo = a_photo()
    grey = scan_page(photo, "grey", context=context)
    assert grey.shape[2] == 3 and np.ptp(grey, axis=2).max() == 0
    assert len(np.unique(grey)) > 20
    plain = scan_page(photo, "black and white", context=context)
    assert set(np.unique(plain)) == {0, 255}
    assert 0.02 < (plain == 0).mean() < 0.2


@pytest.mark.parametrize("skew", [-7.0, -1.5, 3.0, 11.0])
def test_without_a_sheet_the_lines_of_text_are_made_level(skew, context):
    whole = page()
    turn = cv2.getRotationMatrix2D((A4[0] / 2, A4[1] / 2), -skew, 1)
    photo = cv2.warpAffine(whole, turn, A4, borderValue=(250, 248, 242))
    assert photographed_pages.skew(photo) == pytest.approx(skew, abs=0.3)
    result = scan_page(photo, context=context)
    assert abs(photographed_pages.skew(result)) < 0.3
    assert "no sheet was found" in context.told[0]


@pytest.mark.parametrize("name", ["chelsea", "astronaut", "moon"])
def test_a_picture_without_text_is_not_turned(name):
    photo = getattr(data, name)()
    assert photographed_pages.skew(np.dstack([photo] * 3) if photo.ndim == 2 else photo) == 0


def test_a_page_with_alpha_is_read_on_white(context):
    photo = a_photo()
    clear = np.dstack((photo, np.full(photo.shape[:2], 255, np.uint8)))
    assert np.array_equal(scan_page(clear, context=context), scan_page(photo, context=context))


@pytest.mark.parametrize("shape", [(8, 8, 3), (8, 300, 3), (300, 9, 4), (33, 33, 3), (64, 48, 4)])
@pytest.mark.parametrize("colours", photographed_pages.COLOURS)
def test_odd_pictures_are_taken(shape, colours, context):
    random = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    for picture in (random, np.zeros(shape, np.uint8), np.full(shape, 255, np.uint8)):
        result = scan_page(picture, colours, context=context)
        assert result.dtype == np.uint8 and result.shape[2] == 3


def test_a_tiny_picture_is_refused(context):
    with pytest.raises(NodeError) as caught:
        scan_page(np.zeros((5, 40, 3), np.uint8), context=context)
    assert caught.value.port == "image"
