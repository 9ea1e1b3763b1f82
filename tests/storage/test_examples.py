"""The bundled examples, and what is shipped of their results: `python -m tests.make_example_results` makes it anew."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from PySide6.QtGui import QImageReader

from desktop_app.plan.planner import Planner
from desktop_app.plan.types import Given, Request
from desktop_app.storage.examples import RESULTS, load_examples, load_results
from desktop_app.storage.resources import type_of_name
from nodes import load_tools
from tests.make_example_results import LONGEST, digest_of, media_of

EXAMPLES = load_examples()
MOST_BYTES = 400_000
PLANNER = Planner(lambda: load_tools().tools, "adaptive")
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.request[:24])


@each
def test_the_shipped_result_is_that_of_the_request_and_its_media(example):
    assert example.result is not None, "run: python -m tests.make_example_results"
    assert example.result.digest == digest_of(example), "run: python -m tests.make_example_results"
    assert example.result.files == frozenset(media_of(example))


def test_another_request_or_other_media_have_another_digest(tmp_path):
    one = EXAMPLES[0]
    file = tmp_path / one.files[0].name
    file.write_bytes(one.files[0].read_bytes() + b" ")
    others = (
        replace(one, request=one.request + "!"), replace(one, points=((1, 1, True),)), replace(one, files=(file,)),
    )  # fmt: skip
    assert len({digest_of(example) for example in (one, *others)}) == 4


@each
def test_the_plan_of_the_request_is_the_one_whose_result_is_shipped(example):
    given = tuple(Given(file.name, str(type_of_name(file.name))) for file in example.files)
    best = asyncio.run(PLANNER.offline(Request(example.request, given, ()))).solutions[0]
    assert tuple(sorted(step.tool for step in best.steps)) == example.result.tools, (
        "run: python -m tests.make_example_results"
    )


@each
def test_a_result_shows_something(example):
    result = example.result
    assert result.picture or result.words or result.peaks or result.boxes
    if result.picture:
        reader = QImageReader(str(result.picture))
        assert not reader.read().isNull() and max(reader.size().toTuple()) <= LONGEST
    assert bool(result.number) == bool(result.boxes)
    assert all(0 <= x <= x + wide <= 1.001 and 0 <= y <= y + high <= 1.001 for x, y, wide, high in result.boxes)


def test_what_is_shipped_is_small_and_all_of_it_is_shown():
    files = {file.name for file in RESULTS.iterdir()}
    assert files == {r.picture.name for r in load_results().values() if r.picture} | {"results.json"}
    assert load_results().keys() == {example.request for example in EXAMPLES}
    assert sum(file.stat().st_size for file in RESULTS.iterdir()) < MOST_BYTES


def test_in_another_language_the_results_are_the_same():
    assert [one.result for one in load_examples("zh")] == [one.result for one in EXAMPLES]


def test_points_lie_in_their_pictures():
    for example in EXAMPLES:
        size = QImageReader(str(example.picture)).size() if example.points else None
        assert all(0 <= x < size.width() and 0 <= y < size.height() for x, y, _ in example.points)
