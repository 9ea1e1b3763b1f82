"""How alike pictures are, and where they differ."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import skimage.data

from nodes._support.imaging.pixels import SILENT
from nodes.api import NodeError
from nodes.image.compare_images import compare_images
from nodes.image.find_similar import find_similar


@pytest.fixture(scope="module")
def portrait() -> np.ndarray:
    return skimage.data.astronaut()


class TestComparing:
    def test_same_picture_is_wholly_alike(self, portrait):
        heat, number = compare_images(portrait, portrait)
        assert number == pytest.approx(1) and heat.shape == portrait.shape
        assert heat.max() < 120

    def test_changed_place_glows(self, portrait):
        changed = portrait.copy()
        changed[300:340, 50:90] = (0, 255, 0)
        heat, number = compare_images(portrait, changed)
        assert 0.9 < number < 1
        assert heat[320, 70].max() > 200 and heat[100, 300].max() < 120

    def test_other_shape_is_refused(self, portrait):
        with pytest.raises(NodeError) as caught:
            compare_images(portrait, portrait[:100])
        assert caught.value.port == "second"

    def test_single_pixels_are_compared(self):
        assert compare_images(np.zeros((1, 1, 3), np.uint8), np.full((1, 1, 3), 255, np.uint8))[1] == 0

    def test_copies_are_found_among_many(self, portrait):
        copy = cv2.GaussianBlur(cv2.resize(portrait, (300, 300)), (0, 0), 1.5)
        table = find_similar((skimage.data.coffee(), portrait, skimage.data.chelsea(), copy), SILENT)
        assert table.rows[0][:2] == (2, 4) and table.rows[0][3] in ("the same picture", "nearly the same")
        assert all(row[3] == "different" for row in table.rows[1:])

    def test_mirrored_and_turned_copies_are_found(self, portrait):
        table = find_similar((portrait, skimage.data.coffee(), portrait[:, ::-1], np.rot90(portrait)), SILENT)
        assert {row[:2] for row in table.rows if row[3] == "nearly the same"} == {(1, 3), (1, 4), (3, 4)}
        assert {row[3] for row in table.rows[3:]} == {"different"}

    def test_one_picture_alone_is_refused(self, portrait):
        with pytest.raises(NodeError) as caught:
            find_similar((portrait,), SILENT)
        assert caught.value.port == "images"
