"""The only place that constructs and connects: session, planner, engine, store; and for the window Qt and its loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app import settings as settings_file
from desktop_app.history import History
from desktop_app.paths import home
from desktop_app.plan.planner import Planner
from desktop_app.resource import Store
from desktop_app.run.engine import Engine
from desktop_app.session import Session
from desktop_app.settings import Settings
from nodes import load_tools

if TYPE_CHECKING:
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
