"""The fuzz loops in a short form; `python -m tests.fuzz` reads a million inputs."""

from __future__ import annotations

import pytest

from tests import fuzz

COUNT = 400


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_whatever_a_file_holds_it_ends_as_a_value_or_a_sentence(kind):
    counts, faults = fuzz.run(COUNT, 5, kind)
    assert [f"{name}: {given!r:.3000}\n{wrong}" for name, given, wrong in faults] == []
    assert counts.total() == COUNT


def test_what_goes_wrong_is_found():
    def fail() -> None:
        raise IndexError

    assert "IndexError" in fuzz.fault(fail)
    assert fuzz.fault(lambda: None) == ""
