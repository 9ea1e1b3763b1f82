"""A download or a run above what people set wants a word of theirs first; what is below goes on as it did."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from desktop_app.cli import exit_codes
from desktop_app.cli.main import main
from desktop_app.core import settings
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.plan.types import Plan, Solution, Step
from desktop_app.session import fetching, limits
from desktop_app.session.limits import Estimate
from desktop_app.session.messages import costs_by_node, items
from desktop_app.session.session import Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import FakeEngine, FakeHistory, FakePlanner
from tests.models.conftest import hub  # noqa: F401
from tests.session.test_fetching import GRAPH, tools  # noqa: F401
from tests.session.test_fetching import session as lacking  # noqa: F401

amounts = st.floats(0, 1e9)
SAYS = {"text": "words"}


@given(amounts, amounts, amounts)
def test_what_is_above_is_so_by_the_limit_and_by_what_was_agreed(amount, limit, agreed):
    wanted = limits.above(amount, limit, agreed)
    assert wanted == (limit != 0 and amount > limit and amount > agreed)
    assert not limits.above(amount, 0) and not limits.above(amount, limit, amount)
    if wanted:
        assert limits.above(amount + 1, limit, agreed), "more is not asked less"


@hypothesis.settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(min_size=1), st.floats(0, 1e6), max_size=5), amounts)
def test_a_question_is_about_the_longest_node_and_its_answer_ends_it(own_home, seconds, agreed):
    asked = limits.question(Estimate(seconds), agreed)
    assert bool(asked) == (sum(seconds.values()) > max(600, agreed))
    for one in asked:
        assert seconds[one.step] == max(seconds.values()) and one.choices == (limits.RUN, limits.LEAVE)
        assert not limits.question(Estimate(seconds), float(one.resource))


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (Estimate({"a": 1500.0}), "about 25 minutes"),
        (Estimate({"a": 1500.0, "b": 8700.0}, rough=True), "roughly 2.8 hours"),
        (Estimate({"a": 1500.0}, rough=True, whole=False), "at least 25 minutes"),
    ],
)
def test_the_figure_says_how_sure_it_is(own_home, estimate, said):
    (asked,) = limits.question(estimate)
    assert asked.text == f"This would run for {said}; you want to be asked above 10 minutes. Run it?"
    catalogue.use("zh")
    try:
        assert catalogue.translated(asked.text).startswith("这次运行预计需要")
    finally:
        catalogue.use("en")


def test_a_node_counts_once_for_each_of_several_values():
    tools = load_tools().tools  # noqa: F811
    nodes = (Node("a", "change_case", {}), Node("b", "count_words", {}))
    links = (*(Link(f"{n}.txt", RESOURCE_OUTPUT, "a", "text") for n in range(5)), Link("a", "text", "b", "text"))
    assert items(Workflow(nodes=nodes, links=links), tools) == {"a": 5, "b": 5}


def test_a_circle_that_came_with_a_file_does_not_end_the_counting():
    nodes = (Node("a", "change_case", {}), Node("b", "change_case", {}))
    links = (Link("a", "text", "b", "text"), Link("b", "text", "a", "text"))
    costs = costs_by_node(Workflow(nodes=nodes, links=links), load_tools().tools, FakeHistory(change_case=2.0))
    assert [cost.seconds for cost in costs.values()] == [2.0, 2.0]


@pytest.fixture
def make(own_home, tmp_path):
    def session(**seconds: float) -> Session:
        tools = load_tools().tools  # noqa: F811
        engine = FakeEngine(Store(tmp_path / "store"), tools, {"change_case": "WORDS", "count_words": 3})
        planned = Solution("Shout", "", 0.9, (Step("case", "change_case", SAYS),))
        parts: tuple[Any, ...] = (FakePlanner(Plan((planned,))), engine, engine.store, FakeHistory(**seconds))
        return Session(tools, *parts)

    return session


def ran(session) -> int:
    return len(session.tracker.engine.runs)


def test_a_long_run_is_asked_about_with_the_plan_and_goes_on_when_it_is_wanted(make):
    session = make(change_case=1500.0)
    asyncio.run(session.ask("shout"))
    (asked,) = session.messages[-1].questions
    assert (asked.kind, asked.step) == (limits.KIND, "case") and session.messages[-1].open
    asyncio.run(session.start())
    assert ran(session) == 0 and session.to_decide("case") == asked
    asyncio.run(session.answer_time(asked, limits.RUN))
    assert ran(session) == 1 and session.questions() == () and session.messages[-1].kind == "answer"
    assert not any(message.open for message in session.messages)


def test_who_does_not_want_it_runs_nothing_and_is_asked_again_at_the_next_run(make):
    session = make(change_case=1500.0)
    asyncio.run(session.ask("shout"))
    (asked,) = session.questions()
    asyncio.run(session.answer_time(asked, limits.LEAVE))
    assert ran(session) == 0 and session.messages[-1].text == "It was not run."
    assert not any(message.open for message in session.messages)
    asyncio.run(session.start())
    assert ran(session) == 0 and session.messages[-1].open and session.messages[-1].questions == (asked,)


@pytest.mark.parametrize("seconds", [{}, {"change_case": 599.0}])
def test_what_is_short_or_not_known_yet_is_not_asked_about(make, seconds):
    session = make(**seconds)
    asyncio.run(session.ask("shout"))
    asyncio.run(session.start())
    assert ran(session) == 1


def test_who_never_wants_to_be_asked_is_not(make):
    settings.change(ask_minutes=0)
    session = make(change_case=1e6)
    session.edit(GRAPH)
    asyncio.run(session.start())
    assert ran(session) == 1 and session.to_decide("case") is None


def test_what_is_made_already_takes_no_time_but_when_it_is_made_afresh(make):
    session = make(change_case=1500.0)
    session.edit(GRAPH)
    settings.change(ask_minutes=0)
    asyncio.run(session.start())
    settings.change(ask_minutes=10)
    assert session.questions() == ()
    asyncio.run(session.start("case", ("case",)))
    assert ran(session) == 1 and session.messages[-1].questions[0].kind == limits.KIND
    asyncio.run(session.answer_time(session.messages[-1].questions[0], limits.RUN))
    assert session.tracker.engine.again == ("case",) and ran(session) == 2


def test_only_what_would_run_counts(make):
    session = make(change_case=1500.0)
    session.edit(GRAPH.with_node(Node("count", "count_words", {"text": "a b"})))
    asyncio.run(session.start("count"))
    assert ran(session) == 1


def test_a_longer_run_than_the_one_agreed_to_is_asked_about_again(make):
    session = make(change_case=1500.0, count_words=700.0)
    session.edit(GRAPH)
    asyncio.run(session.answer_time(session.questions()[0], limits.RUN))
    changed = session.workflow.with_value("case", "text", "others")
    session.edit(changed)
    assert session.questions() == ()
    session.edit(changed.with_node(Node("count", "count_words", SAYS)))
    assert [one.kind for one in session.questions()] == [limits.KIND]
    session.allow_all()
    assert session.agreed.seconds == math.inf and session.questions() == ()
    session.new()
    assert not session.agreed.seconds, "another conversation"


def test_a_large_download_can_be_left_and_a_click_on_its_card_is_no_answer_yet(lacking):  # noqa: F811
    assert lacking.to_decide("case") is None
    lacking.edit(GRAPH)
    assert lacking.to_decide("case") is None, "a small one is fetched by a click, as ever"
    settings.change(ask_gb=0.001)
    asked = lacking.to_decide("case")
    assert asked is not None and asked.choices == (fetching.GET, fetching.LEAVE)
    assert "(3 MB)" in asked.text and asked.text.endswith("Get it? You want to be asked above 1 MB.")
    asyncio.run(lacking.start())
    asyncio.run(lacking.answer_fetch(asked, fetching.LEAVE))
    assert lacking.messages[-1].text == "It was not fetched, so nothing ran."
    assert ran(lacking) == 0 and not any(message.open for message in lacking.messages)


def test_a_small_download_of_a_long_run_is_fetched_by_the_click_and_then_the_run_is_asked_about(lacking, hub):  # noqa: F811
    lacking.asked._history = FakeHistory(change_case=1500.0)
    lacking.edit(GRAPH)
    assert lacking.to_decide("case") is None
    asyncio.run(lacking.get_for("case"))
    assert ran(lacking) == 0 and [one.kind for one in lacking.messages[-1].questions] == [limits.KIND]
    assert lacking.to_decide("case") == lacking.messages[-1].questions[0]
    asyncio.run(lacking.answer_time(lacking.messages[-1].questions[0], limits.RUN))
    assert ran(lacking) == 1


def test_a_run_that_is_wanted_before_its_model_is_here_goes_on_once_it_is(lacking, hub):  # noqa: F811
    lacking.asked._history = FakeHistory(change_case=1500.0)
    lacking.edit(GRAPH)
    fetch, long = lacking.questions()
    asyncio.run(lacking.answer_time(long, limits.RUN))
    assert ran(lacking) == 0
    asyncio.run(lacking.answer_fetch(fetch, fetching.GET))
    assert ran(lacking) == 1


def test_what_is_declined_takes_no_time(lacking):  # noqa: F811
    lacking.asked._history = FakeHistory(change_case=1500.0, count_words=1.0)
    lacking.edit(GRAPH.with_node(Node("count", "count_words", SAYS)))
    fetch, _long = lacking.questions()
    asyncio.run(lacking.answer_fetch(fetch, fetching.WITHOUT))
    assert lacking.questions() == ()


def test_a_large_download_goes_on_to_the_run_when_it_is_wanted(lacking, hub):  # noqa: F811
    settings.change(ask_gb=0.001)
    lacking.edit(GRAPH)

    async def work():
        await lacking.start()
        await lacking.answer_fetch(lacking.messages[-1].questions[0], fetching.GET)

    asyncio.run(work())
    assert ran(lacking) == 1


@pytest.mark.parametrize("command", ["ask", "run"])
def test_on_the_command_line_it_is_asked_with_exit_3_and_yes_answers(command, own_home, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(History, "seconds", lambda *_, **more: 1500.0)
    note, path = tmp_path / "note.txt", tmp_path / "w.json"
    note.write_text("one two three")
    path.write_text(json.dumps(Workflow(nodes=(Node("c", "count_words", {"text": "one two three"}),)).to_json()))
    words = (
        ["ask", "How many words are in this text?", "--attach", str(note)] if command == "ask" else ["run", str(path)]
    )
    assert main(words) == exit_codes.MISSING
    said = capsys.readouterr().out
    assert "This would run for about 25 minutes" in said and "--yes" in said
    assert main([*words, "--yes"]) == exit_codes.OK and "3" in capsys.readouterr().out
    settings.change(ask_minutes=0)
    assert main(words) == exit_codes.OK
