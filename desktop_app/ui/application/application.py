"""The Qt half of the program: the application with its loop, the window, and what opens beside it."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING

import qasync
import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop_app.core import settings as settings_file
from desktop_app.core.errors import StorageError
from desktop_app.core.paths import home
from desktop_app.core.settings import Settings
from desktop_app.i18n import catalogue
from desktop_app.session.autosave import Autosave, ConversationStore, open_last
from desktop_app.session.session import Session
from desktop_app.storage import decoding
from desktop_app.storage.database import History
from desktop_app.storage.examples import load_examples
from desktop_app.ui.application.gc_timer import GcTimer
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.support import formatting, translator
from desktop_app.ui.support.first_paint import after_first_paint, import_in_turns
from desktop_app.ui.support.uncaught import PROGRAM_LOG, Uncaught
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.deferred_delete import discard
from nodes import load_tools

if TYPE_CHECKING:
    from desktop_app.session.diagnostics import Diagnosis
    from desktop_app.ui.command_palette.popup import CommandPalette

_UNSEEN = ("offscreen", "minimal")
"""Platforms of Qt on which nobody could close a window."""
_CALM_MILLISECONDS = 2000
"""So long after the first paint cleaning begins: what the window still has to do comes first."""
_TURN_SECONDS = 0.0001
"""So long another thread computes before the window has its turn. With Python's own 5 ms, of which an event waits for
many, the window stands still for half a second while the planner or the tools are loaded. Measured on a busy machine:
in its first 9 s it stands still for 2.6 s in all, with 5 ms for 4 to 6 s."""


_SELDOM = (
    "desktop_app.ui.settings.settings_panel",
    "desktop_app.ui.results.preview",
    "desktop_app.ui.pointing.pointing_view",
    "desktop_app.ui.pointing.controller",
    "desktop_app.ui.compare.compare_view",
    "desktop_app.ui.compare.controller",
    "desktop_app.ui.main_window.file_dialogs",
    "desktop_app.ui.command_palette.popup",
)
"""What is made when it is first shown, imported before: to import it only then took up to 0.3 s of a click."""


def begin(settings: Settings) -> tuple[QApplication, qasync.QEventLoop]:
    """Qt in the look of the settings, with a loop that serves both it and asyncio."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Graphwright")
    application.setQuitOnLastWindowClosed(False)  # else the loop ends before the lanes are closed
    sys.setswitchinterval(_TURN_SECONDS)
    translator.use(application, settings.language)
    theme.apply(application, settings.theme, settings.scale)
    GcTimer(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    return application, loop


def unusable_box(error: StorageError) -> QMessageBox:
    """A window that says why the program cannot begin; all that it has of the program is its look."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    settings = Settings()
    translator.use(application, settings.language)
    theme.apply(application, settings.theme, settings.scale)
    box = QMessageBox(QMessageBox.Icon.Critical, "Graphwright", formatting.said(error.message))
    box.setTextFormat(Qt.TextFormat.PlainText)  # the name of a folder is no HTML
    box.setInformativeText(formatting.said(error.fix))
    return box


def show_unusable(error: StorageError) -> None:
    """Shows that window until it is closed, where somebody can."""
    box = unusable_box(error)
    if QApplication.platformName() not in _UNSEEN:
        box.exec()


def last_to_hear(application: QApplication, loop: qasync.QEventLoop) -> Uncaught:
    """What hears of errors that nothing caught, from now on."""
    uncaught = Uncaught(home() / "logs" / PROGRAM_LOG, application)
    uncaught.install(loop)
    return uncaught


class Companions(QObject):
    """What opens beside a window and knows it, while it does not know them; each is made when it is first asked for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.search_wanted.connect(self._search)
        window.prepared.connect(lambda: import_in_turns(self, _SELDOM, lambda: None))

    def _search(self) -> None:
        """At once, or as soon as there is all that it looks through: the window would stand still for that long."""
        if self._window.is_prepared:
            self.palette.toggle()
        else:
            self._window.prepared.connect(lambda: self.palette.toggle(), Qt.ConnectionType.SingleShotConnection)

    @cached_property
    def palette(self) -> CommandPalette:
        from desktop_app.ui.command_palette.popup import CommandPalette

        return CommandPalette(self._window)


class Windows:
    """The one window; another takes its place when scale or language change, which are fixed when it is built.

    `changed` hears the settings after the user changed them.
    """

    def __init__(self, session: Session, history: History, changed: Callable[[Settings], None]) -> None:
        self.session = session
        self._heard = changed
        self._conversations = ConversationStore(history)
        self.autosave = Autosave(session, self._conversations)
        self.window: MainWindow | None = None
        self._newest: MainWindow | None = None

    def open(self, painted: Callable[[], None] | None = None) -> MainWindow:
        """Shows a new window; where there is one already, that stays until the new one can take its place."""
        before = self.window
        if before is not None:
            before.keep()
            self._drop_coming()
        self.session.forget_listeners()
        self.autosave.listen()
        window = self._newest = MainWindow(
            self.session,
            load_examples(catalogue.language()),
            _examined,
            conversations=self._conversations,
            changed=self._changed,
        )
        Companions(window)
        self.autosave.told = window.saved
        if painted is not None:
            after_first_paint(window, painted)
        if before is None:
            self.window = window
            after_first_paint(window, self._clean_soon)
            window.prepared.connect(partial(self._go_on, window))
            window.show()
        else:
            window.prepared.connect(partial(self._replace, window))
            window.prepare()
        return window

    def tell_trouble(self, what: str) -> None:
        """Says in the window that something went wrong which nobody caught."""
        if self.window is not None:
            self.window.trouble.tell(what)

    def _go_on(self, window: MainWindow) -> None:
        """Opens the conversation of last time; why that cannot be, the window says. The planner reads its own only now:
        with that beside it the window was there 1.5 s later, and stood still for 2.2 s in all in place of 0.8.
        """
        self.session.planning.planner.warm()
        window.ui.calls.later(open_last(self.session, self._conversations))

    def _drop_coming(self) -> None:
        """The settings changed again before the window of the last change was there."""
        if self._newest is not None and self._newest is not self.window:
            self._newest.give_up()
            self._newest.deleteLater()

    def _replace(self, window: MainWindow) -> None:
        before = self.window
        if before is None or not shiboken6.isValid(before) or not before.isVisible():
            self.session.forget_listeners()  # the one before was closed meanwhile
            self.autosave.listen()
            window.deleteLater()
            return
        self.window = window
        window.show()
        if before.isActiveWindow():
            window.activateWindow()  # not every system gives it the keyboard, and then no key would be heard
        window.take_over(before)
        if not before.is_prepared:
            self._go_on(window)  # which is not asked of the one before any more
        before.ui.signals.ended.emit()
        before.close()
        discard(*before.message_views, before)

    async def finish(self) -> None:
        """Saves what is not saved yet, and lets other programs have the conversation. What the session still does is
        told to no window: it may be gone before that ends.
        """
        await self.autosave.finish()
        self.session.forget_listeners()
        self._conversations.claims.give_back_all()

    def _clean_soon(self) -> None:
        QTimer.singleShot(_CALM_MILLISECONDS, self._clean)

    def _clean(self) -> None:
        gc.freeze()  # what is here stays: else the window stood still for 50 ms whenever garbage is looked for in it
        self.session.upkeep.make_room()

    def _changed(self, settings: Settings) -> None:
        """The user changed the settings; a new scale or language needs a new window."""
        self._heard(settings)
        reworded = translator.use(theme.application(), settings.language)
        if reworded or settings.scale != theme.current().scale:
            if self.window is not None:  # it stays as it was painted until another takes its place as a whole
                self.window.setUpdatesEnabled(False)
                self.window.setCursor(Qt.CursorShape.BusyCursor)
            theme.apply(theme.application(), settings.theme, settings.scale)
            QTimer.singleShot(0, lambda: self.open())


def _examined() -> Iterable[Diagnosis]:
    from desktop_app.session.diagnostics import examine

    return examine(settings_file.load(), load_tools())


async def closed(application: QApplication) -> None:
    event = asyncio.Event()
    application.lastWindowClosed.connect(event.set)
    application.aboutToQuit.connect(event.set)
    await event.wait()
    decoding.stop()  # the threads that wait for one end only then


async def until_closed(application: QApplication, windows: Windows) -> None:
    await closed(application)
    windows.session.stop()
    await windows.finish()
    await windows.session.close()
