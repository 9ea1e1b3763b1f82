"""What differs between two ways, as a table of words: the same as the picture of the graph says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from desktop_app.ui.compare.diff_text import FULFILLED, DifferenceRow
from desktop_app.ui.compare.sides import SIDES, SideTile
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import ElidedLabel, Toned, clear, divider, label, px, row, scroll_area, stack
from desktop_app.ui.widgets.glyphs import state_glyph


class DifferenceTable(QFrame):
    """Rows of "what", A and B under a heading; below, what keeping one means."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.rows: tuple[DifferenceRow, ...] = ()
        self.setMinimumWidth(px(240))
        area = scroll_area()
        area.setAccessibleName(translate("What differs"))
        inside = QWidget()
        column = stack(label(translate("What differs"), "caption"), parent=inside, margins=(20, 12, 16, 6))
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(10))
        self._grid.setVerticalSpacing(px(5))
        for at, stretch in enumerate((4, 5, 5)):
            self._grid.setColumnStretch(at, stretch)
        column.addLayout(self._grid)
        self._note = ElidedLabel("", "tertiary")
        self._notes = QWidget()
        self._notes.setLayout(row(state_glyph("cached"), self._note, gap=8, margins=(20, 6, 12, 10)))
        self._notes.layout().setStretch(1, 1)  # type: ignore[union-attr]
        column.addStretch(1)
        area.setWidget(inside)
        stack(area, self._notes, parent=self, grow=0, gap=0)

    def show_rows(self, rows: Sequence[DifferenceRow], note: str) -> None:
        self._note.set_text(note)
        self._notes.setVisible(bool(note))
        if tuple(rows) == self.rows:
            return
        self.rows = tuple(rows)
        clear(self._grid)
        for at, side in enumerate(SIDES, 1):
            self._grid.addWidget(SideTile(side, 14), 0, at, Qt.AlignmentFlag.AlignLeft)
        for line, each in enumerate(rows):
            self._grid.addWidget(divider(), 2 * line + 1, 0, 1, 3)
            about = ElidedLabel(each.about, "secondary")
            self._grid.addWidget(about, 2 * line + 2, 0)
            for at, side in enumerate(SIDES, 1):
                self._grid.addWidget(_cell(each, side), 2 * line + 2, at)
        if not rows:
            self._grid.addWidget(label(translate("Nothing: both do the same."), "secondary", True), 1, 0, 1, 3)


def _cell(each: DifferenceRow, side: str) -> QWidget:
    text = each.of(side)
    if each.better == side:
        cell = Toned(f"✓ {text}")
        cell.set_tone("state.done")
        cell.setToolTip("\n".join(said for said in (each.praise, each.tip) if said))
        said = translate("{letter}: {text}, more") if each.key == FULFILLED else translate("{letter}: {text}, less")
        cell.setAccessibleName(said.format(letter=side.upper(), text=text))
        return cell
    cell = label(text, "", True)
    cell.setToolTip(each.tip)
    cell.setAccessibleName(f"{each.about}, {side.upper()}: {text}")
    return cell
