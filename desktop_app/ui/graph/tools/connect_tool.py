"""Drawing a link by hand on the canvas: from a port to another, to a card, or to the empty canvas; cutting links.

Whether a link may be made it asks the canvas's `candidates` and `refusal`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsScene, QToolTip, QWidget

from desktop_app.graph.workflow import Link
from desktop_app.ui.graph.items.link_item import LinkItem, LiveLink
from desktop_app.ui.graph.items.node_item import CardItem, TypedPort
from desktop_app.ui.graph.tools.move_tool import CLICK


class LinkCanvas(Protocol):
    """What joining needs of the canvas. `refusal` says why two ports cannot be joined, "" when they can."""

    candidates: Callable[[TypedPort], frozenset[tuple[str, str]]]
    refusal: Callable[[TypedPort, TypedPort], str]
    join_refused: Any  # signals; the canvas says what they carry
    link_drawn: Any
    link_on_card: Any
    link_on_canvas: Any
    link_removed: Any

    def cards(self) -> list[CardItem]: ...
    def port_at(self, place: QPointF, /) -> TypedPort | None: ...
    def card_at(self, place: QPointF, /) -> CardItem | None: ...
    def scene(self) -> QGraphicsScene: ...
    def viewport(self) -> QWidget: ...


class Linking:
    """The link that hangs on the mouse, if one does; `item` is what is seen of it."""

    def __init__(self, canvas: LinkCanvas) -> None:
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


class Knife:
    def __init__(self, canvas: LinkCanvas, start: QPointF) -> None:
        self._canvas, self.start = canvas, start

    def cut(self, place: QPointF) -> list[Link]:
        """The links between where it began and `place`."""
        path = QPainterPath(self.start)
        path.lineTo(place)
        return [item.link for item in self._canvas.scene().items(path) if isinstance(item, LinkItem)]


def is_far(a: QPoint, b: QPoint) -> bool:
    """True when the mouse went further than a hand trembles."""
    return (a - b).manhattanLength() >= CLICK
