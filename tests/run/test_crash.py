"""kill -9 of the whole application, at any moment: nothing that was told finished is lost or computed again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

from desktop_app.core.paths import PROJECT
from desktop_app.run.events.recording import read
from tests.run.helpers import ends

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
_LENGTH = 150


def _start() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.run.crash_victim", str(_LENGTH)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT)


def _lines_until_killed(kill_after: int, delay: float) -> list[list[str]]:
    """What the program printed until it was killed: `delay` seconds after the line of that number."""
    with _start() as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if len(lines) == kill_after:
                time.sleep(delay)
                process.kill()
    return [line.decode().split() for line in lines if line.endswith(b"\n")]


def _check_one_kill(kill_after: int, delay: float, own_home) -> None:
    told = _lines_until_killed(kill_after, delay)
    finished = {line[1] for line in told if line[0] == "finished"}
    assert all(ends(int(line[1])) for line in told if line[0] == "lane")
    output, _ = _start().communicate(timeout=60)
    later = [line.split() for line in output.decode().splitlines()]
    cached = {line[1] for line in later if line[:1] == ["finished"] and line[2] == "1"}
    assert ["outcome", "ok"] in later
    assert finished <= cached
    assert not list((own_home).glob("*damaged*"))
    if ["outcome", "ok"] not in told:
        lost = {line[1] for line in later if line[0] == "lost"}
        endings = {path.stem: list(read(path))[-1].outcome for path in (own_home / "runs").glob("*.jsonl")}
        # The kill may come between the end of the run and the line that tells of it: then nothing was cut off.
        assert {id for id, outcome in endings.items() if outcome == "lost"} == lost
        assert sorted(endings.values()) == sorted(["lost" if lost else "ok", "ok"])


def test_a_kill_loses_no_finished_result(own_home):
    _check_one_kill(kill_after=20, delay=0.0, own_home=own_home)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(30))
def test_a_kill_at_any_moment_loses_no_finished_result(own_home, seed):
    chance = random.Random(seed)
    _check_one_kill(chance.randint(1, _LENGTH), chance.random() * 0.05, own_home)
