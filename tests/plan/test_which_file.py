"""A file that is named in a request, or newly brought with it, is what is meant: whole conversations, planned and run.

The engine is made up; the planner and the tools are the real ones. The cases are in data/which_file.json.xz: `files`
are those that the last request means, `beside` those that the same was done for before, where it asks to repeat that
for a further file ("the same with cat.jpg"): both results are shown then.
"""

from __future__ import annotations

import asyncio
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from desktop_app.graph.workflow import Workflow
from desktop_app.plan.planner import Planner
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import FakeHistory, TracingEngine, brought

TOOLS = load_tools().tools
CASES: dict[str, Any] = json.loads(
    lzma.decompress((Path(__file__).parent.parent / "data" / "which_file.json.xz").read_bytes())
)


@pytest.fixture(scope="module")
def planner() -> Planner:
    return Planner(lambda: TOOLS, "adaptive")


def meant(session: Session) -> tuple[set[str], set[str]]:
    """The files that what is wanted rests on, and the tools that work for it."""
    shown = session.workflow
    kept = shown.upstream(*(node for node, _ in shown.results(session.tools)))
    files = {r.name for r in shown.resources if r.name in kept}
    return files, {node.tool for node in shown.nodes if node.id in kept}


async def conversation(session: Session, turns: list[Any]) -> None:
    """Asks all, and runs all but the last."""
    for number, (text, files) in enumerate(turns):
        await session.ask(text, tuple(brought(session, name) for name in files))
        if number < len(turns) - 1:
            assert session.workflow != Workflow(), f"nothing was planned for {text!r}: {session.messages[-1].text}"
            await session.start()


@pytest.mark.parametrize("name", CASES)
def test_the_file_that_is_meant_is_taken(name: str, planner: Planner, tmp_path: Path) -> None:
    case = CASES[name]
    store = Store(tmp_path / "store")
    session = Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())
    asyncio.run(conversation(session, case["turns"]))
    files, tools = meant(session)
    assert session.messages[-1].kind == "plan", session.messages[-1].text
    assert files == {*case["files"], *case.get("beside", ())}, session.messages[-1].text
    assert set(case.get("with", ())) <= tools and not set(case.get("without", ())) & tools, tools


def test_a_named_file_that_is_not_here_is_asked_for(planner: Planner, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    session = Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())
    turns = [["How many faces are in group.jpg?", ["group.jpg"]], ["How many faces are in party.jpg?", []]]
    asyncio.run(conversation(session, turns))
    assert meant(session)[0] == set() and [question.kind for question in session.questions()] == ["file"]


def test_a_name_for_what_is_made_names_no_file(planner: Planner, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    session = Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())
    turns = [["Make a cartoon of coffee.jpg", ["coffee.jpg"]], ["make it darker and save it as dark.png", []]]
    asyncio.run(conversation(session, turns))
    assert meant(session)[0] == {"coffee.jpg"} and "cartoon" in meant(session)[1]
