"""What is done to the chosen: deleting, copying, lining up, moving, switching off, running. One undo step each."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF
from PySide6.QtGui import QGuiApplication

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import annotate, edit, placement
from desktop_app.graph.layout import layout
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.ui.graph.actions.edits import GraphEdits
from desktop_app.ui.graph.actions.notes import NoteActions
from desktop_app.ui.graph.move_tool import on_grid
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.incoming import copied, files_of, picture_of

_NUDGE = 8
_PAN = 60


class EditActions:
    def __init__(self, controller: GraphEdits, writing: NoteActions) -> None:
        self._controller, self._view, self._writing = controller, controller.view, writing

    def _nodes(self) -> list[str]:
        known = set(self._view.workflow.ids())
        return [id for id in self._view.selected() if id in known]

    # Deleting and copying

    def delete(self) -> None:
        """Deletes the chosen cards, notes, frames, dots and links: one edit."""
        canvas, after = self._view.canvas, self._controller.workflow
        dots = [(dot.link, dot.index) for dot in canvas.selected_dots() if isinstance(dot.link, Link)]
        after = annotate.undotted(after, dots).without(*self._view.chosen())
        for item in canvas.selected_links():
            after = after.without_link(item.link)
        self._controller.edit(after)

    def duplicate(self) -> None:
        """Adds copies of the chosen nodes, notes and frames, fed by the same cards."""
        self._controller.edit_and_choose(*edit.duplicated(self._with_places(), self._view.chosen()))

    def copy(self) -> None:
        """Copies what is chosen as text, for this window or another one."""
        if self._view.chosen():
            QGuiApplication.clipboard().setText(edit.copied(self._with_places(), self._view.chosen()))

    def paste(self, place: QPointF | None = None) -> None:
        """Adds what was copied, or files, at that place, under the cursor by default; says so if there is none."""
        place = place if place is not None else self._view.canvas.cursor_place()
        if self.take_in(copied(), place):
            return
        spot = on_grid(place)
        try:
            after, ids = edit.pasted(self._with_places(), QGuiApplication.clipboard().text(), spot)
        except BadWorkflow as error:
            self._view.hint.emit(str(error))
            return
        self._controller.edit_and_choose(after, ids)

    def take_in(self, source: QMimeData, place: QPointF) -> bool:
        """Tells of the files or the picture in it; False when there is neither."""
        files = files_of(source)
        picture = None if files else picture_of(source)
        if files:
            self._view.files_dropped.emit(files, place)
        elif picture is not None:
            self._view.picture_given.emit(picture, place)
        return bool(files) or picture is not None

    def cut(self) -> None:
        self.copy()
        self.delete()

    def _with_places(self) -> Workflow:
        return edit.placed(self._controller.workflow, self._view.places.now)

    # Choosing

    def choose_all(self) -> None:
        self._view.select([*self._view.items.cards, *self._view.items.decor])

    def step(self, by: int) -> None:
        """Chooses the next card, note or frame in reading order, so that no mouse is needed."""
        places = {id: item.decoration.place for id, item in self._view.items.decor.items()}
        places |= {id: self._view.place_of(id) for id in self._view.sizes()}
        names = sorted(places, key=lambda id: (places[id], id))
        chosen = self._view.chosen()
        if names:
            at = (names.index(chosen[-1]) + by) % len(names) if chosen else 0
            self._view.select([names[at]])

    def open(self) -> None:
        """Opens what is chosen: the picture to point at when it waits for points, what it lacks, the text of a note."""
        for id in self._view.chosen()[:1]:
            card = self._view.card(id)
            if card is None:
                self._writing.write(id)
            elif card.face.picks:
                self._view.pick_requested.emit(id, card.face.picks)
            elif card.face.fetch:
                self._view.fetch_requested.emit(id)
            else:
                self._view.node_activated.emit(id)

    def compare(self) -> None:
        """Asks for the results of two chosen cards side by side, the left one first; says when it is not two."""
        chosen = sorted(self._view.selected(), key=self._view.place_of)
        if len(chosen) != 2:
            self._view.hint.emit(translate("Choose two cards to compare their results."))
            return
        self._view.compare_wanted.emit(tuple(chosen))

    # Arranging

    def align(self, edge: str) -> None:
        """Lines the chosen cards up; `edge` as in placement.aligned."""
        chosen = self._chosen_places()
        if len(chosen) > 1:
            self._move(chosen, placement.aligned(chosen, self._view.sizes(), edge))

    def spread(self, axis: int) -> None:
        """Puts the same gap between the chosen cards, across (0) or down (1)."""
        chosen = self._chosen_places()
        if len(chosen) > 2:
            self._move(chosen, placement.spread(chosen, self._view.sizes(), axis))
        else:
            self._view.hint.emit(translate("Choose three cards or more to spread them."))

    def _chosen_places(self) -> dict[str, tuple[float, float]]:
        return {id: self._view.place_of(id) for id in self._view.selected()}

    def _move(self, old: dict[str, tuple[float, float]], new: dict[str, tuple[float, float]]) -> None:
        if new != old:
            self._view.move_cards(new, old)
            self._view.note_moved(new)

    def lay_out(self) -> None:
        """Lays the whole graph out anew, frames round what they held: one step."""
        workflow, view = self._controller.workflow, self._view
        before, sizes = view.boxes(), view.sizes()
        places = layout(workflow, sizes)
        if places == {id: view.place_of(id) for id in places} and not workflow.waypoints:
            return
        after = {id: (*place, *sizes[id]) for id, place in places.items()}
        framed = annotate.reframed(workflow, before, after)
        if framed != workflow:
            self._controller.edit(edit.placed(framed, places))
        else:
            view.move_cards(places, {id: view.place_of(id) for id in places})
            view.note_moved(places)
        view.fit()

    def nudge(self, dx: int, dy: int) -> None:
        """Moves what is chosen by 8 pixels, the view when nothing is."""
        view = self._view
        decor = {item.id: (item.x() + dx * _NUDGE, item.y() + dy * _NUDGE) for item in view.canvas.selected_decor()}
        dots = {
            (dot.link, dot.index): (dot.x() + dx * _NUDGE, dot.y() + dy * _NUDGE)
            for dot in view.canvas.selected_dots()
            if isinstance(dot.link, Link)
        }
        places = {id: (x + dx * _NUDGE, y + dy * _NUDGE) for id, (x, y) in self._chosen_places().items()}
        if not (places or decor or dots):
            view.canvas.pan_by(QPointF(dx * _PAN, dy * _PAN))
            return
        view.move_cards(places, {})
        view.note_moved(places, decor, dots)

    # Switching off and running

    def switch(self, mode: str) -> None:
        """Bypasses or mutes the chosen nodes; when all of them are so already, switches them on again."""
        nodes = self._nodes()
        if not nodes:
            self._view.hint.emit(translate("Choose the nodes to switch off."))
            return
        self._controller.edit(annotate.switched(self._controller.workflow, nodes, mode))

    def run_to(self) -> None:
        self._ask_run(self._view.run_to)

    def run_from(self) -> None:
        self._ask_run(self._view.run_from)

    def run_again(self) -> None:
        self._ask_run(self._view.run_again)

    def _ask_run(self, signal) -> None:
        nodes = self._nodes()
        if len(nodes) == 1:
            signal.emit(nodes[0])
        else:
            self._view.hint.emit(translate("Choose one node to run."))
