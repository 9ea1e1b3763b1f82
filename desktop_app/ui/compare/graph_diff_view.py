"""Both workflows as one picture: what they share once and dimmed, what differs in a dashed ring of its side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.graph.layout import layout
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.session.comparison.pairs import ALIKE, SHARED, Comparison, Pair, merged
from desktop_app.ui.compare.sides import Side, paint_ring
from desktop_app.ui.graph.items.card_layout import NODE, RESOURCE
from desktop_app.ui.graph.items.card_model import CardModel, CardModels
from desktop_app.ui.graph.items.card_text import TEXT_FLAGS, write
from desktop_app.ui.graph.items.link_item import paint_link, route
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, shapes, theme
from desktop_app.ui.widgets.basic import Painted, color, px
from nodes.api import Tool

_ROW = 20.0
_DIM = 0.5
_RING = 4.0
_MARGIN = 14.0
_MOST_ZOOM = 0.85
_LEAST_ZOOM = 0.2
_TITLE_PIXELS = 8.5
_CLOSER = (4.0, 24.0)
"""So much nearer do cards stand, across and down, than on the canvas."""


@dataclass(frozen=True)
class _Card:
    """A card in the picture. `rect` in the picture's own pixels; `ring` the side whose ring it has, "" for none."""

    face: CardModel
    rect: QRectF
    pair: Pair
    ring: str

    @property
    def dimmed(self) -> bool:
        return self.pair.kind == SHARED

    @property
    def top(self) -> float:
        return self.rect.top() + (RESOURCE["header"] if self.face.is_resource else NODE["header"])

    def port(self, name: str, is_input: bool) -> QPointF:
        ports = self.face.inputs if is_input else self.face.outputs
        at = next((i for i, port in enumerate(ports) if port.name == name), 0)
        return QPointF(self.rect.left() if is_input else self.rect.right(), self.top + (at + 0.5) * _ROW)


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
        sizes = {id: _size(face) for id, face in faces.items()}
        places = layout(workflow, {id: (wide - _CLOSER[0], high - _CLOSER[1]) for id, (wide, high) in sizes.items()})
        self.cards = {
            id: _Card(_named(faces[id], pairs[id]), QRectF(QPointF(*places[id]), QPointF(places[id][0] + sizes[id][0],
                      places[id][1] + sizes[id][1])), pairs[id], _ring_of(id, pairs[id]))
            for id in faces
        }  # fmt: skip
        self._links = _known(workflow, self.cards)
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


def _known(workflow: Workflow, cards: Mapping[str, _Card]) -> tuple[Link, ...]:
    return tuple(link for link in workflow.links if link.source in cards and link.target in cards)


def _states(pairs: Mapping[str, Pair], sides: Mapping[str, Side]):
    found = {}
    for id, pair in pairs.items():
        for side in (id[0],) if pair.kind != SHARED else ("a", "b"):
            record = sides[side].run.nodes.get(pair.of(side))
            if record is not None:
                found.setdefault(id, record)
    return found


def _named(face: CardModel, pair: Pair) -> CardModel:
    return replace(face, title=pair.a or pair.b) if face.is_resource else face


def _ring_of(id: str, pair: Pair) -> str:
    return "" if pair.kind in (SHARED, ALIKE) else id[0]


def _size(face: CardModel) -> tuple[float, float]:
    if face.is_resource:
        return float(RESOURCE["width"]), RESOURCE["header"] + _ROW + RESOURCE["bottom"]
    rows = max(1, len(face.inputs), len(face.outputs))
    return float(NODE["width"]), NODE["header"] + _ROW * rows + NODE["footer"]


def _tip(card: _Card) -> str:
    title = card.face.title
    if card.pair.kind == SHARED:
        return translate("{title}: both have it; it is computed once").format(title=title)
    if card.ring:
        return translate("{title}: so only in {letter}").format(title=title, letter=card.ring.upper())
    return translate("{title}: the same, but fed with something else").format(title=title)


