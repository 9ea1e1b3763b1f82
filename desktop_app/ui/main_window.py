"""The window: puts the panels together, shows the session in them, and hands on what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app import settings as settings_file
from desktop_app.examples import Example
from desktop_app.keeping import Conversations
from desktop_app.session import Change, Session
from desktop_app.settings import Settings
from desktop_app.ui import theme, words
from desktop_app.ui.alternatives_panel import AlternativesPanel, difference
from desktop_app.ui.calls import Spawn
from desktop_app.ui.chat_panel import ChatPanel
from desktop_app.ui.compare_stage import CompareStage
from desktop_app.ui.compare_window import Comparing
from desktop_app.ui.composer_field import files_of
from desktop_app.ui.desk import make_desk
from desktop_app.ui.first_paint import after_first_paint
from desktop_app.ui.first_screen import Fact, FirstScreen
from desktop_app.ui.graph_picture import save_graph_picture
from desktop_app.ui.graph_view import GraphView
from desktop_app.ui.inspector import Inspector
from desktop_app.ui.inspector_pages import outputs_of
from desktop_app.ui.point_picker import PointPicker
from desktop_app.ui.preview import Preview
from desktop_app.ui.status_bar import Status, StatusBar
from desktop_app.ui.timeline import Timeline
from desktop_app.ui.tool_bar import ToolBar
from desktop_app.ui.widgets import divider, px
from desktop_app.ui.window_files import WindowFiles
from desktop_app.ui.window_keys import add_keys
from desktop_app.ui.window_overlays import Overlays
from desktop_app.ui.window_panels import Panels
from desktop_app.ui.window_pointing import Pointing
from desktop_app.ui.window_replays import Replays
from desktop_app.ui.window_state import remember_theme
from nodes.api import ResourceType

_ALL = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY


class MainWindow(QMainWindow):
    """`examine` tells what works on this computer; it is called on a thread, after the first paint.

    `spawn` starts a coroutine (by default as a task of the running loop). `conversations` are the kept ones, to be
    opened again. `changed` hears the settings after the user changed them.
    """

    def __init__(
        self,
        session: Session,
        examples: Sequence[Example] = (),
        examine: Callable[[], Iterable[Fact]] | None = None,
        spawn: Spawn | None = None,
        conversations: Conversations | None = None,
        changed: Callable[[Settings], None] | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Graphwright")
        self.setAcceptDrops(True)
        self.session = session
        self.desk = make_desk(session, self, spawn)
        self._examine = examine
        self._make_panels(examples)
        self._lay_out()
        self.panels = Panels(self)
        self.files = WindowFiles(self, self.desk, self.status.say)
        self.pointing = Pointing(self.desk, self.picker, self)
        self.comparing = Comparing(self.desk, self.compare, self)
        self.overlays = Overlays(self, conversations, changed)
        self.replays = Replays(self)
        self._connect()
        add_keys(self)
        self.panels.restore()
        session.listen(self._on_change)
        self._on_change(_ALL)
        if examine is not None:
            after_first_paint(self, self._look_around)
            self.overlays.settings.changed.connect(self._look_around)

    def _make_panels(self, examples: Sequence[Example]) -> None:
        self.tool_bar = ToolBar(self.desk)
        self.status = StatusBar(self.desk, Status(planner=self._planner()))
        self.first = FirstScreen(self.desk, examples)
        self.chat = ChatPanel(self.desk)
        self.alternatives = AlternativesPanel(self.desk)
        self.graph = GraphView()
        self.graph.use_files(self.session.path_of)
        self.preview = Preview(self.desk)
        self.timeline = Timeline(self.desk)
        self.inspector = Inspector(self.desk)
        self.picker = PointPicker()
        self.compare = CompareStage(self.desk)

    def _lay_out(self) -> None:
        self.middle = QStackedWidget()
        self.middle.addWidget(self.graph)
        self.middle.addWidget(self.preview)
        centre = _column(self.alternatives, divider(), self.middle, divider(), self.timeline)
        self.work = _splitter(centre, self.inspector, stretch=0)
        self.stage = QStackedWidget()
        self.stage.addWidget(self.work)
        self.stage.addWidget(self.picker)
        self.stage.addWidget(self.compare)
        self.body = _splitter(self.chat, self.stage, stretch=1)
        for panel, least, most in ((self.chat, 260, 460), (self.inspector, 264, 480)):
            panel.setMinimumWidth(px(least))
            panel.setMaximumWidth(px(most))
        self.body.setSizes([px(304), px(1136)])
        self.work.setSizes([px(836), px(300)])
        self.pages = QStackedWidget()
        self.pages.addWidget(self.first)
        self.pages.addWidget(self.body)
        self.setCentralWidget(_column(self.tool_bar, divider(), self.pages, divider(), self.status))
        room = self.screen().availableSize()
        self.setMinimumSize(QSize(px(640), px(420)).boundedTo(room))
        self.resize(QSize(px(1440), px(900)).boundedTo(room))

    def _connect(self) -> None:
        bar, wishes, graph, session, calls = self.tool_bar, self.desk.wishes, self.graph, self.session, self.desk.calls
        bar.undo.connect(self.undo)
        bar.redo.connect(self.redo)
        bar.run.connect(self.run)
        bar.stop.connect(session.stop)
        bar.new.connect(session.new)
        bar.open_file.connect(self.files.open_workflow)
        bar.save_file.connect(self.files.save_workflow)
        bar.save_picture.connect(self.save_picture)
        bar.save_script.connect(self.files.save_script)
        bar.panel_toggled.connect(self.show_panel)
        bar.theme_toggled.connect(self.toggle_theme)
        wishes.select_node.connect(self.select)
        wishes.open_large.connect(self.open_large)
        wishes.compose.connect(self.compose)
        wishes.run.connect(self.run)
        for wish in (wishes.run_to, graph.run_to):
            wish.connect(lambda id: calls.later(session.start(id)))
        graph.run_again.connect(lambda id: calls.later(session.start(id, (id,))))
        graph.run_from.connect(lambda id: calls.later(session.start_from(id)))
        graph.values_wanted.connect(self.edit_values)
        graph.compare_wanted.connect(self.comparing.compare_cards)
        graph.selection_changed.connect(self.inspector.show_item)
        graph.node_activated.connect(self.activate)
        graph.edited.connect(lambda workflow: calls.now(session.edit, workflow))
        graph.moved.connect(lambda places: calls.now(session.move, places))
        graph.pick_requested.connect(wishes.pick_port)
        graph.files_dropped.connect(self._dropped_on_graph)
        graph.hint.connect(self.status.say)
        self.desk.pulse.beat.connect(lambda: graph.show_run(session.run))
        self.preview.closed.connect(self.show_graph)
        self.pointing.opened.connect(lambda: self._show_stage(self.picker))
        self.pointing.closed.connect(self.show_graph)
        self.pointing.used.connect(self._ready_to_run)
        self.comparing.opened.connect(lambda: self._show_stage(self.compare))
        self.comparing.closed.connect(self.show_graph)

    # What the user asks for

    def undo(self) -> None:
        """Takes back the last change: of the points while pointing, else of the workflow."""
        self.picker.undo() if self.pointing_now else self.desk.calls.now(self.session.undo)

    def redo(self) -> None:
        """The reverse of `undo`."""
        self.picker.redo() if self.pointing_now else self.desk.calls.now(self.session.redo)

    def run(self) -> None:
        """Runs the workflow, unless there is none or something goes on."""
        if self.session.workflow.nodes and not self.session.busy and not self.pointing_now:
            self.desk.calls.later(self.session.start())

    def _ready_to_run(self) -> None:
        """After pointing: what is next, under the next key."""
        if self.tool_bar.run_button.isEnabled():
            self.tool_bar.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def pointing_now(self) -> bool:
        """True while the point picker is seen."""
        return self.pages.currentWidget() is self.body and self.stage.currentWidget() is self.picker

    @property
    def comparing_now(self) -> bool:
        """True while two ways or results are compared."""
        return self.pages.currentWidget() is self.body and self.stage.currentWidget() is self.compare

    def select(self, id: str) -> None:
        """Shows a node or resource in the graph and in the inspector."""
        self.show_graph()
        self.show_panel("inspector", True)
        self.graph.select((id,))
        self.inspector.show_item((id,))

    def activate(self, id: str) -> None:
        """A double click on a card: its picture large, or its inspector."""
        self.select(id)
        resource = self.session.workflow.resource(id)
        run = self.session.run.nodes.get(id)
        made = [output for _, output in outputs_of(run)] if run else []
        shown = next(iter([resource, *made] if resource else made), None)
        if shown is not None:
            self.open_large(shown)

    def edit_values(self, id: str) -> None:
        """Shows the values of a node in the inspector, with the keyboard on the first of them."""
        self.select(id)
        self.inspector.edit_values()

    def open_large(self, resource: Any) -> None:
        """Shows a picture in place of the graph."""
        if resource.type is ResourceType.VIDEO or self.desk.thumbnails.has_picture(resource):
            self.pages.setCurrentWidget(self.body)
            self._show_stage(self.work)
            self.preview.show_resource(resource)
            self.middle.setCurrentWidget(self.preview)

    def show_graph(self) -> None:
        """Back to the graph, from pointing or from a large picture; to the first screen when there is no graph."""
        self._show_stage(self.work)
        self.middle.setCurrentWidget(self.graph)
        self._show_page()

    def compose(self, text: str, names: tuple[str, ...]) -> None:
        """Puts a request into the composer that is seen."""
        composer = self.first.composer if self.pages.currentWidget() is self.first else self.chat.composer
        composer.fill(text, names)

    def show_panel(self, name: str, on: bool) -> None:
        """Shows or hides "chat", "timeline" or "inspector"."""
        self.panels.show(name, on)

    def save_picture(self) -> None:
        """Asks where to, and saves a picture of the whole graph."""
        self.files.save_picture(lambda path: save_graph_picture(self.graph.canvas.scene(), path))

    def toggle_theme(self) -> None:
        """Changes between dark and light, and remembers it."""
        name = "light" if theme.current().name == "dark" else "dark"
        self.set_theme(name)
        remember_theme(name)
        self.overlays.settings.refresh()

    def set_theme(self, name: str) -> None:
        """Shows the theme "dark" or "light"."""
        theme.apply(theme.application(), name, theme.current().scale)

    def show_settings(self) -> None:
        """Opens the settings, or closes them."""
        self.overlays.show_settings()

    def show_history(self) -> None:
        """Opens the list of conversations, or closes it."""
        self.overlays.show_list()

    def take_over(self, before: MainWindow) -> None:
        """What was begun in another window that this one takes the place of."""
        self.first.composer.take_over(before.first.composer)
        self.chat.composer.take_over(before.chat.composer)
        if before.overlays.settings.isVisible():
            self.overlays.show_settings()

    # What the session tells

    def _on_change(self, change: Change) -> None:
        session = self.session
        if change & (Change.WORKFLOW | Change.PLAN):
            self.graph.show_workflow(session.workflow, session.run, session.tools)
            self._outline()
        if change & Change.PLAN:
            QTimer.singleShot(0, self, self.graph.fit)
        if change & Change.RUN:
            self.graph.show_run(session.run)
            self._show_failure()
        if change & (Change.MESSAGES | Change.WORKFLOW):
            self._show_page()
        if change & (Change.MESSAGES | Change.BUSY):
            self.setWindowTitle(f"{session.title} – Graphwright" if session.title else "Graphwright")

    def _outline(self) -> None:
        session = self.session
        ways = list(session.alternatives)
        changed = difference(ways[0], ways[session.chosen]) if 0 < session.chosen < len(ways) else ()
        self.graph.outline_changed((session.proposed,) if session.proposed else changed)

    def _show_failure(self) -> None:
        """A run that failed shows why, unless the user looks at something else."""
        run = self.session.run
        if run.outcome == "failed" and not self.inspector.item and (failed := run.failures()):
            first = next(iter(failed))
            self.graph.select((first,))
            self.inspector.show_item((first,))

    def _show_page(self) -> None:
        used = bool(self.session.messages or self.session.workflow.nodes)
        busy_elsewhere = self.pointing_now or self.middle.currentWidget() is self.preview
        if used and self.pages.currentWidget() is self.first:
            self.pages.setCurrentWidget(self.body)
            self.chat.composer.take_over(self.first.composer)
            self.chat.composer.field.setFocus()
        elif not used and not (busy_elsewhere and self.session.resources):
            self.pages.setCurrentWidget(self.first)
            self.overlays.show_recent()
            self.panels.begin_anew()
        self._show_panels_buttons()

    def _show_panels_buttons(self) -> None:
        for button in self.tool_bar.panels.values():
            button.setEnabled(self.pages.currentWidget() is self.body)

    def _show_stage(self, page: QWidget) -> None:
        if page is not self.work:
            self.pages.setCurrentWidget(self.body)
        self.stage.setCurrentWidget(page)
        self.panels.fit()
        if page is self.picker:
            self.picker.view.setFocus()

    def _look_around(self, *_: object) -> None:
        assert self._examine is not None
        examine = self._examine
        self.desk.loader.run(lambda: tuple(examine()), self._looked)

    def _planner(self) -> str:
        settings = settings_file.load()
        model = settings.llm_model or self.tr("language model")
        return (
            self.tr("Offline planner, then {model}").format(model=model)
            if settings.llm_url
            else self.tr("Offline planner")
        )

    def _looked(self, facts: Any) -> None:
        if isinstance(facts, Exception):
            raise facts
        self.first.show_facts(facts)
        device = next((fact for fact in facts if fact.name == "Device"), None)
        if device is not None:
            self.status.set_status(Status(words.said(device.text), device.ok is not False, self._planner()))

    # Files, keys, closing

    def _dropped_on_graph(self, paths: Sequence[Any]) -> None:
        def add(files: Sequence[Path]) -> None:
            self.desk.calls.later(self._bring_to_graph(files))

        self.files.dropped([Path(path) for path in paths], add, results=True)

    async def _bring_to_graph(self, files: Sequence[Path]) -> None:
        self.status.say(self.tr("Attaching…"))
        found = await self.desk.bring(files)
        self.status.say("")
        workflow = self.session.workflow
        for resource in found:
            workflow = workflow.with_resource(resource)
        self.desk.calls.now(self.session.edit, workflow)

    def dragEnterEvent(self, event) -> None:
        if files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        first = self.pages.currentWidget() is self.first
        composer = self.first.composer if first else self.chat.composer
        self.files.dropped(files_of(event.mimeData()), composer.add_files)
        event.acceptProposedAction()

    def keyPressEvent(self, event) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.comparing_now:
            self.comparing.close()
        elif self.pointing_now or self.middle.currentWidget() is self.preview:
            self.show_graph()
        elif self.session.run.running or self.session.busy:
            self.session.stop()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.panels.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.panels.keep()
        self.replays.close()
        self.desk.loader.wait()
        super().closeEvent(event)


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
