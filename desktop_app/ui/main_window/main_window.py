"""The window: puts the panels together, shows the session in them, and hands on what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QInputDialog, QMainWindow, QMenu, QStackedWidget, QWidget

from desktop_app.core.settings import Settings
from desktop_app.i18n import catalogue
from desktop_app.plan.types import Question
from desktop_app.session import fetching, limits
from desktop_app.session.autosave import ConversationStore
from desktop_app.session.messages import Change, waiting
from desktop_app.session.session import EVERYTHING
from desktop_app.session.view import SessionView
from desktop_app.storage.examples import Example
from desktop_app.ui.chat.composer import Composer
from desktop_app.ui.main_window.action_registry import WindowActions, last_actions
from desktop_app.ui.main_window.popups import PopupController
from desktop_app.ui.main_window.status_bar import Status, StatusBar, TroubleBar
from desktop_app.ui.main_window.system_facts import SystemFacts, planner_words
from desktop_app.ui.main_window.tool_bar import ToolBar
from desktop_app.ui.start.start_page import FirstScreen
from desktop_app.ui.support import formatting
from desktop_app.ui.support.actions import press
from desktop_app.ui.support.context import make_context
from desktop_app.ui.support.first_paint import after_first_paint, import_in_turns
from desktop_app.ui.support.incoming import copied, takes
from desktop_app.ui.support.tasks import Spawn
from desktop_app.ui.support.window_state import WindowState, remember_theme
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import divider, px, stack
from nodes.api import ResourceType

if TYPE_CHECKING:
    from desktop_app.session.diagnostics import Diagnosis
    from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
    from desktop_app.ui.chat.chat_panel import ChatPanel
    from desktop_app.ui.compare.compare_view import CompareView
    from desktop_app.ui.compare.controller import Comparing
    from desktop_app.ui.graph.graph_view import GraphView
    from desktop_app.ui.inspector.inspector_panel import Inspector
    from desktop_app.ui.main_window.file_dialogs import WindowFiles
    from desktop_app.ui.main_window.panel_visibility import PanelVisibility
    from desktop_app.ui.main_window.workspace import Workspace
    from desktop_app.ui.pointing.controller import Pointing
    from desktop_app.ui.pointing.pointing_view import PointPicker
    from desktop_app.ui.results.preview import Preview
    from desktop_app.ui.timeline.timeline_panel import Timeline

_AHEAD = (
    "desktop_app.ui.chat.chat_panel",
    "desktop_app.ui.alternatives.alternatives_panel",
    "desktop_app.ui.graph.nodegraphqt_adapter",
    "desktop_app.ui.graph.canvas",
    "desktop_app.ui.graph.graph_display",
    "desktop_app.ui.graph.graph_view",
    "desktop_app.ui.timeline.timeline_panel",
    "desktop_app.ui.inspector.inspector_panel",
    "desktop_app.ui.main_window.workspace",
    "desktop_app.ui.main_window.panel_visibility",
)
"""What the workspace needs, imported in turns with the user's events: 0.3 s together, under 0.1 s each."""

LEAST = (500, 350)
"""Width and height of the smallest window, in pixels of the 100 % design: 1000 x 700 at 200 %."""
TITLE_BAR = 40
"""So much of the screen is left to the title bar that the system gives a window, which is not known before."""


