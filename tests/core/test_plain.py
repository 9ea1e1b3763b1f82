"""Values are written as plain data and read back by the types of their fields; what is of another form is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from desktop_app.core.plain import from_plain, to_plain
from nodes.api import Point
from nodes.phrase import Phrase


@dataclass(frozen=True)
class Inner:
    text: str
    places: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Outer:
    id: int
    share: float = 0.0
    maybe: float | None = None
    pairs: tuple[tuple[int, str], ...] = ()
    inner: Mapping[str, Inner | tuple[Inner, ...]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    flag: bool = False


INNER = Inner(Phrase("{n} files", n=3), (Point(1.0, 2.0, False),))
WHOLE = Outer(1, 0.5, 2.0, ((1, "a"),), {"one": INNER, "many": (INNER, Inner("x"))}, frozenset(("a",)), True)


def test_what_is_written_is_read_back_phrases_too():
    again = from_plain(Outer, json.loads(json.dumps(to_plain(WHOLE))))
    assert again == WHOLE
    assert isinstance(again.inner["one"].text, Phrase) and again.inner["one"].text.values == {"n": "3"}


def test_what_is_not_there_has_its_default_and_what_nobody_knows_is_left_out():
    assert from_plain(Outer, {"id": 2, "colour": "red"}) == Outer(2)


@pytest.mark.parametrize(
    "data",
    [
        5, {}, {"id": "1"}, {"id": True}, {"id": 1, "share": "x"}, {"id": 1, "share": float("inf")},
        {"id": 1, "pairs": [[1]]}, {"id": 1, "pairs": {}}, {"id": 1, "inner": []}, {"id": 1, "inner": {"a": 3}},
        {"id": 1, "inner": {"a": {"text": 3}}}, {"id": 1, "flag": 1}, {"id": 1, "maybe": []},
    ],
)  # fmt: skip
def test_what_is_of_another_form_is_refused(data):
    with pytest.raises((TypeError, ValueError)):
        from_plain(Outer, data)


def test_some_types_are_written_in_their_own_way():
    written = to_plain(WHOLE, {Inner: lambda inner: inner.text.upper()})
    assert written["inner"] == {"one": "3 FILES", "many": ["3 FILES", "X"]}
    assert from_plain(Outer, {**written, "inner": {"one": "y"}}, {Inner: Inner}).inner == {"one": Inner("y")}
