"""Where the panels of the window stand: side by side, above one another, and one in the place of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_app.ui.widgets import divider, px
from desktop_app.ui.window_frame import column_of, stack_of

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow


def lay_out(window: MainWindow) -> None:
    """Puts the panels, which exist, into their places."""
    window.middle = stack_of(window.graph, window.preview)
    centre = column_of(window.alternatives, divider(), window.middle, divider(), window.timeline)
    window.work = _splitter(centre, window.inspector, stretch=0)
    window.stage = stack_of(window.work, window.picker, window.compare)
    window.body = _splitter(window.chat, window.stage, stretch=1)
    for panel, least, most in ((window.chat, 260, 460), (window.inspector, 264, 480)):
        panel.setMinimumWidth(px(least))
        panel.setMaximumWidth(px(most))
    window.body.setSizes([px(304), px(1136)])
    window.work.setSizes([px(836), px(300)])
    window.pages.addWidget(window.body)


def _splitter(left: QWidget, right: QWidget, stretch: int) -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(left)
    splitter.addWidget(right)
    splitter.setStretchFactor(stretch, 1)
    return splitter
