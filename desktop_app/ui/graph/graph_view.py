"""The graph as the user sees and edits it: the display, its controller, and the panel beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_app.ui.graph.controller import GraphController
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.graph.side_panel import SidePanel
from desktop_app.ui.widgets.basic import px

_SIDE = 304


class GraphView(GraphDisplay):
    """A display with a `controller` that edits, and a `side` panel with outline and palette."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controller = GraphController(self)
        self.side = SidePanel(self, self.controller)
        self.controller.toggle_side = self.side.toggle
        self.split.insertWidget(0, self.side)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([px(_SIDE), px(1000)])
        self.workflow_shown.connect(self.side.show_workflow)
        self.run_shown.connect(self.side.show_run)
        self.all_selection_changed.connect(self.side.show_chosen)
