"""The look of the button that chooses how requests are planned, beside a message: its name in words, or its icon."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import PushButton, color, px

_SIDE = 30


class ModeButton(PushButton):
    """`fit(room)` shows the words where they have room."""

    def __init__(self) -> None:
        super().__init__()
        self._words, self._icon = "", "workflow"
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(px(_SIDE), px(_SIDE))
        theme.signals().changed.connect(self.update)

    def set_words(self, words: str) -> None:
        self._words = words
        self.update()

    def set_icon(self, name: str) -> None:
        self._icon = name
        self.update()

    @property
    def worded(self) -> bool:
        """True while the name is shown."""
        return self.width() > px(_SIDE)

    def fit(self, room: int) -> None:
        """Shows the words when they need no more than that many pixels, else the icon."""
        wanted = QFontMetrics(theme.current().font("caption")).horizontalAdvance(self._words) + px(34)
        self.setFixedWidth(wanted if wanted <= room else px(_SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.isDown() or self.hasFocus():
            painter.setPen(QPen(color("accent.line"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
            hovered = self.underMouse() or self.isDown()
            painter.setBrush(color("background.hover") if hovered else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))
        middle = self.height() / 2
        if not self.worded:
            side = px(17)
            place = QRectF((self.width() - side) / 2, middle - side / 2, side, side)
            icons.paint(painter, place, self._icon, color("text.secondary"))
        else:
            painter.setFont(theme.current().font("caption"))
            painter.setPen(color("text.tertiary"))
            room = QRectF(px(8), 0, self.width() - px(28), self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self._words)
            side = px(12)
            place = QRectF(self.width() - px(19), middle - side / 2, side, side)
            icons.paint(painter, place, "chevron-down", color("text.tertiary"))
        painter.end()
