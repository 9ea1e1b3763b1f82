"""One or several values as a tuple, and names that are free."""

from __future__ import annotations

import pytest

from desktop_app.core.values import NUMBERED_FILE, several, shortened, size_of, unused_name


@pytest.mark.parametrize(("value", "expected"), [((1, 2), (1, 2)), (1, (1,)), ((), ()), (None, ()), ("ab", ("ab",))])
def test_a_tuple_stays_and_one_becomes_a_tuple(value, expected):
    assert several(value) == expected


@pytest.mark.parametrize(
    ("name", "taken", "form", "expected"),
    [
        ("blur", (), "{name}_{n}", "blur"),
        ("blur", ("blur", "blur_2"), "{name}_{n}", "blur_3"),
        ("a.tar.gz", ("a.tar.gz",), NUMBERED_FILE, "a.tar-2.gz"),
        (".profile", (".profile",), NUMBERED_FILE, ".profile-2"),
        ("{n}", ("{n}",), "{name}, way {n}", "{n}, way 2"),
    ],
)
def test_a_taken_name_gets_the_first_free_number(name, taken, form, expected):
    assert unused_name(name, taken.__contains__, form) == expected


@pytest.mark.parametrize(
    ("text", "most", "said"),
    [("tell him the meeting", 20, "tell him the meeting"), ("tell him the meeting is on", 22, "tell him the meeting…"),
     ("tell him, the meeting", 12, "tell him…"), ("a" * 30, 10, f"{'a' * 9}…"),
     ("告诉他会议改期了并且带上所有的图纸", 9, "告诉他会议改期了…")],
)  # fmt: skip
def test_a_text_is_cut_behind_a_word(text, most, said):
    assert shortened(text, most) == said


@pytest.mark.parametrize(("count", "said"), [(999_600_000, "1.0 GB"), (99_000_000, "99 MB"), (200_000, "1 MB")])
def test_a_size_is_the_same_in_a_question_and_on_a_card(count, said):
    """One said "1000 MB", the other "1.0 GB"."""
    assert size_of(count) == said
