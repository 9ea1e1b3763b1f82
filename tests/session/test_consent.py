"""Before a tool reaches outside the user agrees, once for each tool and conversation; what strangers made is marked."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from desktop_app.cli import exit_codes
from desktop_app.cli.main import main
from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import Plan, Solution, Step
from desktop_app.session import consent
from desktop_app.session.consent import ALLOW, ALWAYS, READ, REFUSE, Consent
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.fakes import FakeEngine, FakeHistory, FakePlanner

TOOLS = load_tools().tools
PAGE = Workflow((), (Node("page", "fetch_page", {"url": "https://example.org/a"}), Node("case", "change_case")),
                (Link("page", "text", "case", "text"),))  # fmt: skip
PLANNED = Solution("Fetch", "", 0.9, (Step("page", "fetch_page", {"url": "https://example.org/a"}),))


@pytest.fixture
def session(tmp_path):
    store = Store(tmp_path / "store")
    engine = FakeEngine(store, TOOLS, {"fetch_page": "words", "change_case": "WORDS"})
    return Session(TOOLS, FakePlanner(Plan((PLANNED,))), engine, store, FakeHistory())


def ran(session) -> int:
    return len(session.tracker.engine.runs)


def run(coroutine):
    return asyncio.run(coroutine)


def test_the_tools_that_reach_outside_are_known_by_what_they_declare():
    reaching = {id for id, tool in TOOLS.items() if consent.reaches(tool)}
    assert reaching == {"fetch_page", "weather", "search_web", "download_image", "download_audio", "download_video"}
    assert all(TOOLS[id].outside and TOOLS[id].side_effects for id in reaching)
    blur = TOOLS["blur"]
    assert consent.reaches(replace(blur, outside=True)) and consent.reaches(replace(blur, side_effects="Prints."))
    hosted = replace(blur.backends[0], id="hosted", kind="endpoint")
    two = replace(blur, backends=(*blur.backends, hosted))
    assert consent.reaches(two, "hosted") and not consent.reaches(two) and not consent.reaches(two, "built-in")


def test_the_clock_is_looked_at_anew_without_asking():
    clock = TOOLS["current_time"]
    assert not consent.reaches(clock) and not clock.cacheable
    assert not TOOLS["fetch_page"].cacheable and TOOLS["blur"].cacheable
    assert not {spec.id: spec.outside for spec in from_tools(TOOLS)}["current_time"], "a plan may use it freely"


def test_nothing_reaches_outside_before_the_user_agrees(session):
    session.edit(PAGE)
    (asked,) = session.questions()
    assert (asked.kind, asked.step, asked.choices) == (consent.KIND, "page", (ALLOW, ALWAYS, REFUSE))
    assert "https://example.org/a" in asked.text
    for upto in (None, "page", ["case"], ("page", "case")):
        run(session.start(upto))
    with pytest.raises(BadRequest):
        run(session.tracker.go(session.workflow, None, lambda: None))
    with pytest.raises(BadRequest):
        run(session.tracker.aside(session.workflow, lambda: None))
    assert ran(session) == 0
    assert session.messages[-1].open


def test_a_question_lapses_where_what_it_is_about_is_taken_back_and_is_not_answered(session):
    session.edit(PAGE)
    run(session.start())
    session.undo()
    (asked,) = (message for message in session.messages if message.questions)
    assert not asked.open and asked.lapsed
    assert from_text(to_text(session.snapshot())).messages == session.messages


def test_a_question_that_lapsed_is_asked_again_where_it_stood_when_its_step_is_brought_back(session):
    session.edit(PAGE)
    run(session.start())
    session.undo()
    session.redo()
    (asked,) = (message for message in session.messages if message.questions)
    assert asked.open and not asked.lapsed
    assert [question.step for question in asked.questions] == ["page"]


def test_a_question_that_was_answered_has_not_lapsed(session):
    session.edit(PAGE)
    run(session.start())
    run(session.answer_consent(session.messages[-1].questions[0], ALLOW))
    (asked,) = (message for message in session.messages if message.questions)
    assert not asked.open and not asked.lapsed


def test_what_was_held_up_goes_on_when_the_user_agrees_and_is_not_asked_again(session):
    session.edit(PAGE)
    run(session.start())
    run(session.answer_consent(session.messages[-1].questions[0], ALLOW))
    assert ran(session) == 1
    assert not any(message.open for message in session.messages)
    session.edit(session.workflow.with_value("page", "url", "https://elsewhere.example"))
    run(session.start())
    assert ran(session) == 2
    session.new()
    session.edit(PAGE)
    assert session.questions(), "another conversation"


def test_a_refusal_runs_nothing_and_is_said(session):
    session.edit(PAGE)
    run(session.start())
    run(session.answer_consent(session.messages[-1].questions[0], REFUSE))
    assert ran(session) == 0
    assert "not allowed" in session.messages[-1].text
    assert not any(message.open for message in session.messages)
    assert session.questions(), "asked again when it is run again"


def test_always_is_kept_in_the_settings_but_not_for_what_came_from_someone_else(session, tmp_path):
    session.edit(PAGE)
    run(session.answer_consent(session.questions()[0], ALWAYS))
    assert settings.load().outside_allowed == ("fetch_page",)
    session.new()
    session.edit(PAGE)
    assert session.questions() == ()
    (tmp_path / "w.json").write_text(json.dumps(PAGE.to_json()))
    session.open(tmp_path / "w.json")
    (asked,) = session.questions()
    assert asked.choices == (ALLOW, REFUSE)
    assert "w.json" in asked.text
    settings.change(outside_allowed=())


def test_agreement_given_before_does_not_count_for_a_strangers_workflow(session, tmp_path):
    session.allow("fetch_page")
    (tmp_path / "w.json").write_text(json.dumps(PAGE.to_json()))
    session.open(tmp_path / "w.json")
    assert len(session.questions()) == 1


@pytest.mark.parametrize(
    ("request_", "url", "asked"),
    [
        ("Fetch https://example.org/a please", "https://example.org/a", False),
        ("Fetch https://example.org/a.", "https://example.org/a", False),
        ("看看 https://example.org/a，然后总结", "https://example.org/a", False),
        ("Fetch example.org/a/", "https://Example.org/a", False),
        ("Fetch “https://example.org/a”", "http://example.org/a", False),
        ("Fetch the page", "https://example.org/a", True),
        ("Fetch https://example.org/a", "https://example.org/b", True),
        ("Fetch https://example.org/a", "https://example.org", True),
        ("Fetch https://example.org", "https://example.org.evil.com", True),
        ("Fetch https://example.org", "https://example.org@evil.com", True),
        ("Fetch https://example.org", "https://example.org/?all=my+words", True),
        ("Fetch https://example.org/Aa", "https://example.org/aA", True),
    ],
)
def test_an_address_that_the_user_wrote_needs_no_further_word(session, request_, url, asked):
    run(session.ask(request_))
    session.edit(session.workflow.with_value(session.workflow.nodes[0].id, "url", url))
    assert bool(session.questions()) == asked


def test_an_address_that_comes_by_a_link_is_never_the_users_own():
    tool = TOOLS["fetch_page"]
    node = Node("page", "fetch_page", {"url": "https://a.example"})
    said = Consent(typed=consent.addresses(["https://a.example"]))
    assert said.allows(node, tool, set())
    assert not said.allows(node, tool, {("page", "url")})


def test_mark_and_agreement_are_kept_with_the_conversation(session, tmp_path):
    (tmp_path / "trees.json").write_text(json.dumps(PAGE.to_json()))
    session.open(tmp_path / "trees.json")
    session.allow("fetch_page")
    kept = from_text(to_text(session.snapshot()))
    session.new()
    assert session.agreed.source == ""
    session.restore(kept)
    assert (session.agreed.source, session.agreed.tools) == ("trees.json", frozenset({"fetch_page"}))
    assert session.questions() == ()


def test_files_outside_are_asked_about_in_the_chat(session, tmp_path):
    (tmp_path / "secret.txt").write_text("words")
    (tmp_path / "given").mkdir()
    path = tmp_path / "given" / "w.json"
    path.write_text(json.dumps({**PAGE.to_json(), "resources": [{"name": "a.txt", "path": "../secret.txt"}]}))
    run(session.load(path))
    assert session.workflow == Workflow()
    asked = session.messages[-1].questions[0]
    assert asked.kind == consent.FILES and "../secret.txt" in asked.text
    session.edit(Workflow((), (Node("n", "change_case"),)))
    assert session.messages[-1].questions == (asked,), "an edit does not answer it"
    run(session.answer_files(asked, consent.LEAVE))
    assert not session.messages[-1].open and not session.resources
    run(session.answer_files(asked, READ))
    assert list(session.resources) == ["a.txt"]


def test_another_way_that_reaches_outside_does_not_run_unasked(session):
    run(session.ask("Fetch the page"))
    with pytest.raises(BadRequest, match="contact"):
        run(session.run_ways(0))


# On the command line


def test_run_asks_with_exit_3_unless_told_yes(tmp_path, capsys):
    path = tmp_path / "w.json"
    path.write_text(json.dumps(Workflow((), (Node("page", "fetch_page", {"url": "http://127.0.0.1:9/"}),)).to_json()))
    assert main(["run", str(path)]) == exit_codes.MISSING
    assert "--yes" in capsys.readouterr().out
    assert main(["run", str(path), "--yes"]) == exit_codes.FAILED, "the address is not public"
    assert main(["run", str(path), "--set", "page.url=http://127.0.0.1:9/"]) == exit_codes.FAILED


def test_ask_with_an_address_needs_no_yes(capsys):
    assert main(["ask", "Fetch the page http://127.0.0.1:9/"]) == exit_codes.FAILED, (
        "it ran, and the address is not public"
    )
    assert "--yes" not in capsys.readouterr().out


def test_files_outside_are_refused_with_exit_2(tmp_path, capsys):
    (tmp_path / "secret.txt").write_text("words")
    (tmp_path / "given").mkdir()
    path = tmp_path / "given" / "w.json"
    graph = Workflow((), (Node("case", "change_case"),)).to_json()
    link = {"source": "a.txt", "output": "value", "target": "case", "port": "text"}
    path.write_text(json.dumps({**graph, "resources": [{"name": "a.txt", "path": "../secret.txt"}], "links": [link]}))
    assert main(["run", str(path)]) == exit_codes.BAD
    assert "--outside-files" in capsys.readouterr().err
    assert main(["run", str(path), "--outside-files"]) == exit_codes.OK
