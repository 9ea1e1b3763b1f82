"""The only place that constructs and connects: session, planner, engine, store; and for the window Qt and its loop."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from desktop_app.core import settings as settings_file
from desktop_app.core.errors import BadRequest, StorageError
from desktop_app.core.paths import home
from desktop_app.core.settings import LOCAL, Settings
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import ShownTools, original
from desktop_app.plan.planner import Planner
from desktop_app.run.backends.selection import machine
from desktop_app.run.engine import Engine
from desktop_app.run.maintenance import Upkeep
from desktop_app.services import local_chat
from desktop_app.services.local_chat import SILENT_SECONDS, LocalChat
from desktop_app.services.mask_preview import MaskFinder, QuietHistory
from desktop_app.session.autosave import Autosave, Conversations, open_last
from desktop_app.session.session import Session
from desktop_app.session.stepwise.turn import StepSettings
from desktop_app.storage import decoding
from desktop_app.storage.database import History
from desktop_app.storage.examples import load_examples
from desktop_app.storage.resources import Store
from nodes import LazyTools, load_tools
from nodes._support.picture_files import FORMS
from nodes.api import Tool
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from desktop_app.llm.chat import ChatModel
    from desktop_app.session.replay import Tape
    from desktop_app.ui.main_window.main_window import MainWindow
    from desktop_app.ui.replay.replay_window import ReplayWindow
    from desktop_app.ui.start.start_page import Fact
    from desktop_app.ui.support.uncaught import Uncaught

_SETTLE_SECONDS = 1.0
_CALM_MILLISECONDS = 2000
"""So long after the first paint cleaning begins: what the window still has to do comes first."""
_TURN_SECONDS = 0.0001
"""So long another thread computes before the window has its turn. With Python's own 5 ms, of which an event waits for
many, the window stands still for half a second while the planner or the tools are loaded."""


def new_session(settings: Settings | None = None) -> Session:
    """A session with everything behind it. Raises StorageError when the program's folder cannot be used."""
    return _with_history(settings or settings_file.load())[0]


def _with_history(settings: Settings) -> tuple[Session, History, ChatModels]:
    tools = LazyTools()  # a quarter of a second that the first paint need not wait for
    store = Store(home() / "store")
    history = History(home() / "history.sqlite")
    engine = Engine(store, history, tools)
    quiet = cast(History, QuietHistory(history))
    small = Engine(store, quiet, tools, cpu_lanes=1)  # its results are those of the main engine too
    talking = Engine(store, quiet, local_chat.TOOLS, cpu_lanes=1)
    upkeep = Upkeep(engine, small, talking)
    upkeep.limit(settings.cache_gb, settings.idle_seconds)
    masks = MaskFinder(small, store)
    chats = ChatModels(LocalChat(talking, store))
    chat = chats.of(settings)
    planner = planner_of(settings, lambda: tools, chat)
    session = Session(ShownTools(tools), planner, engine, store, history, chat, masks, upkeep)
    session.use_steps(step_settings(settings))
    session.always_allow(settings.outside_allowed)
    return session, history, chats


def step_settings(settings: Settings) -> StepSettings:
    """What the settings say about going step by step."""
    return StepSettings(
        settings.plan_mode == "step by step", settings.step_most, settings.step_seconds, settings.step_tokens,
        settings.step_approval,
    )  # fmt: skip


def planner_of(settings: Settings, tools: Callable[[], Mapping[str, Tool]], chat: ChatModel | None) -> Planner:
    """The planner of the settings."""
    return Planner(tools, settings.strategy, chat, settings.plan_mode, machine, settings.history_tokens)


def new_planner(settings: Settings) -> tuple[Planner, Callable[[], Coroutine[None, None, None]]]:
    """A planner with the language model of the settings, and what ends both. Raises StorageError."""
    session, _, chats = _with_history(settings)
    return planner_of(settings, lambda: original(session.tools), chats.of(settings)), session.close


def use_settings(session: Session, settings: Settings, chats: ChatModels) -> None:
    """Plans, answers and cleans up as the settings say, from the next request on."""
    session.upkeep.limit(settings.cache_gb, settings.idle_seconds)
    chat = chats.of(settings)
    session.use(planner_of(settings, lambda: original(session.tools), chat), chat)
    session.always_allow(settings.outside_allowed)
    session.use_steps(step_settings(settings))


