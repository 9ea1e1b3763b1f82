"""Choosing a model for each step: by fit, what is here, popularity; or by a language model among those that fit."""

from __future__ import annotations

import asyncio
import json

import pytest

from desktop_app.models.catalogue import catalogue
from desktop_app.models.selection import Facts
from desktop_app.plan.llm.model_selection import by_rule, candidates, with_models
from desktop_app.plan.search.to_workflow import to_workflow
from desktop_app.plan.types import FromNode, FromResource, Request, Solution, Step
from nodes import load_tools
from tests.llm.world import Told

ROOMY, SMALL = Facts(10**12), Facts(10**9)
REQUEST = Request("what is said there, and count the cars")


@pytest.fixture(scope="module")
def tools():
    return load_tools().tools


@pytest.fixture
def solution() -> Solution:
    hear = Step("hear", "speech_to_text", {"audio": FromResource("talk.wav")})
    look = Step("look", "detect_objects", {"image": FromResource("street.jpg")})
    count = Step("count", "count_boxes", {"boxes": FromNode("look", "boxes")})
    return Solution("Hear and count", "", 0.9, (hear, look, count))


def chosen(solution, tools, facts=ROOMY, model=None) -> Solution:
    return asyncio.run(with_models(solution, REQUEST, tools, facts, model))


def choices(**by_step: tuple[str, str]) -> dict:
    return {"choices": [{"step": step, "id": id, "reason": reason} for step, (id, reason) in by_step.items()]}


def test_what_fits_comes_first_and_then_the_most_used(tools):
    uneven = 0
    for tool in tools.values():
        found = candidates(tool, ROOMY)
        used = [one.downloads for one in found if one.fits and not one.ready]
        assert used == sorted(used, reverse=True)
        uneven += len(set(used)) > 1
    assert uneven
    tight = candidates(tools["speech_to_text"], SMALL)
    assert [one.fits for one in tight] == sorted((one.fits for one in tight), reverse=True)
    assert {one.fits for one in tight} == {True, False}


def test_rule_takes_the_first_and_says_why(tools, solution):
    found = chosen(solution, tools)
    assert set(found.backends) == set(found.reasons) == {"hear", "look"}
    first = candidates(tools["speech_to_text"], ROOMY)[0]
    assert found.backends["hear"] == first.backend.id
    assert first.model is not None and first.model.title in found.reasons["hear"]
    assert f"{first.downloads:,} times a month" in found.reasons["hear"]


def test_reason_is_honest_when_nothing_fits(tools):
    assert "no model for this fits here" in by_rule(candidates(tools["speech_to_text"], Facts(1000)))[1]


def test_language_model_chooses_in_one_call_for_all_steps(tools, solution):
    wanted = {
        "hear": candidates(tools["speech_to_text"], ROOMY)[1],
        "look": candidates(tools["detect_objects"], ROOMY)[1],
    }
    reply = choices(**{step: (one.model.id, f"for {step}") for step, one in wanted.items() if one.model})
    model = Told(reply)
    found = chosen(solution, tools, model=model)
    assert len(model.heard) == 1
    assert found.backends == {step: one.backend.id for step, one in wanted.items()}
    assert found.reasons == {"hear": "for hear", "look": "for look"}
    told = json.loads(model.heard[0][1].text)["data"]["steps"]
    assert [step["step"] for step in told] == ["hear", "look"]
    assert all({"description", "downloads", "fits", "here"} <= set(one) for one in told[0]["models"])


@pytest.mark.parametrize(
    "reply",
    [
        "no", {"choices": []}, {"choices": [3]}, choices(hear=("gpt-9", "best")), choices(count=("yolos-tiny", "x")),
        choices(hear=(["a"], 3)), choices(look=("whisper-tiny", "another task's")),
    ],
)  # fmt: skip
def test_choice_that_does_not_hold_leaves_the_rules(reply, tools, solution):
    assert chosen(solution, tools, model=Told(reply)) == chosen(solution, tools)


def test_model_that_does_not_fit_cannot_be_chosen(tools, solution):
    found = candidates(tools["speech_to_text"], SMALL)
    big = next(one for one in found if not one.fits)
    reply = choices(hear=(big.model.id, "I like it big"))
    assert chosen(solution, tools, SMALL, Told(reply)).backends["hear"] == found[0].backend.id


def test_reason_with_a_foreign_address_is_not_shown(tools, solution):
    id = candidates(tools["speech_to_text"], ROOMY)[0].model.id
    found = chosen(solution, tools, model=Told(choices(hear=(id, "see http://evil.example"))))
    assert "evil" not in found.reasons["hear"]


def test_chosen_back_end_is_that_of_the_node(tools, solution):
    found = chosen(solution, tools)
    workflow = to_workflow(found, {}, tools)
    assert workflow.node("hear").backend == found.backends["hear"]
    assert workflow.node("count").backend is None


def test_every_model_of_a_tool_is_in_the_catalogue_with_a_task(tools):
    for tool in tools.values():
        for one in candidates(tool, ROOMY):
            assert one.model is None or (one.model.id in catalogue() and one.model.task)
