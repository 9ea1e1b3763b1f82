"""The graph as the user sees it: cards and links of a workflow and its run, kept up to date with few repaints.

It reads a Workflow, a Run and tools, and tells what the user did; it keeps no truth of its own but where cards
stand that have no position yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEasingCurve, QRectF, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.resource import Resource
from desktop_app.run.record import Run
from desktop_app.ui import linking, placing, theme
from desktop_app.ui.card_face import Faces, translate
from desktop_app.ui.graph_canvas import GraphCanvas
from desktop_app.ui.graph_hands import GraphHands
from desktop_app.ui.graph_tools import GraphTools
from desktop_app.ui.link_item import LinkItem
from desktop_app.ui.minimap import Minimap
from desktop_app.ui.node_item import CardItem
from desktop_app.ui.result_pictures import ResultPictures
from desktop_app.workflow import Link, Workflow
from nodes.api import Tool

_DASH_MS = 40
_FLOW = theme.tokens()["link"]["running"]["speed_px_per_s"]
_PERIOD = sum(theme.tokens()["link"]["running"]["dash"])
_MARGIN = 12


class GraphView(QWidget):
    """Shows a workflow and its run. `edited` carries the Workflow that a user's deed would make; nothing is kept
    until the owner shows it. `moved` carries (x, y) by card after a drag. `animated` moves cards softly.
    """

    selection_changed = Signal(tuple)
    node_activated = Signal(str)
    edited = Signal(object)
    moved = Signal(dict)
    pick_requested = Signal(str, str)
    search_requested = Signal()
    files_dropped = Signal(list)
    run_to = Signal(str)
    run_again = Signal(str)
    hint = Signal(str)
    zoom_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workflow = Workflow()
        self.run = Run()
        self.tools: Mapping[str, Tool] = {}
        self.animated = True
        self._faces = Faces(self.workflow, self.tools)
        self._cards: dict[str, CardItem] = {}
        self._links: dict[Link, LinkItem] = {}
        self._places: dict[str, tuple[float, float]] = {}
        self._own_places: dict[str, tuple[float, float]] = {}  # chosen here, for cards that have none saved
        self._chosen: tuple[str, ...] = ()
        self._changed: frozenset[str] = frozenset()
        self._users: dict[str, set[str]] = {}
        self._shown_once = False
        self.results = ResultPictures(self)
        self.canvas = GraphCanvas()
        self._build()
        self.hands = GraphHands(self)
        self._moving: QVariantAnimation | None = None
        self._dashes = QTimer(self, interval=_DASH_MS)
        self._dashes.timeout.connect(self._flow)
        self._settle = QTimer(self, interval=0, singleShot=True)
        self._settle.timeout.connect(self._after_change)
        theme.signals().changed.connect(self._restyle)

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.setFocusProxy(self.canvas)
        self.canvas.setAccessibleName(translate("Graph"))
        self.minimap = Minimap(self)
        self.buttons = GraphTools(self)
        self.canvas.scene().selectionChanged.connect(self._selection)
        self.canvas.view_changed.connect(self._looked)
        self.minimap.place_chosen.connect(self.canvas.centre_on)
        self.results.ready.connect(self._picture_came)
        self.buttons.fit_wanted.connect(self.fit)
        self.buttons.zoom_wanted.connect(self.set_zoom)
        self.minimap.hide()
        self.canvas.message = _empty()

    # Showing

    def show_workflow(self, workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> None:
        """Shows that workflow: adds, changes and removes only what differs from what is shown."""
        if workflow == self.workflow and tools is self.tools:
            self.show_run(run)
            return
        before = self.workflow
        self.canvas.cancel_link()
        self.workflow, self.run, self.tools = workflow, run, tools
        self._faces = Faces(workflow, tools)
        self.canvas.viewport().setUpdatesEnabled(False)
        blocked = self.canvas.scene().blockSignals(True)
        try:
            self._show_cards()
            self._show_links()
            self._place(before)
        finally:
            self.canvas.scene().blockSignals(blocked)
            self.canvas.viewport().setUpdatesEnabled(True)
        self._link_states()
        self.canvas.message = "" if self._cards else _empty()
        self._selection()
        self._settle.start()

    def show_run(self, run: Run) -> None:
        """Shows how far the run is; repaints only the cards whose face changed."""
        before, self.run = self.run, run
        changed = {id for id in self._cards if run.nodes.get(id) is not before.nodes.get(id)}
        turned = {id for id in changed if linking.run_state(run, id) != linking.run_state(before, id)}
        changed.update(target for id in turned for target in self._faces.targets(id))
        changed.update(id for id in self._cards if (n := run.nodes.get(id)) is not None and n.because in turned)
        now = time.time()
        for id in changed:
            card = self._cards.get(id)
            if card is not None and not card.face.is_resource:
                self._set_face(card, self._faces.of_node(id, run, now))
        if turned:
            self._link_states()

    def _show_cards(self) -> None:
        faces = self._faces.all(self.run, time.time())
        for link in [link for link in self._links if link not in self.workflow.links]:
            self._links.pop(link).delete()
        for id in [
            id for id in self._cards if id not in faces or faces[id].is_resource != self._cards[id].face.is_resource
        ]:
            card = self._cards.pop(id)
            for item in [pipe for port in [*card.inputs, *card.outputs] for pipe in port.connected_pipes]:
                self._links.pop(item.link, None)
                item.delete()
            card.delete()
        self._users = {}
        for id, face in faces.items():
            card = self._cards.get(id)
            if card is None:
                card = self._cards[id] = CardItem(face, self.results)
                card.set_outlined(id in self._changed)
                self.canvas.scene().addItem(card)
                self._note_results(card)
            else:
                self._set_face(card, face)
                self._note_results(card)

    def _set_face(self, card: CardItem, face) -> None:
        height = card.height
        if card.set_face(face):
            self._note_results(card)
            if card.height != height:
                self._settle.start()

    def _note_results(self, card: CardItem) -> None:
        face = card.face
        for key in (face.result and face.result.digest, face.under and face.under.digest, face.preview):
            if key:
                self._users.setdefault(key, set()).add(face.id)

    def _show_links(self) -> None:
        for link in self.workflow.links:
            if link in self._links:
                continue
            source, target = self._cards.get(link.source), self._cards.get(link.target)
            start = source.port(link.output, False) if source else None
            end = target.port(link.port, True) if target else None
            if start is None or end is None:
                continue  # a port that the tool no longer has; the inspector says so
            item = self._links[link] = LinkItem(link, start, end)
            self.canvas.scene().addItem(item)

    def _link_states(self) -> None:
        running = False
        for link, item in self._links.items():
            state = linking.state_of(link, self.workflow, self.run)
            item.set_state(state)
            running = running or state == "running"
        if running and self.animated:
            self._dashes.start()
        else:
            self._dashes.stop()

    def _flow(self) -> None:
        LinkItem.phase = (LinkItem.phase + _FLOW * _DASH_MS / 1000) % _PERIOD
        for item in self._links.values():
            if item.state == "running":
                item.update()

    # Places

    def sizes(self) -> dict[str, tuple[float, float]]:
        """Width and height of every card."""
        return {id: (card.width, card.height) for id, card in self._cards.items()}

    def place_of(self, id: str) -> tuple[float, float]:
        """Where a card stands."""
        return self._places[id]

    def _place(self, before: Workflow) -> None:
        old = {id: place for id, place in self._places.items() if id in self._cards}
        # not where a card was dragged to: taking the drag back must bring it home
        known = {**old, **{id: place for id, place in self._own_places.items() if id in self._cards}}
        self._places = placing.places(self.workflow, before, known, self.sizes())
        saved = placing.saved_places(self.workflow)
        self._own_places.update({id: place for id, place in self._places.items() if id not in saved})
        self.move_cards({id: place for id, place in self._places.items() if old.get(id) != place}, old)
        if not self._shown_once and self._cards:
            self._shown_once = True
            self.fit()

    def move_cards(self, places: Mapping[str, tuple[float, float]], old: Mapping[str, tuple[float, float]]) -> None:
        """Puts the cards there, softly those that were somewhere already."""
        if self._moving is not None:
            self._moving.setCurrentTime(self._moving.duration())
            self._moving.stop()
            self._moving = None
        soft = {id: (old[id], place) for id, place in places.items() if id in old}
        if not (soft and self.animated and self.isVisible()):
            for id, (x, y) in places.items():
                self._cards[id].setPos(x, y)
            return
        for id, (x, y) in places.items():
            self._cards[id].setPos(*old.get(id, (x, y)))
        self._moving = QVariantAnimation(self)
        self._moving.setDuration(theme.tokens()["motion"]["layout_move"])
        self._moving.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._moving.setStartValue(0.0)
        self._moving.setEndValue(1.0)
        self._moving.valueChanged.connect(lambda part: self._between(soft, part))
        self._moving.finished.connect(self._settle.start)
        self._moving.start()

    def _between(self, soft: Mapping[str, tuple[tuple[float, float], tuple[float, float]]], part: float) -> None:
        for id, ((x0, y0), (x1, y1)) in soft.items():
            if id in self._cards:
                self._cards[id].setPos(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)

    def note_moved(self, moved: Mapping[str, tuple[float, float]]) -> None:
        """The user dragged cards: remembers it and tells. Cards without a saved place get theirs saved too."""
        self._places.update(moved)
        saved = placing.saved_places(self.workflow)
        loose = {id: place for id, place in self._places.items() if id not in saved}
        self._after_change()
        self.moved.emit({**loose, **moved})

    def _after_change(self) -> None:
        """Draws the long links round the cards, and the map."""
        bodies = sorted((card.body for card in self._cards.values()), key=QRectF.left)
        for item in self._links.values():
            item.set_obstacles(bodies)
        cards = list(self._cards.values())
        self.minimap.show_cards([(card.body, theme.current().type_color(card.face.type)) for card in cards])
        self._show_minimap()
        self._looked()
        self.canvas.viewport().update()

    # Choosing and looking

    def select(self, ids: Iterable[str]) -> None:
        """Chooses these cards and no others; brings the first of them into view."""
        wanted = set(ids)
        self.canvas.scene().blockSignals(True)
        for id, card in self._cards.items():
            if card.isSelected() != (id in wanted):
                card.setSelected(id in wanted)
        self.canvas.scene().blockSignals(False)
        self._selection()
        first = next((self._cards[id] for id in self._cards if id in wanted), None)
        if first is not None and self.isVisible():
            self.canvas.show_place(first.body)

    def selected(self) -> tuple[str, ...]:
        """The chosen cards, in the order of the workflow."""
        return tuple(id for id, card in self._cards.items() if card.isSelected())

    def _selection(self) -> None:
        chosen = self.selected()
        if chosen != self._chosen:
            self._chosen = chosen
            words = ", ".join(self._cards[id].face.accessible for id in chosen)
            self.canvas.setAccessibleDescription(words or translate("nothing chosen"))
            self.selection_changed.emit(chosen)

    def outline_changed(self, ids: Iterable[str]) -> None:
        """Gives these cards the dashed ring of what differs, and takes it from the others."""
        self._changed = frozenset(ids)
        for id, card in self._cards.items():
            card.set_outlined(id in self._changed)

    def card(self, id: str) -> CardItem | None:
        """The card of that id or resource name, or None."""
        return self._cards.get(id)

    def link_items(self) -> list[LinkItem]:
        """All links that are shown."""
        return list(self._links.values())

    def bounds(self) -> QRectF:
        """The rectangle round all cards."""
        whole = QRectF()
        for card in self._cards.values():
            whole = whole.united(card.body)
        return whole

    def fit(self) -> None:
        """Shows everything, at 100 % at most."""
        if self._cards:
            self.canvas.look(self.bounds(), theme.current().scale)

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

    # Results

    def set_thumbnail_source(self, source: Callable[[Resource], QImage | None]) -> None:
        """Where pictures of results come from; called on threads."""
        self.results.pictures = source
        self.results.forget()

    def set_text_source(self, source: Callable[[Resource], str]) -> None:
        """Where excerpts of text results come from; called on threads."""
        self.results.texts = source
        self.results.forget()

    def set_waveform_source(self, source: Callable[[Resource], Sequence[float]]) -> None:
        """Where the peaks (0..1) of sounds come from; called on threads."""
        self.results.peaks = source
        self.results.forget()

    def use_files(self, path_of: Callable[[Resource], Path]) -> None:
        """All three sources at once: results are read from their files."""
        self.results.use_files(path_of)

    def _picture_came(self, key: str) -> None:
        for id in self._users.get(key, ()):
            if id in self._cards:
                self._cards[id].update()

    # Qt

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        margin = theme.current().px(_MARGIN)
        self.buttons.adjustSize()
        self.buttons.move(margin, self.height() - self.buttons.height() - margin)
        self.minimap.move(self.width() - self.minimap.width() - margin, self.height() - self.minimap.height() - margin)
        self._show_minimap()

    def _show_minimap(self) -> None:
        """Where it would lie on the tools, or fill the canvas, there is no map."""
        beside = self.width() > self.buttons.width() + self.minimap.width() + theme.current().px(4 * _MARGIN)
        high = self.height() > self.minimap.height() * 3
        self.minimap.setVisible(bool(self._cards) and beside and high)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._first_look)

    def _first_look(self) -> None:
        if self._cards and not self.canvas.seen.intersects(self.bounds()):
            self.fit()

    def _restyle(self) -> None:
        for card in self._cards.values():
            card.refresh()
        self.canvas.resetCachedContent()
        self.canvas.viewport().update()
        self._settle.start()


def _empty() -> str:
    return translate("Ask for something in the chat, or press Tab to add a node.")
