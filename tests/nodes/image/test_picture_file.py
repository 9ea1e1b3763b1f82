"""Pictures as files: in the form that is asked for, and never larger than is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from nodes._support.imaging import picture_files
from nodes.api import NodeError
from tests.nodes.av_media import run

NOISE = np.random.default_rng(1).integers(0, 256, (300, 400, 3), np.uint8)
SMOOTH = np.dstack([np.tile(np.linspace(0, 255, 400).astype(np.uint8), (300, 1))] * 3)


@pytest.mark.parametrize(("format", "form"), [("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"), ("tiff", "TIFF")])
def test_the_file_is_in_its_form_and_has_its_ending(tmp_path, format, form):
    path = run("picture_file", SMOOTH, format, folder=tmp_path)
    with Image.open(path) as opened:
        assert opened.format == form and opened.size == (400, 300) and path.suffix == f".{format}"


@pytest.mark.parametrize("format", ["jpg", "webp"])
@pytest.mark.parametrize("kilobytes", [100, 30, 8, 3])
def test_a_size_is_kept_to(tmp_path, format, kilobytes):
    path = run("picture_file", NOISE, format, kilobytes, folder=tmp_path)
    assert 0.3 * kilobytes * 1000 < path.stat().st_size <= kilobytes * 1000


def test_no_quality_is_given_away_where_the_size_allows_it(tmp_path):
    free = run("picture_file", SMOOTH, "jpg", folder=tmp_path).read_bytes()
    assert run("picture_file", SMOOTH, "jpg", 5000, folder=tmp_path).read_bytes() == free


def test_all_pixels_are_kept_as_long_as_it_looks_well(tmp_path):
    most = len(picture_files.encode(NOISE, ".jpg", 50)) / 1000
    with Image.open(run("picture_file", NOISE, "jpg", most, folder=tmp_path)) as opened:
        assert opened.size == (400, 300)
    with Image.open(run("picture_file", NOISE, "jpg", most / 4, folder=tmp_path)) as opened:
        assert opened.width < 400 and opened.width / opened.height == pytest.approx(4 / 3, rel=0.05)


def test_less_quality_makes_a_smaller_file(tmp_path):
    sizes = [run("picture_file", NOISE, "jpg", None, q, folder=tmp_path).stat().st_size for q in (20, 60, 95)]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(("format", "kilobytes"), [("png", 100), ("tiff", 100), ("jpg", 0.1), ("webp", 0.02)])
def test_a_size_that_cannot_be_had_is_refused_in_words(tmp_path, format, kilobytes):
    with pytest.raises(NodeError, match=f"{kilobytes:g} kB") as refused:
        run("picture_file", NOISE, format, kilobytes, folder=tmp_path)
    assert refused.value.port == "size_kb" and "Choose" in str(refused.value)


def test_a_picture_that_is_too_large_for_the_form_is_refused(tmp_path):
    with pytest.raises(NodeError, match="16383 pixels") as refused:
        run("picture_file", np.zeros((2, 20_000, 3), np.uint8), "webp", folder=tmp_path)
    assert refused.value.port == "format"
