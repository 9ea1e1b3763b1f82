"""What a language model costs: tokens and money of each request and conversation."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from desktop_app.app import new_session
from desktop_app.cli import main
from desktop_app.core import settings as settings_file
from desktop_app.core.settings import LOCAL, Settings
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.llm import abilities
from desktop_app.llm.openai_client import OpenAICompatible
from desktop_app.llm.prices import listed, price
from desktop_app.llm.token_usage import Price, Spent, Tally, money
from desktop_app.run.backends import availability, selection
from tests.llm.server import Turn, serving
from tests.llm.world import task, tasks

OPENAI = "https://api.openai.com/v1"
COUNT = tasks(task("count_words", 0, {"text": "note.txt"}))


@pytest.fixture(autouse=True)
def disconnected(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    yield
    availability.connect(None)
    selection.look_again()


def test_list_says_its_date_and_source_and_holds_prices():
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", listed()["date"]) and "https://" in listed()["source"]
    servers = {name: models for name, models in listed().items() if isinstance(models, dict)}
    assert {"api.openai.com", "api.anthropic.com", "api.mistral.ai"} < set(servers)
    for models in servers.values():
        assert models and all(0 < sent <= received < 1000 for sent, received in models.values())


def test_price_is_that_of_the_model_or_none():
    assert price(OPENAI, "gpt-4o-mini") == price(OPENAI, "gpt-4o-mini-2024-07-18") == Price(0.15, 0.6)
    assert price(OPENAI, "gpt-4o-2024-05-13") == Price(5, 15), "a version that has a price of its own"
    assert price(OPENAI, "gpt-4o-mini-of-tomorrow") is None and price("https://other.example/v1", "gpt-4o-mini") is None
    gemini = "https://generativelanguage.googleapis.com/v1beta/openai"
    assert price(gemini, "models/gemini-2.5-flash") == price(gemini, "gemini-2.5-flash") != None  # noqa: E711
    assert price(LOCAL, "any") == price("http://localhost:11434/v1", "any") == Price()
    assert price(OPENAI, "gpt-4o-mini", {"gpt-4o-mini": (1, 2)}) == Price(1, 2)


def test_money_is_added_up_and_unknown_as_soon_as_a_part_of_it_is():
    one, other = Spent(1_000_000, 0).at(Price(2, 8)), Spent(0, 500_000, True).at(Price(2, 8))
    assert Spent() + one + other == Spent(1_000_000, 500_000, True, 6.0)
    assert (one + Spent(5, 5)).dollars is None and (one + Spent()).dollars == 2.0
    assert Spent(10, 10).at(None).dollars is None and Spent(10, 10).at(Price()).dollars == 0
    tally = Tally()
    tally.add(one)
    tally.begin()
    tally.add(other)
    assert tally.request == other and tally.spent.dollars == 6.0


@pytest.mark.parametrize(("dollars", "words"), [(1.2, "$1.20"), (0.00341, "$0.0034"), (1e-7, "$0.0001"), (0, "$0.00")])
def test_money_in_words(dollars, words):
    assert money(dollars) == words


def asked(tmp_path, monkeypatch, capsys, *more: str) -> tuple[str, str]:
    """What `ask` printed, of a server that counts 1,000 tokens in and 100 out for each reply."""
    note = tmp_path / "note.txt"
    note.write_text("Mind the gap, please.", "utf-8")
    with serving(Turn(json.dumps(COUNT), usage=(1000, 100)), Turn("There are 4 words.", usage=(1000, 100))) as (url, _):
        monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", url)
        monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "scripted")
        assert main.main(["ask", "How many words are in this text?", "--attach", str(note), *more]) == 0
    printed = capsys.readouterr()
    return printed.out, printed.err


def test_command_tells_tokens_and_money_of_plan_and_answer(tmp_path, monkeypatch, capsys):
    settings_file.change(llm_prices={"scripted": [2.0, 10.0]})
    out, _ = asked(tmp_path, monkeypatch, capsys, "--json")
    spent = json.loads(out)["spent"]
    assert spent == {"sent": 2000, "received": 200, "estimated": False, "dollars": pytest.approx(0.006)}


def test_command_says_free_where_the_model_is_on_this_computer(tmp_path, monkeypatch, capsys):
    _, err = asked(tmp_path, monkeypatch, capsys)
    assert "Language model: 2,000 tokens sent, 200 received, free" in err


def test_without_a_model_nothing_is_said_of_costs(tmp_path, capsys):
    note = tmp_path / "note.txt"
    note.write_text("Mind the gap, please.", "utf-8")
    assert main.main(["ask", "How many words are in this text?", "--attach", str(note), "--json"]) == 0
    assert "spent" not in json.loads(capsys.readouterr().out)


def test_each_answer_tells_what_its_request_has_cost():
    """Also the work that the model did as a tool, and not that of the request before."""

    async def go(url):
        session = new_session(Settings(llm_url=url, llm_model="scripted", llm_prices={"scripted": [1.0, 1.0]}))
        try:
            found = []
            for thing in ("coffee", "tea"):
                node = Node("chat", "chat", {"text": f"Write a haiku about {thing}"})
                session.state.tally.begin()
                session.edit(Workflow(nodes=(node,)))
                await session.start()
                found.append(session.messages[-1].spent)
            return found, session.spent
        finally:
            await session.close()

    turns = [Turn(text, usage=(100, 10)) for text in ("Steam", "", "Leaves", "")]
    with serving(*turns) as (url, _):
        (first, second), whole = asyncio.run(go(url))
    assert first.sent == second.sent == 200 and whole.sent == 400, "one reply of the tool, one of the answer"
    assert first.dollars == pytest.approx(220e-6) and whole.dollars == pytest.approx(440e-6)


def test_what_was_learnt_of_a_server_is_kept_from_start_to_start(own_home, monkeypatch):
    url = "https://models.example/v1"
    learnt = abilities.abilities(url, "m")
    assert learnt.gives_up("json_schema is not supported", {"response_format"})
    assert learnt.gives_up("temperature is not supported", {"temperature"})
    learnt.context, learnt.sees = 9000, False
    learnt.keep()
    abilities._KNOWN.clear()  # another start
    again = abilities.abilities(url, "m")
    assert (again.formats, again.lacks, again.context, again.sees) == (["object", "text"], {"temperature"}, 9000, False)
    assert abilities.abilities(url, "other").formats[0] == "schema", "another model"
    abilities.forget(url)
    assert abilities.abilities(url, "m").formats[0] == "schema"
    assert "temperature" not in (own_home / "abilities.json").read_text("utf-8")


OLD = {"since": 0, "formats": ["text"], "lacks": [], "context": 1, "sees": True, "price": None}


@pytest.mark.parametrize("kept", ["no JSON", [1], {"http://a.example m": {"formats": 3}}, {"http://a.example m": OLD}])
def test_file_that_is_damaged_or_old_is_learnt_anew(own_home, kept):
    text = kept if isinstance(kept, str) else json.dumps(kept)
    (own_home / "abilities.json").write_text(text, "utf-8")
    assert abilities.abilities("http://a.example", "m").formats == ["schema", "object", "text"]


def test_context_of_a_server_on_this_computer_is_asked_at_each_start():
    learnt = abilities.abilities("http://localhost:8080/v1", "m")
    learnt.context, learnt.sees = 9000, True
    learnt.keep()
    abilities._KNOWN.clear()
    again = abilities.abilities("http://localhost:8080/v1", "m")
    assert again.context == 0 and again.sees


def test_price_that_the_server_says_counts(monkeypatch):
    url = "https://openrouter.ai/api/v1"
    entry = {"id": "a/b", "context_length": 8000, "pricing": {"prompt": "0.000002", "completion": "0.000008"}}
    monkeypatch.setattr(abilities, "_read", lambda address, key: {"data": [entry]} if "models" in address else None)
    assert abilities.context_of(url, "a/b") == 8000
    assert OpenAICompatible(url, "a/b").price == Price(2.0, 8.0)
    assert OpenAICompatible(url, "a/b", price=Price(1.0, 1.0)).price == Price(1.0, 1.0), "the user knows better"
