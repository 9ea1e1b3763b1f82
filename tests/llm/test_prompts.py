"""What our prompts cost, and that all tools fit with them into one text that stays the same."""

from __future__ import annotations

import asyncio
import json

import pytest

from desktop_app.core.paths import RESOURCES
from desktop_app.llm.prompts import _read, prompt
from desktop_app.llm.token_usage import estimated
from desktop_app.plan.llm import prompt_context, shortlist
from desktop_app.plan.planner import Planner
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Given, Request
from nodes import load_tools
from tests.llm.world import Told, tasks

TOKENS = {
    "answer": 400, "decompose": 620, "experts": 480, "models": 260, "plan": 1400, "step": 650, "step_call": 90,
    "step_json": 280,
}  # fmt: skip
"""At most, each without what is put into it."""


@pytest.mark.parametrize("name", sorted(path.stem for path in (RESOURCES / "prompts").glob("*.md")))
def test_each_prompt_costs_no_more_than_it_did(name):
    names, _ = _read(name)
    assert estimated(prompt(name, **dict.fromkeys(names, ""))) <= TOKENS.get(name, 600)


def test_rules_leave_the_room_that_is_reckoned_with():
    assert estimated(prompt("plan", tools="")) <= shortlist.RULES


def test_all_tools_in_full_are_one_text_of_known_length():
    tools = from_tools(load_tools().tools)
    text = prompt_context.toolbox(tools)
    assert text == prompt_context.toolbox(from_tools(load_tools().tools)) and estimated(text) < 100 * len(tools)
    assert 'amount: number? 0..5 = 0.8 "strength"' in text and 'E.g. "Blur this picture"' in text


class Small(Told):
    def __init__(self, tokens: int, *replies) -> None:
        super().__init__(*replies)
        self._tokens = tokens

    async def context(self) -> int:
        return self._tokens


@pytest.mark.parametrize(("tokens", "all_shown"), [(128_000, True), (32_768, True), (8192, False), (4096, False)])
def test_model_is_told_all_tools_where_there_is_room_and_else_it_is_said(tokens, all_shown):
    model = Small(tokens, tasks({"task": "blur", "id": 0, "args": {"image": "a.png"}}))
    planner = Planner(lambda: load_tools().tools, "adaptive", model)
    plan = asyncio.run(planner.plan(Request("blur it", (Given("a.png", "image"),))))
    told = "".join(message.text for message in model.heard[0])
    assert (told.count("\n- ") > 180) is all_shown and "- blur(" in told
    assert estimated(told) < tokens - 500 and json.loads(model.heard[0][1].text)["request"] == "blur it"
    assert ("has room for" in plan.notice) is not all_shown
