"""Paints everything in the scene at once instead of item by item: from far always, from near while the view moves.

At rest and near the scene paints each item by itself, as exactly as it can: a moment after the last movement the view
is painted once more that way. Must not know what the mouse does.

Kept because it was measured (tests/benchmarks/window.py, 1,000 nodes): without it the graph is painted 23 instead of
130 times a second seen whole, and 37 instead of 125 times while it is panned at 100 %.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from PySide6.QtCore import QLineF, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem

from desktop_app.graph.workflow import Link
from desktop_app.ui.graph.canvas import GraphCanvas
from desktop_app.ui.graph.items import card_lod
from desktop_app.ui.graph.items.card_pixmap_cache import CardPixmapCache
from desktop_app.ui.graph.items.link_item import LinkItem, paint_link
from desktop_app.ui.graph.items.node_item import AROUND, CardItem
from desktop_app.ui.graph.items.note_item import DecorationItem, DotItem
from desktop_app.ui.theme import shapes, theme

_FAR_FROM = 150
"""With fewer cards each is painted with its outline and letters however far it is."""
_MOVING_FROM = 24
"""With fewer cards painting each by itself is fast enough while the view moves."""
REST_MS = 150
_KEEP_MS = 4000
_LINK_AROUND = 6.0

FAR_BELOW = 0.125
"""At this zoom a card is 24 pixels wide."""
_QUIET = frozenset({"", "idle", "waiting"})


class SceneItems(Protocol):
    cards: dict[str, CardItem]
    links: dict[Link, LinkItem]
    decor: dict[str, DecorationItem]

    def dots(self) -> Iterator[DotItem]: ...


class BatchPainter(QObject):
    """`due` says whether the next frame is to be painted by `paint`. The view moves when it was looked elsewhere less
    than 150 ms after what was looked at before was painted; what it needs for that it keeps for 4 s.
    """

    def __init__(self, canvas: GraphCanvas, items: SceneItems) -> None:
        super().__init__(canvas)
        self._canvas, self._items = canvas, items
        self._overview = OverviewPainter()
        self._card_pixmaps = CardPixmapCache()
        self.moving = False
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._settle)
        self._keep = QTimer(self, interval=_KEEP_MS, singleShot=True)
        self._keep.timeout.connect(self.let_go)
        self._seen: object = None
        self._unpainted = False
        canvas.view_changed.connect(self._looked)

    @property
    def far(self) -> bool:
        """True when cards and links are painted as blocks and lines."""
        return self._canvas.zoom < FAR_BELOW and len(self._items.cards) > _FAR_FROM

    @property
    def due(self) -> bool:
        """True when the next frame is to be painted by `paint`."""
        if self.far:
            return True
        return self.moving and len(self._items.cards) > _MOVING_FROM and not self._drawn.isVisible()

    def forget(self) -> None:
        """What is painted from far is painted anew as a whole: a card is in another state, chosen, lit or gone."""
        self._overview.forget()
        self.repaint()

    def repaint(self) -> None:
        """Paints again what is painted at once from far: its items ask for nothing."""
        if self.far:
            self._canvas.viewport().update()

    def let_go(self) -> None:
        """Gives back the memory that only movement needs."""
        self._keep.stop()
        self._card_pixmaps.forget()

    # Moving

    def _looked(self) -> None:
        seen = (self._canvas.seen, self._canvas.zoom)
        if seen == self._seen:
            return
        self._seen = seen
        self.moving = self.moving or self._rest.isActive()
        self._unpainted = True
        self._rest.start()

    def painted(self) -> None:
        """A frame was painted. The rest begins after the first one of what is looked at: otherwise one that took longer
        than until the view rests would let each further one take as long.
        """
        if self._unpainted and self._rest.isActive():
            self._rest.start()
        self._unpainted = False

    def _settle(self) -> None:
        painted = self.due
        self.moving = False
        if painted:
            self._canvas.viewport().update()
            self._keep.start()

    # Painting

    def paint(self, painter: QPainter, seen: QRectF, density: float) -> None:
        """Paints what lies in `seen` (scene) without the ground. The painter is in the scene's coordinates, `density`
        are pixels of the device for each of the view's.
        """
        zoom = painter.transform().m11()
        decor = sorted(self._items.decor.values(), key=lambda item: item.zValue())
        _each(painter, (item for item in decor if item.is_frame))
        if self.far:
            _each(painter, (item for item in decor if not item.is_frame))
            self._overview.paint(painter, self._items.cards.values(), self._items.links.values(), zoom)
        else:
            self._links(painter, seen, zoom)
            _each(painter, (item for item in decor if not item.is_frame))
            _each(painter, self._items.dots())
            self._keep.stop()
            self._card_pixmaps.paint(painter, _within(self._items.cards.values(), seen, AROUND), density)
        if self._drawn.isVisible():
            _each(painter, (self._drawn,))

    @property
    def _drawn(self) -> QGraphicsItem:
        """The link that hangs on the mouse, which is visible while it does."""
        return self._canvas.linking.item

    def _links(self, painter: QPainter, seen: QRectF, zoom: float) -> None:
        shown = _within(self._items.links.values(), seen, _LINK_AROUND)
        if zoom < card_lod.SIMPLE_BELOW:
            _joined_links(painter, shown)
        else:
            _each(painter, shown)


class _Standing(Protocol):
    extent: tuple[float, float, float, float]


_Thing = TypeVar("_Thing", bound=_Standing)


def _within(things: Iterable[_Thing], seen: QRectF, around: float) -> list[_Thing]:
    """Those that are in `seen` or less than `around` away from it."""
    left, top, right, bottom = seen.adjusted(-around, -around, around, around).getCoords()  # type: ignore[misc]
    found = []
    for thing in things:
        a, b, c, d = thing.extent
        if a < right and c > left and b < bottom and d > top:
            found.append(thing)
    return found


def _each(painter: QPainter, items: Iterable[QGraphicsItem]) -> None:
    """Paints each item by itself, as the scene does."""
    option = QStyleOptionGraphicsItem()
    for item in items:
        painter.save()
        painter.setTransform(item.sceneTransform(), True)
        painter.setOpacity(item.effectiveOpacity())
        item.paint(painter, option)
        painter.restore()


def _joined_links(painter: QPainter, links: Iterable[LinkItem]) -> None:
    """Links that look the same as one path: a call for all of them."""
    looks: dict[tuple[str, str, bool], QPainterPath] = defaultdict(QPainterPath)
    for link in links:
        looks[link.start.face.type, link.state, link.lit].addPath(link.path())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for (type, state, lit), path in looks.items():
        paint_link(painter, path, theme.current().type_color(type), state, lit, LinkItem.phase, far=True)
    painter.restore()


@dataclass
class _Parts:
    """What is painted, in the order of painting; rectangles of cards in the scene. `theme` is the one it is for.

    `blocks` and `bars` are what stands within the cards where a pixel on screen is `pixel` wide in the scene; of the
    bar of a card that runs the left, the top and the whole width.
    """

    theme: str
    version: tuple[int, int]
    lines: list[tuple[QPen, list[QLineF]]] = field(default_factory=list)
    bodies: list[tuple[QPen | None, list[QRectF]]] = field(default_factory=list)
    plain: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    with_bar: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    ended: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    running: list[CardItem] = field(default_factory=list)
    pixel: float = 0.0
    blocks: list[tuple[QColor, list[QRectF]]] = field(default_factory=list)
    bars: list[tuple[CardItem, float, float, float]] = field(default_factory=list)


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
    plain: dict[str, list[QRectF]] = defaultdict(list)
    with_bar: dict[str, list[QRectF]] = defaultdict(list)
    ended: dict[str, list[QRectF]] = defaultdict(list)
    for card in cards:
        face = card.face
        if face.state in _QUIET:
            plain[face.type].append(card.body)
            continue
        with_bar[face.type].append(card.body)
        if face.state == "running":
            parts.running.append(card)
        else:
            ended[face.state].append(card.body)
    parts.plain = [(card_lod.block_color(type), rects) for type, rects in plain.items()]
    parts.with_bar = [(card_lod.block_color(type), rects) for type, rects in with_bar.items()]
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
        rings["selected" if card.isSelected() else state if state in card_lod.LOUD else ""].append(card.body)
    pens = {kind: _cosmetic(shapes.state_color(kind), 1) for kind in card_lod.LOUD}
    pens["selected"] = _cosmetic(theme.current().color("accent.line"), 2)
    return [(pens.get(kind), rects) for kind, rects in rings.items()]


def _blocks(painter: QPainter, parts: _Parts, pixel: float) -> None:
    """The coloured part of each card, and the bar of those that run or ran. `pixel`: one on screen, in the scene."""
    if parts.pixel != pixel:
        _measure(parts, pixel)
    for color, rects in parts.blocks:
        painter.setBrush(color)
        painter.drawRects(rects)
    if parts.bars:
        painter.setBrush(shapes.state_color("running"))
        high = 2 * pixel
        painter.drawRects(
            [QRectF(left, top, wide * max(0.05, card.face.fraction), high) for card, left, top, wide in parts.bars]
        )


def _measure(parts: _Parts, pixel: float) -> None:
    """Once for a zoom: a tick of progress only makes the bars of what runs longer."""
    inset, high = 2 * pixel, 2 * pixel
    parts.pixel = pixel
    parts.blocks = [
        *((color, [rect.adjusted(inset, inset, -inset, -inset) for rect in rects]) for color, rects in parts.plain),
        *(
            (color, [rect.adjusted(inset, inset, -inset, -inset - high - pixel) for rect in rects])
            for color, rects in parts.with_bar
        ),
        *((color, [QRectF(*_bar(rect, pixel), high) for rect in rects]) for color, rects in parts.ended),
    ]
    parts.bars = [(card, *_bar(card.body, pixel)) for card in parts.running]


def _bar(body: QRectF, pixel: float) -> tuple[float, float, float]:
    """Left, top and whole width."""
    inset, high = 2 * pixel, 2 * pixel
    return body.left() + inset, body.bottom() - inset - high, body.width() - 2 * inset


def _cosmetic(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)
    return pen
