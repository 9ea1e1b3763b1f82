"""While a language model plans: the draft is shown, improved within one undo step, and may be stopped or changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from desktop_app.llm.token_usage import Spent
from desktop_app.plan.types import FromResource, Plan, Question, Solution, Step
from desktop_app.session.asking.plan_display import CHANGED_MEANWHILE
from desktop_app.session.asking.plan_task import STOPPED
from desktop_app.session.session import Change, Session
from desktop_app.session.state import IMPROVING, STOPPABLE
from nodes import load_tools
from tests.fakes import FakeEngine, FakeHistory, Unversed, brought, picture

TOOLS = load_tools().tools


def way(tool: str, title: str) -> Solution:
    return Solution(title, "", 0.9, (Step(tool, tool, {"image": FromResource("a.png")}),))


DRAFT = Plan((way("blur", "Draft"),))
BETTER = Plan((way("sepia", "Better"), way("blur", "Draft")), mode="llm")


class Planner(Unversed):
    """Drafts at once, and answers when it is let."""

    def __init__(self, better: Plan = BETTER, draft: Plan = DRAFT) -> None:
        self.go, self.drafted, self.left = asyncio.Event(), asyncio.Event(), False
        self.better, self.draft = better, draft

    async def plan(self, request, draft, tally):
        await asyncio.sleep(0)
        draft(self.draft)
        self.drafted.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.left = True
            tally.add(Spent(7, 0, True))
            raise
        tally.add(Spent(10, 2))
        return self.better


@pytest.fixture
def made(tmp_path, store_of):
    def build(planner) -> Session:
        return Session(TOOLS, planner, FakeEngine(store_of, TOOLS, {"blur": picture()}), store_of, FakeHistory())

    return build


@pytest.fixture
def store_of(tmp_path):
    from desktop_app.storage.resources import Store

    return Store(tmp_path / "store")


def tools(session: Session) -> list[str]:
    return [node.tool for node in session.workflow.nodes]


def during(made, act, planner: Planner | None = None) -> Session:
    """The session after a request in which `act(session, planner)` is done while the draft is shown."""

    async def talk() -> Session:
        nonlocal planner
        planner = planner or Planner()
        session = made(planner)
        asking = asyncio.ensure_future(session.ask("do it"))
        await planner.drafted.wait()
        await asyncio.sleep(0)
        act(session, planner)
        planner.go.set()
        await asking
        return session

    return asyncio.run(talk())


def test_draft_is_shown_at_once_and_improved_later(made):
    def look(session, planner):
        assert tools(session) == ["blur"] and session.alternatives[0].solution.title == "Draft"
        assert session.busy == IMPROVING and IMPROVING in STOPPABLE
        assert [m.kind for m in session.messages] == ["text", "plan"]

    session = during(made, look)
    assert tools(session) == ["sepia"] and session.plan == BETTER and not session.busy
    assert [a.solution.title for a in session.alternatives] == ["Better", "Draft"]
    assert [m.kind for m in session.messages] == ["text", "plan"] and "Sepia" in session.messages[-1].text


def test_draft_and_plan_are_one_undo_step(made):
    session = during(made, lambda session, planner: None)
    session.undo()
    assert tools(session) == [] and not session.can_undo
    session.redo()
    assert tools(session) == ["sepia"]


class Withdrawing(Planner):
    """Blurs at the first request; the draft of any other is the same again, and nothing comes of it."""

    async def plan(self, request, draft, tally):
        if request.text == "blur it":
            return DRAFT
        draft(DRAFT)
        return Plan((), command="undo") if request.text == "undo it" else Plan((), causes=("No.",))


def test_a_draft_that_is_withdrawn_leaves_no_trace(made):
    async def talk() -> Session:
        session = made(Withdrawing())
        brought(session, "a.png")
        await session.ask("blur it", ("a.png",))
        await session.start()
        known, used, run = dict(session.tracker.made), set(session.state.used_ids), session.run
        assert known
        shown: list[tuple[str, ...]] = []
        session.listen(lambda change: shown.append(session.workflow.ids()) if Change.WORKFLOW in change else None)
        await session.ask("do it")
        assert shown[-1] == session.workflow.ids() == ("blur",)
        assert session.messages[-1].kind == "text" and not session.can_redo
        assert session.tracker.made == known and session.state.used_ids == used and session.run == run
        await session.ask("undo it")
        assert tools(session) == []
        session.redo()
        assert tools(session) == ["blur"] and not session.can_redo
        return session

    asyncio.run(talk())


def test_stop_ends_the_call_and_keeps_the_draft(made):
    planner = []
    session = during(made, lambda session, one: (planner.append(one), session.stop()))
    assert planner[0].left and tools(session) == ["blur"] and not session.busy
    assert session.messages[-1].text.startswith(STOPPED) and len(session.messages) == 2
    assert session.spent == Spent(7, 0, True)


def test_stop_before_there_is_a_draft_says_so(made):
    session = during(made, lambda session, planner: session.stop(), Planner(draft=Plan((), causes=("No.",))))
    assert session.messages[-1].text == f"{STOPPED} No."
    assert not session.workflow.nodes


def test_draft_of_nothing_is_not_shown(made):
    def look(session, planner):
        assert len(session.messages) == 1

    session = during(made, look, Planner(draft=Plan((), causes=("No tool here can do it.",))))
    assert tools(session) == ["sepia"]


def test_what_the_user_changes_meanwhile_stays(made):
    def change(session, planner):
        session.edit(session.workflow.without("blur"))

    session = during(made, change)
    assert tools(session) == [] and session.messages[-1].text == CHANGED_MEANWHILE


def test_another_conversation_is_left_alone(made):
    planner = []
    session = during(made, lambda session, one: (planner.append(one), session.new()))
    assert planner[0].left and session.messages == () and not session.workflow.nodes and not session.busy
    assert session.spent == Spent()


def test_request_that_is_abandoned_ends_the_call(made):
    async def talk() -> Planner:
        planner = Planner()
        asking = asyncio.ensure_future(made(planner).ask("do it"))
        await planner.drafted.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.sleep(0)
        return planner

    assert asyncio.run(talk()).left


def test_tokens_are_added_up_for_the_conversation(made):
    async def talk() -> Session:
        planner = Planner()
        planner.go.set()
        session = made(planner)
        await session.ask("one")
        await session.ask("two")
        return session

    assert asyncio.run(talk()).spent == Spent(20, 4)


def test_questions_of_the_plan_take_the_place_of_the_drafts(made):
    asked = replace(BETTER.solutions[0], questions=(Question("Which?", "text", (), "sepia", "strength"),))
    session = during(made, lambda session, planner: None, Planner(replace(BETTER, solutions=(asked,))))
    assert len([m for m in session.messages if m.kind == "plan"]) == 1
