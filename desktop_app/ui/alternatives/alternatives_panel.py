"""The strip above the graph: the ways to do the request, or that the graph is the user's own by now."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu

from desktop_app.graph.user_edits import OwnChanges, own_changes
from desktop_app.session.session import Alternative, Change
from desktop_app.ui.alternatives.alternative_card import HIGH, HIGHER, AlternativeCard
from desktop_app.ui.alternatives.card_strip import CardStrip
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, label, px, row, stack
from desktop_app.ui.widgets.glyphs import KeyHint

_HIGH, _FOLDED, _NARROW = 138, 40, 380


class AlternativesPanel(QFrame):
    """Hidden while there is at most one way. A click chooses; Alt and the arrow keys step.

    When the user has built another graph than the way that was shown, one line says so in place of the cards, which
    `others` shows again.
    """

    needed_changed = Signal()

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._ui = ui
        self._short = False
        self._shown: tuple[Alternative, ...] | None = None
        self._own = OwnChanges()
        self._opened = False
        self._compact = False
        self._in_strip = True
        self.needed = False
        """True while there is a choice."""
        self._heading = label("", "heading")
        self._note = ElidedLabel(self.tr("best first"), "tertiary")
        self._keys = (KeyHint("Alt ←"), KeyHint("Alt →"))
        self._steps = (
            IconButton("chevron-left", self.tr("The way before (Alt+Left)"), 24),
            IconButton("chevron-right", self.tr("The next way (Alt+Right)"), 24),
        )
        for button, by in zip(self._steps, (-1, 1), strict=True):
            button.clicked.connect(lambda _=False, by=by: self.step(by))
        self.compare = Button(
            self.tr("Compare"), "columns-2", "quiet", True, self.tr("Two ways side by side (Ctrl+Shift+C)")
        )
        self.compare.clicked.connect(lambda: ui.signals.compare.emit(()))
        self.others = Button(self.tr("Hide the ways"), "layers", "quiet", True)
        self.others.clicked.connect(self._show_others)
        ways = (*self._keys, *self._steps, self.compare, self.others)
        header = row(self._heading, self._note, *ways, margins=(14, 0, 12, 0), grow=1)
        self._strip = CardStrip()
        self._strip.high_changed.connect(self._arrange)
        stack(header, self._strip, parent=self, grow=1, gap=2, margins=(0, 4, 0, 8))
        ui.listen(self._on_change)
        self._show_all()

    @property
    def cards(self) -> list[AlternativeCard]:
        return self._strip.cards

    def step(self, by: int) -> None:
        """Chooses the next (1) or the one before (-1), around the ends."""
        session = self._ui.session
        if len(session.alternatives) > 1:
            self._choose((session.chosen + by) % len(session.alternatives))

    # One line, or cards

    def set_compact(self, compact: bool) -> None:
        """One line with the name of the way that is shown, in place of the cards."""
        self._compact = compact
        self._arrange()

    def set_in_strip(self, in_strip: bool) -> None:
        """Above or below the graph it is as high as it has use for; elsewhere it takes the room there is."""
        self._in_strip = in_strip
        self._arrange()

    @property
    def own(self) -> bool:
        """True while the graph is the user's own and no longer one of the ways."""
        return bool(self._own)

    @property
    def folded(self) -> bool:
        """True while there is one line only."""
        return self._compact or (self.own and not self._opened)

    def _show_others(self) -> None:
        if self._compact:  # there is no room for the cards
            menu, button = self.others_menu(), self.others  # its right edge below the button's: within the window
            menu.popup(button.mapToGlobal(QPoint(button.width() - menu.sizeHint().width(), button.height() + px(4))))
            return
        self._opened = not self._opened
        self._arrange()

    def others_menu(self) -> QMenu:
        """The ways by name, to go back to one."""
        made = QMenu(self)
        for index, way in enumerate(self._ui.session.alternatives):
            action = made.addAction(formatting.said(way.solution.title))
            action.triggered.connect(lambda _=False, index=index: self._choose(index))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def _arrange(self) -> None:
        folded, own = self.folded, self.own
        high = self._height
        self.setMinimumHeight(high)
        self.setMaximumHeight(high if self._in_strip else 16_777_215)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(0, px(4), 0, px(4 if folded else 8))
        self._strip.setVisible(not folded)
        for widgets, shown in ((self._keys, not folded and not own), (self._steps, self._compact and not own)):
            for widget in widgets:
                widget.setVisible(shown)
        self.compare.setVisible(not (own and folded))
        self.others.setVisible(own)
        self._show_words()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        short = self.width() < px(_NARROW)
        if short != self._short:  # the icon alone: its tooltip and its accessible name say the rest
            self._short = short
            self.compare.setText("" if short else f" {self.tr('Compare')}")

    @property
    def _height(self) -> int:
        return px(_FOLDED if self.folded else _HIGH + (HIGHER - HIGH if self._strip.high else 0))

    def sizeHint(self) -> QSize:
        return QSize(px(600), self._height)

    # Words

    def _show_words(self) -> None:
        session = self._ui.session
        ways = session.alternatives
        title = formatting.said(ways[session.chosen].solution.title) if session.chosen < len(ways) else ""
        text = self.tr("best first")
        if self.own:
            text = self._own_words(title)
        elif self._compact and title:
            text = f"{session.chosen + 1} / {len(ways)} · {title}"
        self._heading.setText(self.tr("Your own graph") if self.own else self._ways_words())
        self._heading.setToolTip(self._what_differs() if title and self.own else "")
        self._note.set_text(text)
        self._say_others(len(ways))

    def _ways_words(self) -> str:
        return self.tr("{n} ways to do this").format(n=len(self._ui.session.alternatives))

    def _own_words(self, title: str) -> str:
        if self._opened and not self._compact:
            return self.tr("choose a way to go back to it; Undo brings your graph again")
        count = len(self._ui.session.workflow.nodes)
        parts = [
            self.tr("changed from “{title}”").format(title=title),
            self.tr("1 node") if count == 1 else self.tr("{n} nodes").format(n=count),
            self.tr("Undo takes the change back") if self._ui.session.can_undo else "",
        ]
        return " · ".join(part for part in parts if part)

    def _what_differs(self) -> str:
        """`Added: Blur`, a line for each kind of change."""
        session = self._ui.session
        way = session.alternatives[session.chosen].workflow
        told = (
            (self.tr("Added: {what}"), session.workflow, self._own.added),
            (self.tr("Taken out: {what}"), way, self._own.removed),
            (self.tr("Joined or switched otherwise: {what}"), session.workflow, self._own.changed),
        )
        lines = []
        for text, flow, ids in told:
            titles = dict.fromkeys(flow.title_of(id, session.tools) for id in ids)
            lines += [text.format(what=", ".join(titles))] if titles else []
        return "\n".join(lines)

    def _say_others(self, count: int) -> None:
        text = self.tr("{n} other ways").format(n=count)
        tip = self.tr("Shows the ways again. Choosing one leaves your graph, and Undo brings it back.")
        if self._opened and not self._compact:
            text, tip = self.tr("Hide the ways"), self.tr("Goes on with your own graph")
        self.others.set_words(text)
        self.others.setToolTip(tip)
        self.others.setAccessibleDescription(tip)

    # What the session tells

    def _on_change(self, change: Change) -> None:
        if change & (Change.PLAN | Change.WORKFLOW):
            self._show_all()

    def _show_all(self) -> None:
        session = self._ui.session
        ways = session.alternatives
        if ways != self._shown:
            self._shown = ways
            self._strip.show_cards([self._card(index, way) for index, way in enumerate(ways)])
        known = session.chosen < len(ways)
        self._own = own_changes(ways[session.chosen].workflow, session.workflow) if known else OwnChanges()
        self._opened = self._opened and self.own
        for index, card in enumerate(self.cards):
            card.set_chosen(index == session.chosen and not self.own)
        if known:
            self._strip.ensureWidgetVisible(self.cards[session.chosen])
        self._arrange()
        if self.needed != (len(ways) > 1):
            self.needed = not self.needed
            self.needed_changed.emit()
        self.setVisible(self.needed)

    def _card(self, index: int, way: Alternative) -> AlternativeCard:
        card = AlternativeCard(self._ui, way, difference(self._ui.session.alternatives[0], way))
        card.clicked.connect(lambda: self._choose(index))
        card.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        card.customContextMenuRequested.connect(lambda place: self.menu(index).popup(card.mapToGlobal(place)))
        return card

    def menu(self, index: int) -> QMenu:
        made = QMenu(self)
        made.addAction(self.tr("Show")).triggered.connect(lambda: self._choose(index))
        compare = made.addAction(self.tr("Compare with shown"))
        compare.setEnabled(index != self._ui.session.chosen)
        compare.triggered.connect(lambda: self._ui.signals.compare.emit((index,)))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def _choose(self, index: int) -> None:
        self._ui.calls.now(self._ui.session.choose, index)


def difference(one: Alternative, other: Alternative) -> tuple[str, ...]:
    """Ids of the nodes of `other` whose tool, or back end, `one` does not have."""
    had = {(node.tool, node.backend) for node in one.workflow.nodes}
    return tuple(node.id for node in other.workflow.nodes if (node.tool, node.backend) not in had)
