"""The mouse on the graph: choosing, dragging, drawing links, dropping. It changes nothing itself and only tells.

Must not know workflows' meaning: whether a link may be made it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView, QToolTip

from desktop_app.graph.workflow import Link
from desktop_app.ui.graph.items.link_item import LinkItem, LiveLink
from desktop_app.ui.graph.items.node_item import CardItem, TypedPort
from desktop_app.ui.graph.items.note_item import DecorationItem, DotItem
from desktop_app.ui.graph.move_tool import CLICK, Band, Drag, Movable, Resize
from desktop_app.ui.graph.viewport import GraphViewport
from desktop_app.ui.support.incoming import takes
from desktop_app.ui.theme import theme

TOOL_MIME = "application/x-graphwright-tool"
_REACH = 12.0
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class GraphCanvas(GraphViewport):
    """The drawing surface. Places are in the scene unless said otherwise; cards go by their ids.

    `candidates(port)` gives the (card, port) pairs at which a link from that port may end, `refusal(start, end)`
    the reason why one may not. `key_pressed(event)` may take a key before the view does.
    """

    link_drawn = Signal(object, object, object)  # TypedPort, TypedPort, Link | None: what it was taken off
    link_on_card = Signal(object, str, object)  # TypedPort, card id, Link | None
    link_on_canvas = Signal(object, QPointF)
    link_removed = Signal(object)
    link_opened = Signal(object, QPointF)
    things_moved = Signal(object)  # Moved
    decor_resized = Signal(str, float, float)
    words_opened = Signal(str)
    """A note, a frame, or the title of a node is to be written."""
    dot_opened = Signal(object, int)
    card_clicked = Signal(str, QPointF)
    card_opened = Signal(str)
    canvas_opened = Signal(QPointF)
    menu_wanted = Signal(QPointF, QPoint)
    given = Signal(object, QPointF)  # QMimeData with files or a picture
    tool_dropped = Signal(str, QPointF)
    join_refused = Signal(object, object, str)  # TypedPort, TypedPort, why

    def __init__(self) -> None:
        super().__init__()
        self.candidates: Callable[[TypedPort], frozenset[tuple[str, str]]] = lambda port: frozenset()
        self.refusal: Callable[[TypedPort, TypedPort], str] = lambda start, end: ""
        self.key_pressed: Callable[[QKeyEvent], bool] = lambda event: False
        self.linking = Linking(self)
        self._pan_from: QPoint | None = None
        self._space = self._space_alone = False
        self._press_at = QPoint()
        self._band: Band | None = None
        self._drag: Drag | None = None
        self._resize: Resize | None = None

    # What is where

    def cards(self) -> list[CardItem]:
        return [item for item in self.scene().items() if isinstance(item, CardItem)]

    def things(self) -> list[Movable]:
        """Everything that can be moved: cards, notes, frames, dots."""
        return [item for item in self.scene().items() if isinstance(item, CardItem | DecorationItem | DotItem)]

    def selected_links(self) -> list[LinkItem]:
        return [item for item in self.scene().selectedItems() if isinstance(item, LinkItem)]

    def selected_decor(self) -> list[DecorationItem]:
        return [item for item in self.scene().selectedItems() if isinstance(item, DecorationItem)]

    def selected_dots(self) -> list[DotItem]:
        return [item for item in self.scene().selectedItems() if isinstance(item, DotItem)]

    def port_at(self, place: QPointF) -> TypedPort | None:
        """The port within reach of that place, the nearest one."""
        reach = min(24.0, max(_REACH, _REACH / self.zoom))
        area = QRectF(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach)
        near = [item for item in self.scene().items(area) if isinstance(item, TypedPort)]
        near = [port for port in near if (port.middle - place).manhattanLength() <= reach * 1.2]
        return min(near, key=lambda p: (p.middle - place).manhattanLength(), default=None)

    def card_at(self, place: QPointF) -> CardItem | None:
        return next((item for item in self.scene().items(place) if isinstance(item, CardItem)), None)

    def link_at(self, place: QPointF) -> LinkItem | None:
        return next((item for item in self.scene().items(place) if isinstance(item, LinkItem)), None)

    def thing_at(self, place: QPointF) -> Movable | LinkItem | None:
        """The topmost of what can be chosen at that place. A link goes before the frame that it crosses."""
        for item in self.scene().items(place):
            if isinstance(item, CardItem | DecorationItem | DotItem | LinkItem):
                return item
        return None

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._previous_pos = self._press_at = place
        keys = event.modifiers()
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and (self._space or keys == Qt.KeyboardModifier.AltModifier)
        ):
            self._pan_from, self._space_alone = place, False
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press_left(self.mapToScene(place), bool(keys & _ADDING))
        event.accept()

    def _press_left(self, place: QPointF, adding: bool) -> None:
        port = self.port_at(place) if self.zoom >= theme.tokens()["simple_card"]["below_zoom"] else None
        item = self.thing_at(place)
        card = self.card_at(place)
        if port is not None and not (card is not None and card is not port.card) and not isinstance(item, DotItem):
            self.linking.begin(port)
        elif isinstance(item, LinkItem):
            self._choose([item], adding)
        elif item is not None:
            self._press_thing(item, place, adding)
        else:
            kept = [thing for thing in self.things() if thing.isSelected()] if adding else []
            self._band = Band(self, self._press_at, kept)
            if not adding:
                self.scene().clearSelection()

    def _press_thing(self, item: Movable, place: QPointF, adding: bool) -> None:
        if adding:
            item.setSelected(not item.isSelected())
            return
        if not item.isSelected():
            self._choose([item], False)
        if isinstance(item, DecorationItem) and item.on_grip(place):
            self._resize = Resize(item, place)
        else:
            self._drag = Drag(self, item, place)

    def _choose(self, items: Iterable[QGraphicsItem], adding: bool) -> None:
        if not adding:
            self.scene().clearSelection()
        for item in items:
            item.setSelected(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._previous_pos, before = place, self._previous_pos
        if self._pan_from is not None:
            self.pan_by(QPointF(before - place))
        elif self.linking.active:
            self.linking.follow(self.mapToScene(place), event.globalPosition().toPoint())
        elif self._band is not None:
            self._band.to(place)
        elif self._resize is not None:
            self._resize.to(self.mapToScene(place))
        elif self._drag is not None:
            if is_far(place, self._press_at):
                self._drag.to(self.mapToScene(place))
        else:
            QGraphicsView.mouseMoveEvent(self, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pan_from is not None:
            self._pan_from = None
            self._hold_space(self._space)
        elif self.linking.active:
            self.linking.drop(self.mapToScene(place), is_far(place, self._press_at))
        elif self._band is not None:
            self._band = None
            self._rubber_band.hide()
        elif self._resize is not None:
            resize, self._resize = self._resize, None
            if is_far(place, self._press_at):
                self.decor_resized.emit(resize.item.id, resize.item.body.width(), resize.item.body.height())
        elif self._drag is not None:
            self._drop_things(place)
        else:
            QGraphicsView.mouseReleaseEvent(self, event)
        event.accept()

    def _drop_things(self, place: QPoint) -> None:
        drag, self._drag = self._drag, None
        assert drag is not None
        if not is_far(place, self._press_at):  # a trembling hand: a click moves nothing
            drag.back()
            if isinstance(drag.item, CardItem):
                self.card_clicked.emit(drag.item.id, self.mapToScene(place))
        elif moved := drag.drop():
            self.things_moved.emit(moved)

    def show_band(self, band: QRect) -> None:
        """Shows the rectangle that chooses, in the viewport."""
        self._rubber_band.setGeometry(band)
        self._rubber_band.show()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.mapToScene(event.position().toPoint())
        item = self.thing_at(place)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if isinstance(item, DotItem):
            self.dot_opened.emit(item.link, item.index)
        elif self.port_at(place) is not None:
            return
        elif isinstance(item, CardItem) and not self._on_title(item, place):
            self.card_opened.emit(item.id)
        elif isinstance(item, CardItem | DecorationItem):
            self.words_opened.emit(item.id)
        elif isinstance(item, LinkItem):
            self.link_opened.emit(item.link, place)
        else:
            self.canvas_opened.emit(place)

    def _on_title(self, card: CardItem, place: QPointF) -> bool:
        """Whether that place is on a title that can be read."""
        area = card.title_area
        return area is not None and area.contains(place) and self.zoom >= theme.tokens()["simple_card"]["below_zoom"]

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = self.mapToScene(event.pos())
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            chosen = [thing for thing in self.things() if thing.isSelected()]
            place = chosen[0].body.center() if chosen else self._scene_range.center()
            self.menu_wanted.emit(place, self.viewport().mapToGlobal(self.mapFromScene(place)))
        else:
            item = self.thing_at(place)
            if item is None:
                self.scene().clearSelection()
            elif not item.isSelected():
                self._choose([item], False)
            self.menu_wanted.emit(place, event.globalPos())
        event.accept()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._stop():
            event.accept()
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            if not event.isAutoRepeat():
                self._space_alone = True
                self._hold_space(True)
            event.accept()
        elif not self.key_pressed(event):
            event.ignore()
        else:
            event.accept()

    def _stop(self) -> bool:
        if self._drag is not None:
            self._drag.back()
            self._drag = None
            return True
        drawing = self.linking.active
        self.linking.cancel()
        return drawing

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space moves the view while the mouse drags; what the key means by itself is done when it is let go."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat() or not self._space:
            event.ignore()
            return
        self._hold_space(False)
        if self._space_alone:
            self.key_pressed(event)

    def focusOutEvent(self, event) -> None:
        self._hold_space(False)
        super().focusOutEvent(event)

    def _hold_space(self, held: bool) -> None:
        self._space = held
        if held:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.viewport().unsetCursor()

    # Drops

    def dragEnterEvent(self, event) -> None:
        self._judge_drag(event)

    def dragMoveEvent(self, event) -> None:
        self._judge_drag(event)

    def _judge_drag(self, event) -> None:
        data = event.mimeData()
        if takes(data) or data.hasFormat(TOOL_MIME):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event) -> None:
        data, place = event.mimeData(), self.mapToScene(event.position().toPoint())
        if data.hasFormat(TOOL_MIME):
            self.tool_dropped.emit(bytes(data.data(TOOL_MIME).data()).decode("utf-8"), place)
            event.acceptProposedAction()
            return
        if takes(data):
            self.given.emit(data, place)
            event.acceptProposedAction()


class Linking:
    """The link that hangs on the mouse, if one does; `item` is what is seen of it."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self._canvas = canvas
        self.item = LiveLink()
        canvas.scene().addItem(self.item)
        self._from: TypedPort | None = None
        self._taken_off: Link | None = None
        self._fits: frozenset[tuple[str, str]] = frozenset()

    @property
    def active(self) -> bool:
        return self._from is not None

    def begin(self, port: TypedPort) -> None:
        """Starts at the port; a link that ends there alone is taken off it."""
        self._taken_off = None
        if port.is_input and port.connected_pipes and not port.face.many:
            pipe = port.connected_pipes[0]
            self._taken_off, port = pipe.link, pipe.start
            pipe.setVisible(False)
        self._from = port
        self._fits = self._canvas.candidates(port)
        self.item.begin(port)
        self._show_fits(port)

    def _show_fits(self, start: TypedPort) -> None:
        for card in self._canvas.cards():
            for port in card.inputs if start.is_input else card.outputs:
                port.show_fit(None if port is start else False)
            for port in card.outputs if start.is_input else card.inputs:
                port.show_fit((card.id, port.face.name) in self._fits)

    def follow(self, place: QPointF, screen: QPoint) -> None:
        """The mouse is at that place of the scene and of the screen."""
        assert self._from is not None
        port = self._canvas.port_at(place)
        if port is None or port is self._from:
            self.item.follow(self._from.middle, place, False)
            QToolTip.hideText()
            return
        reason = self._why_not(port)
        self.item.follow(self._from.middle, port.middle, bool(reason))
        if reason:
            QToolTip.showText(screen, reason, self._canvas.viewport())
        else:
            QToolTip.hideText()

    def _why_not(self, port: TypedPort) -> str:
        assert self._from is not None
        if port.is_input != self._from.is_input and (port.card.id, port.face.name) in self._fits:
            return ""
        return self._canvas.refusal(self._from, port)

    def drop(self, place: QPointF, far: bool) -> None:
        """Lets go at a place of the scene; `far` from where it began."""
        start, taken_off, canvas = self._from, self._taken_off, self._canvas
        assert start is not None
        port, card = canvas.port_at(place), canvas.card_at(place)
        reason = self._why_not(port) if port is not None and port is not start else ""
        self.cancel()
        if port is start or (port is None and not far):
            return
        if port is not None:
            if reason:
                canvas.join_refused.emit(start, port, reason)
            elif taken_off is None or (taken_off.target, taken_off.port) != (port.card.id, port.face.name):
                canvas.link_drawn.emit(start, port, taken_off)
        elif card is not None:
            canvas.link_on_card.emit(start, card.id, taken_off)
        elif taken_off is not None:
            canvas.link_removed.emit(taken_off)
        else:
            canvas.link_on_canvas.emit(start, place)

    def cancel(self) -> None:
        if self._from is None:
            return
        if self._taken_off is not None:
            for pipe in self._from.connected_pipes:
                pipe.setVisible(True)
        self._from = self._taken_off = None
        self.item.finish()
        QToolTip.hideText()
        for card in self._canvas.cards():
            for port in [*card.inputs, *card.outputs]:
                port.show_fit(None)

    def hold(self, port: TypedPort, place: QPointF) -> None:
        self.item.begin(port)
        self.item.follow(port.middle, place, False)

    def release(self) -> None:
        """Takes back what `hold` shows."""
        self.item.finish()


def is_far(a: QPoint, b: QPoint) -> bool:
    """True when the mouse went further than a hand trembles."""
    return (a - b).manhattanLength() >= CLICK
