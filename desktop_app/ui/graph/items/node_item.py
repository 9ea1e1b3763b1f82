"""The card of a node or resource in the scene, and its ports. Painting is in card_painter.

NodeGraphQt gives the classes of item and port, by which its scene knows them; it paints neither the state of a run nor
results nor ports by type, and lays out by itself, so that is done anew. Must not know the Session; what a card shows is
its CardModel.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop_app.graph.connect import type_name
from desktop_app.ui.graph.items import card_layout, card_lod, card_painter
from desktop_app.ui.graph.items.card_model import CardModel, PortFace
from desktop_app.ui.graph.items.result_pixmaps import ResultPictures
from desktop_app.ui.graph.nodegraphqt_adapter import AbstractNodeItem, PortItem, PortTypeEnum
from desktop_app.ui.support.formatting import pair
from desktop_app.ui.theme import shapes, theme

_HAS_MOVED = QGraphicsItem.GraphicsItemChange.ItemScenePositionHasChanged
_PORT = theme.tokens()["port"]
_REACH = _PORT["hit_target"] / 2
AROUND = 10.0
"""Pixels round a card that its ring, shadow and ports may need."""
_ROW = theme.tokens()["node_card"]["port_row"]


class TypedPort(PortItem):
    """A port: the shape of its type on the card's edge, filled when joined. (0, 0) is its middle."""

    def __init__(self, card: CardItem, face: PortFace, is_input: bool) -> None:
        super().__init__(card)
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._port_type = PortTypeEnum.IN.value if is_input else PortTypeEnum.OUT.value
        self.card = card
        self.is_input = is_input
        self.fit: bool | None = None
        self.face = face
        self.set_face(face)

    def set_face(self, face: PortFace) -> None:
        self.face = face
        self.name = face.name
        about = pair(face.label, type_name(face.type)) + (f" – {face.doc}" if face.doc else "")
        self.setToolTip(about)
        self.update()

    def show_fit(self, fit: bool | None) -> None:
        """While a link is drawn: True when it may end here, False when not, None when none is drawn."""
        if fit is not self.fit:
            self.fit = fit
            self.update()

    @property
    def middle(self) -> QPointF:
        """Its middle in the scene."""
        return self.scenePos()

    def update(self, *area) -> None:
        self.card.stale = True
        super().update(*area)

    def itemChange(self, change, value):
        """As NodeGraphQt's own at half its cost; it comes fifteen times for each port that is made."""
        if change == _HAS_MOVED:
            self.redraw_connected_pipes()
        return QGraphicsItem.itemChange(self, change, value)

    def boundingRect(self) -> QRectF:
        return QRectF(-_REACH, -_REACH, 2 * _REACH, 2 * _REACH)

    def hoverEnterEvent(self, event) -> None:
        self._hovered = True
        self.update()

    def hoverLeaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if painter.worldTransform().m11() < card_lod.SIMPLE_BELOW:
            return
        current = theme.current()
        scale = _PORT["candidate_scale"] if self.fit or self._hovered else 1.0
        size = _PORT["size"] * scale
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(painter.opacity() * (_PORT["not_fitting_opacity"] if self.fit is False else 1.0))
        halo = QColor(current.color(_PORT["halo_color"]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(halo)
        path = shapes.type_path(self.face.type, size + _PORT["halo"] * 2 - 1)
        painter.drawPath(path)
        filled = self.face.joined or bool(self.fit)
        shapes.paint_type(painter, QRectF(-size / 2, -size / 2, size, size), self.face.type, filled)


class CardItem(AbstractNodeItem):
    """A painted card. `id` is the node's id or the resource's name; `left` and `top` are its corner in the scene.

    The words of a face are cut to fit only when the card is painted large enough for them, or pointed at. `stale` tells
    that a picture of the card is no longer true, `extent` is its left, top, right and bottom in the scene. `moves`
    counts how often any card was put elsewhere.
    """

    moves = 0

    def __init__(self, face: CardModel, results: ResultPictures) -> None:
        super().__init__(face.id)
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setAcceptHoverEvents(True)
        self.id = face.id
        self.face = face
        self._results = results
        self.outlined = False
        self._hovered = False
        self._behind = False
        self._ports: dict[tuple[bool, str], TypedPort] = {}
        self.visible = True
        self.left = self.top = 0.0
        self.extent: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
        self.stale = True
        self._look = card_layout.measure(face)
        self._take(face)

    @property
    def title_area(self) -> QRectF | None:
        """Where the title of a node stands, in the scene; what a file is called is not the graph's to say."""
        if self.face.is_resource:
            return None
        right = card_layout.NODE["state_glyph_center_from_right"] + card_layout.NODE["state_glyph"]
        left = card_layout.NODE["title_x"] - 6
        return QRectF(self.left + left, self.top, self._look.width - left - right, card_layout.NODE["header"])

    # What it shows

    def set_face(self, face: CardModel, repaint: bool = True) -> bool:
        """Shows another face; False when nothing changed. Without `repaint` the caller sees to the painting."""
        before = self.face
        if face == before:
            return False
        if (face.inputs, face.outputs, face.tall) != (before.inputs, before.outputs, before.tall):
            self.prepareGeometryChange()
            self._take(face)
        else:
            self.face = self._look.face = face
            self._behind = self._behind or not card_layout.same_words(face, before)
            if not face.preview and face.result is None:
                self._look.picture = None
            if self._hovered:
                self._cut_words()
        self.stale = True
        if repaint:
            self.update()
        return True

    def refresh(self) -> None:
        self.prepareGeometryChange()
        self._take(self.face)
        self.update()

    def set_outlined(self, outlined: bool) -> None:
        if outlined is not self.outlined:
            self.outlined = outlined
            self.update()

    def _take(self, face: CardModel) -> None:
        self.face = face
        before = self._look
        self._look = card_layout.measure(face)
        self._behind = True
        if face.preview or face.result is not None:
            self._look.picture = before.picture
        self._width, self._height = self._look.width, self._look.height
        self._properties["name"] = face.title
        self.setZValue(1)
        self._note_extent()
        self._sync_ports(face)
        if self._hovered:
            self._cut_words()

    def _note_extent(self) -> None:
        self.extent = (self.left, self.top, self.left + self._width, self.top + self._height)

    def _cut_words(self) -> None:
        """Cuts the words of the face to fit, unless they are already."""
        if self._behind:
            self._behind = False
            card_layout.cut_words(self._look)
            self.setToolTip(_tip(self.face))

    def _sync_ports(self, face: CardModel) -> None:
        wanted = [(True, i, p) for i, p in enumerate(face.inputs)] + [(False, i, p) for i, p in enumerate(face.outputs)]
        keys = {(is_input, port.name) for is_input, _, port in wanted}
        for key in [key for key in self._ports if key not in keys]:
            port = self._ports.pop(key)
            port.setParentItem(None)  # type: ignore[arg-type]
            if port.scene():
                port.scene().removeItem(port)
        for is_input, row, shown in wanted:
            port = self._ports.get((is_input, shown.name))
            if port is None:
                port = self._ports[is_input, shown.name] = TypedPort(self, shown, is_input)
            elif port.face != shown:
                port.set_face(shown)
            port.setPos(0.0 if is_input else self._look.width, self._look.ports_top + (row + 0.5) * _ROW)

    # Parts

    def port(self, name: str, is_input: bool) -> TypedPort | None:
        return self._ports.get((is_input, name))

    @property
    def inputs(self) -> list[TypedPort]:
        return [port for (is_input, _), port in self._ports.items() if is_input]

    @property
    def outputs(self) -> list[TypedPort]:
        return [port for (is_input, _), port in self._ports.items() if not is_input]

    @property
    def ports(self) -> list[TypedPort]:
        return list(self._ports.values())

    @property
    def body(self) -> QRectF:
        """The card in the scene, without shadow and ring."""
        return QRectF(self.left, self.top, self._look.width, self._look.height)

    def in_result(self, place: QPointF) -> bool:
        """True when a place of the scene lies in the result area."""
        return self._look.thumb.contains(place - self.pos())

    # Qt

    def setPos(self, *place) -> None:
        super().setPos(*place)
        self.left, self.top = self.pos().toTuple()
        self._note_extent()
        CardItem.moves += 1

    def update(self, *area) -> None:
        self.stale = True
        super().update(*area)

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self._width, self._height).adjusted(-AROUND, -AROUND, AROUND, AROUND)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(QRectF(0, 0, self._width, self._height))
        return path

    def hoverEnterEvent(self, event) -> None:
        self._hovered = True
        self._cut_words()
        self.update()

    def hoverLeaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        zoom = painter.worldTransform().m11()
        if zoom >= card_lod.SIMPLE_BELOW:
            self._cut_words()
        card_painter.paint(painter, self._look, zoom, self._results, self.isSelected(), self.outlined, self._hovered)


def _tip(face: CardModel) -> str:
    """What the card may have no room for."""
    if face.state in ("failed", "missing", "input", "outdated"):
        return "\n".join(part for part in (face.headline, face.text) if part)
    title = "" if "…" not in card_layout.title_at(face, 1.0)[1] else face.title
    return "\n".join(part for part in (title, face.notice) if part)
