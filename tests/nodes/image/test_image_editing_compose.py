"""Pictures on pictures, text on pictures, cut-outs."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import features
from skimage import data

from nodes._support.imaging import typeset
from nodes._support.imaging.lettering import lettered
from nodes._support.media import captions
from nodes.api import NodeError, RunContext
from nodes.image.add_text import add_text
from nodes.image.before_after import before_after
from nodes.image.blend import blend
from nodes.image.collage import collage
from nodes.image.cut_out import cut_out as cut_out_with
from nodes.image.overlay import overlay
from nodes.image.replace_background import replace_background
from nodes.image.stitch_side_by_side import stitch_side_by_side
from nodes.image.watermark import watermark

CAT, CUP = data.chelsea(), data.coffee()
cut_out = partial(cut_out_with, context=RunContext(Path()))
CLEAR = np.dstack((CAT, np.full(CAT.shape[:2], 255, np.uint8)))


def plain(width: int, height: int, *colour: int) -> np.ndarray:
    return np.full((height, width, len(colour)), colour, np.uint8)


def ball() -> tuple[np.ndarray, np.ndarray]:
    """A red ball on a shaded blue wall, and its mask."""
    y, x = np.mgrid[:200, :260]
    picture = np.dstack((90 + x // 8, 110 + y // 8, 200 - x // 8)).astype(np.uint8)
    mask = cv2.circle(np.zeros((200, 260), np.uint8), (130, 105), 55, 255, -1)
    picture[mask > 0] = (200, 40, 30)
    noise = np.random.default_rng(0).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), mask


def test_overlay_puts_the_picture_at_its_place():
    result = overlay(CAT, plain(20, 10, 255, 0, 0), x=30, y=40)
    assert (result[40:50, 30:50] == (255, 0, 0)).all()
    result[40:50, 30:50] = CAT[40:50, 30:50]
    assert np.array_equal(result, CAT)


def test_overlay_respects_alpha_and_opacity():
    half = plain(10, 10, 255, 255, 255, 128)
    base = plain(30, 30, 0, 0, 0)
    assert overlay(base, half, x=0, y=0)[5, 5, 0] == 128
    assert overlay(base, half, x=0, y=0, opacity=0.5)[5, 5, 0] == 64
    assert np.array_equal(overlay(base, plain(10, 10, 9, 9, 9, 0)), base)


def test_overlay_on_transparent_ground_becomes_visible():
    result = overlay(plain(30, 30, 0, 0, 0, 0), plain(10, 10, 10, 200, 30), x=25, y=-5)
    assert (result[:5, 25:] == (10, 200, 30, 255)).all() and (result[5:, :, 3] == 0).all()


def test_overlay_named_place_and_scale():
    result = overlay(plain(100, 60, 0, 0, 0), plain(10, 10, 255, 255, 255), "bottom right", scale=2.0)
    assert (result[40:, 80:] == 255).all() and result.sum() == 20 * 20 * 3 * 255


def test_overlay_out_of_sight_is_refused():
    with pytest.raises(NodeError) as caught:
        overlay(CAT, plain(10, 10, 1, 2, 3), x=451, y=0)
    assert caught.value.port == "x"


@pytest.mark.parametrize(("position", "rows"), [("top", slice(0, 100)), ("bottom", slice(200, 300))])
def test_text_is_written_where_it_is_said(position, rows):
    changed = (add_text(CAT, "Hello", position) != CAT).any(axis=2)
    assert changed[rows].any()
    changed[rows] = False
    assert not changed.any()


@pytest.mark.parametrize("position", ["above", "below"])
def test_caption_strip_leaves_the_picture_whole(position):
    result = add_text(CLEAR, "Our cat", position, "black")
    assert result.shape[0] > 300 and result.shape[1:] == (451, 4)
    picture = result[-300:] if position == "above" else result[:300]
    assert np.array_equal(picture, CLEAR)
    strip = result[:-300] if position == "above" else result[300:]
    assert (strip[0, 0] == 255).all() and (strip[:, :, :3].min(axis=(0, 1)) < 30).all()


@pytest.mark.parametrize(
    "text", ["word " * 60, "Donaudampfschifffahrtsgesellschaft" * 3, "ä ß é — “quoted”", "one\ntwo"]
)
def test_any_text_fits_into_the_picture(text):
    letters, edge = lettered(text, 40, 200, 150, outline=0.07)
    assert letters.shape == edge.shape and letters.shape[0] <= 150 and letters.shape[1] <= 200
    assert letters.max() > 0


OTHER_SCRIPTS = ["北京的天气 today", "مرحبا بالعالم", "Привет, мир", "Γειά σου"]


@pytest.mark.parametrize("text", OTHER_SCRIPTS)
def test_what_a_card_can_write_every_tool_can(text):
    if typeset.missing(text):
        pytest.skip("no font here has these letters")
    for written in (add_text(CAT, text), watermark(CAT, text)):
        assert not np.array_equal(written, CAT)
    caption = captions.drawn(text, 300, 100, 24)
    assert 3 * 24 < caption.shape[1] <= 300 and caption[:, :, 3].max() == 255
    ink = [lettered(letter, 40, 200, 100)[0].tobytes() for letter in dict.fromkeys(text) if letter.isalnum()]
    assert len(set(ink)) == len(ink), "two letters look the same: a box for unknown ones?"


@pytest.mark.skipif(shutil.which("fc-match") is None, reason="fontconfig's program is not installed")
def test_a_font_that_lies_anywhere_is_found(monkeypatch):
    script = "⠓⠑⠇⠇⠕"  # braille: in DejaVu, but not in the font of the program
    if typeset.missing(script):
        pytest.skip("no font here has these letters")
    monkeypatch.setattr(typeset, "_present", tuple)
    monkeypatch.setattr(typeset, "_found", [])
    typeset._path_of.cache_clear()
    assert typeset.missing(script) == "" and not np.array_equal(add_text(CAT, script), CAT)
    assert typeset.missing("\U0010fffd"), "no font has it"
    typeset._path_of.cache_clear()


def test_arabic_letters_join_from_right_to_left():
    text = "سلام"
    if typeset.missing(text) or not features.check("raqm"):
        pytest.skip("no font or no shaper for Arabic here")
    word, letters = lettered(text, 60, 900, 200)[0], [lettered(each, 60, 900, 200)[0] for each in text]
    assert word.shape[1] < sum(each.shape[1] for each in letters), "joined letters are narrower"
    meem = lettered(text[-1], 60, 900, 200)[0]
    assert (word[:, : meem.shape[1] // 2] > 0).any(axis=1)[-5:].any(), "the tail of the last letter is at the left"


def test_text_size_is_kept_when_there_is_room():
    small, large = (lettered("HHH", size, 900, 900)[0].shape[0] for size in (20, 40))
    assert large == pytest.approx(2 * small, abs=3)


@pytest.mark.parametrize("tool", [add_text, watermark])
def test_empty_text_is_refused(tool):
    with pytest.raises(NodeError) as caught:
        tool(CAT, "  ")
    assert caught.value.port == "text"


def test_letters_that_no_font_has_are_refused():
    with pytest.raises(NodeError) as caught:
        add_text(CAT, "\U0001f9ff\U0010fffd")
    assert caught.value.port == "text"


@pytest.mark.parametrize("tool", [add_text, watermark])
@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 50, 4)])
def test_text_on_tiny_pictures(tool, shape):
    assert tool(np.zeros(shape, np.uint8), "Hello").shape == shape


def test_watermark_is_faint_and_in_its_corner():
    gray = plain(400, 300, 128, 128, 128)
    marked = watermark(gray, "© Ana").astype(int)
    assert np.abs(marked - 128).max() in range(50, 68)
    y, x = np.nonzero((marked != 128).any(axis=2))
    assert y.min() > 250 and x.min() > 250
    assert np.array_equal(watermark(gray, "x", opacity=0.0), gray)


def test_tiled_watermark_is_everywhere():
    changed = (watermark(CAT, "DRAFT", "tiled") != CAT).any(axis=2)
    assert all(changed[y : y + 100, x : x + 150].any() for y in (0, 100, 200) for x in (0, 150, 300))


def test_blend_is_the_weighted_mean_at_the_size_of_the_first():
    result = blend(plain(30, 20, 0, 100, 200), plain(90, 10, 200, 100, 0), 0.25)
    assert result.shape == (20, 30, 3) and (result == (50, 100, 150)).all()
    assert np.array_equal(blend(CAT, CUP, 0.0), CAT)


def test_blend_with_alpha_takes_no_colour_from_clear_pixels():
    result = blend(plain(5, 5, 10, 20, 30, 255), plain(5, 5, 255, 255, 255, 0))
    assert (result == (10, 20, 30, 128)).all()


def test_collage_shows_every_picture_whole():
    colours = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255))
    sizes = ((60, 40), (40, 60), (50, 50), (90, 20), (50, 50))
    pictures = tuple(plain(*size, *colour) for size, colour in zip(sizes, colours, strict=True))
    page = collage(pictures, gap=5, colour="black")
    assert page.shape == (2 * 55 + 5, 3 * 55 + 5, 3)
    for (width, height), colour in zip(sizes, colours, strict=True):
        y, x = np.nonzero((np.abs(page.astype(int) - colour) < 30).all(axis=2))
        shown = (np.ptp(x) + 1) / (np.ptp(y) + 1)
        assert shown == pytest.approx(width / height, rel=0.1)


def test_collage_of_one_and_of_none():
    assert np.array_equal(collage((CAT,), gap=0), CAT)
    with pytest.raises(NodeError) as caught:
        collage(())
    assert caught.value.port == "images"


def test_joined_pictures_stand_side_by_side_at_the_height_of_the_tallest():
    row = stitch_side_by_side((CAT, CUP), gap=10, colour="red")
    assert row.shape == (400, 601 + 10 + 600, 3)
    assert np.array_equal(row[:, 611:], CUP) and (row[:, 601:611] == (255, 0, 0)).all()
    assert stitch_side_by_side((CAT, CUP), "stacked").shape == (400 + 399, 600, 3)


def test_joining_nothing_is_refused():
    with pytest.raises(NodeError) as caught:
        stitch_side_by_side(())
    assert caught.value.port == "images"


def test_before_and_after_show_both():
    both = before_after(CAT, 255 - CAT, labels=False)
    assert np.array_equal(both[:, :451], CAT) and np.array_equal(both[:, -451:], 255 - CAT)
    split = before_after(CAT, 255 - CAT, "split", labels=False)
    assert split.shape == CAT.shape
    assert np.array_equal(split[:, :200], CAT[:, :200]) and np.array_equal(split[:, -200:], 255 - CAT[:, -200:])


def test_labels_are_written_in_both_halves():
    without, labelled = (before_after(CAT, CAT, labels=flag) for flag in (False, True))
    changed = (without != labelled).any(axis=2)
    assert changed[:60, :150].any() and changed[:60, 455:600].any() and not changed[100:].any()


def test_cut_out_takes_alpha_from_the_mask():
    picture, mask = ball()
    soft = cv2.GaussianBlur(mask, (0, 0), 2)
    result = cut_out(picture, soft)
    assert result.shape == (200, 260, 4) and np.array_equal(result[:, :, 3], soft)
    assert np.array_equal(result[soft == 255, :3], picture[soft == 255])
    rim = (soft > 20) & (soft < 235)
    assert (result[rim, 0] > 150).all(), "the blue wall shines through at the edge"


def test_cut_out_keeps_what_was_transparent():
    picture, mask = ball()
    clear = np.dstack((picture, np.where(np.arange(260) < 130, 0, 255).astype(np.uint8)[None].repeat(200, 0)))
    assert (cut_out(clear, mask)[:, :130, 3] == 0).all()


def overlap(alpha: np.ndarray, mask: np.ndarray) -> float:
    one, other = alpha > 127, mask > 127
    return (one & other).sum() / (one | other).sum()


def test_cut_out_finds_the_main_object():
    picture, mask = ball()
    assert overlap(cut_out(picture)[:, :, 3], mask) > 0.95


def test_cut_out_finds_the_cup_in_a_photograph():
    truth = cv2.ellipse(np.zeros(CUP.shape[:2], np.uint8), (278, 215), (200, 172), 0, 0, 360, 255, -1)
    truth |= cv2.ellipse(np.zeros(CUP.shape[:2], np.uint8), (285, 90), (112, 75), 0, 0, 360, 255, -1)
    assert overlap(cut_out(CUP)[:, :, 3], truth) > 0.8


def logo() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Four times smoothed: a blue badge on white, with a white ring in it and a grey bar over its edge; and where its
    surroundings and the inside of the ring are, without the pixels of edges.
    """
    big = np.full((640, 960, 3), 255, np.uint8)
    cv2.circle(big, (480, 320), 280, (20, 60, 180), -1)
    cv2.rectangle(big, (80, 300), (240, 340), (120, 120, 120), -1)
    cv2.circle(big, (480, 320), 140, (255, 255, 255), 60)
    picture = cv2.resize(big, (240, 160), interpolation=cv2.INTER_AREA)
    away = np.hypot(*(np.mgrid[:160, :240] - np.array([79.5, 119.5])[:, None, None]))
    outside = (away > 73) & (np.abs(np.mgrid[:160, :240][0] - 79.5) > 8)
    return picture, outside, (away > 29) & (away < 41)


