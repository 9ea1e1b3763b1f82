"""The card of a node or resource in the scene, and its ports. Painting is in card_paint.

Must not know the Session; what a card shows is its Face.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop_app.ui import card_measure, card_paint, card_simple, shapes, theme
from desktop_app.ui.card_face import Face, PortFace
from desktop_app.ui.linking import type_name
from desktop_app.ui.node_graph_qt import AbstractNodeItem, PortItem, PortTypeEnum
from desktop_app.ui.result_pictures import ResultPictures

_PORT = theme.tokens()["port"]
_REACH = _PORT["hit_target"] / 2
_AROUND = 10.0
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
        """Shows another face of the same port."""
        self.face = face
        self.name = face.name
        self._multi_connection = face.many or not self.is_input
        about = f"{face.label}: {type_name(face.type)}" + (f" - {face.doc}" if face.doc else "")
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

    def boundingRect(self) -> QRectF:
        return QRectF(-_REACH, -_REACH, 2 * _REACH, 2 * _REACH)

    def hoverEnterEvent(self, event) -> None:
        self._hovered = True
        self.update()

    def hoverLeaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if painter.worldTransform().m11() < card_simple.SIMPLE_BELOW:
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
    """A painted card. `id` is the node's id or the resource's name."""

    def __init__(self, face: Face, results: ResultPictures) -> None:
        super().__init__(face.id)
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setAcceptHoverEvents(True)
        self.id = face.id
        self.face = face
        self._results = results
        self._outlined = False
        self._hovered = False
        self._behind = False
        self._ports: dict[tuple[bool, str], TypedPort] = {}
        self.visible = True
        self._look = card_measure.measure(face)
        self._take(face)

    # What it shows

    def set_face(self, face: Face) -> bool:
        """Shows another face; False when nothing changed, so nothing was repainted."""
        if face == self.face:
            return False
        before = self._look.height
        self._take(face)
        if self._look.height != before:
            self.prepareGeometryChange()
        self.update()
        return True

    def keep_face(self, face: Face) -> None:
        """Takes another face without measuring it, while the card is too far away for its letters; see `catch_up`."""
        self._behind = self._behind or face != self.face
        self.face = face

    def catch_up(self) -> bool:
        """Measures the face that was kept; True when the card has another height than before."""
        if not self._behind:
            return False
        height = self.height
        self._behind = False
        self.refresh()
        return self.height != height

    def refresh(self) -> None:
        """Measures anew: the theme, or the language, has changed."""
        self.prepareGeometryChange()
        self._take(self.face)
        self.update()

    def set_outlined(self, outlined: bool) -> None:
        """A dashed ring, for what differs."""
        if outlined is not self._outlined:
            self._outlined = outlined
            self.update()

    @property
    def outlined(self) -> bool:
        """True with the dashed ring of what differs."""
        return self._outlined

    def _take(self, face: Face) -> None:
        self.face = face
        before = self._look
        self._look = card_measure.measure(face)
        if face.preview or face.result is not None:
            self._look.picture = before.picture
        self.setToolTip(_tip(face, self._look.title))
        self._width, self._height = self._look.width, self._look.height
        self._properties["name"] = face.title
        self.setZValue(1)
        self._sync_ports(face)

    def _sync_ports(self, face: Face) -> None:
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
        """The port of that name on the card, or None when it is not shown."""
        return self._ports.get((is_input, name))

    @property
    def inputs(self) -> list[TypedPort]:
        """Ports on the left."""
        return [port for (is_input, _), port in self._ports.items() if is_input]

    @property
    def outputs(self) -> list[TypedPort]:
        """Ports on the right."""
        return [port for (is_input, _), port in self._ports.items() if not is_input]

    @property
    def body(self) -> QRectF:
        """The card in the scene, without shadow and ring."""
        return QRectF(self.pos(), self._look.body.size())

    def in_result(self, place: QPointF) -> bool:
        """True when a place of the scene lies in the result area."""
        return self._look.thumb.contains(place - self.pos())

    # Qt

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self._width, self._height).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(QRectF(0, 0, self._width, self._height))
        return path

    def hoverEnterEvent(self, event) -> None:
        self._hovered = True
        self.update()

    def hoverLeaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        zoom = painter.worldTransform().m11()
        card_paint.paint(painter, self._look, zoom, self._results, self.isSelected(), self._outlined, self._hovered)


def _tip(face: Face, shown: str) -> str:
    """The whole of what may be cut on the card."""
    if face.state in ("failed", "missing", "input"):
        return "\n".join(part for part in (face.headline, face.text) if part)
    return "\n".join(part for part in (face.title if face.title != shown else "", face.notice) if part)
