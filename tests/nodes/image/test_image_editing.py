"""What every picture-to-picture filter promises: size, alpha, mask, odd pictures."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from skimage import data

from nodes import load_tools
from nodes._support.imaging.pixels import colour_of
from nodes.api import NodeError, RunContext

TOOLS = load_tools().tools
MASKED = (
    "blur", "pixelate", "black_and_white", "sepia", "invert_colours", "brightness_contrast", "auto_contrast",
    "white_balance", "sharpen", "denoise", "deblur", "posterise", "pencil_sketch", "cartoon", "oil_painting",
    "watercolour", "emboss",
)  # fmt: skip
SAME_SIZE = (*MASKED, "vignette")
EXTRA = {"brightness_contrast": {"change": "brighter"}, "deblur": {"radius": 1.5}}


def run(id: str, *values, **named):
    function = TOOLS[id].backends[0].run
    if "context" in inspect.signature(function).parameters:
        named.setdefault("context", RunContext(Path()))
    return function(*values, **named)


def apply(id: str, image: np.ndarray, **named) -> np.ndarray:
    return run(id, image, **EXTRA.get(id, {}), **named)


@pytest.fixture(scope="module")
def noisy() -> np.ndarray:
    """A corner of the astronaut with noise, so that every filter has something to do."""
    picture = data.astronaut()[40:200, 120:320].astype(np.float64)
    return np.clip(picture * 0.9 + np.random.default_rng(1).normal(0, 8, picture.shape), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def disc(noisy) -> np.ndarray:
    y, x = np.mgrid[: noisy.shape[0], : noisy.shape[1]]
    return np.where(np.hypot(y - 80, x - 100) < 50, 255, 0).astype(np.uint8)


def is_picture(value: np.ndarray) -> bool:
    return value.dtype == np.uint8 and value.ndim == 3 and value.shape[2] in (3, 4) and value.flags.c_contiguous


@pytest.mark.parametrize("id", SAME_SIZE)
def test_filter_changes_the_picture_and_keeps_its_size(id, noisy):
    before = noisy.copy()
    result = apply(id, noisy)
    assert is_picture(result) and result.shape == noisy.shape
    assert (result != noisy).any()
    assert np.array_equal(noisy, before), "the input was modified"


@pytest.mark.parametrize("id", SAME_SIZE)
def test_filter_gives_the_same_result_twice(id, noisy):
    assert np.array_equal(apply(id, noisy), apply(id, noisy))


@pytest.mark.parametrize("id", SAME_SIZE)
def test_filter_keeps_alpha(id, noisy, disc):
    clear = np.dstack((noisy, disc))
    result = apply(id, clear)
    assert result.shape == clear.shape and np.array_equal(result[:, :, 3], disc)
    assert np.array_equal(result[:, :, :3], apply(id, noisy))


@pytest.mark.parametrize("id", MASKED)
def test_filter_leaves_what_the_mask_leaves_out(id, noisy, disc):
    result = apply(id, noisy, mask=disc)
    assert np.array_equal(result[disc == 0], noisy[disc == 0])
    assert (result[disc == 255] != noisy[disc == 255]).any()


@pytest.mark.parametrize("id", [id for id in MASKED if id not in ("blur", "white_balance")])
def test_filter_under_a_full_mask_is_the_filter(id, noisy):
    full = np.full(noisy.shape[:2], 255, np.uint8)
    assert np.array_equal(apply(id, noisy, mask=full), apply(id, noisy))


@pytest.mark.parametrize("id", MASKED)
def test_empty_mask_leaves_the_picture(id, noisy):
    assert np.array_equal(apply(id, noisy, mask=np.zeros(noisy.shape[:2], np.uint8)), noisy)


@pytest.mark.parametrize("id", [*MASKED, "remove_object", "cut_out", "replace_background", "redact"])
def test_mask_of_another_size_is_refused(id, noisy):
    with pytest.raises(NodeError) as caught:
        apply(id, noisy, mask=np.full((7, 9), 255, np.uint8))
    assert caught.value.port == "mask"
    assert "9 × 7" in caught.value.message and "200 × 160" in caught.value.message


@pytest.mark.parametrize("id", ["remove_object", "cut_out", "replace_background", "redact"])
def test_nothing_selected_is_an_error(id, noisy):
    with pytest.raises(NodeError) as caught:
        apply(id, noisy, mask=np.zeros(noisy.shape[:2], np.uint8))
    assert caught.value.port == "mask"


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 1, 4), (2, 3, 3), (1, 40, 4), (40, 1, 3)])
@pytest.mark.parametrize("id", SAME_SIZE)
def test_filter_takes_the_smallest_pictures(id, shape):
    picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    assert apply(id, picture).shape == shape
    if id in MASKED:
        mask = np.zeros(shape[:2], np.uint8)
        mask[0, 0] = 255
        assert apply(id, picture, mask=mask).shape == shape


@pytest.mark.parametrize("id", SAME_SIZE)
@pytest.mark.parametrize("level", [0, 128, 255])
def test_filter_takes_plain_pictures(id, level):
    assert apply(id, np.full((20, 30, 3), level, np.uint8)).shape == (20, 30, 3)


@pytest.mark.parametrize(
    "id",
    ["black_and_white", "invert_colours", "sepia", "brightness_contrast", "vignette", "posterise", "pixelate", "blur"],
)
def test_twenty_megapixels_are_no_hurdle(id):
    large = np.broadcast_to(np.arange(256, dtype=np.uint8)[None, :, None], (1, 256, 3)).repeat(16, axis=1)
    large = large.repeat(4882, axis=0)  # 4096 x 4882
    assert apply(id, large).shape == large.shape


@pytest.mark.parametrize(
    ("lighter", "darker"),
    [("cream", "sage"), ("pale sage", "sage"), ("sage", "dark sage"), ("light terracotta", "terracotta")],
)
def test_colours_and_their_shades_are_known_by_name(lighter, darker):
    assert sum(colour_of(lighter)) > sum(colour_of(darker))


def test_a_word_before_a_known_colour_may_name_it_alone():
    assert colour_of("mustard yellow") == colour_of("mustard")
    with pytest.raises(NodeError):
        colour_of("blurple yellow")
