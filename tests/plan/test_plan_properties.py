"""Properties of every plan, checked by replaying it: types fit, nothing is used before it is made, nothing invented."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given, Request
from nodes import load_tools
from tests.plan.worlds import TOYS, attached, faults, own_planner, random_tools

PLANNER = OfflinePlanner(TOYS)
FILES = ("a.jpg", "b.png", "talk.wav", "clip.mp4", "notes.txt", "data.csv")
WORDS = tuple(
    token.word if token.kind == "word" else token.text
    for token in tokens_of(
        "blur the faces picture of and then make a slideshow count how many remove it read text say aloud in three "
        "sentences from, both second noise. cut out this clip.mp4 a.jpg into web page with sum 'hello you' 20%"
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), max_size=18), st.sets(st.sampled_from(FILES)))
def test_plans_for_random_words_are_sound(words, names):
    request = Request(" ".join(words), attached(*sorted(names)))
    for solution in PLANNER.plan(request).solutions:
        assert faults(solution, request, TOYS) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_planned_or_explained(text):
    plan = PLANNER.plan(Request(text, attached("a.jpg")))
    assert plan.solutions or plan.causes


@pytest.mark.parametrize("seed", range(25))
def test_plans_over_random_tool_sets_are_sound(seed):
    chance = random.Random(seed)
    tools = random_tools(seed, chance.choice((1, 3, 30, 150)))
    planner = OfflinePlanner(tools)
    given_ = tuple(Given(f"file{i}", type) for i, type in enumerate(("image", "text", "audio", "blob")))
    for _ in range(8):
        chosen = chance.sample(tools, k=min(len(tools), chance.choice((1, 2, 3))))
        request = Request(", then ".join(tool.title for tool in chosen), chance.sample(given_, k=2))
        for solution in planner.plan(request).solutions:
            assert faults(solution, request, tools) == []


def test_planning_leaves_no_trace():
    request = Request("Blur the faces in a.jpg and make a collage", attached("a.jpg", "b.jpg"))
    first = PLANNER.plan(request)
    PLANNER.plan(Request("Read b.png aloud", attached("b.png")))
    assert PLANNER.plan(request) == first


def test_examples_of_our_own_tools_give_sound_plans():
    specs = from_tools(load_tools().tools)
    planner = own_planner()
    for spec in specs:
        for text in spec.examples:
            request = Request(text, attached(*FILES))
            for solution in planner.plan(request).solutions:
                assert faults(solution, request, specs) == [], text
