"""The frame of the window: the bars at its edges, and the pages between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_app.ui.widgets import divider, px

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow


def lay_out_frame(window: MainWindow) -> QStackedWidget:
    """Puts the bars into their places and gives the window its first size; returns the pages, which are none yet."""
    pages = QStackedWidget()
    window.setCentralWidget(column_of(window.tool_bar, divider(), pages, window.trouble, divider(), window.status))
    room = window.screen().availableSize()
    window.setMinimumSize(QSize(px(640), px(420)).boundedTo(room))
    window.resize(QSize(px(1440), px(900)).boundedTo(room))
    return pages


def column_of(*widgets: QWidget) -> QWidget:
    """The widgets above one another; stacks take the room that is left."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if isinstance(widget, QStackedWidget) else 0)
    return holder
