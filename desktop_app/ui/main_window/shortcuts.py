"""The keys of the window. Escape is not among them: it goes first to what has the focus (main_window)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.compare.compare_view import CompareStage
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.inspector.inspector_panel import Inspector
from desktop_app.ui.main_window.actions import window_commands
from desktop_app.ui.main_window.tool_bar import ToolBar
from desktop_app.ui.pointing.pointing_view import PointPicker
from desktop_app.ui.start.start_page import FirstScreen

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow

_REGIONS = (ChatPanel, FirstScreen, AlternativesPanel, GraphView, PointPicker, CompareStage, Inspector, ToolBar)


def add_keys(window: MainWindow) -> None:
    """Adds the shortcuts that work wherever the focus is."""
    found = [(keys, partial(command.deed, window)) for command in window_commands().values() for keys in command.keys]
    for keys, act in (
        *found,
        ("Ctrl+K", window.everything.toggle),
        ("F6", lambda: go_round(window, 1)),
        ("Shift+F6", lambda: go_round(window, -1)),
    ):
        QShortcut(QKeySequence(keys), window).activated.connect(act)


def go_round(window: MainWindow, by: int) -> None:
    """Gives the keyboard to the next region of the window: Tab searches while it is in the graph."""
    bar, chosen = window.tool_bar, window.session.chosen
    regions = [
        window.first.composer.field, window.chat.composer.field, *window.alternatives.cards[chosen : chosen + 1],
        window.graph.canvas, window.picker.view, window.compare.viewer or window.compare.missing,
        window.inspector.tabs,
        bar.run_button if bar.run_button.isEnabled() else bar.menu_button,
    ]  # fmt: skip
    seen = [region for region in regions if region.isVisible()]
    held = QApplication.focusWidget()
    at = next((i for i, region in enumerate(seen) if _region_of(held) is _region_of(region)), -1 if by > 0 else 0)
    if seen:
        seen[(at + by) % len(seen)].setFocus(Qt.FocusReason.TabFocusReason)


def _region_of(widget: QWidget | None) -> QWidget | None:
    """The panel that the widget is in."""
    while widget is not None and not isinstance(widget, _REGIONS):
        widget = widget.parentWidget()
    return widget