@pytest.mark.parametrize("colour", ["white", "#ffffff"])
def test_a_colour_is_made_transparent_from_the_border_on_and_inside_only_if_wished(colour):
    picture, outside, ring = logo()
    alpha = cut_out(picture, None, colour)[:, :, 3]
    assert (alpha[outside] == 0).all() and (alpha[ring] == 255).all()
    assert 0.31 * alpha.size < (alpha > 127).sum() < 0.41 * alpha.size
    everywhere = cut_out(picture, None, colour, True)[:, :, 3]
    assert (everywhere[outside] == 0).all() and (everywhere[ring] == 0).all() and everywhere[80, 120] == 255


def test_the_edge_of_what_is_left_has_no_rim_of_the_colour():
    picture, _, _ = logo()
    result = cut_out(picture, None, "white").astype(float)
    share = result[:, :, 3:] / 255
    on_white = result[:, :, :3] * share + 255 * (1 - share)
    assert np.abs(on_white - picture).max() < 40 and np.abs(on_white - picture).mean() < 0.5
    partly = (result[:, :, 3] > 20) & (result[:, :, 3] < 235)
    assert partly.sum() > 100 and (result[partly][:, 0] < 140).all(), "white shines through at the edge"


def test_a_colour_that_does_not_reach_the_border_goes_everywhere_and_that_is_told():
    picture, outside, _ = logo()
    context = RunContext(Path())
    alpha = cut_out_with(picture, None, "blue", context=context)[:, :, 3]
    assert (alpha[outside] == 255).all() and alpha[80, 120] == 0 and "does not reach the border" in context.told[0]
    with pytest.raises(NodeError, match="has red nowhere") as caught:
        cut_out(picture, None, "red")
    assert caught.value.port == "transparent_colour"


