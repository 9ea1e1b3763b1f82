"""A disk that is full, in truth: a small file system of its own. A clear message, no damage, and on it goes when there
is room. Needs the right to mount one.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.run.events import events
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.resources import digest_of
from tests.run.conftest import World
from tests.run.helpers import Heard, chain, graph, states

_SIZE = "3m"


@pytest.fixture
def disk(tmp_path):
    """A folder on a disk of three megabytes."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
    if subprocess.run(options, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


@pytest.fixture
def small(disk, monkeypatch):
    """A world whose whole home is on that disk."""
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(disk))
    made = World(disk, cpu_lanes=1)
    yield made
    made.close()
    made.runner.close()


def _fill(folder: Path, leave_bytes: int = 0) -> Path:
    """Fills the disk but for so much."""
    filler = folder / "filler"
    free = shutil.disk_usage(folder).free
    with open(filler, "wb", buffering=0) as file:
        left = free - leave_bytes
        while left > 0:
            try:
                left -= file.write(b"x" * min(left, 65536))
            except OSError:
                break
    return filler


def _big(text: str, size: int = 4_000_000):
    return graph({"big": ("lots", {"letter": text, "bytes": size}), "small": ("join", {"texts": [text]})})


def _whole(world: World) -> bool:
    """True when no file of the store is cut off or left over from writing."""
    files = [path for path in world.store.folder.rglob("*") if path.is_file()]
    return all(digest_of(path) == path.name.partition(".")[0] for path in files)


def test_a_result_larger_than_the_disk_fails_its_node_alone(small):
    run = small.run(_big("x"))
    assert states(run) == {"big": "failed", "small": "done"}
    message = run.nodes["big"].message
    assert "could not be written" in message and "No space left" in message
    assert "Free some disk space" in run.nodes["big"].fix
    assert _whole(small)


def test_what_did_not_fit_is_computed_when_there_is_room(small, disk):
    filler = _fill(disk, 300_000)
    assert states(small.run(_big("y", 1_000_000))) == {"big": "failed", "small": "done"}
    filler.unlink()
    heard = Heard()
    run = small.run(_big("y", 1_000_000), heard)
    assert run.outcome == "ok" and heard.nodes(events.NodeStarted) == ["big"]
    assert _whole(small)


def test_a_disk_without_any_room_ends_in_words_and_without_damage(small, disk):
    small.run(chain(3))
    filler = _fill(disk)
    run = small.run(chain(3, more=5))
    assert run.nodes["n0"].state == "failed" and "No space left" in run.nodes["n0"].message
    assert states(run)["n2"] == "skipped"
    assert all(node.cached for node in small.run(chain(3)).nodes.values())
    filler.unlink()
    assert small.run(chain(3, more=5)).outcome == "ok"
    small.restart()
    assert small.history.notice == ""
    assert all(node.cached for node in small.run(chain(3, more=5)).nodes.values())
    assert sqlite3.connect(disk / "history.sqlite").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_history_on_a_full_disk_costs_only_the_memory(world, disk):
    history = world.history = world.engine._history = History(disk / "history.sqlite")
    filler = _fill(disk)
    room = [KeptResult(bytes([i]) * 32, "[]" * 2000, 1.0) for i in range(64)]
    run = world.run(chain(40, more=3))
    for _ in range(20):  # what is there of the log may still take a little
        if run.notice:
            break
        run = world.run(chain(40, more=3))
    assert run.outcome == "ok" and world.value(run, "n39", "number") == 120
    assert "could not be written" in run.notice and "disk is full" in run.notice and "Free some" in run.notice
    filler.unlink()
    history.save_results(room)
    again = world.run(chain(40, more=3))
    assert again.outcome == "ok" and again.notice == ""
    assert all(node.cached for node in world.run(chain(40, more=3)).nodes.values())
    history.close()
    later = History(disk / "history.sqlite")
    assert later.notice == "" and later.result(room[0].key) == room[0]
    later.close()
