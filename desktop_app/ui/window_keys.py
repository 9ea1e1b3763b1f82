"""The keys of the window. Escape is not among them: it goes first to what has the focus (main_window)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow


def add_keys(window: MainWindow) -> None:
    """Adds the shortcuts that work wherever the focus is."""
    panels = window.tool_bar.panels
    for keys, act in (
        ("Ctrl+Z", window.undo),
        ("Ctrl+Y", window.redo),
        ("Ctrl+Shift+Z", window.redo),
        ("Ctrl+Return", window.run),
        ("Ctrl+Enter", window.run),
        ("Ctrl+N", window.session.new),
        ("F6", lambda: window.go_round(1)),
        ("Shift+F6", lambda: window.go_round(-1)),
        ("Ctrl+H", window.show_history),
        ("Ctrl+,", window.show_settings),
        ("Ctrl+O", window.files.open_workflow),
        ("Ctrl+S", window.files.save_workflow),
        ("Alt+Left", lambda: window.alternatives.step(-1)),
        ("Alt+Right", lambda: window.alternatives.step(1)),
        ("Ctrl+1", lambda: panels["chat"].click()),
        ("Ctrl+2", lambda: panels["timeline"].click()),
        ("Ctrl+3", lambda: panels["inspector"].click()),
    ):
        QShortcut(QKeySequence(keys), window).activated.connect(act)
