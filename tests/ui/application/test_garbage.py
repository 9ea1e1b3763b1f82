"""Python's collector: young garbage at once, the oldest generation in a calm moment."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from desktop_app.ui.application import gc_timer
from desktop_app.ui.application.gc_timer import GcTimer


@pytest.mark.parametrize(
    ("counts", "collected"),
    [
        ((0, 0, 0), []),
        ((701, 0, 0), [0]),
        ((0, 11, 3), [1]),
        ((701, 11, 3), [1]),
        ((12, 0, 11), [2]),
        ((701, 11, 11), [1]),
        ((701, 0, 41), [2]),
    ],
)
def test_what_is_due_is_collected(qapp, monkeypatch, counts, collected):
    made, seen = GcTimer(), []
    monkeypatch.setattr(gc_timer.gc, "get_count", lambda: counts)
    monkeypatch.setattr(gc_timer.gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc_timer.gc, "collect", seen.append)
    made.collect()
    made.stop()
    monkeypatch.undo()
    assert seen == collected


def test_what_came_with_many_new_modules_is_not_looked_through_again(qapp, monkeypatch):
    made, frozen = GcTimer(), []
    monkeypatch.setattr(gc_timer.gc, "get_count", lambda: (0, 0, 11))
    monkeypatch.setattr(gc_timer.gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc_timer.gc, "freeze", lambda: frozen.append(True))
    made.collect()
    assert not frozen
    for number in range(40):
        monkeypatch.setitem(sys.modules, f"made_up_{number}", ModuleType("made_up"))
    made.collect()
    made.collect()
    made.stop()
    assert frozen == [True]
