"""Amounts as people read them."""

from __future__ import annotations

import pytest

from desktop_app.ui.support import formatting


@pytest.mark.parametrize(("seconds", "said"), [(7.9, "0:07"), (750, "12:30"), (3725.2, "1:02:05")])
def test_a_place_in_a_film_is_told_as_players_tell_it(seconds, said):
    assert formatting.clock(seconds) == said
