"""Drives the real window with real events and saves a picture of each main state: `python -m tests.ui.tour FOLDER`.

Needs a display (Xvfb will do) and the built-in tools; takes about a minute. The pictures of the README are made with
it: `xvfb-run -s "-screen 0 1440x900x24" python -m tests.ui.tour resources/pictures`. Options: `--theme light`,
`--scale 2`, `--size 1100x720`, `--chinese` for messages in Chinese, `--only pointing` for one part.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import qasync
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop_app import app
from desktop_app import settings as settings_file
from desktop_app.paths import RESOURCES
from desktop_app.ui import theme
from desktop_app.ui.composer import Composer
from desktop_app.ui.main_window import MainWindow
from desktop_app.workflow import RESOURCE_OUTPUT, Link, Node

Left = Qt.MouseButton.LeftButton
ALTERNATIVES = "Blur the faces in group.jpg, then make a slideshow video of it with a spoken greeting 'hello everyone'"
WORDS = {
    "watercolour": ("now make it look like a watercolour", "现在把它变成水彩画风格，颜色要柔和一些"),
    "alternatives": (ALTERNATIVES, ALTERNATIVES),
    "point": ("Remove the object I point at", "Remove the object I point at"),
}


class Tour:
    """One window on one session, and verbs that do what a user does."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder: Path = options.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._size = tuple(int(n) for n in options.size.split("x"))
        self._language = int(options.chinese)
        settings = settings_file.change(theme=options.theme, scale=options.scale)
        theme.apply(theme.application(), settings.theme, settings.scale)
        session, history, chats = app._with_history(settings)
        self.windows = app.Windows(session, history, chats)
        self.session = session
        self.windows.open()
        self.window.setMinimumSize(1, 1)
        self.window.resize(*self._size)

    @property
    def window(self) -> MainWindow:
        assert self.windows.window is not None
        return self.windows.window

    def words(self, name: str) -> str:
        return WORDS[name][self._language]

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

    def click(self, widget: QWidget, place: QPoint | None = None, button: Qt.MouseButton = Left) -> None:
        QTest.mouseClick(widget, button, Qt.KeyboardModifier.NoModifier, place or widget.rect().center())

    @property
    def composer(self) -> Composer:
        return self.window.first.composer if self.window.first.isVisible() else self.window.chat.composer

    async def ask(self, text: str, *files: str) -> None:
        """Attaches bundled files, types the request, and presses Enter."""
        self.composer.add_files([RESOURCES / "examples" / name for name in files])
        editor = self.composer.field
        editor.setFocus()
        QTest.keyClicks(editor, text) if text.isascii() else editor.insertPlainText(text)
        before = len(self.session.messages)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await self.until(lambda: len(self.session.messages) >= before + 2 and not self.session.busy)

    async def run(self) -> None:
        self.click(self.window.tool_bar.run_button)
        await self.until(lambda: self.session.run.nodes)

    async def finished(self) -> None:
        await self.until(lambda: not self.session.busy)
        await self.rest(1.0)

    async def point(self, *places: tuple[int, int, bool]) -> None:
        """Clicks on pixels of the picture in the picker."""
        view = self.window.picker.view
        for x, y, include in places:
            place = view.viewportTransform().map(QPointF(x + 0.5, y + 0.5)).toPoint()
            self.click(view.viewport(), place, Left if include else Qt.MouseButton.RightButton)
            await self.rest(0.05)


async def first_screen(tour: Tour) -> None:
    await tour.rest(1.0)
    await tour.shot("first-screen")


