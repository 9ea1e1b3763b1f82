"""Notes, frames and dots by hand: made, written, coloured, resized. Changes are emitted by the view as `edited`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect

from desktop_app.graph import annotate, edit, placement
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.ui.graph.actions.edits import GraphEdits
from desktop_app.ui.graph.items.note_editor import NoteEditor
from desktop_app.ui.graph.move_tool import on_grid
from desktop_app.ui.support.formatting import translate


class NoteActions:
    def __init__(self, controller: GraphEdits) -> None:
        self._controller, self._canvas = controller, controller.view.canvas
        self.field = NoteEditor(self._canvas.viewport())
        self.field.written.connect(self._written)
        self._new: tuple[str, Workflow] | None = None
        self._canvas.words_opened.connect(self.write)
        self._canvas.decor_resized.connect(lambda id, width, height: self._edit(annotate.resized, id, (width, height)))
        self._canvas.link_opened.connect(self.add_dot)
        self._canvas.dot_opened.connect(
            lambda link, index: controller.edit(annotate.undotted(controller.workflow, [(link, index)]))
        )
        self._canvas.view_changed.connect(self.field.finish)

    def _written(self, id: str, text: str) -> None:
        """The text of what has just been added belongs to its adding, unless something else happened meanwhile."""
        workflow, new, self._new = self._controller.workflow, self._new, None
        after = annotate.written(workflow, id, text)
        if new == (id, workflow):
            self._controller.go_on(after)
        else:
            self._controller.edit(after)

    def _write_new(self, id: str) -> None:
        self.write(id)
        self._new = id, self._controller.workflow

    def _edit(self, change: Callable[..., Workflow], id: str, value: object) -> None:
        self._controller.edit(change(self._controller.workflow, id, value))

    def write(self, id: str) -> None:
        """Opens the note, or the title of the frame or node, to be written."""
        items = self._controller.view.items
        note, card = items.decor.get(id), items.cards.get(id)
        area = note.text_area if note is not None else card.title_area if card is not None else None
        if area is None:
            return
        self._canvas.show_place(area)
        corner = self._canvas.mapFromScene(area.topLeft())
        size = area.size() * self._canvas.zoom
        rect = QRect(corner.x(), corner.y(), round(size.width()), round(size.height()))
        title = self._controller.workflow.title_of(id, self._controller.view.tools)
        text = note.decoration.text if note is not None else title
        name = translate("Text of the note")
        if note is None or note.is_frame:
            name = translate("Title of the node") if note is None else translate("Title of the frame")
        self.field.write(id, text, rect, self._canvas.zoom, name, note is None or note.is_frame)
        self._new = None

    def write_chosen(self) -> None:
        """Opens the first chosen note or frame, or the title of the chosen node, to be written."""
        chosen = [item.id for item in self._canvas.selected_decor()] or self._controller.view.selected()
        if chosen:
            self.write(next(iter(chosen)))

    def add_note(self, place: QPointF | None = None) -> None:
        """Puts a note there, under the cursor by default, and opens it."""
        spot = on_grid(place if place is not None else self._canvas.cursor_place())
        if place is None:  # a note lies below the cards, which would hide its words
            sizes = self._controller.view.sizes()
            spot = placement.free_near(spot, {id: self._controller.view.place_of(id) for id in sizes}, sizes)
        after, id = annotate.noted(self._controller.workflow, spot)
        self._controller.edit_and_choose(after, (id,))
        self._write_new(id)

    def add_frame(self) -> None:
        """Puts a frame round what is chosen, and opens its title; says so when nothing is."""
        view = self._controller.view
        boxes = [box for id, box in view.boxes().items() if id in view.selected()]
        boxes += [(*item.decoration.place, *item.decoration.size) for item in self._canvas.selected_decor()]
        after, id = annotate.framed(self._controller.workflow, boxes, translate("Group"))
        if not id:
            view.hint.emit(translate("Choose the nodes that the frame is to hold."))
            return
        self._controller.edit_and_choose(self._placed(after), (id,))
        self._write_new(id)

    def _placed(self, workflow: Workflow) -> Workflow:
        """Cards in a frame have to stay where they stand: their places are saved with it."""
        return edit.placed(workflow, self._controller.view.places.loose(workflow))

    def add_dot(self, link: Link, place: QPointF) -> None:
        item = self._controller.view.items.links.get(link)
        if item is not None:
            after = annotate.dotted(self._controller.workflow, link, item.dot_index(place), on_grid(place))
            self._controller.edit(after)

    def add_dot_to_chosen(self) -> None:
        after = self._controller.workflow
        for item in self._canvas.selected_links():
            middle = item.path().pointAtPercent(0.5)
            after = annotate.dotted(after, item.link, item.dot_index(middle), on_grid(middle))
        self._controller.edit(after)

    def straighten(self) -> None:
        after = self._controller.workflow
        for item in self._canvas.selected_links():
            after = after.with_waypoints(item.link, ())
        self._controller.edit(after)

    def colour(self, name: str) -> None:
        ids = [item.id for item in self._canvas.selected_decor()]
        self._controller.edit(annotate.coloured(self._controller.workflow, ids, name))
