"""The papers' measures are what the papers say."""

import pytest

from tests.benchmarks.measures import Labelled, controlllm, edit_distance, hugginggpt, ordered


def one(said, wanted, said_links=(), wanted_links=()):
    return Labelled(tuple(said), tuple(said_links), tuple(wanted), tuple(wanted_links))


@pytest.mark.parametrize(
    ("said", "wanted", "far"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1 / 3), ("ab", "abcd", 0.5), ("", "ab", 1), ("ba", "ab", 1)],
)
def test_edit_distance_is_a_part_of_the_longer(said, wanted, far):
    assert edit_distance(said, wanted) == pytest.approx(far)


def test_a_chain_is_ordered_by_its_links():
    assert ordered(("c", "a", "b"), (("a", "b"), ("b", "c"))) == ("a", "b", "c")
    assert ordered(("c", "a", "b"), ()) == ("c", "a", "b")
    assert ordered(("a", "a"), (("a", "a"),)) == ("a", "a")


def test_a_tool_too_many_is_irrelevant_and_still_solves():
    figures = controlllm([one("abx", "ab", ["ab"], ["ab"])])
    assert figures == {"IR": 1, "NR": 1, "SE": 1}


def test_a_missing_link_does_not_solve():
    assert controlllm([one("ab", "ab", [], [("a", "b")])]) == {"IR": 0, "NR": 1, "SE": 0}


def test_a_missing_tool_is_missing_even_when_it_occurs_once():
    assert controlllm([one("ab", "aab")]) == {"IR": 0, "NR": 0, "SE": 0}


def test_single_tasks_are_right_or_wrong():
    found = hugginggpt([one("a", "a"), one("b", "a"), one("ab", "a")], "single")
    assert found["accuracy"] == (pytest.approx(100 / 3), "%")
    assert found["F1"] == (pytest.approx(200 * 2 / 7), "%")
