"""The only place that constructs and connects: session, planner, engine, store; and for the window Qt and its loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_app import settings as settings_file
from desktop_app.doctor import examine
from desktop_app.examples import load_examples
from desktop_app.history import History
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


def new_session(settings: Settings | None = None) -> Session:
    """A session with everything behind it. Raises StorageError when the program's folder cannot be used."""
    settings = settings or settings_file.load()
    tools = load_tools().tools
    store = Store(home() / "store")
    history = History(home() / "history.sqlite")
    chat = chat_model(settings)
    planner = Planner(lambda: tools, settings.strategy, chat)
    return Session(tools, planner, Engine(store, history, tools), store, history, chat)


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
    from desktop_app.ui.first_paint import after_first_paint
    from desktop_app.ui.main_window import MainWindow

    settings = settings_file.load()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Graphwright")
    application.setQuitOnLastWindowClosed(False)  # else the loop ends before the lanes are closed
    theme.apply(application, settings.theme, settings.scale)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    session = new_session(settings)
    window = MainWindow(session, load_examples(), lambda: examine(settings, load_tools()))
    if painted is not None:
        after_first_paint(window, painted)
    window.show()
    with loop:
        loop.run_until_complete(_until_closed(application, session))
    return 0


async def _until_closed(application: QApplication, session: Session) -> None:
    closed = asyncio.Event()
    application.lastWindowClosed.connect(closed.set)
    application.aboutToQuit.connect(closed.set)
    await closed.wait()
    session.stop()
    await session.close()
