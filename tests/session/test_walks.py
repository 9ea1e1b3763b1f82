"""Any conversation: its graphs hold together, ids and names stay what they are, and it opens again as it was."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.planner import Planner
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import FakeHistory, TracingEngine, brought, kept_conversation
from tests.walks import Walk, walk

SAID = (
    "make a cartoon of coffee.jpg", "now make it darker", "now show the original and this one side by side",
    "go back to the cartoon of the coffee", "make it a bit brighter", "now make a video from all the pictures you made",
)  # fmt: skip
RUBBISH: tuple[Any, ...] = (None, 7, -1, "?", [], {}, [[]], {"id": 3})


@pytest.mark.parametrize("seed", range(20))
def test_any_conversation_holds_together_and_opens_again(seed: int) -> None:
    walk(seed, 30)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("first", range(1000, 1400, 50))
def test_many_long_conversations(first: int) -> None:
    for seed in range(first, first + 50):
        walk(seed, 80)


@pytest.fixture
def real(tmp_path: Path) -> Session:
    """The real planner over the real tools; what they make is made up."""
    tools, store = load_tools().tools, Store(tmp_path / "store")
    planner = Planner(lambda: tools, "adaptive")
    return Session(tools, planner, TracingEngine(store, tools), store, FakeHistory())  # type: ignore[arg-type]


async def said(session: Session) -> list[str]:
    """All of SAID, each planned and run; what failed."""
    failed = []
    names = tuple(brought(session, name) for name in ("coffee.jpg", "chelsea.jpg"))
    for text in SAID:
        await session.ask(text, names)
        names = ()
        session.workflow.check(session.tools)
        await session.start()
        failed += session.run.failures()
        assert not from_text(to_text(session.snapshot())).lost
    return failed


def test_going_back_and_on_breaks_nothing(real: Session) -> None:
    assert asyncio.run(said(real)) == []
    assert "image_to_video" in {node.tool for node in real.workflow.nodes}
    names = [r.name for r in real.workflow.resources]
    assert "coffee_darker.png" in names  # made in a graph that is gone: a file of this one


def test_a_broken_conversation_of_before_opens_whole_where_the_lost_file_is_known(real: Session) -> None:
    kept = from_text(kept_conversation("broken_link.json.xz"))
    assert kept.lost == ""
    real.restore(kept)
    assert len(real.workflow.nodes) == 8 and len(real.messages) > 10
    assert "coffee_cartoon_brightness_contrast.png" in [r.name for r in real.workflow.resources]
    asyncio.run(real.ask("make coffee.jpg darker"))
    assert real.messages[-1].kind == "plan"


def test_a_conversation_of_before_ids_were_kept_opens_with_its_results(real: Session) -> None:
    real.restore(from_text(kept_conversation("format_2.json.xz")))
    assert {id: node.state for id, node in real.run.nodes.items()} == {"cartoon": "done", "brightness_contrast": "done"}
    asyncio.run(real.ask("make it a sketch"))
    assert real.workflow.ids()[:2] == ("cartoon", "brightness_contrast") and len(real.workflow.ids()) == 3


def test_a_plan_that_does_not_hold_together_is_told_in_words(make_bad: Session) -> None:
    before = make_bad.workflow
    asyncio.run(make_bad.ask("do it"))
    assert make_bad.workflow == before and not make_bad.alternatives
    assert "runs in a circle through a, b" in make_bad.messages[-1].text


@pytest.fixture
def make_bad(tmp_path: Path) -> Session:
    from desktop_app.plan.types import FromNode, Plan, Solution, Step
    from tests.fakes import FakePlanner
    from tests.session.test_session import TOOLS

    steps = (
        Step("a", "blur", {"image": FromNode("b", "image")}),
        Step("b", "blur", {"image": FromNode("a", "image")}),
    )
    store = Store(tmp_path / "store")
    planner: Any = FakePlanner(Plan((Solution("Odd", "", 0.9, steps),)))
    return Session(TOOLS, planner, TracingEngine(store, TOOLS), store, FakeHistory())  # type: ignore[arg-type]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything within JSON data."""
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, value in below for place in places(value, (*path, key)))]


def damaged(data: Any, path: tuple[Any, ...], dice: random.Random) -> None:
    """Puts rubbish at the path, or takes away what is there."""
    for key in path[:-1]:
        data = data[key]
    if dice.random() < 0.5 and isinstance(data, dict):
        del data[path[-1]]
    else:
        data[path[-1]] = dice.choice(RUBBISH)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_damaged_the_rest_opens(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    before = Walk(seed, tmp_path)
    with asyncio.Runner() as runner:
        runner.run(before.go(15))
        text = to_text(before.session.snapshot())
        whole = json.loads(text)
        at = [place for place in places(whole) if place and place not in {("format",), ("id",), ("messages",)}]
        for _ in range(30):
            data = json.loads(text)
            damaged(data, dice.choice(at), dice)
            kept = from_text(json.dumps(data))
            session = before._new()
            session.restore(kept)
            assert Workflow.from_json(session.workflow.to_json()).ids() == session.workflow.ids()
            assert len(session.messages) >= len(whole["messages"]) - 1 + bool(kept.lost)
            runner.run(session.ask("go on"))
            to_text(session.snapshot())


@pytest.mark.parametrize("section", ["workflows", "ways", "undo", "messages", "runs"])
def test_one_damaged_part_is_told_and_costs_no_other(section: str, real: Session) -> None:
    data = json.loads(kept_conversation("format_2.json.xz"))
    whole = from_text(json.dumps(data))
    data[section][0] = {} if section != "ways" else [{}]
    kept = from_text(json.dumps(data))
    assert kept.lost.startswith("This conversation is damaged.")
    assert len(kept.messages) == len(whole.messages) - (section == "messages")
    real.restore(kept)
    assert real.messages[-1].text == kept.lost and real.messages[-1].kind == "error"


@pytest.mark.parametrize(
    "text", ['{"format": 2}', '{"format": 2, "id": "x"}', '{"format": 1, "id": "x", "messages": []}']
)
def test_what_has_no_messages_or_no_name_is_no_conversation(text: str) -> None:
    with pytest.raises(BadWorkflow, match="damaged"):
        from_text(text)