class ChatModels:
    """The language model of the settings."""

    def __init__(self, local: LocalChat) -> None:
        self._local = local

    def of(self, settings: Settings) -> ChatModel | None:
        """The configured one, None when there is none. The one on this computer gives its memory back if not wanted."""
        if settings.llm_url == LOCAL:
            self._local.use(settings.llm_model, max(settings.llm_seconds, SILENT_SECONDS))
            return self._local
        self._local.release()
        return _on_a_server(settings) if settings.llm_url else None


def _on_a_server(settings: Settings) -> ChatModel:
    from desktop_app.llm import credentials
    from desktop_app.llm.openai_client import OpenAICompatible

    url = settings.llm_url
    longest = max(settings.llm_seconds, settings.llm_total_seconds)
    return OpenAICompatible(
        url, settings.llm_model, lambda: credentials.key_for(url), settings.llm_seconds, longest=longest
    )


def open_window(painted: Callable[[], None] | None = None) -> int:
    """Opens the window and runs until it is closed. `painted` is called once, after the first paint."""
    settings = settings_file.load()
    application, loop = _application(settings)
    uncaught = _last_to_hear(application, loop)
    session, history, chats = _with_history(settings)
    windows = Windows(session, history, chats)
    uncaught.told.connect(windows.tell_trouble)
    windows.open(painted)
    try:
        with loop:
            loop.run_until_complete(_until_closed(application, windows))
    finally:
        uncaught.remove()
    return 0


def open_replay(path: Path, speed: float = 1.0) -> int:
    """Opens a window on a recorded run and plays it, until it is closed. Raises BadRequest for no such recording."""
    from desktop_app.session import replay

    tape = replay.read(path)
    application, loop = _application(settings_file.load())
    window = _replay_window(tape, speed)
    window.show()
    with loop:
        loop.run_until_complete(_closed(application))
    return 0


def picture_of_replay(path: Path, picture: Path, seconds: float | None = None) -> None:
    """Writes a picture of the window on a recorded run as it was `seconds` after it began, by default at its end.

    The ending decides the form. Raises BadRequest for no such recording and for no such form, StorageError when the
    picture cannot be written.
    """
    from desktop_app.session import replay
    from desktop_app.ui.widgets.basic import px

    if picture.suffix.lower() not in FORMS:
        raise BadRequest(
            Phrase("{picture} cannot be saved as a picture.", picture=picture.name),
            Phrase("Choose one of: {names}.", names=", ".join(FORMS)),
        )
    tape = replay.read(path)
    _, loop = _application(settings_file.load())
    window = _replay_window(tape, 1.0)
    window.resize(px(1440), px(900))  # the screen of a picture may be of any size
    window.show()
    window.bar.pause()
    window.replay.seek(tape.seconds if seconds is None else seconds)
    with loop:
        loop.run_until_complete(asyncio.sleep(_SETTLE_SECONDS))
        saved = window.grab().save(str(picture))
        window.close()
    if not saved:
        raise StorageError(
            Phrase("The picture could not be written to {picture}.", picture=picture), "Choose another folder."
        )


def _replay_window(tape: Tape, speed: float) -> ReplayWindow:
    from desktop_app.session.replay import Replay
    from desktop_app.ui.replay.replay_window import ReplayWindow

    return ReplayWindow(Replay(tape, ShownTools(load_tools().tools), Store(home() / "store"), speed))