def test_what_is_transparent_already_leads_to_the_colour_behind_it():
    picture, _, ring = logo()
    clear = np.dstack((picture, np.where(np.arange(160) < 80, 0, 255).astype(np.uint8)[:, None].repeat(240, 1)))
    assert (cut_out(clear, None, "white")[:80, :, 3] == 0).all()
    assert (cut_out(picture, np.where(ring, 255, 0).astype(np.uint8), "white")[:, :, 3] == np.where(ring, 255, 0)).all()


@pytest.mark.parametrize("picture", [plain(100, 80, 7, 7, 7), plain(1, 1, 0, 0, 0), plain(9, 300, 200, 0, 0)])
@pytest.mark.parametrize("tool", [cut_out, replace_background])
def test_no_object_is_an_error_that_asks_for_a_mask(tool, picture):
    with pytest.raises(NodeError) as caught:
        tool(picture)
    assert caught.value.port == "mask"


def test_background_becomes_a_colour_or_a_picture():
    picture, mask = ball()
    green = replace_background(picture, None, mask, "lime")
    assert (green[mask == 0] == (0, 255, 0)).all() and np.array_equal(green[mask == 255], picture[mask == 255])
    beach = replace_background(picture, CUP, mask)
    assert beach.shape == picture.shape and np.array_equal(beach[mask == 255], picture[mask == 255])
    assert (beach[mask == 0] != picture[mask == 0]).any()


