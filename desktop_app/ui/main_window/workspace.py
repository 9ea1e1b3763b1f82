"""What a conversation is worked on with: the chat, and beside it the graph with its panels or what takes its place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.inspector.inspector_panel import Inspector
from desktop_app.ui.results.preview import Preview
from desktop_app.ui.support.context import Desk
from desktop_app.ui.timeline.timeline_panel import Timeline
from desktop_app.ui.widgets.basic import divider, px


class Workspace(QWidget):
    """`page_changed` when the graph, the large picture, pointing or comparing takes the place of another of them.

    The panels are put into their places as they are made: one that is moved with all in it is styled once for each.
    """

    page_changed = Signal()

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self.body, self.work = _splitter(), _splitter()
        self._stage, self._middle = QStackedWidget(), QStackedWidget()
        centre, column = QWidget(), QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.body)
        self.body.addWidget(self._stage)
        self._stage.addWidget(self.work)
        self.work.addWidget(centre)
        self.chat = ChatPanel(desk)
        self.body.insertWidget(0, self.chat)
        self.alternatives, self.timeline = AlternativesPanel(desk), Timeline(desk)
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.alternatives, divider(), self._middle, divider(), self.timeline):
            column.addWidget(widget, 1 if widget is self._middle else 0)
        self.graph = GraphView()
        self.graph.use_files(desk.session.path_of)
        self._middle.addWidget(self.graph)
        self.inspector = Inspector(desk)
        self.work.addWidget(self.inspector)
        self.preview = Preview(desk)
        self._middle.addWidget(self.preview)
        self._size()

    def _size(self) -> None:
        self.work.setStretchFactor(0, 1)
        self.body.setStretchFactor(1, 1)
        for panel, least, most in ((self.chat, 260, 460), (self.inspector, 264, 480)):
            panel.setMinimumWidth(px(least))
            panel.setMaximumWidth(px(most))
        self.body.setSizes([px(304), px(1136)])
        self.work.setSizes([px(836), px(300)])

    @property
    def page(self) -> QWidget | None:
        """What is in the place of the graph now, or the graph."""
        stage = self._stage.currentWidget()
        return self._middle.currentWidget() if stage is self.work else stage

    def add_page(self, page: QWidget) -> None:
        """One more that can take the place of the graph and of its panels."""
        self._stage.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Shows the graph, the large picture, or one of those added."""
        before = self.page
        if page in (self.graph, self.preview):
            self._middle.setCurrentWidget(page)
            self._stage.setCurrentWidget(self.work)
        else:
            self._stage.setCurrentWidget(page)
        if page is not before:
            self.page_changed.emit()

    @property
    def takes_all(self) -> bool:
        """True while what is shown takes the place of the panels too."""
        return self._stage.currentWidget() is not self.work

    def regions(self, chosen: int) -> list[tuple[QWidget, QWidget]]:
        """Its parts in reading order, each with what takes the keyboard in it; `chosen` is the alternative shown."""
        cards = self.alternatives.cards[chosen : chosen + 1]
        return [
            (self.chat, self.chat.composer.field), *((self.alternatives, card) for card in cards),
            (self.graph, self.graph.canvas), (self.inspector, self.inspector.tabs),
        ]  # fmt: skip

    def set_widths(self, chat: int, inspector: int) -> None:
        """Gives the panels at the sides these widths, in pixels."""
        width = self.window().width()
        self.body.setSizes([chat, max(1, width - chat)])
        self.work.setSizes([max(1, width - chat - inspector), inspector])


def _splitter() -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    return splitter
