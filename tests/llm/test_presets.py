"""Servers with habits of their own, and what the client remembers of them; each by its quirk, through the client."""

from __future__ import annotations

import asyncio
import json

import pytest

from desktop_app.core.errors import BadReply
from desktop_app.llm import abilities
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.openai_client import OpenAICompatible, strict
from desktop_app.plan.llm import graph_reply, subtasks
from tests.llm.hostile import STREAM, event, head, hostile
from tests.llm.server import Turn, serving

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
ASKED = [ChatMessage("user", "hello")]


def said(url, schema=None, **more):
    return asyncio.run(complete(OpenAICompatible(url, "m", seconds=5, retries=1, **more), ASKED, schema))


def delta(**fields):
    return event({"choices": [{"index": 0, "delta": fields}]})


@pytest.mark.parametrize("message", ["the model 'm' is overloaded with work", "invalid api version", "prompt is empty"])
def test_complaint_that_names_no_field_costs_one_request_and_nothing_is_given_up(message):
    with serving(Turn(status=400, message=message), "{}") as (url, script):
        with pytest.raises(BadReply):
            said(url, SCHEMA)
        assert len(script.requests) == 1
        said(url, SCHEMA)
    assert script.requests[1]["response_format"]["type"] == "json_schema" and script.requests[1]["temperature"] == 0


def test_what_a_server_refuses_is_remembered_for_it_and_the_model():
    with serving("{}", refuses=("json_schema", "temperature")) as (url, script):
        for _ in range(2):  # as after a change of the settings: another client
            said(url, SCHEMA)
    assert len(script.requests) == 4
    assert (
        script.requests[-1]["response_format"] == {"type": "json_object"} and "temperature" not in script.requests[-1]
    )


def test_effort_is_sent_where_it_is_known():
    with serving("fine", refuses=("reasoning_effort",)) as (url, script):
        assert said(url, effort="low") == "fine" and said(url, effort="low") == "fine"
    assert [one.get("reasoning_effort") for one in script.requests] == ["low", None, None]


@pytest.mark.parametrize("content", [
    [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}],
    [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Hello"}],
])  # fmt: skip
def test_mistral_sends_content_in_parts(content):
    with hostile(lambda wait: [head(STREAM), delta(content=content), b"data: [DONE]\n\n"]) as url:
        assert said(url) == "Hello"


def test_deepseek_and_vllm_think_in_a_field_of_their_own():
    parts = [delta(reasoning_content="hm " * 50), delta(content="Hello")]
    with hostile(lambda wait: [head(STREAM), *parts, b"data: [DONE]\n\n"]) as url:
        assert said(url) == "Hello"


def test_model_that_thinks_in_silence_is_waited_for_and_asked_once():
    with serving(Turn("Hello", pace=0.9, piece=10)) as (url, script):
        model = OpenAICompatible(url, "m", seconds=0.6, retries=3)
        assert asyncio.run(complete(model, ASKED)) == "Hello"
    assert len(script.requests) == 1


def test_server_that_says_nothing_is_asked_once():
    with serving(Turn(hang=True)) as (url, script), pytest.raises(BadReply, match="did not answer"):
        asyncio.run(complete(OpenAICompatible(url, "m", seconds=0.2, retries=3), ASKED))
    assert len(script.requests) == 1


@pytest.mark.parametrize(("status", "message"), [
    (429, "You exceeded your current quota (insufficient_quota)"), (402, "Insufficient credits"),
    (429, "Your credit balance is too low"),
])  # fmt: skip
def test_openai_openrouter_and_anthropic_want_to_be_paid(status, message):
    with (
        serving(Turn(status=status, message=message)) as (url, script),
        pytest.raises(BadReply, match="wants to be paid") as told,
    ):
        said(url)
    assert "credit" in told.value.fix and len(script.requests) == 1


def test_reply_that_the_network_cuts_off_is_asked_for_once_more():
    times = []

    def cut(wait):
        times.append(1)
        if len(times) == 1:  # says that more is to come, and ends
            return [head(STREAM, more="Content-Length: 5000\r\n"), delta(content="Hel")]
        return [head(STREAM), delta(content="Hello"), b"data: [DONE]\n\n"]

    with hostile(cut) as url:
        assert said(url) == "Hello"
    assert len(times) == 2


@pytest.mark.parametrize("preset", abilities.PRESETS, ids=lambda preset: preset.name)
def test_presets_are_found_by_address_and_start_with_what_is_known(preset):
    assert abilities.preset_of(f"{preset.url}/") is preset
    known = abilities.abilities(preset.url, "m")
    assert tuple(known.formats) == preset.formats and known.lacks == preset.lacks
    if preset.context and preset.name != "Ollama":
        assert abilities.context_of(preset.url, "m") == preset.context  # without a request


@pytest.mark.parametrize(("path", "answer", "length"), [
    ("/v1/models", {"data": [{"id": "m", "max_model_len": 16384}]}, 16384),  # vLLM
    ("/v1/models", {"data": [{"id": "x", "context_length": 9}, {"id": "m", "context_length": 64000}]}, 64000),
    ("/api/v0/models", {"data": [{"id": "m", "max_context_length": 131072, "loaded_context_length": 8192}]}, 8192),
    ("/props", {"default_generation_settings": {"n_ctx": 4096}}, 4096),  # llama.cpp
    ("/api/ps", {"models": [{"name": "m", "context_length": 32000}]}, 32000),  # Ollama
    ("/nothing", {}, abilities.UNKNOWN_CONTEXT),
])  # fmt: skip
def test_context_is_what_the_server_says(path, answer, length, monkeypatch):
    monkeypatch.setattr(abilities, "_read", lambda place, key: answer if place.endswith(path) else None)
    assert abilities.context_of("http://somewhere/v1", "m") == length


def test_ollama_has_its_short_default_unless_it_says_more(monkeypatch):
    monkeypatch.setattr(abilities, "_read", lambda place, key: None)
    assert abilities.context_of("http://127.0.0.1:11434/v1", "m") == 4096


def test_our_schemas_are_strict():
    for schema in (graph_reply.SCHEMA, subtasks.SCHEMA):
        held = strict(schema)
        assert held is not None and held["additionalProperties"] is False
        json.dumps(held)
    assert strict({"type": "object", "properties": {"x": {"type": "object"}}, "required": ["x"]}) is None
