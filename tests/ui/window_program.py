"""The real program with its window, told over a pipe what a person would do: for tests of starting, closing and dying.

Each command is a line of JSON, a list; each answer is one, what the conversation shows then.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any


class Program:
    """A running program. `do` sends a command and gives the answer."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.window_program"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdin and self.process.stdout
        self._to, self._from = self.process.stdin, self.process.stdout

    def do(self, *command: str) -> dict[str, Any]:
        self._to.write(json.dumps(command) + "\n")
        self._to.flush()
        line = self._from.readline()
        assert line, f"the program ended at {command} with {self.process.wait(60)}"
        return json.loads(line)

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What it shows as soon as that holds; AssertionError after a minute."""
        end = time.monotonic() + 60
        while not holds(shown := self.do("show")):
            assert time.monotonic() < end, shown
            time.sleep(0.02)
        return shown

    def close(self) -> None:
        """As a person closes the window; returns when the program has ended well."""
        self.do("close")
        assert self.process.wait(60) == 0
        self._end()

    def kill(self) -> None:
        """As a power cut does."""
        self.process.kill()
        self.process.wait()
        self._end()

    def _end(self) -> None:
        self._to.close()
        self._from.close()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()


def _shown(windows: Any, settled: bool) -> dict[str, Any]:
    session, window = windows.session, windows.window
    return {
        "settled": settled,
        "id": session.id,
        "title": session.title,
        "messages": [message.text for message in session.messages],
        "files": sorted(session.resources),
        "nodes": list(session.workflow.ids()),
        "ways": len(session.alternatives),
        "states": {id: node.state for id, node in session.run.nodes.items()},
        "can_undo": session.can_undo,
        "busy": session.busy,
        "first_screen": window.pages.currentWidget() is window.first,
        "trouble": window.first.composer._trouble.text(),
    }


async def _serve(windows: Any, settled: Callable[[], bool]) -> None:
    from pathlib import Path

    from desktop_app.session.autosave import open_kept

    loop, session = asyncio.get_running_loop(), windows.session
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        verb, *rest = json.loads(line)
        if verb == "ask":
            names = [(await session.bring(Path(path))).name for path in rest[1:]]
            await session.ask(rest[0], tuple(names))
        elif verb == "run":
            await session.start()
        elif verb == "undo":
            session.undo()
        elif verb == "open":
            windows.window.ui.calls.later(open_kept(session, windows._conversations, rest[0]))
        print(json.dumps(_shown(windows, settled())), flush=True)
        if verb == "close":
            windows.window.close()
            return


def main() -> None:
    """Opens the window and serves; `settled` is true once it has looked for the conversation of last time."""
    from desktop_app import app
    from desktop_app.ui.application import application as qt

    made: list[Any] = []
    looked: list[bool] = []
    build, last = qt.Windows.open, qt.open_last

    def kept_open(self: Any, painted: Callable[[], None] | None = None) -> Any:
        made.append(self)
        return build(self, painted)

    async def told_last(*args: Any) -> None:
        try:
            await last(*args)
        finally:
            looked.append(True)

    qt.Windows.open, qt.open_last = kept_open, told_last
    tasks: list[Any] = []
    app.open_window(lambda: tasks.append(asyncio.ensure_future(_serve(made[0], lambda: bool(looked)))))


if __name__ == "__main__":
    main()
