"""Where the panels of the window stand: side by side, above one another, and one in the place of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.ui.widgets import divider, px

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow


def lay_out(window: MainWindow) -> None:
    """Puts the panels, which exist, into their places, and gives the window its first size."""
    window.middle = _stack(window.graph, window.preview)
    centre = _column(window.alternatives, divider(), window.middle, divider(), window.timeline)
    window.work = _splitter(centre, window.inspector, stretch=0)
    window.stage = _stack(window.work, window.picker, window.compare)
    window.body = _splitter(window.chat, window.stage, stretch=1)
    for panel, least, most in ((window.chat, 260, 460), (window.inspector, 264, 480)):
        panel.setMinimumWidth(px(least))
        panel.setMaximumWidth(px(most))
    window.body.setSizes([px(304), px(1136)])
    window.work.setSizes([px(836), px(300)])
    window.pages = _stack(window.first, window.body)
    window.setCentralWidget(_column(window.tool_bar, divider(), window.pages, divider(), window.status))
    room = window.screen().availableSize()
    window.setMinimumSize(QSize(px(640), px(420)).boundedTo(room))
    window.resize(QSize(px(1440), px(900)).boundedTo(room))


def _stack(*widgets: QWidget) -> QStackedWidget:
    stack = QStackedWidget()
    for widget in widgets:
        stack.addWidget(widget)
    return stack


def _column(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if isinstance(widget, QStackedWidget) else 0)
    return holder


def _splitter(left: QWidget, right: QWidget, stretch: int) -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(left)
    splitter.addWidget(right)
    splitter.setStretchFactor(stretch, 1)
    return splitter
