"""The graph seen from very far: all cards and links painted at once, in a few calls, when a card is a few pixels wide.

Item by item, as the scene does it, 1,000 nodes with their ports and links are 5,000 calls for each frame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui import shapes, theme
from desktop_app.ui.link_item import LinkItem
from desktop_app.ui.node_item import CardItem

FAR_BELOW = 0.125
"""At this zoom a card is 24 pixels wide."""
_LOUD = frozenset({"running", "input", "failed"})
_QUIET = frozenset({"", "idle", "waiting"})


def paint_far(
    painter: QPainter, cards: Iterable[CardItem], links: Iterable[LinkItem], seen: QRectF, zoom: float
) -> None:
    """Paints what lies in `seen` (scene): links as lines, cards as a block of their type's colour and a bar of their
    state's. The painter is in the scene's coordinates.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _links(painter, links)
    shown = [(card, body) for card in cards if seen.intersects(body := card.body)]
    _bodies(painter, shown, zoom)
    _blocks(painter, shown, 1 / zoom)
    painter.restore()


def _links(painter: QPainter, links: Iterable[LinkItem]) -> None:
    by_color: dict[tuple[str, bool], list[QLineF]] = defaultdict(list)
    for link in links:
        by_color[link.start.face.type, link.isSelected() or link.state == "running"].append(link.straight)
    for (type, lit), lines in by_color.items():
        ink = QColor(theme.current().type_color(type))
        ink.setAlphaF(1.0 if lit else 0.6)
        painter.setPen(_cosmetic(ink, 2 if lit else 1))
        painter.drawLines(lines)


def _bodies(painter: QPainter, shown: list[tuple[CardItem, QRectF]], zoom: float) -> None:
    current = theme.current()
    rings: dict[str, list[QRectF]] = defaultdict(list)
    for card, body in shown:
        face = card.face
        rings["selected" if card.isSelected() else face.state if face.state in _LOUD else ""].append(body)
    painter.setBrush(current.color("background.card"))
    for kind, bodies in rings.items():
        if kind == "selected":
            painter.setPen(_cosmetic(current.color("accent.line"), 2))
        elif kind:
            painter.setPen(_cosmetic(shapes.state_color(kind), 1))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRects(bodies)


def _blocks(painter: QPainter, shown: list[tuple[CardItem, QRectF]], pixel: float) -> None:
    """The coloured part of each card, and the bar of those that run or ran."""
    blocks: dict[tuple[str, bool], list[QRectF]] = defaultdict(list)
    bars: dict[str, list[QRectF]] = defaultdict(list)
    inset, high = 2 * pixel, 2 * pixel
    for card, body in shown:
        face = card.face
        if face.state in _QUIET:
            blocks[face.type, card.opacity() < 1].append(body.adjusted(inset, inset, -inset, -inset))
            continue
        blocks[face.type, card.opacity() < 1].append(body.adjusted(inset, inset, -inset, -inset - high - pixel))
        width = (body.width() - 2 * inset) * (max(0.05, face.fraction) if face.state == "running" else 1.0)
        bars[face.state].append(QRectF(body.left() + inset, body.bottom() - inset - high, width, high))
    painter.setPen(Qt.PenStyle.NoPen)
    for (type, faint), rects in blocks.items():
        tint = QColor(theme.current().type_color(type))
        tint.setAlphaF(0.15 if faint else 0.55)
        painter.setBrush(tint)
        painter.drawRects(rects)
    for state, rects in bars.items():
        painter.setBrush(shapes.state_color(state))
        painter.drawRects(rects)


def _cosmetic(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    return pen
