"""The parts of the window that the first screen does not need: made a little at a time after the first paint.

Each step takes some hundredths of a second, so that the window answers in between. What the parts need is imported
here, on the way, for the same reason.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from desktop_app.core.settings import Settings
from desktop_app.session.autosave import Conversations

if TYPE_CHECKING:
    from desktop_app.ui.main_window.layout import Places
    from desktop_app.ui.main_window.main_window import MainWindow

PARTS = frozenset(
    {
        "chat", "alternatives", "graph", "preview", "timeline", "inspector", "picker", "compare", "middle", "stage",
        "body", "work", "panels", "files", "pointing", "comparing", "overlays", "replays", "everything",
    }
)  # fmt: skip
"""The attributes of the window that are made here."""
_TURN = 0.005
"""Seconds that a step waits for the tools."""


def make(
    window: MainWindow, conversations: Conversations | None, changed: Callable[[Settings], None] | None
) -> Generator[None]:
    """Makes the parts and joins them; a step each time it is asked for the next."""
    from desktop_app.ui.main_window.layout import Places

    places = Places(window)
    yield from _panels(window, places)
    yield from _stages(window, places)
    from desktop_app.ui.main_window.file_dialogs import WindowFiles
    from desktop_app.ui.main_window.panel_visibility import Panels
    from desktop_app.ui.pointing.controller import Pointing

    yield
    window.files = WindowFiles(window, window.desk, window.status.say)
    window.pointing = Pointing(window.desk, window.picker, window)
    places.finish()
    window.panels = Panels(window)
    yield
    yield from _over(window, conversations, changed)
    from desktop_app.ui.main_window.controllers import connect
    from desktop_app.ui.main_window.shortcuts import add_keys

    yield
    yield from _tools(window)
    connect(window)
    add_keys(window)
    window.panels.restore()


def _panels(window: MainWindow, places: Places) -> Generator[None]:
    from desktop_app.ui.chat.chat_panel import ChatPanel

    yield
    window.chat = ChatPanel(window.desk)
    places.put_chat()
    yield
    from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
    from desktop_app.ui.timeline.timeline_panel import Timeline

    yield
    window.alternatives = AlternativesPanel(window.desk)
    window.timeline = Timeline(window.desk)
    places.put_bars()
    yield
    import desktop_app.ui.graph.nodegraphqt_adapter  # noqa: F401 - a step of its own

    yield
    from desktop_app.ui.graph.graph_view import GraphView

    yield
    window.graph = GraphView()
    window.graph.use_files(window.session.path_of)
    places.put_graph()
    yield
    from desktop_app.ui.inspector.inspector_panel import Inspector

    yield
    window.inspector = Inspector(window.desk)
    places.put_inspector()
    yield


def _stages(window: MainWindow, places: Places) -> Generator[None]:
    """What takes the place of the graph."""
    from desktop_app.ui.results.preview import Preview

    window.preview = Preview(window.desk)
    places.put_preview()
    yield
    from desktop_app.ui.pointing.pointing_view import PointPicker

    yield
    window.picker = PointPicker()
    yield
    from desktop_app.ui.compare.compare_view import CompareStage

    yield
    window.compare = CompareStage(window.desk)
    places.put_stages()
    yield


def _over(
    window: MainWindow, conversations: Conversations | None, changed: Callable[[Settings], None] | None
) -> Generator[None]:
    """What opens over the panels, or beside the window."""
    from desktop_app.ui.compare.controller import Comparing
    from desktop_app.ui.main_window.popups import Overlays
    from desktop_app.ui.settings.settings_panel import SettingsPanel

    yield
    window.comparing = Comparing(window.desk, window.compare, window)
    yield
    settings = SettingsPanel(window, window.desk.loader, upkeep=window.session.upkeep)
    yield
    window.overlays = Overlays(window, settings, conversations, changed)
    yield
    from desktop_app.ui.command_palette.popup import Everything
    from desktop_app.ui.replay.controller import Replays

    yield
    window.replays = Replays(window)
    window.everything = Everything(window)
    yield


def _tools(window: MainWindow) -> Generator[None]:
    """Waits for the tools, which are imported on a thread: whoever asks the window for one need not wait then."""
    loading = threading.Thread(target=len, args=(window.session.tools,), name="tools", daemon=True)
    loading.start()
    while loading.is_alive():
        loading.join(_TURN)
        yield
