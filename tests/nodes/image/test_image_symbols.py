"""Symbols on what was found, one colour that stays, pictures that move."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest
from PIL import Image, ImageSequence
from skimage import data

from nodes._support.imaging import symbols
from nodes.api import Box, NodeError, RunContext
from nodes.image.animate_pictures import animate_pictures
from nodes.image.cover_boxes import cover_boxes
from nodes.image.keep_colour import keep_colour

FACE = Box(180, 70, 280, 170, "face", 0.9)
CAT = data.chelsea()


@pytest.fixture
def context(tmp_path) -> RunContext:
    return RunContext(tmp_path)


class TestCoverBoxes:
    @pytest.mark.parametrize("symbol", ["smiley", "circle", "bar"])
    @pytest.mark.parametrize("box", [FACE, Box(100, 100, 300, 160), Box(50.4, 20.2, 80.9, 200.7)])
    def test_the_whole_box_is_hidden(self, symbol, box):
        picture = np.random.default_rng(0).integers(0, 256, (400, 500, 3), np.uint8)
        other = 255 - picture
        rows, columns = slice(int(box.y0), int(box.y1) + 1), slice(int(box.x0), int(box.x1) + 1)
        one, two = (cover_boxes(p, (box,), symbol)[rows, columns] for p in (picture, other))
        assert np.array_equal(one, two), "something of the picture shows through"

    @pytest.mark.parametrize("symbol", ["heart", "star"])
    def test_the_face_in_the_box_is_hidden(self, symbol):
        oval = np.zeros((300, 500), np.uint8)
        cv2.ellipse(oval, (230, 120), (46, 50), 0, 0, 360, 255, -1)
        one, two = (cover_boxes(np.full((300, 500, 3), n, np.uint8), (FACE,), symbol) for n in (0, 255))
        assert np.array_equal(one[oval > 0], two[oval > 0])

    def test_sunglasses_hide_the_eyes_and_leave_the_mouth(self):
        covered = (cover_boxes(data.astronaut(), (FACE,), "sunglasses") != data.astronaut()).any(axis=2)
        assert covered[108:112, 200:215].all() and covered[108:112, 245:260].all()
        assert not covered[140:170].any()

    def test_a_bar_over_the_eyes_is_black_and_leaves_mouth_and_hair(self):
        made = cover_boxes(data.astronaut(), (FACE,), "eye bar")
        assert made[108:112, 195:265].max() < 20
        assert np.array_equal(made[130:], data.astronaut()[130:]) and np.array_equal(made[:90], data.astronaut()[:90])

    def test_a_hat_sits_on_the_head_and_leaves_the_face(self):
        changed = (cover_boxes(data.astronaut(), (FACE,), "hat") != data.astronaut()).any(axis=2)
        assert changed[:70].sum() > 4000 and not changed[95:].any()

    def test_blush_lets_the_cheeks_show_through_on_both_sides(self):
        given, made = (p.astype(int) for p in (data.astronaut(), cover_boxes(data.astronaut(), (FACE,), "blush")))
        changed = (given != made).any(axis=2)
        assert changed[:, :230].sum() == pytest.approx(changed[:, 230:].sum(), rel=0.1) and not changed[:120].any()
        inner = changed & (made[:, :, 0] > made[:, :, 1] + 20)
        assert made[inner][:, 1].std() > 1, "the skin is seen below"

    @pytest.mark.parametrize("symbol", symbols.NAMES)
    def test_symbols_are_smooth_and_lie_whole_in_their_picture(self, symbol):
        drawn = symbols.drawn(symbol, 200, 200)
        assert drawn.shape == (200, 200, 4) and drawn[:, :, 3].max() == (153 if symbol == "blush" else 255)
        if symbol not in ("bar", "eye bar"):
            assert len(np.unique(drawn[:, :, 3])) > 10
            rim = np.concatenate((drawn[0, :, 3], drawn[-1, :, 3], drawn[:, 0, 3], drawn[:, -1, 3]))
            assert (rim > 200).mean() < 0.25

    @pytest.mark.parametrize("symbol", symbols.NAMES)
    def test_symbols_are_drawn_in_any_size(self, symbol):
        for width, height in ((1, 1), (2, 3), (7, 40), (2500, 2500)):
            assert symbols.drawn(symbol, width, height).shape == (height, width, 4)

    @pytest.mark.parametrize("symbol", symbols.NAMES)
    def test_a_part_of_a_symbol_is_that_part_of_the_whole(self, symbol):
        whole, part = symbols.drawn(symbol, 300, 200), symbols.drawn(symbol, 300, 200, (40, 90, 260, 130))
        assert (np.abs(whole[90:130, 40:260].astype(int) - part) > 8).mean() < 0.01

    @pytest.mark.parametrize("own", [None, data.astronaut()])
    def test_a_symbol_far_larger_than_the_picture_takes_no_more_memory_than_that(self, own):
        strip = np.full((10, 20_000, 3), 90, np.uint8)
        tracemalloc.start()
        result = cover_boxes(strip, (Box(0, 0, 20_000, 10),), picture=own)
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert held < 100 * strip.nbytes
        assert (result != strip).any(axis=2).all() and (own is not None or (result[:, 500:, 0] > 200).all())

    def test_no_boxes_and_boxes_outside_leave_the_picture(self):
        assert np.array_equal(cover_boxes(CAT, ()), CAT)
        assert np.array_equal(cover_boxes(CAT, (Box(5000, 5000, 5100, 5100),)), CAT)

    def test_a_box_at_the_edge_is_covered_as_far_as_it_goes(self):
        result = cover_boxes(CAT, (Box(-30, -30, 40, 40), Box(430, 280, 600, 500)))
        assert result.shape == CAT.shape and (result[2, 2] != CAT[2, 2]).any()

    def test_alpha_becomes_opaque_where_a_symbol_lies(self):
        clear = np.dstack((CAT, np.zeros(CAT.shape[:2], np.uint8)))
        result = cover_boxes(clear, (FACE,), "circle")
        assert result[120, 230, 3] == 255 and result[290, 10, 3] == 0

    @pytest.mark.parametrize("shape", [(60, 60), (30, 90), (200, 20)])
    def test_a_picture_of_ones_own_covers_instead(self, shape):
        own = np.full((*shape, 3), (10, 200, 30), np.uint8)
        result = cover_boxes(CAT, (FACE,), "heart", own)
        assert (result[70:170, 180:280] == (10, 200, 30)).all()

    def test_the_picture_is_not_changed(self):
        before = CAT.copy()
        cover_boxes(CAT, (FACE,))
        assert np.array_equal(CAT, before)

    @pytest.mark.parametrize("shape", [(1, 1, 3), (1, 40, 4), (3, 2, 3)])
    def test_the_smallest_pictures_are_taken(self, shape):
        assert cover_boxes(np.zeros(shape, np.uint8), (Box(0, 0, 1, 1),)).shape == shape


def patches() -> np.ndarray:
    """Red, green, blue and grey, side by side, each 60 wide."""
    picture = np.zeros((80, 240, 3), np.uint8)
    for number, colour in enumerate([(205, 25, 30), (40, 150, 50), (30, 60, 190), (128, 128, 128)]):
        picture[:, 60 * number : 60 * number + 60] = colour
    return picture


def is_grey(part: np.ndarray) -> bool:
    return int(np.ptp(part[:, :, :3].astype(int), axis=2).max()) == 0


class TestKeepColour:
    @pytest.mark.parametrize(("colour", "place"), [("red", 0), ("green", 1), ("blue", 2), ("#1e3cbe", 2)])
    def test_only_this_colour_stays(self, colour, place, context):
        result = keep_colour(patches(), colour, context=context)
        for number in range(4):
            part = slice(60 * number + 8, 60 * number + 52)
            if number == place:
                assert np.array_equal(result[:, part], patches()[:, part])
            else:
                assert is_grey(result[:, part])
        assert not context.told

    def test_grey_is_the_lightness_of_the_picture(self, context):
        result = keep_colour(patches(), "red", context=context)
        assert np.array_equal(result[:, 70], cv2.cvtColor(patches(), cv2.COLOR_RGB2GRAY)[:, 70, None].repeat(3, 1))

    def test_the_edge_is_soft(self, context):
        large = cv2.resize(patches(), (2400, 800), interpolation=cv2.INTER_NEAREST)
        result = keep_colour(large, "red", context=context).astype(int)
        assert len(np.unique(np.ptp(result[400, 560:640], axis=1))) > 3

    def test_shade_on_a_thing_stays_with_it(self, context):
        picture = np.full((300, 300, 3), 128, np.uint8)
        shade = np.linspace(1.0, 0.35, 200)[None, :, None]
        picture[50:250, 50:250] = np.array([210, 30, 35]) * shade
        result = keep_colour(picture, "red", context=context)
        assert (np.ptp(result[60:240, 60:235].astype(int), axis=2) > 20).mean() > 0.97

    def test_a_colour_that_is_nowhere_is_said_to_be(self, context):
        assert is_grey(keep_colour(patches(), "yellow", context=context))
        assert "nowhere" in context.told[0]

    def test_a_colour_that_is_not_known_is_refused(self, context):
        with pytest.raises(NodeError) as caught:
            keep_colour(patches(), "loud", context=context)
        assert caught.value.port == "colour"

    @pytest.mark.parametrize("shape", [(1, 1, 3), (1, 1, 4), (2, 3, 3), (1, 40, 4), (40, 1, 3)])
    @pytest.mark.parametrize("colour", ["red", "grey", "#102030"])
    def test_the_smallest_pictures_are_taken_and_alpha_is_kept(self, shape, colour, context):
        picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
        result = keep_colour(picture, colour, context=context)
        assert result.shape == shape
        assert shape[2] == 3 or np.array_equal(result[:, :, 3], picture[:, :, 3])


def shown(path) -> list[tuple[np.ndarray, int]]:
    """Each picture of a GIF, RGBA, with its milliseconds."""
    with Image.open(path) as file:
        found = []
        for number in range(getattr(file, "n_frames", 1)):
            file.seek(number)
            found.append((np.asarray(file.convert("RGBA")), file.info["duration"]))
        assert number == 0 or file.info["loop"] == 0
        return found


class TestAnimatePictures:
    def test_each_picture_is_shown_so_long_and_looks_like_itself(self, context):
        found = shown(animate_pictures((CAT, data.coffee()[:300, :451]), 0.7, context=context))
        assert [time for _, time in found] == [700, 700]
        for (seen, _), whole in zip(found, (CAT, data.coffee()[:300, :451]), strict=True):
            assert seen.shape[:2] == (300, 451)
            soft = cv2.GaussianBlur(seen[:, :, :3], (0, 0), 3).astype(float) - cv2.GaussianBlur(whole, (0, 0), 3)
            assert np.abs(soft).mean() < 3

    def test_width_is_a_limit(self, context):
        assert shown(animate_pictures((data.astronaut(),) * 2, context=context))[0][0].shape[:2] == (480, 480)
        assert shown(animate_pictures((CAT,), width=100, context=context))[0][0].shape[:2] == (67, 100)
        assert shown(animate_pictures((CAT,), width=2000, context=context))[0][0].shape[:2] == (300, 451)

    def test_back_and_forth_shows_neither_end_twice(self, context):
        pictures = tuple(np.full((20, 20, 3), level, np.uint8) for level in (0, 80, 160, 240))
        found = shown(animate_pictures(pictures, back_and_forth=True, context=context))
        assert [round(int(p[5, 5, 0]) / 80) for p, _ in found] == [0, 1, 2, 3, 2, 1]

    def test_other_shapes_are_fitted_in(self, context):
        upright = np.full((400, 200, 3), 200, np.uint8)
        (_, _), (second, _) = shown(animate_pictures((CAT, upright), context=context))
        assert second[150, 225, 0] > 190 and second[150, 5, 0] == 0

    def test_nearly_the_same_shape_gets_no_bars(self, context):
        nearly = np.full((300, 455, 3), 200, np.uint8)
        assert (shown(animate_pictures((CAT, nearly), context=context))[1][0][:, :, 0] > 190).all()

    def test_what_is_transparent_stays_so(self, context):
        clear = np.dstack((CAT, np.zeros(CAT.shape[:2], np.uint8)))
        clear[100:200, 100:200, 3] = 255
        moved = np.roll(clear, 150, axis=1)
        for seen, _ in shown(animate_pictures((clear, moved), context=context)):
            assert (seen[:, :, 3] > 0).sum() == 10_000

    def test_a_number_of_pictures_that_is_none_or_too_many_is_refused(self, context):
        dot = np.zeros((1, 1, 3), np.uint8)
        for pictures in ((), (dot,) * 1501):
            with pytest.raises(NodeError) as caught:
                animate_pictures(pictures, context=context)
            assert caught.value.port == "images"

    @pytest.mark.parametrize("shape", [(1, 1, 3), (1, 1, 4), (2, 3, 3), (1, 40, 4), (40, 1, 3)])
    def test_the_smallest_pictures_are_taken(self, shape, context):
        picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
        assert len(shown(animate_pictures((picture, 255 - picture), context=context))) == 2


def test_a_time_that_is_shorter_than_a_viewer_shows_is_the_shortest(tmp_path):
    path = animate_pictures((CAT, CAT[::-1]), 0.001, context=RunContext(tmp_path))
    assert [time for _, time in shown(path)] == [20, 20]


def test_a_webp_shows_the_same_pictures_with_their_transparency(tmp_path):
    clear = np.dstack([CAT, np.where(np.arange(CAT.shape[1]) < 200, 255, 0)[None].repeat(len(CAT), 0)]).astype(np.uint8)
    path = animate_pictures((clear, clear[:, ::-1]), 0.7, format="webp", context=RunContext(tmp_path))
    with Image.open(path) as opened:
        assert (opened.format, opened.n_frames, opened.info["loop"]) == ("WEBP", 2, 0)
        shown = [np.asarray(one.convert("RGBA")).astype(int) for one in ImageSequence.Iterator(opened)]
        assert opened.info["duration"] == 700
    for seen, given in zip(shown, (clear, clear[:, ::-1]), strict=True):
        assert (np.abs(seen[..., 3] - given[..., 3]) > 40).mean() < 0.02
        assert np.abs(seen[..., :3] - given[..., :3])[given[..., 3] == 255].mean() < 8
