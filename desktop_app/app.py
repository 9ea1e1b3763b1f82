"""The only place that constructs and connects: session, planner, engine, store; and for the window Qt and its loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from desktop_app import settings as settings_file
from desktop_app.doctor import examine
from desktop_app.examples import load_examples
from desktop_app.history import History
from desktop_app.keeping import Autosave, Conversations
from desktop_app.mask_finder import MaskFinder, QuietHistory
from desktop_app.paths import home
from desktop_app.plan.planner import Planner
from desktop_app.resource import Store
from desktop_app.run.engine import Engine
from desktop_app.session import Session
from desktop_app.settings import Settings
from nodes import load_tools

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop_app.llm.chat import ChatModel
    from desktop_app.ui.main_window import MainWindow


def new_session(settings: Settings | None = None) -> Session:
    """A session with everything behind it. Raises StorageError when the program's folder cannot be used."""
    return _with_history(settings or settings_file.load())[0]


def _with_history(settings: Settings) -> tuple[Session, History]:
    tools = load_tools().tools
    store = Store(home() / "store")
    history = History(home() / "history.sqlite")
    engine = Engine(store, history, tools)
    quiet = cast(History, QuietHistory(history))
    masks = MaskFinder(Engine(store, quiet, tools, cpu_lanes=1), store)  # its results are those of the main engine too
    chat = chat_model(settings)
    session = Session(tools, Planner(lambda: tools, settings.strategy, chat), engine, store, history, chat, masks)
    return session, history


def use_settings(session: Session, settings: Settings) -> None:
    """Plans and answers as the settings say, from the next request on."""
    chat = chat_model(settings)
    session.use(Planner(lambda: session.tools, settings.strategy, chat), chat)


def chat_model(settings: Settings) -> ChatModel | None:
    """The configured language model, None when there is none."""
    if not settings.llm_url:
        return None
    from desktop_app.llm.openai_compatible import OpenAICompatible

    key = settings_file.api_key()
    return OpenAICompatible(settings.llm_url, settings.llm_model, key, settings.llm_seconds)


def open_window(painted: Callable[[], None] | None = None) -> int:
    """Opens the window and runs until it is closed. `painted` is called once, after the first paint."""
    import qasync
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui import theme

    settings = settings_file.load()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Graphwright")
    application.setQuitOnLastWindowClosed(False)  # else the loop ends before the lanes are closed
    theme.apply(application, settings.theme, settings.scale)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    session, history = _with_history(settings)
    windows = Windows(session, history)
    windows.open(painted)
    with loop:
        loop.run_until_complete(_until_closed(application, windows))
    return 0


class Windows:
    """The one window; another takes its place when the scale changes, because sizes are fixed when it is built."""

    def __init__(self, session: Session, history: History) -> None:
        self.session = session
        self._conversations = Conversations(history)
        self.autosave = Autosave(session, self._conversations)
        self.window: MainWindow | None = None

    def open(self, painted: Callable[[], None] | None = None) -> MainWindow:
        """Shows a new window in place of the present one, if there is one."""
        from desktop_app.ui.first_paint import after_first_paint
        from desktop_app.ui.main_window import MainWindow

        before = self.window
        if before is not None:
            before.panels.keep()
        self.session.forget_listeners()
        self.autosave.listen()
        self.window = MainWindow(
            self.session,
            load_examples(),
            lambda: examine(settings_file.load(), load_tools()),
            conversations=self._conversations,
            changed=self._changed,
        )
        self.autosave.told = self.window.status.saved
        if painted is not None:
            after_first_paint(self.window, painted)
        self.window.show()
        if before is not None:
            self.window.take_over(before)
            before.close()
            before.deleteLater()
        return self.window

    def _changed(self, settings: Settings) -> None:
        """The user changed the settings; a new scale needs a new window."""
        from PySide6.QtCore import QTimer

        from desktop_app.ui import theme

        use_settings(self.session, settings)
        if settings.scale != theme.current().scale:
            theme.apply(theme.application(), settings.theme, settings.scale)
            QTimer.singleShot(0, lambda: self.open())


async def _until_closed(application: QApplication, windows: Windows) -> None:
    closed = asyncio.Event()
    application.lastWindowClosed.connect(closed.set)
    application.aboutToQuit.connect(closed.set)
    await closed.wait()
    windows.session.stop()
    await windows.autosave.finish()
    await windows.session.close()
