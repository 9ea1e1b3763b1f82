"""Random user actions on the real window: `python -m tests.ui.monkey [--minutes 30] [--seed 1]`.

The monkey clicks, types, drags, scrolls, opens menus, asks for things, points, runs and stops, with real events and a
fixed seed; no dialog of the system is answered, each is closed. It is content when nothing raised, Qt warned of
nothing, and undo all the way back gives the state with which the conversation began.

It also tells when the GUI thread served no event for over 200 ms, in its own actions and between them (tests/ui/hangs):
as the program's own fault when the thread itself ran, or was blocked, for over 150 ms of it; else as the machine's,
when other processes had the processor. Both lists give wall time and the thread's own time.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QMenu, QWidget

from desktop_app.core.paths import RESOURCES
from desktop_app.session.state import GraphState
from desktop_app.ui.main_window.main_window import MainWindow
from tests.ui.watch import Watch
from tests.waiting import PATIENCE

REQUESTS = (
    "Blur this picture", "Make it darker", "Remove the object I point at", "Turn it into a pencil sketch",
    "How many faces are in it?", "and say the number aloud", "rotate it by 90 degrees, then mirror it", "",
    "Make it look like a watercolour", "Draw me a dragon", "世界 🙂 \u202e x", "use the second alternative",
    "a" * 600, "What colours are in it?", "Read the text in it and translate it",
)  # fmt: skip
KEYS = (
    (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier), (Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier), (Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier), (Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier), (Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier), (Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier),
    (Qt.Key.Key_F, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier), (Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier),
)  # fmt: skip
Left = Qt.MouseButton.LeftButton
Plain = Qt.KeyboardModifier.NoModifier
_ENOUGH = 40
"""With more nodes nothing is pasted or doubled: doubling everything again and again would make thousands."""
"""So many windows of recorded runs stay open."""
_SELDOM = ("%",)
"""Buttons that make another window; they would take most of the time."""


class Monkey:
    """One seed, one window. `act` does one random thing."""

    def __init__(self, window: Callable[[], MainWindow], seed: int, watch: Watch) -> None:
        self._window_now, self._random, self._watch = window, random.Random(seed), watch
        self.begun: GraphState = self._window.session.state.graph
        self._conversation = self._window.session.id
        self.loud = False
        self.log: collections.deque[str] = collections.deque(maxlen=40)

    @property
    def _window(self) -> MainWindow:
        """The window; another takes its place when the scale changes."""
        return self._window_now()

    def act(self) -> None:
        """One thing that a user might do."""
        editing = {
            self._click: 26, self._key: 14, self._canvas: 12, self._drag: 12, self._wheel: 6, self._menu: 8,
            self._ask: 5, self._search: 5, self._run: 4, self._drop: 2, self._paste: 2, self._pan: 2, self._resize: 1,
        }  # fmt: skip
        if self._window._workspace is None:  # asking it for a part, as the others do, would make it
            editing = {self._click: 2, self._key: 1}
        deed = self._random.choices(list(editing), list(editing.values()))[0]
        name = deed.__name__.strip("_")
        started = time.perf_counter()
        self._watch.timed(name, deed)
        self._close_dialogs()
        self.log.append(f"{name} {time.perf_counter() - started:.3f} s")
        if self.loud:
            print(*self.log, sep="; ", flush=True)
            self.log.clear()
        session = self._window.session
        if session.id != self._conversation:
            self._conversation = session.id
            self.begun = session.state.history.done[0] if session.can_undo else session.state.graph

    def pause(self) -> int:
        """Milliseconds until the next action: often none, so that things overlap."""
        return self._random.choice((0, 0, 0, 10, 50))

    def _seen(self, kind: type[QWidget]) -> list[QWidget]:
        found = [w for w in self._window.findChildren(kind) if w.isVisible() and w.isEnabled()]
        return [w for w in found if not w.visibleRegion().isEmpty()]

    def _click(self) -> None:
        buttons = self._seen(QAbstractButton)
        if not buttons:
            return
        button = self._random.choice(buttons)
        name = button.accessibleName() or button.text()
        if any(word in name for word in _SELDOM) and self._random.random() < 0.9:
            return
        self._watch.doing = f"clicking {button.accessibleName() or button.text()!r}"
        self.log.append(self._watch.doing)
        QTest.mouseClick(button, Left, Plain, button.rect().center())

    def _key(self) -> None:
        key, modifier = self._random.choice(KEYS)
        if key in (Qt.Key.Key_V, Qt.Key.Key_D) and len(self._window.session.workflow.nodes) > _ENOUGH:
            return
        target = QApplication.focusWidget() or self._window
        self._watch.doing = f"pressing {key.name} {modifier} in {type(target).__name__}"
        self.log.append(self._watch.doing)
        QTest.keyClick(target, key, modifier)

    def _place(self, widget: QWidget) -> QPoint:
        return QPoint(self._random.randrange(max(1, widget.width())), self._random.randrange(max(1, widget.height())))

    def _view(self) -> QWidget | None:
        window = self._window
        for widget in (window.graph.canvas.viewport(), window.picker.view.viewport(), window.preview, window.timeline):
            if widget.isVisible() and (widget is not window.timeline or self._random.random() < 0.3):
                return widget
        return None

    def _canvas(self) -> None:
        view = self._view()
        if view is None:
            return
        button = self._random.choice((Left, Left, Left, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton))
        act = QTest.mouseDClick if self._random.random() < 0.2 else QTest.mouseClick
        place = self._place(view)
        self._watch.doing = f"{act.__name__} {button.name} at {place.x()},{place.y()} of {type(view).__name__}"
        self.log.append(self._watch.doing)
        act(view, button, self._random.choice((Plain, Plain, Qt.KeyboardModifier.ShiftModifier)), place)

    def _drag(self) -> None:
        view = self._view()
        if view is None:
            return
        start, end = self._place(view), self._place(view)
        if (
            view is self._window.graph.canvas.viewport()
            and self._window.graph.items.cards
            and self._random.random() < 0.8
        ):
            card = self._random.choice(list(self._window.graph.items.cards.values()))
            ports = [item for item in card.childItems() if item.isVisible()]
            item = self._random.choice([card, *ports])
            start = self._window.graph.canvas.mapFromScene(item.sceneBoundingRect().center())
        self.log.append(f"dragging from {start.x()},{start.y()} to {end.x()},{end.y()} of {type(view).__name__}")
        QTest.mousePress(view, Left, Plain, start)
        for step in (1, 2, 3):
            self._watch.hangs.beat()
            QTest.mouseMove(view, start + (end - start) * step / 3)
        self._watch.hangs.beat()
        QTest.mouseRelease(view, Left, Plain, end)

    def _wheel(self) -> None:
        view = self._view()
        if view is None:
            return
        place = QPointF(self._place(view))
        turn = QPoint(0, self._random.choice((-240, -120, 120, 240)))
        if self._random.random() < 0.3:
            turn = QPoint(turn.y(), 0)
        modifier = self._random.choice((Plain, Qt.KeyboardModifier.ControlModifier))
        event = QWheelEvent(
            place, QPointF(view.mapToGlobal(place.toPoint())), QPoint(), turn, Qt.MouseButton.NoButton, modifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, event)

    def _pan(self) -> None:
        """Space held while the mouse drags."""
        view = self._view()
        if view is None:
            return
        start, end = self._place(view), self._place(view)
        view.parentWidget().setFocus()
        self.log.append("Space and drag")
        QTest.keyPress(view.parentWidget(), Qt.Key.Key_Space)
        QTest.mousePress(view, Left, Plain, start)
        QTest.mouseMove(view, end)
        QTest.mouseRelease(view, Left, Plain, end)
        QTest.keyRelease(view.parentWidget(), Qt.Key.Key_Space)

    def _drop(self) -> None:
        """Files, or a folder, from a file browser onto the canvas, the chat or the first screen."""
        window = self._window
        canvas = window.graph.canvas
        target = canvas if canvas.isVisible() and self._random.random() < 0.6 else window
        if len(window.session.workflow.nodes) > _ENOUGH:
            return
        data = QMimeData()
        names = self._random.choice((("coffee.jpg",), ("group.jpg", "talk.wav"), ("notes.txt",), ("",)))
        data.setUrls([QUrl.fromLocalFile(str(RESOURCES / "examples" / name)) for name in names])
        place = QPointF(self._place(target))
        self.log.append(f"dropping {names} on {type(target).__name__}")
        copy, kind = Qt.DropAction.CopyAction, QEvent.Type.Drop
        target.dropEvent(QDropEvent(place, copy, data, Left, Plain, kind))

    def _paste(self) -> None:
        """A picture from the clipboard, wherever the keyboard is."""
        if len(self._window.session.workflow.nodes) > _ENOUGH:
            return
        picture = QImage(40, 30, QImage.Format.Format_RGB32)
        picture.fill(self._random.randrange(1 << 24))
        QApplication.clipboard().setImage(picture)
        target = QApplication.focusWidget() or self._window
        self.log.append(f"pasting a picture in {type(target).__name__}")
        QTest.keyClick(target, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def _resize(self) -> None:
        self._window.resize(*self._random.choice(((1000, 700), (1440, 862), (1920, 1040), (640, 500))))

    def _menu(self) -> None:
        """Something of an open menu, else opens that of a place on the canvas."""
        menus = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible()]
        if menus:
            actions = [a for a in menus[0].actions() if a.isEnabled() and not a.isSeparator()]
            if actions and self._random.random() < 0.8:
                action = self._random.choice(actions)
                self._watch.doing = f"choosing {action.text()!r}"
                self.log.append(self._watch.doing)
                menus[0].close()
                action.trigger()
                return
            menus[0].close()
            return
        view = self._window.graph.canvas.viewport()
        if view.isVisible():
            cards = list(self._window.graph.items.cards.values())
            place = self._place(view)
            if cards and self._random.random() < 0.7:
                card = self._random.choice(cards)
                place = self._window.graph.canvas.mapFromScene(card.sceneBoundingRect().center())
            QTest.mouseClick(view, Qt.MouseButton.RightButton, Plain, place)

    def _ask(self) -> None:
        window = self._window
        composer = window.first.composer if window.first.isVisible() else window.chat.composer
        if not composer.isVisible() or window.session.busy:
            return
        if self._random.random() < 0.5:
            composer.add_files([RESOURCES / "examples" / self._random.choice(("coffee.jpg", "group.jpg"))])
        text = self._random.choice(REQUESTS)
        self._watch.doing = f"asking {text[:30]!r}"
        self.log.append(self._watch.doing)
        composer.field.setFocus()
        composer.field.insertPlainText(text)
        QTest.keyClick(composer.field, Qt.Key.Key_Return)

    def _search(self) -> None:
        fields = [field for field in self._seen(QLineEdit) if not field.isReadOnly()]
        if fields:
            field = self._random.choice(fields)
            self._watch.doing = f"typing into {field.accessibleName()!r}"
            self.log.append(self._watch.doing)
            field.setFocus()
            for letter in self._random.choice(("blur", "12", "mask", "zzz", "-1", "0.5")):
                QTest.keyClick(field, letter)
                self._watch.hangs.beat()
            QTest.keyClick(field, self._random.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down)))

    def _run(self) -> None:
        button = self._window.tool_bar.run_button
        if button.isEnabled():
            self.log.append("run or stop")
            button.click()

    def _close_dialogs(self) -> None:
        for widget in QApplication.topLevelWidgets():
            menu = isinstance(widget, QMenu) and self._random.random() < 0.3
            if widget.isVisible() and (menu or isinstance(widget, QDialog)):
                widget.close()
        if not self._window.isVisible():
            self._window.show()

    async def undo_all(self) -> GraphState:
        """Undo, by key, until there is nothing more; the state then."""
        session = self._window.session
        self._window.show_graph()
        if session.busy or session.run.running:
            session.stop()
            try:
                async with asyncio.timeout(PATIENCE):
                    while session.busy or session.run.running:
                        await asyncio.sleep(0.02)
            except TimeoutError:
                self._watch.troubles.append(f"did not stop: {session.busy!r}, {session.run}, {asyncio.all_tasks()}")
        while session.can_undo:
            self._watch.timed("undo", self._window.undo)
            await asyncio.sleep(0)
        return session.state.graph


async def play(
    window: Callable[[], MainWindow], seed: int, watch: Watch, go_on: Callable[[int], bool], loud: bool = False
) -> Monkey:
    """Acts until `go_on(actions)` says no; then undoes everything, and tells in `watch` what was wrong.

    Actions come from a timer, as a user's come from the system: not from within a task, which a menu would block.
    """
    monkey = Monkey(window, seed, watch)
    monkey.loud = loud
    over = asyncio.get_running_loop().create_future()
    timer = QTimer(singleShot=True)
    count = 0

    def step() -> None:
        nonlocal count
        if watch.troubles or not go_on(count):
            over.set_result(None)
            return
        count += 1
        try:
            monkey.act()
        finally:  # what raised is heard of, and the next step ends it
            timer.start(monkey.pause())

    timer.timeout.connect(step)
    timer.start(0)
    await over
    if watch.troubles:
        return monkey
    state = await monkey.undo_all()
    if not watch.troubles and state != monkey.begun:
        watch.troubles.append("undo all the way back gives another state than the first")
    return monkey


def main() -> int:
    """Plays with the real program in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--loud", action="store_true", help="print every action and every stand-still")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["GRAPHWRIGHT_HOME"] = tempfile.mkdtemp()
    from desktop_app import app
    from desktop_app.core import settings as settings_file
    from desktop_app.ui.application import application as qt

    _, loop = qt.begin(settings_file.load())
    watch = Watch()
    loop.set_exception_handler(watch.failed)
    if options.loud:
        watch.hangs.stood.connect(lambda hang: print("stood still:", hang, flush=True))

    async def whole() -> Monkey:
        windows = app.new_windows(settings_file.load())
        session = windows.session
        windows.open()

        def window() -> MainWindow:
            assert windows.window is not None
            return windows.window

        end = time.monotonic() + 60 * options.minutes
        watch.begin()
        done = [0]

        def go_on(count: int) -> bool:
            done[0] = count
            return time.monotonic() < end

        try:
            monkey = await play(window, options.seed, watch, go_on, options.loud)
        finally:
            watch.end()
        print(f"{done[0]} actions with seed {options.seed}", flush=True)
        try:
            async with asyncio.timeout(PATIENCE):
                await windows.finish()
                await session.close()
        except TimeoutError:
            watch.troubles.append("the end did not come: " + "; ".join(map(str, asyncio.all_tasks())))
        return monkey

    with loop:
        monkey = loop.run_until_complete(whole())
    for title, own in (("hangs of the program", True), ("hangs of the machine", False)):
        found = sorted((hang for hang in watch.hangs.found if hang.own is own), key=lambda h: h.wall, reverse=True)
        print(f"{len(found)} {title}", *found[:20], sep="\n  ")
    for trouble in watch.troubles:
        print(trouble)
    if watch.troubles:
        print("before it:", *monkey.log, sep="\n  ")
    return 1 if watch.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
