"""The strip above the graph: the ways to do the request, or that the graph is the user's own by now."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QWidget

from desktop_app.graph.user_edits import is_own
from desktop_app.session.session import Alternative, Change
from desktop_app.ui.alternatives.alternative_card import DENSE, HIGH, HIGHER, WIDE, AlternativeCard
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, clear, label, px, row, stack
from desktop_app.ui.widgets.glyphs import KeyHint

_HIGH, _FOLDED, _NARROW = 138, 40, 380

_GAP, _MARGIN = 10, 12
_SCROLLED = 208
"""Where they have to scroll anyway, cards are wide enough for their costs."""
_PEEK = 76
"""So much of the card beyond is seen after a step, and lies below the button."""


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
        self.own = False
        """True while the graph is the user's own and no longer one of the ways."""
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
        self._heading.setVisible(own or not (folded and self._short))  # the note has its room
        self._note.setVisible(not (own and self._short))
        self._show_words()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        short = self.width() < px(_NARROW)
        if short != self._short:  # the icon alone: its tooltip and its accessible name say the rest
            self._short = short
            self.compare.setText("" if short else f" {self.tr('Compare')}")
            self._arrange()

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
        self._heading.setText(
            self.tr("Your own graph")
            if self.own
            else self.tr("{n} ways to do this").format(n=len(self._ui.session.alternatives))
        )
        self._note.set_text(text)
        self._say_others(len(ways))

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

    def _say_others(self, count: int) -> None:
        text = self.tr("{n} other ways").format(n=count)
        tip = self.tr("Shows the ways again. Choosing one leaves your graph, and Undo brings it back.")
        if self._opened and not self._compact:
            text, tip = self.tr("Hide the ways"), self.tr("Goes on with your own graph")
        self.others.set_words("" if self._short else text)
        self.others.setAccessibleName(text)
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
        self.own = known and is_own(ways[session.chosen].workflow, session.workflow)
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


class CardStrip(QScrollArea):
    """`more` are the buttons at its left and right edge: how many cards are not wholly seen there. It is `high` while a
    title takes two lines.
    """

    high_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its cards have it
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would cover the costs
        self.cards: list[AlternativeCard] = []
        self.high = False
        inside = QWidget()
        self._row = row(gap=_GAP, margins=(_MARGIN, 0, _MARGIN, 0), parent=inside)
        self.setWidget(inside)
        self.viewport().installEventFilter(self)
        self.more = tuple(self._make_more(icon) for icon in ("chevron-left", "chevron-right"))
        for button, by in zip(self.more, (-1, 1), strict=True):
            button.clicked.connect(lambda _=False, by=by: self._reveal(by))
        bar = self.horizontalScrollBar()
        bar.valueChanged.connect(self._show_more)
        bar.rangeChanged.connect(self._show_more)

    def _make_more(self, icon: str) -> Button:
        made = Button("+1", icon, small=True)
        made.setParent(self)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # with keys, Tab and Alt with the arrows show every card
        made.hide()
        return made

    def show_cards(self, cards: Sequence[AlternativeCard]) -> None:
        clear(self._row)
        self.cards = list(cards)
        for card in cards:
            self._row.addWidget(card, 1000)
        self._row.addStretch(1)
        self._fit()

    def eventFilter(self, watched, event) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        if event.type() != QEvent.Type.Wheel:
            return super().eventFilter(watched, event)
        turn = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turn.x() or turn.y()))
        return True

    def _fit(self) -> None:
        """Cards are dense when they have to be narrow to be seen side by side."""
        count = max(1, len(self.cards))
        share = (self.viewport().width() - 2 * px(_MARGIN) - (count - 1) * px(_GAP)) / count
        least = WIDE if share >= px(WIDE) else DENSE if share >= px(DENSE) else _SCROLLED
        for card in self.cards:
            card.setMinimumWidth(px(least))
            card.set_dense(share < px(WIDE))
        wide = [min(int(max(share, px(least))), card.maximumWidth()) for card in self.cards]
        long = [card.is_long(width) for card, width in zip(self.cards, wide, strict=True)]
        high = any(long)
        for card, is_long in zip(self.cards, long, strict=True):
            card.set_title_room(high, is_long)
        if high != self.high:
            self.high = high
            self.high_changed.emit()
        self._show_more()
        QTimer.singleShot(0, self, self._show_more)  # when the cards stand where they belong

    def _hidden(self) -> tuple[list[AlternativeCard], list[AlternativeCard]]:
        left = self.horizontalScrollBar().value()
        right = left + self.viewport().width()
        before = [card for card in self.cards if card.x() < left]
        return before, [card for card in self.cards if card.x() + card.width() > right and card not in before]

    def _reveal(self, by: int) -> None:
        """Brings the next card at that side wholly into sight."""
        before, after = self._hidden()
        nearest = before[-1:] if by < 0 else after[:1]
        for card in nearest:
            self.ensureWidgetVisible(card, px(_PEEK), 0)

    def _show_more(self) -> None:
        for button, cards, text in zip(
            self.more, self._hidden(), (self.tr("{n} more to the left"), self.tr("{n} more to the right")), strict=True
        ):
            count = len(cards) if self.horizontalScrollBar().maximum() else 0
            button.setVisible(count > 0)
            if count:
                button.set_words(f"+{count}")
                button.setToolTip(text.format(n=count))
                button.setAccessibleName(text.format(n=count))
        self._place_more()

    def _place_more(self) -> None:
        view = self.viewport().geometry()
        for button, at_right in zip(self.more, (False, True), strict=True):
            size = button.sizeHint()
            x = view.right() + 1 - size.width() - px(6) if at_right else view.left() + px(6)
            high = min((card.height() for card in self.cards), default=view.height())
            button.setGeometry(x, view.top() + (high - size.height()) // 2, size.width(), size.height())
            button.raise_()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()
