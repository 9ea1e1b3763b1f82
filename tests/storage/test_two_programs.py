"""Two programs on one home, at the first start and later: neither loses anything, neither works in memory only."""

from __future__ import annotations

import json
import os
from pathlib import Path

import psutil

from desktop_app.core import settings
from desktop_app.core.paths import alone, home
from desktop_app.run.cache.eviction import Tidy
from desktop_app.run.events import events
from desktop_app.run.events import recording as recordings
from desktop_app.run.events.recording import Recording, close_lost
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.resources import Resource, Store
from nodes.api import ResourceType
from tests.together import together

ROUNDS = 60
PLACE = Path("home") / "history.sqlite"


def opened(folder: Path, number: int, round: int) -> str:
    history = History(folder / PLACE)
    history.save_conversation(f"run-{number}", "", "{}")
    history.close()
    return history.notice


def test_first_starts_at_once_keep_everything_on_disk(tmp_path):
    told = together(tmp_path, opened, ROUNDS, 3)
    assert told == [[""] * 3] * ROUNDS
    for round in range(ROUNDS):
        history = History(tmp_path / str(round) / PLACE)
        assert {kept.id for kept in history.conversations()} == {"run-0", "run-1", "run-2"}
        history.close()


def test_a_damaged_history_is_begun_anew_once_by_starts_at_once(tmp_path):
    rounds = 30
    for round in range(rounds):
        (tmp_path / str(round) / PLACE).parent.mkdir(parents=True)
        (tmp_path / str(round) / PLACE).write_bytes(b"not a database at all")
    told = together(tmp_path, opened, rounds, 3)
    for round in range(rounds):
        place = tmp_path / str(round) / PLACE
        assert all("damaged" in notice or not notice for notice in told[round]), told[round]
        assert [p.read_bytes() for p in place.parent.glob("*-damaged-*")] == [b"not a database at all"]
        history = History(place)
        assert {kept.id for kept in history.conversations()} == {"run-0", "run-1", "run-2"}
        history.close()


def made_and_changed(folder: Path, number: int, round: int) -> bool:
    """The home does not exist yet."""
    for step in range(5):
        settings.change(**({"llm_model": f"m{step}"} if number else {"cache_gb": 1.0 + step}))
        assert settings.saved().theme == "light"
    return True


def test_settings_of_both_are_kept_and_never_half(tmp_path):
    rounds = 20
    for round in range(rounds):
        folder = tmp_path / str(round)
        folder.mkdir()
        (folder / "settings.json").write_text('{"theme": "light"}', "utf-8")
    assert together(tmp_path, made_and_changed, rounds) == [[True, True]] * rounds
    for round in range(rounds):
        found = json.loads((tmp_path / str(round) / "settings.json").read_text("utf-8"))
        assert (found["cache_gb"], found["llm_model"], found["theme"]) == (5.0, "m4", "light")
        assert not list((tmp_path / str(round)).glob(".settings-*"))


def started(folder: Path, number: int, round: int) -> int:
    """What a start and a run do with the home."""
    store = Store(home() / "store")
    digest = store.put_bytes(b"the same in both", ".txt")
    close_lost(home() / "runs")
    recording = Recording(home() / "runs", f"run-{number}", "{}")
    recording.write([events.RunStarted(f"run-{number}", (), 0.0), events.RunFinished(f"run-{number}", "ok", 0.1)])
    recording.close()
    close_lost(home() / "runs")
    return len(store.path(digest, ".txt").read_bytes())


def test_a_home_that_both_make_holds_what_both_put_there(tmp_path):
    assert together(tmp_path, started, 20) == [[16, 16]] * 20
    for round in range(20):
        for number in range(2):
            lines = (tmp_path / str(round) / "runs" / f"run-{number}.jsonl").read_bytes().splitlines()
            assert [json.loads(line)["event"] for line in lines] == ["Owner", "Workflow", "RunStarted", "RunFinished"]


def test_what_another_program_shows_is_not_removed(tmp_path, monkeypatch):
    """The recording of a run says whose it is, and what it made."""
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path))
    store, history = Store(tmp_path / "store"), History(tmp_path / "history.sqlite")
    made = []
    for n in range(2):
        digest = store.put_bytes(bytes([n]) * 1000, ".txt")
        made.append(Resource(f"{n}.txt", ResourceType.TEXT, digest, ".txt"))
        kept = json.dumps({"text": [digest, ".txt", "text", {}, 1000]})
        history.save_results([KeptResult(bytes([n]) * 32, kept, 0.1, 1000)])
    parent = psutil.Process(os.getppid())
    monkeypatch.setattr(recordings, "_owner", lambda: {"pid": parent.pid, "born": parent.create_time()})
    recording = Recording(home() / "runs", "elsewhere", "{}")
    recording.write([events.NodeFinished("a", {"text": made[0]}, 0.1, False, 1.0, "b")])
    tidy = Tidy(store)
    tidy._tidy(history.path, 0, frozenset())
    assert [store.path(r.digest, r.suffix).exists() for r in made] == [True, False]
    recording.close()
    owner = json.loads(recording.path.read_text("utf-8").splitlines()[0])
    dead = json.dumps({**owner, "born": owner["born"] - 1000})
    recording.path.write_text("\n".join([dead, *recording.path.read_text("utf-8").splitlines()[1:], ""]), "utf-8")
    tidy._tidy(history.path, 0, frozenset())
    assert [store.path(r.digest, r.suffix).exists() for r in made] == [False, False]
    history.close()


def test_a_recording_of_any_form_does_not_end_the_start(tmp_path):
    lines = [b"[]", b'{"pid": 1e999}', b'{"pid": "x", "born": []}', b"[" * 50_000, b"\xff\xfe", b"{}", b'"x"', b""]
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.jsonl").write_bytes(line + b"\n" + line + b"\n")
        os.utime(tmp_path / f"{number}.jsonl", (1, 1))
    close_lost(tmp_path)


def test_a_folder_that_cannot_be_locked_is_entered_all_the_same(tmp_path):
    with alone(tmp_path / "missing" / "settings.json"):
        entered = True
    assert entered
