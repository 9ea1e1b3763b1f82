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
from desktop_app.session import fetching, limits
from desktop_app.session.limits import Estimate
from desktop_app.session.messages import costs_by_node, items
from nodes import load_tools
from tests.fakes import FakeHistory
from tests.models.conftest import hub  # noqa: F401
from tests.session.test_fetching import BOTH, GRAPH, ran, session, tools  # noqa: F401

amounts = st.floats(0, 1e9)
LONG: Any = FakeHistory(change_case=1500.0, count_words=1.0)


@given(amounts, amounts, amounts)
def test_what_is_above_is_so_by_the_limit_and_by_what_was_agreed(amount, limit, agreed):
    assert limits.above(amount, limit, agreed) == (limit != 0 and amount > max(limit, agreed))
    assert not limits.above(amount, 0, agreed) and not limits.above(amount, limit, amount)


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


def test_a_node_counts_once_for_each_of_several_values_and_a_circle_ends_nothing():
    known, nodes = load_tools().tools, (Node("a", "change_case", {}), Node("b", "change_case", {}))
    onward = Link("a", "text", "b", "text")
    links = (*(Link(f"{n}.txt", RESOURCE_OUTPUT, "a", "text") for n in range(5)), onward)
    assert items(Workflow(nodes=nodes, links=links), known) == {"a": 5, "b": 5}
    circle = Workflow(nodes=nodes, links=(onward, Link("b", "text", "a", "text")))
    assert [cost.seconds for cost in costs_by_node(circle, known, LONG).values()] == [1500.0, 1500.0]


@pytest.fixture
def ready(session):  # noqa: F811
    """A session whose tools lack nothing, and of which `change_case` takes 25 minutes."""
    session.tools.update(load_tools().tools)
    session.asked._history = LONG
    session.edit(GRAPH)
    return session


def test_a_long_run_is_asked_about_and_goes_on_when_it_is_wanted(ready):
    asyncio.run(ready.start())
    (asked,) = ready.messages[-1].questions
    assert ran(ready) == 0 and (asked.kind, asked.step) == (limits.KIND, "case") and ready.to_decide("case") == asked
    asyncio.run(ready.answer_time(asked, limits.LEAVE))
    assert ran(ready) == 0 and ready.messages[-1].text == "It was not run."
    asyncio.run(ready.start())
    assert ran(ready) == 0 and ready.messages[-1].questions == (asked,), "it is asked at each run"
    asyncio.run(ready.answer_time(asked, limits.RUN))
    assert ran(ready) == 1 and ready.questions() == () and not any(message.open for message in ready.messages)


@pytest.mark.parametrize(("minutes", "seconds"), [(10, {}), (10, {"change_case": 599.0}), (0, {"change_case": 1e6})])
def test_what_is_short_or_not_known_is_not_asked_about_nor_anything_of_who_never_wants_it(ready, minutes, seconds):
    ready.asked._history = FakeHistory(**seconds)
    settings.change(ask_minutes=minutes)
    asyncio.run(ready.start())
    assert ran(ready) == 1


def test_only_what_would_be_computed_counts(ready):
    ready.edit(BOTH)
    asyncio.run(ready.start("count"))
    assert ran(ready) == 1
    ready.edit(GRAPH.with_value("case", "text", "others"))
    asyncio.run(ready.answer_time(ready.questions()[0], limits.RUN))
    ready.state.agreed = ready.agreed.__class__()
    assert ready.questions() == (), "it is made"
    asyncio.run(ready.start("case", ("case",)))
    assert ran(ready) == 2 and ready.messages[-1].questions[0].kind == limits.KIND, "but not when it is made afresh"


def test_a_longer_run_than_the_one_agreed_to_is_asked_about_again(ready):
    asyncio.run(ready.answer_time(ready.questions()[0], limits.RUN))
    ready.edit(GRAPH.with_value("case", "text", "others"))
    assert ready.questions() == ()
    ready.edit(BOTH.with_value("case", "text", "others"))
    assert [one.kind for one in ready.questions()] == [limits.KIND]
    ready.allow_all()
    assert ready.agreed.seconds == math.inf and ready.questions() == ()


def test_a_large_download_can_be_left_and_a_click_on_its_card_is_no_answer_yet(session, hub):  # noqa: F811
    session.edit(GRAPH)
    assert session.to_decide("case") is None, "a small one is fetched by a click, as ever"
    settings.change(ask_gb=0.001)
    asked = session.to_decide("case")
    assert asked.choices == (fetching.GET, fetching.LEAVE) and "(3 MB)" in asked.text and "above 1 MB" in asked.text
    asyncio.run(session.start())
    asyncio.run(session.answer_fetch(asked, fetching.LEAVE))
    assert session.messages[-1].text == "It was not fetched, so nothing ran." and ran(session) == 0
    asyncio.run(session.start())
    asyncio.run(session.answer_fetch(asked, fetching.GET))
    assert ran(session) == 1


@pytest.mark.parametrize("first", [True, False])
def test_who_declines_a_download_or_a_long_run_is_not_asked_the_other_one(session, hub, first):  # noqa: F811
    session.asked._history = LONG
    settings.change(ask_gb=0.001)
    session.edit(GRAPH)
    asyncio.run(session.start())
    fetch, long = session.messages[-1].questions
    if first:
        asyncio.run(session.answer_fetch(fetch, fetching.LEAVE))
    else:
        asyncio.run(session.answer_time(long, limits.LEAVE))
    assert not any(message.open for message in session.messages)
    assert [message.questions for message in session.messages if message.questions] == [(fetch if first else long,)]
    asyncio.run(session.start())
    assert session.messages[-1].questions == (fetch, long), "they are asked again at the next run"


def test_a_long_run_of_a_tool_that_lacks_its_model_is_decided_before_or_after_that_is_here(session, hub):  # noqa: F811
    session.asked._history = LONG
    session.edit(BOTH)
    fetch, long = session.questions()
    session.runs.fetching.decline(fetch)
    assert session.questions() == (), "what is declined takes no time"
    session.state.declined = frozenset()
    asyncio.run(session.answer_time(long, limits.RUN))
    assert ran(session) == 0
    asyncio.run(session.answer_fetch(fetch, fetching.GET))
    assert ran(session) == 1


@pytest.mark.parametrize("command", ["ask", "run"])
def test_on_the_command_line_it_is_asked_with_exit_3_and_yes_answers(command, own_home, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("desktop_app.storage.database.History.seconds", lambda *_, **more: 1500.0)
    note, path = tmp_path / "note.txt", tmp_path / "w.json"
    note.write_text("one two three")
    path.write_text(json.dumps(Workflow(nodes=(Node("c", "count_words", {"text": "one two three"}),)).to_json()))
    asking = ["ask", "How many words are in this text?", "--attach", str(note)]
    words = asking if command == "ask" else ["run", str(path)]
    assert main(words) == exit_codes.MISSING
    said = capsys.readouterr().out
    assert "This would run for about 25 minutes" in said and "--yes" in said
    assert main([*words, "--yes"]) == exit_codes.OK and "3" in capsys.readouterr().out
