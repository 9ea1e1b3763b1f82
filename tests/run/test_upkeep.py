"""What is kept on disk and in memory: told, limited by the settings, given back on request, never what is shown."""

from __future__ import annotations

import asyncio
import json
import struct
import threading
from collections.abc import Callable
from typing import cast

import pytest

from desktop_app import app
from desktop_app.core.settings import Settings
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.planner import Planner
from desktop_app.run.engine import Engine
from desktop_app.run.maintenance import GB, Upkeep
from desktop_app.session.autosave import ConversationStore
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from nodes._support.models.model_pool import ModelPool
from nodes.api import RunContext
from tests.fakes import FakePlanner
from tests.run.helpers import chain, graph
from tests.run.toys import TOOLS
from tests.waiting import PATIENCE


def _text(text: str) -> Workflow:
    return graph({"a": ("join", {"texts": [text * 1000]})})


def _until(world, happened: Callable[[], bool]) -> None:
    async def wait() -> None:
        while not happened():
            await asyncio.sleep(0.005)

    world.runner.run(asyncio.wait_for(wait(), PATIENCE))


def _tidied(world) -> None:
    world.runner.run(world.engine._tidy.done())


# Results on disk


def test_the_settings_limit_every_engine(single):
    other = Engine(single.store, single.history, TOOLS, 1)
    Upkeep(single.engine, other).limit(2.5, 30.0)
    assert single.engine.cap_bytes == int(2.5 * GB) and other.cap_bytes is None
    assert single.engine.idle_seconds == other.idle_seconds == 30.0


def test_the_program_limits_its_engines_as_its_settings_say(own_home):
    parts = app._with_history(Settings(cache_gb=3.0, idle_seconds=7.0))
    session = parts.session
    engine = session.tracker.engine
    assert (engine.cap_bytes, engine.idle_seconds) == (3 * GB, 7.0)
    app.use_settings(parts, Settings(cache_gb=4.0, idle_seconds=0.0))
    assert (engine.cap_bytes, engine.idle_seconds) == (4 * GB, 0.0)


def test_a_program_that_starts_above_the_cap_makes_room_without_a_run(single):
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    single.restart()
    single.engine.cap_bytes = 1000
    Upkeep(single.engine).make_room()
    _tidied(single)
    assert not single.store.path(old.digest, old.suffix).exists()


def test_without_a_cap_nothing_goes(single):
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    single.restart()
    single.engine.cap_bytes = None
    single.engine.make_room()
    single.run(_text("new"))
    _tidied(single)
    assert single.store.path_of(old).exists()


def test_no_room_is_made_during_a_run(single):
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    single.restart()
    single.engine.cap_bytes = 1000
    flow = graph({"n": ("nap", {"seconds": 0.2})})
    looked = []

    def look() -> None:
        single.engine.make_room()
        looked.append(single.engine._tidy._thread)

    single.run(flow, then=look)
    assert looked == [None]
    _tidied(single)
    assert not single.store.path(old.digest, old.suffix).exists()  # after the run, then


def test_another_engine_on_the_store_leaves_what_the_main_one_shows(single, monkeypatch):
    """The engine that finds masks knows nothing of the results in the conversation."""
    monkeypatch.setattr("desktop_app.run.engine.CAP_BYTES", 1000)
    other = Engine(single.store, single.history, TOOLS, 1)
    upkeep = Upkeep(single.engine, other)
    upkeep.limit(1000 / GB, 600.0)
    shown = single.run(_text("shown")).nodes["a"].outputs["text"]

    async def used() -> None:
        await other.run(_text("mask"), lambda batch: None)
        await other.close()

    single.runner.run(used())
    assert single.store.path_of(shown).exists()


def test_what_a_conversation_shows_outlives_the_program_and_every_cleaning(single):
    """Through the real session, its file in the history, and a program that starts far above the cap."""

    def session() -> Session:
        return Session(TOOLS, cast(Planner, FakePlanner()), single.engine, single.store, single.history)

    before = session()
    before.edit(_text("shown"))
    single.runner.run(before.start())
    lost = single.run(_text("lost")).nodes["a"].outputs["text"]
    ConversationStore(single.history).save(before.snapshot())
    single.restart()
    single.engine.cap_bytes = 10
    single.engine.make_room()
    _tidied(single)
    after = session()
    after.restore(ConversationStore(single.history).read(before.id))
    made = after.run.nodes["a"].outputs["text"]
    assert isinstance(made, Resource)
    assert after.value_of(made) == "shown" * 1000
    assert not single.store.path(lost.digest, lost.suffix).exists()


