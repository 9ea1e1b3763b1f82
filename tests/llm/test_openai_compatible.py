from __future__ import annotations

import asyncio

import pytest

from desktop_app.errors import BadReply
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.extraction import json_object
from desktop_app.llm.openai_compatible import OpenAICompatible
from desktop_app.llm.prompts import prompt
from tests.llm.server import Turn, serving

HELLO = [ChatMessage("user", "hello")]


def ask(url: str, schema: dict | None = None, seconds: float = 5) -> str:
    async def talk() -> str:
        return await complete(OpenAICompatible(url, "scripted", seconds=seconds), HELLO, schema)

    return asyncio.run(talk())


def test_reply_arrives_in_pieces():
    async def pieces(url: str) -> list[str]:
        return [piece async for piece in OpenAICompatible(url, "scripted").stream(HELLO)]

    with serving("a reply that comes in pieces") as (url, script):
        found = asyncio.run(pieces(url))
    assert len(found) > 2
    assert "".join(found) == "a reply that comes in pieces"
    assert script.requests[0]["temperature"] == 0


def test_busy_server_is_asked_again():
    with serving(Turn(status=429), Turn(status=429), Turn(status=429), "at last") as (url, script):
        assert ask(url) == "at last"
    assert len(script.requests) == 4


def test_failing_server_gives_a_sentence():
    with serving(Turn(status=500)) as (url, _), pytest.raises(BadReply, match="answered 500"):
        ask(url)


def test_silence_gives_a_sentence():
    with serving(Turn("half a rep", hang=True)) as (url, _), pytest.raises(BadReply, match="did not answer in"):
        ask(url, seconds=0.3)


def test_endless_reply_is_cut():
    with serving(Turn("x" * 200_000, piece=20_000)) as (url, _), pytest.raises(BadReply, match="more than"):
        ask(url)


def test_refusal_is_told():
    with serving(Turn(refusal="I may not")) as (url, _), pytest.raises(BadReply, match="refused: I may not"):
        ask(url)


def test_server_that_is_not_there_gives_a_sentence():
    with pytest.raises(BadReply, match="cannot be reached"):
        ask("http://127.0.0.1:9/v1")


def test_refused_formats_fall_back_to_the_next():
    with serving('{"a": 1}', refuses=("json_schema", "json_object")) as (url, script):
        assert ask(url, {"type": "object"}) == '{"a": 1}'
    kinds = [r.get("response_format", {}).get("type", "text") for r in script.requests]
    assert kinds == ["json_schema", "json_object", "text"]


@pytest.mark.parametrize(
    "reply",
    ['{"a": 1}', 'Sure!\n```json\n{"a": 1}\n```\nDone.', 'Here {it} is: {"a": 1} and more', ' \n{"a": 1}\n'],
)
def test_json_is_found_however_it_is_wrapped(reply):
    assert json_object(reply) == {"a": 1}


@pytest.mark.parametrize("reply", ["", "no json here", "[1, 2]", '{"a": '])
def test_reply_without_object_is_refused(reply):
    with pytest.raises(BadReply, match="no JSON object"):
        json_object(reply)


def test_prompt_refuses_other_variables_than_its_header_names():
    assert "tool one" in prompt("plan", tools="tool one")
    with pytest.raises(ValueError, match="takes"):
        prompt("plan")
