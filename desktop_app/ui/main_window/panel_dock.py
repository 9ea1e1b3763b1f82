"""A panel that can be moved: plain in its place as long as the layout is locked, with a slim title bar when not."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QWidget

from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import IconButton, divider, label, px, row, stack

_MOVABLE = QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetFloatable


class PanelDock(QDockWidget):
    """`home` is the edge at which it is by default; `placed(at_home)` is called whenever it was moved.

    `close_wanted` is asked of who decides which panels are seen.
    """

    close_wanted = Signal()

    def __init__(
        self, name: str, panel: QWidget, home: Qt.DockWidgetArea, placed: Callable[[bool], None], parent: QMainWindow
    ) -> None:
        super().__init__(_titles()[name], parent)
        self.setObjectName(name)
        self.home = home
        self._placed = placed
        self._locked = True
        self._none, self._bar = _NoBar(), TitleBar(self.windowTitle())
        self._bar.close_button.clicked.connect(self.close_wanted)
        self._bar.float_button.clicked.connect(lambda: self.setFloating(not self.isFloating()))
        self.setWidget(panel)
        self._bar.setParent(self)
        self._bar.hide()
        self._dress()
        self.topLevelChanged.connect(self._moved)
        self.dockLocationChanged.connect(self._moved)

    @property
    def at_home(self) -> bool:
        owner = self.parent()
        assert isinstance(owner, QMainWindow)
        return not self.isFloating() and owner.dockWidgetArea(self) == self.home

    def set_locked(self, locked: bool) -> None:
        """Locked it stays where it is, without a title bar; one that floats keeps it, to be put back by."""
        self._locked = locked
        self._dress()

    def _dress(self) -> None:
        barred = self.isFloating() or not self._locked
        self.setFeatures(_MOVABLE if barred else QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        wanted = self._bar if barred else self._none
        if self.titleBarWidget() is not wanted:
            self.setTitleBarWidget(wanted)
            wanted.show()

    def _moved(self, _: object) -> None:
        self._dress()
        self._placed(self.at_home)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.close_wanted.emit()


class TitleBar(QFrame):
    """Dragged, it moves the panel; a double click lets it float, or puts it back. As high as its buttons."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setToolTip(translate("Drag it to another edge, onto another panel, or out of the window"))
        self.float_button = IconButton("picture-in-picture-2", translate("Float, or put back"), 24)
        self.close_button = IconButton("x", translate("Hide this panel"), 24)
        line = row(label(title, "caption"), None, self.float_button, self.close_button, gap=2, margins=(14, 1, 6, 1))
        stack(line, divider(), parent=self, gap=0)
        self.setFixedHeight(px(26) + 1)


class _NoBar(QWidget):
    """No pixels high: a plain widget would take one from its panel."""

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


def _titles() -> dict[str, str]:
    return {
        "chat": translate("Chat"),
        "inspector": translate("Inspector"),
        "alternatives": translate("Alternatives"),
        "timeline": translate("Run timeline"),
    }
