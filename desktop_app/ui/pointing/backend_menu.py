"""Which back end finds the mask while the user points, what it costs, and a menu of the others.

Must not know sessions.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QMenu

from desktop_app.run.backends import selection
from desktop_app.ui.support import costs
from desktop_app.ui.support.costs import unmet
from desktop_app.ui.widgets.basic import Button, Caption, ElidedLabel, divider, label, px, row, stack
from nodes.api import Backend, Tool


class BackendChoice(QFrame):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._tool: Tool | None = None
        self._now: Backend | None = None
        self._usual: Callable[[Backend], float | None] = lambda backend: None
        self._heading = label(self.tr("Back end"), "caption")
        self.title = ElidedLabel(role="heading")
        self.facts = label("", "caption", True)
        self.trouble = Caption("", "state.failed")
        self.change = Button(self.tr("Change"), "chevron-down", small=True, tip=self.tr("Find the mask another way"))
        self.change.clicked.connect(self.open)
        text = stack(gap=0)
        for part in (self._heading, self.title, self.facts, self.trouble):
            text.addWidget(part)
        line = row(text, self.change, gap=8, margins=(16, 8, 16, 10), grow=0)
        stack(divider(), line, parent=self, gap=0)
        self.hide()

    def set_small(self, small: bool) -> None:
        self._heading.setVisible(not small)
        self.facts.setVisible(not small)

    def show_tool(
        self,
        tool: Tool | None,
        id: str | None = None,
        changeable: bool = False,
        usual: Callable[[Backend], float | None] | None = None,
    ) -> None:
        """The tool that finds the mask, on the back end `id` (None: the one that a run would take); None hides all.

        `usual(backend)` is how long it took before, in seconds, None when that is not known.
        """
        self._tool, self._usual = tool, usual or self._usual
        self.setVisible(tool is not None)
        if tool is None:
            return
        now = self._now = selection.shown(tool, id)
        said, trouble = costs.of_backend(now, self._usual(now)), unmet(now)
        self.title.set_text(now.title)
        self.title.setToolTip(f"{now.title}\n{said}")
        self.facts.setText(said)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self.change.setVisible(changeable and len(tool.backends) > 1)
        self.change.setAccessibleName(self.tr("Change the back end, now {name}").format(name=now.title))

    def menu(self) -> QMenu:
        """Every back end with what it costs; the one in use is marked."""
        made = QMenu(self)
        group = QActionGroup(made)
        for backend in self._tool.backends if self._tool else ():
            cost = unmet(backend) or costs.of_backend(backend, self._usual(backend))
            action = made.addAction(f"{backend.title}  ·  {cost}".replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(backend is self._now)
            group.addAction(action)
            action.triggered.connect(lambda _=False, id=backend.id: self._take(id))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def open(self) -> None:
        menu = self.menu()
        size = menu.sizeHint()
        menu.popup(self.change.mapToGlobal(QPoint(self.change.width() - size.width(), -size.height() - px(4))))

    def _take(self, id: str) -> None:
        if self._now is None or id != self._now.id:
            self.chosen.emit(id)
