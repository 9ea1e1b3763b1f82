"""How any action changes the graph: it asks for another workflow, which the view emits."""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.graph import connect
from desktop_app.graph import edit as graph_edit
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.ui.graph.graph_display import GraphDisplay


class GraphEdits(QObject):
    """Joined to one display for its life. Keeps nothing."""

    def __init__(self, view: GraphDisplay) -> None:
        super().__init__(view)
        self.view = view

    @property
    def workflow(self) -> Workflow:
        return self.view.workflow

    def edit(self, workflow: Workflow) -> bool:
        """Asks for that workflow in the place of the one that is shown; False when they are the same."""
        if workflow == self.workflow:
            return False
        self.view.edited.emit(workflow)
        return True

    def go_on(self, workflow: Workflow) -> None:
        """Asks for that workflow as a further part of the latest edit."""
        if workflow != self.workflow:
            self.view.continued.emit(workflow)

    def edit_and_choose(self, after: Workflow, ids: tuple[str, ...]) -> None:
        if self.edit(after):
            self.view.select(ids)

    def title_of(self, id: str) -> str:
        card = self.view.card(id)
        return card.face.title if card else id

    def join(self, link: Link, taken_off: Link | None = None) -> None:
        """Joins two ports; says why when that cannot be."""
        found = connect.refusal(self.workflow, self.view.tools, link)
        if found is not None:  # the mouse was guarded already; this guards every other way in
            self.view.hint.emit(found.reason)
            return
        if taken_off is not None:
            self.edit(graph_edit.moved_link(self.workflow, self.view.tools, taken_off, link))
        else:
            self.edit(graph_edit.joined(self.workflow, self.view.tools, link))
