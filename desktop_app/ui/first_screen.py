"""What is seen before the first message: a place to ask, examples that work at once, what works on this computer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_app.examples import Example
from desktop_app.ui import words
from desktop_app.ui.composer import Composer
from desktop_app.ui.conversation_list import ConversationRow
from desktop_app.ui.desk import Desk
from desktop_app.ui.example_card import ExampleCard
from desktop_app.ui.glyphs import IconTile, state_glyph
from desktop_app.ui.widgets import Button, clear, divider, label, px, row

__all__ = ["Example", "Fact", "FirstScreen"]

_CARD = 210
_SIDE, _BESIDE = 340, 900
_ICONS = {
    "Python": "terminal",
    "Device": "cpu",
    "Memory": "memory-stick",
    "Disk": "hard-drive",
    "Display": "monitor",
    "Speech": "speech",
    "Tools": "layers",
    "Tool file": "file-x",
    "Planner": "wand-sparkles",
    "Model packages": "box",
    "Network": "globe",
}


class Fact(Protocol):
    """Something about this computer. `ok` is None for what is not needed, but would add to it."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def ok(self) -> bool | None: ...
    @property
    def fix(self) -> str: ...


class FirstScreen(QFrame):
    """Cards are in as many columns as fit."""

    def __init__(self, desk: Desk, examples: Sequence[Example] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self._desk = desk
        self.composer = Composer(desk, large=True)
        self.cards = [ExampleCard(example, desk.loader) for example in examples]
        for card in self.cards:
            card.clicked.connect(lambda card=card: self.take(card.example))
        self._columns = 0
        self._scroll = self._make_scroll()  # from outside in: putting a full widget into another takes long
        inside = self._scroll.widget()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._line = divider(vertical=True)
        main, self._side = QWidget(inside), QWidget(inside)
        self._box.addWidget(main, 1)
        self._box.addWidget(self._line)
        self._box.addWidget(self._side)
        self._fill_main(main)
        self._fill_side(self._side)
        desk.session.listen(lambda change: self.composer.refresh())

    def take(self, example: Example) -> None:
        """Attaches the example's files, fills the composer with its request and plans it."""
        self.composer.fill(example.request, ())
        self.composer.add_files(example.files)
        if not self.composer.troubled:
            self.composer.send()

    def ensure_seen(self, card: QWidget) -> None:
        """Scrolls until the card is seen."""
        self._scroll.ensureWidgetVisible(card)

    def show_recent(self, found: object) -> None:
        """Shows the latest kept conversations; nothing when there are none."""
        clear(self._recent)
        kept = found if isinstance(found, tuple) else ()
        for one in kept:
            shown = ConversationRow(self._desk, one, False)
            shown.clicked.connect(partial(self._desk.wishes.open_conversation.emit, one.id))
            self._recent.addWidget(shown)
        self._recent_heading.setVisible(bool(kept))
        self.all_recent.setVisible(bool(kept))

    def show_facts(self, facts: Iterable[Fact]) -> None:
        """Shows what works on this computer, and what to do about what does not."""
        clear(self._facts)
        shown = [fact for fact in facts if fact.name not in ("Display", "Python")]
        for fact in shown:
            self._facts.addWidget(divider())
            made = FactRow(fact, self.tr("Connect a language model") if fact.name == "Planner" else "")
            made.settings.clicked.connect(self._desk.wishes.show_settings)
            self._facts.addWidget(made)
        bad = [fact for fact in shown if fact.ok is False]
        self._ready.setText(self.tr("Almost ready") if bad else self.tr("Ready on this computer"))

    def _make_scroll(self) -> QScrollArea:
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(QWidget())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        return scroll

    def _fill_main(self, main: QWidget) -> None:
        column = QVBoxLayout(main)
        column.setContentsMargins(px(48), px(34), px(48), px(24))
        column.setSpacing(px(6))
        column.addWidget(label(self.tr("What would you like to make?"), "display", True))
        said = self.tr("Say it in words. You see the plan as a graph, with other ways to do it, before anything runs.")
        column.addWidget(label(said, "lead", True))
        column.addSpacing(px(14))
        column.addWidget(self.composer)
        column.addSpacing(px(16))
        self._grid = QGridLayout()
        self._grid.setSpacing(px(16))
        if self.cards:
            heading = label(self.tr("Try one of these"), "title")
            note = label(self.tr("they work without any set-up"), "tertiary")
            column.addLayout(row(heading, note, None))
            column.addSpacing(px(4))
            column.addLayout(self._grid)
        column.addStretch(1)

    def _fill_side(self, side: QWidget) -> None:
        column = QVBoxLayout(side)
        column.setContentsMargins(px(24), px(28), px(24), px(16))
        column.setSpacing(px(4))
        self._ready = label(self.tr("Looking at this computer…"), "title")
        column.addWidget(self._ready)
        said = self.tr("Everything on the left works now, without an account, a key or a download.")
        column.addWidget(label(said, "note", True))
        column.addSpacing(px(8))
        self._facts = QVBoxLayout()
        self._facts.setSpacing(px(10))
        column.addLayout(self._facts)
        column.addSpacing(px(10))
        self._recent_heading = label(self.tr("Recent"), "caption")
        self.all_recent = Button(self.tr("Show all"), "", "quiet", small=True)
        self.all_recent.setAccessibleName(self.tr("All conversations"))
        self._recent = QVBoxLayout()
        self._recent.setSpacing(px(2))
        column.addLayout(row(self._recent_heading, None, self.all_recent))
        column.addLayout(self._recent)
        column.addStretch(1)
        self.show_recent(())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        beside = self.width() >= px(_BESIDE)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._box.setDirection(direction)
        self._line.setVisible(beside)
        self._side.setFixedWidth(px(_SIDE)) if beside else self._side.setMinimumWidth(0)
        if not beside:
            self._side.setMaximumWidth(1 << 20)
        room = self.width() - (px(_SIDE) if beside else 0) - px(96)
        columns = max(1, min(4, room // px(_CARD)))
        if columns != self._columns:
            self._columns = columns
            for index, card in enumerate(self.cards):
                self._grid.addWidget(card, index // columns, index % columns, Qt.AlignmentFlag.AlignTop)
            for place in range(4):
                self._grid.setColumnStretch(place, 1 if place < columns else 0)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._scroll.verticalScrollBar().setValue(0)
        self.composer.field.setFocus()


class FactRow(QWidget):
    """An icon, a name with its state, a sentence, and what to do; with `action` as a button to the settings."""

    def __init__(self, fact: Fact, action: str = "") -> None:
        super().__init__()
        text = QVBoxLayout()
        text.setSpacing(px(2))
        state = {True: "done", False: "failed", None: "waiting"}[fact.ok]
        text.addLayout(row(label(self.tr(fact.name), "heading"), state_glyph(state), None))
        about, fix = words.said(fact.text), words.said(fact.fix)
        text.addWidget(label(about[:1].upper() + about[1:], "note", True))
        self.settings = Button(action, small=True)
        if fix and not (action and fact.ok):
            text.addWidget(label(fix, "caption", True))
        if action:
            text.addSpacing(px(4))
            text.addLayout(row(self.settings, None))
        else:
            self.settings.hide()
        tile = IconTile(_ICONS.get(fact.name, "box"), None, 30)
        layout = row(tile, text, gap=12, margins=(0, 4, 0, 0))
        layout.setAlignment(tile, Qt.AlignmentFlag.AlignTop)
        layout.setStretch(1, 1)
        self.setLayout(layout)
        said = {True: self.tr("works"), False: self.tr("does not work"), None: self.tr("not needed")}[fact.ok]
        self.setAccessibleName(f"{self.tr(fact.name)}: {said}. {about} {fix}".strip())
