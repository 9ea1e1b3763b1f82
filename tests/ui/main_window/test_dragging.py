"""Real drag and drop: the window on a display of its own, and a mouse that presses, moves and lets go."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE

MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}: apt-get install xvfb xdotool"),
]
_STEPS = 8


class Display:
    """A display, the window on it, and a mouse. `now` is what the window tells."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
        self._server = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        self._said = folder / "said.txt"
        self._state = folder / "state.json"
        self._state.write_text("{}", "utf-8")
        self._environment = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        with self._said.open("wb") as said:
            self._window = subprocess.Popen(
                [sys.executable, "-m", "tests.ui.dragging_window", str(self._state)], env=self._environment,
                stdout=said, stderr=said,
            )  # fmt: skip

    @property
    def now(self) -> dict[str, Any]:
        return json.loads(self._state.read_text("utf-8"))

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """What the window tells as soon as `true` of it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            now = self.now
            if now and true(now):
                return now
            assert self._window.poll() is None, self._said.read_text("utf-8")
            time.sleep(0.05)
        raise AssertionError(f"{self.now}\n{self._said.read_text('utf-8')}")

    def drag(self, start: list[int], end: list[int]) -> None:
        """Presses, moves in steps as a hand does, and lets go."""
        moves: list[str] = []
        for step in range(1, _STEPS + 1):
            x, y = (round(a + (b - a) * step / _STEPS) for a, b in zip(start, end, strict=True))
            moves += ["mousemove", str(x), str(y), "sleep", "0.05"]
        press = ["mousemove", *map(str, start), "sleep", "0.1", "mousedown", "1", "sleep", "0.1"]
        let_go = ["sleep", "0.2", "mouseup", "1"]
        subprocess.run(["xdotool", *press, *moves, *let_go], env=self._environment, check=True, timeout=PATIENCE)

    def close(self) -> None:
        self._state.unlink()
        for process in (self._window, self._server):
            if process is self._server:
                process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def display(tmp_path, own_home) -> Iterator[Display]:
    own_home.mkdir(parents=True, exist_ok=True)
    made = Display(tmp_path)
    yield made
    made.close()


def test_a_tool_is_dragged_from_the_palette_and_a_link_from_port_to_port(display):
    before = display.until(lambda now: now["tools"].get("caption") and now["free"] and now["ports"])
    display.drag(before["tools"]["caption"], before["free"])
    after = display.until(lambda now: len(now["nodes"]) > len(before["nodes"]))
    (new,) = set(after["nodes"]) - set(before["nodes"])
    assert after["nodes"][new] == "caption"
    target = f"{new}.image.in"
    ready = display.until(lambda now: target in now["ports"])
    source = next(name for name in ready["ports"] if name.startswith("coffee.jpg.") and name.endswith(".out"))
    display.drag(ready["ports"][source], ready["ports"][target])
    joined = display.until(lambda now: any(link[2] == new for link in now["links"]))
    link = ["coffee.jpg", source.removeprefix("coffee.jpg.").removesuffix(".out"), new, "image"]
    assert [found for found in joined["links"] if found not in after["links"]] == [link]
