"""How the time of a step grows with its input, learnt from its earlier calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.storage.timings import Timing, growth_of, size_of

_SECONDS = st.floats(0.001, 1000)
_SIZES = st.floats(1, 1e9)
_CALLS = st.lists(st.builds(Timing, _SECONDS, st.one_of(st.just(0.0), _SIZES), _SIZES), min_size=1, max_size=12)


@given(_CALLS, _SIZES, _SIZES, st.booleans())
def test_more_never_takes_less_and_nothing_takes_less_than_no_time(calls, one, other, grows):
    growth = growth_of(calls, grows)
    assert 0 <= growth.seconds(min(one, other)) <= growth.seconds(max(one, other))


@given(_CALLS)
def test_an_unknown_size_takes_what_is_usual(calls):
    told = sorted(timing.seconds for timing in calls)
    assert told[(len(told) - 1) // 2] <= growth_of(calls).seconds(0) <= told[len(told) // 2]


@given(st.lists(_SIZES, min_size=2, max_size=9, unique=True), st.floats(0, 5), st.floats(1e-9, 1e-3), _SIZES)
def test_a_tool_that_grows_evenly_is_foretold(sizes, fixed, slope, size):
    if max(sizes) < 2 * min(sizes):
        return
    growth = growth_of([Timing(fixed + slope * one, one) for one in sizes])
    assert growth.seconds(size) == pytest.approx(fixed + slope * size, rel=1e-3, abs=1e-3)


@given(_SECONDS, _SIZES)
def test_the_size_that_was_measured_takes_what_it_took(seconds, size):
    assert growth_of([Timing(seconds, size)]).seconds(size) == pytest.approx(seconds)


def test_one_slow_call_does_not_bend_the_line():
    calls = [Timing(9.0, 1e6), *(Timing(0.1 * n, 1e6 * n) for n in range(1, 8))]
    assert growth_of(calls).seconds(20e6) == pytest.approx(2.0, rel=0.2)


def test_a_call_on_a_small_picture_foretells_a_large_one_only_where_it_grows():
    small = [Timing(0.3, 240_000)]
    assert 3.0 < growth_of(small).seconds(24e6) < 30.0
    assert growth_of(small, grows=False).seconds(24e6) == 0.3
    seen = [*small, Timing(0.32, 24e6)]
    assert growth_of(seen).seconds(48e6) < 0.4, "what was measured counts, not what was supposed"


def test_what_a_tool_makes_of_its_input_is_remembered():
    assert growth_of([Timing(1.0, 100, 400), Timing(1.0, 10, 40), Timing(1.0, 0, 7)]).made == 4.0
    assert growth_of([Timing(1.0)]).made == 0.0


@pytest.mark.parametrize(
    ("facets", "size"),
    [
        ({"width": 40, "height": 30}, 1200),
        ({"width": 4, "height": 3, "frames": 5}, 60),
        ({"width": 4, "height": 3, "fps": 10.0, "seconds": 2.0, "sound": True}, 240),
        ({"seconds": 2.0, "rate": 8000, "channels": 2}, 32000),
        ({"characters": 12}, 12),
        ({"rows": 5, "columns": 3}, 15),
        ({"bytes": 99}, 99),
        ({}, 0),
    ],
)
def test_the_size_of_a_value_is_counted_by_its_facts(facets, size):
    assert size_of(facets) == size
