"""Dragging on the canvas: cards, notes, frames with what stands in them, dots of links; resizing; the rubber band.

Changes nothing itself but where items are shown; what the user did is handed on by the canvas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import QGraphicsItem

from desktop_app.graph.decorations import LEAST
from desktop_app.ui.graph.items.node_item import CardItem
from desktop_app.ui.graph.items.note_item import DecorationItem, DotItem
from desktop_app.ui.theme import theme

SNAP = theme.tokens()["layout"]["snap"]
CLICK = 4
Place = tuple[float, float]
Movable = CardItem | DecorationItem | DotItem


@dataclass(frozen=True)
class Moved:
    """Where things were put: cards and decorations by id, dots by (link, index)."""

    cards: dict[str, Place] = field(default_factory=dict)
    decorations: dict[str, Place] = field(default_factory=dict)
    dots: dict[tuple[object, int], Place] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.cards or self.decorations or self.dots)


class MoveCanvas(Protocol):
    """What moving needs of the canvas. Places are of the scene, but for those of a band, which are of the viewport."""

    def things(self) -> list[Movable]: ...
    def show_band(self, band: QRect, /) -> None: ...
    def mapToScene(self, rect: QRect, /) -> QPolygonF: ...


class Drag:
    """One drag of everything that is chosen, from the press of the button on `item` to its release."""

    def __init__(self, canvas: MoveCanvas, item: Movable, start: QPointF) -> None:
        self.item, self._start = item, start
        self._before: dict[QGraphicsItem, QPointF] = {i: i.pos() for i in _with_contents(canvas)}
        cards = [item for item in self._before if isinstance(item, CardItem)]
        ports = [port for card in cards for port in (*card.inputs, *card.outputs)]
        self._led = {link: link.obstacles for port in ports for link in port.connected_pipes}
        self._loose = False

    def to(self, place: QPointF) -> None:
        """The mouse is there, in the scene. What is joined to the cards follows them by the shortest way."""
        if not self._loose:
            self._loose = True
            for link in self._led:
                link.set_obstacles(())
        self._put(place - self._start)

    def _lead_again(self) -> None:
        """Round the cards as before; where something moved, the view leads all links anew."""
        for link, obstacles in self._led.items() if self._loose else ():
            link.set_obstacles(obstacles)

    def _put(self, shift: QPointF) -> None:
        for item, before in self._before.items():
            item.setPos(before + shift)

    def drop(self) -> Moved:
        """Puts the item under the mouse on the grid, and everything else with it; tells where all is now."""
        before = self._before[self.item]
        goal = _snapped(self.item.pos())
        self._put(goal - before)
        self._lead_again()
        moved = Moved()
        for item, old in self._before.items():
            place = (item.pos().x(), item.pos().y())
            if item.pos() == old:
                continue
            if isinstance(item, CardItem):
                moved.cards[item.id] = place
            elif isinstance(item, DecorationItem):
                moved.decorations[item.id] = place
            elif isinstance(item, DotItem):
                moved.dots[item.link, item.index] = place
        return moved

    def back(self) -> None:
        self._put(QPointF(0, 0))
        self._lead_again()


class Resize:
    def __init__(self, item: DecorationItem, start: QPointF) -> None:
        self.item = item
        self._offset = item.body.bottomRight() - start

    def to(self, place: QPointF) -> None:
        corner = _snapped(place + self._offset) - self.item.pos()
        self.item.set_size(max(LEAST[0], corner.x()), max(LEAST[1], corner.y()))


class Band:
    """The rectangle that chooses what it touches, on top of what was `kept`."""

    def __init__(self, canvas: MoveCanvas, start: QPoint, kept: Sequence[QGraphicsItem]) -> None:
        self._canvas, self._start, self._kept = canvas, start, kept

    def to(self, place: QPoint) -> None:
        band = QRect(self._start, place).normalized()
        if max(band.width(), band.height()) < CLICK:
            return
        self._canvas.show_band(band)
        area = self._canvas.mapToScene(band).boundingRect()
        for item in self._canvas.things():
            touched = area.contains(item.body) if isinstance(item, DecorationItem) else area.intersects(item.body)
            item.setSelected(touched or item in self._kept)


def _with_contents(canvas: MoveCanvas) -> list[Movable]:
    """What is chosen, and what has its middle in a frame that is."""
    chosen = [item for item in canvas.things() if item.isSelected()]
    frames = [item for item in chosen if isinstance(item, DecorationItem) and item.is_frame]
    inside = [
        item
        for item in canvas.things()
        if item not in chosen and any(frame.body.contains(item.body.center()) for frame in frames)
    ]
    return chosen + inside


def on_grid(place: QPointF) -> Place:
    return float(round(place.x() / SNAP) * SNAP), float(round(place.y() / SNAP) * SNAP)


def _snapped(place: QPointF) -> QPointF:
    return QPointF(*on_grid(place))
