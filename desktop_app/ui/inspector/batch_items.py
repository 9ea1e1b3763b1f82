"""Items of a node that runs once for each of several: those at work, to be stopped alone, and those that failed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from desktop_app.run.events.events import Items
from desktop_app.run.events.run_record import NodeRun
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, label, row, stack
from desktop_app.ui.widgets.glyphs import state_glyph


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
