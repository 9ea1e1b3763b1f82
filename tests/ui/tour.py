"""Drives the real window with real events and saves a picture of each main state: `python -m tests.ui.tour FOLDER`.

Needs a display (Xvfb will do) and the built-in tools; takes about half a minute. The pictures of the README are made
with it: `xvfb-run -s "-screen 0 1440x900x24" python -m tests.ui.tour resources/pictures`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import qasync
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app import app
from desktop_app.examples import load_examples
from desktop_app.session import Session
from desktop_app.settings import Settings
from desktop_app.ui import theme
from desktop_app.ui.main_window import MainWindow
from nodes import load_tools

SIZE = (1440, 900)


class Tour:
    """One window on one session, and verbs that do what a user does."""

    def __init__(self, folder: Path, name: str = "dark", scale: float = 1.0) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        settings = Settings(theme=name, scale=scale)
        theme.apply(QApplication.instance(), name, scale)
        self.session: Session = app.new_session(settings)
        self.window = MainWindow(
            self.session, load_examples(), lambda: app.examine(settings, load_tools())
        )
        self.window.resize(*SIZE)
        self.window.show()

    async def until(self, true: Callable[[], Any], seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s for {true}")
            await asyncio.sleep(0.02)

    async def rest(self, seconds: float = 0.5) -> None:
        await asyncio.sleep(seconds)

    async def shot(self, name: str) -> None:
        await self.rest()
        path = self.folder / f"{name}.png"
        self.window.grab().save(str(path))
        print(path, flush=True)

    async def ask(self, text: str, *files: str) -> None:
        """Attaches bundled files, types the request, and presses Enter."""
        from desktop_app.paths import RESOURCES

        composer = self.window.first.composer if self.window.first.isVisible() else self.window.chat.composer
        for name in files:
            composer.add_files([RESOURCES / "examples" / name])
        editor = composer.field
        editor.setFocus()
        QTest.keyClicks(editor, text)
        before = len(self.session.messages)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await self.until(lambda: len(self.session.messages) >= before + 2 and not self.session.busy)

    async def run(self) -> None:
        QTest.mouseClick(self.window.tool_bar.run_button, Qt.MouseButton.LeftButton)
        await self.until(lambda: self.session.run.nodes)


async def journey(folder: Path, name: str) -> None:
    """First screen, a plan with alternatives, running, answer, pointing."""
    tour = Tour(folder, name)
    await tour.rest(1.0)
    await tour.shot("first-screen")
    await tour.ask(
        "Blur the faces in group.jpg, then make a slideshow video of it with a spoken greeting 'hello everyone'",
        "group.jpg",
    )
    await tour.shot("plan")
    await tour.run()
    await tour.until(lambda: any(n.state == "running" for n in tour.session.run.nodes.values()))
    await tour.shot("running")
    await tour.until(lambda: not tour.session.busy)
    await tour.rest(1.0)
    await tour.shot("answer")
    tour.session.new()
    await tour.ask("Remove the object I point at", "coffee.jpg")
    await tour.shot("question")
    await tour.session.close()
    tour.window.close()


def main() -> None:
    """Runs the tour; exit code 1 when a step did not happen."""
    os.environ.setdefault("GRAPHWRIGHT_HOME", tempfile.mkdtemp(prefix="graphwright-tour-"))
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(journey(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "dark"))


if __name__ == "__main__":
    main()
