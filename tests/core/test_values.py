"""One or several values as a tuple, and names that are free."""

from __future__ import annotations

import pytest

from desktop_app.core.values import NUMBERED_FILE, several, unused_name


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
