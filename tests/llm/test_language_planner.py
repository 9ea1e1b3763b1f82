"""Planning with a model that behaves and one that does not: always a valid plan or a clear sentence."""

from __future__ import annotations

import asyncio
import json

import pytest

from desktop_app.llm.openai_compatible import OpenAICompatible
from desktop_app.plan.language import improve
from desktop_app.plan.request import FromNode, FromResource, Given, Plan, PortSpec, Request, Solution, Step, ToolSpec
from tests.llm.server import Turn, serving

IMAGE, TEXT, AUDIO = PortSpec("image", "image"), PortSpec("text", "text"), PortSpec("audio", "audio")
TOOLS = (
    ToolSpec("read", "Read", "Reads text.", (IMAGE,), (TEXT,)),
    ToolSpec("say", "Say", "Says text.", (TEXT, PortSpec("speed", "number", required=False, maximum=400)), (AUDIO,)),
    ToolSpec("blur", "Blur", "Blurs.", (IMAGE,), (IMAGE,)),
)
REQUEST = Request("say what it says", (Given("sign.png", "image"),))
DRAFT = Plan((Solution("Blur", "", 0.5, (Step("b", "blur", {"image": FromResource("sign.png")}),)),))
READ = {"id": "r", "tool": "read", "args": {"image": {"resource": "sign.png"}}}
SAY = {"id": "s", "tool": "say", "args": {"text": {"step": "r", "output": "text"}}}
GOOD = {"title": "Read and say", "steps": [READ, SAY], "wanted": [{"step": "s", "output": "audio"}]}


def plan(url: str, draft: Plan = DRAFT) -> Plan:
    return asyncio.run(improve(draft, REQUEST, TOOLS, OpenAICompatible(url, "scripted", seconds=0.5)))


def test_good_plan_comes_first_and_the_draft_stays_an_alternative():
    with serving(json.dumps(GOOD)) as (url, _):
        found = plan(url)
    assert [s.title for s in found.solutions] == ["Read and say", "Blur"]
    assert found.solutions[0].steps[1].arguments == {"text": FromNode("r", "text")}
    assert found.mode == "llm"


def test_prose_around_the_plan_does_not_matter():
    with serving(f"Of course!\n```json\n{json.dumps(GOOD)}\n```") as (url, _):
        assert plan(url).solutions[0].title == "Read and say"


def step(**changes):
    return {"title": "x", "steps": [{**READ, **changes}]}


WRONG = {
    "unknown tool": step(tool="raed"),
    "unknown input": step(args={"picture": {"resource": "sign.png"}}),
    "invented file": step(args={"image": {"resource": "other.png"}}),
    "wrong types": {"steps": {"a": 1}},
    "type clash": {"steps": [{**SAY, "args": {"text": {"resource": "sign.png"}}}]},
    "circle": {"steps": [{"id": "b", "tool": "blur", "args": {"image": {"step": "b", "output": "image"}}}]},
    "forward reference": {"steps": [SAY, READ]},
    "missing input": step(args={}),
    "out of range": {"steps": [READ, {**SAY, "args": {**SAY["args"], "speed": 900}}]},
    "empty list": {"steps": []},
    "same id twice": {"steps": [READ, READ]},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_plan_is_mended_in_one_round(name):
    with serving(json.dumps(WRONG[name]), json.dumps(GOOD)) as (url, script):
        found = plan(url)
    assert found.solutions[0].title == "Read and say"
    assert "cannot be used" in script.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("name", WRONG)
def test_plan_that_stays_wrong_leaves_the_offline_plan_and_says_so(name):
    with serving(json.dumps(WRONG[name])) as (url, script):
        found = plan(url)
    assert found.solutions == DRAFT.solutions
    assert "Planned offline instead" in found.notice
    assert len(script.requests) == 2


@pytest.mark.parametrize(
    "turn",
    [Turn("{half", hang=True), Turn(status=500), Turn(refusal="no"), Turn("x" * 200_000, piece=50_000), Turn("")],
    ids=["silence", "500", "refusal", "200 kB", "nothing"],
)
def test_broken_server_leaves_the_offline_plan_and_says_so(turn):
    with serving(turn) as (url, _):
        found = plan(url)
    assert found.solutions == DRAFT.solutions
    assert "Planned offline instead" in found.notice


def test_question_is_asked_when_there_is_no_other_plan():
    with serving(json.dumps({"steps": [], "question": "Which language?"})) as (url, _):
        found = plan(url, Plan(()))
    assert found.questions[0].text == "Which language?"
    assert not found.solutions
