"""Masks: made from boxes, colours and clicks, combined, grown, and turned back into boxes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import skimage.data
from PIL import Image

from desktop_app.core.paths import RESOURCES
from nodes import load_tools
from nodes._support.imaging.pixels import SILENT
from nodes.api import Box, NodeError, Point

TOOLS = load_tools().tools
SIZE = (300, 400)


def run(id: str, *values, **named):
    return TOOLS[id].backends[0].run(*values, **named)


def refused(port: str, id: str, *values, **named) -> None:
    with pytest.raises(NodeError) as caught:
        run(id, *values, **named)
    assert caught.value.port == port


def iou(mask: np.ndarray, truth: np.ndarray) -> float:
    chosen = mask > 127
    return float((chosen & truth).sum() / (chosen | truth).sum())


def shape_of(kind: str) -> np.ndarray:
    y, x = np.mgrid[: SIZE[0], : SIZE[1]]
    return np.hypot(x - 190, y - 140) < 70 if kind == "disc" else (abs(x - 200) < 90) & (abs(y - 140) < 60)


def texture(name: str, tint: tuple[float, ...]) -> np.ndarray:
    grey = cv2.resize(getattr(skimage.data, name)(), SIZE[::-1]).astype(float) / 128
    return np.clip(grey[:, :, None] * np.array(tint), 0, 255).astype(np.uint8)


GROUNDS = {
    "grass": (texture("grass", (70, 110, 50)), np.full((*SIZE, 3), (190, 60, 50), np.uint8)),
    "gravel": (texture("gravel", (120, 120, 120)), np.full((*SIZE, 3), (60, 80, 180), np.uint8)),
    "brick": (texture("brick", (150, 90, 70)), texture("grass", (200, 210, 190))),
}


def scene(kind: str, ground: str) -> tuple[np.ndarray, np.ndarray]:
    below, above = GROUNDS[ground]
    truth = shape_of(kind)
    picture = np.where(truth[:, :, None], above, below)
    noise = np.random.default_rng(3).normal(0, 5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), truth


PICTURE = np.zeros((*SIZE, 3), np.uint8)


class TestBoxes:
    def test_rectangle_covers_its_box_exactly(self):
        mask = run("mask_from_boxes", (Box(10, 20, 60, 50),), PICTURE, grow=0.0)
        assert mask[20:50, 10:60].min() == 255 and (mask > 0).sum() == 50 * 30

    def test_growing_widens_by_its_part_of_the_size(self):
        mask = run("mask_from_boxes", (Box(100, 100, 200, 140),), PICTURE, grow=0.1)
        assert run("boxes_from_mask", mask)[0][:4] == (95, 98, 205, 142)

    def test_ellipse_has_the_area_of_an_ellipse(self):
        mask = run("mask_from_boxes", (Box(100, 50, 300, 150),), PICTURE, "ellipse", 0.0)
        assert (mask > 0).sum() == pytest.approx(np.pi * 100 * 50, rel=0.03)
        assert mask[100, 200] == 255 and mask[52, 102] == 0

    def test_boxes_over_the_border_are_cut(self):
        mask = run("mask_from_boxes", (Box(-50, -50, 10, 10), Box(390, 290, 500, 500)), PICTURE, grow=0.0)
        assert (mask > 0).sum() == 200

    def test_no_boxes_select_nothing(self):
        assert not run("mask_from_boxes", (), PICTURE).any()

    def test_boxes_wholly_outside_are_refused(self):
        refused("boxes", "mask_from_boxes", (Box(900, 900, 950, 950),), PICTURE)

    def test_each_part_of_a_mask_gets_its_box_largest_first(self):
        mask = np.zeros(SIZE, np.uint8)
        mask[10:20, 10:20], mask[100:200, 50:150], mask[280, 390] = 255, 255, 255
        boxes = run("boxes_from_mask", mask)
        assert [box[:4] for box in boxes] == [(50, 100, 150, 200), (10, 10, 20, 20)]
        assert boxes[0].score == 1 and boxes[1].score == pytest.approx(0.01)
        assert len(run("boxes_from_mask", mask, 1)) == 3

    def test_empty_mask_has_no_boxes(self):
        assert run("boxes_from_mask", np.zeros((1, 1), np.uint8)) == ()


class TestCombining:
    first = np.array([[0, 255, 255, 100]], np.uint8)
    second = np.array([[255, 255, 0, 200]], np.uint8)

    @pytest.mark.parametrize(
        ("how", "wanted"),
        [("or", [255, 255, 255, 200]), ("and", [0, 255, 0, 100]), ("minus", [0, 0, 255, 55])],
    )
    def test_soft_edges_count(self, how, wanted):
        assert run("combine_masks", self.first, self.second, how).tolist() == [wanted]

    def test_other_size_is_refused(self):
        refused("second", "combine_masks", self.first, np.zeros((2, 2), np.uint8))

    def test_inverting_twice_gives_the_mask_back(self):
        once = run("invert_mask", self.first)
        assert once.tolist() == [[255, 0, 0, 155]] and once.dtype == np.uint8
        assert (run("invert_mask", once) == self.first).all()

    def test_growing_reaches_as_far_as_said(self):
        mask = np.zeros((101, 101), np.uint8)
        mask[50, 50] = 255
        grown = run("grow_mask", mask, 10.0)
        assert grown[50, 60] == 255 and grown[50, 61] == 0 and grown[58, 58] == 0
        assert (grown > 0).sum() == pytest.approx(np.pi * 100, rel=0.05)

    def test_shrinking_undoes_growing_of_a_square(self):
        mask = np.zeros((100, 100), np.uint8)
        mask[30:70, 30:70] = 255
        assert (run("grow_mask", run("grow_mask", mask, 6.0), -6.0) == mask).all()

    def test_shrinking_away_and_growing_nothing_give_nothing(self):
        mask = np.zeros((50, 50), np.uint8)
        assert not run("grow_mask", mask, 9.0).any()
        mask[20:30, 20:30] = 255
        assert not run("grow_mask", mask, -9.0).any()

    def test_feather_softens_the_edge_in_place(self):
        mask = np.zeros((60, 200), np.uint8)
        mask[:, 100:] = 255
        soft = run("grow_mask", mask, 0.0, 6.0)[30].astype(int)
        assert (np.diff(soft) >= 0).all() and 110 < soft[99:101].mean() < 145 and 30 < soft[94] < 60


class TestColour:
    chart = np.repeat(
        np.array([[(200, 20, 20), (20, 160, 40), (30, 60, 200), (130, 130, 130), (10, 30, 90)]], np.uint8), 20, 0
    ).repeat(20, 1)

    @pytest.mark.parametrize(
        ("colour", "columns"),
        [("red", [0]), ("green", [1]), ("blue", [2, 4]), ("dark blue", [4]), ("gray", [3]), ("#1ea02a", [1])],
    )
    def test_colour_words_select_their_fields(self, colour, columns):
        mask = run("mask_from_colour", self.chart, colour)
        assert [i for i in range(5) if mask[10, 20 * i + 10]] == columns
        assert mask.mean() == pytest.approx(255 * len(columns) / 5, rel=0.02)

    def test_sky_is_selected_in_a_photograph(self):
        mask = run("mask_from_colour", skimage.data.rocket(), "blue")
        assert mask[60:200, 470:540].mean() > 250 and mask[300, 320] == 0

    def test_transparent_pixels_are_not_selected(self):
        assert not run("mask_from_colour", np.dstack([self.chart, np.zeros((20, 100), np.uint8)]), "red").any()

    def test_unknown_colour_is_refused(self):
        refused("colour", "mask_from_colour", self.chart, "loudly")

    def test_one_pixel_is_selected(self):
        assert run("mask_from_colour", np.full((1, 1, 3), 255, np.uint8), "white")[0, 0] == 255


class TestClicks:
    @pytest.mark.parametrize("ground", GROUNDS)
    @pytest.mark.parametrize("kind", ["disc", "rectangle"])
    @pytest.mark.parametrize("place", [(190, 140), (150, 115)])
    def test_one_click_selects_the_shape(self, kind, ground, place):
        picture, truth = scene(kind, ground)
        mask = run("segment_points", picture, (Point(*place),))
        assert mask[place[1], place[0]] == 255
        assert iou(mask, truth) > 0.9

    @pytest.mark.parametrize("place", [(300, 130), (330, 90)])
    def test_one_click_selects_the_cup(self, place):
        mask = run("segment_points", skimage.data.coffee(), (Point(*place),))
        bowl = np.zeros((400, 600), np.uint8)
        cv2.ellipse(bowl, (292, 112), (116, 95), 0, 0, 360, 255, -1)
        assert iou(mask, bowl > 0) > 0.85

    def test_large_picture_gets_a_mask_of_its_size(self):
        picture, truth = scene("disc", "grass")
        mask = run("segment_points", cv2.resize(picture, (1600, 1200)), (Point(760, 560),))
        assert mask.shape == (1200, 1600)
        assert iou(mask, cv2.resize(truth.astype(np.uint8), (1600, 1200)) > 0) > 0.9

    def test_excluding_click_takes_its_part_away(self):
        picture, _ = scene("disc", "gravel")
        picture[100:180, 220:250] = (220, 200, 40)
        both = run("segment_points", picture, (Point(150, 140), Point(235, 140)))
        one = run("segment_points", picture, (Point(150, 140), Point(235, 140, include=False)))
        assert both[140, 150] == both[140, 235] == 255
        assert one[140, 150] == 255 and one[140, 235] == 0
        assert (one[110:170, 225:245] > 127).mean() < 0.2

    def test_same_clicks_give_the_same_mask(self):
        picture, _ = scene("rectangle", "brick")
        one, two = (run("segment_points", picture, (Point(200, 140),)) for _ in range(2))
        assert (one == two).all()

    def test_clicks_without_a_wish_or_outside_are_refused(self):
        refused("points", "segment_points", PICTURE, ())
        refused("points", "segment_points", PICTURE, (Point(5, 5, include=False),))
        refused("points", "segment_points", PICTURE, (Point(400, 5),))
        refused("image", "segment_points", np.zeros((1, 1, 3), np.uint8), (Point(0, 0),))

    @pytest.mark.parametrize("shape", [(8, 8, 3), (60, 80, 4), (9, 600, 3)])
    def test_featureless_pictures_still_select_the_click(self, shape):
        assert run("segment_points", np.zeros(shape, np.uint8), (Point(4, 4),))[4, 4] == 255


class TestSegmentBox:
    @pytest.mark.parametrize("ground", GROUNDS)
    def test_disc_in_its_box_is_found(self, ground):
        picture, truth = scene("disc", ground)
        mask = run("segment_box", picture, (Box(112, 62, 268, 218),), SILENT)
        assert iou(mask, truth) > 0.95

    def test_nothing_outside_the_boxes_is_selected(self):
        mask = run("segment_box", skimage.data.coffee(), (Box(180, 10, 420, 280),), SILENT)
        assert not mask[:10].any() and not mask[280:].any() and not mask[:, :180].any() and mask.any()

    def test_two_boxes_select_two_things(self):
        picture, _ = scene("disc", "grass")
        sheet = np.hstack([picture, picture])
        mask = run("segment_box", sheet, (Box(112, 62, 268, 218), Box(512, 62, 668, 218)), SILENT)
        assert mask[140, 190] == mask[140, 590] == 255 and mask[140, 400] == 0

    def test_empty_ground_fills_the_box(self):
        mask = run("segment_box", PICTURE, (Box(50, 60, 90, 110),), SILENT)
        assert run("boxes_from_mask", mask)[0][:4] == (50, 60, 90, 110)

    def test_no_box_is_refused(self):
        refused("boxes", "segment_box", PICTURE, (), SILENT)
        refused("boxes", "segment_box", PICTURE, (Box(500, 500, 600, 600),), SILENT)


def _post(leaning: float, wide: float) -> tuple[np.ndarray, np.ndarray]:
    """A lamp post before an evening sky over land, and where it is."""
    y, x = np.mgrid[: SIZE[0], : SIZE[1]]
    away = 1.0 * y[..., None] / SIZE[0]
    sky = np.array((40, 70, 120)) * (1 - away) + np.array((120, 130, 150)) * away
    picture = np.where((y > 270)[..., None], (50, 60, 40), sky)
    truth = (abs(x - 150 - leaning * (y - 150)) <= wide) & (y > 60) & (y <= 270)
    picture = np.where(truth[..., None], (150, 145, 135), picture)
    noise = np.random.default_rng(3).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), truth


@pytest.mark.parametrize(("leaning", "wide"), [(0.0, 1), (0.0, 3), (0.2, 2)])
def test_a_click_on_something_thin_does_not_select_the_sky_behind_it(leaning, wide):
    picture, truth = _post(leaning, wide)
    found = run("segment_points", picture, (Point(int(150 + leaning * 30), 180),))
    chosen = found > 127
    near = cv2.dilate(truth.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    assert (chosen & truth).sum() > 0.7 * truth.sum()
    assert (chosen & ~near).sum() < 0.3 * truth.sum()


def test_the_sky_behind_something_thin_is_its_large_reading_and_a_click_on_the_sky_means_the_sky():
    picture = _post(0.0, 2)[0]
    behind = run("segment_points", picture, (Point(150, 180),), "large")
    sky = run("segment_points", picture, (Point(300, 100),))
    assert (behind > 127).mean() > 0.2
    assert (sky > 127).mean() > 0.2


def test_an_excluded_click_takes_its_surroundings_out():
    points = (Point(300, 130), Point(250, 215), Point(150, 300, include=False))
    mask = run("segment_points", skimage.data.coffee(), points)
    assert mask[285:315, 135:165].mean() < 20
    assert mask[130, 300] == 255
    assert mask[215, 250] == 255


class TestReadings:
    cup = cv2.ellipse(np.zeros((400, 600), np.uint8), (292, 112), (116, 95), 0, 0, 360, 255, -1) > 0
    saucer = cv2.ellipse(np.zeros((400, 600), np.uint8), (278, 235), (201, 154), 0, 0, 360, 255, -1) > 0

    def test_the_large_reading_of_a_click_on_the_cup_is_the_cup_with_its_saucer(self):
        masks = [run("segment_points", skimage.data.coffee(), (Point(300, 130),), r) for r in ("medium", "large")]
        assert iou(masks[0], self.cup) > 0.9
        assert iou(masks[1], self.cup | self.saucer) > 0.9

    def test_readings_grow(self):
        areas = [
            (run("segment_points", skimage.data.coffee(), (Point(300, 130),), r) > 127).sum()
            for r in ("small", "best", "large")
        ]
        assert areas[0] * 1.2 < areas[1] and areas[1] * 1.2 < areas[2]

    def test_points_along_the_saucer_select_it_without_the_cup(self):
        points = tuple(Point(x, y) for x, y in ((110, 250), (140, 300), (190, 350), (260, 375)))
        assert iou(run("segment_points", skimage.data.coffee(), points), self.saucer & ~self.cup) > 0.85

    def test_two_things_far_apart_are_both_selected_alone(self):
        picture, truth = scene("disc", "grass")
        sheet, both = np.hstack([picture, picture]), np.hstack([truth, truth])
        assert iou(run("segment_points", sheet, (Point(190, 140), Point(590, 140))), both) > 0.9

    def test_a_thing_of_two_colours_is_one_of_the_readings(self):
        picture, truth = scene("disc", "grass")
        right = truth & (np.arange(SIZE[1]) > 190)
        picture[right] = (40, 60, 190)
        readings = ("small", "medium", "large")
        masks = [run("segment_points", picture, (Point(150, 140),), reading) for reading in readings]
        assert max(iou(mask, truth) for mask in masks) > 0.9

    def test_a_second_click_does_not_look_at_the_picture_again(self, monkeypatch):
        from nodes._support.vision import superpixels

        looked = []
        pieces = superpixels.pieces
        monkeypatch.setattr(superpixels, "pieces", lambda *given: looked.append(1) or pieces(*given))
        picture, _ = scene("disc", "brick")
        picture[0, 0] = (1, 2, 3)
        for x in (180, 190, 200):
            run("segment_points", picture, (Point(x, 140),))
        run("segment_points", picture[:, ::-1], (Point(180, 140),))
        assert len(looked) == 2


class TestDrawn:
    def test_what_was_painted_counts_over_what_is_found(self):
        picture, truth = scene("disc", "gravel")
        drawn = np.full(SIZE, 128, np.uint8)
        drawn[:60, :60], drawn[100:120, 180:200] = 255, 0
        mask = run("segment_points", picture, (Point(190, 140),), "best", drawn)
        assert mask[:60, :60].min() == 255 and not mask[100:120, 180:200].any()
        rest = drawn == 128
        assert ((mask > 127) == truth)[rest].mean() > 0.98

    def test_where_the_painting_decides_all_no_point_is_needed(self):
        drawn = np.where(shape_of("disc"), 255, 0).astype(np.uint8)
        assert (run("segment_points", PICTURE, (), "best", drawn) == drawn).all()

    def test_a_painting_that_selects_nothing_or_is_of_another_size_is_refused(self):
        refused("points", "segment_points", PICTURE, (), "best", np.full(SIZE, 128, np.uint8))
        refused("drawn", "segment_points", PICTURE, (Point(5, 5),), "best", np.zeros((10, 10), np.uint8))


class TestEdge:
    """`grow` and `feather` of what was clicked."""

    def test_clicks_can_be_grown_and_feathered_as_a_mask_is(self):
        picture, _ = scene("disc", "grass")
        plain = run("segment_points", picture, (Point(190, 140),))
        changed = run("segment_points", picture, (Point(190, 140),), grow=6, feather=2)
        assert (changed == run("grow_mask", plain, 6.0, 2.0)).all()
        smaller = run("segment_points", picture, (Point(190, 140),), grow=-6) > 127
        assert (smaller <= (plain > 127)).all() and 0 < smaller.sum() < (plain > 127).sum()

    def test_what_was_painted_gets_the_edge_too(self):
        drawn = np.zeros(SIZE, np.uint8)
        drawn[100:150, 100:150] = 255
        mask = run("segment_points", PICTURE, (), drawn=drawn, grow=10)
        assert mask[125, 91] == 255 and mask[125, 89] == 0

    def test_every_back_end_gives_the_edge_that_was_asked_for(self, monkeypatch):
        from nodes._support.inference import sam
        from nodes._support.vision import cutout

        found = np.zeros(SIZE, np.uint8)
        found[100:200, 100:200] = 255
        monkeypatch.setattr(cutout, "from_points", lambda *rest: found)
        monkeypatch.setattr(sam, "mask_from_points", lambda *rest: found)
        wanted = run("grow_mask", found, 7.0, 3.0)
        for backend in TOOLS["segment_points"].backends:
            given = {} if backend.kind == "built-in" else {"context": SILENT}
            mask = backend.run(PICTURE, (Point(150, 150),), grow=7, feather=3, **given)
            assert (mask == wanted).all(), backend.id


class TestTwoColours:
    """One click on a thing whose parts have colours of their own."""

    @pytest.fixture(params=["grass", "gravel"])
    def ball(self, request) -> tuple[np.ndarray, np.ndarray]:
        """Blue above, yellow below."""
        picture, _ = scene("disc", request.param)
        y, x = np.mgrid[: SIZE[0], : SIZE[1]]
        whole = np.hypot(x - 190, y - 140) < 60
        for part, colour in ((whole & (y < 150), (30, 60, 200)), (whole & (y >= 150), (230, 210, 40))):
            picture[part] = colour
        outside = (np.hypot(x - 190, y - 140) < 75) & ~whole
        picture[outside] = GROUNDS[request.param][0][outside]  # what `scene` put there
        return picture, whole

    @pytest.mark.parametrize("place", [(190, 115), (190, 175)])
    def test_one_click_selects_the_whole_thing(self, ball, place):
        picture, whole = ball
        assert iou(run("segment_points", picture, (Point(*place),)), whole) > 0.9

    def test_the_clicked_part_alone_is_the_small_reading(self, ball):
        picture, _ = ball
        part = run("segment_points", picture, (Point(190, 115),), "small")
        assert part[115, 190] == 255 and part[180, 190] == 0

    def test_a_click_on_what_does_not_belong_leaves_it_out(self, ball):
        picture, _ = ball
        mask = run("segment_points", picture, (Point(190, 115), Point(190, 175, include=False)))
        assert mask[115, 190] == 255 and mask[180, 190] == 0


def test_growing_regions_reach_pieces_in_the_order_of_their_distance():
    """As the plain algorithm (Dijkstra 1959) does it."""
    import heapq

    from nodes._support.vision import superpixels

    found = superpixels.pieces(scene("disc", "brick")[0], 120)
    seed = int(found.numbers[140, 190])
    alike = np.linalg.norm(found.colours - found.colours[seed], axis=1)
    usual = np.median(found.steps)
    away, queue, order = {}, [(0.0, seed)], []
    while queue:
        distance, piece = heapq.heappop(queue)
        if piece in away:
            continue
        away[piece] = distance
        order.append(piece)
        for (a, b), step in zip(found.pairs.tolist(), found.steps.tolist(), strict=True):
            if piece in (a, b):
                other = a + b - piece
                heapq.heappush(queue, (distance + max(0, step - usual) ** 1.3 + 0.12 * alike[other] + 0.05, other))
    given, distances = superpixels.by_distance(found, np.array([seed]))
    assert given.tolist() == order
    assert np.allclose(distances, [away[i] for i in range(len(distances))])


def test_holes_are_filled_and_what_opens_at_the_border_is_not():
    from nodes._support.vision import cutout

    ring = np.zeros((20, 30), bool)
    ring[4:14, 4:14] = True
    ring[7:10, 7:10] = False
    ring[4:14, 20:] = True
    ring[7:10, 24:] = False
    filled = cutout._filled(ring)
    assert filled[8, 8] and not filled[8, 27] and (filled >= ring).all() and filled.sum() == ring.sum() + 9


def test_a_rough_mask_is_brought_to_the_outline():
    image = np.full((200, 300, 3), 230, np.uint8)
    rows, columns = np.ogrid[:200, :300]
    thing = (rows - 100) ** 2 + (columns - 150) ** 2 < 50**2
    image[thing] = (30, 60, 200)
    rough = np.where((rows - 98) ** 2 + (columns - 152) ** 2 < 44**2, 255, 0).astype(np.uint8)

    def overlap(mask: np.ndarray) -> float:
        return ((mask > 127) & thing).sum() / ((mask > 127) | thing).sum()

    found = TOOLS["segment_mask"].backends[0].run(image, rough, context=SILENT)
    assert overlap(rough) < 0.8 < 0.97 < overlap(found)
    with pytest.raises(NodeError):
        TOOLS["segment_mask"].backends[0].run(image, np.zeros((200, 300), np.uint8), context=SILENT)


def test_the_subject_is_what_stands_in_front():
    disc = shape_of("disc")
    picture = np.where(disc[:, :, None], np.uint8([200, 60, 40]), np.uint8([90, 140, 190])) * np.ones(
        (1, 1, 3), np.uint8
    )
    assert iou(run("segment_subject", picture), disc) > 0.95
    refused("image", "segment_subject", np.full((*SIZE, 3), 128, np.uint8))


def test_people_are_the_subject_of_their_picture():
    with Image.open(RESOURCES / "examples" / "group.jpg") as file:
        picture = np.asarray(file.convert("RGB"))
    mask = run("segment_subject", picture)
    faces = TOOLS["detect_faces"].backends[0].run(picture)
    assert len(faces) > 1 and mask.shape == picture.shape[:2] and (mask < 50).mean() > 0.2
    assert all(mask[round((box.y0 + box.y1) / 2), round((box.x0 + box.x1) / 2)] > 200 for box in faces)
