"""Amounts as people read them."""

from __future__ import annotations

import pytest

from desktop_app.ui.support import formatting


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("OpenCV Gaussian · 7.3 s", ["Gaussian ·", "7.3 s"]),
        ("a small model (99 MB)", ["(99 MB)"]),
        ("a picture (640 × 427)", ["(640 × 427)"]),
        ("12 steps of 3", []),
    ],
)
def test_no_line_ends_within_an_amount(text, whole):
    shown = formatting.unbroken(text)
    assert shown.replace("\N{NO-BREAK SPACE}", " ") == text
    assert [
        part.replace("\N{NO-BREAK SPACE}", " ") for part in shown.split(" ") if "\N{NO-BREAK SPACE}" in part
    ] == whole


@pytest.mark.parametrize(("seconds", "said"), [(7.9, "0:07"), (750, "12:30"), (3725.2, "1:02:05")])
def test_a_place_in_a_film_is_told_as_players_tell_it(seconds, said):
    assert formatting.clock(seconds) == said
