"""Everything that a window is given as a session is one: the real one, a replay as far as it is read, and the fake."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import pytest

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.session import replay
from desktop_app.session.replay import Replay
from desktop_app.session.session import Session
from desktop_app.session.view import SessionVerbs, SessionView, read_only
from desktop_app.storage.resources import Store
from tests import tapes
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.session.test_session import TOOLS
from tests.ui.fakes import FakeSession


def members(protocol: type) -> dict[str, Any]:
    return {name: member for name, member in vars(protocol).items() if not name.startswith("_")}


READ, DO = members(SessionView), members(SessionVerbs)


@pytest.fixture
def make(tmp_path):
    store = Store(tmp_path / "store")
    workflow = Workflow((), (Node("n", "blur"),))
    taped = tapes.tape(tmp_path / "r.jsonl", workflow, tapes.chain(workflow))
    made = {
        "session": lambda: Session(TOOLS, FakePlanner(), FakeEngine(store, TOOLS, {}), store, FakeHistory()),  # type: ignore[arg-type]
        "replay": lambda: Replay(replay.read(taped), TOOLS, store),
        "fake": lambda: FakeSession(tmp_path),
    }
    return lambda name: made[name]()


def shape(function: Any) -> tuple[Any, ...]:
    """How a function is called: names, kinds and defaults of its parameters, and whether it is awaited."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    return [(p.name, p.kind, p.default) for p in parameters], inspect.iscoroutinefunction(function)


def faults(one: Any, protocol: dict[str, Any]) -> list[str]:
    """What the object lacks of the protocol, or has in another form."""
    found = []
    for name, member in protocol.items():
        if not hasattr(one, name):
            found.append(f"{name} is not there")
        elif not isinstance(member, property) and shape(getattr(one, name)) != shape(member):
            found.append(f"{name} is called in another way")
        elif isinstance(member, property) and callable(getattr(one, name)):
            found.append(f"{name} is no value")
    return found


@pytest.mark.parametrize(
    ("name", "protocol"),
    [("session", READ | DO), ("fake", READ | DO), ("replay", READ)],
)
def test_it_is_what_a_window_is_given(make, name, protocol):
    assert faults(make(name), protocol) == []


def test_a_missing_name_and_another_signature_are_found():
    class Half:
        chosen = 0

        def edit(self, workflow: Workflow, quietly: bool = False) -> None: ...

        def start(self, upto=None, again=()) -> None: ...

    wanted = {name: (READ | DO)[name] for name in ("chosen", "edit", "start", "find")}
    lacks = ["edit is called in another way", "start is called in another way", "find is not there"]
    assert faults(Half(), wanted) == lacks


@pytest.mark.parametrize("verb", DO)
def test_each_verb_of_what_can_only_be_read_is_quiet_or_says_why_not(make, verb):
    shown = make("replay")
    before = shown.workflow, shown.messages, shown.resources, shown.run.nodes
    arguments = [object() for p in inspect.signature(DO[verb]).parameters.values() if p.default is p.empty][1:]
    done = getattr(read_only(shown), verb)
    quiet = verb in ("move", "undo", "redo", "new", "warm_masks", "stop")
    with contextlib.nullcontext() if quiet else pytest.raises(BadRequest, match="nothing can be changed"):
        made = done(*arguments)
        if inspect.iscoroutine(made):
            made.send(None)
    assert before == (shown.workflow, shown.messages, shown.resources, shown.run.nodes)
