"""Text set as a picture, and the codes that hold text."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from nodes._support.imaging import typeset
from nodes.api import NodeError
from nodes.text.text_card import text_card
from nodes.web.make_code import make_code


@pytest.mark.parametrize("style", ["quote", "title", "note"])
@pytest.mark.parametrize("size", [(1200, 675), (400, 900), (64, 64)])
def test_the_words_stay_inside_the_margins(style, size):
    width, height = size
    picture = text_card("Be kind", "", style, "paper", width, height)
    assert picture.shape == (height, width, 3)
    dark = np.argwhere(picture.max(axis=2) < 120)
    assert len(dark) > 30
    margin = round(min(size) * 0.1) - 2
    assert dark[:, 0].min() >= margin and dark[:, 0].max() <= height - margin
    assert dark[:, 1].min() >= margin and dark[:, 1].max() <= width - margin


def test_a_longer_text_is_set_smaller_and_too_long_a_one_refused():
    def ink_height(text):
        rows = np.flatnonzero((text_card(text, "", "title", "paper", 800, 400).min(axis=2) < 90).any(axis=1))
        gaps = np.flatnonzero(np.diff(rows) > 1)
        return rows[gaps[0]] - rows[0] if len(gaps) else rows[-1] - rows[0]

    assert ink_height("Short") > 1.5 * ink_height("A text of several words that needs three lines or even more of them")
    with pytest.raises(NodeError) as raised:
        text_card("word " * 3000, width=300, height=200)
    assert raised.value.port == "text"


def test_the_source_line_is_drawn_below():
    plain, sourced = (text_card("Be kind", source, "title", "paper", 800, 400) for source in ("", "Anna Huber, 2024"))
    assert (plain[330:] != sourced[330:]).any()


def test_lines_are_broken_at_words_and_never_wider_than_allowed():
    lines = typeset.wrapped("The quick brown fox jumps over the lazy dog\nNext", 200, 30)
    assert " ".join(lines) == "The quick brown fox jumps over the lazy dog Next" and lines[-1] == "Next"
    assert all(typeset.width_of(line, 30) <= 200 for line in lines)
    assert all(typeset.width_of(line, 30) <= 90 for line in typeset.wrapped("Donaudampfschifffahrt", 90, 30))
    short = typeset.shortened("a very long line of words", 100, 30)
    assert short.endswith("…") and typeset.width_of(short, 30) <= 100


def test_letters_of_other_scripts_are_drawn_or_refused():
    chinese = "学而时习之"
    if typeset.missing(chinese):
        with pytest.raises(NodeError, match="No font"):
            text_card(chinese)
    else:
        first, second = (text_card(text, "", "title", "paper", 300, 300) for text in ("学", "时"))
        assert (first != second).any(), "they are not the same empty box"
    assert typeset.missing("Ñandú żółć Привет Καλημέρα 12 €") == ""
    assert typeset.missing("\U0010fffd") == "\U0010fffd"


@pytest.mark.parametrize("text", ["https://example.com/a?b=c", "Grüße 中文", "x" * 600, "12345"])
@pytest.mark.parametrize("safety", ["low", "medium", "high"])
def test_a_code_is_read_back(text, safety):
    code = make_code(text, 400, safety)
    assert code.shape[0] == code.shape[1] >= 400 and set(np.unique(code)) == {0, 255}
    assert cv2.QRCodeDetectorAruco().detectAndDecode(code)[0] == text


def test_codes_of_the_version_that_cannot_be_read_are_never_made():
    sides = {len(make_code("x" * length, 21, "low")) for length in (850, 890, 925)}
    assert sides == {97 + 8, 105 + 8}, "101 modules are left out"


def test_too_much_text_for_a_code_is_refused():
    assert make_code("x" * 2331).shape[0] > 180
    with pytest.raises(NodeError) as raised:
        make_code("x" * 2332)
    assert raised.value.port == "text"