def test_cut_out_needs_no_mask_for_a_new_background():
    picture, mask = ball()
    result = replace_background(cut_out(picture, mask), colour="black")
    assert result.shape[2] == 3 and (result[mask == 0] == 0).all()


@pytest.mark.parametrize(
    ("settings", "gap"),
    [({}, 12), ({"gap": 0}, 0), ({"gap": 7}, 7), ({"gap_percent": 10.0}, 4), ({"gap": 7, "gap_percent": 0}, 0)],
)
@pytest.mark.parametrize("direction", ["side by side", "stacked"])
def test_a_gap_between_pictures_has_its_colour_and_size(settings, gap, direction):
    one, two = plain(40, 40, 9, 9, 9), plain(20, 20, 90, 9, 9)
    result = stitch_side_by_side((one, two), direction, colour="lime", **settings)
    result = result if direction == "side by side" else result.transpose(1, 0, 2)
    assert result.shape == (40, 80 + gap, 3)
    assert (result[:, :40] == 9).all() and (result[:, 40 : 40 + gap] == (0, 255, 0)).all()
    assert (result[:, 40 + gap :] == (90, 9, 9)).all()


@pytest.mark.parametrize(("settings", "gap"), [({}, 12), ({"gap": 0}, 0), ({"gap_percent": 25.0}, 5)])
def test_the_gaps_of_a_collage_are_of_one_size(settings, gap):
    result = collage((plain(40, 20, 9, 9, 9),) * 4, colour="black", **settings)
    assert result.shape == (2 * 20 + 3 * gap, 2 * 40 + 3 * gap, 3)
    assert np.count_nonzero((result == 9).all(axis=2)) == 4 * 800


def test_without_a_word_about_it_there_is_no_gap():
    assert stitch_side_by_side((plain(40, 40, 9, 9, 9),) * 2).shape == (40, 80, 3)
