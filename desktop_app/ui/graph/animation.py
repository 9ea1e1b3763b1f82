"""Where the cards of a view stand: saved places, places chosen here, and soft moves from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from desktop_app.graph import placement
from desktop_app.graph.workflow import Workflow
from desktop_app.ui.graph.items.node_item import CardItem
from desktop_app.ui.theme import theme

Place = tuple[float, float]


class Places(QObject):
    """`settled()` is called when a soft move has ended. `soft()` says whether cards are to move softly now."""

    def __init__(
        self, parent: QObject, cards: Mapping[str, CardItem], soft: Callable[[], bool], settled: Callable[[], None]
    ) -> None:
        super().__init__(parent)
        self._cards, self._soft, self._settled = cards, soft, settled
        self.now: dict[str, Place] = {}
        self._own: dict[str, Place] = {}  # chosen here, for cards that have none saved
        self._moving: QVariantAnimation | None = None

    def arrange(self, workflow: Workflow, before: Workflow, sizes: Mapping[str, Place]) -> None:
        """Gives every card its place, and moves those that are elsewhere."""
        old = {id: place for id, place in self.now.items() if id in self._cards}
        # not where a card was dragged to: taking the drag back must bring it home
        known = {**old, **{id: place for id, place in self._own.items() if id in self._cards}}
        self.now = placement.places(workflow, before, known, sizes)
        saved = placement.saved_places(workflow)
        self._own.update({id: place for id, place in self.now.items() if id not in saved})
        shown = {id: (self._cards[id].x(), self._cards[id].y()) for id in old}
        self.move({id: place for id, place in self.now.items() if shown.get(id) != place}, shown)

    def loose(self, workflow: Workflow) -> dict[str, Place]:
        saved = placement.saved_places(workflow)
        return {id: place for id, place in self.now.items() if id not in saved}

    def move(self, places: Mapping[str, Place], old: Mapping[str, Place]) -> None:
        """Puts the cards there, softly those that were somewhere already."""
        if self._moving is not None:
            self._moving.setCurrentTime(self._moving.duration())
            self._moving.stop()
            self._moving = None
        soft = {id: (old[id], place) for id, place in places.items() if id in old}
        if not (soft and self._soft()):
            for id, (x, y) in places.items():
                self._cards[id].setPos(x, y)
            return
        for id, (x, y) in places.items():
            self._cards[id].setPos(*old.get(id, (x, y)))
        self._moving = QVariantAnimation(self, duration=theme.tokens()["motion"]["layout_move"])
        self._moving.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._moving.setStartValue(0.0)
        self._moving.setEndValue(1.0)
        self._moving.valueChanged.connect(lambda part: self._between(soft, part))
        self._moving.finished.connect(self._settled)
        self._moving.start()

    def _between(self, soft: Mapping[str, tuple[Place, Place]], part: float) -> None:
        for id, ((x0, y0), (x1, y1)) in soft.items():
            if id in self._cards:
                self._cards[id].setPos(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
