"""Both workflows as one picture: what they share once and dimmed, what differs in a dashed ring of its side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.graph.layout import layout
from desktop_app.graph.workflow import Link
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison.pairs import ALIKE, SHARED, Comparison, Pair, merged
from desktop_app.ui.compare.sides import Side, paint_ring
from desktop_app.ui.graph.items import card_painter
from desktop_app.ui.graph.items.card_layout import NODE, RESOURCE, CardLook, cut_words, measure
from desktop_app.ui.graph.items.card_lod import SIMPLE_BELOW
from desktop_app.ui.graph.items.card_model import CardModel, CardModels
from desktop_app.ui.graph.items.link_item import paint_link, route
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.widgets.basic import Painted, color, px
from nodes.api import Tool

_DIM = 0.5
_RING = 4.0
_MARGIN = 14.0
_MOST_ZOOM = 0.85
_LEAST_ZOOM = 0.2
_CLOSER = (4.0, 24.0)
"""So much nearer do cards stand, across and down, than on the canvas."""


@dataclass(frozen=True)
class _Card:
    """A card in the picture. `rect` in the picture's own pixels; `ring` the side whose ring it has, "" for none."""

    look: CardLook
    rect: QRectF
    pair: Pair
    ring: str

    @property
    def dimmed(self) -> bool:
        return self.pair.kind == SHARED

    @property
    def face(self) -> CardModel:
        return self.look.face

    def port(self, name: str, is_input: bool) -> QPointF:
        ports = self.face.inputs if is_input else self.face.outputs
        at = next((i for i, port in enumerate(ports) if port.name == name), 0)
        down = self.look.ports_top + (at + 0.5) * NODE["port_row"]
        return QPointF(self.rect.left() if is_input else self.rect.right(), self.rect.top() + down)