class MainWindow(QMainWindow):
    """`examine` tells what works on this computer; it is called on a thread, after the first paint.

    `spawn` starts a coroutine (by default as a task of the running loop). `conversations` are the kept ones, to be
    opened again. `changed` hears the settings after the user changed them.

    At first there are the bars and the first screen. The workspace comes after the first paint, or when it is first
    asked for, and then `prepared` is emitted; every other page when it is first shown. `search_wanted` asks for the
    search of everything.
    """

    prepared = Signal()
    search_wanted = Signal()
    closed = Signal()

    def __init__(
        self,
        session: SessionView,
        examples: Sequence[Example] = (),
        examine: Callable[[], Iterable[Diagnosis]] | None = None,
        spawn: Spawn | None = None,
        conversations: ConversationStore | None = None,
        changed: Callable[[Settings], None] | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Graphwright")
        self.setAcceptDrops(True)
        self.session = session
        self.ui = make_context(session, self, spawn)
        self.commands = WindowActions(self, self)
        self.overlays = PopupController(self, self.ui, self._anchor, conversations)
        self.tool_bar = ToolBar(self.ui, self.commands)
        self.status = StatusBar(self.ui, Status(planner=planner_words()))
        self.trouble = TroubleBar()
        self.pages = QStackedWidget()
        self._lay_out()
        self.first = FirstScreen(self.ui, examples, self.pages)
        self.pages.addWidget(self.first)
        self._workspace: Workspace | None = None
        self._blank, self._conversation = "", session.id
        self._composed_in = session.id
        self._paused = ""
        """The conversation whose run waits for what is pointed at."""
        self._preparing = self._given_up = self.is_prepared = False
        self._connect(changed)
        self._facts = SystemFacts(self.ui.loader, examine, self) if examine is not None else None
        if self._facts is not None:
            self._facts.found.connect(self._show_facts)
            self.overlays.changed.connect(self._facts.look)
            self.prepared.connect(self._facts.look)
        self.restoreGeometry(WindowState().data("geometry"))
        self._show_panels_buttons()
        self.ui.listen(self._on_change)
        after_first_paint(self, self.prepare)

    def _lay_out(self) -> None:
        holder = QWidget()
        column = stack(parent=holder, gap=0)
        for widget in (self.tool_bar, divider(), self.pages, self.trouble, divider(), self.status):
            column.addWidget(widget, 1 if widget is self.pages else 0)
        self.setCentralWidget(holder)
        room = self.screen().availableSize() - QSize(0, px(TITLE_BAR))
        self.setMinimumSize(QSize(px(LEAST[0]), px(LEAST[1])).boundedTo(room))
        self.resize(QSize(px(1440), px(900)).boundedTo(room))

    def _connect(self, changed: Callable[[Settings], None] | None) -> None:
        """What can be asked for before the workspace is there; pages that are not made yet are made then."""
        signals, overlays, calls = self.ui.signals, self.overlays, self.ui.calls
        self.commands.refused.connect(self.status.say)
        self.trouble.log_wanted.connect(overlays.show_program_log)
        self.first.open_wanted.connect(lambda: self.files.open_workflow())
        self.first.blank_wanted.connect(self.show_blank)
        self.first.all_recent.clicked.connect(lambda: overlays.show_list(self.first.all_recent))
        self.pages.currentChanged.connect(lambda: self.tool_bar.set_pointing(self.pointing_now))
        if changed is not None:
            overlays.changed.connect(changed)
        overlays.changed.connect(signals.settings_changed)
        overlays.theme_wanted.connect(self.set_theme)
        overlays.recent.connect(self.first.show_recent)
        signals.select_node.connect(self.select)
        signals.open_large.connect(self.open_large)
        signals.compose.connect(self.compose)
        signals.run.connect(self.run)
        signals.run_to.connect(lambda id: calls.later(self._run(id)))
        signals.pick_files.connect(lambda taken: self.files.pick(taken))
        signals.dropped.connect(lambda paths, taken: self.files.dropped(paths, taken))
        signals.save_as.connect(lambda resource: self.files.save_resource(resource))
        signals.save_all.connect(lambda names: self.files.save_all(names))
        signals.replace_file.connect(lambda name: self.graph.controller.adding.ask_replacement(name))
        signals.open_folder.connect(lambda resource: self.files.open_folder(resource))
        signals.point_at.connect(lambda name: self.pointing.point_at(name))
        signals.pick_port.connect(lambda node, port: self.pointing.pick_port(node, port))
        signals.compare.connect(lambda what: self.comparing.compare(what))

    def _anchor(self, name: str) -> QWidget:
        """The button below which something opens, as far as it is seen."""
        if name == "settings":
            return self.tool_bar.settings
        beside = {"log": lambda w: w.timeline.log, "history": lambda w: w.chat.history}
        found = beside[name](self._workspace) if self._workspace is not None and name in beside else None
        return found if found is not None and found.isVisible() else self.tool_bar.menu_button

    # Its parts

    @property
    def workspace(self) -> Workspace:
        if self._workspace is None:
            self._make_workspace()
            self._on_change(EVERYTHING)
        assert self._workspace is not None
        return self._workspace

    def _make_workspace(self) -> None:
        from desktop_app.ui.main_window.panel_visibility import PanelVisibility
        from desktop_app.ui.main_window.workspace import Workspace

        made = self._workspace = Workspace(self.ui, self.pages)
        self.pages.addWidget(made)
        made.page_changed.connect(self._page_changed)
        made.chat.history.setVisible(self.overlays.conversations is not None)
        made.chat.history.clicked.connect(lambda: self.overlays.show_list(made.chat.history))
        self.panels: PanelVisibility = PanelVisibility(self, made, self.tool_bar.panels)
        graph, session, calls = made.graph, self.session, self.ui.calls
        graph.run_to.connect(lambda id: calls.later(session.start(id)))
        graph.run_again.connect(lambda id: calls.later(session.start(id, (id,))))
        graph.run_from.connect(lambda id: calls.later(session.start_from(id)))
        graph.values_wanted.connect(self.edit_values)
        graph.compare_wanted.connect(lambda ids: self.comparing.compare_cards(ids))
        graph.selection_changed.connect(made.inspector.show_item)
        graph.node_activated.connect(self.activate)
        graph.edited.connect(lambda workflow: calls.now(session.edit, workflow))
        graph.continued.connect(lambda workflow: calls.now(session.amend, workflow))
        graph.moved.connect(lambda places: calls.now(session.move, places))
        graph.pick_requested.connect(self.ui.signals.pick_port)
        graph.fetch_requested.connect(self._decide)
        going = session.downloads
        going.listen(lambda: graph.items.show_downloads(going.all))
        put = graph.controller.adding.add_files
        graph.files_dropped.connect(lambda paths, place: self.files.dropped_on_graph(paths, partial(put, place)))
        graph.picture_given.connect(
            lambda picture, place: self.ui.take_picture(picture, partial(self.files.bring_in, partial(put, place)))
        )
        graph.files_wanted.connect(lambda taken: self.files.pick(partial(self.files.bring_in, taken)))
        graph.hint.connect(self.status.say)
        graph.zoom_changed.connect(self.status.show_zoom)
        self.ui.run_clock.tick.connect(lambda: graph.show_run(session.run))
        self.panels.restore()

    def prepare(self) -> None:
        """Makes the workspace ahead of its use; tells `prepared` when it and the tools are there."""
        if not self._preparing:
            self._preparing = True
            import_in_turns(self, _AHEAD, self._make_ahead)

    def _make_ahead(self) -> None:
        if not self._given_up:
            if self._workspace is None:
                self._make_workspace()
            QTimer.singleShot(0, self, self._load_tools)  # a large graph takes as long as the workspace itself

    def _load_tools(self) -> None:
        if not self._given_up:
            self._on_change(EVERYTHING)
            self.ui.loader.run(partial(len, self.session.tools), self._tools_came)

    def _tools_came(self, count: object) -> None:
        if isinstance(count, Exception):
            raise count
        if not self._given_up:
            self.is_prepared = True
            self.prepared.emit()

    def give_up(self) -> None:
        self._given_up = True

    @property
    def chat(self) -> ChatPanel:
        return self.workspace.chat

    @property
    def alternatives(self) -> AlternativesPanel:
        return self.workspace.alternatives

    @property
    def graph(self) -> GraphView:
        return self.workspace.graph

    @property
    def timeline(self) -> Timeline:
        return self.workspace.timeline

    @property
    def inspector(self) -> Inspector:
        return self.workspace.inspector

    @cached_property
    def files(self) -> WindowFiles:
        from desktop_app.ui.main_window.file_dialogs import WindowFiles

        return WindowFiles(self, self.ui, self.status.say)

    @cached_property
    def preview(self) -> Preview:
        from desktop_app.ui.results.preview import Preview

        made = Preview(self.ui)
        made.closed.connect(self.show_graph)
        self.workspace.add_page(made, alone=False)
        return made

    @cached_property
    def picker(self) -> PointPicker:
        from desktop_app.ui.pointing.pointing_view import PointPicker

        picker = PointPicker()
        self.workspace.add_page(picker)
        return picker

    @cached_property
    def pointing(self) -> Pointing:
        from desktop_app.ui.pointing.controller import Pointing

        made = Pointing(self.ui, self.picker, self)
        made.opened.connect(lambda: self.show_stage(self.picker))
        made.closed.connect(self.show_graph)
        made.used.connect(self._pointed)
        return made

    @cached_property
    def compare(self) -> CompareView:
        from desktop_app.ui.compare.compare_view import CompareView

        stage = CompareView(self.ui)
        self.workspace.add_page(stage)
        return stage

    @cached_property
    def comparing(self) -> Comparing:
        from desktop_app.ui.compare.controller import Comparing

        made = Comparing(self.ui, self.compare, self)
        made.opened.connect(lambda: self.show_stage(self.compare))
        made.closed.connect(self.show_graph)
        return made

    def _show_facts(self, facts: tuple[Diagnosis, ...]) -> None:
        self.first.show_facts(facts)
        device = next((fact for fact in facts if fact.name == "Device"), None)
        if device is not None:
            said = formatting.said(device.text)
            self.status.set_status(Status(said, device.ok is not False, planner_words()))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not event.spontaneous():  # not when it comes back from the task bar, where the view stays as it was
            self._on_change(EVERYTHING)

    # What the user asks for

    def undo(self) -> None:
        """Takes back the last change: of the points while pointing, else of the workflow."""
        self.picker.undo() if self.pointing_now else self.ui.calls.now(self.session.undo)

    def redo(self) -> None:
        self.picker.redo() if self.pointing_now else self.ui.calls.now(self.session.redo)

    def run(self) -> None:
        if self.session.workflow.nodes and not self.session.busy and not self.pointing_now:
            pressed = self.focusWidget()
            if isinstance(pressed, QAbstractButton) and self.chat.isAncestorOf(pressed):
                self.ready_to_run()  # the plan's button goes: what stops the run has the keyboard
            self.ui.calls.later(self._run())

    async def _run(self, upto: str | None = None) -> None:
        """It goes as far as it can. Where something is missing then, that is said, and what asks for it is shown: in
        the picture, or in the chat.
        """
        before, self._paused = self.session.run.id, ""
        await self.session.start_or_tell(upto)
        asked = waiting(self.session.messages)
        if asked is None:
            return
        first, ran = asked.questions[0], self.session.run.id != before
        if ran and first.kind in ("point", "box") and first.port:
            self.ui.signals.pick_port.emit(first.step, first.port)
            self._paused = self.session.id
        else:
            self.show_panel("chat", True)
            self.status.say(
                self.tr("It ran as far as it can. The rest waits for your answer in the chat.")
                if ran
                else self.tr("First answer what is asked in the chat: the plan cannot run before.")
            )
            self.chat.show_question()

    def _pointed(self) -> None:
        """A run that paused for what was pointed at goes on; else Run is what is next, under the next key."""
        self.ready_to_run()
        if self._paused == self.session.id and not any(message.open for message in self.session.messages):
            self.run()

    def ready_to_run(self) -> None:
        """What is next, under the next key."""
        if self.tool_bar.run_button.isEnabled():
            self.tool_bar.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def pointing_now(self) -> bool:
        """True while the point picker is seen."""
        return self._shows("picker")

    @property
    def comparing_now(self) -> bool:
        """True while two ways or results are compared."""
        return self._shows("compare")

    def _shows(self, page: str) -> bool:
        """True while that page is seen; one that was never asked for is not."""
        there = self._workspace is not None and self.pages.currentWidget() is self._workspace
        return there and page in self.__dict__ and self.workspace.page is self.__dict__[page]

    @property
    def panels_offered(self) -> bool:
        return self.pages.currentWidget() is not self.first

    def select(self, id: str) -> None:
        self.show_graph()
        self.show_panel("inspector", True)
        self.graph.select((id,))
        self.inspector.show_item((id,))

    def activate(self, id: str) -> None:
        """A double click on a card: its picture large, or its inspector; of an input without one, another file."""
        self.select(id)
        from desktop_app.ui.inspector.pages import outputs_of

        resource = self.session.workflow.resource(id)
        run = self.session.run.nodes.get(id)
        made = [output for _, output in outputs_of(run)] if run else []
        shown = next(iter([resource, *made] if resource else made), None)
        if shown is not None and self._is_seen(shown):
            self.open_large(shown)
        elif resource is not None:
            self.ui.signals.replace_file.emit(id)

    def edit_values(self, id: str) -> None:
        """Shows the values of a node in the inspector, with the keyboard on the first of them."""
        self.select(id)
        self.inspector.edit_values()

    def _is_seen(self, resource: Any) -> bool:
        return resource.type is ResourceType.VIDEO or self.ui.thumbnails.has_picture(resource)

    def open_large(self, resource: Any) -> None:
        if self._is_seen(resource):
            self.preview.show_resource(resource)
            self.show_stage(self.preview)

    def show_graph(self) -> None:
        """Back to the graph, from pointing or from a large picture; to the first screen when there is no graph."""
        self.workspace.show_page(self.graph)
        self._show_page()

    def compose(self, text: str, names: tuple[str, ...]) -> None:
        self.composer.fill(text, names)

    @property
    def composer(self) -> Composer:
        return self.first.composer if self.pages.currentWidget() is self.first else self.chat.composer

    def show_panel(self, name: str, on: bool) -> None:
        self.panels.show(name, on)

    def attach(self) -> None:
        self.show_composer()
        self.composer.attach.click()

    def show_composer(self) -> None:
        if not self.composer.isVisible():
            self.show_panel("chat", True)

    def take_mode(self, mode: str) -> None:
        self.ui.signals.change_settings.emit({"plan_mode": mode})

    def search(self) -> None:
        self.search_wanted.emit()

    def rename(self) -> None:
        asked = self.renaming = QInputDialog(self)
        asked.setWindowTitle(self.tr("Rename the conversation"))
        asked.setLabelText(self.tr("Title"))
        asked.setTextValue(self.session.title)
        asked.textValueSelected.connect(lambda title: self.ui.calls.now(self.session.rename, title))
        asked.finished.connect(asked.deleteLater)
        asked.open()

    def show_blank(self) -> None:
        """At once: what is dropped from now on is for the canvas. The conversation of last time no longer comes."""
        self.session.begin()
        self._blank = self.session.id
        _ = self.workspace
        self._show_page()
        self.graph.canvas.setFocus()

    def save_picture(self) -> None:
        from desktop_app.ui.graph.export_image import save_graph_picture

        self.files.save_picture(lambda path: save_graph_picture(self.graph.canvas.scene(), path))

    def toggle_theme(self) -> None:
        name = "light" if theme.current().name == "dark" else "dark"
        self.set_theme(name)
        remember_theme(name)
        self.overlays.refresh_settings()

    def set_theme(self, name: str) -> None:
        theme.apply(theme.application(), name, theme.current().scale)

    def keep(self) -> None:
        """Remembers for the next start how large it is and which panels it shows."""
        if self._workspace is not None:
            self.panels.keep()

    def saved(self, problem: str) -> None:
        self.status.saved(problem)
        self.tool_bar.saved(problem)

    @property
    def message_views(self) -> Sequence[QWidget]:
        """What the chat shows, as far as there is a chat."""
        return self._workspace.chat.views if self._workspace is not None else ()

    def take_over(self, before: MainWindow) -> None:
        """What was begun in another window that this one takes the place of."""
        self._blank = before._blank
        if self._used:
            self._show_page()
        self.first.composer.take_over(before.first.composer)
        if before._workspace is not None:
            self.chat.composer.take_over(before.chat.composer)
        if before.overlays.settings_open:
            self.overlays.show_settings()

    # What the session tells

    def _on_change(self, change: Change) -> None:
        if self.session.id != self._composed_in:
            self._composed_in = self.session.id
            self.first.composer.leave_files()
            if self._workspace is not None:
                self.chat.composer.leave_files()
        if self._workspace is not None:
            self._show_change(change)
        elif self._used and self.isVisible():
            _ = self.workspace  # which shows everything

    def _show_change(self, change: Change) -> None:
        session = self.session
        if session.id != self._conversation:
            self._conversation = session.id
            self.show_graph()  # what was pointed at or compared belongs to another conversation
        if change & (Change.WORKFLOW | Change.PLAN):
            self.graph.show_workflow(session.workflow, session.run, session.tools)
            self._outline()
        if change & Change.PLAN:
            if self._shows("preview"):
                self.show_graph()  # what was planned is not hidden behind a picture of before
            QTimer.singleShot(0, self, self.graph.fit)
        if change & Change.RUN:
            self.graph.show_run(session.run)
            self._show_failure()
        if change & Change.MESSAGES:
            open = (asked for message in session.messages if message.open for asked in message.questions)
            self.graph.items.show_question(next((asked for asked in open if asked.kind == limits.KIND), None))
        if change & (Change.MESSAGES | Change.WORKFLOW):
            self._show_page()
        if change & (Change.MESSAGES | Change.BUSY):
            self.setWindowTitle(f"{session.title} – Graphwright" if session.title else "Graphwright")

    def _decide(self, node: str) -> None:
        """Gets what a node lacks; above a limit of the settings the answers to choose from open at the mouse."""
        session, asked = self.session, self.session.to_decide(node)
        if asked is None:
            self.ui.calls.later(session.get_for(node))
            return
        menu = QMenu(self)
        for choice in asked.choices:
            menu.addAction(catalogue.choice(choice), partial(self._decided, node, asked, choice))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos())

    def _decided(self, node: str, asked: Question, choice: str) -> None:
        session = self.session
        if asked.kind == limits.KIND:
            self.ui.calls.later(session.answer_time(asked, choice))
        elif choice == fetching.GET:
            self.ui.calls.later(session.get_for(node))
        else:
            self.ui.calls.later(session.answer_fetch(asked, choice))

    def _outline(self) -> None:
        session = self.session
        from desktop_app.ui.alternatives.alternatives_panel import difference

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

    @property
    def _used(self) -> bool:
        """True from the first message on, or from the first thing on the canvas, or where a blank one was asked for."""
        session = self.session
        return bool(session.messages or not session.workflow.is_empty or session.id == self._blank)

    def _show_page(self) -> None:
        busy_elsewhere = self.pointing_now or self._shows("preview")
        if self._used and self.pages.currentWidget() is self.first:
            self.pages.setCurrentWidget(self.workspace)
            self.chat.composer.take_over(self.first.composer)
            self.chat.composer.field.setFocus()
        elif not self._used and not (busy_elsewhere and self.session.resources):
            self.pages.setCurrentWidget(self.first)
            self.overlays.show_recent()
            self.panels.begin_anew()
        self._show_panels_buttons()

    def _show_panels_buttons(self) -> None:
        shown = self.panels_offered
        for button in self.tool_bar.panels.values():
            button.setEnabled(shown)
        self._show_zoom()

    def _show_zoom(self) -> None:
        space = self._workspace
        self.status.show_graph(self.panels_offered and space is not None and space.page is space.graph)

    def show_stage(self, page: QWidget) -> None:
        """Shows a page in the place of the graph: the large picture, the picker, or the comparison."""
        self.pages.setCurrentWidget(self.workspace)
        self.workspace.show_page(page)

    def _page_changed(self) -> None:
        self.tool_bar.set_pointing(self.pointing_now)
        self._show_zoom()
        if self.pointing_now:
            self.picker.view.setFocus()

    # Files, keys, closing

    def dragEnterEvent(self, event) -> None:
        if takes(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        self._attach(event.mimeData())
        event.acceptProposedAction()

    def paste(self) -> bool:
        """Attaches what was copied; False when that is neither a file nor a picture."""
        given = copied()
        if takes(given):
            self.show_composer()
            self._attach(given)
        return takes(given)

    def _attach(self, given: QMimeData) -> None:
        self.ui.take_in(given, lambda paths: self.files.dropped(paths, self.composer.add_files))

    def keyPressEvent(self, event) -> None:
        if not press(last_actions(), self, event):
            super().keyPressEvent(event)

    def leave(self) -> None:
        """What nobody else took Escape for: leaves comparing, pointing or the large picture, else stops what runs."""
        if self.comparing_now:
            self.comparing.close()
        elif self._workspace is not None and self._workspace.page is not self._workspace.graph:
            self.show_graph()
        elif self.session.run.running or self.session.busy:
            self.session.stop()

    def go_round(self, by: int) -> None:
        """Gives the keyboard to the next part of the window that is seen: Tab searches while it is in the graph."""
        button = self.tool_bar.run_button if self.tool_bar.run_button.isEnabled() else self.tool_bar.menu_button
        regions: list[tuple[QWidget, QWidget]] = [(self.first, self.first.composer.field)]
        if self._workspace is not None:
            regions += self._workspace.regions(self.session.chosen)
        if "picker" in self.__dict__:
            regions.append((self.picker, self.picker.view))
        if "compare" in self.__dict__:
            regions.append((self.compare, self.compare.viewer or self.compare.missing))
        regions.append((self.tool_bar, button))
        seen = [(part, target) for part, target in regions if target.isVisible()]
        held = QApplication.focusWidget()
        inside = [i for i, (part, _) in enumerate(seen) if held and (part is held or part.isAncestorOf(held))]
        at = inside[0] if inside else -1 if by > 0 else 0
        if seen:
            seen[(at + by) % len(seen)][1].setFocus(Qt.FocusReason.TabFocusReason)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self._workspace is not None:
            self.panels.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep()
        if self._workspace is not None:
            self.panels.leave()
        self.give_up()
        self.closed.emit()
        self.ui.loader.wait()
        super().closeEvent(event)
