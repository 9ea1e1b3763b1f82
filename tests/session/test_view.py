"""Everything that a window is given as a session is one: the real one, and the fake."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from desktop_app.graph.workflow import Workflow
from desktop_app.session.session import Session
from desktop_app.session.view import SessionView
from desktop_app.storage.resources import Store
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.session.test_session import TOOLS
from tests.ui.fakes import FakeSession


def members(protocol: type) -> dict[str, Any]:
    return {name: member for name, member in vars(protocol).items() if not name.startswith("_")}


ALL = members(SessionView)


@pytest.fixture
def make(tmp_path):
    store = Store(tmp_path / "store")
    made = {
        "session": lambda: Session(TOOLS, FakePlanner(), FakeEngine(store, TOOLS, {}), store, FakeHistory()),  # type: ignore[arg-type]
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


@pytest.mark.parametrize("name", ["session", "fake"])
def test_it_is_what_a_window_is_given(make, name):
    assert faults(make(name), ALL) == []


def test_a_missing_name_and_another_signature_are_found():
    class Half:
        chosen = 0

        def edit(self, workflow: Workflow, quietly: bool = False) -> None: ...

        def start(self, upto=None, again=()) -> None: ...

    wanted = {name: ALL[name] for name in ("chosen", "edit", "start", "find")}
    lacks = ["edit is called in another way", "start is called in another way", "find is not there"]
    assert faults(Half(), wanted) == lacks
