"""Passwords stay in the conversation: what leaves the program, and what is recorded of a run, has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from desktop_app.export.files import open_workflow, save_workflow
from desktop_app.export.metadata import embed, embedded
from desktop_app.export.script import script
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
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
