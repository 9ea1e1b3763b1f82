"""The graph as the user sees and edits it: the display, its controller, and the panel beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QStackedWidget, QTabBar, QWidget

from desktop_app.ui.graph.controller import GraphController
from desktop_app.ui.graph.graph_display import GraphDisplay
from desktop_app.ui.graph.outline.outline_panel import OutlinePanel
from desktop_app.ui.graph.palette import PalettePanel
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import IconButton, divider, px, row, stack

_SIDE = 304
_LEAST, _MOST = 220, 460
_NAMES = ("outline", "palette")


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


class SidePanel(QFrame):
    """Belongs to one view; `toggle` opens and closes."""

    def __init__(self, view: GraphDisplay, controller: GraphController) -> None:
        super().__init__()
        self._view = view
        self.setProperty("surface", "panel")
        self.setMinimumWidth(px(_LEAST))
        self.setMaximumWidth(px(_MOST))
        self.outline = OutlinePanel(view, controller)
        self.palette_panel = PalettePanel(view, controller)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.outline)
        self._pages.addWidget(self.palette_panel)
        self._tabs = QTabBar()
        self._tabs.setAccessibleName(translate("Outline or palette"))
        self._tabs.addTab(translate("Outline"))
        self._tabs.addTab(translate("Palette"))
        self._tabs.setExpanding(False)
        self._tabs.currentChanged.connect(self._turn)
        close = IconButton("x", translate("Close (Esc)"), 24)
        close.clicked.connect(self.close_panel)
        stack(row(self._tabs, None, close, margins=(12, 2, 8, 0)), divider(), self._pages, parent=self, grow=2, gap=0)
        self.hide()

    @property
    def shown(self) -> str:
        """ "outline", "palette", or "" when closed."""
        return "" if self.isHidden() else _NAMES[self._pages.currentIndex()]

    def toggle(self, name: str) -> None:
        """Opens that page with the keyboard on it, or closes the panel when it is open there."""
        self.close_panel() if self.shown == name else self.open(name)

    def restore(self, name: str) -> None:
        """Shows "outline" or "palette" as it was once, the keyboard staying where it is; nothing for another name."""
        if name in _NAMES:
            self._show(name)

    def open(self, name: str) -> None:
        """Shows "outline" or "palette", with the keyboard on it."""
        self._show(name)
        page = self.outline if name == "outline" else self.palette_panel
        page.take_focus()

    def _show(self, name: str) -> None:
        self._tabs.setCurrentIndex(_NAMES.index(name))
        self._pages.setCurrentIndex(_NAMES.index(name))
        self.show()
        self._refresh()
        self._view.buttons.show_side(name)

    def close_panel(self) -> None:
        """Hides it; the keyboard goes to the canvas."""
        self._view.canvas.setFocus()
        self.hide()
        self._view.buttons.show_side("")

    def _turn(self, index: int) -> None:
        self._pages.setCurrentIndex(index)
        if not self.isHidden():
            self._refresh()
            self._view.buttons.show_side(_NAMES[index])

    def _refresh(self) -> None:
        if self.shown == "outline":
            self.outline.tree.refresh()
        elif self.shown == "palette":
            self.palette_panel.show_tools(self._view.tools)

    # What the view tells

    def show_workflow(self) -> None:
        self._refresh()

    def show_run(self) -> None:
        if self.shown == "outline":
            self.outline.tree.show_run()

    def show_chosen(self, ids: tuple[str, ...]) -> None:
        if self.shown == "outline":
            self.outline.tree.show_chosen(ids)

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)