class DifferenceGraph(Painted, QWidget):
    """`picked` tells the pair of the card that was clicked."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.cards: dict[str, _Card] = {}
        self._links: tuple[Link, ...] = ()
        self._paths: dict[Link, QPainterPath] = {}
        self._bounds = QRectF()
        self.setMinimumSize(px(200), px(90))
        self.setMouseTracking(True)
        theme.signals().changed.connect(self.update)

    def show_comparison(self, comparison: Comparison, sides: Mapping[str, Side], tools: Mapping[str, Tool]) -> None:
        """Shows both workflows, with the states that their runs have."""
        workflow, pairs = merged(comparison)
        run = Run("both", 0.0, _states(pairs, sides))
        faces = CardModels(workflow, tools).all(run)
        looks = {id: _look(face, pairs[id]) for id, face in faces.items()}
        places = layout(workflow, {id: (look.width - _CLOSER[0], look.height - _CLOSER[1])
                                   for id, look in looks.items()})  # fmt: skip
        self.cards = {
            id: _Card(look, look.body.translated(*places[id]), pairs[id], _ring_of(id, pairs[id]))
            for id, look in looks.items()
        }
        self._links = tuple(link for link in workflow.links if link.source in self.cards and link.target in self.cards)
        self._paths = {link: self._path(link) for link in self._links}
        self._bounds = QRectF()
        for card in self.cards.values():
            self._bounds = self._bounds.united(card.rect)
        only = {side: sum(card.ring == side for card in self.cards.values()) for side in "ab"}
        shared = sum(card.dimmed for card in self.cards.values())
        text = translate("The graphs of both: {shared} cards shared, {a} only in A, {b} only in B")
        self.setAccessibleName(text.format(shared=shared, **only))
        self.update()

    def _path(self, link: Link) -> QPainterPath:
        source, target = self.cards[link.source], self.cards[link.target]
        others = [card.rect for id, card in self.cards.items() if id not in (link.source, link.target)]
        return route(source.port(link.output, False), target.port(link.port, True), others)

    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        room = QRectF(self.rect()).adjusted(px(_MARGIN), px(_MARGIN), -px(_MARGIN), -px(_MARGIN))
        if self._bounds.isEmpty():
            return 1.0
        fit = min(room.width() / self._bounds.width(), room.height() / self._bounds.height())
        return max(_LEAST_ZOOM, min(_MOST_ZOOM * theme.current().scale, fit))

    def place_of(self, id: str) -> QRectF:
        zoom, origin = self.zoom(), self._origin()
        rect = self.cards[id].rect
        return QRectF(origin + rect.topLeft() * zoom, rect.size() * zoom)

    def _origin(self) -> QPointF:
        return QRectF(self.rect()).center() - self._bounds.center() * self.zoom()

    def _at(self, place: QPointF) -> _Card | None:
        return next((card for id, card in self.cards.items() if self.place_of(id).contains(place)), None)

    # Painting

    def paint(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), color("background.canvas"))
        self._paint_dots(painter)
        zoom = self.zoom()
        painter.translate(self._origin())
        painter.scale(zoom, zoom)
        for link in self._links:
            source, target = self.cards[link.source], self.cards[link.target]
            painter.setOpacity(_DIM if source.dimmed and target.dimmed else 1.0)
            kind = next((p.type for p in source.face.outputs if p.name == link.output), "any")
            path = self._paths[link]
            paint_link(painter, path, theme.current().type_color(kind), "carried")
        for card in self.cards.values():
            painter.setOpacity(_DIM if card.dimmed else 1.0)
            _paint_card(painter, card, zoom)

    def _paint_dots(self, painter: QPainter) -> None:
        painter.setPen(QPen(color("background.grid"), px(2)))
        step = px(theme.tokens()["layout"]["grid_step"])
        for y in range(step // 2, self.height(), step):
            for x in range(step // 2, self.width(), step):
                painter.drawPoint(x, y)

    # Mouse

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        card = self._at(event.position())
        if card is not None and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(card.pair)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        card = self._at(event.position())
        can = card is not None and not card.face.is_resource and card.pair.a and card.pair.b
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            card = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), _tip(card) if card else "", self)
            return True
        return super().event(event)


def _states(pairs: Mapping[str, Pair], sides: Mapping[str, Side]):
    found = {}
    for id, pair in pairs.items():
        for side in (id[0],) if pair.kind != SHARED else ("a", "b"):
            record = sides[side].run.nodes.get(pair.of(side))
            if record is not None:
                found.setdefault(id, record)
    return found


def _look(face: CardModel, pair: Pair) -> CardLook:
    look = measure(replace(face, title=pair.a or pair.b) if face.is_resource else face, bare=True)
    cut_words(look)
    return look


def _ring_of(id: str, pair: Pair) -> str:
    return "" if pair.kind in (SHARED, ALIKE) else id[0]


def _tip(card: _Card) -> str:
    title = card.face.title
    if card.pair.kind == SHARED:
        return translate("{title}: both have it; it is computed once").format(title=title)
    if card.ring:
        return translate("{title}: so only in {letter}").format(title=title, letter=card.ring.upper())
    return translate("{title}: the same, but fed with something else").format(title=title)


def _paint_card(painter: QPainter, card: _Card, zoom: float) -> None:
    if card.ring:
        radius = float(RESOURCE["radius"] if card.face.is_resource else NODE["radius"]) + _RING
        place = card.rect.adjusted(-_RING, -_RING, _RING, _RING)
        paint_ring(painter, place, card.ring, radius, max(1.8, 1.4 / zoom))
    painter.save()
    painter.translate(card.rect.topLeft())
    card_painter.paint(painter, card.look, zoom)
    painter.restore()
    for ports, is_input in ((card.face.inputs, True), (card.face.outputs, False)):
        for port in ports if zoom >= SIMPLE_BELOW else ():
            middle = card.port(port.name, is_input)
            shapes.paint_type(painter, QRectF(middle.x() - 5, middle.y() - 5, 10, 10), port.type, port.joined)
