"""The language model on this computer, tiny and random, in a real lane: it streams, stops, dies, and comes back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import struct

import pytest

from desktop_app.app import ChatModels
from desktop_app.core.errors import BadReply
from desktop_app.core.settings import LOCAL, Settings
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.models import store as model_store
from desktop_app.models.catalogue import find
from desktop_app.plan.planner import Planner
from desktop_app.run.engine import Engine
from desktop_app.services import local_chat
from desktop_app.services.local_chat import TOOLS, LocalChat, chat_models
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import picture
from tests.nodes.models.tiny import builders
from tests.waiting import turns

SMALL, LARGE = "qwen2-5-0-5b", "qwen2-5-1-5b"
HELLO = [ChatMessage("user", "Hello")]
PLAN = {
    "type": "object",
    "properties": {"steps": {"type": "array", "items": {"type": "object"}}, "title": {"type": "string"}},
    "required": ["steps"],
    "additionalProperties": False,
}


def install(id: str) -> None:
    """A tiny chat model with room for long talks, where the program looks for that of the catalogue."""
    model = find(id)
    folder = model_store.folder(model)
    folder.mkdir(parents=True)
    builders.chat(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 60_000}))
    mark_present(id)


def mark_present(id: str) -> None:
    model = find(id)
    folder = model_store.folder(model)
    files = {p.name: p.stat().st_size for p in folder.iterdir()}
    (folder / model_store.MARKER).write_text(json.dumps({"id": id, "revision": model.revision, "files": files}))


class World:
    """A loop, and a LocalChat on a lane."""

    def __init__(self, home) -> None:
        self.home = home
        self.runner = asyncio.Runner()
        self.store, self.history = Store(home / "store"), History(home / "history.sqlite")
        self.engine = Engine(self.store, self.history, TOOLS, cpu_lanes=2)
        self.chat = LocalChat(self.engine, self.store, SMALL)

    def ask(self, text: str = "Hello", schema=None) -> str:
        return self.runner.run(complete(self.chat, [ChatMessage("user", text)], schema))

    @property
    def lanes(self) -> list[int]:
        return [lane.pid for lane in self.engine._pool.lanes()]

    def close(self) -> None:
        self.runner.run(self.chat.close())
        self.runner.close()
        self.history.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_HOME", str(home))
        install(SMALL)
        made = World(home)
        yield made
        made.close()


@pytest.fixture
def world(shared, own_home, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(shared.home))
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 120)
    shared.chat.use(SMALL)
    return shared


def test_a_reply_comes_in_pieces_and_whole(world, monkeypatch):
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 400)

    async def act():
        return [piece async for piece in world.chat.stream(HELLO)]

    pieces = world.runner.run(act())
    assert len(pieces) > 1 and all(pieces)
    assert "".join(pieces) == world.ask()


@pytest.mark.parametrize("seed", range(5))
def test_a_reply_under_a_schema_is_always_json_of_it(world, seed):
    reply = json.loads(world.ask(f"Plan {seed}", PLAN))
    assert isinstance(reply["steps"], list) and reply.keys() <= {"steps", "title"}


def test_a_reply_that_is_left_stops_and_the_model_stays_loaded(world, monkeypatch):
    world.ask()
    before = world.lanes
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 30_000)  # minutes, unless it stops

    async def act():
        async with contextlib.aclosing(world.chat.stream([ChatMessage("user", "Go on")])) as reply:
            async for _ in reply:
                break
        monkeypatch.setattr(local_chat, "MOST_TOKENS", 8)
        return await complete(world.chat, [ChatMessage("user", "And now?")])

    assert world.runner.run(act())
    assert world.lanes == before


def test_a_task_that_is_cancelled_takes_its_reply_along(world, monkeypatch):
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 30_000)

    async def act():
        began = asyncio.Event()

        async def talk():
            async for _ in world.chat.stream([ChatMessage("user", "Talk")]):
                began.set()

        task = asyncio.ensure_future(talk())
        await began.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        monkeypatch.setattr(local_chat, "MOST_TOKENS", 8)
        return await complete(world.chat, [ChatMessage("user", "Still there?")])

    assert world.runner.run(act())


def test_what_is_left_before_its_turn_is_never_computed(world, monkeypatch):
    async def act():
        first = asyncio.ensure_future(complete(world.chat, [ChatMessage("user", "One")]))
        await turns()
        monkeypatch.setattr(local_chat, "MOST_TOKENS", 30_000)
        waiting = asyncio.ensure_future(complete(world.chat, [ChatMessage("user", "Two")]))
        await turns()
        waiting.cancel()
        monkeypatch.setattr(local_chat, "MOST_TOKENS", 8)
        third = complete(world.chat, [ChatMessage("user", "Three")])
        return await asyncio.gather(first, waiting, third, return_exceptions=True)

    first, second, third = world.runner.run(act())
    assert isinstance(first, str) and isinstance(second, asyncio.CancelledError) and isinstance(third, str)


def test_a_lane_that_dies_in_the_middle_is_told_and_the_next_reply_comes(world, monkeypatch):
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 30_000)

    async def act():
        async for _ in world.chat.stream([ChatMessage("user", "Die")]):
            for pid in world.lanes:
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(BadReply, match=r"ended .*killed"):
        world.runner.run(act())
    monkeypatch.setattr(local_chat, "MOST_TOKENS", 8)
    assert world.ask("Alive?")


def test_a_model_that_says_nothing_for_too_long_is_given_up(world):
    world.chat.use(SMALL, 0.0)
    with pytest.raises(BadReply, match="said nothing for 0 s"):
        world.ask("Quick!")
    world.chat.use(SMALL)
    assert world.ask("Slowly then")


def test_a_model_that_is_not_there_is_named_with_how_to_get_it(world):
    world.chat.use(LARGE)
    with pytest.raises(BadReply, match=rf"1\.5B Instruct is not on this computer yet; .*models download {LARGE}"):
        world.ask()


def test_a_model_that_the_catalogue_does_not_know_is_refused(world):
    world.chat.use("yolos-tiny")
    with pytest.raises(BadReply, match="no chat model 'yolos-tiny'"):
        world.ask()


def test_without_a_name_the_best_on_disk_is_taken(world):
    world.chat.use("")
    assert world.ask()


def test_a_model_that_does_not_fit_into_the_memory_is_said(world):
    folder = model_store.folder(find(LARGE))
    folder.mkdir()
    side = 10**6
    header = json.dumps({"w": {"dtype": "F32", "shape": [side, side], "data_offsets": [0, 4 * side**2]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header)
    mark_present(LARGE)
    world.chat.use(LARGE)
    try:
        with pytest.raises(BadReply, match=r"takes about 4800.0 GB of memory"):
            world.ask()
    finally:
        model_store.remove(find(LARGE))


def test_a_talk_that_is_too_long_is_refused_in_words(world):
    with pytest.raises(BadReply, match="too long: 7"):
        world.ask("x" * 70_000)


def test_a_schema_that_cannot_be_kept_to_is_said(world):
    with pytest.raises(BadReply, match="cannot be held to this schema"):
        world.ask("Hello", {"type": "wrong"})


def test_what_was_said_is_in_no_recording(world):
    world.ask("My secret is mint tea")
    recorded = [path for path in (world.home / "runs").glob("*") if b"mint tea" in path.read_bytes()]
    assert recorded == []


def test_the_catalogue_has_chat_models_and_each_has_a_back_end():
    ids = [model.id for model in chat_models()]
    assert SMALL in ids and LARGE in ids
    assert ids == [model.id for model in chat_models() if model.task == "chat"]


def test_the_settings_choose_between_here_a_server_and_nothing(world):
    chats = ChatModels(world.chat)
    assert chats.of(Settings()) is None
    assert chats.of(Settings(llm_url=LOCAL, llm_model=SMALL)) is world.chat
    assert world.ask()
    before = world.lanes
    assert chats.of(Settings(theme="light", llm_url=LOCAL, llm_model=SMALL)) is world.chat
    assert world.lanes == before  # another theme costs no model
    assert isinstance(chats.of(Settings(llm_url="http://localhost:1/v1", llm_model="x")), OpenAICompatible)
    assert world.lanes == []


def session_of(world, *tools: str) -> Session:
    known = {id: load_tools().tools[id] for id in tools}
    engine = Engine(world.store, world.history, known, cpu_lanes=2)
    return Session(
        known, Planner(lambda: known, "adaptive", world.chat), engine, world.store, world.history, world.chat
    )


def test_a_request_is_planned_with_it_mended_once_and_then_offline(world, tmp_path, monkeypatch):
    """A random model plans nothing of use: what it says is JSON, does not hold, is mended in vain, and gives way."""
    from PIL import Image

    asked = []
    stream = world.chat.stream

    async def listening(messages, schema=None):
        asked.append((messages, schema, ""))
        async for piece in stream(messages, schema):
            asked[-1] = (*asked[-1][:2], asked[-1][2] + piece)
            yield piece

    monkeypatch.setattr(world.chat, "stream", listening)
    Image.fromarray(picture()).save(tmp_path / "photo.png")
    session = session_of(world, "blur", "flip", "rotate")

    async def act():
        session.attach(tmp_path / "photo.png")
        await session.ask("Blur photo.png", ["photo.png"])
        await session.start()
        await session.tracker.engine.close()

    world.runner.run(act())
    assert session.plan is not None and "Planned offline instead" in session.plan.notice
    assert [node.tool for node in session.workflow.nodes] == ["blur"]
    plans = [(messages, reply) for messages, schema, reply in asked if schema]
    assert len(plans) == 2 and "cannot be used" in plans[1][0][-1].text
    assert all(isinstance(json.loads(reply), dict) for _, reply in plans)
    worded = [reply for _, schema, reply in asked if not schema]
    assert len(worded) == 1 and session.run.outcome == "ok"
    assert session.messages[-1].kind == "answer" and session.messages[-1].text


def test_closing_the_session_ends_the_lane(world):
    world.ask()
    assert world.lanes
    world.runner.run(session_of(world, "blur").close())
    assert world.lanes == []
    assert world.ask()  # it can be talked to again
