"""The button that runs and stops, with the key that does the same at its end where there is room."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionButton, QStylePainter

from desktop_app.ui.support.shortcut_text import key_words
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import Button, px
from desktop_app.ui.widgets.glyphs import paint_key


class RunButton(Button):
    """`show_key` tells whether there is room for the key. A plain button has it in a frame, the primary one bare."""

    def __init__(self, text: str, icon: str, kind: str) -> None:
        self._key = ""
        self.roomy = False
        super().__init__(text, icon, kind)

    def set_key(self, keys: str) -> None:
        self._key = key_words(keys)
        self.updateGeometry()
        self.update()

    def show_key(self, roomy: bool) -> None:
        if roomy != self.roomy:
            self.roomy = roomy
            self.updateGeometry()
            self.update()

    @property
    def key_width(self) -> int:
        return QFontMetrics(theme.current().font("key")).horizontalAdvance(self._key) + px(11)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + self.key_width, hint.height()) if self.roomy else hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.roomy:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        option.rect = QRect(0, 0, self.width() - self.key_width + px(3), self.height())  # type: ignore[attr-defined]
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        self._paint_key(painter)
        painter.end()

    def _paint_key(self, painter: QStylePainter) -> None:
        primary = self._kind == "primary"
        painter.setRenderHint(QStylePainter.RenderHint.Antialiasing)
        high, wide = px(18), self.key_width
        cap = QRectF(self.width() - wide - px(9), (self.height() - high) / 2, wide, high)
        ink = "text.disabled" if not self.isEnabled() else "text.on_accent" if primary else "text.secondary"
        paint_key(painter, cap, self._key, ink, framed=not primary)
