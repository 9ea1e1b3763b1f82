"""Cards as pictures, for as long as the view moves: painted once, put elsewhere from frame to frame, renewed little by
little. At rest nothing of this is seen: there each card is painted by itself.

A picture from a moment ago, at another zoom, may be drawn for some frames until its turn comes.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from desktop_app.ui.graph.items import card_lod
from desktop_app.ui.graph.items.node_item import AROUND, CardItem
from desktop_app.ui.theme import theme

_RENEWING = 0.005
"""Seconds of a frame in which pictures of another zoom, or of what a card no longer shows, are painted anew."""
_MAKING = 0.012
"""Seconds of a frame in which cards without a picture get one."""
_USABLE = (0.75, 1.7)
"""How much smaller and larger than it was painted a picture may be drawn: its letters stay 7 pixels high."""
_UNSCALED = 3.0
"""A picture that is so many pixels too large or small is drawn as it is: it stays sharp, and that takes a third of the
time of scaling it.
"""
_UNUSED_FRAMES = 120


@dataclass(slots=True)
class _Sprite:
    """A card with its ports, as it was at `zoom`. `left` and `top` lead from the card's corner to the picture's, in
    pixels of the device; `made` and `used` are numbers of frames.
    """

    pixmap: QPixmap
    source: QRectF
    zoom: float
    density: float
    left: float
    top: float
    selected: bool
    made: int
    used: int


class CardPixmapCache:
    """Paints cards from their pictures. Far enough away those that look alike share one."""

    def __init__(self) -> None:
        self._frame = 0
        self._sprites: dict[Hashable, _Sprite] = {}

    def __len__(self) -> int:
        return len(self._sprites)

    def forget(self) -> None:
        self._sprites.clear()

    def paint(self, painter: QPainter, cards: Sequence[CardItem], density: float) -> None:
        """Paints the cards, which all are in view; the painter is in the scene's coordinates, `density` are pixels of
        the device for each of the painter's.
        """
        self._frame += 1
        place = painter.transform()
        zoom, x, y = place.m11(), place.dx(), place.dy()
        simple = zoom < card_lod.SIMPLE_BELOW
        keys: list[Hashable] = [_look(card, zoom) for card in cards] if simple else [card.id for card in cards]
        at = _At(zoom, density, x, y, simple)
        self._renew(dict(zip(keys, cards, strict=True)), at)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for key, card in zip(keys, cards, strict=True):
            self._draw(painter, key, card, at)
        painter.restore()
        if len(self._sprites) > 3 * len(cards) + 100:
            oldest = self._frame - _UNUSED_FRAMES
            self._sprites = {key: sprite for key, sprite in self._sprites.items() if sprite.used > oldest}

    def _renew(self, wanted: dict[Hashable, CardItem], at: _At) -> None:
        missing, due = [], []
        for key, card in wanted.items():
            sprite = self._sprites.get(key)
            if sprite is None or not at.can_use(sprite):
                missing.append(key)
            elif at.differs(sprite) or (not at.simple and (card.stale or sprite.selected is not card.isSelected())):
                due.append(key)
        self._make(missing, wanted, at, _MAKING)
        self._make(sorted(due, key=lambda key: self._sprites[key].made), wanted, at, _RENEWING)

    def _make(self, keys: Iterable[Hashable], wanted: dict[Hashable, CardItem], at: _At, seconds: float) -> None:
        until = time.perf_counter() + seconds
        for key in keys:
            self._sprites[key] = _made(wanted[key], at, self._frame)
            if time.perf_counter() > until:
                return

    def _draw(self, painter: QPainter, key: Hashable, card: CardItem, at: _At) -> None:
        sprite = self._sprites.get(key)
        if (sprite is None or not at.can_use(sprite)) and not at.simple:  # how it was before one came near
            sprite = self._sprites.get(_look(card, at.zoom))
        x, y = card.left * at.zoom + at.x, card.top * at.zoom + at.y
        if sprite is None or not at.can_use(sprite):
            body = QRectF(x, y, card.width * at.zoom, card.height * at.zoom)
            painter.fillRect(body, theme.current().color("background.card"))
            if at.simple:
                painter.fillRect(body.adjusted(2, 2, -2, -2), card_lod.block_color(card.face.type))
            return
        sprite.used = self._frame
        density, shrunk = at.density, sprite.zoom - at.zoom
        if abs(shrunk) * max(card.width, card.height) <= _UNSCALED:
            x -= shrunk * card.width / 2
            y -= shrunk * card.height / 2
            place = QPointF(round(x * density + sprite.left) / density, round(y * density + sprite.top) / density)
            painter.drawPixmap(place, sprite.pixmap)
            return
        scale = at.zoom / sprite.zoom / density
        corner = QPointF(x + sprite.left * scale, y + sprite.top * scale)
        painter.drawPixmap(QRectF(corner, sprite.source.size() * scale), sprite.pixmap, sprite.source)


@dataclass(slots=True)
class _At:
    """Where one looks from: (0, 0) of the scene is at (x, y) of the window. `simple`: at simple cards."""

    zoom: float
    density: float
    x: float
    y: float
    simple: bool

    def differs(self, sprite: _Sprite) -> bool:
        return abs(sprite.zoom - self.zoom) > 1e-9  # panning leaves the zoom as it is but for rounding

    def can_use(self, sprite: _Sprite) -> bool:
        return sprite.density == self.density and _USABLE[0] < self.zoom / sprite.zoom < _USABLE[1]


def _look(card: CardItem, zoom: float) -> Hashable:
    """All that makes a simple card look as it does."""
    face = card.face
    bar = round(face.fraction * card.width * zoom) if face.state == "running" else 0
    return (
        face.title, face.type, face.state, face.is_resource, card.width, card.height, bar, card.isSelected(),
        card.outlined, theme.current().name,
    )  # fmt: skip


def _made(card: CardItem, at: _At, frame: int) -> _Sprite:
    """The picture of a card; one that is not shared is painted for the very place between pixels."""
    density, scale = at.density, at.zoom * at.density
    x, y = (0.0, 0.0) if at.simple else (card.left * at.zoom + at.x, card.top * at.zoom + at.y)
    left, top = int(x * density - AROUND * scale) - 2, int(y * density - AROUND * scale) - 2
    pixmap = QPixmap(int((card.width + 2 * AROUND) * scale) + 5, int((card.height + 2 * AROUND) * scale) + 5)
    pixmap.fill(Qt.GlobalColor.transparent)
    pixmap.setDevicePixelRatio(density)
    painter = QPainter(pixmap)
    painter.translate(x - left / density, y - top / density)
    painter.scale(at.zoom, at.zoom)
    option = QStyleOptionGraphicsItem()
    card.paint(painter, option)
    if not at.simple:
        card.stale = False
        for port in card.ports:
            painter.save()
            painter.translate(port.pos())
            port.paint(painter, option)
            painter.restore()
    painter.end()
    shift = left - x * density, top - y * density
    return _Sprite(pixmap, QRectF(pixmap.rect()), at.zoom, density, *shift, card.isSelected(), frame, frame)
