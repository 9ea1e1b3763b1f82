"""Adding nodes by hand: by search, into a link, after a port, from the palette; and joining ports without a mouse.

Changes are emitted by the view as `edited`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.graph import connect as linking
from desktop_app.graph import edit, placement
from desktop_app.graph.decorations import Note
from desktop_app.graph.layout import COLUMN_GAP, DEFAULT_SIZE
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.i18n import catalogue
from desktop_app.models import store
from desktop_app.storage.resources import Resource
from desktop_app.ui.graph.actions.edits import GraphEdits
from desktop_app.ui.graph.items.link_item import LinkItem
from desktop_app.ui.graph.items.node_item import TypedPort
from desktop_app.ui.graph.move_tool import on_grid
from desktop_app.ui.graph.node_search import NodeSearch
from desktop_app.ui.search.entries import SearchEntry, entry_of, in_order
from desktop_app.ui.support.costs import lack_of
from desktop_app.ui.support.formatting import translate
from nodes.api import Tool

_HALF_CARD = QPointF(0, 24)
_PORT = "\n"
_FILE = "\nfile"


class AddNodeActions:
    def __init__(self, controller: GraphEdits) -> None:
        self._controller, self._view, self._canvas = controller, controller.view, controller.view.canvas
        self.search = NodeSearch(self._view)
        self._then: Callable[[str], None] | None = None
        self._home: QWidget = self._canvas
        self.search.chosen.connect(self._searched)
        self.search.cancelled.connect(self._cancelled)

    def _searched(self, id: str) -> None:
        self._cancelled()
        then, self._then = self._then, None
        if then is not None:
            then(id)

    def _cancelled(self) -> None:
        """The keyboard goes back to where it came from: the canvas, or the outline beside it."""
        self._canvas.linking.release()
        self._home.setFocus()

    def _remember_home(self) -> None:
        focus = QApplication.focusWidget()
        inside = focus is not None and self._view.isAncestorOf(focus)
        self._home = focus if focus is not None and inside else self._canvas

    def _on_screen(self, place: QPointF) -> QPoint:
        return self._canvas.viewport().mapToGlobal(self._canvas.mapFromScene(place))

    def _sorted_tools(self) -> list[Tool]:
        return sorted(self._view.tools.values(), key=lambda tool: (tool.domain, in_order(tool.title)))

    def ask_card(self, cards: Sequence[SearchEntry]) -> None:
        """Opens the search of these cards of the graph; the chosen one is brought into the middle."""
        self._then = self._view.look_at
        self._remember_home()
        spot = self._canvas.viewport().mapToGlobal(QPoint(self._canvas.width(), 0))
        words, keys = translate("Find in the graph"), translate("↑ ↓  choose     ⏎  show")
        self.search.ask(cards, spot, prompt=words, keys=keys)

    # Anywhere, and into links

    def ask_tool(self, place: QPointF | None = None) -> None:
        """Opens the search of tools; the chosen one is added at that place, under the cursor by default."""
        links = self._canvas.selected_links()
        if place is None and len(links) == 1 and not self._view.selected():
            self._ask_between(links[0])
            return
        spot = place if place is not None else self._canvas.cursor_place()
        self._then = lambda id: self.ask_files(spot) if id == _FILE else self.add_tool(id, spot)
        self._remember_home()
        file = SearchEntry(_FILE, translate("Add a file…"), icon="paperclip", group=translate("Files"))
        self.search.ask([file, *_entries(self._sorted_tools())], self._on_screen(spot))

    def _ask_between(self, item: LinkItem) -> None:
        workflow, tools, link = self._controller.workflow, self._view.tools, item.link
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
        entries = _entries(tool for tool in self._sorted_tools() if tool.id in fitting)
        self._remember_home()
        self.search.ask(entries, self._on_screen(place), filter_words=words, filter_type=str(given))

    def _insert(self, id: str, place: QPointF, link: Link) -> None:
        after, node = edit.added(self._controller.workflow, self._view.tools[id], on_grid(place + QPointF(-96, 40)))
        found = edit.inserted(after, self._view.tools, node, link) if link in after.links else None
        self._controller.edit_and_choose(self._with_room(found, node, link) if found else after, (node,))

    def _with_room(self, workflow: Workflow, node: str, link: Link) -> Workflow:
        """A node that was put into a link stands after its source; what stands there moves on."""
        sizes = self._view.sizes()
        now = {id: place for id, place in self._view.places.now.items() if id in sizes}
        if link.source not in now:
            return workflow
        place, moved = placement.with_room(now, sizes, link.source, DEFAULT_SIZE, COLUMN_GAP)
        return edit.placed(workflow, {**now, **moved, node: place})

    def add_tool(self, id: str, place: QPointF) -> None:
        if id in self._view.tools:
            after, node = edit.added(self._controller.workflow, self._view.tools[id], on_grid(place))
            self._controller.edit_and_choose(after, (node,))

    def add_files(self, place: QPointF, files: Sequence[Resource]) -> None:
        """Adds the files one below the other from that place on, beside what is there already, notes too: one edit."""
        notes = [one for one in self._controller.workflow.decorations if isinstance(one, Note)]
        sizes = {**self._view.sizes(), **{note.id: note.size for note in notes}}
        now = {**self._view.places.now, **{note.id: note.place for note in notes}}
        after, spot = self._controller.workflow, on_grid(place)
        for file in files:
            if file not in after.resources:
                after = after.with_resource(file)
                now[file.name] = placement.free_near(spot, now, sizes)
        new = {file.name: now[file.name] for file in files}
        self._controller.edit_and_choose(edit.placed(after, {**self._view.places.loose(after), **new}), tuple(new))

    def ask_files(self, place: QPointF | None = None) -> None:
        """Asks for files, which are added at that place, under the cursor by default."""
        spot = place if place is not None else self._canvas.cursor_place()
        self._view.files_wanted.emit(partial(self.add_files, spot))

    def ask_replacement(self, name: str = "") -> None:
        """Asks for a file in the place of that one, by default of the one that is chosen."""
        name = name or next(iter(self._view.selected()), "")
        if self._controller.workflow.resource(name) is not None:
            self._view.files_wanted.emit(partial(self._replace, name))

    def _replace(self, name: str, files: Sequence[Resource]) -> None:
        old, new = self._controller.workflow.resource(name), files[0]
        if old is None:
            return
        if not new.type.is_a(old.type):
            said = translate("{new} cannot take the place of {old}: it is {type}.")
            self._view.hint.emit(said.format(new=new.name, old=name, type=linking.type_name(new.type)))
            return
        placed = edit.placed(self._controller.workflow, {name: self._view.place_of(name)})
        self._controller.edit_and_choose(edit.swapped(placed, name, new), (new.name,))

    def drop_tool(self, id: str, place: QPointF) -> None:
        """Adds a node of that tool there; dropped on a link that it fits, it goes into it."""
        item = self._canvas.link_at(place)
        tool = self._view.tools.get(id)
        if item is None or tool is None:
            self.add_tool(id, place)
            return
        after, node = edit.added(self._controller.workflow, tool, on_grid(place + QPointF(-96, -48)))
        found = edit.inserted(after, self._view.tools, node, item.link)
        self._controller.edit_and_choose(self._with_room(found, node, item.link) if found else after, (node,))

    def add_in_view(self, id: str) -> None:
        """Adds a node of that tool in the middle of what is seen, or after the one chosen card where it fits."""
        chosen = self._view.selected()
        tool = self._view.tools.get(id)
        if tool is None:
            return
        card = self._view.card(chosen[0]) if len(chosen) == 1 else None
        for port in card.outputs if card is not None else ():
            given = self._controller.workflow.type_of(port.card.id, port.face.name, self._view.tools)
            if given is not None and linking.first_fitting_input(tool, given) is not None:
                place = card.body.topRight() + QPointF(48, 0) if card else QPointF()
                self._add_joined(id, place, edit.added_after, port.card.id, port.face.name)
                return
        self.add_tool(id, self._canvas.seen.center() - QPointF(96, 60))

    # After a port

    def offer_fitting(self, port: TypedPort, place: QPointF) -> None:
        """Opens the search with what fits the port, as when a link is dropped on the empty canvas."""
        fitting, words = self._fitting(port)
        entries = _entries(tool for tool in self._sorted_tools() if tool.id in fitting)
        sizes = Counter(entry.group for entry in entries)
        entries.sort(key=lambda entry: -sizes[entry.group])  # a picture is mostly for what is done to pictures
        why = translate("Nothing of it {words}.").format(words=words)
        refused = _entries((tool for tool in self._sorted_tools() if tool.id not in fitting), why)
        spot = place - _HALF_CARD - (QPointF(192, 0) if port.is_input else QPointF(0, 0))
        add = edit.added_before if port.is_input else edit.added_after
        card, name = port.card.id, port.face.name
        self._then = lambda id: self._add_joined(id, spot, add, card, name)
        self._canvas.linking.hold(port, place)
        at = self._on_screen(place) + QPoint(24, -24)
        self._remember_home()
        self.search.ask(entries, at, refused=refused, filter_words=words, filter_type=port.face.type)

    def _fitting(self, port: TypedPort) -> tuple[frozenset[str], str]:
        """The ids of the tools that fit a port, and what they have to do, in words."""
        tools, workflow = self._view.tools, self._controller.workflow
        if port.is_input:
            node_tool = tools.get(workflow.node(port.card.id).tool)
            wanted = node_tool.input(port.face.name) if node_tool else None
            found = linking.tools_that_give(tools, wanted) if wanted else {}
            return frozenset(found), translate("gives {type}").format(type=linking.type_name(port.face.type))
        given = workflow.type_of(port.card.id, port.face.name, tools)
        found = linking.tools_that_take(tools, given) if given else {}
        return frozenset(found), translate("takes {type}").format(type=linking.type_name(port.face.type))

    def _add_joined(
        self, id: str, place: QPointF, add: Callable[..., tuple[Workflow, str]], card: str, port: str
    ) -> None:
        if self._view.card(card) is None:  # gone while the search was open
            self.add_tool(id, place)
            return
        after, node = add(self._controller.workflow, self._view.tools, self._view.tools[id], on_grid(place), card, port)
        self._controller.edit_and_choose(after, (node,))

    # Ports, without a mouse

    def connect_chosen(self) -> None:
        """Opens the search of what the chosen card can be joined to, from its first output or else its first input."""
        chosen = self._view.selected()
        card = self._view.card(chosen[0]) if len(chosen) == 1 else None
        ports = [*card.outputs, *card.inputs] if card is not None else []
        if ports:
            self.connect(ports[0].card.id, ports[0].face.name, ports[0].is_input)
        else:
            self._view.hint.emit(translate("Choose one card to join it to another."))

    def connect(self, card: str, name: str, is_input: bool, at: QPoint | None = None) -> None:
        """Opens the search with the ports of the graph that fit this one, and with the tools that would; `at` is a
        place of the screen.
        """
        item = self._view.card(card)
        port = item.port(name, is_input) if item is not None else None
        if item is None or port is None:
            self._view.hint.emit(translate("This input is not shown as a port: type its value in the inspector."))
            return
        find = linking.fitting_outputs if is_input else linking.fitting_inputs
        ends = find(self._controller.workflow, self._view.tools, card, name)
        fitting, words = self._fitting(port)
        here, new = translate("In the graph"), translate("Add a node")
        entries = [self._port_entry(*end, not is_input, here) for end in sorted(ends)]
        tools = (tool for tool in self._sorted_tools() if tool.id in fitting)
        entries += [replace(entry, group=new) for entry in _entries(tools)]
        self._then = partial(self._connect_to, card, name, is_input)
        spot = at if at is not None else self._on_screen(port.middle) + QPoint(24, -24)
        prompt = translate("Join {port} to").format(port=port.face.label)
        self._remember_home()
        self.search.ask(entries, spot, filter_words=words, filter_type=port.face.type, prompt=prompt)

    def _port_entry(self, card: str, name: str, is_input: bool, group: str) -> SearchEntry:
        item = self._view.card(card)
        face = item.face if item is not None else None
        port = item.port(name, is_input) if item is not None else None
        title = translate("{port} of {title}").format(port=catalogue.port(name), title=face.title if face else card)
        kind = port.face.type if port is not None else face.type if face else "any"
        detail = translate("joined already; this takes its place") if port and is_input and port.face.joined else ""
        return SearchEntry(
            f"{card}{_PORT}{name}", title, detail, (face.icon if face else "") or "file", kind,
            outputs=(kind,), group=group,
        )  # fmt: skip

    def _connect_to(self, card: str, name: str, is_input: bool, chosen: str) -> None:
        other, port, end = chosen.partition(_PORT)
        if not port:
            item = self._view.card(card)
            corner = item.body.topLeft() if item is not None else self._canvas.seen.center()
            place = corner + (QPointF(-240, 0) if is_input else QPointF(240, 0))
            add = edit.added_before if is_input else edit.added_after
            self._add_joined(chosen, place, add, card, name)
        elif is_input:
            self._controller.join(Link(other, end, card, name))
        else:
            self._controller.join(Link(card, name, other, end))


@store.one_look()
def _entries(tools: Iterable[Tool], refused: str = "") -> list[SearchEntry]:
    return [entry_of(tool, refused, lack_of(tool)) for tool in tools]