def test_results_that_nothing_shows_are_forgotten_on_request_and_the_others_stay(single):
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    single.restart()
    shown = single.run(_text("shown")).nodes["a"].outputs["text"]
    upkeep = Upkeep(single.engine)
    before = upkeep.used_bytes()
    upkeep.forget_results()
    _tidied(single)
    assert not upkeep.tidying and 0 < upkeep.used_bytes() < before
    assert single.store.path_of(shown).exists() and not single.store.path(old.digest, old.suffix).exists()


def test_a_request_while_it_is_being_looked_already_is_not_lost(single, monkeypatch):
    """As when results are forgotten right after a run, whose own look has not ended."""
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    single.restart()
    going, told = threading.Event(), History.result_bytes

    def slowly(history: History) -> int:
        assert going.wait(PATIENCE)
        return told(history)

    monkeypatch.setattr(History, "result_bytes", slowly)
    upkeep = Upkeep(single.engine)
    upkeep.limit(5.0, 600.0)
    upkeep.make_room()
    upkeep.forget_results()
    assert upkeep.tidying
    going.set()
    _tidied(single)
    assert not single.store.path(old.digest, old.suffix).exists()


def test_nothing_is_forgotten_during_a_run(single):
    seen = []

    def forget() -> None:
        single.engine.forget_results()
        seen.append(single.engine.tidying)

    single.run(graph({"n": ("nap", {"seconds": 0.1})}), then=forget)
    assert seen == [False]


# Models in memory


@pytest.fixture
def weights(tmp_path):
    """The folder of a model that says it has a thousand numbers."""
    folder = tmp_path / "models" / "tiny-model"
    folder.mkdir(parents=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [1000], "data_offsets": [0, 4000]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4000))
    return folder


def _remember(folder, **more) -> Workflow:
    return graph({"m": ("remember", {"model": str(folder), **more})})


def test_what_is_loaded_is_told_with_its_size(single, weights):
    assert Upkeep(single.engine).models() == ()
    single.run(_remember(weights))
    _until(single, lambda: bool(single.engine.models()))
    (model,) = Upkeep(single.engine).models()
    assert (model.model, model.lane, model.size_bytes, model.busy) == ("tiny-model", "CPU 1", 4000, False)


def test_a_model_that_is_freed_goes_and_its_lane_stays(single, weights):
    other = weights.with_name("other-model")
    other.mkdir()
    single.run(_remember(weights))
    single.run(_remember(other))
    _until(single, lambda: len(single.engine.models()) == 2)
    lanes = {lane.pid for lane in single.engine._pool.lanes()}
    Upkeep(single.engine).free("tiny-model")
    _until(single, lambda: [m.model for m in single.engine.models()] == ["other-model"])
    assert {lane.pid for lane in single.engine._pool.lanes()} == lanes


def test_a_model_that_is_freed_while_it_is_used_goes_afterwards(weights, tmp_path):
    pool, context = ModelPool(), RunContext(tmp_path)
    with pool.lease(weights, "toy", lambda device: "loaded", context, "cpu") as entry:
        pool.free("tiny-model")
        assert entry.model == "loaded" and pool.sizes() == {"tiny-model": 4000}
    assert pool.sizes() == {}


def test_a_model_that_no_pool_holds_goes_with_its_lane(single):
    single.run(graph({"a": ("where", {})}))
    assert [lane.models for lane in single.engine._pool.lanes()] == [{"toy"}]
    single.engine.free("another")
    assert list(single.engine._pool.lanes())
    single.engine.free("toy")
    assert not list(single.engine._pool.lanes())


def test_idle_models_go_after_the_time_of_the_settings(single, weights):
    single.run(_remember(weights))
    _until(single, lambda: bool(single.engine.models()))
    Upkeep(single.engine).limit(20.0, 0.05)
    _until(single, lambda: not single.engine.models())


def test_idle_models_stay_when_the_settings_say_for_ever(single, weights):
    Upkeep(single.engine).limit(20.0, 0.0)
    single.run(_remember(weights))
    assert single.engine._idle is None
    single.run(chain(1))
    assert single.value(single.run(_remember(weights)), "m", "text") == "tiny-model"
