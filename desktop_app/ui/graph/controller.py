"""What the user does on the canvas, as new workflows: here joining and moving; adding, writing and the edits of what is
chosen have files of their own.

Must not keep anything: every edit is emitted by the view as `edited`, `moved` or a wish.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtWidgets import QMenu

from desktop_app.graph import connect, placement
from desktop_app.graph import edit as graph_edit
from desktop_app.graph.layout import COLUMN_GAP, snap
from desktop_app.graph.workflow import Link
from desktop_app.ui.graph.actions import registry
from desktop_app.ui.graph.actions.add import AddNodeActions
from desktop_app.ui.graph.actions.edit import EditActions
from desktop_app.ui.graph.actions.edits import GraphEdits
from desktop_app.ui.graph.actions.notes import NoteActions
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.graph.items.link_item import crosses
from desktop_app.ui.graph.items.node_item import TypedPort
from desktop_app.ui.graph.move_tool import Moved, on_grid
from desktop_app.ui.search.entries import SearchEntry
from desktop_app.ui.support.formatting import translate


class GraphController(GraphEdits):
    """`toggle_side` opens or closes a page of the panel beside the canvas, once there is one."""

    def __init__(self, view: GraphDisplay) -> None:
        super().__init__(view)
        self._canvas = view.canvas
        self.toggle_side: Callable[[str], None] = lambda name: None
        self.adding = AddNodeActions(self)
        self.writing = NoteActions(self)
        self.edits = EditActions(self, self.writing)
        self._refused: Link | None = None
        self._connect()

    def _connect(self) -> None:
        canvas, view = self._canvas, self.view
        canvas.candidates = self._candidates
        canvas.refusal = self._refusal
        canvas.key_pressed = lambda event: registry.press(self, event)
        canvas.link_drawn.connect(self._joined)
        canvas.link_on_card.connect(self._joined_card)
        canvas.link_on_canvas.connect(self.adding.offer_fitting)
        canvas.link_removed.connect(lambda link: self.edit(self.workflow.without_link(link)))
        canvas.things_moved.connect(self._moved)
        canvas.card_clicked.connect(self._clicked)
        canvas.card_opened.connect(view.node_activated)
        canvas.canvas_opened.connect(self.adding.ask_tool)
        canvas.menu_wanted.connect(self._menu)
        canvas.given.connect(self.edits.take_in)
        canvas.tool_dropped.connect(self.adding.drop_tool)
        canvas.join_refused.connect(self._say_refused)
        view.stage.refusal.add_wanted.connect(self._add_converter)
        known = registry.graph_actions()
        view.buttons.offer([known[id] for id in _BUTTONS], self)

    # Joining

    def _candidates(self, port: TypedPort) -> frozenset[tuple[str, str]]:
        find = connect.fitting_inputs if not port.is_input else connect.fitting_outputs
        return find(self.workflow, self.view.tools, port.card.id, port.face.name)

    def _refusal(self, start: TypedPort, end: TypedPort) -> str:
        if start.is_input == end.is_input:
            return translate("A link goes from an output to an input.")
        found = connect.refusal(self.workflow, self.view.tools, link_of(start, end))
        return found.reason if found else ""

    def _say_refused(self, start: TypedPort, end: TypedPort, reason: str) -> None:
        """Says it where the link was let go, with the converter that would help."""
        self.view.hint.emit(reason[:1].upper() + reason[1:])
        self._refused = link_of(start, end) if start.is_input != end.is_input else None
        found = connect.refusal(self.workflow, self.view.tools, self._refused) if self._refused else None
        tool = self.view.tools.get(found.converter) if found else None
        bare = found.bare if found and tool else reason
        self.view.stage.refuse(self._canvas.mapFromScene(end.middle), bare, tool.title if tool else "")

    def _add_converter(self) -> None:
        found = connect.refusal(self.workflow, self.view.tools, self._refused) if self._refused else None
        tool = self.view.tools.get(found.converter) if found else None
        if self._refused is None or tool is None:
            return
        source, target = (self.view.card(id) for id in (self._refused.source, self._refused.target))
        if source is None or target is None:
            return
        sizes = self.view.sizes()
        shown = {id: self.view.place_of(id) for id in sizes}
        spot, lack = _between(source.body, target.body)
        moved = {id: (x + lack, y) for id, (x, y) in shown.items() if lack and x >= target.body.left()}
        place = placement.free_near(on_grid(spot), {**shown, **moved}, sizes)
        after, id = graph_edit.converted(self.workflow, self.view.tools, self._refused, tool, place)
        self.edit_and_choose(graph_edit.placed(after, moved), (id,))

    def _joined(self, start: TypedPort, end: TypedPort, taken_off: Link | None) -> None:
        self.join(link_of(start, end), taken_off)

    def _joined_card(self, start: TypedPort, card: str, taken_off: Link | None) -> None:
        if card == start.card.id:
            return
        tools = self.view.tools
        if start.is_input:
            outputs = connect.outputs_of(self.workflow, tools, card)
            links = [Link(card, output, start.card.id, start.face.name) for output in outputs]
        else:
            node = self.workflow.find(card)
            tool = tools.get(node.tool) if node else None
            given = self.workflow.type_of(start.card.id, start.face.name, tools)
            taken = frozenset(k.port for k in self.workflow.links if k.target == card)
            port = connect.first_fitting_input(tool, given, taken) if tool and given else None
            links = [Link(start.card.id, start.face.name, card, port.name)] if port else []
        link = next((k for k in links if not connect.refusal(self.workflow, tools, k)), None)
        if link is not None:
            self.join(link, taken_off)
        else:
            title = self.title_of(start.card.id if start.is_input else card)
            self.view.hint.emit(translate("Nothing of {title} takes this.").format(title=title))

    # Moving

    def _moved(self, moved: Moved) -> None:
        if len(moved.cards) == 1 and not moved.decorations and self._put_into_link(moved.cards):
            return
        dots = {(link, index): place for (link, index), place in moved.dots.items() if isinstance(link, Link)}
        self.view.note_moved(moved.cards, moved.decorations, dots)

    def _put_into_link(self, places: dict[str, tuple[float, float]]) -> bool:
        """A loose card dropped on a link goes into it."""
        id = next(iter(places))
        card = self.view.card(id)
        loose = not any(id in (k.source, k.target) for k in self.workflow.links)
        if card is None or card.face.is_resource or not loose:
            return False
        for item in self.view.link_items():
            if crosses(item.path(), card.body):
                after = graph_edit.inserted(self.workflow, self.view.tools, id, item.link)
                if after is not None:
                    return self.edit(graph_edit.placed(after, places))
        return False

    # Finding, clicking, menus

    def find(self) -> None:
        self.adding.ask_card(self._entries())

    def _entries(self) -> list[SearchEntry]:
        """Every card, in reading order. Its tool's id is a name of it too: what it is called in English."""
        ids = sorted(self.view.sizes(), key=lambda id: (self.view.place_of(id)[0], self.view.place_of(id)[1]))
        faces = [card.face for id in ids if (card := self.view.card(id)) is not None]
        names = {node.id: (node.tool.replace("_", " "),) for node in self.workflow.nodes}
        return [
            SearchEntry(f.id, f.title, f.word or f.left, f.icon or "file", f.type, words=names.get(f.id, ()))
            for f in faces
        ]

    def _clicked(self, id: str, place: QPointF) -> None:
        card = self.view.card(id)
        if card is None or not card.in_result(place):
            return
        if card.face.picks:
            self.view.pick_requested.emit(id, card.face.picks)
        elif card.face.fetch:
            self.view.fetch_requested.emit(id)

    def menu(self, place: QPointF) -> QMenu:
        return registry.menu(self, place)

    def _menu(self, place: QPointF, screen: QPoint) -> None:
        self.menu(place).popup(screen)


_BUTTONS = ("add", "find", "lay_out", "fit", "outline", "palette")
_HALF = 96.0
"""Half as wide as a card."""


def _between(source: QRectF, target: QRectF) -> tuple[QPointF, float]:
    """Where a converter stands, between what feeds it and what it feeds, and how far that and all right of it has to
    move on for that; 0 where there is room, and where it stands left of what feeds it.
    """
    x, y = source.right() + COLUMN_GAP, (source.center().y() + target.center().y()) / 2
    lack = x + 2 * _HALF + COLUMN_GAP - target.left()
    if lack <= 0:
        return QPointF((source.right() + target.left()) / 2 - _HALF, y), 0.0
    return QPointF(x, y), snap(lack) if target.left() > source.left() else 0.0


def link_of(start: TypedPort, end: TypedPort) -> Link:
    """The link between two ports, whichever of them it was drawn from."""
    source, target = (end, start) if start.is_input else (start, end)
    return Link(source.card.id, source.face.name, target.card.id, target.face.name)
