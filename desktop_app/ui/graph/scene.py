"""What stands in the scene for a workflow and its run: cards, links, dots, notes, frames; as little as can is changed.

Must not know the Session, nor what the mouse does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping

from PySide6.QtCore import QPointF, QRectF

from desktop_app.graph import connect
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.models.downloads import GOING, Download
from desktop_app.plan.types import Question
from desktop_app.run.events.run_record import Run
from desktop_app.ui.graph.batch_painter import BatchPainter
from desktop_app.ui.graph.canvas import GraphCanvas
from desktop_app.ui.graph.items.card_model import CardModel, CardModels
from desktop_app.ui.graph.items.link_item import LinkItem, run_state, state_of
from desktop_app.ui.graph.items.node_item import CardItem
from desktop_app.ui.graph.items.note_item import DecorationItem, DotItem
from desktop_app.ui.graph.items.result_pixmaps import ResultPictures
from desktop_app.ui.theme import theme
from nodes.api import Tool

_FLOW = theme.tokens()["link"]["running"]["speed_px_per_s"]
_PERIOD = sum(theme.tokens()["link"]["running"]["dash"])
_BESIDE = (0.0, 6.0, -6.0, 12.0)
"""How far beside the middle of a gap links of several sources run, so that each is seen."""
_COUNT_SECONDS = 0.5
_COUNT_AT_ONCE = 50


class GraphItems:
    """`grown()` is called when a card changed its height, so that links have to be led anew."""

    def __init__(self, canvas: GraphCanvas, results: ResultPictures, grown: Callable[[], None]) -> None:
        self._canvas, self._results, self._grown = canvas, results, grown
        self.workflow, self.run = Workflow(), Run()
        self._faces = CardModels(self.workflow, {})
        self.cards: dict[str, CardItem] = {}
        self.links: dict[Link, LinkItem] = {}
        self.decor: dict[str, DecorationItem] = {}
        self._dots: dict[Link, list[DotItem]] = {}
        self._users: dict[str, set[str]] = {}
        self._modes: Mapping[str, str] = {}
        self._outlined: frozenset[str] = frozenset()
        self._counted = 0.0
        self._to_count: list[str] = []
        self._painter = canvas.batch_painter = BatchPainter(canvas, self)

    def show_workflow(self, workflow: Workflow, run: Run, tools: Mapping[str, Tool]) -> None:
        """Adds, changes and removes only what differs from what is shown. Places of cards are not looked at."""
        self.workflow, self.run = workflow, run
        before, self._faces = self._faces, CardModels(workflow, tools)
        self._faces.going, self._faces.asked = before.going, before.asked
        self._modes = connect.modes_of(workflow)
        self._show_cards()
        self._show_links()
        self._show_decor()
        self._painter.forget()

    def show_run(self, run: Run) -> bool:
        """Repaints the cards whose face changed; True when the state of a node turned."""
        before, self.run = self.run, run
        now_of, then_of = run.nodes.get, before.nodes.get
        changed = {id for id in self.cards if now_of(id) is not then_of(id)}
        turned = {id for id in changed if run_state(run, id) != run_state(before, id)}
        changed.update(target for id in turned for target in self._faces.targets(id))
        if turned:
            changed.update(id for id in self.cards if (n := run.nodes.get(id)) is not None and n.because in turned)
        now = time.time()
        changed.update(self._counting_down(now))
        far = self._painter.far
        for id in changed:
            card = self.cards.get(id)
            if card is not None and not card.face.is_resource:
                self._set_face(card, self._faces.of_node(id, run, now), repaint=not far)
        if turned:
            self._painter.forget()
        elif changed:
            self._painter.repaint()
        return bool(turned)

    def show_downloads(self, going: Mapping[str, Download]) -> None:
        """Says on the cards that lack something how far it is; on all, when nothing comes: something may have come."""
        self._faces.going = going
        busy, now = any(one.state in GOING for one in going.values()), time.time()
        for id, card in self.cards.items():
            if not card.face.is_resource and (card.face.fetch or not busy):
                self._set_face(card, self._faces.of_node(id, self.run, now))
        self._painter.repaint()

    def show_question(self, asked: Question | None) -> None:
        """Says on the card of the node that takes longest that the run is to be decided on."""
        before, self._faces.asked = self._faces.asked, asked
        if asked == before:
            return
        for id in {one.step for one in (before, asked) if one is not None} & self.cards.keys():
            self._set_face(self.cards[id], self._faces.of_node(id, self.run, time.time()))
        self._painter.repaint()

    def _counting_down(self, now: float) -> list[str]:
        """The running nodes whose time left is to be said anew: each every half second, some of them at a time."""
        if not self._to_count and abs(now - self._counted) >= _COUNT_SECONDS:
            self._counted = now
            self._to_count = [id for id, node in self.run.nodes.items() if node.state == "running"]
        due, self._to_count = self._to_count[:_COUNT_AT_ONCE], self._to_count[_COUNT_AT_ONCE:]
        return due

    def contents(self) -> set[str]:
        """What the cards show of results: digests, and files of previews."""
        faces = [card.face for card in self.cards.values()]
        return {face.preview for face in faces} | {face.result.digest for face in faces if face.result is not None}

    # Cards

    def _show_cards(self) -> None:
        faces = self._faces.all(self.run, time.time())
        live = set(self.workflow.links)
        for link in [link for link in self.links if link not in live]:
            self._remove_link(link)
        for id in [i for i in self.cards if i not in faces or faces[i].is_resource != self.cards[i].face.is_resource]:
            card = self.cards.pop(id)
            for item in [pipe for port in [*card.inputs, *card.outputs] for pipe in port.connected_pipes]:
                self._remove_link(item.link)
            card.delete()
        self._users = {}
        for id, face in faces.items():
            card = self.cards.get(id)
            if card is None:
                card = self.cards[id] = CardItem(face, self._results)
                card.set_outlined(id in self._outlined)
                self._canvas.scene().addItem(card)
            else:
                self._set_face(card, face)
            self._note_results(card)

    def _set_face(self, card: CardItem, face: CardModel, repaint: bool = True) -> None:
        height = card.height
        if card.set_face(face, repaint):
            self._note_results(card)
            if card.height != height:
                self._grown()

    def _note_results(self, card: CardItem) -> None:
        face = card.face
        for key in (face.result and face.result.digest, face.under and face.under.digest, face.preview):
            if key:
                self._users.setdefault(key, set()).add(face.id)

    def repaint_users(self, key: str) -> None:
        """A picture, text or waveform came: repaints the cards that show it."""
        for id in self._users.get(key, ()):
            if id in self.cards:
                self.cards[id].update()

    def outline(self, ids: Collection[str]) -> None:
        """Gives these cards the dashed ring of what differs, and takes it from the others."""
        self._outlined = frozenset(ids)
        for id, card in self.cards.items():
            card.set_outlined(id in self._outlined)
        self._painter.forget()

    # Links

    def _show_links(self) -> None:
        for link in self.workflow.links:
            if link in self.links:
                continue
            source, target = self.cards.get(link.source), self.cards.get(link.target)
            start = source.port(link.output, False) if source else None
            end = target.port(link.port, True) if target else None
            if start is None or end is None:
                continue  # a port that the tool no longer has; the inspector says so
            item = self.links[link] = LinkItem(link, start, end)
            self._canvas.scene().addItem(item)
        for link, item in self.links.items():
            self._show_dots(item, self.workflow.waypoints.get(link, ()))

    def _show_dots(self, item: LinkItem, places: tuple[tuple[float, float], ...]) -> None:
        if [(dot.x(), dot.y()) for dot in item.dots] == list(places) and len(self._dots.get(item.link, ())) == len(
            places
        ):
            return
        for dot in self._dots.pop(item.link, ()):
            self._canvas.scene().removeItem(dot)
        item.set_dots(places)
        for index, place in enumerate(places):
            dot = DotItem(item.link, index, QPointF(*place), item.start.face.type, item.move_dot)
            self._canvas.scene().addItem(dot)
            self._dots.setdefault(item.link, []).append(dot)

    def _remove_link(self, link: Link) -> None:
        item = self.links.pop(link, None)
        for dot in self._dots.pop(link, ()):
            self._canvas.scene().removeItem(dot)
        if item is not None:
            item.delete()

    def show_link_states(self) -> bool:
        """How far each link carries; True when one feeds a running node."""
        running = False
        for link, item in self.links.items():
            state = state_of(link, self.workflow, self.run, self._modes)
            item.set_state(state)
            running = running or state == "running"
        self._painter.forget()
        return running

    def flow(self, seconds: float) -> None:
        """Moves the dashes of the links that feed running nodes."""
        LinkItem.phase = (LinkItem.phase + _FLOW * seconds) % _PERIOD
        for item in () if self._painter.far else self.links.values():
            if item.state == "running":
                item.update()

    def lead_links(self) -> None:
        bodies = sorted((card.body for card in self.cards.values()), key=QRectF.left)
        taken: dict[int, list[tuple[float, float, tuple[str, str]]]] = {}
        for item in self.links.values():
            source = (item.link.source, item.link.output)
            for beside in _BESIDE:
                item.set_obstacles(bodies, beside)
                found = item.stretch
                if found is None:
                    break
                level, left, right = found
                others = taken.setdefault(round(level / _BESIDE[1]), [])
                if all(of == source or end < left or right < begin for begin, end, of in others):
                    others.append((left, right, source))
                    break

    def dots(self) -> Iterator[DotItem]:
        return (dot for dots in self._dots.values() for dot in dots)

    # Notes and frames

    def _show_decor(self) -> None:
        wanted = {decoration.id: decoration for decoration in self.workflow.decorations}
        for id in [id for id in self.decor if id not in wanted]:
            self._canvas.scene().removeItem(self.decor.pop(id))
        for id, decoration in wanted.items():
            item = self.decor.get(id)
            if item is None:
                item = self.decor[id] = DecorationItem(decoration)
                self._canvas.scene().addItem(item)
            else:
                item.take(decoration)

    def bounds(self) -> QRectF:
        whole = QRectF()
        for item in [*self.cards.values(), *self.decor.values()]:
            whole = whole.united(item.body)
        return whole

    def refresh(self) -> None:
        self._painter.forget()
        for card in self.cards.values():
            card.refresh()

    def chosen(self) -> None:
        self._painter.forget()
