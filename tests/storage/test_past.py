"""What the history tells of the user's habits."""

from __future__ import annotations

import json
import sqlite3
from itertools import pairwise

import pytest

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session.snapshot_codec import Snapshot, to_text
from desktop_app.session.state import GraphState
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from desktop_app.storage.usage_statistics import Done, done, joins
from nodes.api import ResourceType

CAT = Resource("cat.jpg", ResourceType.IMAGE, "a" * 64, ".jpg")
DOG = Resource("dog.jpg", ResourceType.IMAGE, "b" * 64, ".jpg")


@pytest.fixture
def history(tmp_path):
    made = History(tmp_path / "history.sqlite")
    yield made
    made.close()


def chain(*tools: str, of: Resource | None = CAT) -> Workflow:
    """The tools one after the other, the first on the resource."""
    graph = Workflow(nodes=tuple(Node(tool, tool) for tool in tools))
    if of is not None:
        graph = graph.with_resource(of).with_link(Link(of.name, RESOURCE_OUTPUT, tools[0], "image"))
    for source, target in pairwise(tools):
        graph = graph.with_link(Link(source, "image", target, "image"))
    return graph


def save(history: History, id: str, workflow: Workflow, seconds: float = 1.0, outcome: str = "ok", at: float = 1e9):
    history.save_run(id, at, json.dumps(workflow.to_json()), outcome, seconds)


def counted(history: History) -> dict[tuple[str, str], int]:
    return {(join.source, join.target): join.count for join in joins(history.path)}


def test_joins_of_runs_are_counted_by_the_things_they_were_made_on(history):
    save(history, "1", chain("blur", "upscale"))
    save(history, "2", chain("blur", "upscale", of=DOG))
    assert counted(history) == {("resource:image", "blur"): 2, ("blur", "upscale"): 2}


def test_running_and_growing_the_same_graph_counts_its_joins_once(history):
    for id in "1234":
        save(history, id, chain("blur", "upscale"))
    save(history, "5", chain("blur", "upscale", "cartoon"))
    assert counted(history)["blur", "upscale"] == 1
    assert counted(history)["upscale", "cartoon"] == 1


def test_without_files_a_join_counts_once_a_day(history):
    for id, day in (("1", 0), ("2", 0), ("3", 1)):
        save(history, id, chain("speak", "slideshow", of=None), at=1e9 + day * 86400)
    assert counted(history) == {("speak", "slideshow"): 2}


def test_kept_workflows_and_the_graphs_of_conversations_count_too(history):
    history.save_workflow("mine", json.dumps(chain("blur", "cartoon").to_json()))
    history.save_conversation("c", "", to_text(Snapshot("c", state=GraphState(chain("cartoon", "upscale", of=DOG)))))
    found = counted(history)
    assert found["blur", "cartoon"] == 1 and found["cartoon", "upscale"] == 1


def test_damaged_rows_are_passed_over(history):
    history.save_run("1", 1.0, "{no json", "ok", 1.0)
    history.save_conversation("c", "", "neither")
    history.save_run("2", 1.0, "[]", "ok", 1.0)
    save(history, "3", chain("blur", "upscale"))
    assert counted(history)["blur", "upscale"] == 1
    assert [one.tools for one in done(history.path)] == [("blur", "upscale")]


def test_no_history_tells_nothing_and_makes_no_file(tmp_path):
    path = tmp_path / "none.sqlite"
    assert joins(path) == () and done(path) == () and not path.exists()


def test_a_file_that_is_no_database_tells_nothing(tmp_path):
    path = tmp_path / "odd.sqlite"
    path.write_bytes(b"x" * 4096)
    assert joins(path) == ()


def test_the_time_of_a_workflow_is_that_of_its_longest_run(history):
    save(history, "1", chain("upscale", "blur"), 2.5)
    save(history, "2", chain("upscale", "blur"), 0.0)
    save(history, "3", chain("upscale", "blur"), 9.0, "failed")
    assert done(history.path) == (Done(frozenset({CAT.digest}), ("blur", "upscale"), 2.5),)


def test_reading_habits_waits_for_no_writer(history):
    save(history, "1", chain("blur", "upscale"))
    with sqlite3.connect(history.path, isolation_level=None) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert counted(history)["blur", "upscale"] == 1
        writer.execute("ROLLBACK")
    writer.close()
