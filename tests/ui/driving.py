"""The real program in a window, and verbs that do what a user does with mouse and keyboard; it can be photographed.

For scripts that show the window (`tour`, `design_screens`), not for tests: the session, the engine and the tools are
the real ones, so a run takes as long as it takes.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import qasync
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QCursor, QDropEvent, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QWidget
from shiboken6 import isValid

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.core.paths import RESOURCES
from desktop_app.graph.workflow import Node
from desktop_app.i18n import catalogue
from desktop_app.ui.application.application import Companions
from desktop_app.ui.chat.composer import Composer
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.support import translator
from desktop_app.ui.theme import theme

Left, Right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
Plain, Ctrl = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
Shift, Alt = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key
EXAMPLES = RESOURCES / "examples"
_SETTLE = 0.5
_PATIENCE = 300.0
"""Seconds after which what should come does not, however busy the machine is."""


class Driver:
    """One window on one session. Places on the canvas are in the scene's coordinates, those of a picture in pixels."""

    def __init__(
        self, look: str = "dark", scale: float = 1.0, size: tuple[int, int] = (1440, 900), language: str = "en"
    ):
        settings = settings_file.change(theme=look, scale=scale, language=language)
        translator.use(theme.application(), settings.language)
        theme.apply(theme.application(), settings.theme, settings.scale)
        self.windows = app.new_windows(settings)
        self.session = self.windows.session
        self.windows.open()
        self.resize(*size)
        self.window.activateWindow()  # nobody else does where there is no window manager, and keys need it

    def resize(self, width: int, height: int) -> None:
        """Gives the window that size, in device-independent pixels."""
        self.window.setMinimumSize(1, 1)
        self.window.resize(width, height)

    @property
    def window(self) -> MainWindow:
        """The window; another one after the scale or the language was changed."""
        assert self.windows.window is not None
        return self.windows.window

    @property
    def companions(self) -> Companions:
        """What opens beside the window."""
        found = self.window.findChild(Companions)
        assert isinstance(found, Companions)
        return found

    # Waiting and taking pictures

    async def until(self, true: Callable[[], Any], seconds: float = _PATIENCE) -> None:
        """Waits until it is. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s for {true}")
            await asyncio.sleep(0.01)

    async def rest(self, seconds: float = _SETTLE) -> None:
        """Lets pictures load, layouts settle and fades end."""
        await asyncio.sleep(seconds)

    def picture(self) -> QPixmap:
        """The window with the pop-ups over it, as it is at this moment."""
        shown = self.window.grab()
        painter = QPainter(shown)
        for widget in QApplication.topLevelWidgets():
            kinds = (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.Tool)
            if widget.isVisible() and widget is not self.window and widget.windowType() in kinds:
                painter.drawPixmap(self.window.mapFromGlobal(widget.mapToGlobal(QPoint(0, 0))), widget.grab())
        painter.end()
        return shown

    # Hands

    @property
    def focus(self) -> QWidget:
        """What has the keyboard, in a pop-up or in the window; a display without a window manager activates neither."""
        popup = QApplication.activePopupWidget()
        held = popup.focusWidget() or popup if popup else QApplication.focusWidget() or self.window.focusWidget()
        return held or self.window

    def click(self, widget: QWidget, place: QPoint | None = None, button: Qt.MouseButton = Left, mods=Plain) -> None:
        """A click, by default in the middle."""
        QTest.mouseClick(widget, button, mods, place or widget.rect().center())

    def ask_menu(self, widget: QWidget, place: QPoint) -> None:
        """A right click as the window system tells of it: the test library sends the mouse's part only."""
        self.click(widget, place, Right)
        mouse = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(mouse, place, widget.mapToGlobal(place)))

    def key(self, key: Qt.Key, mods=Plain, widget: QWidget | None = None) -> None:
        """A key, by default where the focus is."""
        QTest.keyClick(widget or self.focus, key, mods)

    def write(self, text: str, widget: QWidget | None = None) -> None:
        """Types; what no keyboard has (Chinese) comes as from an input method."""
        target = widget or self.focus
        if text.isascii():
            QTest.keyClicks(target, text)
        else:
            target.insertPlainText(text) if hasattr(target, "insertPlainText") else target.insert(text)  # type: ignore[attr-defined]

    def drag(
        self, widget: QWidget, *places: QPoint, button: Qt.MouseButton = Left, mods=Plain, drop: bool = True
    ) -> None:
        """Presses at the first place, moves through the others, and lets go at the last one unless told not to."""
        QTest.mousePress(widget, button, mods, places[0])
        for a, b in itertools.pairwise(places):
            for step in range(1, 5):
                QTest.mouseMove(widget, a + (b - a) * step / 4)
        if drop:
            QTest.mouseRelease(widget, button, mods, places[-1])

    def drop_files(self, widget: QWidget, place: QPoint, *paths: Path) -> None:
        """Drops files, as a file browser does."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        event = QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, Left, Plain, QEvent.Type.Drop)
        widget.dropEvent(event)  # the application itself would ask the system's drag, and there is none

    async def choose(self, text: str) -> None:
        """Clicks the entry of the open menu that begins so, in the window's language. Raises StopIteration."""
        menu = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible())
        wanted = (text, catalogue.find(text) or text)
        action = next(found for found in menu.actions() if found.text().startswith(wanted))
        self.click(menu, menu.actionGeometry(action).center())
        await self.rest()

    async def name_file(self, path: Path) -> None:
        """Writes that path into the dialog for files that is open, and presses Enter until it is taken: the dialog
        looks on a thread whether there is such a file. Raises TimeoutError.
        """
        dialog = self.window.files.dialog
        assert dialog is not None
        await self.until(dialog.isVisible)
        await self.rest()  # as it comes it empties its field
        field = next(one for one in dialog.findChildren(QLineEdit) if one.isVisible())
        field.selectAll()
        self.write(str(path), field)
        end = time.monotonic() + _PATIENCE
        while isValid(dialog) and dialog.isVisible():
            if time.monotonic() > end:
                raise TimeoutError(f"the dialog does not take {path}")
            offered = field.completer().popup()
            assert offered is not None
            offered.hide()  # else it would have the key
            self.key(Key.Key_Return, widget=field)
            await self.rest()
        self.window.activateWindow()  # see above
        await self.until(self.window.isActiveWindow)

    def point_mouse(self, widget: QWidget, place: QPoint) -> None:
        """Moves the mouse there without a button, and the pointer of the screen with it: a menu may have held it."""
        QCursor.setPos(widget.mapToGlobal(place))
        QTest.mouseMove(widget, place)

    def button(self, text: str, within: QWidget | None = None) -> QAbstractButton:
        """The seen button with those words (or that accessible name), in the window's language. Raises LookupError."""
        wanted = {text, catalogue.find(text)}
        for found in (within or self.window).findChildren(QAbstractButton):
            if found.isVisible() and wanted & {found.text(), found.accessibleName()} - {""}:
                return found
        raise LookupError(f"no button says {text!r}")

    def close_menus(self) -> None:
        """Closes what has popped up."""
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and (isinstance(widget, QMenu) or widget.windowType() is Qt.WindowType.Popup):
                widget.close()

    # The conversation

    @property
    def composer(self) -> Composer:
        """The one that is seen."""
        return self.window.first.composer if self.window.first.isVisible() else self.window.chat.composer

    async def ask(self, text: str, *files: str) -> None:
        """Attaches bundled files, types the request, and presses Enter; until the plan is there."""
        self.composer.add_files([EXAMPLES / name for name in files])
        editor = self.composer.field
        editor.setFocus()
        self.write(text, editor)
        before = len(self.session.messages)
        self.key(Key.Key_Return, widget=editor)
        await self.until(lambda: len(self.session.messages) >= before + 2 and not self.session.busy)
        await self.rest(0.2)

    async def run(self) -> None:
        """Presses Run."""
        before = self.session.run.id
        self.click(self.window.tool_bar.run_button)
        await self.until(lambda: self.session.run.id != before and self.session.run.nodes)

    async def finished(self) -> None:
        """Until nothing runs any more, and the answer is there."""
        await self.until(lambda: not self.session.busy and not self.session.run.running)
        await self.rest(1.0)

    def node(self, tool: str) -> Node:
        """The first node of that tool. Raises StopIteration."""
        return next(node for node in self.session.workflow.nodes if node.tool == tool)

    def state(self, tool: str) -> str:
        """How far the first node of that tool is: a NodeRun's state, "" before any run."""
        run = self.session.run.nodes.get(self.node(tool).id)
        return run.state if run else ""

    def new(self) -> None:
        """An empty conversation, by its key."""
        self.key(Key.Key_N, Ctrl, self.window)

    # The picture that is pointed at

    def pixel(self, x: float, y: float) -> QPoint:
        """Where that pixel of the picture is in the picker's view."""
        return self.window.picker.view.viewportTransform().map(QPointF(x + 0.5, y + 0.5)).toPoint()

    async def point(self, *places: tuple[float, float, bool]) -> None:
        """Clicks: left to include, right to exclude."""
        for x, y, include in places:
            self.click(self.window.picker.view.viewport(), self.pixel(x, y), Left if include else Right)
            await self.rest(0.05)

    def draw(self, *places: tuple[float, float]) -> None:
        """Drags through those pixels with the tool that is taken."""
        self.drag(self.window.picker.view.viewport(), *(self.pixel(*place) for place in places))

    async def mask_shown(self) -> None:
        """Until the mask of what was pointed at is seen, or it is said why there is none."""
        picker = self.window.picker
        await self.until(lambda: not picker.view._mask.pixmap().isNull() or picker.mask_card.trouble)

    # The canvas

    @property
    def port(self) -> QWidget:
        """What hears the mouse on the canvas."""
        return self.window.graph.canvas.viewport()

    def on_canvas(self, place: QPointF) -> QPoint:
        """Where that place of the scene is on the canvas."""
        return self.window.graph.canvas.mapFromScene(place)

    def middle_of(self, id: str) -> QPoint:
        """The middle of a card, on the canvas."""
        card = self.window.graph.card(id)
        assert card is not None
        return self.on_canvas(card.sceneBoundingRect().center())

    def output(self, id: str, name: str) -> QPoint:
        """The middle of an output, on the canvas."""
        return self._port(id, name, False)

    def input(self, id: str, name: str) -> QPoint:
        """The middle of an input, on the canvas."""
        return self._port(id, name, True)

    def _port(self, id: str, name: str, is_input: bool) -> QPoint:
        card = self.window.graph.card(id)
        found = card.port(name, is_input) if card is not None else None
        assert found is not None, f"{id} has no {name}"
        return self.on_canvas(found.middle)

    def hold(self) -> None:
        """Gives the keyboard to the canvas."""
        self.window.graph.canvas.setFocus()

    # Beginning and end

    async def close(self) -> None:
        """Ends the program."""
        await self.windows.finish()
        await self.session.close()
        self.window.close()


def options_of(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of every script that drives, with `size` as (width, height)."""
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--size", default="1440x900")
    options = parser.parse_args(arguments)
    options.size = tuple(int(n) for n in options.size.split("x"))
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def drive(journey: Callable[[], Awaitable[None]]) -> None:
    """Runs it in a program of its own: a fresh folder for what it keeps, unless GRAPHWRIGHT_HOME says where."""
    os.environ.setdefault("GRAPHWRIGHT_HOME", tempfile.mkdtemp(prefix="graphwright-tour-"))
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(journey())
