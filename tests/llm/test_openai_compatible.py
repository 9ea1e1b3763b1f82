from __future__ import annotations

import asyncio
import contextlib
import ssl

import pytest

from desktop_app.core.errors import BadReply
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.json_extraction import json_object
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.llm.prompts import prompt
from desktop_app.llm.token_usage import Counted, Spent, Tally, estimated
from tests.llm.server import Turn, serving
from tests.waiting import PATIENCE, until

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


def test_whose_certificates_count_is_read_once(monkeypatch):
    read, reading = [], ssl.create_default_context
    monkeypatch.setattr(ssl, "create_default_context", lambda **more: read.append(more) or reading(**more))
    with serving("one", "two") as (url, _):
        assert ask(url) == "one"
        read.clear()
        assert ask(url) == "two"
    assert read == []


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


def test_what_a_server_does_not_know_is_left_out_and_not_asked_for_again():
    async def twice(url: str) -> list[str]:
        model = OpenAICompatible(url, "scripted")
        return [await complete(model, HELLO, {"type": "object"}) for _ in range(2)]

    with serving("{}", refuses=("stream_options", "temperature")) as (url, script):
        assert asyncio.run(twice(url)) == ["{}", "{}"]
    assert len(script.requests) == 4
    last = script.requests[-1]
    assert "stream_options" not in last and "temperature" not in last
    assert last["response_format"]["type"] == "json_schema"


def test_request_that_is_too_long_is_not_sent_in_other_forms():
    long = Turn(status=400, message="This model's maximum context length is 2048 tokens")
    with serving(long) as (url, script), pytest.raises(BadReply, match="maximum context"):
        ask(url, {"type": "object"})
    assert len(script.requests) == 1


def test_reply_that_drips_for_ever_ends():
    async def slow(url: str) -> None:
        await complete(OpenAICompatible(url, "scripted", seconds=0.3), HELLO)

    endless = Turn("a reply without end " * 500, piece=1, pace=0.05)
    with serving(endless) as (url, _), pytest.raises(BadReply, match="come to the end"):
        asyncio.run(slow(url))


def test_reply_that_nobody_waits_for_any_more_is_ended():
    async def leave(url: str) -> None:
        task = asyncio.ensure_future(complete(OpenAICompatible(url, "scripted", seconds=30), HELLO))
        await until(lambda: script.requests)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with serving(Turn("half", hang=True)) as (url, script):
        asyncio.run(leave(url))
        assert script.left.wait(PATIENCE)


def spent(*turns: Turn, refuses: tuple[str, ...] = ()) -> Spent:
    async def talk(url: str) -> Spent:
        tally = Tally()
        for _ in turns:
            with contextlib.suppress(BadReply):
                await complete(Counted(OpenAICompatible(url, "scripted", seconds=0.3), tally), HELLO)
        return tally.spent

    with serving(*turns, refuses=refuses) as (url, _):
        return asyncio.run(talk(url))


def test_tokens_that_the_server_tells_are_added_up():
    assert spent(Turn("a", usage=(11, 2)), Turn("b", usage=(20, 3))) == Spent(31, 5)


def test_tokens_are_estimated_where_the_server_is_silent_about_them():
    found = spent(Turn("12345678", usage=(11, 2)), refuses=("stream_options",))
    assert found == Spent(estimated("hello") + 4, 2, True)


def test_tokens_of_a_reply_that_broke_off_count_too():
    found = spent(Turn("x" * 400, hang=True))
    assert found.received == 100 and found.guessed


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("four", 1), ("fours", 2), ("图像", 2), ("a 图", 2)])
def test_estimate_of_tokens(text, tokens):
    assert estimated(text) == tokens


@pytest.mark.parametrize(
    "reply",
    [
        '<think>maybe {"b": 2}?</think>{"a": 1}',
        'First {"b": {}}, no: {"a": 1        }',
        '{"a": 1}',
        'Sure!\n```json\n{"a": 1}\n```\nDone.',
        'Here {it} is: {"a": 1} and more',
        ' \n{"a": 1}\n',
    ],
)
def test_json_is_found_however_it_is_wrapped(reply):
    assert json_object(reply) == {"a": 1}


def test_list_stands_for_its_object():
    assert json_object('Here: [{"a": 1}, {"a": 2}] done', "tasks") == {"tasks": [{"a": 1}, {"a": 2}]}
    assert json_object("[]", "tasks") == {"tasks": []}


@pytest.mark.parametrize("reply", ['{"a":' * 50_000, "[" * 90_000, "{" * 90_000, '{"a":[' * 30_000])
def test_json_without_end_is_refused_at_once(reply):
    with pytest.raises(BadReply):
        json_object(reply, "tasks")


@pytest.mark.parametrize("reply", ["", "no json here", "[1, 2]", '{"a": '])
def test_reply_without_object_is_refused(reply):
    with pytest.raises(BadReply, match="no JSON object"):
        json_object(reply)


def test_prompt_refuses_other_variables_than_its_header_names():
    assert "tool one" in prompt("plan", tools="tool one")
    with pytest.raises(ValueError, match="takes"):
        prompt("plan")
