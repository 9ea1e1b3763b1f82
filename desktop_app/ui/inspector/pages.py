"""Pages of the inspector beside the values: all results, where they come from, what happened."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.core.values import several
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Workflow
from desktop_app.run.events.events import Items
from desktop_app.run.events.run_record import NodeRun
from desktop_app.storage.resources import Resource
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.log_lines import CAUSE, when
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.widgets.basic import (
    Button,
    ClickableFrame,
    ElidedLabel,
    IconButton,
    Words,
    clear,
    label,
    px,
    row,
    stack,
    surface,
)
from desktop_app.ui.widgets.glyphs import Glyph, state_glyph, type_glyph
from desktop_app.ui.widgets.markdown_view import MarkdownText


def outputs_of(node: NodeRun) -> list[tuple[str, Resource]]:
    """Every result of a node with its output's name, one entry for each of many."""
    return [(name, resource) for name, value in node.outputs.items() for resource in several(value)]


class InspectorPage(QWidget):
    """A column with the padding of the inspector."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.ui = ui
        self._shown: object = None
        self.column = stack(parent=self, margins=(16, 12, 14, 12))

    def changed(self, state: object) -> bool:
        """True, and the page emptied, when `state` is another than the one shown before."""
        if state == self._shown:
            return False
        self._shown = state
        clear(self.column)
        return True


class ResultPage(InspectorPage):
    """Every output with a way to save it; of several items those at work and those that failed."""

    going: GoingItems | None = None
    failed: FailedItems | None = None

    def show_run(self, id: str, node: NodeRun) -> None:
        found = outputs_of(node)
        outdated = node.state == "outdated"
        state = (id, tuple((name, r.name, r.digest) for name, r in found), node.failed, bool(node.going), outdated)
        if self.changed(state):
            self._rebuild(id, node, found)
        if self.going is not None:
            self.going.show_items(node.going)
        if self.failed is not None:
            self.failed.again.setEnabled(not self.ui.session.busy and not self.ui.session.run.running)

    def _rebuild(self, id: str, node: NodeRun, found: list[tuple[str, Resource]]) -> None:
        session = self.ui.session
        self.going = GoingItems(self.ui, id) if node.going else None
        self.failed = FailedItems(node, lambda: self.ui.calls.later(session.try_again(id))) if node.failed else None
        if self.going is not None:
            self.column.addWidget(self.going)
        outdated = node.state == "outdated"
        for name, resource in found:
            self.column.addWidget(self._one(name, resource, outdated))
        if self.failed is not None:
            self.column.addWidget(self.failed)
        if not found and not node.failed and not node.going:
            self.column.addWidget(label(self.tr("There is no result yet."), "secondary"))
        self.column.addStretch(1)

    def show_resource(self, resource: Resource) -> None:
        if self.changed(("resource", resource.name, resource.digest)):
            self.going = self.failed = None
            self.column.addWidget(self._one(self.tr("Attached"), resource, seen=False))
            replace = Button(self.tr("Replace the file…"), "refresh-cw", small=True)
            replace.clicked.connect(lambda: self.ui.signals.replace_file.emit(resource.name))
            self.column.addLayout(row(None, replace))
            self.column.addStretch(1)

    def _one(self, name: str, resource: Resource, faint: bool = False, seen: bool = True) -> QWidget:
        """A result with what can be done with it; not `seen` where it stands above already."""
        frame = QFrame()
        top = row(type_glyph(resource.type), ElidedLabel(formatting.port_label(name), "heading"))
        top.addWidget(label(formatting.facts_of(resource), "caption"))
        top.setStretch(1, 1)
        column = stack(top, parent=frame, gap=6, margins=(0, 0, 0, 8))
        if seen:
            view = ResultView(self.ui, resource, 260, plate=False)
            view.set_faint(faint)
            column.addWidget(view)
        save = Button(self.tr("Save as…"), "download", small=True)
        name = as_saved(self.ui, resource).name
        save.setAccessibleName(self.tr("Save {name} as").format(name=name))
        save.clicked.connect(lambda: self.ui.signals.save_as.emit(resource))
        bottom = row(ElidedLabel(name, "caption"), save, grow=0)
        column.addLayout(bottom)
        return frame


class ProvenancePage(InspectorPage):
    """What fed the node, and what fed that, up to what the user brought."""

    def show_chain(self, id: str) -> None:
        session = self.ui.session
        lines = chain(session.workflow, id)
        states = tuple(session.run.nodes.get(line[1], NodeRun()).state for line in lines)
        if not self.changed((lines, states, id)):
            return
        self.column.setSpacing(px(1))
        if not lines:
            self.column.addWidget(label(self.tr("Nothing feeds it: it stands at the beginning."), "secondary", True))
        for depth, source, port in lines:
            self.column.addWidget(self._line(depth, source, port))
        self.column.addStretch(1)

    def _line(self, depth: int, source: str, port: str) -> QWidget:
        session = self.ui.session
        title = session.workflow.title_of(source, session.tools)
        line = ClickableFrame(title)
        line.clicked.connect(lambda: self.ui.signals.select_node.emit(source))
        layout = row(
            self._glyph(source),
            ElidedLabel(formatting.shorter(title, 30)),
            label(formatting.port_label(port), "caption"),
        )
        layout.setContentsMargins(px(4 + 16 * min(depth, 6)), px(3), px(4), px(3))
        layout.setStretch(1, 1)
        line.setLayout(layout)
        return line

    def _glyph(self, source: str) -> Glyph:
        resource = self.ui.session.workflow.resource(source)
        if resource is not None:
            return type_glyph(resource.type, 12)
        node = self.ui.session.run.nodes.get(source, NodeRun())
        return state_glyph(formatting.state_of(node), node.fraction)


def chain(workflow: Workflow, id: str) -> list[tuple[int, str, str]]:
    """(depth, source, port it feeds) of all that leads to `id`, nearest first, each source once."""
    found: list[tuple[int, str, str]] = []
    seen = {id}

    def walk(target: str, depth: int) -> None:
        for link in workflow.links_into(target):
            if link.source not in seen:
                seen.add(link.source)
                found.append((depth, link.source, link.port))
                if link.output != RESOURCE_OUTPUT and depth < 40:
                    walk(link.source, depth + 1)

    walk(id, 0)
    return found


class LogPage(InspectorPage):
    """What happened to the node, in order; the cause of a failure is folded."""

    def show_run(self, id: str, node: NodeRun) -> None:
        """Shows the log of the run of a node, as it was recorded, else what its record tells."""
        self.ui.log.read()
        lines = [line for line in self.ui.log.lines_of(id, node) if not line.text.startswith(CAUSE)]
        if not self.changed((id, tuple(lines), node.cause)):
            return
        self.column.setSpacing(px(5))
        for line in lines:
            time = label(when(line.at), "caption")
            time.setFixedWidth(px(44))
            said = Words(line.text)
            said.setProperty("role", "small")
            said.set_tone("state.failed" if line.state == "failed" else "")
            layout = row(time, said, gap=6)
            layout.setAlignment(time, Qt.AlignmentFlag.AlignTop)
            layout.setStretch(1, 1)
            self.column.addLayout(layout)
        if not lines:
            self.column.addWidget(label(self.tr("It has not run yet."), "secondary"))
        if node.cause:
            self._add_cause(node.cause)
        self.column.addStretch(1)

    def _add_cause(self, cause: str) -> None:
        fold = Button(self.tr("Technical details"), "chevron-right", "quiet", small=True)
        fold.setCheckable(True)
        copy = IconButton("copy", self.tr("Copy the technical details"), 24)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(cause))
        frame = surface("field")
        text = MarkdownText(plain=True)
        text.set_text(cause)
        frame.setLayout(row(text, margins=(10, 8, 10, 8)))
        frame.hide()
        fold.toggled.connect(frame.setVisible)
        fold.toggled.connect(lambda on: fold.set_icon("chevron-down" if on else "chevron-right"))
        self.column.addLayout(row(fold, None, copy))
        self.column.addWidget(frame)


class GoingItems(QWidget):
    """The rows stay where they are while others come and go, so that a button can be hit."""

    def __init__(self, ui: UiContext, node: str) -> None:
        super().__init__()
        self._ui, self._node = ui, node
        self.stops: dict[int, Button] = {}
        self._rows: dict[int, QWidget] = {}
        self._column = stack(label(self.tr("At work now"), "heading"), parent=self, gap=4, margins=(0, 0, 0, 8))

    def show_items(self, going: Items) -> None:
        now = dict(going)
        for index in [index for index in self._rows if index not in now]:
            del self.stops[index]
            gone = self._rows.pop(index)
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for index, name in going:
            if index not in self._rows:
                self._rows[index] = self._row(index, name)
                self._column.addWidget(self._rows[index])

    def _row(self, index: int, name: str) -> QWidget:
        stop = Button(self.tr("Stop this item"), "stop-solid", small=True, tip=self.tr("The other items go on"))
        stop.setAccessibleName(self.tr("Stop {name}").format(name=name))
        stop.clicked.connect(lambda: self._stop(index))
        self.stops[index] = stop
        holder = QWidget()
        row(state_glyph("running"), ElidedLabel(name, "control"), stop, grow=1, parent=holder)
        return holder

    def _stop(self, index: int) -> None:
        self.stops[index].setEnabled(False)
        self.stops[index].set_words(self.tr("Stopping…"))
        self._ui.calls.now(self._ui.session.stop_item, self._node, index)


class FailedItems(QWidget):
    """Each item without a result with its reason, and a way to try them again."""

    def __init__(self, node: NodeRun, again: Callable[[], None]) -> None:
        super().__init__()
        said = self.tr("{n} of {total} failed").format(n=len(node.failed), total=max(node.items, len(node.failed)))
        column = stack(row(state_glyph("failed"), label(said, "heading"), None), parent=self, margins=(0, 0, 0, 8))
        for name, message in node.failed:
            column.addWidget(ElidedLabel(name, "control"))
            column.addWidget(label(formatting.said(message), "secondary", True))
        tip = self.tr("Compute these, and what depends on them; the others are known")
        self.again = Button(self.tr("Try the failed ones again"), "rotate-cw", small=True, tip=tip)
        self.again.clicked.connect(again)
        column.addLayout(row(self.again, None))
