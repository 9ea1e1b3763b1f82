"""What a tool reaches in a lane and what is closed to it, each tried by a tool that does reach for it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.workers import bounds, worker_pool
from desktop_app.storage.resources import digest_of
from nodes import confinement
from nodes.api import Backend
from nodes.confinement import Confinement
from tests.run.conftest import World
from tests.run.helpers import chain, graph

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bounds of Linux")


def _needs(version: int) -> pytest.MarkDecorator:
    there = confinement.landlock_version()
    return pytest.mark.skipif(there < version, reason=f"Landlock {version} is needed, and here is {there}")


@pytest.fixture
def bound(own_home, monkeypatch) -> Iterator[World]:
    """A world of its own with one lane, whose tools may write nothing of the test's folders."""
    monkeypatch.delenv(bounds.FOLDERS)
    made = World(own_home, cpu_lanes=1)
    yield made
    made.close()
    made.runner.close()


@pytest.fixture
def loose(single, tmp_path) -> World:
    """The same, whose tools may leave notes in the test's folder."""
    return single


def _reach(world: World, how: str, what: object = "", backend: str | None = None) -> str:
    """What came of it, or why it failed."""
    run = world.run(Workflow(nodes=(Node("a", "reach", {"how": how, "what": str(what)}, backend),)))
    node = run.nodes["a"]
    return str(world.value(run, "a", "text")) if node.state == "done" else f"{node.state}: {node.message}"


