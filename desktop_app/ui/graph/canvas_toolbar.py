"""The small tool bar that floats on the canvas: add, search, lay out, fit, outline, palette, zoom. No more."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import ToolButton

_ZOOMS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)


class CanvasToolbar(QFrame):
    add_wanted = Signal()
    search_wanted = Signal()
    layout_wanted = Signal()
    fit_wanted = Signal()
    side_toggled = Signal(str, bool)
    zoom_wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "overlay")
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        for icon, tip, signal in (
            ("plus", translate("Add a node (Tab)"), self.add_wanted),
            ("search", translate("Find in the graph (Ctrl+F)"), self.search_wanted),
            ("layout-grid", translate("Lay out (L)"), self.layout_wanted),
            ("maximize", translate("Show everything (F)"), self.fit_wanted),
        ):
            button = self._button(icon, tip)
            button.clicked.connect(signal)
            row.addWidget(button)
        self.sides: dict[str, ToolButton] = {}
        for name, icon, tip in (
            ("outline", "list", translate("Outline (O)")),
            ("palette", "blocks", translate("Palette of tools (P)")),
        ):
            button = self.sides[name] = self._button(icon, tip)
            button.setCheckable(True)
            button.clicked.connect(lambda on, name=name: self.side_toggled.emit(name, on))
            row.addWidget(button)
        self._zoom = ToolButton()
        self._zoom.setToolTip(translate("Zoom"))
        self._zoom.setAccessibleName(translate("Zoom"))
        self._zoom.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._zoom.setMenu(self._zooms())
        self._zoom.setMinimumWidth(theme.current().px(52))
        row.addWidget(self._zoom)
        self.show_zoom(1.0)

    def show_zoom(self, zoom: float) -> None:
        text = f"{zoom * 100:.0f} %"
        if text != self._zoom.text():
            self._zoom.setText(text)

    def show_side(self, name: str) -> None:
        """Marks the button of the panel that is open beside the canvas, "" for none."""
        for side, button in self.sides.items():
            button.setChecked(side == name)

    def _button(self, icon: str, tip: str) -> ToolButton:
        button = ToolButton()
        button.setIcon(icons.icon(icon))
        side = theme.current().px(16)
        button.setIconSize(QSize(side, side))
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _zooms(self) -> QMenu:
        menu = QMenu(self)
        for zoom in _ZOOMS:
            action = QAction(f"{zoom * 100:.0f} %", menu)
            action.triggered.connect(lambda checked=False, zoom=zoom: self.zoom_wanted.emit(zoom))
            menu.addAction(action)
        return menu
