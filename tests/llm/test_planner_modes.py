"""The planner: the draft at once, then the model's plan; what it costs; what ends it; what it is told."""

from __future__ import annotations

import asyncio
import json
from functools import lru_cache

import pytest

from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.llm.token_usage import Spent, Tally, estimated
from desktop_app.plan import planner
from desktop_app.plan.llm import prompt_context
from desktop_app.plan.modes import offline
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Given, HistoryMessage, Plan, Request, ToolSpec
from nodes import load_tools
from tests.llm.server import Turn as Answer
from tests.llm.server import serving
from tests.llm.world import IMAGE, MODES, REQUEST, SAY, TOOLS, SmallPlanner, Told, plan, tools_of
from tests.waiting import PATIENCE, until


@pytest.mark.parametrize("mode", MODES)
def test_draft_is_there_before_the_model_has_answered(mode):
    seen: list[Plan] = []

    class Slow(Told):
        async def stream(self, messages, schema=None):
            assert tools_of(seen[0]) == ["read_text", "speak"] and seen[0].mode == "offline"
            async for piece in super().stream(messages, schema):
                yield piece

    found = asyncio.run(SmallPlanner(Slow(*SAY[mode]), mode).plan(REQUEST, seen.append))
    assert len(seen) == 1 and found.mode != "offline"


def test_without_a_model_there_is_no_draft():
    seen: list[Plan] = []
    found = asyncio.run(SmallPlanner(None).plan(REQUEST, seen.append))
    assert not seen and found.mode == "offline"


def test_the_next_planner_need_not_read_the_same_tools_again(monkeypatch):
    read = []
    monkeypatch.setattr(offline, "Index", lambda tools, words: read.append(len(tools)) or Index(tools, words))
    monkeypatch.setattr(planner, "_offline", lru_cache(maxsize=2)(planner._offline.__wrapped__))
    tools = load_tools().tools
    for _ in range(2):  # as after a change of the settings
        found = asyncio.run(planner.Planner(lambda: dict(tools), "adaptive").offline(Request("Draw a red circle")))
        assert found.solutions or found.causes
    fewer = dict(list(tools.items())[1:])
    asyncio.run(planner.Planner(lambda: fewer, "adaptive").offline(Request("Draw a red circle")))
    assert read == [len(tools), len(fewer)]


def test_a_warmed_planner_reads_the_tools_once_before_anything_is_asked(monkeypatch):
    read = []
    monkeypatch.setattr(offline, "Index", lambda tools, words: read.append(len(tools)) or Index(tools, words))
    monkeypatch.setattr(planner, "_offline", lru_cache(maxsize=2)(planner._offline.__wrapped__))
    tools = load_tools().tools
    warmed = planner.Planner(lambda: tools, "adaptive")
    warmed.warm()
    asyncio.run(until(lambda: read))
    asyncio.run(warmed.offline(Request("Draw a red circle")))
    assert read == [len(tools)]


def test_mode_that_is_driven_elsewhere_begins_with_solutions():
    assert plan(Told(*SAY["solutions"]), "step by step").mode == "llm"


@pytest.mark.parametrize("mode", MODES)
def test_every_call_is_counted(mode):
    tally = Tally()
    answers = [Answer(json.dumps(reply), usage=(100, 10)) for reply in SAY[mode]]
    with serving(*answers) as (url, script):
        plan(url, mode, tally=tally)
    assert tally.spent == Spent(100 * len(script.requests), 10 * len(script.requests))


def test_planning_that_is_cancelled_leaves_the_server_and_counts():
    tally = Tally()

    async def leave(url: str) -> None:
        planner = SmallPlanner(OpenAICompatible(url, "scripted", seconds=30))
        task = asyncio.ensure_future(planner.plan(REQUEST, tally=tally))
        await until(lambda: script.requests)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with serving(Answer('{"subtasks": [', hang=True)) as (url, script):
        asyncio.run(leave(url))
        assert script.left.wait(PATIENCE)
    assert tally.spent.sent > 0 and tally.spent.guessed


def turns(*texts: str) -> tuple[HistoryMessage, ...]:
    return tuple(HistoryMessage("user" if n % 2 == 0 else "assistant", text) for n, text in enumerate(texts))


def test_history_keeps_the_newest_turns_that_fit():
    request = Request("more", (), turns("a" * 400, "b" * 400, "c" * 400))
    assert [turn["text"][0] for turn in prompt_context.recent(request, 240)] == ["b", "c"]
    assert [turn["text"][0] for turn in prompt_context.recent(request, 2000)] == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["x" * 40_000, "图" * 9_000, "a图" * 9_000])
@pytest.mark.parametrize("budget", [100, 500, 2000])
def test_history_stays_within_its_budget(text, budget):
    kept = prompt_context.recent(Request("more", (), turns("hello", text)), budget)
    assert 0 < sum(estimated(turn["text"]) for turn in kept) <= budget + 2
    assert kept[-1]["text"][-1] == text[-1]


def test_resources_stay_in_the_table_however_long_the_talk():
    given = tuple(Given(f"p{n}.png", "image", earlier=n < 90) for n in range(100))
    model = Told(*SAY["task list"])
    plan(model, "task list", Request("go on", given, turns(*["word " * 900] * 30)))
    data = json.loads(model.heard[0][1].text)["data"]
    assert [row["name"] for row in data["resources"]][-11:] == [f"p{n}.png" for n in range(89, 100)]
    assert {"name": "p89.png", "type": "image", "earlier": True} in data["resources"]
    assert 40 <= len(data["resources"]) <= 120


def test_model_is_shown_the_drafts_tools_however_many_there_are():
    words = ("what it says",)
    many = [ToolSpec(f"other{n}", f"Sign {n}", "What it is.", (IMAGE,), (IMAGE,), words=words) for n in range(80)]

    class Small(Told):
        async def context(self) -> int:
            return 4096

    model = Small("no")
    found = asyncio.run(SmallPlanner(model, tools=[*many, *TOOLS]).plan(REQUEST))
    told_of = model.heard[0][0].text.split("Tools, as")[1]
    drafted = {step.tool for solution in found.solutions for step in solution.steps}
    assert drafted - {tool.id for tool in many}
    assert told_of.count("\n- ") < len(many) and all(f"- {tool}(" in told_of for tool in drafted)
