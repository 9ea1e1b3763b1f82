"""Passwords stay in the running program: what it keeps, prints or gives to others has dots, or nothing, for them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from PIL import Image

from desktop_app.cli.main import main
from desktop_app.cli.mcp import Service
from desktop_app.export.files import open_workflow, save_workflow
from desktop_app.export.metadata import embed, embedded
from desktop_app.export.script import script
from desktop_app.graph.edit import copied, pasted
from desktop_app.graph.workflow import DOTS, RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.language import sentence_encoder
from desktop_app.session.autosave import ConversationStore
from desktop_app.session.messages import Message
from desktop_app.session.snapshot_codec import Snapshot, from_text, secrets_of, to_text
from desktop_app.session.state import GraphState
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store, attach
from nodes import load_tools
from tests.nodes.text.test_pdf_files import written

TOOLS = load_tools().tools
PASSWORD = "Heronbird-9"


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    lease = attach(written(tmp_path / "lease.pdf", "one"), Store(tmp_path / "store"))
    nodes = (Node("lock", "lock_pdf", {"password": PASSWORD}), Node("number", "number_pages", {"start": 3}))
    links = (Link(lease.name, RESOURCE_OUTPUT, "number", "file"), Link("number", "file", "lock", "file"))
    return Workflow((lease,), nodes, links)


def test_a_saved_workflow_asks_for_its_passwords_again(tmp_path: Path, workflow: Workflow):
    save_workflow(workflow, tmp_path / "saved.json")
    assert PASSWORD not in (tmp_path / "saved.json").read_text()
    again = open_workflow(tmp_path / "saved.json", Store(tmp_path / "store"))
    assert [(gap.node, gap.port.name) for gap in again.missing(TOOLS)] == [("lock", "password")]
    assert again.node("number").values == {"start": 3} and workflow.node("lock").values == {"password": PASSWORD}


def test_neither_scripts_nor_results_tell_passwords(tmp_path: Path, workflow: Workflow):
    assert PASSWORD not in script(workflow, TOOLS, {"lease.pdf": ("lease.pdf",)})
    Image.new("RGB", (9, 9)).save(tmp_path / "page.png")
    assert embed(workflow, tmp_path / "page.png")
    inside = embedded(tmp_path / "page.png")
    assert inside is not None and PASSWORD not in json.dumps(inside.to_json())


def test_copied_nodes_have_no_passwords(workflow: Workflow):
    text = copied(workflow, workflow.ids())
    assert PASSWORD not in text
    again, _ = pasted(Workflow(), text)
    assert [node.values for node in again.nodes] == [{}, {"start": 3}]


def test_a_kept_conversation_has_dots_where_the_user_wrote_a_password(workflow: Workflow):
    said = f"Protect lease.pdf with {PASSWORD}, not {PASSWORD}9"
    messages = (Message(1, "user", said), Message(2, "user", PASSWORD, resources=("lease.pdf",)))
    before = GraphState(workflow, wish=said)
    snapshot = Snapshot("1", said, messages, workflow.resources, GraphState(Workflow()), undo=(before,))
    kept = from_text(to_text(snapshot))
    veiled = f"Protect lease.pdf with {DOTS}, not {PASSWORD}9"
    assert [message.text for message in kept.messages] == [veiled, DOTS]
    assert kept.title == veiled == kept.undo[0].wish and not kept.lost
    assert [node.values for node in kept.undo[0].workflow.nodes] == [{}, {"start": 3}]
    assert secrets_of(snapshot) == {PASSWORD} and secrets_of(kept) == frozenset()


def test_a_password_stays_hidden_when_its_node_is_gone(tmp_path: Path, workflow: Workflow):
    store = ConversationStore(History(tmp_path / "history.sqlite"))
    said = (Message(1, "user", f"Lock it with {PASSWORD}"),)
    for state in (GraphState(workflow), GraphState(Workflow())):
        store.save(Snapshot("1", "", said, state=state))
    assert store.read("1").messages[0].text == f"Lock it with {DOTS}"
    store.claims.give_back_all()


@pytest.mark.parametrize("form", ["read", "mcp"])
def test_a_plan_that_is_printed_to_be_read_or_given_over_mcp_has_dots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
):
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)
    written(tmp_path / "lease.pdf", "one")
    wish = f"Lock lease.pdf with the password {PASSWORD}"
    if form == "mcp":
        told = asyncio.run(Service(tmp_path, yes=False).plan(wish, ["lease.pdf"]))
        assert [node["values"] for node in json.loads(told)["solutions"][0]["workflow"]["nodes"]] == [{}]
    else:
        assert main(["plan", wish, "--attach", str(tmp_path / "lease.pdf")]) == 0
        told = capsys.readouterr().out
        assert DOTS in told
    assert PASSWORD not in told and "lock_pdf" in told


def test_rows_of_plans_hold_each_value_as_it_was_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)
    written(tmp_path / "lease.pdf", "one")
    wish = f"Lock lease.pdf with the password {PASSWORD}"
    assert main(["plan", wish, "--attach", str(tmp_path / "lease.pdf"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["solutions"][0]["nodes"][0]["args"]["password"] == PASSWORD
