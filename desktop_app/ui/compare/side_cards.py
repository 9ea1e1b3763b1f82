"""The cards beside a comparison: what each way is, what it takes, and the buttons that keep or open it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop_app.ui.compare.diff_text import DOWNLOAD, FULFILLED, MEMORY, RESULT, TIME, DifferenceRow, totals
from desktop_app.ui.compare.sides import SIDES, Side, SideTile
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import Button, ElidedLabel, Words, label, mark, px, row, stack
from desktop_app.ui.widgets.glyphs import Glyph, ProgressLine

_COMPACT = 440


class SideCard(QFrame):
    """One side. `keep` and `open_wanted` are for the window to do."""

    keep = Signal()
    open_wanted = Signal()

    def __init__(self, side: str) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._side = side
        self._compact = False
        self._title = ElidedLabel(role="heading")
        self._glyph = Glyph(14)
        self._reason = Words()
        self._reason.setProperty("role", "tertiary")
        self._line = ProgressLine()
        self._rows = {key: _CardRow() for key in (TIME, MEMORY, DOWNLOAD, FULFILLED, RESULT)}
        self._trouble = label("", "error", True)
        self.keep_button = Button(self.tr("Keep {letter}").format(letter=side.upper()), "check")
        self.keep_button.clicked.connect(self.keep)
        self.open_button = Button(self.tr("Open graph"), kind="quiet")
        self.open_button.clicked.connect(self.open_wanted)
        head = row(SideTile(side), self._title, self._glyph, grow=1)
        column = stack(head, self._reason, self._line, parent=self, gap=7, margins=(14, 10, 14, 10))
        for each in self._rows.values():
            column.addWidget(each)
        column.addWidget(self._trouble)
        column.addSpacing(px(2))
        column.addLayout(row(self.keep_button, self.open_button, None, gap=6))

    def show_side(self, side: Side, rows: Sequence[DifferenceRow]) -> None:
        title = translate("{title} (edited)").format(title=side.title) if side.edited else side.title
        self._title.set_text(title)
        self._reason.setText(side.reason)
        state = "running" if side.running else "failed" if side.failed else "done" if side.has_run else "waiting"
        self._glyph.set_state(state, side.fraction)
        self._line.setVisible(side.running)
        self._line.set_fraction(side.fraction)
        told = {each.key: each for each in rows}
        if FULFILLED in told and side.index is not None:
            del told[RESULT]  # there is room for one of them; the table has both
        for key, shown in self._rows.items():
            shown.wanted = key in told and (side.index is not None or key == RESULT)
            if shown.wanted:
                shown.show_row(told[key], self._side)
        self._trouble.setText(side.failed)
        self._trouble.setVisible(bool(side.failed))
        self.set_compact(self._compact)
        self._show_buttons(side)

    def _show_buttons(self, side: Side) -> None:
        self.keep_button.setVisible(side.index is not None)
        self.keep_button.set_words(translate("Keep {letter}").format(letter=side.letter))
        self.keep_button.setAccessibleName(
            translate("Keep {letter}: {title}").format(letter=side.letter, title=side.title)
        )
        self.keep_button.setToolTip(translate("Goes on with “{title}”: one undo step").format(title=side.title))
        self.open_button.setVisible(side.index is not None)
        self.open_button.setAccessibleName(
            translate("Open the graph of {letter}: {title}").format(letter=side.letter, title=side.title)
        )
        self.open_button.setToolTip(translate("Shows this way in the graph, with its result selected"))

    def set_current(self, current: bool, primary: bool) -> None:
        """Marks the side that is seen first or heard; its button is the main one when `primary`."""
        mark(self, "lit", current)
        self.keep_button.set_kind("primary" if current and primary else "")

    def set_compact(self, compact: bool) -> None:
        """Leaves out what the table says too, where there is little room."""
        self._compact = compact
        self._reason.setVisible(bool(self._reason.text()) and not compact)
        for each in self._rows.values():
            each.setVisible(each.wanted and not compact)


class _CardRow(QWidget):
    """`Time   ✓ 17.3 s`."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = True
        self._about = label("", "secondary")
        self._value = Words()
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        inner = row(self._about, self._value)
        inner.setAlignment(self._about, Qt.AlignmentFlag.AlignTop)
        inner.setStretch(1, 1)
        self.setLayout(inner)

    def show_row(self, each: DifferenceRow, side: str) -> None:
        text, best = each.of(side), each.better == side
        self._about.setText(each.about)
        self._value.setText(f"✓ {text}" if best else text)
        self._value.set_tone("state.done" if best else "")
        self._value.setToolTip("\n".join(said for said in (each.praise if best else "", each.tip) if said))
        self._about.setToolTip(each.tip)
        self._value.setAccessibleName(f"{each.about}: {text}")
        self._value.setAccessibleDescription(self._value.toolTip())


class SideCards(QScrollArea):
    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Both ways"))
        self.cards = {side: SideCard(side) for side in SIDES}
        inside = QWidget()
        column = stack(parent=inside, gap=12, margins=(0, 0, 2, 0))
        for card in self.cards.values():
            column.addWidget(card)
        column.addStretch(1)
        self.setWidget(inside)

    def show_sides(self, sides: Mapping[str, Side]) -> None:
        rows = totals(sides)
        for side, card in self.cards.items():
            card.show_side(sides[side], rows)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for card in self.cards.values():
            card.set_compact(self.height() < px(_COMPACT))
