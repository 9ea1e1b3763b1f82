"""Recorded runs read back as they were told, also after a crash."""

from __future__ import annotations

import json
import os

import pytest

from desktop_app.run.events import events, recording
from desktop_app.run.events.recording import KEPT, Recording, close_lost
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType

_PICTURE = Resource("a.png", ResourceType.IMAGE, "ab" * 32, ".png", {"width": 3}, "n1")
ALL = [
    events.RunStarted("r", ("n1", "n2"), 12.5, {"n1": 2.0}),
    events.NodeQueued("n1"),
    events.NodeStarted("n1", "CPU 1", 0.25, 2.0, "b"),
    events.NodeProgress("n1", 0.5, "half, ü", "p.png", 0.25),
    events.NodeFinished(
        "n1",
        {"image": _PICTURE, "parts": (_PICTURE, _PICTURE), "none": ()},
        1.5,
        False,
        2.0,
        "b",
        3,
        (("b.jpg", "It is empty."),),
        "1 of 3 failed.",
    ),
    events.NodeFailed(
        "n2",
        "No.",
        "text",
        "Try again.",
        "Traceback\n  ...",
        0.1,
        0.2,
        "other",
        "yolos-tiny",
        (("b.jpg", "It is empty."),),
    ),
    events.NodeSkipped("n3", "n2"),
    events.NodeCancelled("n4"),
    events.RunFinished("r", "failed", 3.0, {"done": 1}, "full"),
]


@pytest.mark.parametrize("event", ALL, ids=lambda event: type(event).__name__)
def test_events_survive_json(event):
    assert recording.from_json(json.loads(json.dumps(recording.to_json(event)))) == event


@pytest.mark.parametrize("ready", [0, 1, 2], ids=["no text", "one text", "all texts"])
def test_results_whose_text_was_made_before_are_written_alike(tmp_path, ready):
    made = tuple(Resource(f"{i}.png", ResourceType.IMAGE, "cd" * 32, ".png", {"title": 'é"'}, "n1") for i in range(2))
    for resource in made[:ready]:
        assert json.loads(resource.text) == resource.to_json()
    event = events.NodeFinished("n1", {"image": made, "second": _PICTURE}, 1.5, False, 2.0, "b")
    written = Recording(tmp_path, "r")
    written.write([event])
    written.close()
    last = json.loads(written.path.read_text("utf-8").splitlines()[-1])
    assert last.pop("at") >= 0
    assert last == json.loads(json.dumps(recording.to_json(event)))
    assert recording.from_json(last) == event


def test_every_kind_of_event_is_tested():
    assert {type(event) for event in ALL} == set(events.Event.__args__)


def test_a_recording_reads_back(tmp_path):
    made = Recording(tmp_path / "runs", "r")
    made.write(ALL[:4])
    made.write(ALL[4:])
    made.close()
    assert list(recording.read(made.path)) == ALL
    assert close_lost(tmp_path / "runs") == ()


def _pretend_the_program_died(path) -> None:
    first, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps(json.loads(first) | {"pid": 2**22 + 1}).encode() + b"\n" + rest)


@pytest.mark.parametrize("cut", [0, 3, 40])
def test_a_run_without_an_end_is_lost(tmp_path, cut):
    made = Recording(tmp_path, "r")
    made.write(ALL[:-1])
    made.close()
    data = made.path.read_bytes()
    made.path.write_bytes(data[: len(data) - cut])
    _pretend_the_program_died(made.path)
    assert close_lost(tmp_path) == ("r",)
    assert close_lost(tmp_path) == ()
    run = fold_all(Run(), recording.read(made.path))
    assert run.outcome == "lost" and run.nodes["n1"].state == "done"


def test_a_run_of_a_program_that_lives_is_not_lost(tmp_path):
    made = Recording(tmp_path, "r")
    made.write(ALL[:3])
    assert close_lost(tmp_path) == ()
    made.close()


def test_a_recording_that_was_just_made_is_not_lost(tmp_path):
    made = tmp_path / "r.jsonl"
    made.write_bytes(b"")
    assert close_lost(tmp_path) == ()
    os.utime(made, (1.0, 1.0))
    assert close_lost(tmp_path) == ("r",)


def test_the_oldest_recordings_go(tmp_path):
    for number in range(KEPT + 3):
        made = Recording(tmp_path, f"r{number:04}")
        made.write([ALL[-1]])
        made.close()
    close_lost(tmp_path)
    assert len(list(tmp_path.iterdir())) == KEPT
    assert not (tmp_path / "r0002.jsonl").exists()


def test_rubbish_in_the_folder_is_left_alone(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(os.urandom(100))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    close_lost(tmp_path)
    assert (tmp_path / "x.jsonl").stat().st_size >= 100


def test_a_recording_is_what_the_events_fold_to(tmp_path):
    made = Recording(tmp_path, "r")
    made.write(ALL)
    made.close()
    assert fold_all(Run(), recording.read(made.path)) == fold_all(Run(), ALL)


def test_a_recording_says_what_ran(tmp_path):
    made = Recording(tmp_path, "r", '{"format":1,"nodes":[{"id":"ü"}]}')
    made.write(ALL)
    made.close()
    assert json.loads(made.path.read_text("utf-8").splitlines()[1])["workflow"] == {"format": 1, "nodes": [{"id": "ü"}]}
    assert list(recording.read(made.path)) == ALL and close_lost(tmp_path) == ()
