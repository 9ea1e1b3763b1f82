"""What is seen before the first message: a place to ask, examples that work at once, what works on this computer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QScrollArea, QWidget

from desktop_app.storage.examples import Example
from desktop_app.ui.chat.composer import Composer
from desktop_app.ui.start.example_card import ExampleCard
from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import Button, clear, divider, label, px, row, scroll_area, stack
from desktop_app.ui.widgets.glyphs import IconTile, state_glyph

if TYPE_CHECKING:
    from desktop_app.session.diagnostics import Diagnosis
    from desktop_app.ui.support.context import UiContext

__all__ = ["Example", "FirstScreen"]

_UNDER = {"Memory": "Device", "Disk": "Tools", "Speech": "Tools", "Model packages": "Tools"}
"""What is said below another fact as long as it works; what does not work stands alone."""
_QUIET, _WORKS_UNSEEN = ("Display", "Python"), ("Bounds of tools",)
"""What is not said here, and what is said only where it is not as it should be: nobody who begins asks for it."""
_CARD = 210
_SIDE, _BESIDE, _SLIM, _AROUND = 340, 900, 640, 48
_ICONS = {
    "Python": "terminal",
    "Device": "cpu",
    "Memory": "memory-stick",
    "Disk": "hard-drive",
    "Display": "monitor",
    "Speech": "speech",
    "Fonts": "type",
    "Tools": "layers",
    "Tool file": "file-x",
    "Planner": "wand-sparkles",
    "Model packages": "box",
    "Network": "globe",
}


class FirstScreen(QFrame):
    """Cards are in as many columns as fit."""

    open_wanted = Signal()
    blank_wanted = Signal()

    def __init__(self, ui: UiContext, examples: Sequence[Example] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self._ui = ui
        self.composer = Composer(ui, large=True)
        self.cards = [ExampleCard(example, ui.loader) for example in examples]
        for card in self.cards:
            card.clicked.connect(lambda card=card: self.take(card.example))
        self._columns = 0
        self._scroll = self._make_scroll()  # from outside in: putting a full widget into another takes long
        inside = self._scroll.widget()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._line = divider(vertical=True)
        self._main, self._side = QWidget(inside), QWidget(inside)
        self._box.addWidget(self._main, 1)
        self._box.addWidget(self._line)
        self._box.addWidget(self._side)
        self._fill_main(self._main)
        self._fill_side(self._side)
        ui.listen(lambda change: self.composer.refresh())

    def take(self, example: Example) -> None:
        """Attaches the example's files, fills the composer with its request and plans it."""
        self.composer.fill(example.request, ())
        self.composer.add_files(example.files)
        if not self.composer.troubled:
            self.composer.send()

    def show_recent(self, found: object) -> None:
        """Shows the latest kept conversations; nothing when there are none."""
        clear(self._recent)
        kept = found if isinstance(found, tuple) else ()
        if kept:
            from desktop_app.ui.history.conversation_list import (
                ConversationRow,  # at the first start there is none to be shown
            )
        for one in kept:
            shown = ConversationRow(self._ui, one, False)
            shown.clicked.connect(partial(self._ui.signals.open_conversation.emit, one.id))
            self._recent.addWidget(shown)
        self._recent_heading.setVisible(bool(kept))
        self.all_recent.setVisible(bool(kept))

    def show_facts(self, facts: Iterable[Diagnosis]) -> None:
        clear(self._facts)
        shown = [fact for fact in facts if fact.name not in _QUIET and not (fact.ok and fact.name in _WORKS_UNSEEN)]
        names = {fact.name for fact in shown}
        below = [fact for fact in shown if fact.ok and _UNDER.get(fact.name) in names]
        for fact in shown:
            if fact in below:
                continue
            self._facts.addWidget(divider())
            action = self.tr("Connect a language model") if fact.name == "Planner" else ""
            made = FactRow(fact, action, [one for one in below if _UNDER[one.name] == fact.name])
            made.settings.clicked.connect(self._ui.signals.show_settings)
            self._facts.addWidget(made)
        bad = [fact for fact in shown if fact.ok is False]
        self._ready.setText(self.tr("Almost ready") if bad else self.tr("Ready on this computer"))

    def _make_scroll(self) -> QScrollArea:
        scroll = scroll_area(QWidget())
        row(scroll, parent=self)
        return scroll

    def _fill_main(self, main: QWidget) -> None:
        title = label(self.tr("What would you like to make?"), "display", True)
        said = self.tr("Say it in words. You see the plan as a graph, with other ways to do it, before anything runs.")
        lead = label(said, "lead", True)
        column = stack(title, lead, 14, self.composer, 16, parent=main, gap=6)
        self._grid = QGridLayout()
        self._grid.setSpacing(px(16))
        tip = self.tr("Open a workflow from a file (Ctrl+O)")
        self.open_workflow = Button(self.tr("Open workflow…"), "folder-open", "quiet", small=True, tip=tip)
        self.open_workflow.clicked.connect(lambda: self.open_wanted.emit())
        tip = self.tr("An empty graph, to be built by hand")
        self.blank = Button(self.tr("Blank canvas"), "plus", "quiet", small=True, tip=tip)
        self.blank.clicked.connect(lambda: self.blank_wanted.emit())
        heading = label(self.tr("Try one of these") if self.cards else "", "title")
        self._note = label(self.tr("they work without any set-up") if self.cards else "", "tertiary")
        column.addLayout(row(heading, self._note, None, self.blank, self.open_workflow))
        column.addSpacing(px(4))
        column.addLayout(self._grid)
        column.addStretch(1)

    def _fill_side(self, side: QWidget) -> None:
        self._ready = label(self.tr("Looking at this computer…"), "title")
        said = self.tr("Everything on the left works now, without an account, a key or a download.")
        self._facts, self._recent = stack(gap=10), stack(gap=2)
        self._recent_heading = label(self.tr("Recent"), "caption")
        self.all_recent = Button(self.tr("Show all"), "", "quiet", small=True)
        self.all_recent.setAccessibleName(self.tr("All conversations"))
        recent = row(self._recent_heading, None, self.all_recent)
        stack(
            self._ready, label(said, "note", True), 8, self._facts, 10, recent, self._recent, None, parent=side, gap=4,
            margins=(24, 28, 24, 16),
        )  # fmt: skip
        self.show_recent(())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        slim = self.width() < px(_SLIM)
        column = self._main.layout()
        assert column is not None
        column.setContentsMargins(*map(px, (20, 20, 20, 20) if slim else (_AROUND, 34, _AROUND, 24)))
        self._note.setHidden(slim)
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        least = self._main.minimumSizeHint().width() + px(_SIDE) + bar  # the words of the buttons need their room
        beside = self.width() >= max(px(_BESIDE), least)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._box.setDirection(direction)
        self._line.setVisible(beside)
        self._side.setFixedWidth(px(_SIDE)) if beside else self._side.setMinimumWidth(0)
        if not beside:
            self._side.setMaximumWidth(1 << 20)
        room = self.width() - (px(_SIDE) if beside else 0) - px(40 if slim else 2 * _AROUND)
        columns = max(1, min(4, room // px(_CARD)))
        if columns != self._columns:
            self._columns = columns
            for index, card in enumerate(self.cards):
                self._grid.addWidget(card, index // columns, index % columns, Qt.AlignmentFlag.AlignTop)
            if self.cards:
                self.setTabOrder(self.cards[-1], self.blank)
                self.setTabOrder(self.blank, self.open_workflow)
            for place in range(4):
                self._grid.setColumnStretch(place, 1 if place < columns else 0)
        if self.cards:
            wide = (room - (columns - 1) * px(16)) / columns
            more = self._room_below(wide) if beside else 0
            for card in self.cards:
                card.show_wide(wide, more)

    def _room_below(self, wide: float) -> int:
        """What each row of cards of that width would leave free below: a large screen is not left empty."""
        rows, card, column = -(-len(self.cards) // self._columns), self.cards[0], self._main.layout()
        assert column is not None
        now = column.totalHeightForWidth(self.width() - px(_SIDE))
        return max(0, self.height() - now + rows * (card.minimumHeight() - card.height_for(wide))) // rows

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._scroll.verticalScrollBar().setValue(0)
        self.composer.field.setFocus()


class FactRow(QWidget):
    """An icon, a name with its state, a sentence, and what to do; with `action` as a button to the settings.

    `below` are facts that work and belong to it.
    """

    def __init__(self, fact: Diagnosis, action: str = "", below: Sequence[Diagnosis] = ()) -> None:
        super().__init__()
        state = {True: "done", False: "failed", None: "waiting"}[fact.ok]
        text = stack(row(label(self.tr(fact.name), "heading"), state_glyph(state), None), gap=2)
        about, fix = formatting.said(fact.text), formatting.said(fact.fix)
        text.addWidget(label(about[:1].upper() + about[1:], "note", True))
        self.settings = Button(action, small=True)
        if fact.name == "Tools" and fact.ok:
            fix = self.tr("Each says how large its model is before anything is fetched.")  # not a command to be typed
        if fix and not (action and fact.ok):
            text.addWidget(label(fix, "caption", True))
        also = [formatting.pair(self.tr(one.name), formatting.said(one.text)) for one in below]
        for line in also:
            text.addWidget(label(line, "caption", True))
        if action:
            text.addSpacing(px(4))
            text.addLayout(row(self.settings, None))
        else:
            self.settings.hide()
        tile = IconTile(_ICONS.get(fact.name, "box"), None, 30)
        layout = row(tile, text, gap=12, margins=(0, 4, 0, 0), grow=1, parent=self)
        layout.setAlignment(tile, Qt.AlignmentFlag.AlignTop)
        said = {True: self.tr("works"), False: self.tr("does not work"), None: self.tr("not needed")}[fact.ok]
        self.setAccessibleName(f"{self.tr(fact.name)}: {said}. {' '.join((about, fix, *also))}".strip())
