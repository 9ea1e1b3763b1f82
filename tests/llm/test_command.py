"""`graphwright plan --mode`: the rows of the contract, planned with a language model."""

from __future__ import annotations

import json

import pytest

from desktop_app.cli import main
from tests.llm.hostile import ATTACKS, hostile
from tests.llm.server import serving
from tests.llm.world import scores, subtask, subtasks, task, tasks

LIST = tasks(
    task("read_text", 0, {"image": "sign.png"}), task("text_to_speech", 1, {"text": "<resource>-0"}, 0)
)  # fmt: skip
PARTS = subtasks(
    subtask(1, [("image", "sign.png")], "text", {"read_text": 5}),
    subtask(2, [("text", "<text>-1")], "audio", {"text_to_speech": 5}, 1),
)
NO_CHOICE = '{"choices": []}'


def planned(capsys, monkeypatch, mode: str, *replies: dict | str, more: tuple[str, ...] = ("--json",)) -> str:
    with serving(*(reply if isinstance(reply, str) else json.dumps(reply) for reply in replies)) as (url, _):
        monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", url)
        monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "scripted")
        assert main.main(["plan", "Read sign.png aloud", "--mode", mode, *more]) == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def home(own_home):
    own_home.mkdir(parents=True, exist_ok=True)


@pytest.mark.parametrize(
    ("mode", "replies"), [("task list", [LIST, NO_CHOICE]), ("solutions", [LIST]), ("pipeline", [PARTS, scores(5)])]
)
def test_rows_are_those_of_the_contract(mode, replies, capsys, monkeypatch):
    row = json.loads(planned(capsys, monkeypatch, mode, *replies))
    assert {"id", "solutions", "questions", "seconds"} == set(row)
    best = row["solutions"][0]
    assert [node["tool"] for node in best["nodes"]] == ["read_text", "text_to_speech"]
    assert best["links"] == [{"source": "read_text", "target": "text_to_speech", "port": "text"}]
    assert best["nodes"][0]["args"] == {"image": "sign.png"}


def test_fault_of_the_model_is_told_and_the_plan_is_offline(capsys, monkeypatch):
    row = json.loads(planned(capsys, monkeypatch, "solutions", "no"))
    assert main.main(["plan", "Read sign.png aloud", "--json"]) == 0
    assert row["solutions"] == json.loads(capsys.readouterr().out)["solutions"]
    assert row["notice"].endswith("Planned offline instead.")
    assert "Planned offline instead." in planned(capsys, monkeypatch, "solutions", "no", more=())


def test_a_listed_file_of_no_type_of_ours_has_that_of_its_name_with_a_model_too(tmp_path, capsys, monkeypatch):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"request": "Read it aloud", "resources": [{"name": "sign.png", "type": "photo"}]}))
    with serving(json.dumps(LIST)) as (url, _):
        monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", url)
        monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "scripted")
        assert main.main(["plan", "--requests", str(rows), "--mode", "solutions"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert "notice" not in row
    assert [node["tool"] for node in row["solutions"][0]["nodes"]] == ["read_text", "text_to_speech"]


def test_without_a_mode_no_model_is_asked(capsys, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", "http://127.0.0.1:9/v1")
    assert main.main(["plan", "Read sign.png aloud", "--json"]) == 0
    assert "notice" not in json.loads(capsys.readouterr().out)


def test_other_tools_cannot_be_planned_with_a_mode(tmp_path, capsys):
    assert main.main(["plan", "x", "--mode", "solutions", "--toolbox", str(tmp_path / "t.json")]) == 2
    assert "--toolbox or --mode" in capsys.readouterr().err


def test_ask_answers_what_was_made_where_the_server_sends_a_login_page(tmp_path, capsys, monkeypatch):
    note = tmp_path / "note.txt"
    note.write_text("Mind the gap, please.", "utf-8")
    with hostile(ATTACKS["a login page"]) as url:
        monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", url)
        monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "scripted")
        assert main.main(["ask", "Count the words of this text", "--attach", str(note), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["answer"]
    assert told.startswith("There are 4 words in note.txt.")
    assert "answered with a web page" in told and "put together without it" in told
