"""Whatever a chat server sends: the composed answer, the offline plan or a clear sentence, within a time; no error."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest

from desktop_app.core.errors import BadReply
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.model_listing import offered
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.llm.stream_chunks import read
from desktop_app.llm.token_usage import Spent
from desktop_app.llm.tool_calls import Called
from desktop_app.plan.modes.step_policies import _parsed
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering import answer
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType
from tests.llm.hostile import ATTACKS, JSON, NAMED, ODD_EVENTS, delta, event, for_ever, hostile, once
from tests.llm.world import MODES, plan
from tests.session.answering.test_answer import TOOLS

WORKFLOW = Workflow(nodes=(Node("n", "sum"),))
RUN = Run("r", 0.0, {"n": NodeRun("done", outputs={"out": Resource("n.json", ResourceType.NUMBER, "1" * 64, ".json")})})
COMPOSED = "Add numbers: 3."
HELLO = [ChatMessage("user", "hello")]
FUNCTIONS = [{"name": "go", "description": "Goes.", "parameters": {"type": "object", "properties": {}}}]


def model(url: str) -> OpenAICompatible:
    return OpenAICompatible(url, "scripted", seconds=0.3, retries=0, longest=0.6)


def replied(url: str) -> str:
    async def last():
        found = [r async for r in answer.stream("how?", WORKFLOW, RUN, TOOLS, lambda _: 3, model(url))]
        return found[-1][0]

    return asyncio.run(last())


SAID = {"another charset", "halves of characters", "deep JSON in the words", "less deep JSON in the words",
        "a fence of blanks"}  # fmt: skip
"""What holds words of a model, whatever is odd about them."""


@pytest.mark.parametrize("name", ATTACKS)
def test_the_answer_is_what_the_model_said_or_the_composed_one_and_a_word(name):
    with hostile(ATTACKS[name]) as url:
        text = replied(url)
    assert text.strip()
    text.encode("utf-8")
    if text.startswith(COMPOSED):
        word = text.removeprefix(COMPOSED).strip()
        if not word:  # all that it said was struck
            assert name in SAID
            return
        assert word.startswith("(The language model") and word.endswith("The answer was put together without it.)")
        assert len(word) < 500 and "Errno" not in word and "<html" not in word
    else:
        assert name in SAID or name.endswith(("of a whole reply", "as content"))
        assert len(text) <= 100_000


@pytest.mark.parametrize("name", [*NAMED, *(name for name in ODD_EVENTS if "call" in name or "function" in name)])
def test_a_call_of_functions_gives_a_call_or_a_sentence(name):
    async def call(url):
        return await model(url).call(HELLO, FUNCTIONS)

    with hostile(ATTACKS[name]) as url, contextlib.suppress(BadReply):
        found = asyncio.run(call(url))
        assert found is None or (isinstance(found.name, str) and isinstance(found.arguments, str))


@pytest.mark.parametrize("name", NAMED)
def test_the_list_of_models_is_one_or_a_sentence(name):
    with hostile(ATTACKS[name]) as url, contextlib.suppress(BadReply):
        assert isinstance(offered(url, "", 0.3), tuple)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name",
    ["a login page", "deep JSON in a stream", "deep JSON in the words", "less deep JSON in the words", "no UTF-8",
     "a fence of blanks", "blanks and a mark", "halves of characters", "NaN as choices", "a list as content"],
)  # fmt: skip
def test_the_planner_plans_offline_and_says_why(name, mode):
    with hostile(ATTACKS[name]) as url:
        found = plan(url, mode)
    assert found.solutions == plan(None).solutions
    assert found.notice.startswith("The language model") and found.notice.endswith("Planned offline instead.")


@pytest.mark.parametrize("arguments", ["[" * 100_000, '{"a":' + "[" * 900 + "]" * 900 + "}", "NaN", "{", "7", ""])
def test_arguments_of_a_call_of_any_form_are_a_choice_or_a_sentence(arguments):
    with contextlib.suppress(BadReply):
        assert isinstance(_parsed(Called("read", arguments))["tool"], str)


def test_a_login_page_is_called_one():
    with hostile(ATTACKS["a login page"]) as url:
        assert "answered with a web page." in replied(url)


def test_a_reply_that_drips_ends_after_its_time_in_all():
    drip = for_ever(delta({"content": "word "}), 0.02)
    with hostile(drip) as url:
        assert "did not come to the end of its reply in 0.6 s." in replied(url)
    with hostile(drip) as url, pytest.raises(BadReply, match="end of its reply"):
        asyncio.run(model(url).call(HELLO, FUNCTIONS))


def test_a_reply_that_comes_as_a_whole_is_read():
    whole = {"choices": [{"message": {"content": "Fine."}}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}
    with hostile(once(json.dumps(whole).encode(), JSON)) as url:
        assert replied(url).startswith("Fine.")


def test_an_error_within_a_stream_is_told():
    with hostile(once(delta({"content": "I thi"}) + event({"error": {"message": "out of memory"}}))) as url:
        said = replied(url)
    assert said.startswith(COMPOSED) and "out of memory" in said


def test_content_in_parts_is_joined_and_odd_counts_are_no_counts():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, "b", 3]
    assert read({"choices": [{"delta": {"content": parts}}]}).text == "ab"
    assert read({"usage": {"prompt_tokens": 1, "completion_tokens": 2}}).spent == Spent(1, 2)
    for odd in (-1, 10**400, 1.5, "7", None, [1]):
        assert read({"usage": {"prompt_tokens": odd, "completion_tokens": 2}}).spent is None
