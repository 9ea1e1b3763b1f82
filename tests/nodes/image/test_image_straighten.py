"""A slanted picture is made level: by its lines or by its horizon."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage import data

from nodes._support.imaging import turning
from nodes._support.vision import tilt
from nodes.api import RunContext
from nodes.image.straighten import straighten


@pytest.fixture
def context(tmp_path) -> RunContext:
    return RunContext(tmp_path)


def house(width: int = 900, height: int = 600) -> np.ndarray:
    """A facade with windows, level."""
    picture = np.full((height, width, 3), (150, 180, 220), np.uint8)
    cv2.rectangle(picture, (width // 5, height // 5), (width * 4 // 5, height * 9 // 10), (180, 150, 120), -1)
    for column in range(5):
        for row in range(3):
            x, y = width // 4 + column * width // 10, height // 4 + row * height // 5
            cv2.rectangle(picture, (x, y), (x + width // 18, y + height // 9), (60, 60, 80), -1)
    return picture


def sea(slope: float, haze: float, contrast: float = 35.0, size: tuple[int, int] = (900, 600)) -> np.ndarray:
    """A horizon that is `slope` degrees too low at the right, behind `haze` pixels of haze."""
    width, height = size
    y, x = np.mgrid[:height, :width].astype(np.float64)
    below = y - 0.45 * height - (x - width / 2) * np.tan(np.radians(slope))
    share = 1 / (1 + np.exp(np.clip(-below / haze, -50, 50)))[:, :, None]
    noise = np.random.default_rng(2).normal(0, 4, (height, width, 1))
    return np.clip(np.array([150, 180, 220]) - contrast * share + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("angle", [-17.0, -8.0, -2.5, 1.0, 4.2, 12.0])
def test_lines_tell_the_tilt_to_half_a_degree(angle):
    assert tilt.of_lines(turning.without_corners(house(), -angle)) == pytest.approx(angle, abs=0.5)


@pytest.mark.parametrize("haze", [0.5, 4.0, 10.0])
@pytest.mark.parametrize("slope", [-15.0, -3.3, 0.0, 6.0])
def test_a_horizon_tells_the_tilt_even_in_haze(slope, haze):
    assert tilt.of_lines(sea(slope, haze)) == pytest.approx(slope, abs=0.5)


@pytest.mark.parametrize("angle", [-7.0, 5.0])
def test_walls_that_converge_do_not_turn_a_picture(angle):
    upright = house()
    corners = np.array([(0, 0), (900, 0), (900, 600), (0, 600)], np.float32)
    narrow = np.array([(120, 0), (780, 0), (900, 600), (0, 600)], np.float32)
    seen = cv2.warpPerspective(upright, cv2.getPerspectiveTransform(corners, narrow), (900, 600),
                               borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    assert tilt.of_lines(turning.without_corners(seen, -angle)) == pytest.approx(angle, abs=0.5)


@pytest.mark.parametrize("name", ["camera", "rocket"])
def test_a_photo_that_is_turned_is_found_to_be(name):
    photo = getattr(data, name)()
    photo = np.dstack([photo] * 3) if photo.ndim == 2 else photo
    level = tilt.of_lines(photo)
    assert level == pytest.approx(0, abs=0.5)
    assert tilt.of_lines(turning.without_corners(photo, -6)) == pytest.approx(6, abs=0.5)


def test_the_result_is_level_and_has_no_empty_corner(context):
    crooked = turning.without_corners(house(), -6)
    result = straighten(crooked, context=context)
    assert abs(tilt.of_lines(result) or 0) < 0.3
    assert result.shape[0] < crooked.shape[0] and result.shape[1] < crooked.shape[1]
    plain = np.full((300, 500, 3), 200, np.uint8)
    assert (turning.without_corners(plain, -11.0) == 200).all()
    assert not context.told


@pytest.mark.parametrize("name", ["chelsea", "grass", "gravel", "moon"])
def test_without_lines_the_picture_stays_and_that_is_said(name, context):
    photo = getattr(data, name)()
    photo = np.dstack([photo] * 3) if photo.ndim == 2 else photo
    assert np.array_equal(straighten(photo, context=context), photo)
    assert "stays as it is" in context.told[0]


def test_a_level_picture_stays_and_that_is_said(context):
    assert np.array_equal(straighten(house(), context=context), house())
    assert context.told == ["the picture is level already"]


def test_below_zero_is_clockwise():
    picture = np.zeros((101, 101, 3), np.uint8)
    picture[50, 10:91] = 255
    turned = turning.without_corners(picture, -10.0)
    down = turned[:, :, 0].argmax(axis=0)
    lit = np.flatnonzero(turned[:, :, 0].max(axis=0) > 100)
    assert down[lit[-1]] > down[lit[0]] + 5
    assert np.array_equal(turning.without_corners(picture, -90.0), np.rot90(picture, -1))


def test_half_a_turn_loses_nothing():
    assert np.array_equal(turning.without_corners(data.chelsea(), -180.0), data.chelsea()[::-1, ::-1])


def test_alpha_is_kept_and_does_not_bleed():
    clear = np.zeros((200, 300, 4), np.uint8)
    clear[:, :, 0] = 255
    clear[:, 150:] = (0, 255, 0, 255)
    result = turning.without_corners(clear, -5.0)
    assert result.shape[2] == 4 and result[:, :, 3].min() == 0 and result[:, :, 3].max() == 255
    seen = result[result[:, :, 3] > 20]
    assert (seen[:, 0] < 30).all()


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 1, 4), (2, 3, 3), (1, 40, 4), (40, 1, 3), (9, 9, 3), (20, 700, 3)])
def test_odd_pictures_are_taken(shape, context):
    picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    assert straighten(picture, context=context).ndim == 3
    assert min(turning.without_corners(picture, -30.0).shape[:2]) >= 1


@pytest.mark.parametrize("degrees", [0.5, 12, 30, 44.9, 45, 60, 89])
@pytest.mark.parametrize("shape", [(600, 900), (900, 600), (100, 1000), (500, 500)])
def test_the_largest_rectangle_inside_touches_the_edge_and_is_inside(degrees, shape):
    height, width = shape
    across, down = turning.largest_inside(width, height, degrees)
    turn = np.radians(degrees)
    corners = np.array([(across, down), (-across, down)]) / 2
    back = np.abs(corners @ np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))]))
    assert (back <= np.array([width / 2, height / 2]) + 1e-6).all()
    assert np.isclose(back, [width / 2, height / 2]).any()
