"""The ways to run a node, one under the other: where, how much memory, what it would download, whether it can run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop_app.models import selection, store
from desktop_app.run.backends import selection as backends
from desktop_app.ui.support import costs, formatting
from desktop_app.ui.support.costs import unmet
from desktop_app.ui.widgets.basic import (
    Button,
    Caption,
    ClickableFrame,
    ElidedLabel,
    Painted,
    Words,
    clear,
    color,
    label,
    mark,
    px,
    row,
    stack,
)
from nodes.api import Backend, Tool


class Radio(Painted, QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._on = False
        self.setFixedSize(px(16), px(16))

    def set_on(self, on: bool) -> None:
        self._on = on
        self.update()

    def paint(self, painter: QPainter) -> None:
        wide = px(4) if self._on else 1.4
        painter.setPen(QPen(color("accent.line" if self._on else "text.tertiary"), wide))
        inset = wide / 2 + 0.3
        painter.drawEllipse(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))


class BackendRow(ClickableFrame):
    def __init__(self, backend: Backend, trouble: str) -> None:
        super().__init__(backend.title)
        self.backend = backend
        self._radio = Radio()
        amount = formatting.size(backend.memory_bytes) if backend.memory_bytes else ""
        top = row(ElidedLabel(backend.title, "heading"), label(amount, "caption"), grow=0)
        text = stack(gap=0)
        text.addLayout(top)
        text.addWidget(Caption(trouble, "state.failed") if trouble else ElidedLabel(costs.facts_of(backend), "caption"))
        self._why = Words()
        self._why.setProperty("role", "caption")
        self._why.hide()
        text.addWidget(self._why)
        layout = row(self._radio, text, gap=10, margins=(10, 5, 10, 6))
        layout.setAlignment(self._radio, Qt.AlignmentFlag.AlignTop)
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self._about = f"{costs.facts_of(backend)} {trouble}".strip()
        self.setAccessibleDescription(self._about)

    def set_on(self, on: bool, why: str = "") -> None:
        """Marks the back end in use; `why` says in a sentence why it was chosen, "" when that is not known."""
        self._why.setText(why if on else "")
        self._why.setVisible(on and bool(why))
        self.setAccessibleDescription(f"{self._about} {self._why.text()}".strip())
        self._radio.set_on(on)
        mark(self, "surface", "chosen" if on else "plain")


class BackendList(QFrame):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self.rows: list[BackendRow] = []
        self._memory = label(self.tr("memory"), "caption")
        head = row(label(self.tr("Back end"), "caption"), None, self._memory, margins=(8, 0, 10, 4))
        column = stack(head, self._make_preferences(), parent=self, gap=2, margins=(8, 10, 8, 10))
        self._rows = stack(gap=2)
        column.addLayout(self._rows)

    def _make_preferences(self) -> QHBoxLayout:
        self.automatic: dict[str, Button] = {}
        names = {
            "fast": (self.tr("Fast"), self.tr("Automatic: what takes least memory of what is here")),
            "balanced": (self.tr("Balanced"), self.tr("Automatic: the best of what is here")),
            "best": (self.tr("Best"), self.tr("Automatic: the best that fits this computer, fetched if need be")),
        }
        for name, (said, tip) in names.items():
            made = self.automatic[name] = Button(said, small=True, tip=tip)
            made.setCheckable(True)
            made.setProperty("choice", True)
            made.setAccessibleDescription(tip)
            made.clicked.connect(lambda _, name=name: self.chosen.emit(name))
        self._automatic = label(self.tr("Automatic"), "caption")
        return row(self._automatic, None, *self.automatic.values(), gap=6, margins=(8, 0, 2, 6))

    def _show_preference(self, tool: Tool, used: str | None) -> None:
        several = len(tool.backends) > 1
        self._automatic.setVisible(several)
        for name, button in self.automatic.items():
            button.setVisible(several)
            button.setChecked(name == (used or "balanced"))

    @store.one_look()
    def show_tool(self, tool: Tool, used: str | None, why: str = "", values: Mapping[str, Any] | None = None) -> None:
        """Shows the back ends of the tool; `used` (None: the one that a run would take) is in use because of `why`.

        `values` are those of the node, whose language may leave only some of them.
        """
        fetched = tuple(selection.fetch_bytes(backend) for backend in tool.backends)
        if self._shown != (tool.id, fetched):
            self._shown = tool.id, fetched
            clear(self._rows)
            self._memory.setVisible(any(backend.memory_bytes for backend in tool.backends))
            self.rows = [BackendRow(backend, unmet(backend)) for backend in tool.backends]
            for made in self.rows:
                made.clicked.connect(lambda id=made.backend.id: self.chosen.emit(id))
                self._rows.addWidget(made)
        self._show_preference(tool, used)
        now = backends.shown(tool, used, values)
        for shown in self.rows:
            shown.set_on(shown.backend.id == now.id, why or _reason(tool, used, now, values))


def _reason(tool: Tool, used: str | None, now: Backend, values: Mapping[str, Any] | None) -> str:
    """Why the program took that back end of several by itself, "" where the user named it."""
    if len(tool.backends) < 2 or (used is not None and used not in selection.PREFERENCES):
        return ""
    ranked = selection.rank(tool, backends.machine(), used or "balanced", selection.language_asked(tool, values))
    return next((formatting.said(one.reason) for one in ranked if one.backend.id == now.id), "")
