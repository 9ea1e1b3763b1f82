"""The inspector on the right: all about the selected node or resource, and its values to change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QTabBar, QWidget

from desktop_app.graph.workflow import Node
from desktop_app.run.backends import selection
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.services import mask_preview
from desktop_app.session.messages import reason_for
from desktop_app.session.session import Change
from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.items.card_model import where
from desktop_app.ui.inspector.backend_list import BackendList
from desktop_app.ui.inspector.failure_card import FailureCard
from desktop_app.ui.inspector.pages import LogPage, ProvenancePage, ResultPage, outputs_of
from desktop_app.ui.inspector.result_header import ResultHeader
from desktop_app.ui.inspector.values_page import ValuesPage
from desktop_app.ui.support import costs, formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import (
    Button,
    ElidedLabel,
    divider,
    label,
    px,
    row,
    scroll_area,
    stack,
)
from desktop_app.ui.widgets.glyphs import IconTile
from nodes.api import ResourceType

VALUES, RESULT, PROVENANCE, LOG = range(4)


class Inspector(QFrame):
    """Shows the node or resource of `show_item`; edits go to the session."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._ui = ui
        self.item = ""
        self._others = 0
        self._next: tuple[str, Callable[[], None]] | None = None
        self.values = ValuesPage(ui)
        self.result, self.provenance, self.log = ResultPage(ui), ProvenancePage(ui), LogPage(ui)
        self.backends = BackendList()
        self.failure = FailureCard()
        self.hero = ResultHeader(ui)
        self._forced = False  # onto the result of a file, which has no values
        self._build()
        self._connect()
        ui.listen(self._on_change)
        ui.run_clock.tick.connect(self._beat)
        ui.log.changed.connect(self._log_came)
        self.refresh()

    def _build(self) -> None:
        column = stack(self._make_header(), divider(), self._make_body(), parent=self, grow=2, gap=0)
        column.addWidget(self._make_empty(), 1)
        self._foot = QWidget()
        foot = stack(divider(), parent=self._foot, gap=0)
        self.run_to = Button(self.tr("Run to here"), "play-solid", tip=self.tr("Run this node and what it needs"))
        foot.addLayout(row(None, self.run_to, margins=(12, 9, 12, 9)))
        column.addWidget(self._foot)

    def _make_header(self) -> QWidget:
        header = QWidget()
        header.setFixedHeight(px(40))
        self._tile = IconTile("box", None, 22)
        self._title = ElidedLabel(role="title")
        row(self._tile, self._title, gap=9, margins=(16, 0, 12, 0), grow=1, parent=header)
        return header

    def _make_body(self) -> QWidget:
        inside = QWidget()
        self._top = stack(self.failure, self.hero, gap=10, margins=(12, 12, 12, 8))
        column = stack(self._top, parent=inside, gap=0)
        self.tabs = QTabBar(expanding=False, usesScrollButtons=False, elideMode=Qt.TextElideMode.ElideNone)
        self.tabs.setAccessibleName(self.tr("Pages of the inspector"))
        for name in (self.tr("Values"), self.tr("Result"), self.tr("Made from"), self.tr("Log")):
            self.tabs.addTab(name)
        column.addLayout(row(self.tabs, margins=(12, 2, 0, 0)))
        column.addWidget(divider())
        self._pages = (self.values, self.result, self.provenance, self.log)
        for page in self._pages:
            column.addWidget(page)
        self._line = divider()
        column.addWidget(self._line)
        column.addWidget(self.backends)
        column.addStretch(1)
        self._body = scroll_area(inside)
        return self._body

    def _make_empty(self) -> QWidget:
        self._empty = QWidget()
        self._hint = label("", "secondary", True)
        inside = QWidget()
        stack(self._hint, None, parent=inside, margins=(16, 14, 16, 16))
        stack(scroll_area(inside), parent=self._empty)
        return self._empty

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.refresh)
        self.backends.chosen.connect(self._take_backend)
        self.run_to.clicked.connect(lambda: self._ui.signals.run_to.emit(self.item))
        self.failure.retry.connect(self._try_again)
        self.failure.use.connect(self._use_instead)
        self.failure.pick.connect(lambda port: self._ui.signals.pick_port.emit(self.item, port))
        self.failure.fetch.connect(self._fetch)
        self.failure.change.connect(self.edit_values)
        self.failure.switch_on.connect(self._switch_on)
        self.failure.show_node.connect(self._ui.signals.select_node)

    def show_item(self, ids: tuple[str, ...]) -> None:
        """Shows the first of the ids (of nodes, or names of resources); nothing for none."""
        item = ids[0] if ids else ""
        self._others = len(ids) - 1
        if item != self.item:
            self.item = item
            failed = self._ui.session.run.nodes.get(item, NodeRun()).state == "failed"
            page = VALUES if self._forced else self.tabs.currentIndex()
            self._forced = False
            self._go(LOG if failed else VALUES if page == LOG else page)
        self.refresh()

    def refresh(self) -> None:
        session = self._ui.session
        node = session.workflow.find(self.item)
        resource = session.workflow.resource(self.item)
        self._body.setVisible(node is not None or resource is not None)
        self._empty.setVisible(node is None and resource is None)
        self._foot.setVisible(node is not None)
        if node is not None:
            self._show_node(node)
        elif resource is not None:
            self._show_resource(resource)
        else:
            self._show_nothing()

    def _on_change(self, change: Change) -> None:
        if change & (Change.WORKFLOW | Change.RUN | Change.RESOURCES | Change.BUSY):
            self.refresh()
        if change & (Change.RUN | Change.BUSY):
            self._go_on()

    def _beat(self) -> None:
        if self._ui.session.run.nodes.get(self.item, NodeRun()).state == "running":
            self.refresh()

    def _log_came(self) -> None:
        node = self._ui.session.workflow.resource(self.item) is None
        if self.item and node and self.tabs.currentIndex() == LOG:
            self.refresh()

    def _show_nothing(self) -> None:
        self._tile.hide()
        self._title.set_text(self.tr("Inspector"))
        workflow = self._ui.session.workflow
        gaps = workflow.missing(self._ui.session.tools)
        if gaps:
            lines = [
                self.tr("{title}: {port}").format(
                    title=workflow.title_of(gap.node, self._ui.session.tools),
                    port=formatting.port_label(gap.port.name).lower(),
                )
                for gap in gaps
            ]
            self._hint.setText(self.tr("Still to fill in:") + "\n\n" + "\n".join(lines))
        elif self._ui.session.workflow.nodes:
            self._hint.setText(self.tr("Select a node to see its result, change its values or its back end."))
        else:
            self._hint.setText(self.tr("The graph is empty. Ask for something in the chat, or add a node with Tab."))

    def _show_node(self, node: Node) -> None:
        session = self._ui.session
        tool = session.tools.get(node.tool)
        run = session.run.nodes.get(node.id, NodeRun())
        title = session.workflow.title_of(node.id, session.tools)
        more = self.tr("  + {n} more").format(n=self._others) if self._others > 0 else ""
        self._title.set_text(title + more)
        first = tool.outputs[0].type if tool and tool.outputs else None
        self._tile.show_icon((tool.icon if tool else "") or "box", first)
        self._tile.show()
        self._show_outcome(node, run, title)
        self._show_pages(tool is not None)
        page = self.tabs.currentIndex()
        if page == VALUES and tool is not None:
            self.values.show_node(node, tool)
            self.backends.show_tool(tool, node.backend, self._why(node.id), node.values)
        elif page == RESULT:
            self.result.show_run(node.id, run)
        elif page == PROVENANCE:
            self.provenance.show_chain(node.id)
        elif page == LOG:
            self.log.show_run(node.id, run)
        self.run_to.setEnabled(tool is not None and not session.run.running)

    def _why(self, node: str) -> str:
        """Why the planner chose the back end of the node, "" when it did not."""
        session = self._ui.session
        if session.chosen >= len(session.alternatives):
            return ""
        return formatting.said(reason_for(session.alternatives[session.chosen], session.workflow, node))

    def _show_outcome(self, node: Node, run: NodeRun, title: str) -> None:
        session = self._ui.session
        tool = session.tools.get(node.tool)
        self.failure.setVisible(run.state in ("failed", "skipped") or tool is None or bool(node.mode))
        if node.mode:
            self.failure.show_off(title, node.mode == "mute")
        elif tool is None:
            missing = NodeRun("failed", message=self.tr("The tool “{id}” is not installed here.").format(id=node.tool))
            self.failure.show_failure(title, missing, None)
        elif run.state == "failed":
            port = tool.input(run.port)
            pick = run.port if port is not None and port.type in (ResourceType.POINTS, ResourceType.BOXES) else ""
            meant = mask_preview.unclear(session.workflow, session.tools, Run(nodes={node.id: run}))
            pick = meant[1] if meant is not None else pick
            other = tool.backend(run.other) if run.other else None
            usual = session.usual_seconds(tool.id, other.id, node.id) if other is not None else None
            cost = costs.of_backend(other, usual) if other is not None else ""
            offer = selection.lacking(tool, node.backend, node.values) if run.model else None
            fetch = formatting.said(offer.names) if offer else ""
            change = run.port if node.values.get(run.port) is not None and not pick else ""
            self.failure.show_failure(title, run, other, pick, cost, self._later(), fetch, change)
        elif run.state == "skipped":
            cause = session.workflow.title_of(run.because, session.tools)
            self.failure.show_skipped(title, cause, run.because, run.cause)
        found = outputs_of(run)
        place = where(node, tool, run) if tool is not None else ""
        here = self.tabs.currentIndex() == RESULT  # the page shows it already
        self.hero.show_run(run, found[0][1] if found and not here else None, self._ui.run_clock.now, place)

    def edit_values(self, port: str = "") -> None:
        """Gives the keyboard to the value of that input, or to the first one."""
        self.tabs.setCurrentIndex(VALUES)
        self.refresh()
        self._focus_value(port)
        QTimer.singleShot(0, self, lambda: self._focus_value(port))  # what was made just now is seen only then

    def _focus_value(self, port: str) -> None:
        editors = [self.values.editors[port]] if port in self.values.editors else [*self.values.editors.values()]
        fields = [field for editor in editors for field in (editor, *editor.findChildren(QWidget))]
        takers = (field for field in fields if field.focusPolicy() & Qt.FocusPolicy.TabFocus and field.isVisible())
        next(takers, self.tabs).setFocus(Qt.FocusReason.TabFocusReason)

    def _switch_on(self) -> None:
        session = self._ui.session
        node = replace(session.workflow.node(self.item), mode="")
        self._ui.calls.now(session.edit, session.workflow.with_node(node))

    def _show_resource(self, resource: Resource) -> None:
        self._title.set_text(resource.name)
        self._tile.show_icon("file", resource.type)
        self._tile.show()
        self.failure.hide()
        self.hero.show_resource(resource, self._ui.session.points.get(resource.name, ()))
        self._show_pages(False)
        if self.tabs.currentIndex() == RESULT:
            self.result.show_resource(resource)
        elif self.tabs.currentIndex() == PROVENANCE:
            self.provenance.show_chain(resource.name)

    def _show_pages(self, values: bool) -> None:
        node = self._ui.session.workflow.resource(self.item) is None
        self._forced = self._forced or (not values and self.tabs.currentIndex() == VALUES)
        for page, seen in ((VALUES, values), (LOG, node)):
            if self.tabs.isTabVisible(page) != seen:  # saying the same again, Qt forgets that the tabs are to be placed
                self.tabs.setTabVisible(page, seen)
        if not self.tabs.isTabVisible(self.tabs.currentIndex()):
            self._go(RESULT)
        for index, page in enumerate(self._pages):
            page.setVisible(index == self.tabs.currentIndex())
        shown = values and self.tabs.currentIndex() == VALUES
        self._line.setVisible(shown)
        self.backends.setVisible(shown)

    def _go(self, page: int) -> None:
        blocked = self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(page)
        self.tabs.blockSignals(blocked)

    def _take_backend(self, id: str) -> None:
        session = self._ui.session
        node = session.workflow.node(self.item)
        self._ui.calls.now(session.edit, session.workflow.with_node(replace(node, backend=id)))

    def _fetch(self) -> None:
        """Gets what the node lacks; above a limit of the settings that is asked in the chat first."""
        session = self._ui.session
        decide = session.to_decide(self.item) is not None
        self._ui.calls.later(session.start(self.item) if decide else session.get_for(self.item))

    def _use_instead(self, id: str) -> None:
        self._take_backend(id)
        self._run_when_free(self._ui.signals.run.emit)

    def _try_again(self) -> None:
        self._run_when_free(partial(self._ui.signals.run_to.emit, self.item))

    def _run_when_free(self, run: Callable[[], None]) -> None:
        """Runs at once, or as soon as the present run has ended: what failed may do so long before the rest ends."""
        if self._busy():
            self._next = (self._ui.session.run.id, run)
            self.refresh()
        else:
            run()

    def _busy(self) -> bool:
        return self._ui.session.run.running or bool(self._ui.session.busy)

    def _later(self) -> str:
        """Why a click on the failure's button does not run at once."""
        if self._next is not None:
            return self.tr("It runs as soon as the present run has ended.")
        return self.tr("The present run goes on; it runs after that.") if self._busy() else ""

    def _go_on(self) -> None:
        """What was asked for during the run that has just ended."""
        if self._next is not None and not self._busy():
            (id, run), self._next = self._next, None
            if id == self._ui.session.run.id:
                run()
