"""Why a node has no result: what failed, why, and what to do with one main button."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from desktop_app.run.events.run_record import NodeRun
from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import Button, ElidedButton, clear, label, px, row, stack
from desktop_app.ui.widgets.glyphs import state_glyph
from nodes.api import Backend


class FailureCard(QFrame):
    """`retry` runs again up to the node; `use(id)` takes another back end; `show_node(id)` selects the cause;
    `fetch` gets what is lacking; `change(port)` goes to the value of an input.

    `main` is the one primary button; `again` tries again, beside it when the main one does something else.
    """

    retry = Signal()
    use = Signal(str)
    show_node = Signal(str)
    pick = Signal(str)
    change = Signal(str)
    switch_on = Signal()
    fetch = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self._column = stack(parent=self, gap=6, margins=(14, 12, 14, 14))

    def show_failure(
        self,
        title: str,
        node: NodeRun,
        other: Backend | None,
        pick: str = "",
        cost: str = "",
        later: str = "",
        fetch: str = "",
        change: str = "",
    ) -> None:
        """`other` is another back end that can do it, at that `cost`; `pick` the input at fault, if it is pointed at,
        `change` if it has a value, with which the same would fail again.

        `later` says why a click does not run at once, "" when it does; `fetch` names what it lacks and can be fetched.
        """
        if not self._start(("failed", title, node, other, pick, cost, later, fetch, change), "error"):
            return
        self._head("failed", self.tr("{title} failed").format(title=title))
        self._part(self.tr("What"), formatting.said(node.message))
        if node.port:
            port = formatting.port_label(node.port)
            self._part(self.tr("Where"), self.tr("The input “{port}”").format(port=port))
        if node.fix and not fetch:
            self._part(self.tr("What to do"), formatting.said(node.fix))
        self._add_buttons(other, pick, cost, later, fetch, change)

    def _add_buttons(self, other: Backend | None, pick: str, cost: str, later: str, fetch: str, change: str) -> None:
        if fetch:
            self.main = ElidedButton(self.tr("Get {names}").format(names=fetch), "download")
            self.main.clicked.connect(self.fetch)
        elif other is not None:
            text = self.tr("Use {title} instead").format(title=other.title)
            self.main = ElidedButton(text, about=cost)
            self.main.clicked.connect(lambda: self.use.emit(other.id))
        elif pick:
            self.main = Button(self.tr("Point again"), "crosshair", "primary")
            self.main.clicked.connect(lambda: self.pick.emit(pick))
        elif change:
            text = self.tr("Change “{port}”").format(port=formatting.port_label(change))
            self.main = Button(text, "pencil", "primary")
            self.main.clicked.connect(lambda: self.change.emit(change))
        else:
            self.main = Button(self.tr("Try again"), "refresh-cw", "primary")
            self.main.clicked.connect(self.retry)
        self._column.addSpacing(px(4))
        self._column.addWidget(self.main)
        if other is not None and cost:
            self._column.addWidget(label(cost, "caption", True))
            self.main.setAccessibleDescription(cost)
            self.main.setToolTip(cost)
        if later:
            self._column.addWidget(label(later, "caption", True))
        if other is not None or pick or change:
            self.again = Button(self.tr("Try again"), "refresh-cw", small=True)
            self.again.clicked.connect(self.retry)
            self._column.addLayout(row(self.again, None))

    def show_off(self, title: str, muted: bool) -> None:
        """The user switched the node off: `muted`, or else bypassed."""
        if not self._start(("off", title, muted), "raised"):
            return
        self._head("muted" if muted else "bypassed", self.tr("Muted") if muted else self.tr("Bypassed"))
        said = (
            self.tr("{title} and what depends on it is not run.")
            if muted
            else self.tr("{title} is not run; what goes in goes through unchanged.")
        )
        self._column.addWidget(label(said.format(title=title), "secondary", True))
        self.main = Button(self.tr("Switch it on"), "power", small=True)
        self.main.clicked.connect(self.switch_on)
        self._column.addLayout(row(self.main, None))

    def show_skipped(self, title: str, cause: str, because: str, why: str = "") -> None:
        """`cause` is the title of the node `because` for whose sake this one was skipped; `why` as in NodeSkipped."""
        if not self._start(("skipped", title, cause, why), "raised"):
            return
        self._head("skipped", self.tr("Skipped"))
        said = {
            "muted": self.tr("{title} was not run, because {cause} is muted."),
            "bypassed": self.tr("{title} was not run, because {cause} is bypassed and has nothing to pass on to it."),
        }.get(why, self.tr("{title} was not run, because {cause} gave no result."))
        said = said.format(title=title, cause=cause)
        self._column.addWidget(label(said, "secondary", True))
        go = Button(self.tr("Show {title}").format(title=cause), "corner-down-right", small=True)
        go.clicked.connect(lambda: self.show_node.emit(because))
        self._column.addLayout(row(go, None))

    def _start(self, state: object, surface: str) -> bool:
        if state == self._shown:
            return False
        self._shown = state
        clear(self._column)
        self.setProperty("surface", surface)
        self.style().unpolish(self)
        self.style().polish(self)
        return True

    def _head(self, state: str, text: str) -> None:
        layout = row(state_glyph(state, side=16), label(text, "heading", True), grow=1)
        self._column.addLayout(layout)
        self._column.addSpacing(px(2))

    def _part(self, head: str, text: str) -> None:
        self._column.addWidget(label(head, "caption"))
        self._column.addWidget(label(text, "small", True))
