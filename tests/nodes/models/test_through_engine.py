"""Model back ends in a lane of the real engine: what a window hears, sees and gets."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import shutil

import pytest

from desktop_app.models import store
from desktop_app.models.catalogue import find
from desktop_app.run.engine import Engine
from desktop_app.run.events import events
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import load_tools
from tests.run.helpers import Heard, graph, states

PAINT = {"prompt": "a cat in the sun", "width": 64, "height": 64, "steps": 3}


def install(model_of, *ids: str) -> None:
    """Puts tiny models where the program looks for those of the catalogue."""
    for id in ids:
        model = find(id)
        folder = store.folder(model)
        shutil.copytree(model_of(id), folder)
        files = {str(p.relative_to(folder)): p.stat().st_size for p in folder.rglob("*") if p.is_file()}
        (folder / store.MARKER).write_text(json.dumps({"id": id, "revision": model.revision, "files": files}))


class World:
    """An engine with the real tools; of two lanes, as threads of one wait for each other where others work too."""

    def __init__(self, home) -> None:
        self.runner = asyncio.Runner()
        self.store = Store(home / "store")
        self.history = History(home / "history.sqlite")
        self.engine = Engine(self.store, self.history, load_tools().tools, cpu_lanes=2)

    def run(self, tool: str, values: dict, backend: str | None = None, cancel_at: str = ""):
        """Runs one node `n`; gives the record and what was heard. Cancels when a note of that name is told."""
        heard = Heard()
        workflow = graph({"n": (tool, values)})
        if backend:
            workflow = workflow.with_node(dataclasses.replace(workflow.node("n"), backend=backend))

        def listen(batch) -> None:
            heard(batch)
            if cancel_at and any(cancel_at in note for note in notes(heard)):
                self.engine.cancel()

        return self.runner.run(self.engine.run(workflow, listen)), heard

    def close(self) -> None:
        self.runner.run(self.engine.close())
        self.history.close()
        self.runner.close()


@pytest.fixture(scope="module")
def world(model_of, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_HOME", str(home))
        patch.setenv("GRAPHWRIGHT_MODELS", str(home / "models"))
        install(model_of, "sd-1-5", "qwen2-5-0-5b")
        made = World(home)
        yield made
        made.close()


@pytest.fixture(autouse=True)
def same_home(world, own_home, monkeypatch):
    """The lane and its models serve all tests here."""
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(world.store.folder.parent))


def notes(heard: Heard) -> list[str]:
    return [event.note for event in heard.of(events.NodeProgress)]


def test_a_picture_is_painted_in_a_lane_with_previews_and_not_painted_twice(world):
    values = PAINT | {"steps": 40}
    run, heard = world.run("text_to_image", values)
    assert states(run) == {"n": "done"}, run.nodes["n"].message
    assert world.store.value(run.nodes["n"].outputs["image"]).shape == (64, 64, 3)
    assert any("step" in note for note in notes(heard))
    assert any(event.preview.endswith(".png") for event in heard.of(events.NodeProgress))
    again, _ = world.run("text_to_image", values)
    assert again.nodes["n"].outputs["image"].digest == run.nodes["n"].outputs["image"].digest
    assert again.nodes["n"].cached
    other, heard = world.run("text_to_image", PAINT | {"seed": 5})
    assert states(other) == {"n": "done"}
    assert "loading the model" not in notes(heard)


def test_a_painting_is_stopped_and_the_lane_keeps_its_model(world):
    values = PAINT | {"steps": 200, "seed": 9}
    run, heard = world.run("text_to_image", values, cancel_at="step")
    assert states(run) == {"n": "cancelled"}
    assert not any("200 of 200" in note for note in notes(heard))
    after, heard = world.run("text_to_image", PAINT | {"seed": 10})
    assert states(after) == {"n": "done"}
    assert "loading the model" not in notes(heard)


def test_an_answer_streams_out_of_a_lane(world):
    run, heard = world.run("chat", {"text": "Hello", "max_tokens": 150})
    assert states(run) == {"n": "done"}, run.nodes["n"].message
    answer = world.store.value(run.nodes["n"].outputs["text"])
    told = [note for note in notes(heard) if note and note != "loading the model"]
    assert told and all(answer.startswith(note.rstrip("\N{REPLACEMENT CHARACTER}")) for note in told)


def test_a_model_that_is_not_there_fails_with_its_name_and_how_to_get_it(world):
    run, _ = world.run("text_to_image", PAINT, "sdxl-base-1")
    node = run.nodes["n"]
    assert node.state == "failed"
    assert node.model == "sdxl-base-1"
    assert "download" in node.fix.lower()
