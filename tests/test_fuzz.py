"""The fuzz loops in a short form; `python -m tests.fuzz` reads a million inputs."""

from __future__ import annotations

import json

import pytest

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import parse
from tests import fuzz

COUNT = 400


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_whatever_a_file_holds_it_ends_as_a_value_or_a_sentence(kind):
    counts, faults = fuzz.run(COUNT, 5, kind)
    assert [f"{name}: {given!r:.3000}\n{wrong}" for name, given, wrong in faults] == []
    assert counts.total() == COUNT


LONG = "x" * 5000
LONG_NAMES = [
    {"wanted": [[LONG, "image"]]},
    {"wanted": [["soft", LONG]]},
    {"links": [{"source": "a" * 900, "output": "value", "target": "b" * 900, "port": "image"}]},
    {"links": [{"source": "photo.png", "output": "value", "target": "soft", "port": "i" * 900}]},
]


@pytest.mark.parametrize("data", LONG_NAMES, ids=lambda data: next(iter(data)))
def test_what_has_a_very_long_name_is_a_short_sentence(data):
    text = json.dumps({**fuzz.GRAPH.to_json(), **data})
    assert fuzz.fault(lambda: parse(text).check(fuzz.TOOLS)) == ""
    with pytest.raises(BadWorkflow) as raised:
        parse(text).check(fuzz.TOOLS)
    assert len(str(raised.value)) < 400


def test_what_goes_wrong_is_found():
    def fail() -> None:
        raise IndexError

    assert "IndexError" in fuzz.fault(fail)
    assert fuzz.fault(lambda: None) == ""
