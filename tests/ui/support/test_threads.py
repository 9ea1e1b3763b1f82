"""No thread is the first to use a type of Qt: what threads use is made on the GUI thread before any begins."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tomllib

import pytest
from PySide6.QtCore import QThread

from desktop_app.core.paths import RESOURCES
from desktop_app.ui.support import qt_types
from desktop_app.ui.support.thread_pool import BackgroundReader
from tests.ui.starts import starts
from tests.ui.thread_jobs import JOBS, ROOT, WITHOUT_QT, begins

_AT_ONCE = """
import sys, threading
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImageReader
from desktop_app.ui.support.thread_pool import BackgroundReader

sys.setswitchinterval(1e-6)
application = QCoreApplication([])
loader, together, left = BackgroundReader(), threading.Barrier(2), [1, 2]

def read():
    together.wait()
    return QImageReader(sys.argv[1]).read().width()

def came(width):
    assert width > 0, width
    left.pop()
    if not left:
        application.quit()

for _ in range(2):
    loader.run(read, came)
application.exec()
"""


def test_two_jobs_that_read_pictures_at_once_do_no_harm():
    picture = str(RESOURCES / "examples" / "coffee.jpg")
    for _ in range(6):  # without that about half of them crash or never end
        done = subprocess.run([sys.executable, "-c", _AT_ONCE, picture], timeout=60, check=False)
        assert done.returncode == 0


@pytest.fixture(scope="module")
def places() -> dict[str, set[str]]:
    """By the place in the code of the window where a thread is given work: how."""
    found: dict[str, set[str]] = {}
    for path in (*(ROOT / "desktop_app" / "ui").rglob("*.py"), ROOT / "desktop_app" / "app.py"):
        for around, called in begins(path.read_text("utf-8")):
            found.setdefault(f"{path.stem}.{around}", set()).add(called)
    return found


def test_threads_begin_only_through_the_loader(places):
    others = {place: how for place, how in places.items() if how != {"loader"} and not place.startswith("thread_pool.")}
    assert others.keys() <= WITHOUT_QT.keys()


def test_every_job_is_known(places):
    """A new one is entered in tests/ui/thread_jobs.py, so that what it makes is looked at."""
    known = JOBS.keys() | WITHOUT_QT.keys()
    assert {place for place in places if not place.startswith("thread_pool.")} == known


def test_what_is_said_to_have_no_qt_may_not_import_it():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    without = {
        module for c in contracts if "PySide6" in c.get("forbidden_modules", ()) for module in c["source_modules"]
    }
    for module in WITHOUT_QT.values():
        assert any(module == one or module.startswith(f"{one}.") for one in without), module


def test_no_job_makes_a_type_of_qt():
    done = subprocess.run([sys.executable, "-m", "tests.ui.thread_jobs"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: [] for name in JOBS}


def test_what_a_job_makes_is_seen():
    """Else the test above could not fail."""
    command = [sys.executable, "-m", "tests.ui.thread_jobs", "--unmade", "example_card.ExampleCard.paint"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (made,) = json.loads(done.stdout).values()
    assert "PySide6.QtCore.QIODevice" in made, done.stderr


def test_work_that_has_not_begun_never_will_when_nobody_waits_for_it(qapp, monkeypatch):
    monkeypatch.setattr(qt_types, "_making", qt_types._Making())
    ran = []
    loader = BackgroundReader()
    loader.run(lambda: ran.append(QThread.isMainThread()), ran.append)
    assert loader.wait()
    qt_types.make_all()
    assert loader.wait()
    qapp.processEvents()
    assert ran == []


@pytest.mark.timeout(600)
def test_the_window_starts_in_a_fresh_home_and_in_a_full_one():
    """Without the rule about a third of these starts ends in a segmentation fault."""
    assert starts(2) == []


def test_what_the_loop_has_to_do_while_qt_serves_is_done_as_if_it_ran(loop, qtbot):
    done: list[int] = []

    async def work() -> None:
        done.append(await asyncio.to_thread(lambda: 1))

    loop.call_later(0, lambda: loop.create_task(work()))
    qtbot.waitUntil(lambda: done == [1])