def _until(fulfilled: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not fulfilled():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


# The environment


def test_no_key_and_nothing_unknown_is_in_the_environment_of_a_tool(bound, monkeypatch):
    secret = {"OPENAI_API_KEY", "GRAPHWRIGHT_LLM_KEY", "HF_TOKEN", "CUDA_SECRET_TOKEN", "AWS_ANYTHING", "MY_OWN"}
    for name in secret:
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    names = set(_reach(bound, "environment").split())
    assert (
        not {"OPENAI_API_KEY", "GRAPHWRIGHT_LLM_KEY", "HF_TOKEN", "CUDA_SECRET_TOKEN", "AWS_ANYTHING", "MY_OWN"} & names
    )
    assert {"PATH", "LC_ALL", "PYTHONPATH", "HF_HUB_OFFLINE", "OMP_NUM_THREADS"} <= names


def test_temporary_files_of_tools_lie_in_the_folder_of_their_lane(bound):
    assert Path(_reach(bound, "variable", "TMPDIR")).parent == bound.home.resolve() / "scratch"


# Files


@_needs(1)
@pytest.mark.parametrize("how", ["read", "write", "append", "remove", "replace"])
def test_a_file_of_the_user_is_closed(bound, tmp_path, how):
    diary = tmp_path / "diary"
    diary.write_text("dear diary")
    assert _reach(bound, how, diary) == "refused"
    assert diary.read_text() == "dear diary"


@_needs(1)
@pytest.mark.parametrize("where", ["", "home", "home/history.sqlite", "home/runs"])
def test_what_the_program_keeps_is_closed(bound, tmp_path, where):
    bound.run(chain(1))
    path = tmp_path / where
    assert _reach(bound, "list" if path.is_dir() else "read", path) == "refused"


@_needs(1)
def test_a_new_file_beside_its_folder_is_refused(bound, tmp_path):
    assert _reach(bound, "write", tmp_path / "new") == "refused"
    assert not (tmp_path / "new").exists()


@_needs(2)
@pytest.mark.parametrize("how", ["write", "append", "remove", "replace"])
def test_a_tool_cannot_change_a_result_in_the_store(bound, how):
    run = bound.run(chain(1))
    kept = run.nodes["n0"].outputs["number"]
    path = bound.store.path_of(kept)
    said = _reach(bound, how, path)
    assert said == "refused" or (how == "replace" and "cross-device" in said)
    assert digest_of(path) == kept.digest


@_needs(1)
def test_what_a_tool_needs_is_open(bound):
    assert _reach(bound, "read", "/etc/hostname") != "refused"
    assert _reach(bound, "read", confinement.__file__) != "refused"
    assert _reach(bound, "write", "in-its-own-folder") == "8"
    assert _reach(bound, "local pair") == "done"


def test_a_refusal_is_said_in_words(bound, tmp_path):
    run = bound.run(graph({"a": ("add", {"mark": str(tmp_path / "closed")})}))
    if confinement.landlock_version():
        assert "closed to it" in run.nodes["a"].message and "own results" in run.nodes["a"].fix


def test_folders_that_the_user_opens_are_open(single, tmp_path):
    """As the folder of all tests is."""
    assert _reach(single, "write", tmp_path / "note") == "8"


# The network and other processes


@pytest.fixture
def server() -> Iterator[str]:
    """The address of something that listens on this computer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


@_needs(4)
def test_a_tool_reaches_no_network(bound, server):
    assert _reach(bound, "connect", server) == "refused"


@linux
def test_a_tool_sends_nothing_without_a_connection_either(bound):
    assert _reach(bound, "send", "127.0.0.1:9") == "refused"


def test_a_tool_that_declares_the_network_reaches_it(bound, server):
    assert _reach(bound, "connect", server, "afar") == "done"


@linux
@pytest.mark.parametrize("backend", [None, "afar"])
def test_a_tool_talks_to_no_service_of_the_desktop(bound, tmp_path, backend):
    """As those of the session bus, which would start a program without any bounds."""
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        one.bind(str(tmp_path / "bus"))
        other.bind(f"\0{tmp_path}")
        one.listen()
        other.listen()
        assert _reach(bound, "call", tmp_path / "bus", backend) == "refused"
        assert _reach(bound, "call", f"@{tmp_path}", backend) == "refused"


@_needs(6)
def test_a_tool_cannot_end_the_window(bound):
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        assert _reach(bound, "signal", os.getpid()) == "refused"
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not heard


@_needs(1)
def test_a_tool_cannot_read_the_environment_of_the_window(bound):
    assert _reach(bound, "another's environment", os.getpid()) == "refused"


@_needs(6)
def test_a_tool_cannot_end_its_guard(bound):
    bound.run(chain(1))
    lane = next(bound.engine._pool.lanes())
    assert _reach(bound, "signal", lane.guard) == "refused"
    assert next(bound.engine._pool.lanes()).guard == lane.guard


# Limits


@linux
def test_more_memory_than_the_limit_fails_the_node_and_names_it(bound, monkeypatch):
    monkeypatch.setattr(bounds, "memory_bytes", lambda backend: 500_000_000)
    assert "not enough memory for it: it may take 0.5 GB" in _reach(bound, "allocate", 2_000_000_000)
    assert _reach(bound, "allocate", 1000) == "1000 bytes"
    monkeypatch.setattr(bounds, "memory_bytes", lambda backend: 4_000_000_000)
    assert _reach(bound, "allocate", 2_000_000_000) == "2000000000 bytes"


@linux
def test_memory_that_the_limit_does_not_count_is_seen_from_outside(bound, monkeypatch):
    monkeypatch.setattr(bounds, "memory_bytes", lambda backend: 300_000_000)
    monkeypatch.setattr(worker_pool, "_LOOK_SECONDS", 0.05)
    said = _reach(bound, "share too much")
    assert said.startswith("failed") and "more memory than the 0.3 GB that it may take" in said
    assert bound.run(chain(2)).outcome == "ok"


def test_a_lane_that_went_on_to_another_job_meanwhile_is_not_ended(bound, monkeypatch):
    """Looked at all the time, while jobs without and with limits follow each other."""
    monkeypatch.setattr(worker_pool, "_LOOK_SECONDS", 0.0)
    assert bound.run(chain(150)).outcome == "ok"
    lane = next(bound.engine._pool.lanes())
    lane.end_for_memory("a node of before", 1)
    assert bound.run(chain(3, more=2)).outcome == "ok" and not lane.ended


def test_the_limit_of_memory_follows_what_is_declared(monkeypatch):
    monkeypatch.setattr(bounds, "_total_bytes", lambda: 16 << 30)
    plain, large = Backend("a", "A", print), Backend("b", "B", print, memory_bytes=7 << 30)
    assert bounds.memory_bytes(plain) == 8 << 30
    assert 8 << 30 < bounds.memory_bytes(large) < 16 << 30
    monkeypatch.setattr(bounds, "_total_bytes", lambda: 2 << 30)
    assert bounds.memory_bytes(plain) < 2 << 30


@linux
def test_a_file_larger_than_the_limit_is_refused_in_words(own_home, monkeypatch):
    monkeypatch.setattr(bounds, "FILE_BYTES", 1_000_000)
    world = World(own_home, cpu_lanes=1)
    assert "larger than the 0.0 GB" in _reach(world, "write much", 2_000_000)
    assert _reach(world, "write much", 1000) == "done"
    world.close()
    world.runner.close()


# What is left behind


@linux
@pytest.mark.parametrize("how", ["detach", "detach and die"])
def test_what_left_its_session_ends_with_the_run(loose, tmp_path, how):
    note = tmp_path / "pid"
    _reach(loose, how, note)
    _until(lambda: not psutil.pid_exists(int(note.read_text())))


@linux
def test_what_left_its_session_ends_with_a_cancelled_tool(loose, tmp_path, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.1)
    note = tmp_path / "pid"
    flow = Workflow(nodes=(Node("a", "reach", {"how": "detach and loop", "what": str(note)}),))
    threading.Thread(target=lambda: _cancel_when(loose, note), daemon=True).start()
    assert loose.run(flow).nodes["a"].state == "cancelled"
    _until(lambda: not psutil.pid_exists(int(note.read_text())))


def _cancel_when(world: World, note: Path) -> None:
    _until(lambda: note.exists() and note.read_text())
    world.runner.get_loop().call_soon_threadsafe(world.engine.cancel)


@linux
def test_what_left_its_session_ends_with_a_killed_program(tmp_path):
    note, home = tmp_path / "pid", tmp_path / "home"
    code = (
        "import sys; from pathlib import Path; from tests.run.conftest import World;"
        " from desktop_app.graph.workflow import Node, Workflow;"
        f" World(Path({str(home)!r}), 1).run(Workflow(nodes=(Node('a', 'reach', "
        f"{{'how': 'detach and loop', 'what': {str(note)!r}}}),)))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as program:
        _until(lambda: note.exists() and note.read_text())
        program.kill()
    _until(lambda: not psutil.pid_exists(int(note.read_text())))


# Saying so


def test_bounds_that_could_not_be_set_are_said(bound, monkeypatch):
    assert bound.run(chain(1)).notice == ""
    for lane in bound.engine._pool.lanes():
        lane.unbound = "Landlock could not be set (No room)"
    assert "without all of their bounds: Landlock could not be set (No room)." in bound.run(chain(2, more=2)).notice


@linux
def test_a_bound_that_fails_is_told_by_the_process(tmp_path):
    """A file that is no folder cannot carry the rights of folders: the kernel says so, and nothing is silent."""
    code = (
        "from nodes import confinement as c; c._OF_FILES = -1;"
        f"print(c.confine(c.Confinement(read=({str(Path(__file__))!r},))))"
    )
    if not confinement.landlock_version():
        pytest.skip("without Landlock nothing fails")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Landlock could not be set" in done.stdout


@pytest.mark.parametrize("version", [0, 1, 7])
def test_doctor_names_what_is_not_bounded(monkeypatch, version):
    from desktop_app.session import diagnostics

    monkeypatch.setattr(confinement, "landlock_version", lambda: version)
    found = diagnostics._bounds()
    named = "not bounded here: " in found.text
    assert named == (found.ok is None) == bool(found.fix)
    if version == 0:
        assert "files to be read" in found.text.partition("not bounded here: ")[2]
    if version == 7 and sys.platform.startswith("linux"):
        assert not named


# The kernel's interface, also where this kernel has none of it


@pytest.mark.parametrize("version", range(1, 8))
def test_every_version_is_asked_only_for_what_it_knows(monkeypatch, version):
    asked: list[tuple[int, bytes]] = []

    def kernel(number: int, *arguments: object) -> int:
        if number == confinement._CREATE_RULESET:
            asked.append((version, arguments[0][: arguments[1]]))  # type: ignore[index]
            return os.open(os.devnull, os.O_RDONLY)
        return 0

    monkeypatch.setattr(confinement, "_call", kernel)
    confinement._landlock(Confinement(read=("/",)), version)
    ((_, attributes),) = asked
    assert len(attributes) == (8 if version < 4 else 16 if version < 6 else 24)
    files = int.from_bytes(attributes[:8], "little")
    assert bool(files & confinement.REFER) == (version >= 2)
    assert bool(files & confinement.TRUNCATE) == (version >= 3)
    assert bool(files & confinement.IOCTL_DEVICE) == (version >= 5)
    if version >= 4:
        assert int.from_bytes(attributes[8:16], "little") == confinement.BIND_TCP | confinement.CONNECT_TCP
    if version >= 6:
        assert int.from_bytes(attributes[16:24], "little") == 3


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("network", [False, True])
def test_the_filter_lets_through_what_it_should(monkeypatch, machine, network):
    """The little program run here, for processors that this one is not too."""
    monkeypatch.setattr(confinement.platform, "machine", lambda: machine)
    architecture, socket_number, refused = confinement._MACHINES[machine]
    program = confinement._program(network)

    def answer(number: int, argument: int = 0, of: int = architecture) -> int:
        data = {0: number, 4: of, 16: argument}
        at = value = 0
        while True:
            operation, yes, no, operand = program[at]
            at += 1
            if operation == confinement._LOAD:
                value = data[operand]
            elif operation == confinement._RETURN:
                return operand
            else:
                at += yes if (value == operand if operation == confinement._EQUAL else value >= operand) else no

    assert answer(0) == confinement._ALLOW
    assert all(answer(number) != confinement._ALLOW for number in refused)
    assert (answer(socket_number, 2) == confinement._ALLOW) == network
    assert answer(socket_number, 1) != confinement._ALLOW
    assert answer(0, of=0x40000003) != confinement._ALLOW
    assert answer(0x40000000) != confinement._ALLOW
