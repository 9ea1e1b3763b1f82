"""The ways to run a node, one under the other: where, how much memory, what it would download, whether it can run."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop_app.run import backends
from desktop_app.ui import costs, words
from desktop_app.ui.widgets import Caption, ClickableFrame, ElidedLabel, clear, color, label, mark, px, row
from nodes.api import Backend, Tool

Unmet = Callable[[Backend], str]


def unmet(backend: Backend) -> str:
    """What is missing for the back end to run, as words; "" when nothing is."""
    missing = [name for name in backend.requires if not _there(name)]
    return (
        words.translate("needs {names}").format(names=", ".join(n.removeprefix("python:") for n in missing))
        if missing
        else ""
    )


def _there(name: str) -> bool:
    if name.startswith("python:"):
        return importlib.util.find_spec(name.removeprefix("python:").split(".")[0]) is not None
    return shutil.which(name) is not None


class Radio(QWidget):
    """The ring of a radio button."""

    def __init__(self) -> None:
        super().__init__()
        self._on = False
        self.setFixedSize(px(16), px(16))

    def set_on(self, on: bool) -> None:
        """True fills it."""
        self._on = on
        self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(color("accent.line" if self._on else "text.tertiary"), px(4) if self._on else 1.4))
        painter.drawEllipse(whole.adjusted(1, 1, -1, -1) if self._on else whole)
        painter.end()


class BackendRow(ClickableFrame):
    """One back end."""

    def __init__(self, backend: Backend, trouble: str) -> None:
        super().__init__(backend.title)
        self.backend = backend
        self._radio = Radio()
        amount = words.size(backend.memory_bytes) if backend.memory_bytes else ""
        top = row(ElidedLabel(backend.title, "heading"), label(amount, "caption"))
        top.setStretch(0, 1)
        text = QVBoxLayout()
        text.setSpacing(0)
        text.addLayout(top)
        text.addWidget(Caption(trouble, "state.failed") if trouble else ElidedLabel(costs.facts_of(backend), "caption"))
        layout = row(self._radio, text, gap=10, margins=(10, 5, 10, 6))
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.setAccessibleDescription(f"{costs.facts_of(backend)} {trouble}".strip())
        self._trouble = trouble

    def set_on(self, on: bool) -> None:
        """Marks the back end in use."""
        self._radio.set_on(on)
        mark(self, "surface", "chosen" if on else "panel")
        self.setStyleSheet(
            f"BackendRow {{ background: {color('accent.soft').name() if on else 'transparent'}; border: none;"
            f" border-radius: {px(8)}px; }}"
        )


class BackendList(QFrame):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self, check: Unmet = unmet) -> None:
        super().__init__()
        self._check = check
        self._shown: object = None
        self.rows: list[BackendRow] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(px(8), px(10), px(8), px(10))
        column.setSpacing(px(2))
        head = row(
            label(self.tr("Back end"), "caption"), None, label(self.tr("memory"), "caption"), margins=(8, 0, 10, 4)
        )
        column.addLayout(head)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(px(2))
        column.addLayout(self._rows)

    def show_tool(self, tool: Tool, used: str | None) -> None:
        """Shows the back ends of the tool, `used` (None: the one that a run would take) being in use."""
        if self._shown != tool.id:
            self._shown = tool.id
            clear(self._rows)
            self.rows = [BackendRow(backend, self._check(backend)) for backend in tool.backends]
            for made in self.rows:
                made.clicked.connect(lambda id=made.backend.id: self.chosen.emit(id))
                self._rows.addWidget(made)
        now = backends.shown(tool, used)
        for shown in self.rows:
            shown.set_on(shown.backend.id == now.id)
