"""Cropping, resizing, turning, extending, warping."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from skimage import data

from nodes.api import NodeError, Point
from nodes.image.border import border
from nodes.image.crop import crop
from nodes.image.extend_canvas import extend_canvas
from nodes.image.flip import flip
from nodes.image.resize import resize
from nodes.image.rotate import rotate
from nodes.image.round_corners import round_corners
from nodes.image.upscale import upscale
from nodes.image.warp_points import warp_points

CAT = data.chelsea()  # 451 x 300
CLEAR = np.dstack((CAT, np.tile(np.arange(451, dtype=np.uint8), (300, 1))))


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """Peak signal to noise ratio in dB."""
    return 10 * np.log10(255**2 / np.mean((one.astype(np.float64) - other) ** 2))


def size(picture: np.ndarray) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def test_crop_gives_exactly_the_rectangle():
    assert np.array_equal(crop(CLEAR, 10, 20, 100, 50), CLEAR[20:70, 10:110])


def test_crop_leaves_away_what_sticks_out():
    assert size(crop(CAT, 400, 250, 500, 500)) == (51, 50)


@pytest.mark.parametrize(("x", "y", "port"), [(451, 0, "x"), (0, 300, "y"), (-1, 0, "x")])
def test_crop_outside_of_the_picture_is_refused(x, y, port):
    with pytest.raises(NodeError) as caught:
        crop(CAT, x, y, 10, 10)
    assert caught.value.port == port and "451 × 300" in caught.value.message


def test_of_a_shape_one_side_gives_the_other():
    assert size(crop(CAT, width=128, shape="square")) == (128, 128)
    assert size(crop(CAT, height=90, shape="16:9")) == (160, 90)


def test_crop_without_corner_takes_the_middle():
    assert np.array_equal(crop(CAT, width=101, height=100), CAT[100:200, 175:276])


@pytest.mark.parametrize(("shape", "wanted"), [("square", (300, 300)), ("16:9", (451, 253)), ("9:16", (168, 300))])
def test_crop_to_a_shape_keeps_as_much_as_fits(shape, wanted):
    assert size(crop(CAT, shape=shape)) == wanted


def test_crop_without_any_wish_is_refused():
    with pytest.raises(NodeError) as caught:
        crop(CAT)
    assert caught.value.port == "width"


@pytest.mark.parametrize(
    ("wish", "wanted"),
    [
        ({"width": 200}, (200, 133)),
        ({"height": 150}, (226, 150)),
        ({"percent": 200.0}, (902, 600)),
        ({}, (226, 150)),
        ({"width": 300, "height": 300}, (300, 200)),
        ({"width": 300, "height": 300, "fit": "stretch"}, (300, 300)),
        ({"width": 300, "height": 300, "fit": "fill"}, (300, 300)),
    ],
)
def test_resize_gives_the_wished_size(wish, wanted):
    assert size(resize(CAT, **wish)) == wanted
    assert resize(CLEAR, **wish).shape[2] == 4


def test_resize_keeps_the_picture():
    half = cv2.resize(CAT, (225, 150), interpolation=cv2.INTER_AREA)
    assert np.array_equal(resize(CAT, width=225, height=150, fit="stretch"), half)
    assert likeness(resize(resize(CAT, percent=200), width=451, height=300, fit="stretch"), CAT) > 40


def test_resize_does_not_let_transparent_colours_bleed():
    picture = np.zeros((40, 40, 4), np.uint8)
    picture[:, :20] = (255, 0, 0, 255)
    picture[:, 20:] = (0, 255, 0, 0)
    small = resize(picture, width=7)
    seen = small[small[:, :, 3] > 0]
    assert len(seen) and (seen[:, 1] < 5).all() and (seen[:, 0] > 250).all()


@pytest.mark.parametrize("wish", [{"width": 100_000}, {"percent": 2000.0}, {"width": 50_000, "height": 50_000}])
def test_resize_beyond_reason_is_refused(wish):
    picture = np.zeros((1000, 1000, 3), np.uint8)
    with pytest.raises(NodeError) as caught:
        resize(picture, **wish)
    assert caught.value.port in ("width", "percent")


@pytest.mark.parametrize(("direction", "turns"), [("right", -1), ("left", 1), ("clockwise", -1), ("upside down", 2)])
def test_quarter_turns_only_move_pixels(direction, turns):
    assert np.array_equal(rotate(CLEAR, direction), np.rot90(CLEAR, turns))


def test_rotate_by_nothing_is_the_picture():
    assert np.array_equal(rotate(CAT, degrees=0), CAT)
    assert np.array_equal(rotate(CAT, "left", 360), CAT)


def test_rotate_grows_so_that_no_corner_is_cut():
    turned = rotate(CAT, "left", 30, True, "blue")
    assert turned.shape[0] > 450 and turned.shape[1] > 530
    assert (turned[2, 2] == (0, 0, 255)).all()
    back = rotate(turned, "right", 30, True)
    y, x = (back.shape[0] - 300) // 2, (back.shape[1] - 451) // 2
    assert likeness(back[y : y + 300, x : x + 451], CAT) > 28


def test_rotate_without_growing_keeps_the_size():
    assert rotate(CAT, degrees=17, expand=False).shape == CAT.shape
    assert rotate(CAT, expand=False).shape == CAT.shape


def test_rotate_leaves_corners_transparent_when_wished():
    turned = rotate(CAT, degrees=45, colour="transparent")
    assert turned.shape[2] == 4 and turned[0, 0, 3] == 0
    middle = turned[turned.shape[0] // 2, turned.shape[1] // 2]
    assert middle[3] == 255


def test_unknown_colour_is_refused():
    with pytest.raises(NodeError) as caught:
        rotate(CAT, degrees=45, colour="blurple-ish")
    assert caught.value.port == "colour"


def test_flip_swaps_sides_and_undoes_itself():
    assert np.array_equal(flip(CLEAR), CLEAR[:, ::-1])
    assert np.array_equal(flip(CLEAR, "vertically"), CLEAR[::-1])
    assert np.array_equal(flip(flip(CLEAR)), CLEAR)


@pytest.mark.parametrize("fill", ["blur", "reflect", "colour"])
def test_extended_picture_holds_the_picture_unchanged(fill):
    large = extend_canvas(CLEAR, 30, 40, 50, 700, fill)
    assert large.shape == (300 + 750, 451 + 70, 4)
    assert np.array_equal(large[50:350, 30:481], CLEAR)


def test_extending_continues_without_a_step():
    for fill in ("blur", "reflect"):
        large = extend_canvas(CAT, left=60, fill=fill).astype(int)
        assert np.abs(large[:, 59] - large[:, 60]).mean() < 6


def test_extending_without_sides_adds_a_quarter_everywhere():
    assert size(extend_canvas(CAT)) == (451 + 2 * 112, 300 + 2 * 75)
    assert size(extend_canvas(np.zeros((1, 1, 3), np.uint8))) == (3, 3)


def test_extending_by_nothing_is_refused():
    with pytest.raises(NodeError) as caught:
        extend_canvas(CAT, left=0)
    assert caught.value.port == "left"


def test_border_frames_the_picture():
    framed = border(CLEAR, 7, "dark red")
    assert framed.shape == (314, 465, 4) and np.array_equal(framed[7:-7, 7:-7], CLEAR)
    assert (framed[0, 0] == (139, 0, 0, 255)).all()
    assert border(CAT).shape[0] > 300


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_upscale_is_nearer_to_the_original_than_plain_lanczos(factor):
    whole = CAT[: 300 // factor * factor, : 451 // factor * factor]
    small = cv2.resize(whole, (whole.shape[1] // factor, whole.shape[0] // factor), interpolation=cv2.INTER_AREA)
    large = upscale(small, factor)
    assert large.shape == whole.shape
    plain = cv2.resize(small, size(whole), interpolation=cv2.INTER_LANCZOS4)
    assert likeness(large, whole) > likeness(plain, whole) + 0.1


def test_upscale_has_no_seams_between_tiles():
    wide = np.tile(CAT[:40], (1, 3, 1))
    once = upscale(wide, 2)
    part = upscale(np.ascontiguousarray(wide[:, 500:530]), 2)
    assert np.array_equal(once[:, 1020:1040], part[:, 20:40])


def test_upscale_keeps_alpha_and_adds_no_new_extremes():
    hard = np.zeros((20, 20, 4), np.uint8)
    hard[:, :] = (0, 0, 0, 255)
    hard[:, 10:] = (200, 100, 50, 255)
    large = upscale(hard, 4)
    assert large.shape == (80, 80, 4)
    assert large[:, :, 0].max() == 200 and (large[:, :, 3] == 255).all()


def test_upscale_does_not_let_transparent_colours_bleed():
    picture = np.zeros((20, 20, 4), np.uint8)
    picture[:, :10] = (255, 0, 0, 255)
    picture[:, 10:] = (0, 255, 0, 0)
    large = upscale(picture, 3)
    seen = large[large[:, :, 3] > 20]
    assert (seen[:, 0] > 240).all() and (seen[:, 1] < 15).all()


def dot(x: int, y: int) -> np.ndarray:
    picture = np.full((200, 240, 3), 90, np.uint8)
    return cv2.circle(picture, (x, y), 5, (255, 255, 0), -1)


def centre(picture: np.ndarray) -> tuple[float, float]:
    y, x = np.nonzero(picture[:, :, 0] > 170)
    return float(x.mean()), float(y.mean())


def test_dragged_point_arrives():
    moved = warp_points(dot(100, 90), (Point(100, 90), Point(128, 110)))
    assert centre(moved) == pytest.approx((128, 110), abs=2)


def test_far_from_a_drag_nothing_moves():
    moved = warp_points(CAT, (Point(100, 90), Point(112, 90)))
    assert np.array_equal(moved[:, 320:], CAT[:, 320:])
    assert (moved[60:120, 70:140] != CAT[60:120, 70:140]).any()


def test_a_pin_holds_its_place():
    pin = (Point(140, 100), Point(140, 100))
    drag = (Point(90, 100), Point(70, 100))
    free = centre(warp_points(dot(140, 100), drag, 60))
    held = centre(warp_points(dot(140, 100), drag + pin, 60))
    assert abs(held[0] - 140) < 0.6 < abs(free[0] - 140)


def test_drag_keeps_alpha_in_step():
    picture = np.dstack((dot(100, 90), dot(100, 90)[:, :, 0]))
    moved = warp_points(picture, (Point(100, 90), Point(120, 100)))
    assert moved.shape == picture.shape
    assert np.array_equal(moved[:, :, 0], moved[:, :, 3])


@pytest.mark.parametrize(
    "points",
    [(), (Point(1, 1),), (Point(1, 1), Point(999, 1)), (Point(1, 1), Point(9, 9), Point(5, 5), Point(9, 9))],
)
def test_drags_that_make_no_sense_are_refused(points):
    with pytest.raises(NodeError) as caught:
        warp_points(CAT, points)
    assert caught.value.port == "points"


def test_drag_to_the_same_place_is_the_picture():
    assert np.array_equal(warp_points(CAT, (Point(50, 50), Point(50, 50))), CAT)


def test_a_circle_is_the_middle_of_the_picture_and_nothing_around():
    made = crop(CAT, shape="circle")
    assert made.shape == (300, 300, 4) and np.array_equal(made[:, :, :3], CAT[:, 75:375])
    y, x = np.mgrid[:300, :300] - 149.5
    away = np.hypot(x, y)
    assert (made[away < 149, 3] == 255).all() and (made[away > 151, 3] == 0).all()
    assert len(np.unique(made[:, :, 3])) > 20, "its edge is smooth"


def test_a_circle_in_a_rectangle_is_an_ellipse_and_keeps_alpha():
    made = crop(CLEAR, 10, 20, 101, 50, "circle")
    assert made.shape == (50, 101, 4) and made[0, 0, 3] == 0
    assert (made[25, 2:99, 3] == CLEAR[45, 12:109, 3]).all() and (made[2:48, 50, 3] == CLEAR[22:68, 60, 3]).all()


def test_corners_are_round_and_all_else_stays():
    made = round_corners(CAT, 40)
    assert made.shape == (300, 451, 4) and np.array_equal(made[:, :, :3], CAT)
    alpha = made[:, :, 3]
    assert np.array_equal(alpha, alpha[::-1]) and np.array_equal(alpha, alpha[:, ::-1])
    y, x = np.mgrid[:40, :40] + 0.5
    away = np.hypot(40 - x, 40 - y)
    assert (alpha[:40, :40][away < 39] == 255).all() and (alpha[:40, :40][away > 41] == 0).all()
    assert (alpha[40:-40] == 255).all() and (alpha[:, 40:-40] == 255).all()


def test_corners_get_a_colour_where_one_is_named():
    made = round_corners(CAT, 40, "red")
    assert made.shape == CAT.shape and (made[:5, :5] == (255, 0, 0)).all()
    assert np.array_equal(made[60:240], CAT[60:240])


def test_a_radius_follows_the_picture_and_ends_at_half_its_side():
    small, large = (round_corners(np.zeros((side, side, 3), np.uint8))[:, :, 3] for side in (100, 400))
    assert (small == 0).mean() == pytest.approx((large == 0).mean(), abs=0.002)
    assert np.array_equal(round_corners(CAT, 9999), round_corners(CAT, 150))
    with pytest.raises(NodeError) as caught:
        round_corners(CAT, 40, "loud")
    assert caught.value.port == "colour"


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 40, 4), (3, 2, 3), (2, 2, 4)])
def test_the_smallest_pictures_get_round_corners(shape):
    picture = np.full(shape, 200, np.uint8)
    for made in (round_corners(picture), round_corners(picture, 5), crop(picture, shape="circle")):
        assert made.shape[2] == 4 and made[..., 3].any()
