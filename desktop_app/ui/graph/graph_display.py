"""Cards and links of a workflow and its run on the canvas, kept up to date with few repaints.

It reads a Workflow, a Run and tools, and tells what the user did; it keeps no truth of its own but where cards
stand that have no position yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from desktop_app.graph import annotate, edit, placement
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.run.events.run_record import Run
from desktop_app.ui.graph.canvas import GraphCanvas
from desktop_app.ui.graph.items.link_item import LinkItem
from desktop_app.ui.graph.items.node_item import CardItem
from desktop_app.ui.graph.items.note_item import note_words
from desktop_app.ui.graph.items.result_pixmaps import ResultPictures
from desktop_app.ui.graph.overlay_layout import CanvasContainer
from desktop_app.ui.graph.scene import GraphItems
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import theme
from nodes.api import Tool

_DASH_MS = 40

Place = tuple[float, float]


class GraphDisplay(QWidget):
    """Shows a workflow and its run. `edited` carries the Workflow that an action of the user would make, `continued`
    that of a further part of the same action; nothing is kept until the owner shows it. `moved` carries (x, y) by card
    after a drag. `animated` moves cards softly. `all_selection_changed` carries notes and frames as well.
    """

    selection_changed = Signal(tuple)
    node_activated = Signal(str)
    values_wanted = Signal(str)
    compare_wanted = Signal(tuple)
    edited = Signal(object)
    continued = Signal(object)
    moved = Signal(dict)
    pick_requested = Signal(str, str)
    fetch_requested = Signal(str)
    files_dropped = Signal(list, QPointF)
    picture_given = Signal(object, QPointF)
    files_wanted = Signal(object)
    run_to = Signal(str)
    run_from = Signal(str)
    run_again = Signal(str)
    hint = Signal(str)
    zoom_changed = Signal(float)
    workflow_shown = Signal()
    run_shown = Signal()
    all_selection_changed = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workflow = Workflow()
        self.run = Run()
        self.tools: Mapping[str, Tool] = {}
        self.animated = True
        self._chosen: tuple[str, ...] = ()
        self._all_chosen: tuple[str, ...] = ()
        self._shown_once = False
        self._own: Workflow | None = None
        self._dashes = QTimer(self, interval=_DASH_MS)
        self._settle = QTimer(self, interval=0, singleShot=True)
        self.results = ResultPictures(self)
        self.canvas = GraphCanvas()
        self.items = GraphItems(self.canvas, self.results, self._settle.start)
        self.places = Places(
            self, self.items.cards, lambda: self.animated and self.isVisible(), lambda: self._settle.start()
        )
        self._build()
        self._dashes.timeout.connect(lambda: self.items.flow(_DASH_MS / 1000))
        self._settle.timeout.connect(self._after_change)
        theme.signals().changed.connect(self._restyle)

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.stage = CanvasContainer(self.canvas)
        self.minimap, self.buttons = self.stage.minimap, self.stage.buttons
        self.split = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self.split.addWidget(self.stage)
        layout.addWidget(self.split)
        self.setFocusProxy(self.canvas)
        self.canvas.setAccessibleName(translate("Graph"))
        self.canvas.scene().selectionChanged.connect(self._selection)
        self.canvas.view_changed.connect(self._looked)
        self.edited.connect(self._worked)
        self.moved.connect(lambda _: self.canvas.stay())
        self.results.ready.connect(self.items.repaint_users)
        self.buttons.zoom_wanted.connect(self.set_zoom)
        self.canvas.message = _empty()

    def _worked(self, made: Workflow) -> None:
        """Somebody works here and `made` that of the graph: what is seen stays."""
        self._shown_once, self._own = True, made
        self.canvas.stay()

    # Showing

    def show_workflow(self, workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> None:
        """Shows that workflow: adds, changes and removes only what differs from what is shown."""
        if workflow == self.workflow and tools is self.tools:
            self.show_run(run)
            return
        before = self.workflow
        self.canvas.linking.cancel()
        self.stage.refusal.hide()
        self.workflow, self.run, self.tools = workflow, run, tools
        self.canvas.viewport().setUpdatesEnabled(False)
        blocked = self.canvas.scene().blockSignals(True)
        try:
            held = self.items.contents()  # who goes back finds that graph as it was
            self.items.show_workflow(workflow, run, tools)
            self.results.keep(held | self.items.contents())
            self.places.arrange(workflow, before, self.sizes())
        finally:
            self.canvas.scene().blockSignals(blocked)
            self.canvas.viewport().setUpdatesEnabled(True)
        if not self._shown_once and self.items.cards:
            self._shown_once = True
            self.fit()
        elif workflow != self._own:
            self._show_added(self.items.cards.keys() - {*before.ids(), *(one.name for one in before.resources)})
        self._link_states()
        self.canvas.message = "" if self.items.cards or self.items.decor else _empty()
        self._selection()
        self.workflow_shown.emit()
        self._settle.start()

    def show_run(self, run: Run) -> None:
        """Shows how far the run is; repaints only the cards whose face changed."""
        self.run = run
        if self.items.show_run(run):
            self._link_states()
        self.run_shown.emit()

    def _link_states(self) -> None:
        if self.items.show_link_states() and self.animated:
            self._dashes.start()
        else:
            self._dashes.stop()

    # Places

    def sizes(self) -> dict[str, tuple[float, float]]:
        return {id: (card.width, card.height) for id, card in self.items.cards.items()}

    def place_of(self, id: str) -> tuple[float, float]:
        return self.places.now[id]

    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        """Left, top, width and height of every card."""
        return {id: (*self.places.now[id], *size) for id, size in self.sizes().items()}

    def move_cards(self, places: Mapping[str, Place], old: Mapping[str, Place]) -> None:
        self.places.move(places, old)

    def note_moved(
        self,
        cards: Mapping[str, Place],
        decorations: Mapping[str, Place] | None = None,
        dots: Mapping[tuple[Link, int], Place] | None = None,
    ) -> None:
        """The user dragged things: remembers it and tells. Cards without a saved place get theirs saved too."""
        self.places.now.update(cards)
        placed = {**self.places.loose(self.workflow), **cards}
        self._after_change()
        if decorations or dots:
            after = edit.placed(self.workflow, placed)
            self.edited.emit(annotate.put(after, decorations or {}, dots))
        else:
            self.moved.emit(placed)

    def _after_change(self) -> None:
        self.items.lead_links()
        cards = self.items.cards.values()
        self.stage.show_map([(card.body, theme.current().type_color(card.face.type)) for card in cards])
        self._looked()
        self.canvas.viewport().update()

    # Choosing and looking

    def select(self, ids: Iterable[str]) -> None:
        """Chooses these cards, notes and frames and nothing else; brings the first of them into view."""
        wanted = set(ids)
        self.canvas.scene().blockSignals(True)
        for item in [*self.canvas.selected_links(), *self.canvas.selected_dots()]:
            item.setSelected(False)
        for id, item in self._all().items():
            if item.isSelected() != (id in wanted):
                item.setSelected(id in wanted)
        self.canvas.scene().blockSignals(False)
        self._selection()
        first = next((item for id, item in self._all().items() if id in wanted), None)
        if first is not None and self.isVisible():
            self.canvas.show_place(first.body)

    def _all(self):
        return {**self.items.cards, **self.items.decor}

    def selected(self) -> tuple[str, ...]:
        """The chosen cards, in the order of the workflow."""
        return tuple(id for id, card in self.items.cards.items() if card.isSelected())

    def chosen(self) -> tuple[str, ...]:
        return tuple(id for id, item in self._all().items() if item.isSelected())

    def _selection(self) -> None:
        chosen, every = self.selected(), self.chosen()
        if every != self._all_chosen:
            self._all_chosen = every
            words = [self.items.cards[id].face.accessible for id in chosen]
            words += [note_words(self.items.decor[id].decoration) for id in every if id in self.items.decor]
            self.canvas.setAccessibleDescription(", ".join(words) or translate("nothing chosen"))
            self.all_selection_changed.emit(every)
        if chosen != self._chosen:
            self._chosen = chosen
            self.items.chosen()
            self.selection_changed.emit(chosen)

    def outline_changed(self, ids: Iterable[str]) -> None:
        """Gives these cards the dashed ring of what differs, and takes it from the others."""
        self.items.outline(frozenset(ids))

    def card(self, id: str) -> CardItem | None:
        return self.items.cards.get(id)

    def link_items(self) -> list[LinkItem]:
        return list(self.items.links.values())

    def bounds(self) -> QRectF:
        return self.items.bounds()

    def fit(self) -> None:
        """Shows everything, at 100 % at most."""
        if self.items.cards or self.items.decor:
            self.canvas.look(self.bounds(), theme.current().scale)

    def _show_added(self, ids: Collection[str]) -> None:
        """Everything, where everything was shown; else the view moves just so far that these cards are seen."""
        if not ids:
            return
        boxes = {id: QRectF(*box) for id, box in self.boxes().items()}  # some may still be on their way there
        new, seen = _around(boxes[id] for id in ids), self.canvas.seen
        if self.canvas.shows_whole or new.width() > seen.width() or new.height() > seen.height():
            self.canvas.look(_around([self.bounds(), *boxes.values()]), theme.current().scale)
        else:
            self.canvas.show_place(new)

    def look_at(self, id: str) -> None:
        if id in self.items.cards:
            self.select((id,))
            self.canvas.centre_on(self.items.cards[id].body.center())

    @property
    def zoom(self) -> float:
        """1.0 is 100 % of the theme's scale."""
        return self.canvas.zoom / theme.current().scale

    @zoom.setter
    def zoom(self, value: float) -> None:
        self.canvas.zoom = value * theme.current().scale

    def set_zoom(self, value: float) -> None:
        """1.0 is 100 %; the middle stays where it is."""
        self.zoom = value

    def _looked(self) -> None:
        self.minimap.show_seen(self.canvas.seen)
        self.buttons.show_zoom(self.zoom)
        self.zoom_changed.emit(self.zoom)

    # Qt

    def showEvent(self, event) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._first_look)

    def _first_look(self) -> None:
        if self.items.cards and not self.canvas.seen.intersects(self.bounds()):
            self.fit()

    def _restyle(self) -> None:
        self.items.refresh()
        self.canvas.resetCachedContent()
        self.canvas.viewport().update()
        self._settle.start()


def _around(boxes: Iterable[QRectF]) -> QRectF:
    return reduce(QRectF.united, boxes, QRectF())


def _empty() -> str:
    return translate("Ask for something in the chat, or press Tab to add a node.")


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
