"""Which back end is taken, what is said when its model is not on disk, and that results depend on the model."""

from __future__ import annotations

import json

import pytest

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.models import store
from desktop_app.models.catalogue import catalogue
from desktop_app.run.backends import selection
from desktop_app.run.cache import cache_keys
from desktop_app.run.events import events
from tests.run.helpers import Heard, graph
from tests.run.toys import TOOLS

MODEL = catalogue()["yolos-tiny"]


def _put_on_disk(content: str = "weights") -> None:
    folder = store.folder(MODEL)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(content)
    marker = {"revision": MODEL.revision, "files": {"config.json": len(content)}}
    (folder / store.MARKER).write_text(json.dumps(marker))


def _either(backend: str | None = None) -> Workflow:
    return Workflow(nodes=(Node("a", "either", {}, backend),))


def test_a_model_that_is_not_on_disk_fails_before_anything_starts(world):
    heard = Heard()
    failed = world.run(graph({"a": ("read_model", {})}), heard).nodes["a"]
    assert failed.state == "failed" and not heard.of(events.NodeStarted)
    assert "Read model needs YOLOS tiny (26 MB), which has to be fetched first." in failed.message
    assert failed.fix == "Get it: graphwright models download yolos-tiny."
    assert (failed.model, failed.other) == ("yolos-tiny", "")


def test_a_tool_gets_the_folder_of_its_model_and_the_device(world):
    _put_on_disk("inside")
    run = world.run(graph({"a": ("read_model", {})}))
    assert world.value(run, "a", "text") == "cpu inside"


def test_without_the_model_another_back_end_is_taken_and_told(world):
    run = world.run(_either())
    assert run.nodes["a"].backend == "plain" and world.value(run, "a", "text") == "plain False"
    assert run.nodes["a"].notice == (
        "Either needs YOLOS tiny (26 MB), which has to be fetched first. Plain is used instead."
    )
    assert world.run(_either()).nodes["a"].notice == run.nodes["a"].notice  # from the cache too


def test_with_the_model_the_better_back_end_is_taken_without_a_word(world):
    _put_on_disk()
    run = world.run(_either())
    assert run.nodes["a"].backend == "model" and world.value(run, "a", "text") == "model True"
    assert run.nodes["a"].notice == ""


def test_a_back_end_that_the_user_chose_is_not_replaced(world):
    failed = world.run(_either("model")).nodes["a"]
    assert failed.state == "failed" and failed.model == "yolos-tiny"
    assert failed.other == "plain" and failed.fix.endswith("Or choose another back end: Plain, A service.")


def test_a_service_is_used_only_when_it_was_chosen(world):
    assert world.run(_either("service")).nodes["a"].backend == "service"


def test_a_model_outside_the_catalogue_is_named(world):
    assert "'no-such-model' is not in the catalogue" in world.run(graph({"a": ("unlisted", {})})).nodes["a"].message


def test_a_failure_names_the_next_back_end(world):
    failed = world.run(graph({"a": ("misbehave", {"how": "raise"})})).nodes["a"]
    assert failed.other == "other" and "Another way" in failed.fix
    assert world.run(graph({"a": ("refuse", {"text": "x"})})).nodes["a"].other == ""


def test_a_crash_names_the_next_back_end(world):
    assert world.run(graph({"a": ("misbehave", {"how": "end"})})).nodes["a"].other == "other"


@pytest.mark.parametrize("other", [(("yolos-tiny", "2"),), (("yolos-tiny", "1"), ("more", "1")), ()])
def test_another_revision_is_another_key(other):
    tool = TOOLS["either"]

    def key(models):
        return cache_keys.key_of(tool, tool.backends[0], {}, {}, models)

    assert key((("yolos-tiny", "1"),)) == key((("yolos-tiny", "1"),)) != key(other)


def test_the_results_of_two_back_ends_are_kept_apart(world):
    world.run(_either())
    _put_on_disk()
    run = world.run(_either())
    assert not run.nodes["a"].cached
    assert world.run(_either("plain")).nodes["a"].cached


def test_the_window_shows_the_back_end_that_a_run_would_take(world, monkeypatch):
    tool = TOOLS["either"]
    monkeypatch.setattr(selection, "_shown", {})
    assert selection.shown(tool, None).id == world.run(_either()).nodes["a"].backend == "plain"
    assert selection.shown(tool, "service").id == "service"
    _put_on_disk()
    monkeypatch.setattr(selection, "_FRESH_SECONDS", 0.0)  # as when some time has passed
    assert selection.shown(tool, None).id == world.run(_either()).nodes["a"].backend == "model"


def test_asking_again_which_back_end_is_shown_looks_at_nothing(monkeypatch):
    monkeypatch.setattr(selection, "_shown", {})
    selection.shown(TOOLS["either"], None)
    monkeypatch.delattr(selection, "Backends")
    assert selection.shown(TOOLS["either"], None).id == "plain"


def test_where_none_can_run_the_first_is_shown(own_home):
    assert selection.shown(TOOLS["read_model"], None).id == "model"
    assert selection.shown(TOOLS["read_model"], "gone").id == "model"
