"""The mouse on the graph: choosing, dragging, drawing links, dropping. It changes nothing itself and only tells.

Must not know workflows' meaning: whether a link may be made it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainterPath,
)
from PySide6.QtWidgets import QGraphicsView, QToolTip

from desktop_app.ui import theme
from desktop_app.ui.graph_ground import GraphGround
from desktop_app.ui.link_item import LinkItem, LiveLink
from desktop_app.ui.node_item import CardItem, TypedPort
from desktop_app.workflow import Link

TOOL_MIME = "application/x-graphwright-tool"
_SNAP = theme.tokens()["layout"]["snap"]
_CLICK = 4
_REACH = 12.0
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class GraphCanvas(GraphGround):
    """The drawing surface. Places are in the scene unless said otherwise; cards go by their ids.

    `candidates(port)` gives the (card, port) pairs at which a link from that port may end, `refusal(start, end)`
    the reason why one may not. `key_pressed(event)` may take a key before the view does.
    """

    link_drawn = Signal(object, object, object)  # TypedPort, TypedPort, Link | None: what it was taken off
    link_on_card = Signal(object, str, object)  # TypedPort, card id, Link | None
    link_on_canvas = Signal(object, QPointF)
    link_removed = Signal(object)
    links_sliced = Signal(list)
    cards_moved = Signal(dict)
    card_clicked = Signal(str, QPointF)
    card_opened = Signal(str)
    canvas_opened = Signal(QPointF)
    menu_wanted = Signal(QPointF, QPoint)
    files_dropped = Signal(list, QPointF)
    tool_dropped = Signal(str, QPointF)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.candidates: Callable[[TypedPort], frozenset[tuple[str, str]]] = lambda port: frozenset()
        self.refusal: Callable[[TypedPort, TypedPort], str] = lambda start, end: ""
        self.key_pressed: Callable[[QKeyEvent], bool] = lambda event: False
        self._live = LiveLink()
        self.scene().addItem(self._live)
        self._from: TypedPort | None = None
        self._taken_off: Link | None = None
        self._fits: frozenset[tuple[str, str]] = frozenset()
        self._pan_from: QPoint | None = None
        self._band_from: QPoint | None = None
        self._band_kept: list[CardItem] = []
        self._pressed: CardItem | None = None
        self._press_at = QPoint()
        self._before: dict[CardItem, QPointF] = {}
        self._slicing: QPointF | None = None
        self._space = False

    # What is where

    def cards(self) -> list[CardItem]:
        """Every card."""
        return [item for item in self.scene().items() if isinstance(item, CardItem)]

    def selected_cards(self) -> list[CardItem]:
        """The chosen cards."""
        return [item for item in self.scene().selectedItems() if isinstance(item, CardItem)]

    def selected_links(self) -> list[LinkItem]:
        """The chosen links."""
        return [item for item in self.scene().selectedItems() if isinstance(item, LinkItem)]

    def port_at(self, place: QPointF) -> TypedPort | None:
        """The port within reach of that place, the nearest one."""
        reach = min(24.0, max(_REACH, _REACH / self.zoom))
        area = QRectF(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach)
        near = [item for item in self.scene().items(area) if isinstance(item, TypedPort)]
        near = [port for port in near if (port.middle - place).manhattanLength() <= reach * 1.2]
        return min(near, key=lambda p: (p.middle - place).manhattanLength(), default=None)

    def card_at(self, place: QPointF) -> CardItem | None:
        """The topmost card at that place."""
        return next((item for item in self.scene().items(place) if isinstance(item, CardItem)), None)

    def link_at(self, place: QPointF) -> LinkItem | None:
        """The topmost link at that place."""
        return next((item for item in self.scene().items(place) if isinstance(item, LinkItem)), None)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._origin_pos = self._previous_pos = self._press_at = place
        scene_place = self.mapToScene(place)
        keys = event.modifiers()
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and (self._space or keys == Qt.KeyboardModifier.AltModifier)
        ):
            self._pan_from = place
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            if keys & Qt.KeyboardModifier.AltModifier and keys & Qt.KeyboardModifier.ShiftModifier:
                self._slicing = scene_place
                self._SLICER_PIPE.setVisible(True)
            else:
                self._press_left(event, scene_place, bool(keys & _ADDING))
        event.accept()

    def _press_left(self, event: QMouseEvent, place: QPointF, adding: bool) -> None:
        port = self.port_at(place) if self.zoom >= theme.tokens()["simple_card"]["below_zoom"] else None
        card = self.card_at(place)
        if port is not None and not (card is not None and card is not port.card):
            self._begin_link(port)
        elif card is not None:
            self._press_card(event, card, adding)
        elif (link := self.link_at(place)) is not None:
            self._choose([link], adding)
        else:
            self._band_from = self._press_at
            self._band_kept = self.selected_cards() if adding else []
            if not adding:
                self.scene().clearSelection()

    def _press_card(self, event: QMouseEvent, card: CardItem, adding: bool) -> None:
        if adding:
            card.setSelected(not card.isSelected())
            return
        if not card.isSelected():
            self._choose([card], False)
        self._pressed = card
        self._before = {item: item.pos() for item in self.selected_cards()}
        for item in self._before:
            for port in [*item.inputs, *item.outputs]:
                for link in port.connected_pipes:
                    link.set_obstacles(())
        QGraphicsView.mousePressEvent(self, event)

    def _choose(self, items: Iterable[CardItem | LinkItem], adding: bool) -> None:
        if not adding:
            self.scene().clearSelection()
        for item in items:
            item.setSelected(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._previous_pos, before = place, self._previous_pos
        if self._pan_from is not None:
            self.pan_by(QPointF(before - place))
        elif self._from is not None:
            self._follow_link(self.mapToScene(place), event.globalPosition().toPoint())
        elif self._slicing is not None:
            self._SLICER_PIPE.draw_path(self._slicing, self.mapToScene(place))
        elif self._band_from is not None:
            self._stretch_band(place)
        else:
            QGraphicsView.mouseMoveEvent(self, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pan_from is not None:
            self._pan_from = None
            self.viewport().unsetCursor()
        elif self._from is not None:
            self._drop_link(self.mapToScene(place))
        elif self._slicing is not None:
            self._slice(self.mapToScene(place))
        elif self._band_from is not None:
            self._band_from = None
            self._rubber_band.hide()
        else:
            QGraphicsView.mouseReleaseEvent(self, event)
            self._release_card(place)
        event.accept()

    def _release_card(self, place: QPoint) -> None:
        card, self._pressed = self._pressed, None
        if card is None:
            return
        moved = {item: item.pos() for item, old in self._before.items() if item.pos() != old}
        self._before = {}
        if (place - self._press_at).manhattanLength() < _CLICK:
            for item in moved:  # a trembling hand: a click moves nothing
                item.setPos(round(item.pos().x() / _SNAP) * _SNAP, round(item.pos().y() / _SNAP) * _SNAP)
            self.card_clicked.emit(card.id, self.mapToScene(place))
            return
        for item, spot in moved.items():
            item.setPos(round(spot.x() / _SNAP) * _SNAP, round(spot.y() / _SNAP) * _SNAP)
        if moved:
            self.cards_moved.emit({item.id: (item.pos().x(), item.pos().y()) for item in moved})

    def _stretch_band(self, place: QPoint) -> None:
        assert self._band_from is not None
        band = QRect(self._band_from, place).normalized()
        if max(band.width(), band.height()) < _CLICK:
            return
        self._rubber_band.setGeometry(band)
        self._rubber_band.show()
        area = self.mapToScene(band).boundingRect()
        for card in self.cards():
            card.setSelected(card in self._band_kept or area.intersects(card.body))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.mapToScene(event.position().toPoint())
        card = self.card_at(place)
        if event.button() != Qt.MouseButton.LeftButton or self.port_at(place) is not None:
            return
        if card is not None:
            self.card_opened.emit(card.id)
        elif self.link_at(place) is None:
            self.canvas_opened.emit(place)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = self.mapToScene(event.pos())
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            cards = self.selected_cards()
            place = cards[0].body.center() if cards else self._scene_range.center()
            self.menu_wanted.emit(place, self.viewport().mapToGlobal(self.mapFromScene(place)))
        else:
            item = self.card_at(place) or self.link_at(place)
            if item is not None and not item.isSelected():
                self._choose([item], False)
            self.menu_wanted.emit(place, event.globalPos())
        event.accept()

    # Links drawn by hand

    def _begin_link(self, port: TypedPort) -> None:
        self._taken_off = None
        if port.is_input and port.connected_pipes and not port.face.many:
            pipe = port.connected_pipes[0]
            self._taken_off, port = pipe.link, pipe.start
            pipe.setVisible(False)
        self._from = port
        self._fits = self.candidates(port)
        self._live.begin(port)
        self._show_fits()

    def _show_fits(self) -> None:
        assert self._from is not None
        for card in self.cards():
            for port in card.inputs if self._from.is_input else card.outputs:
                port.show_fit(None if port is self._from else False)
            for port in card.outputs if self._from.is_input else card.inputs:
                port.show_fit((card.id, port.face.name) in self._fits)

    def _follow_link(self, place: QPointF, screen: QPoint) -> None:
        assert self._from is not None
        port = self.port_at(place)
        if port is None or port is self._from:
            self._live.follow(self._from.middle, place, False)
            QToolTip.hideText()
            return
        reason = self._why_not(port)
        self._live.follow(self._from.middle, port.middle, bool(reason))
        if reason:
            QToolTip.showText(screen, reason, self)
        else:
            QToolTip.hideText()

    def _why_not(self, port: TypedPort) -> str:
        assert self._from is not None
        if port.is_input != self._from.is_input and (port.card.id, port.face.name) in self._fits:
            return ""
        return self.refusal(self._from, port)

    def _drop_link(self, place: QPointF) -> None:
        start, taken_off = self._from, self._taken_off
        assert start is not None
        port, card = self.port_at(place), self.card_at(place)
        reason = self._why_not(port) if port is not None and port is not start else ""
        self.cancel_link()
        far = (self.mapFromScene(place) - self._press_at).manhattanLength() >= _CLICK
        if port is start or (port is None and not far):
            return
        if port is not None:
            if reason:
                self.refused.emit(reason)
            elif taken_off is None or (taken_off.target, taken_off.port) != (port.card.id, port.face.name):
                self.link_drawn.emit(start, port, taken_off)
        elif card is not None:
            self.link_on_card.emit(start, card.id, taken_off)
        elif taken_off is not None:
            self.link_removed.emit(taken_off)
        else:
            self.link_on_canvas.emit(start, place)

    def cancel_link(self) -> None:
        """Takes back the link that is being drawn."""
        if self._from is None:
            return
        if self._taken_off is not None:
            for pipe in self._from.connected_pipes:
                pipe.setVisible(True)
        self._from = self._taken_off = None
        self._live.finish()
        QToolTip.hideText()
        for card in self.cards():
            for port in [*card.inputs, *card.outputs]:
                port.show_fit(None)

    @property
    def drawing_link(self) -> bool:
        """True while a link hangs on the mouse."""
        return self._from is not None

    def hold_link(self, port: TypedPort, place: QPointF) -> None:
        """Shows a link from the port to a place, until `release_held`."""
        self._live.begin(port)
        self._live.follow(port.middle, place, False)

    def release_held(self) -> None:
        """Takes back what `hold_link` shows."""
        self._live.finish()

    def _slice(self, place: QPointF) -> None:
        path = QPainterPath(self._slicing or place)
        path.lineTo(place)
        cut = [item.link for item in self.scene().items(path) if isinstance(item, LinkItem)]
        self._slicing = None
        self._SLICER_PIPE.setVisible(False)
        if cut:
            self.links_sliced.emit(cut)

    def _validate_accept_connection(self, from_port: TypedPort, to_port: TypedPort) -> bool:
        start, end = (to_port, from_port) if from_port.is_input else (from_port, to_port)
        return (end.card.id, end.face.name) in self.candidates(start)

    def _validate_reject_connection(self, from_port: TypedPort, to_port: TypedPort) -> bool:
        return not self._validate_accept_connection(from_port, to_port)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.drawing_link:
            self.cancel_link()
        elif not self.key_pressed(event):
            event.ignore()
        else:
            event.accept()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    # Drops

    def dragEnterEvent(self, event) -> None:
        self._judge_drag(event)

    def dragMoveEvent(self, event) -> None:
        self._judge_drag(event)

    def _judge_drag(self, event) -> None:
        data = event.mimeData()
        if data.hasUrls() or data.hasFormat(TOOL_MIME):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event) -> None:
        data, place = event.mimeData(), self.mapToScene(event.position().toPoint())
        if data.hasFormat(TOOL_MIME):
            self.tool_dropped.emit(bytes(data.data(TOOL_MIME).data()).decode("utf-8"), place)
            event.acceptProposedAction()
            return
        paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if paths:
            self.files_dropped.emit(paths, place)
            event.acceptProposedAction()
