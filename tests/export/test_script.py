"""A workflow as a Python script: readable, and it gives what the workflow gives."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.export.script import script, write_script
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.storage.resources import Store, attach
from nodes import load_tools

TOOLS = load_tools().tools


def picture(path: Path, seed: int = 0) -> Path:
    Image.fromarray(np.random.default_rng(seed).integers(0, 255, (60, 80, 3), np.uint8)).save(path)
    return path


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def chain(store, tmp_path) -> Workflow:
    photo = replace(attach(picture(tmp_path / "my photo.png"), store), name="my photo.png")
    return Workflow(
        (photo,),
        (
            Node("blur", "blur", {"radius": 3}),
            Node("count it", "blur", {"radius": 2.5}),
            Node("class", "invert_colours"),
        ),
        (
            Link("my photo.png", RESOURCE_OUTPUT, "blur", "image"),
            Link("blur", "image", "count it", "image"),
            Link("count it", "image", "class", "image"),
        ),
    )


def run(path: Path, home: Path, *arguments: str) -> dict:
    environment = {**os.environ, "GRAPHWRIGHT_HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, str(path), "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_script_runs_the_same_workflow(store, tmp_path):
    workflow = chain(store, tmp_path)
    write_script(workflow, TOOLS, store, tmp_path / "soft.py")
    result = run(tmp_path / "soft.py", tmp_path / "home", "--out", str(tmp_path / "out"))
    assert [node["state"] for node in result["nodes"]] == ["done"] * 3
    again = Workflow.from_json(result["workflow"])
    assert (again.links, again.wanted) == (workflow.links, (("class", "image"),))
    assert [(n.id, n.tool, n.values) for n in again.nodes] == [(n.id, n.tool, n.values) for n in workflow.nodes]
    assert [r.digest for r in again.resources] == [r.digest for r in workflow.resources]
    (file,) = result["files"]
    with Image.open(file) as made:
        assert made.size == (80, 60)


def test_the_script_is_readable(store, tmp_path):
    text = script(chain(store, tmp_path), TOOLS, {"my photo.png": ("photo.png",)}, "Soft")
    assert "my_photo = script.file('photo.png', 'my photo.png')" in text
    assert "blur = script.node('blur', 'blur', image=my_photo, radius=3)" in text
    assert "class_ = script.node('invert_colours', 'class', image=count_it['image'])" in text
    compile(text, "soft.py", "exec")


@pytest.mark.parametrize("text", ['a "quoted"\nline', "back\\slash", "世界 \u202e", "'''", '"""'])
def test_any_text_survives(store, text):
    workflow = Workflow(nodes=(Node("say", "text_to_speech", {"text": text}),))
    written = script(workflow, TOOLS, {}, text)
    found: dict = {}

    class Recorder:
        def __init__(self, place: str) -> None: ...

        def node(self, tool, id="", **ports):
            found.update(ports)
            return {output.name: output for output in TOOLS[tool].outputs}

    body = written.replace("from desktop_app.scripting import Script", "")
    exec(compile(body, "said.py", "exec"), {"Script": Recorder, "__name__": "x", "__file__": ""})
    assert found == {"text": text}