def _application(settings: Settings) -> tuple[QApplication, QEventLoop]:
    """Qt in the look of the settings, with a loop that serves both it and asyncio."""
    import qasync
    from PySide6.QtWidgets import QApplication

    from desktop_app.ui.application.gc_timer import Garbage
    from desktop_app.ui.support import translator
    from desktop_app.ui.theme import theme

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Graphwright")
    application.setQuitOnLastWindowClosed(False)  # else the loop ends before the lanes are closed
    sys.setswitchinterval(_TURN_SECONDS)
    translator.use(application, settings.language)
    theme.apply(application, settings.theme, settings.scale)
    Garbage(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    return application, loop


def _last_to_hear(application: QApplication, loop: QEventLoop) -> Uncaught:
    """What hears of errors that nothing caught, from now on."""
    from desktop_app.ui.support.uncaught import PROGRAM_LOG, Uncaught

    uncaught = Uncaught(home() / "logs" / PROGRAM_LOG, application)
    uncaught.install(loop)
    return uncaught


class Windows:
    """The one window; another takes its place when scale or language change, which are fixed when it is built."""

    def __init__(self, session: Session, history: History, chats: ChatModels) -> None:
        self.session = session
        self._chats = chats
        self._conversations = Conversations(history)
        self.autosave = Autosave(session, self._conversations)
        self.window: MainWindow | None = None
        self._newest: MainWindow | None = None

    def open(self, painted: Callable[[], None] | None = None) -> MainWindow:
        """Shows a new window; where there is one already, that stays until the new one can take its place."""
        from desktop_app.ui.main_window.main_window import MainWindow
        from desktop_app.ui.support.first_paint import after_first_paint

        before = self.window
        if before is not None:
            before.panels.keep()  # which makes it whole: a part that came later would listen to the session
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
        self.autosave.told = window.saved
        if painted is not None:
            after_first_paint(window, painted)
        if before is None:
            self.window = window
            after_first_paint(window, self._clean_soon)
            after_first_paint(window, partial(window.make_soon, partial(self._go_on, window)))
            window.show()
        else:
            window.make_soon(partial(self._replace, window))
        return window

    def tell_trouble(self, what: str) -> None:
        """Says in the window that something went wrong which nobody caught."""
        if self.window is not None:
            self.window.trouble.tell(what)

    def _go_on(self, window: MainWindow) -> None:
        """Opens the conversation of last time; why that cannot be, the window says."""
        window.desk.calls.later(open_last(self.session, self._conversations))

    def _drop_coming(self) -> None:
        """The settings changed again before the window of the last change was there."""
        if self._newest is not None and self._newest is not self.window:
            self._newest.give_up()
            self._newest.deleteLater()

    def _replace(self, window: MainWindow) -> None:
        import shiboken6

        from desktop_app.ui.widgets.deferred_delete import discard

        before = self.window
        if before is None or not shiboken6.isValid(before) or not before.isVisible():
            window.deleteLater()  # it was closed meanwhile
            return
        self.window = window
        window.show()
        window.take_over(before)
        before.close()
        discard(*before.chat.views, before)

    async def finish(self) -> None:
        """Saves what is not saved yet, and lets other programs have the conversation."""
        await self.autosave.finish()
        self._conversations.claims.give_back_all()

    def _clean_soon(self) -> None:
        from PySide6.QtCore import QTimer

        QTimer.singleShot(_CALM_MILLISECONDS, self._clean)

    def _clean(self) -> None:
        gc.freeze()  # what is here stays: else the window stood still for 50 ms whenever garbage is looked for in it
        self.session.upkeep.make_room()

    def _changed(self, settings: Settings) -> None:
        """The user changed the settings; a new scale or language needs a new window."""
        from PySide6.QtCore import QTimer

        from desktop_app.ui.support import translator
        from desktop_app.ui.theme import theme

        use_settings(self.session, settings, self._chats)
        reworded = translator.use(theme.application(), settings.language)
        if reworded or settings.scale != theme.current().scale:
            theme.apply(theme.application(), settings.theme, settings.scale)
            QTimer.singleShot(0, lambda: self.open())


def _examined() -> Iterable[Fact]:
    from desktop_app.session.diagnostics import examine

    return examine(settings_file.load(), load_tools())


async def _closed(application: QApplication) -> None:
    closed = asyncio.Event()
    application.lastWindowClosed.connect(closed.set)
    application.aboutToQuit.connect(closed.set)
    await closed.wait()
    decoding.stop()  # the threads that wait for one end only then


async def _until_closed(application: QApplication, windows: Windows) -> None:
    await _closed(application)
    windows.session.stop()
    await windows.finish()
    await windows.session.close()
