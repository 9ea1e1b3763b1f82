"""Cards side by side that share the width, and scroll when there are too many, with a sign at the edge that says so."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.ui.alternatives.alternative_card import DENSE, WIDE, AlternativeCard
from desktop_app.ui.widgets.basic import Button, clear, px, row

_GAP, _MARGIN = 10, 12
_SCROLLED = 208
"""Where they have to scroll anyway, cards are wide enough for their costs."""
_PEEK = 76
"""So much of the card beyond is seen after a step, and lies below the button."""


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
        alone = any(card.is_long(width) for card, width in zip(self.cards, wide, strict=True))
        long = [card.is_long(width, alone) for card, width in zip(self.cards, wide, strict=True)]
        high = any(long)
        for card, is_long in zip(self.cards, long, strict=True):
            card.set_title_room(alone, high, is_long)
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
