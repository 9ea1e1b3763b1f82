"""The graph seen from very far: all cards and links painted at once, in a few calls, when a card is a few pixels wide.

Item by item, as the scene does it, 1,000 nodes with their ports and links are 5,000 calls for each frame. What does
not change from frame to frame is worked out once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui.graph.items.link_item import LinkItem
from desktop_app.ui.graph.items.node_item import CardItem
from desktop_app.ui.theme import shapes, theme

FAR_BELOW = 0.125
"""At this zoom a card is 24 pixels wide."""
_LOUD = frozenset({"running", "input", "failed"})
_QUIET = frozenset({"", "idle", "waiting"})


@dataclass
class _Parts:
    """What is painted, in the order of painting; rectangles of cards in the scene. `theme` is the one it is for."""

    theme: str
    version: tuple[int, int]
    lines: list[tuple[QPen, list[QLineF]]] = field(default_factory=list)
    bodies: list[tuple[QPen | None, list[QRectF]]] = field(default_factory=list)
    plain: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    with_bar: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    ended: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    running: list[CardItem] = field(default_factory=list)


class OverviewPainter:
    """Paints links as lines, cards as a block of their type's colour and a bar of their state's."""

    def __init__(self) -> None:
        self._parts: _Parts | None = None

    def forget(self) -> None:
        self._parts = None

    def paint(self, painter: QPainter, cards: Iterable[CardItem], links: Iterable[LinkItem], zoom: float) -> None:
        """Paints all of them; the painter is in the scene's coordinates, `zoom` pixels for each of the scene's."""
        version = CardItem.moves, LinkItem.changes
        parts = self._parts
        if parts is None or parts.version != version or parts.theme != theme.current().name:
            parts = self._parts = _parts(cards, links, version)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for pen, lines in parts.lines:
            painter.setPen(pen)
            painter.drawLines(lines)
        painter.setBrush(theme.current().color("background.card"))
        for pen, bodies in parts.bodies:
            painter.setPen(pen or Qt.PenStyle.NoPen)
            painter.drawRects(bodies)
        painter.setPen(Qt.PenStyle.NoPen)
        _blocks(painter, parts, 1 / zoom)
        painter.restore()


def _parts(cards: Iterable[CardItem], links: Iterable[LinkItem], version: tuple[int, int]) -> _Parts:
    cards = list(cards)
    parts = _Parts(theme.current().name, version, lines=_lines(links), bodies=_bodies(cards))
    plain: dict[tuple[str, bool], list[QRectF]] = defaultdict(list)
    with_bar: dict[tuple[str, bool], list[QRectF]] = defaultdict(list)
    ended: dict[str, list[QRectF]] = defaultdict(list)
    for card in cards:
        face = card.face
        look = face.type, card.opacity() < 1
        if face.state in _QUIET:
            plain[look].append(card.body)
            continue
        with_bar[look].append(card.body)
        if face.state == "running":
            parts.running.append(card)
        else:
            ended[face.state].append(card.body)
    parts.plain = [(_block_color(*look), rects) for look, rects in plain.items()]
    parts.with_bar = [(_block_color(*look), rects) for look, rects in with_bar.items()]
    parts.ended = [(shapes.state_color(state), rects) for state, rects in ended.items()]
    return parts


def _lines(links: Iterable[LinkItem]) -> list[tuple[QPen, list[QLineF]]]:
    by_look: dict[tuple[str, bool], list[QLineF]] = defaultdict(list)
    for link in links:
        by_look[link.start.face.type, link.isSelected() or link.state == "running"].append(link.straight)
    found = []
    for (type, lit), lines in by_look.items():
        ink = theme.faded(theme.current().type_color(type), 1.0 if lit else 0.6)
        found.append((_cosmetic(ink, 2 if lit else 1), lines))
    return found


def _bodies(cards: Iterable[CardItem]) -> list[tuple[QPen | None, list[QRectF]]]:
    rings: dict[str, list[QRectF]] = defaultdict(list)
    for card in cards:
        state = card.face.state
        rings["selected" if card.isSelected() else state if state in _LOUD else ""].append(card.body)
    pens = {kind: _cosmetic(shapes.state_color(kind), 1) for kind in _LOUD}
    pens["selected"] = _cosmetic(theme.current().color("accent.line"), 2)
    return [(pens.get(kind), rects) for kind, rects in rings.items()]


def _block_color(type: str, faint: bool) -> QColor:
    tint = theme.faded(theme.current().type_color(type), 0.15 if faint else 0.55)
    return tint


def _blocks(painter: QPainter, parts: _Parts, pixel: float) -> None:
    """The coloured part of each card, and the bar of those that run or ran. `pixel`: one on screen, in the scene."""
    inset, high = 2 * pixel, 2 * pixel
    for color, rects in parts.plain:
        painter.setBrush(color)
        painter.drawRects([rect.adjusted(inset, inset, -inset, -inset) for rect in rects])
    for color, rects in parts.with_bar:
        painter.setBrush(color)
        painter.drawRects([rect.adjusted(inset, inset, -inset, -inset - high - pixel) for rect in rects])
    for color, rects in parts.ended:
        painter.setBrush(color)
        painter.drawRects([_bar(rect, 1.0, inset, high) for rect in rects])
    if parts.running:
        painter.setBrush(shapes.state_color("running"))
        painter.drawRects([_bar(card.body, max(0.05, card.face.fraction), inset, high) for card in parts.running])


def _bar(body: QRectF, part: float, inset: float, high: float) -> QRectF:
    return QRectF(body.left() + inset, body.bottom() - inset - high, (body.width() - 2 * inset) * part, high)


def _cosmetic(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    return pen
