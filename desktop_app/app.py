"""The only place that constructs and connects session, planner, engine and store; the window is opened from here."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop_app.core import settings as settings_file
from desktop_app.core.errors import StorageError
from desktop_app.core.paths import check_home, home
from desktop_app.core.settings import LOCAL, Settings
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.plan.planner import Planner
from desktop_app.run.backends.selection import machine
from desktop_app.run.engine import Engine
from desktop_app.run.maintenance import Upkeep
from desktop_app.services import local_chat
from desktop_app.services.connected_model import ConnectedModel
from desktop_app.services.hosted import Hosted
from desktop_app.services.local_chat import SILENT_SECONDS, LocalChat
from desktop_app.services.mask_preview import MaskFinder
from desktop_app.services.mcp_tools import McpTools
from desktop_app.session.answering.finding_budget import AnswerLimits
from desktop_app.session.session import Session
from desktop_app.session.state import StepSettings
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from nodes import LazyTools, load_tools
from nodes.api import Tool

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.ui.application.application import Windows


def new_session(settings: Settings | None = None) -> Session:
    """A session with everything behind it. Raises StorageError when the program's folder cannot be used."""
    return _with_history(settings or settings_file.load()).session


@dataclass(frozen=True)
class SessionParts:
    """A session with what is behind it and follows the settings."""

    session: Session
    history: History
    chats: ChatModels
    mcp: McpTools
    hosted: Hosted
    tools: LazyTools


def _with_history(settings: Settings) -> SessionParts:
    check_home()
    mcp = McpTools(settings.mcp_servers)
    # a quarter of a second that the first paint need not wait for; a tool that a file declares goes before another
    tools = LazyTools(lambda: ChainMap(load_tools().tools, mcp.tools()))  # type: ignore[arg-type]  # read only
    store = Store(home() / "store")
    history = History(home() / "history.sqlite")
    engine = Engine(store, history, tools)
    small = Engine(store, history, tools, cpu_lanes=1)  # its results are those of the main engine too
    talking = Engine(store, history, local_chat.TOOLS, cpu_lanes=1)
    upkeep = Upkeep(engine, small, talking)
    upkeep.limit(settings.cache_gb, settings.idle_seconds)
    masks = MaskFinder(small, store)
    chats = ChatModels(LocalChat(talking, store))
    chat = chats.of(settings)
    hosted = Hosted()
    hosted.use(settings)
    engine.use_services(ServiceRouter(chats.service, mcp, hosted))
    planner = planner_of(settings, lambda: tools, chat)
    session = Session(LocalizedTools(tools), planner, engine, store, history, chat, masks, upkeep)
    chats.service.tally = lambda: session.state.tally
    session.stepwise.sees = chats.service.sees
    session.use_steps(step_settings(settings))
    session.answers.limits = limits_of(settings)
    session.always_allow(settings.outside_allowed)
    return SessionParts(session, history, chats, mcp, hosted, tools)


def step_settings(settings: Settings) -> StepSettings:
    return StepSettings(
        settings.plan_mode == "step by step", settings.step_most, settings.step_seconds, settings.step_tokens,
        settings.step_approval,
    )  # fmt: skip


def limits_of(settings: Settings) -> AnswerLimits:
    """What an answer may tell a language model. One on this computer may be told everything."""
    return AnswerLimits(contents=settings.tell_contents or settings.llm_url == LOCAL)


def planner_of(settings: Settings, tools: Callable[[], Mapping[str, Tool]], chat: ChatModel | None) -> Planner:
    return Planner(tools, settings.strategy, chat, settings.plan_mode, machine)


def new_planner(settings: Settings) -> tuple[Planner, Callable[[], Coroutine[None, None, None]]]:
    """A planner with the language model of the settings, and what ends both. Raises StorageError."""
    parts = _with_history(settings)
    planner = planner_of(settings, lambda: parts.tools, parts.chats.of(settings))
    planner.warm()
    return planner, parts.session.close


def use_settings(parts: SessionParts, settings: Settings) -> None:
    """Plans, answers and cleans up as the settings say, from the next request on."""
    session = parts.session
    session.upkeep.limit(settings.cache_gb, settings.idle_seconds)
    if parts.mcp.use(settings.mcp_servers):
        parts.tools.look_again()
    parts.hosted.use(settings)
    chat = parts.chats.of(settings)
    session.use(planner_of(settings, lambda: parts.tools, chat), chat)
    session.always_allow(settings.outside_allowed)
    session.use_steps(step_settings(settings))
    session.answers.limits = limits_of(settings)


class ServiceRouter:
    """What back ends of kind "endpoint" ask: the connected language model, MCP servers, and services of servers."""

    def __init__(self, model: ConnectedModel, mcp: McpTools, hosted: Hosted) -> None:
        self._model, self._mcp, self._hosted = model, mcp, hosted

    async def serve(self, tool: str, service: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """As in worker_pool.Services."""
        others = {"mcp": self._mcp} | dict.fromkeys(settings_file.ENDPOINTS, self._hosted)
        return await others.get(service, self._model).serve(tool, service, request)

    def close(self) -> None:
        self._mcp.close()


class ChatModels:
    """The language model of the settings, and as the `service` that back ends ask."""

    def __init__(self, local: LocalChat) -> None:
        self._local = local
        self.service = ConnectedModel()

    def of(self, settings: Settings) -> ChatModel | None:
        """The configured one, None when there is none. The one on this computer gives its memory back if not wanted."""
        chat = self._of(settings)
        self.service.use(chat, settings)
        return chat

    def _of(self, settings: Settings) -> ChatModel | None:
        if settings.llm_url == LOCAL:
            self._local.use(settings.llm_model, max(settings.llm_seconds, SILENT_SECONDS))
            return self._local
        self._local.release()
        return _on_a_server(settings) if settings.llm_url else None


def _on_a_server(settings: Settings) -> ChatModel:
    from desktop_app.llm import credentials, prices
    from desktop_app.llm.openai_client import OpenAICompatible

    url = settings.llm_url
    longest = max(settings.llm_seconds, settings.llm_total_seconds)
    return OpenAICompatible(
        url, settings.llm_model, lambda: credentials.key_for(url), settings.llm_seconds, longest=longest,
        effort=settings.llm_effort, context_tokens=settings.llm_context,
        price=prices.price(url, settings.llm_model, settings.llm_prices),
    )  # fmt: skip


def open_window(painted: Callable[[], None] | None = None) -> int:
    """Opens the window and runs until it is closed. `painted` is called once, after the first paint.

    Raises StorageError, which a window has shown, when the program's folder cannot be used.
    """
    from desktop_app.ui.application import application as qt

    try:
        check_home()
    except StorageError as error:
        qt.show_unusable(error)
        raise
    settings = settings_file.load()
    application, loop = qt.begin(settings)
    uncaught = qt.last_to_hear(application, loop)
    windows = new_windows(settings)
    uncaught.told.connect(windows.tell_trouble)
    windows.open(painted)
    try:
        with loop:
            loop.run_until_complete(qt.until_closed(application, windows))
    finally:
        uncaught.remove()
    return 0


def new_windows(settings: Settings) -> Windows:
    """What opens the window, on a new session. Raises StorageError."""
    from desktop_app.ui.application.application import Windows

    parts = _with_history(settings)
    return Windows(parts.session, parts.history, partial(use_settings, parts))
