"""Maps drawn from pictures: what is white is where the picture has edges, lines, strokes or slopes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import skimage.data

from nodes import load_tools

TOOLS = load_tools().tools
DRAWN = ("edge_map", "line_map", "soft_edge_map", "scribble_map")


def run(id: str, *values, **named):
    return TOOLS[id].backends[0].run(*values, **named)


@pytest.fixture(scope="module")
def square() -> np.ndarray:
    picture = np.full((300, 400, 3), 230, np.uint8)
    picture[80:220, 100:300] = (40, 60, 120)
    return np.clip(picture + np.random.default_rng(0).normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def near_outline(reach: int) -> np.ndarray:
    outline = np.zeros((300, 400), np.uint8)
    cv2.rectangle(outline, (100, 80), (299, 219), 255, 1)
    return cv2.dilate(outline, np.ones((2 * reach + 1,) * 2, np.uint8)) > 0


@pytest.mark.parametrize("id", DRAWN)
def test_lines_lie_on_the_outline_and_go_all_around(id, square):
    drawn = run(id, square)
    assert drawn.shape == square.shape[:2] and drawn.dtype == np.uint8
    strong = drawn > 100
    assert (strong & near_outline(7)).sum() > 0.95 * strong.sum()
    reached = cv2.dilate(strong.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    assert (reached & near_outline(0)).sum() > 0.9 * near_outline(0).sum()


@pytest.mark.parametrize("id", DRAWN)
@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 90, 4), (64, 64, 3)])
def test_plain_pictures_have_no_lines(id, shape):
    drawn = run(id, np.full(shape, 90, np.uint8))
    assert drawn.shape == shape[:2] and not drawn.any()


@pytest.mark.parametrize("id", ["edge_map", "scribble_map"])
def test_more_detail_draws_more(id):
    picture = skimage.data.astronaut()
    few, many = (int((run(id, picture, detail) > 100).sum()) for detail in (0.0, 1.0))
    assert 0 < few < many


def test_detail_brings_texture_out_beside_outlines(square):
    ripples = (10 * np.sin(np.arange(80) * 1.2)).astype(int)[None, :, None]
    square = np.clip(square.astype(int) + np.pad(ripples, ((0, 0), (0, 320), (0, 0))), 0, 255).astype(np.uint8)
    few, many = (run("soft_edge_map", square, detail)[:, 10:70].mean() for detail in (0.0, 1.0))
    assert many > 1.5 * few


@pytest.mark.parametrize("id", DRAWN)
def test_map_of_a_large_picture_has_its_size(id):
    picture = cv2.resize(skimage.data.coffee(), (2400, 1600))
    drawn = run(id, picture)
    assert drawn.shape == (1600, 2400) and drawn.any()


def test_short_lines_are_left_out(square):
    marked = square.copy()
    cv2.line(marked, (20, 20), (30, 20), (0, 0, 0), 1)
    assert run("line_map", marked, 0.0)[10:30, 10:40].any()
    assert not run("line_map", marked, 0.1)[10:30, 10:40].any()


def test_flat_depth_faces_the_viewer():
    normal = run("normal_from_depth", np.full((40, 50), 130, np.uint8))
    assert normal.shape == (40, 50, 3)
    assert np.abs(normal.astype(int) - (128, 128, 255)).max() <= 1


def test_ball_turns_away_on_every_side():
    y, x = np.mgrid[-1:1:200j, -1:1:200j]
    depth = (np.sqrt(np.clip(0.8 - x * x - y * y, 0, None)) * 255 / np.sqrt(0.8)).astype(np.uint8)
    normal = run("normal_from_depth", depth).astype(int)
    left, right, top, bottom = normal[100, 40], normal[100, 160], normal[40, 100], normal[160, 100]
    assert left[0] < 118 < 138 < right[0]  # red grows to the right
    assert bottom[1] < 118 < 138 < top[1]  # green grows upwards
    assert normal[100, 100][2] > 250


def test_steeper_strength_tilts_more():
    slope = np.tile(np.linspace(0, 255, 200), (200, 1)).astype(np.uint8)
    soft, steep = (run("normal_from_depth", slope, s)[100, 100] for s in (0.5, 3.0))
    assert steep[0] < soft[0] < 127 and steep[2] < soft[2]
