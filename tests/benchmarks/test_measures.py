"""The papers' measures are what the papers say."""

import json

import pytest

from tests.benchmarks import figures
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


def test_a_figure_stands_beside_what_plain_python_took_at_the_same_time(capsys, monkeypatch):
    """Both before and after what was measured: the slower of the two is told."""
    took = iter([(10.0, 9.0), (30.0, 9.5), (10.0, 9.0)])
    monkeypatch.setattr(figures, "plain_python", lambda: next(took))
    monkeypatch.setattr(figures, "_before", [])
    for value in (0.1, 0.2, 0.3):
        figures.figure("a run", value, "s", target=0.2, rival=("another", 1.0))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["python_ms"], line["python_cpu_ms"]) for line in lines] == [(10, 9), (30, 9.5), (30, 9.5)]
    assert [line["met"] for line in lines] == [True, True, False]
    assert {"name", "value", "unit", "target", "met", "rival", "machine"} <= lines[0].keys()


def test_the_piece_of_plain_python_takes_time():
    clock, processor = figures.plain_python()
    assert clock > 0 and processor > 0
