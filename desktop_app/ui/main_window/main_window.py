"""The window: puts the panels together, shows the session in them, and hands on what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QWidget
from shiboken6 import isValid

from desktop_app.core.settings import Settings
from desktop_app.session.autosave import Conversations
from desktop_app.session.session import Change, Session
from desktop_app.storage.examples import Example
from desktop_app.ui.chat.composer import Composer
from desktop_app.ui.chat.composer_edit import files_of
from desktop_app.ui.main_window import construction
from desktop_app.ui.main_window.layout import lay_out_frame
from desktop_app.ui.main_window.status_bar import Status, StatusBar
from desktop_app.ui.main_window.system_facts import Facts, planner_words
from desktop_app.ui.main_window.tool_bar import ToolBar
from desktop_app.ui.main_window.trouble_bar import TroubleBar
from desktop_app.ui.start.start_page import Fact, FirstScreen
from desktop_app.ui.support.context import make_desk
from desktop_app.ui.support.first_paint import after_first_paint
from desktop_app.ui.support.tasks import Spawn
from desktop_app.ui.support.window_state import WindowState, remember_theme
from desktop_app.ui.theme import theme
from nodes.api import ResourceType

if TYPE_CHECKING:
    from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
    from desktop_app.ui.chat.chat_panel import ChatPanel
    from desktop_app.ui.command_palette.popup import Everything
    from desktop_app.ui.compare.compare_view import CompareStage
    from desktop_app.ui.compare.controller import Comparing
    from desktop_app.ui.graph.graph_view import GraphView
    from desktop_app.ui.inspector.inspector_panel import Inspector
    from desktop_app.ui.main_window.file_dialogs import WindowFiles
    from desktop_app.ui.main_window.panel_visibility import Panels
    from desktop_app.ui.main_window.popups import Overlays
    from desktop_app.ui.pointing.controller import Pointing
    from desktop_app.ui.pointing.pointing_view import PointPicker
    from desktop_app.ui.replay.controller import Replays
    from desktop_app.ui.results.preview import Preview
    from desktop_app.ui.timeline.timeline_panel import Timeline

_ALL = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY
_INPUT = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.ShortcutOverride, QEvent.Type.DragEnter})


class MainWindow(QMainWindow):
    """`examine` tells what works on this computer; it is called on a thread, after the first paint.

    `spawn` starts a coroutine (by default as a task of the running loop). `conversations` are the kept ones, to be
    opened again. `changed` hears the settings after the user changed them.

    At first there are the bars and the first screen. The parts that `construction` makes come after the first paint, or
    at once when one of them is asked for, or is to be shown, or a key or button is pressed.
    """

    chat: ChatPanel
    alternatives: AlternativesPanel
    graph: GraphView
    preview: Preview
    timeline: Timeline
    inspector: Inspector
    picker: PointPicker
    compare: CompareStage
    panels: Panels
    files: WindowFiles
    pointing: Pointing
    comparing: Comparing
    overlays: Overlays
    replays: Replays
    everything: Everything
    middle: QStackedWidget
    stage: QStackedWidget
    work: QSplitter
    body: QSplitter

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
        self._coming = construction.make(self, conversations, changed)
        self._whole = self._busy_making = self._hurried = self._given_up = False
        self._facts = Facts(self, examine) if examine is not None else None
        self.tool_bar = ToolBar(self.desk)
        self.status = StatusBar(self.desk, Status(planner=planner_words()))
        self.trouble = TroubleBar()
        self.trouble.log_wanted.connect(lambda: self.overlays.show_program_log())
        self.pages = lay_out_frame(self)
        self.first = FirstScreen(self.desk, examples, self.pages)
        self.pages.addWidget(self.first)
        self.restoreGeometry(WindowState().data("geometry"))
        self._show_panels_buttons()
        session.listen(self._on_change)
        self._heard = (self, *self.findChildren(QWidget))  # a filter on the whole application would double the time
        for widget in self._heard:
            widget.installEventFilter(self)
        after_first_paint(self, lambda: self.make_soon(self._look_at_facts))

    # Its parts

    def __getattr__(self, name: str) -> Any:
        """The parts that are not there yet, when one is asked for."""
        if name in construction.PARTS and not self._busy_making:
            self.complete()
            return self.__dict__[name]
        raise AttributeError(f"The window has no {name!r}.")

    def complete(self) -> None:
        """Makes the parts that are not there yet."""
        while not self._whole:
            self._make_next()

    def _make_next(self) -> None:
        self._busy_making = True
        self._whole = next(self._coming, self) is self
        self._busy_making = False
        if self._whole:
            self._hear_no_more()
            self._become_whole()

    def _become_whole(self) -> None:
        """All parts are there."""
        self._on_change(_ALL)

    def give_up(self) -> None:
        """Makes no more parts: the window will never be needed."""
        self._hear_no_more()
        self._given_up = True

    def _hear_no_more(self) -> None:
        for widget in filter(isValid, self._heard):
            widget.removeEventFilter(self)
        self._heard = ()

    def make_soon(self, then: Callable[[], object]) -> None:
        """Makes the parts, between them what the user does meanwhile, and calls `then`; not after `give_up`."""
        if self._given_up:
            return
        if self._whole:
            then()
        else:
            if not self._hurried:  # else one step more would be made between two of those
                self._make_next()
            QTimer.singleShot(0, self, lambda: self.make_soon(then))

    def _look_at_facts(self) -> None:
        if self._facts is not None:
            self.overlays.settings.changed.connect(self._facts.look)
            self._facts.look()

    def eventFilter(self, watched, event: QEvent) -> bool:
        """Who presses something before all parts are there finds them there; letters can be typed without them."""
        if event.type() not in _INPUT:
            return False
        if isinstance(event, QKeyEvent) and event.text() and event.text().isprintable():
            return False
        self.complete() if event.type() == QEvent.Type.DragEnter else self._complete_in_steps()
        gone = not isValid(watched)  # its panel was made anew meanwhile
        if gone:
            event.accept()
        return gone

    def _complete_in_steps(self) -> None:
        """As `complete`, but paints and hears of what goes on meanwhile; what else the user does comes after it."""
        self._hurried = True
        while not (self._whole or self._given_up):
            self._make_next()
            theme.application().processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not event.spontaneous():  # not when it comes back from the task bar, where the view stays as it was
            self._on_change(_ALL)

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
            self.desk.calls.later(self._run())

    async def _run(self) -> None:
        """Where nothing ran because something is missing, what asks for it is shown."""
        before = self.session.run.id
        await self.session.start()
        if self.session.run.id == before and self.session.messages and self.session.messages[-1].open:
            self.show_panel("chat", True)
            self.chat.show_question()

    def ready_to_run(self) -> None:
        """After pointing: what is next, under the next key."""
        if self.tool_bar.run_button.isEnabled():
            self.tool_bar.run_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def pointing_now(self) -> bool:
        """True while the point picker is seen."""
        return self.pages.currentWidget() is not self.first and self.stage.currentWidget() is self.picker

    @property
    def comparing_now(self) -> bool:
        """True while two ways or results are compared."""
        return self.pages.currentWidget() is not self.first and self.stage.currentWidget() is self.compare

    def select(self, id: str) -> None:
        """Shows a node or resource in the graph and in the inspector."""
        self.show_graph()
        self.show_panel("inspector", True)
        self.graph.select((id,))
        self.inspector.show_item((id,))

    def activate(self, id: str) -> None:
        """A double click on a card: its picture large, or its inspector."""
        self.select(id)
        from desktop_app.ui.inspector.pages import outputs_of

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
            self.show_stage(self.work)
            self.preview.show_resource(resource)
            self.middle.setCurrentWidget(self.preview)

    def show_graph(self) -> None:
        """Back to the graph, from pointing or from a large picture; to the first screen when there is no graph."""
        self.show_stage(self.work)
        self.middle.setCurrentWidget(self.graph)
        self._show_page()

    def compose(self, text: str, names: tuple[str, ...]) -> None:
        """Puts a request into the composer that is seen."""
        self.composer.fill(text, names)

    @property
    def composer(self) -> Composer:
        """The one that is seen."""
        return self.first.composer if self.pages.currentWidget() is self.first else self.chat.composer

    def show_panel(self, name: str, on: bool) -> None:
        """Shows or hides "chat", "timeline" or "inspector"."""
        self.panels.show(name, on)

    def save_picture(self) -> None:
        """Asks where to, and saves a picture of the whole graph."""
        from desktop_app.ui.graph.export_image import save_graph_picture

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

    def saved(self, problem: str) -> None:
        """Says that the conversation was saved, or why it could not be."""
        self.status.saved(problem)
        self.tool_bar.saved(problem)

    def take_over(self, before: MainWindow) -> None:
        """What was begun in another window that this one takes the place of."""
        self.first.composer.take_over(before.first.composer)
        self.chat.composer.take_over(before.chat.composer)
        if before.overlays.settings.isVisible():
            self.overlays.show_settings()

    # What the session tells

    def _on_change(self, change: Change) -> None:
        used = self.session.messages or self.session.workflow.nodes
        if self._whole:
            self._show_change(change)
        elif used and self.isVisible():
            self.complete()  # which shows everything

    def _show_change(self, change: Change) -> None:
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
        shown = self.pages.currentWidget() is not self.first
        for button in self.tool_bar.panels.values():
            button.setEnabled(shown)
        self.status.show_graph(shown)

    def show_stage(self, page: QWidget) -> None:
        """Shows a page of the stage: the graph with its panels, the picker, or the comparison."""
        if page is not self.work:
            self.pages.setCurrentWidget(self.body)
        self.stage.setCurrentWidget(page)
        self.panels.fit()
        if page is self.picker:
            self.picker.view.setFocus()

    # Files, keys, closing

    def dragEnterEvent(self, event) -> None:
        if files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        self.files.dropped(files_of(event.mimeData()), self.composer.add_files)
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
        if self._whole:
            self.panels.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._whole:
            self.panels.keep()
            self.replays.close()
        else:
            self.give_up()
        self.desk.loader.wait()
        super().closeEvent(event)
