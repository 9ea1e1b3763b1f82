"""Words on a card: written only where they can be read at the present zoom."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from desktop_app.ui.theme import theme

_SMALLEST_TEXT = theme.tokens()["font"]["smallest_on_screen"]["text_hidden_below_px"]
TEXT_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


def readable(font: QFont, zoom: float) -> bool:
    """True when the font is large enough on screen; `zoom` is the scale there."""
    return font.pointSizeF() * 96 / 72 * zoom >= _SMALLEST_TEXT


def write(
    painter: QPainter, rect: QRectF, text: str, role: str, color: QColor, zoom: float, right: bool = False
) -> None:
    """One line of text in the middle of the height of `rect`; nothing where it could not be read."""
    font = theme.current().font(role)
    if not text or not readable(font, zoom):
        return
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, int(side | TEXT_FLAGS), text)


def plate(painter: QPainter, x: float, y: float, text: str, zoom: float) -> None:
    """A text on its dark plate, for pictures. (x, y) is the top left corner."""
    font = theme.current().font("node_badge")
    if not text or not readable(font, zoom):
        return
    plate = QRectF(x, y, QFontMetricsF(font).horizontalAdvance(text) + 14, 17)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().tint("on_picture.background", 0.78))
    painter.drawRoundedRect(plate, 8.5, 8.5)
    write(painter, plate.adjusted(7, 0, 0, 0), text, "node_badge", theme.current().color("on_picture.text"), zoom)