async def alternatives(tour: Tour) -> None:
    """An example from the first screen: planned, another way looked at, run, answered, a node inspected."""
    card = next(card for card in tour.window.first.cards if card.example.request == ALTERNATIVES)
    tour.window.first.ensure_seen(card)
    tour.click(card)
    await tour.until(lambda: tour.session.alternatives and not tour.session.busy)
    await tour.shot("plan")
    QTest.keyClick(tour.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    await tour.shot("alternative")
    QTest.keyClick(tour.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    await tour.run()
    await tour.until(lambda: any(n.state == "running" for n in tour.session.run.nodes.values()))
    await tour.shot("running")
    await tour.finished()
    await tour.shot("answer")
    tour.window.select(next(n.id for n in tour.session.workflow.nodes if n.tool.startswith("blur")))
    await tour.shot("inspector")


async def pointing(tour: Tour) -> None:
    """A question answered by three clicks with the mask shown live; run, answer, a follow-up."""
    tour.session.new()
    await tour.ask(tour.words("point"), "rocket.jpg")
    await tour.shot("question")
    tour.window.desk.wishes.point_at.emit("rocket.jpg")
    await tour.until(lambda: tour.window.pointing_now)
    await tour.point((320, 200, True), (320, 145, True), (280, 140, False))
    await tour.until(
        lambda: not tour.window.picker.view._mask.pixmap().isNull() or tour.window.picker.mask_card.trouble
    )
    await tour.shot("pointing")
    tour.click(tour.window.picker.use)
    await tour.shot("pointed")
    await tour.run()
    await tour.finished()
    await tour.shot("pointed-answer")
    await tour.ask(tour.words("watercolour"))
    await tour.shot("follow-up")
    await tour.run()
    await tour.finished()
    await tour.shot("follow-up-answer")


async def trouble(tour: Tour) -> None:
    """A node that fails, and one that is skipped for its sake."""
    tour.session.new()
    await tour.ask("Read the text in cat.jpg", "cat.jpg")
    cat = tour.session.find("cat.jpg")
    assert cat is not None
    workflow = tour.session.workflow
    outside = Node("mask", "segment_points", {"points": [[5000, 5000, True]]}, position=(288.0, 336.0))
    paint = Node("paint", "watercolour", position=(528.0, 336.0))
    workflow = workflow.with_node(outside).with_node(paint)
    workflow = workflow.with_link(Link(cat.name, RESOURCE_OUTPUT, "mask", "image"))
    workflow = workflow.with_link(Link(cat.name, RESOURCE_OUTPUT, "paint", "image"))
    tour.session.edit(workflow.with_link(Link("mask", "mask", "paint", "mask")))
    tour.window.graph.fit()
    await tour.run()
    await tour.finished()
    await tour.shot("error")


async def panels(tour: Tour) -> None:
    """The settings, the kept conversations, and the first screen with the recent ones."""
    tour.click(tour.window.tool_bar.settings)
    await tour.shot("settings")
    tour.window.overlays.settings.dismiss()
    await tour.windows.autosave.finish()
    tour.window.show_history()
    await tour.shot("history")
    field = tour.window.findChild(QLineEdit)
    assert field is not None
    tour.window.overlays.list.dismiss()  # type: ignore[union-attr]
    tour.session.new()
    await tour.shot("recent")


async def other_theme(tour: Tour) -> None:
    tour.click(tour.window.tool_bar._theme)
    await tour.shot("recent-other-theme")
    await tour.ask(ALTERNATIVES, "group.jpg")
    await tour.run()
    await tour.finished()
    await tour.shot("other-theme")


PARTS = (first_screen, alternatives, pointing, trouble, panels, other_theme)


async def journey(options: argparse.Namespace) -> None:
    """Every part in order, or the one that is asked for."""
    tour = Tour(options)
    for part in PARTS:
        if options.only in ("", part.__name__):
            await part(tour)
    await tour.windows.autosave.finish()
    await tour.session.close()
    tour.window.close()


def main() -> None:
    """Runs the tour; exit code 1 when a step did not happen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--size", default="1440x900")
    parser.add_argument("--chinese", action="store_true")
    parser.add_argument("--only", default="", choices=("", *(part.__name__ for part in PARTS)))
    options = parser.parse_args()
    os.environ.setdefault("GRAPHWRIGHT_HOME", tempfile.mkdtemp(prefix="graphwright-tour-"))
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(journey(options))


if __name__ == "__main__":
    main()
