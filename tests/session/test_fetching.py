"""What a run lacks is offered, fetched when the user says so, and then the run goes on by itself."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from types import SimpleNamespace

import pytest

from desktop_app.cli import exit_codes
from desktop_app.cli.main import main
from desktop_app.core import settings
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.models import runtime, store
from desktop_app.models.catalogue import find
from desktop_app.models.selection import needed
from desktop_app.plan.types import Plan, Solution, Step
from desktop_app.run.backends import availability
from desktop_app.run.backends import selection as backends
from desktop_app.session import fetching
from desktop_app.session.messages import costs_by_node
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from nodes import catalogue as node_catalogue
from nodes import load_tools
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.models.conftest import REVISION, SIZE, hub  # noqa: F401

ENTRY = f"""
[[model]]
id = "tiny-words"
task = "text from audio"
family = "tiny words"
title = "Tiny words"
repo = "someone/tiny"
revision = "{REVISION}"
files = ["*.json", "tokenizer/*.txt", "model.safetensors"]
size_bytes = {SIZE}
memory_bytes = 1000000
licence = "MIT"
source = "https://example.org"
quality = 0.5
"""


@pytest.fixture
def tools(own_home, tmp_path, monkeypatch):
    """The tools, of which `change_case` is one that needs a tiny model."""
    own = tmp_path / "models.toml"
    own.write_text(ENTRY)
    monkeypatch.setenv(node_catalogue.OWN, str(own))
    tools = dict(load_tools().tools)
    case = tools["change_case"]
    model = find("tiny-words")
    way = case.backends[0].__class__("tiny-words", "Tiny words", case.backends[0].run, "model", "cpu", model=model.id)
    tools["change_case"] = case.__class__(**{**vars(case), "backends": (way,)})
    availability.look_again()
    backends.look_again()
    yield tools
    availability.look_again()
    backends.look_again()


@pytest.fixture
def session(tools, tmp_path):
    store = Store(tmp_path / "store")
    engine = FakeEngine(store, tools, {"change_case": "WORDS", "count_words": 3})
    planned = Solution("Shout", "", 0.9, (Step("case", "change_case", {"text": "words"}),))
    return Session(tools, FakePlanner(Plan((planned,))), engine, store, FakeHistory())


GRAPH = Workflow(nodes=(Node("case", "change_case", {"text": "words"}),))


def ran(session) -> int:
    return len(session.tracker.engine.runs)


def test_what_is_missing_is_asked_once_with_its_size(session):
    session.edit(GRAPH)
    (asked,) = session.questions()
    assert (asked.kind, asked.step, asked.resource) == (fetching.KIND, "case", "tiny-words")
    assert asked.choices == (fetching.GET,), "without it there is nothing to make"
    assert asked.text == "Tiny words (3 MB) has to be fetched before this can run. Get it?"


async def test_nothing_runs_before_the_user_says_so_and_then_the_run_goes_on_by_itself(session, hub):  # noqa: F811
    session.edit(GRAPH)
    await session.start()
    assert ran(session) == 0
    (asked,) = session.messages[-1].questions
    await session.answer_fetch(asked, fetching.GET)
    assert store.present(find("tiny-words")) and ran(session) == 1
    assert session.questions() == () and not any(message.open for message in session.messages)


async def test_the_cost_of_the_plan_changes_when_it_is_here(session, hub):  # noqa: F811
    await session.ask("shout")
    assert session.alternatives[0].download_bytes == SIZE
    steps_back = session.can_undo
    (asked,) = session.messages[-1].questions
    await session.answer_fetch(asked, fetching.GET)
    assert session.can_undo == steps_back
    assert session.alternatives[0].download_bytes == 0
    assert ran(session) == 0, "nobody has pressed Run"
    assert "Ready to run" in session.messages[-1].text


BOTH = GRAPH.with_node(Node("count", "count_words", {"text": "a b c"}))


async def test_who_goes_on_without_it_is_not_asked_again(session):
    session.edit(BOTH)
    await session.start()
    (asked,) = session.messages[-1].questions
    assert asked.choices == (fetching.GET, fetching.WITHOUT)
    await session.answer_fetch(asked, fetching.WITHOUT)
    assert ran(session) == 1 and session.questions() == ()


async def test_what_is_left_out_on_purpose_does_not_run_and_does_not_fail(session):
    """Also before anybody pressed Run: going on is running."""
    session.edit(BOTH.with_node(Node("shout", "change_case")).with_link(Link("case", "text", "shout", "text")))
    (asked,) = session.questions()
    session.asked.ask((asked,))
    await session.answer_fetch(asked, fetching.WITHOUT)
    assert [upto for _, upto in session.tracker.engine.runs] == [("count",)]
    assert session.messages[-1].text.endswith("Left out as you wished: Change case.")


def test_what_was_declined_is_asked_again_where_nothing_is_left_without_it(session):
    session.edit(BOTH)
    (asked,) = session.questions()
    session.runs.fetching.decline(asked)
    assert session.questions() == ()
    session.edit(GRAPH)
    assert session.questions() and asyncio.run(session.start()) is None
    assert ran(session) == 0, "it would only fail"


def test_what_nothing_can_help_is_said_and_nothing_runs(session):
    settings.change(offline=True)
    session.edit(GRAPH)
    asyncio.run(session.start_or_tell())
    assert ran(session) == 0 and "Tiny words (3 MB)" in session.messages[-1].text
    assert session.messages[-1].text.endswith(fetching.STAYS_OFFLINE)
    said = len(session.messages)
    asyncio.run(session.start_or_tell())
    assert len(session.messages) == said, "once is enough"
    session.edit(BOTH)
    asyncio.run(session.start_or_tell())
    assert ran(session) == 1, "the other node can run"


async def test_a_download_that_fails_is_told_once_below_its_question_by_its_title_and_runs_nothing(session, hub):  # noqa: F811
    session.edit(GRAPH)
    hub.wrong.add("model.safetensors")
    await session.start()
    (asked,) = session.messages[-1].questions
    await session.answer_fetch(asked, fetching.GET)
    assert ran(session) == 0 and not store.present(find("tiny-words"))
    assert not any(message.kind == "error" for message in session.messages)
    assert session.messages[-1].open and session.questions(), "it can be tried again"
    told = session.downloads.all["tiny-words"].message
    assert "checksum" in told and "Tiny words" in told and "tiny-words" not in told


def test_a_download_that_fails_where_no_question_is_seen_is_told_in_the_chat(session, hub):  # noqa: F811
    session.edit(GRAPH)
    hub.wrong.add("model.safetensors")
    asyncio.run(session.answer_fetch(session.questions()[0], fetching.GET))
    assert session.messages[-1].kind == "error" and "checksum" in session.messages[-1].text


def test_each_model_is_looked_for_once_however_many_nodes_might_use_it(own_home, monkeypatch):
    """The window waits for it, each time that a graph is shown: 40 cards looked for 60,000 models."""
    looks, lies_whole = Counter[str](), store._lies_whole
    monkeypatch.setattr(store, "_lies_whole", lambda model, root: looks.update((model.id,)) or lies_whole(model, root))
    tools = load_tools().tools
    tool = max(tools.values(), key=lambda tool: sum(backend.kind == "model" for backend in tool.backends))
    graph = Workflow(nodes=tuple(Node(f"n{at}", tool.id) for at in range(5)))
    for look in (lambda: costs_by_node(graph, tools, FakeHistory()), lambda: fetching.question(graph, tools)):
        looks.clear()
        look()
        assert len(looks) > 5 and set(looks.values()) == {1}


def test_offline_nothing_is_offered(session):
    settings.change(offline=True)
    session.edit(GRAPH)
    assert session.questions() == ()


def test_switched_off_nodes_need_nothing(session):
    session.edit(Workflow(nodes=(Node("case", "change_case", {"text": "words"}, mode="mute"),)))
    assert session.questions() == ()


def test_the_runtime_is_offered_with_the_model(session, monkeypatch):
    monkeypatch.setattr(runtime, "has", lambda name: False)
    monkeypatch.setattr(runtime, "size_bytes", lambda: 250_000_000)
    tool = session.tools["change_case"]
    lacking = tool.backends[0].__class__(**{**vars(tool.backends[0]), "requires": ("python:torch",)})
    session.tools["change_case"] = tool.__class__(**{**vars(tool), "backends": (lacking,)})
    availability.look_again()
    session.edit(GRAPH)
    (asked,) = session.questions()
    assert asked.resource == "runtime tiny-words"
    assert "Tiny words (3 MB) and the model runtime (about 250 MB) have" in asked.text and "253 MB in all" in asked.text


def test_only_the_nodes_that_run_are_asked_about(session):
    session.edit(BOTH)
    asyncio.run(session.start("count"))
    assert ran(session) == 1


@pytest.mark.parametrize("yes", [False, True])
def test_on_the_command_line_it_is_asked_and_fetched_with_yes(yes, tools, hub, tmp_path, monkeypatch, capsys):  # noqa: F811
    real = load_tools().tools["classify_image"]
    wanted = backends.Backends().wanted(real, None)
    assert wanted is not None and needed(wanted)
    path = tmp_path / "w.json"
    path.write_text(json.dumps(Workflow(nodes=(Node("c", "classify_image", {}),)).to_json()))
    picture = "resources/examples/cat.jpg"
    said = main(["run", str(path), "--set", f"c.image={picture}", *(["--yes"] if yes else [])])
    output = capsys.readouterr()
    if yes:
        assert said == exit_codes.BAD and "Fetching first" in output.err and wanted.model in output.err
    else:
        assert said == exit_codes.MISSING and "--yes" in output.out and "MB" in output.out


def test_a_download_nobody_answered_for_lapses_with_its_step_and_no_tick_is_shown(session):
    session.edit(GRAPH)
    asyncio.run(session.start())
    session.undo()
    (asked,) = (message for message in session.messages if message.questions)
    assert not asked.open and asked.lapsed


async def test_a_download_that_came_was_answered(session, hub):  # noqa: F811
    session.edit(GRAPH)
    await session.start()
    await session.answer_fetch(session.messages[-1].questions[0], fetching.GET)
    asked = next(message for message in session.messages if message.questions)
    assert not asked.open and not asked.lapsed


@pytest.mark.parametrize(("size", "said"), [(16_000_000_000, "53 min"), (3_000_000_000, "10 min")])
def test_a_large_download_says_how_long_it_takes_and_when_that_is_much(monkeypatch, tools, size, said):
    offer = SimpleNamespace(ids=("large",), names="Large", size_bytes=size)
    monkeypatch.setattr(fetching, "offered", lambda *_: (offer, ("node",)))
    (asked,) = fetching.question(Workflow(), tools)
    assert said in str(asked.text)
    assert ("That is much for one step" in str(asked.text)) == (size > 9e9)
    assert asked.choices == (fetching.GET, fetching.LEAVE)
