"""Where the parts of the window are: the bars at its edges, the pages between them, the panels in those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.ui.widgets.basic import divider, px

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow


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


class Places:
    """Where the panels go, made before them: a panel that is moved with all that it is in is styled once for each.

    `put_…` take the panels that the window has by then; `finish` when all are there.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        window.body, window.work = _splitter(), _splitter()
        window.stage, window.middle = QStackedWidget(), QStackedWidget()
        self._centre = column_of(window.middle)
        window.pages.addWidget(window.body)
        window.body.addWidget(window.stage)
        window.stage.addWidget(window.work)
        window.work.addWidget(self._centre)

    def put_chat(self) -> None:
        """At the left."""
        self._window.body.insertWidget(0, self._window.chat)

    def put_bars(self) -> None:
        """The alternatives above the graph, the timeline below it."""
        column = self._centre.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, self._window.alternatives)
        column.insertWidget(1, divider())
        column.addWidget(divider())
        column.addWidget(self._window.timeline)

    def put_graph(self) -> None:
        """In the middle."""
        self._window.middle.insertWidget(0, self._window.graph)

    def put_preview(self) -> None:
        """In the place of the graph."""
        self._window.middle.addWidget(self._window.preview)

    def put_inspector(self) -> None:
        """At the right."""
        self._window.work.addWidget(self._window.inspector)

    def put_stages(self) -> None:
        """The picker and the comparison, each in the place of the graph with its panels."""
        self._window.stage.addWidget(self._window.picker)
        self._window.stage.addWidget(self._window.compare)

    def finish(self) -> None:
        """Gives all of them their first sizes."""
        window = self._window
        window.work.setStretchFactor(0, 1)
        window.body.setStretchFactor(1, 1)
        window.middle.setCurrentWidget(window.graph)
        for panel, least, most in ((window.chat, 260, 460), (window.inspector, 264, 480)):
            panel.setMinimumWidth(px(least))
            panel.setMaximumWidth(px(most))
        window.body.setSizes([px(304), px(1136)])
        window.work.setSizes([px(836), px(300)])


def _splitter() -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    return splitter
