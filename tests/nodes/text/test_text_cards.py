"""Text set as a picture, and the codes that hold text."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import features
from pypdf import PdfReader

from nodes._support.imaging import cards, typeset
from nodes._support.imaging.pixels import colour_of
from nodes.api import NodeError, RunContext
from nodes.image.pdf_to_pictures import pdf_to_pictures
from nodes.image.read_codes import read_codes
from nodes.text.poster import poster
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


@pytest.mark.parametrize("shaped", [True, False])
@pytest.mark.parametrize("style", ["quote", "note"])
def test_what_is_read_from_the_right_stands_at_the_right_with_its_first_letter(style, shaped, monkeypatch):
    if typeset.missing("שלום"):
        pytest.skip("no font here has these letters")
    monkeypatch.setattr(features, "check", lambda name: shaped and name == "raqm")
    typeset.width_of.cache_clear()
    long, short = "שלום לכולם ולכל מי שבא היום אל הנמל", "אט"
    picture = text_card(f"{long} {long}\n{short}", "דנה", style, "paper", 900, 500)
    typeset.width_of.cache_clear()
    dark = np.argwhere(picture.max(axis=2) < 120)
    left, right = (int((dark[:, 1] < 450).sum()), int((dark[:, 1] >= 450).sum()))
    assert right > left
    last = dark[dark[:, 0] > dark[:, 0].max() - 30]
    assert last[:, 1].min() > 600, "the last line is short, and at the right"
    mark = np.argwhere((picture[:80, :, 2] < 80) & (picture[:80, :, 0] > 150))[:, 1]
    assert mark.min() > 450


def test_letters_have_their_order_without_a_shaper(monkeypatch):
    if typeset.missing("אב"):
        pytest.skip("no font here has these letters")
    monkeypatch.setattr(features, "check", lambda name: False)
    ((_, drawn),) = typeset.runs("אב 12", "regular")
    assert drawn == "12 בא"


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


@pytest.mark.parametrize(
    ("colour", "background"),
    [("green", "white"), ("navy", "pale yellow"), ("#b03060", "#ffeedd"), ("orange", "white"), ("white", "black")],
)
def test_a_code_in_colours_has_these_alone_and_is_read_back(colour, background):
    code = make_code("https://example.com", 300, "medium", colour, background)
    assert {tuple(one) for one in code.reshape(-1, 3)} == {colour_of(colour), colour_of(background)}
    assert (code[0] == colour_of(background)).all(), "the margin is of the ground"
    assert read_codes(code)[0] == "https://example.com"


@pytest.mark.parametrize(
    ("colour", "background", "port"),
    [("yellow", "white", "colour"), ("navy", "black", "colour"), ("red", "green", "colour"),
     ("loud", "white", "colour"), ("black", "loud", "background")],
)  # fmt: skip
def test_a_code_that_no_reader_would_see_is_refused(colour, background, port):
    with pytest.raises(NodeError) as raised:
        make_code("hello", 300, "medium", colour, background)
    assert raised.value.port == port and raised.value.fix


@pytest.mark.parametrize("style", ["quote", "title", "note"])
@pytest.mark.parametrize(
    ("page", "orientation", "size"),
    [("A4", "portrait", (210, 297)), ("A4", "landscape", (297, 210)), ("letter", "portrait", (215.9, 279.4))],
)
def test_a_poster_is_one_page_of_its_paper_whose_words_are_text(tmp_path, style, page, orientation, size):
    context = RunContext(tmp_path)
    made = poster("Summer party", "Elm Road", style, "paper", page, orientation, context=context)
    (sheet,) = PdfReader(made).pages
    assert [float(side) / 72 * 25.4 for side in sheet.mediabox[2:]] == pytest.approx(size, abs=0.1)
    assert sheet.extract_text().split() == ["Summer", "party", *(["—"] if style == "quote" else []), "Elm", "Road"]


@pytest.mark.parametrize("style", ["quote", "title", "note"])
def test_a_poster_looks_like_the_card_of_that_size(tmp_path, style):
    context = RunContext(tmp_path)
    made = poster("Be kind to each other", "Anna Huber", style, "night", context=context)
    (drawn,) = pdf_to_pictures(made, dpi=150, context=context)
    card = text_card("Be kind to each other", "Anna Huber", style, "night", 1240, 1754)
    assert drawn.shape[0] == 1754 and drawn.shape[1] in (1240, 1241)
    bare = cards.ground("", style, "night", 1240, 1754)
    made, wanted, empty = (cv2.GaussianBlur(p[:, :1240], (0, 0), 4).astype(int) for p in (drawn, card, bare))
    assert np.abs(made - wanted).mean() < 0.2 * np.abs(empty - wanted).mean()


def test_a_poster_without_words_or_with_far_too_many_is_refused(tmp_path):
    for text in (" ", "word " * 9000):
        with pytest.raises(NodeError) as raised:
            poster(text, context=RunContext(tmp_path))
        assert raised.value.port == "text"
