"""The recorded replies through the planner, row by row: a change of prompt or checker shows here what it does."""

from __future__ import annotations

import pytest

from tests.llm import replay

ROWS = replay.rows(held=None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_recorded_replies_come_out_as_they_did(row):
    outcome = replay.replayed(row)
    assert outcome.right is (row["id"] not in KNOWN_MISSES), outcome.why


KNOWN_MISSES: frozenset[str] = frozenset()
"""Rows that come out wrong, told in the open: to mend one takes it out."""


def test_the_recorded_set_is_whole():
    assert len(ROWS) == 60 and sum(row["held"] for row in ROWS) == 20
    assert {row["mode"] for row in ROWS} == {*replay.MODES, "step"}
