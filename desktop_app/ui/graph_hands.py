"""What the user's hands do on the canvas, as new workflows: joining, adding, deleting, copying.

Must not keep anything: every deed is emitted by the view as `edited`, `moved` or a wish.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from desktop_app.errors import BadWorkflow
from desktop_app.ui import graph_edit, graph_keys, linking
from desktop_app.ui.card_face import translate
from desktop_app.ui.layout import layout
from desktop_app.ui.link_item import LinkItem, crosses
from desktop_app.ui.node_item import TypedPort
from desktop_app.ui.node_search import NodeSearch
from desktop_app.ui.search_entries import Entry, entry_of
from desktop_app.workflow import Link, Workflow

if TYPE_CHECKING:
    from desktop_app.ui.graph_view import GraphView

_NUDGE = 8
_HALF_CARD = QPointF(0, 24)


class GraphHands(QObject):
    """Joined to one view for its life."""

    def __init__(self, view: GraphView) -> None:
        super().__init__(view)
        self.view = view
        self._canvas = view.canvas
        self._search = NodeSearch(view)
        self._then: Callable[[str], None] | None = None
        self._search.chosen.connect(self._searched)
        self._search.cancelled.connect(self._canvas.release_held)
        canvas = self._canvas
        canvas.candidates = self._candidates
        canvas.refusal = self._refusal
        canvas.key_pressed = lambda event: graph_keys.press(self, event)
        canvas.link_drawn.connect(self._joined)
        canvas.link_on_card.connect(self._joined_card)
        canvas.link_on_canvas.connect(self.offer_fitting)
        canvas.link_removed.connect(lambda link: self._edit(self._workflow.without_link(link)))
        canvas.links_sliced.connect(self._cut)
        canvas.cards_moved.connect(self._moved)
        canvas.card_clicked.connect(self._clicked)
        canvas.card_opened.connect(view.node_activated)
        canvas.canvas_opened.connect(self.ask_tool)
        canvas.menu_wanted.connect(self._menu)
        canvas.files_dropped.connect(lambda paths, place: view.files_dropped.emit(paths))
        canvas.tool_dropped.connect(self.add_tool)
        canvas.refused.connect(view.hint)
        view.buttons.add_wanted.connect(lambda: self.ask_tool(canvas.seen.center()))
        view.buttons.search_wanted.connect(self.ask_card)
        view.buttons.layout_wanted.connect(self.lay_out)

    @property
    def _workflow(self) -> Workflow:
        return self.view.workflow

    @property
    def search(self) -> NodeSearch:
        """The pop-up."""
        return self._search

    def _edit(self, workflow: Workflow) -> bool:
        if workflow == self._workflow:
            return False
        self.view.edited.emit(workflow)
        return True

    # Joining

    def _candidates(self, port: TypedPort) -> frozenset[tuple[str, str]]:
        find = linking.fitting_inputs if not port.is_input else linking.fitting_outputs
        return find(self._workflow, self.view.tools, port.card.id, port.face.name)

    def _refusal(self, start: TypedPort, end: TypedPort) -> str:
        if start.is_input == end.is_input:
            return translate("A link goes from an output to an input.")
        found = linking.refusal(self._workflow, self.view.tools, _link(start, end))
        return found.reason if found else ""

    def _joined(self, start: TypedPort, end: TypedPort, taken_off: Link | None) -> None:
        self._join(_link(start, end), taken_off)

    def _join(self, link: Link, taken_off: Link | None) -> None:
        found = linking.refusal(self._workflow, self.view.tools, link)
        if found is not None:  # the mouse was guarded already; this guards every other way in
            self.view.hint.emit(found.reason)
            return
        if taken_off is not None:
            self._edit(graph_edit.moved_link(self._workflow, self.view.tools, taken_off, link))
        else:
            self._edit(graph_edit.joined(self._workflow, self.view.tools, link))

    def _joined_card(self, start: TypedPort, card: str, taken_off: Link | None) -> None:
        if card == start.card.id:
            return
        ends = (card, start.card.id) if start.is_input else (start.card.id, card)
        if start.is_input:
            outputs = linking.outputs_of(self._workflow, self.view.tools, card)
            links = [Link(card, output, start.card.id, start.face.name) for output in outputs]
        else:
            node = next((n for n in self._workflow.nodes if n.id == card), None)
            tool = self.view.tools.get(node.tool) if node else None
            given = self._workflow.type_of(start.card.id, start.face.name, self.view.tools)
            taken = frozenset(k.port for k in self._workflow.links if k.target == card)
            port = linking.first_fitting_input(tool, given, taken) if tool and given else None
            links = [Link(start.card.id, start.face.name, card, port.name)] if port else []
        link = next((k for k in links if not linking.refusal(self._workflow, self.view.tools, k)), None)
        if link is not None:
            self._join(link, taken_off)
        else:
            title = self._title(ends[1])
            self.view.hint.emit(translate("Nothing of {title} takes this.").format(title=title))

    def _title(self, id: str) -> str:
        card = self.view.card(id)
        return card.face.title if card else id

    def _cut(self, links: Sequence[Link]) -> None:
        after = self._workflow
        for link in links:
            after = after.without_link(link)
        self._edit(after)

    def _moved(self, places: dict[str, tuple[float, float]]) -> None:
        if len(places) == 1 and self._put_into_link(next(iter(places)), places):
            return
        self.view.note_moved(places)

    def _put_into_link(self, id: str, places: dict[str, tuple[float, float]]) -> bool:
        """A loose card dropped on a link goes into it."""
        card = self.view.card(id)
        loose = not any(id in (k.source, k.target) for k in self._workflow.links)
        if card is None or card.face.is_resource or not loose:
            return False
        for item in self.view.link_items():
            if crosses(item.path(), card.body):
                after = graph_edit.inserted(self._workflow, self.view.tools, id, item.link)
                if after is not None:
                    return self._edit(graph_edit.placed(after, places))
        return False

    # Adding

    def ask_tool(self, place: QPointF | None = None) -> None:
        """Opens the search of tools; the chosen one is added at that place, under the cursor by default."""
        links = self._canvas.selected_links()
        if place is None and len(links) == 1 and not self.view.selected():
            self._ask_between(links[0])
            return
        spot = place if place is not None else self._canvas.cursor_place()
        self.view.search_requested.emit()
        self._then = lambda id: self.add_tool(id, spot)
        self._search.ask([entry_of(tool) for tool in self._sorted_tools()], self._on_screen(spot))

    def _ask_between(self, item: LinkItem) -> None:
        """Opens the search of what can be put into a link."""
        workflow, tools, link = self._workflow, self.view.tools, item.link
        given = workflow.type_of(link.source, link.output, tools)
        tool = tools.get(workflow.node(link.target).tool)
        wanted = tool.input(link.port) if tool else None
        if given is None or wanted is None:
            return
        fitting = linking.tools_that_take(tools, given).keys() & linking.tools_that_give(tools, wanted).keys()
        place = item.path().pointAtPercent(0.5)
        self._then = lambda id: self._insert(id, place, link)
        words = translate("from {given} to {wanted}").format(
            given=linking.type_name(given), wanted=linking.type_name(wanted.type)
        )
        entries = [entry_of(tool) for tool in self._sorted_tools() if tool.id in fitting]
        self._search.ask(entries, self._on_screen(place), filter_words=words, filter_type=str(given))

    def _insert(self, id: str, place: QPointF, link: Link) -> None:
        after, node = graph_edit.added(self._workflow, self.view.tools[id], _snapped(place + QPointF(-96, 40)))
        found = graph_edit.inserted(after, self.view.tools, node, link) if link in after.links else None
        self._edit_and_choose(found or after, (node,))

    def _sorted_tools(self) -> list:
        return sorted(self.view.tools.values(), key=lambda tool: (tool.domain, tool.title))

    def add_tool(self, id: str, place: QPointF) -> None:
        """Adds a node of that tool with its top left at the place."""
        if id in self.view.tools:
            after, node = graph_edit.added(self._workflow, self.view.tools[id], _snapped(place))
            self._edit_and_choose(after, (node,))

    def _edit_and_choose(self, after: Workflow, ids: tuple[str, ...]) -> None:
        if self._edit(after):
            self.view.select([id for id in ids if self.view.card(id) is not None])

    def offer_fitting(self, port: TypedPort, place: QPointF) -> None:
        """Opens the search with what fits the port, as when a link is dropped on the empty canvas."""
        tools, workflow = self.view.tools, self._workflow
        card, name = port.card.id, port.face.name
        if port.is_input:
            node_tool = tools.get(workflow.node(card).tool)
            wanted = node_tool.input(name) if node_tool else None
            fitting = linking.tools_that_give(tools, wanted) if wanted else {}
            words = translate("gives {type}").format(type=linking.type_name(port.face.type))
            add = graph_edit.added_before
        else:
            given = workflow.type_of(card, name, tools)
            fitting = linking.tools_that_take(tools, given) if given else {}
            words = translate("takes {type}").format(type=linking.type_name(port.face.type))
            add = graph_edit.added_after
        entries = [entry_of(tool) for tool in self._sorted_tools() if tool.id in fitting]
        why = translate("Nothing of it {words}.").format(words=words)
        refused = [entry_of(tool, why) for tool in self._sorted_tools() if tool.id not in fitting]
        spot = place - _HALF_CARD - (QPointF(192, 0) if port.is_input else QPointF(0, 0))
        self._then = lambda id: self._add_joined(id, spot, add, card, name)
        self._canvas.hold_link(port, place)
        at = self._on_screen(place) + QPoint(24, -24)
        self._search.ask(entries, at, refused=refused, filter_words=words, filter_type=port.face.type)

    def _add_joined(
        self, id: str, place: QPointF, add: Callable[..., tuple[Workflow, str]], card: str, port: str
    ) -> None:
        if self.view.card(card) is None:  # gone while the search was open
            self.add_tool(id, place)
            return
        after, node = add(self._workflow, self.view.tools, self.view.tools[id], _snapped(place), card, port)
        self._edit_and_choose(after, (node,))

    def ask_card(self) -> None:
        """Opens the search of cards; the chosen one is selected and brought into view."""
        cards = [self.view.card(id) for id in [*(r.name for r in self._workflow.resources), *self._workflow.ids()]]
        entries = [
            Entry(c.face.id, c.face.title, c.face.word or c.face.left, c.face.icon or "file", c.face.type)
            for c in cards
            if c is not None
        ]
        self._then = lambda id: self.view.select([id])
        corner = self.view.buttons.mapToGlobal(QPoint(0, -440))
        self._search.ask(entries, corner, prompt=translate("Find in the graph"))

    def _searched(self, id: str) -> None:
        self._canvas.release_held()
        then, self._then = self._then, None
        if then is not None:
            then(id)
        self._canvas.setFocus()

    def _on_screen(self, place: QPointF) -> QPoint:
        return self._canvas.viewport().mapToGlobal(self._canvas.mapFromScene(place))

    # Deeds on what is chosen

    def delete_chosen(self) -> None:
        """Deletes the chosen cards and links: one edit."""
        after = self._workflow.without(*self.view.selected())
        for item in self._canvas.selected_links():
            after = after.without_link(item.link)
        self._edit(after)

    def duplicate_chosen(self) -> None:
        """Adds copies of the chosen nodes, fed by the same cards."""
        self._edit_and_choose(*graph_edit.duplicated(self._with_places(), self.view.selected()))

    def copy_chosen(self) -> None:
        """Copies the chosen cards as text, for this window or another one."""
        if self.view.selected():
            QGuiApplication.clipboard().setText(graph_edit.copied(self._with_places(), self.view.selected()))

    def paste(self) -> None:
        """Adds the cards that were copied; says so when there are none."""
        try:
            after, ids = graph_edit.pasted(self._with_places(), QGuiApplication.clipboard().text())
        except BadWorkflow as error:
            self.view.hint.emit(str(error))
            return
        self._edit_and_choose(after, ids)

    def cut_chosen(self) -> None:
        """Copies the chosen cards and deletes them."""
        self.copy_chosen()
        self.delete_chosen()

    def _with_places(self) -> Workflow:
        cards = [*(r.name for r in self._workflow.resources), *self._workflow.ids()]
        return graph_edit.placed(self._workflow, {id: self.view.place_of(id) for id in cards})

    def join_chosen(self) -> None:
        """Joins two chosen cards, from the left one to the right one; says why when nothing fits."""
        chosen = sorted(self.view.selected(), key=self.view.place_of)
        if len(chosen) != 2:
            self.view.hint.emit(translate("Choose two cards to join them."))
            return
        for source, target in (chosen, chosen[::-1]):
            link = linking.link_between(self._workflow, self.view.tools, source, target)
            if link is not None:
                self._edit(graph_edit.joined(self._workflow, self.view.tools, link))
                return
        titles = [self._title(id) for id in chosen]
        self.view.hint.emit(translate("{a} and {b} cannot be joined.").format(a=titles[0], b=titles[1]))

    def line_up(self, axis: int) -> None:
        """Gives the chosen cards the same left edge (axis 0) or the same top (axis 1)."""
        places = {id: self.view.place_of(id) for id in self.view.selected()}
        if len(places) > 1:
            edge = min(place[axis] for place in places.values())
            lined = {id: (edge, y) if axis == 0 else (x, edge) for id, (x, y) in places.items()}
            self.view.move_cards(lined, places)
            self.view.note_moved(lined)

    def choose_all(self) -> None:
        """Chooses every card."""
        self.view.select([*(r.name for r in self._workflow.resources), *self._workflow.ids()])

    def lay_out(self) -> None:
        """Lays the whole graph out anew: one step of moving."""
        places = layout(self._workflow, self.view.sizes())
        old = {id: self.view.place_of(id) for id in places}
        if places != old:
            self.view.move_cards(places, old)
            self.view.note_moved(places)
            self._canvas.look(self.view.bounds())

    def nudge(self, dx: int, dy: int) -> None:
        """Moves the chosen cards by 8 pixels, the view when none is chosen."""
        chosen = self.view.selected()
        if not chosen:
            self._canvas.pan_by(QPointF(dx * 60, dy * 60))
            return
        places = {}
        for id in chosen:
            x, y = self.view.place_of(id)
            places[id] = (x + dx * _NUDGE, y + dy * _NUDGE)
        self.view.move_cards(places, {})
        self.view.note_moved(places)

    def step(self, dx: int) -> None:
        """Chooses the next card in reading order (Alt and an arrow), so that no mouse is needed."""
        ids = sorted((self.view.place_of(id)[::1], id) for id in self.view.sizes())
        names = [id for _, id in ids]
        chosen = self.view.selected()
        if names:
            at = (names.index(chosen[-1]) + dx) % len(names) if chosen else 0
            self.view.select([names[at]])

    def _clicked(self, id: str, place: QPointF) -> None:
        card = self.view.card(id)
        if card is not None and card.face.picks and card.in_result(place):
            self.view.pick_requested.emit(id, card.face.picks)

    def open_chosen(self) -> None:
        """Opens the chosen card: the picture to point at when it waits for points."""
        for id in self.view.selected()[:1]:
            card = self.view.card(id)
            if card is not None and card.face.picks:
                self.view.pick_requested.emit(id, card.face.picks)
            else:
                self.view.node_activated.emit(id)

    def menu(self, place: QPointF) -> QMenu:
        """The menu for what is chosen, or for the canvas at that place when nothing is."""
        return graph_keys.menu(self, place)

    def _menu(self, place: QPointF, screen: QPoint) -> None:
        self.menu(place).popup(screen)


def _link(start: TypedPort, end: TypedPort) -> Link:
    source, target = (end, start) if start.is_input else (start, end)
    return Link(source.card.id, source.face.name, target.card.id, target.face.name)


def _snapped(place: QPointF) -> tuple[float, float]:
    return round(place.x() / _NUDGE) * _NUDGE, round(place.y() / _NUDGE) * _NUDGE
