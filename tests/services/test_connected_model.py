"""The language model of the settings does the work of tools: through a lane, the real client and a scripted server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.app import new_session
from desktop_app.core.settings import Settings
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.backends import availability, selection
from desktop_app.run.backends.availability import Connected
from desktop_app.run.scheduling.dispatcher import Dispatcher
from desktop_app.session import consent, fetching
from nodes import load_tools
from tests.llm.server import Turn, serving

HAIKU = "Steam curls from the cup"


@pytest.fixture(autouse=True)
def disconnected():
    yield
    availability.connect(None)
    selection.look_again()


def model(body):
    """A model that sees, words answers, and writes a haiku."""
    content = body["messages"][-1]["content"]
    if isinstance(content, list):
        return "Red, blue." if "two pictures" in content[0]["text"] else "A grey square."
    if "closing reply" in body["messages"][0]["content"]:
        return ""
    return HAIKU


def ran(workflow, url, *attach, away=False, settings=None, yes=False, **more):
    """What a session said of the workflow, its run, and the questions that it asked."""
    chosen = settings or Settings(llm_url=url, llm_model="scripted", **more)

    async def go():
        session = new_session(chosen)
        if away:
            known = availability.connected()
            availability.connect(Connected(known.name, "server.example", known.sees, known.use))
            selection.look_again()
        try:
            for path in attach:
                session.attach(path)
            session.edit(Workflow(tuple(session.resources.values()), workflow.nodes, workflow.links))
            if yes:
                session.allow(*consent.CONNECTED)
            asked = session.questions()
            lanes = session.tracker.engine._pool
            await session.start()
            environments = [Path(f"/proc/{lane.pid}/environ").read_bytes() for lane in lanes.lanes()]
            return session.messages, session.run, asked, environments
        finally:
            await session.close()

    return asyncio.run(go())


def picture(tmp_path):
    path = tmp_path / "square.png"
    Image.fromarray(np.full((40, 60, 3), 128, np.uint8)).save(path)
    return path


CHAT = Workflow(nodes=(Node("chat", "chat", {"text": "Write a haiku about coffee"}),))
SEE = Workflow(nodes=(Node("look", "describe_image"),), links=(Link("square.png", "value", "look", "image"),))


def test_haiku_is_written_without_a_download(monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "sk-very-secret")
    with serving(model) as (url, script):
        messages, run, asked, environments = ran(CHAT, url, away=True)
    assert run.outcome == "ok" and run.nodes["chat"].backend == "connected-model" and not asked
    assert HAIKU in messages[-1].text
    assert script.requests[0]["messages"][-1]["content"] == "Write a haiku about coffee"
    assert script.keys[0] == "Bearer sk-very-secret"
    assert environments and not any(b"sk-very-secret" in environment for environment in environments)
    assert "the work leaves this computer" in run.nodes["chat"].notice


def test_picture_is_sent_only_after_consent_and_to_a_model_that_sees(tmp_path):
    with serving(model) as (url, script):
        _, run, asked, _ = ran(SEE, url, picture(tmp_path), away=True)
        assert not script.requests and not run.id
        assert "would send what it works on to the language model scripted at server.example" in asked[0].text
        messages, run, asked, _ = ran(SEE, url, picture(tmp_path), away=True, yes=True)
        assert not asked and "A grey square." in messages[-1].text
        parts = script.requests[1]["messages"][-1]["content"]
        assert parts[1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
        before = len(script.requests)
        ran(Workflow(nodes=(Node("look", "describe_image", {"detailed": True}),), links=SEE.links), url,
            picture(tmp_path), yes=True)  # fmt: skip
        assert not any("two pictures" in json.dumps(r) for r in script.requests[before:]), "tried once"


@pytest.mark.parametrize("sight", ["400", "guess"])
def test_model_that_does_not_see_is_told_and_not_asked_again(tmp_path, sight):
    def blind(body):
        return "Green, yellow."

    with serving(blind, refuses=("messages",) if sight == "400" else ()) as (url, script):
        _, run, _, _ = ran(SEE, url, picture(tmp_path), yes=True)
        assert run.outcome == "failed" and "does not see pictures" in run.nodes["look"].message
        seen = len(script.requests)
        _, run, asked, _ = ran(SEE, url, picture(tmp_path), yes=True)
        assert not run.id and asked[0].kind == fetching.KIND, "a model of the program's own is offered instead"
        assert len(script.requests) == seen


def test_step_by_step_asks_the_same_whether_the_model_sees():
    async def go(url):
        session = new_session(Settings(llm_url=url, llm_model="scripted"))
        try:
            return await session.stepwise.sees(), await session.stepwise.sees()
        finally:
            await session.close()

    with serving(model) as (url, script):
        assert asyncio.run(go(url)) == (True, True) and len(script.requests) == 1


def test_what_runs_here_goes_first_unless_people_order_otherwise(tmp_path):
    text = "One is here. Two is there. Three is far. Four is near. Five is gone."
    short = Workflow(nodes=(Node("s", "summarise", {"text": text, "sentences": 1}),))
    with serving(model) as (url, _):
        _, run, _, _ = ran(short, url)
        assert run.nodes["s"].backend == "textrank"
        _, run, _, _ = ran(short, url, connected="first")
        assert run.nodes["s"].backend == "connected-model"
        _, run, asked, _ = ran(CHAT, url, connected="never")
        assert not run.id and asked[0].kind == fetching.KIND


def test_server_that_fails_is_a_sentence():
    with serving(Turn(status=401, message="bad key")) as (url, _):
        _, run, _, _ = ran(CHAT, url)
    assert run.outcome == "failed" and "answered 401: bad key" in run.nodes["chat"].message


def test_other_tools_may_not_ask_the_model():
    """A tool file that asks without being an endpoint loses its lane."""

    class Lane:
        node, spoiled = "a", ""

        def spoil(self, found):
            self.spoiled = found

    class Job:
        id, backend = "a", load_tools().tools["blur"].backends[0]

    dispatcher, lane = Dispatcher.__new__(Dispatcher), Lane()
    dispatcher._jobs = {"a": Job()}
    assert not dispatcher._asked(lane, {"ask": "a", "number": 1, "service": "chat", "request": {}})
    assert "may not make" in lane.spoiled
