"""The history survives what happens to its file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from desktop_app.core.errors import StorageError
from desktop_app.storage.database import SAMPLES, History, KeptResult
from desktop_app.storage.timings import Timing


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "history.sqlite"


@pytest.fixture
def history(path):
    made = History(path)
    yield made
    made.close()


def _result(number: int) -> KeptResult:
    return KeptResult(number.to_bytes(32, "big"), f'{{"n": {number}}}', 0.5, 10)


def test_a_result_is_found_by_its_key(history):
    history.save_results([_result(1), _result(2)])
    assert history.result(_result(2).key) == _result(2)
    assert history.result(b"other") is None


def test_results_are_there_after_reopening(history, path):
    history.save_results([_result(1)])
    history.close()
    again = History(path)
    assert again.result(_result(1).key) == _result(1)
    assert again.notice == ""
    again.close()


def test_the_time_of_a_tool_grows_with_its_input_as_measured(history, path):
    history.save_results([], [("blur", "opencv", Timing(0.1 * n, 1e6 * n, 2e6 * n)) for n in (1, 2, 4)])
    again = History(path)
    for known in (history, again):
        assert known.seconds("blur", "opencv", 24e6) == pytest.approx(2.4)
        assert known.seconds("blur", "opencv") == pytest.approx(0.2)
        assert known.growth("blur", "opencv").made == 2.0
    again.close()


def test_each_start_of_the_program_adds_to_what_is_known_of_a_tool(path):
    for seconds in (1.0, 2.0, 9.0):
        history = History(path)
        history.save_results([], [("blur", "opencv", Timing(seconds))])
        history.close()
    again = History(path)
    assert again.seconds("blur", "opencv") == 2.0
    again.close()


def test_a_history_from_before_sizes_were_kept_is_read_on(path):
    path.parent.mkdir(exist_ok=True)
    old = sqlite3.connect(path)
    old.executescript(
        "CREATE TABLE timings (tool TEXT, backend TEXT, slot INTEGER, seconds REAL NOT NULL,"
        " PRIMARY KEY (tool, backend, slot)) WITHOUT ROWID; INSERT INTO timings VALUES ('blur', 'opencv', 1, 3.0);"
    )
    old.close()
    history = History(path)
    assert (history.notice, history.seconds("blur", "opencv", 5.0)) == ("", 3.0)
    history.save_results([], [("edges", "opencv", Timing(1.0, 4.0))])
    history.close()
    again = History(path)
    assert (again.seconds("blur", "opencv"), again.seconds("edges", "opencv", 4.0)) == (3.0, 1.0)
    again.close()


def test_forgotten_results_are_gone(history):
    history.save_results([_result(1), _result(2)])
    history.forget([_result(1).key])
    assert [r.key for r in history.results()] == [_result(2).key]


def test_touching_makes_a_result_younger(history):
    history.save_results([_result(1)])
    before = history.results()[0].used
    history.touch([_result(1).key])
    assert history.results()[0].used > before


def test_estimate_is_the_median_of_the_latest(history, path):
    assert history.seconds("blur", "opencv") is None
    history.save_results([], [("blur", "opencv", Timing(s)) for s in (1.0, 100.0, 2.0)])
    assert history.seconds("blur", "opencv") == 2.0
    history.save_results([], [("blur", "opencv", Timing(7.0))] * SAMPLES)
    assert history.seconds("blur", "opencv") == 7.0
    again = History(path)
    assert again.seconds("blur", "opencv") == 7.0
    again.close()


def test_conversations_come_latest_first(history):
    history.save_conversation("a", "First", "{}")
    history.save_conversation("b", "Second", '{"x": 1}')
    history.save_conversation("a", "First again", '{"y": 2}')
    assert [(c.id, c.title) for c in history.conversations()] == [("a", "First again"), ("b", "Second")]
    assert history.conversation("a") == '{"y": 2}'
    history.delete_conversation("a")
    assert history.conversation("a") is None


def test_a_file_with_the_tables_of_an_older_program_is_used_as_it_is(path, history):
    history.save_conversation("a", "First", "{}")
    history.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE workflows (name TEXT PRIMARY KEY, changed REAL, data TEXT NOT NULL)")
        database.execute(
            "CREATE TABLE runs (id TEXT PRIMARY KEY, started REAL, seconds REAL, outcome TEXT, workflow TEXT NOT NULL)"
        )
    again = History(path)
    assert not again.notice and again.conversation("a") == "{}" and again.mentioned() == set()
    again.close()


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_file_is_set_aside_not_deleted(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    history = History(path)
    assert "damaged" in history.notice
    history.save_results([_result(1)])
    assert history.result(_result(1).key) is not None
    assert [p.read_bytes() for p in path.parent.glob("*-damaged-*.sqlite")] == [content]
    history.close()


def test_a_file_that_is_cut_off_is_set_aside_or_read(path):
    """At every length of the file: it opens, and works."""
    history = History(path)
    history.save_results([_result(n) for n in range(300)])
    history.close()
    whole = path.read_bytes()
    for length in (0, 1, 50, 100, 1000, 4096, 5000, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        cut = History(path)
        for _ in range(2):
            try:
                cut.result(_result(7).key)
                cut.save_results([_result(1000)])
            except StorageError:
                continue
        assert cut.result(_result(1000).key) is not None
        cut.close()
        for leftover in path.parent.iterdir():
            leftover.unlink()


def test_without_a_place_to_write_it_works_in_memory(tmp_path):
    (tmp_path / "file").write_text("")
    history = History(tmp_path / "file" / "history.sqlite")
    assert "cannot be written" in history.notice
    history.save_results([_result(1)])
    assert history.result(_result(1).key) is not None
    history.close()


def test_a_full_disk_is_told_in_words_and_passes(history, path):
    resource = pytest.importorskip("resource")
    history.save_results([_result(1)])
    size = path.with_name(path.name + "-wal").stat().st_size
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        with pytest.raises(StorageError, match="could not be written"):
            history.save_results([_result(n) for n in range(2, 2000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert history.result(_result(1).key) is not None
    history.save_results([_result(3)])
    assert history.result(_result(3).key) is not None


_WRITER = """
import sys
from contextlib import closing
from pathlib import Path
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.timings import Timing
history = History(Path(sys.argv[1]))
for n in range(100):
    key = bytes([int(sys.argv[2])]) + n.to_bytes(31, "big")
    history.save_results([KeptResult(key, "{}", 0.1)], [("tool", sys.argv[2], Timing(0.1))])
    assert history.result(key)
"""


def test_processes_at_once_do_not_disturb_each_other(path):
    running = [subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(n)]) for n in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    history = History(path)
    assert len(history.results()) == 300
    assert history.notice == ""
    history.close()


_VICTIM = """
import os, sys
from pathlib import Path
from desktop_app.storage.database import History, KeptResult
history = History(Path(sys.argv[1]))
for n in range(10**6):
    history.save_results([KeptResult(n.to_bytes(32, "big"), "{}", 0.1)])
    os.write(1, b"%d\\n" % n)
"""


def test_what_was_written_outlives_a_kill(path):
    with subprocess.Popen([sys.executable, "-c", _VICTIM, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(50)]
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    told = [int(line) for line in lines if line.endswith(b"\n")]
    history = History(path)
    assert {int.from_bytes(r.key, "big") for r in history.results()} >= set(told)
    assert history.notice == ""
    history.close()


def test_a_checkpoint_empties_nothing_but_the_log(history, path):
    history.save_results([_result(n) for n in range(50)])
    history.checkpoint()
    assert len(history.results()) == 50
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM results").fetchone() == (50,)
    other.close()
    assert os.path.exists(path)
