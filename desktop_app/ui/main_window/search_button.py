"""The button in the tool bar that looks like a field: it opens the search for everything. Small, it is an icon."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.shortcut_text import key_words
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import Painted, PushButton, color, px
from desktop_app.ui.widgets.glyphs import paint_key, write

_WIDEST, _LEAST, _ICON = 250, 150, 30
"""Widths in pixels of the 100 % design; below the least one only the icon is left."""


class SearchButton(Painted, PushButton):
    """`fit(room)` gives it as much of the room as it has use for."""

    def __init__(self) -> None:
        super().__init__()
        self._words = translate("Search everything")
        self._keys = key_words("Ctrl+K")
        self.setAccessibleName(self._words)
        self.setToolTip(translate("Search commands, nodes, results, tools, conversations and settings (Ctrl+K)"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(_ICON))
        self.fit(px(_WIDEST))
        theme.signals().changed.connect(self.update)

    @property
    def small(self) -> bool:
        return self.width() < px(_LEAST)

    @property
    def least(self) -> int:
        return px(_ICON)

    @property
    def telling(self) -> int:
        """Pixels from which on it shows its words."""
        return px(_LEAST)

    def fit(self, room: int) -> None:
        """Takes what it has use for of that many pixels."""
        self.setFixedWidth(min(room, px(_WIDEST)) if room >= px(_LEAST) else px(_ICON))

    def paint(self, painter: QPainter) -> None:
        self._paint_ground(painter)
        side, middle = px(15), self.height() / 2
        left = (self.width() - side) / 2 if self.small else px(12)
        icons.paint(painter, QRectF(left, middle - side / 2, side, side), "search", color("text.secondary"))
        if not self.small:
            self._paint_words(painter, left + side + px(9))

    def _paint_ground(self, painter: QPainter) -> None:
        lit = self.hasFocus()
        line = "accent.line" if lit else "background.border_strong" if self.underMouse() else "background.border"
        wide = 2 if lit else 1
        painter.setPen(QPen(color(line), wide))
        painter.setBrush(color("background.hover" if self.isDown() else "background.field"))
        inner = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        painter.drawRoundedRect(inner, px(8), px(8))

    def _paint_words(self, painter: QPainter, left: float) -> None:
        painter.setFont(theme.current().font("key"))
        wide, high = painter.fontMetrics().horizontalAdvance(self._keys) + px(11), px(18)
        cap = QRectF(self.width() - wide - px(9), (self.height() - high) / 2, wide, high)
        paint_key(painter, cap, self._keys)
        room = QRectF(left, 0, cap.left() - left - px(6), self.height())
        write(painter, room, self._words, "body", "text.tertiary")
