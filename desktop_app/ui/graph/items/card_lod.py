"""Paints a card as it is seen from afar: a block in its type's colour, its title, a bar in its state's colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui.graph.items import card_layout
from desktop_app.ui.graph.items.card_model import CardModel
from desktop_app.ui.theme import shapes, theme

SIMPLE_BELOW = theme.tokens()["simple_card"]["below_zoom"]
_TEXT, _CHINESE_TEXT = (9.5, 8.0, 7.0), (11.0, 10.0, 9.0)
"""Pixels on screen that letters of a title may have, the best first; Chinese ones have more strokes."""
LOUD = frozenset({"running", "input", "failed"})


def paint(painter: QPainter, face: CardModel, body: QRectF, zoom: float) -> None:
    """Far out: body, block in the type colour, bar in the colour of the state. Lines keep their width on screen."""
    current = theme.current()
    pixel = 1 / zoom
    loud = face.state in LOUD
    edge = current.type_color(face.type) if face.is_resource else current.color("background.border_strong")
    painter.setPen(QPen(shapes.state_color(face.state) if loud else edge, 1.4 * pixel))
    painter.setBrush(current.color("background.card"))
    kind = "resource_card" if face.is_resource else "node_card"
    radius = theme.tokens()[kind]["radius"] * (1.6 if zoom < 0.25 else 1.2)
    painter.drawRoundedRect(body, radius, radius)
    inset = min(22.0, 5 * pixel)
    bar = min(30.0, 3.5 * pixel) if face.state not in ("", "idle", "waiting") else 0.0
    block = body.adjusted(inset, inset, -inset, -inset - (bar + 3 * pixel if bar else 0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(block_color(face.type))
    painter.drawRoundedRect(block, radius / 2, radius / 2)
    if bar:
        line = QRectF(inset, body.bottom() - inset - bar, body.width() - 2 * inset, bar)
        if face.state == "running":
            line.setWidth(line.width() * max(0.05, face.fraction))
        painter.setBrush(shapes.state_color(face.state))
        painter.drawRoundedRect(line, bar / 2, bar / 2)
    _title(painter, face.title, block, pixel)


def block_color(type: str) -> QColor:
    """The colour of the block: that of the type, half lit."""
    return theme.faded(theme.current().type_color(type), 0.55)


def _title(painter: QPainter, title: str, block: QRectF, pixel: float) -> None:
    """The title in letters that keep their size on screen, where there is room for a few."""
    room = block.adjusted(4 * pixel, 2 * pixel, -3 * pixel, -2 * pixel)
    if room.width() < 30 * pixel or room.height() < 13 * pixel:
        return
    sizes = _CHINESE_TEXT if card_layout.is_chinese(title) else _TEXT
    forms = tuple((size * pixel, max(1, int(room.height() / (1.3 * size * pixel)))) for size in sizes)
    font, text = card_layout.set_title(title, room.width(), forms, 1 / pixel)
    painter.setFont(font)
    painter.setPen(theme.current().color("text.primary"))
    painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), text)