def _paint_card(painter: QPainter, card: _Card, zoom: float) -> None:
    current, face, rect = theme.current(), card.face, card.rect
    radius = float(RESOURCE["radius"] if face.is_resource else NODE["radius"])
    edge = current.color("background.border_strong")
    if face.is_resource:
        edge = current.type_color(face.type)
        edge = current.tint(f"resource_type.{theme.base_type(face.type)}", RESOURCE["border_alpha"])
    painter.setPen(QPen(edge, 1.2))
    painter.setBrush(current.color("background.card"))
    painter.drawRoundedRect(rect, radius, radius)
    if card.ring:
        paint_ring(
            painter, rect.adjusted(-_RING, -_RING, _RING, _RING), card.ring, radius + _RING, max(1.8, 1.4 / zoom)
        )
    _paint_header(painter, card, zoom)
    ink = current.color("text.secondary")
    for ports, is_input in ((face.inputs, True), (face.outputs, False)):
        for at, port in enumerate(ports):
            line = QRectF(rect.left() + 13, card.top + at * _ROW, rect.width() - 26, _ROW)
            write(painter, line, port.label, "node_label", ink, zoom, right=not is_input)
            middle = card.port(port.name, is_input)
            shapes.paint_type(painter, QRectF(middle.x() - 5, middle.y() - 5, 10, 10), port.type, port.joined)
    if face.is_resource:
        line = QRectF(rect.left() + 12, card.top, rect.width(), _ROW)
        write(painter, line, face.left, "node_footer", current.color("text.tertiary"), zoom)
    else:
        _paint_footer(painter, card, zoom)


def _paint_header(painter: QPainter, card: _Card, zoom: float) -> None:
    current, face, rect = theme.current(), card.face, card.rect
    if face.is_resource:
        shapes.paint_type(painter, QRectF(rect.left() + 11, rect.top() + 10, 11, 11), face.type, True)
        place = QRectF(rect.left() + 30, rect.top(), rect.width() - 40, RESOURCE["header"])
        _write_title(painter, place, face.title, Qt.TextElideMode.ElideMiddle, zoom)
        return
    tile = QRectF(rect.left() + 8, rect.top() + 8, 20, 20)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current.tint(f"resource_type.{theme.base_type(face.type)}", 0.18))
    painter.drawRoundedRect(tile, 5, 5)
    icons.paint(painter, tile.adjusted(3, 3, -3, -3), face.icon, current.type_color(face.type))
    place = QRectF(rect.left() + NODE["title_x"], rect.top(), rect.width() - NODE["title_x"] - 28, NODE["header"])
    _write_title(painter, place, face.title, Qt.TextElideMode.ElideRight, zoom)
    if face.state not in ("", "idle"):
        glyph = QRectF(rect.right() - 24, rect.top() + 11, 14, 14)
        shapes.paint_state(painter, glyph, face.state, face.fraction)


def _write_title(painter: QPainter, place: QRectF, title: str, cut: Qt.TextElideMode, zoom: float) -> None:
    """From afar in larger letters, so that it stays the last thing to be read."""
    font = theme.current().font("node_title")
    pixels = font.pointSizeF() * 96 / 72
    if pixels * zoom < _TITLE_PIXELS:
        font.setPointSizeF(font.pointSizeF() * _TITLE_PIXELS / (pixels * zoom))
    painter.setFont(font)
    painter.setPen(color("text.primary"))
    text = QFontMetricsF(font).elidedText(title, cut, place.width())
    painter.drawText(place, int(Qt.AlignmentFlag.AlignLeft | TEXT_FLAGS), text)


def _paint_footer(painter: QPainter, card: _Card, zoom: float) -> None:
    current, face, rect = theme.current(), card.face, card.rect
    top = rect.bottom() - NODE["footer"]
    painter.setPen(QPen(current.color("background.border"), 1))
    painter.drawLine(QPointF(rect.left() + 9, top), QPointF(rect.right() - 9, top))
    place = QRectF(rect.left() + 12, top, rect.width() - 24, NODE["footer"])
    metrics = QFontMetricsF(current.font("node_footer"))
    right = metrics.elidedText(face.word, Qt.TextElideMode.ElideRight, place.width() * 0.55)
    room = place.width() - metrics.horizontalAdvance(right) - 8
    left = metrics.elidedText(face.left, Qt.TextElideMode.ElideRight, room)
    write(painter, place, left, "node_footer", current.color("text.tertiary"), zoom)
    ink = (
        shapes.state_color(face.state) if face.state in ("done", "cached", "failed") else current.color("text.tertiary")
    )
    write(painter, place, right, "node_footer", ink, zoom, right=True)
