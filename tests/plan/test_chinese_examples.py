"""The requests of the first screen plan the same in Chinese as in English."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.plan.planner import Planner
from desktop_app.plan.types import Given, Request
from desktop_app.storage.examples import load_examples
from nodes import load_tools

TYPES = {".png": "image", ".jpg": "image", ".wav": "audio", ".txt": "text"}
PLANNER = Planner(lambda: load_tools().tools, "adaptive")
PAIRS = list(zip(load_examples(), load_examples("zh"), strict=True))


def steps(example):
    given = tuple(Given(path.name, TYPES[path.suffix]) for path in example.files)
    plan = asyncio.run(PLANNER.offline(Request(example.request, given, ())))
    best = plan.solutions[0]
    return [step.tool for step in best.steps], [question.kind for question in best.questions], best


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda example: example.request[:20])
def test_an_example_is_planned_the_same_in_both_languages(english, chinese):
    assert any("一" <= c <= "鿿" for c in chinese.request)
    assert chinese.files == english.files
    assert steps(chinese)[:2] == steps(english)[:2]


def test_what_the_examples_name_is_understood():
    told = [steps(example)[2] for _, example in PAIRS]
    spoken = [step.arguments.get("text") for best in told for step in best.steps if step.tool == "text_to_speech"]
    assert "大家好" in spoken
    assert [step.arguments.get("sentences") for best in told for step in best.steps if step.tool == "summarise"] == [3]
