"""What a conversation is worked on with: the graph, or what takes its place, and round it the panels as docks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QStackedWidget, QTabWidget, QWidget

from desktop_app.ui.alternatives.alternatives_panel import AlternativesPanel
from desktop_app.ui.chat.chat_panel import ChatPanel
from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.inspector.inspector_panel import Inspector
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.timeline.timeline_panel import Timeline
from desktop_app.ui.widgets.basic import IconButton, divider, label, px, row, stack

_Area = Qt.DockWidgetArea
_SIDES = {"chat": (260, 760, 304), "inspector": (300, 560, 300)}
"""Least and most width of a panel that is at its side, and the width at first. In a narrower
inspector the rows of some tools would be cut.
"""
_USUAL = 1440
_SHARES = {"chat": (0.2, 560), "inspector": (0.08, 400)}
"""What a panel gets of the room beyond the usual width of a window, and the width up to which it does."""
_MOVABLE = QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetFloatable


class Workspace(QMainWindow):
    """`page_changed` when the graph, the large picture, pointing or comparing takes the place of another of them;
    `seen_changed` when all of it is shown or hidden; `dragged` when the user has moved the edge between two of them.

    The panels are put into their places as they are made: one that is moved with all in it is styled once for each.
    """

    page_changed = Signal()
    seen_changed = Signal()
    dragged = Signal()

    def __init__(self, ui: UiContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._thousand = px(1000)  # at the scale it is made for: that of the next window comes before this one goes
        self.setWindowFlags(Qt.WindowType.Widget)  # a page of the window, with docks of its own
        self.setProperty("docks", True)  # between docks of fixed height Qt leaves a line and does not paint it
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # Qt's menu of docks: there are actions
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        for corner, area in (
            (Qt.Corner.TopLeftCorner, _Area.LeftDockWidgetArea), (Qt.Corner.BottomLeftCorner, _Area.LeftDockWidgetArea),
            (Qt.Corner.TopRightCorner, _Area.RightDockWidgetArea),
            (Qt.Corner.BottomRightCorner, _Area.RightDockWidgetArea),
        ):  # fmt: skip
            self.setCorner(corner, area)
        self.setTabPosition(_Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._pages = _Pages()
        self._alone: list[QWidget] = []
        self.setCentralWidget(self._pages)
        self.docks: dict[str, PanelDock] = {}
        self.chat = ChatPanel(ui)
        self._dock("chat", self.chat, _Area.LeftDockWidgetArea, lambda home: self._bound("chat", home))
        self.alternatives, self.timeline = AlternativesPanel(ui), Timeline(ui)
        self._dock("alternatives", self.alternatives, _Area.TopDockWidgetArea, self.alternatives.set_in_strip)
        self._dock("timeline", self.timeline, _Area.BottomDockWidgetArea, self.timeline.set_in_strip)
        self.graph = GraphView()
        self.graph.results.use_files(ui.session.path_of)
        self._pages.addWidget(self.graph)
        self.inspector = Inspector(ui)
        self._dock("inspector", self.inspector, _Area.RightDockWidgetArea, lambda home: self._bound("inspector", home))
        for name in _SIDES:
            self._bound(name, True)

    def _dock(self, name: str, panel: QWidget, home: Qt.DockWidgetArea, placed: Callable[[bool], None]) -> None:
        self.docks[name] = PanelDock(name, panel, home, placed, self)
        self.addDockWidget(home, self.docks[name])

    def _bound(self, name: str, at_home: bool) -> None:
        """At its side a panel is neither too narrow to be read nor wider than it has use for."""
        least, most, _ = _SIDES[name]
        panel = self.docks[name].widget()
        panel.setMinimumWidth(px(least))
        panel.setMaximumWidth(px(most) if at_home else 16_777_215)

    # Pages

    @property
    def page(self) -> QWidget | None:
        return self._pages.currentWidget()

    def add_page(self, page: QWidget, alone: bool = True) -> None:
        """One more that can take the place of the graph and, `alone`, of its panels."""
        self._pages.addWidget(page)
        self._alone += [page] if alone else []

    def show_page(self, page: QWidget) -> None:
        """Shows the graph, or one of those added."""
        if page is not self.page:
            self._pages.setCurrentWidget(page)
            self.page_changed.emit()

    @property
    def takes_all(self) -> bool:
        """True while what is shown takes the place of the panels too, but for the chat."""
        return self.page in self._alone

    def regions(self, chosen: int) -> list[tuple[QWidget, QWidget]]:
        """Its parts in reading order, each with what takes the keyboard in it; `chosen` is the alternative shown."""
        cards = self.alternatives.cards[chosen : chosen + 1]
        return [
            (self.chat, self.chat.composer.field), *((self.alternatives, card) for card in cards),
            (self.graph, self.graph.canvas), (self.inspector, self.inspector.tabs),
        ]  # fmt: skip

    # Docks

    def set_locked(self, locked: bool) -> None:
        """Unlocked, the panels have title bars by which they can be moved."""
        for dock in self.docks.values():
            dock.set_locked(locked)

    def set_widths(self, **widths: int) -> None:
        """Gives the panels at their sides these widths, in pixels of the 100 % design."""
        docks = [self.docks[name] for name in widths if self.docks[name].at_home]
        self.resizeDocks(docks, [px(widths[dock.objectName()]) for dock in docks], Qt.Orientation.Horizontal)

    def widths(self) -> dict[str, int]:
        """Those that are seen at their sides: what `set_widths` takes."""
        found = {name: self.docks[name] for name in _SIDES if self.docks[name].isVisible() and self.docks[name].at_home}
        return {name: round(dock.width() / self._thousand * 1000) for name, dock in found.items()}

    def first_widths(self) -> dict[str, int]:
        """The widths that fit the window as it is: in a wide one the panels have a share of the room."""
        beyond = max(0, round(self.window().width() / self._thousand * 1000) - _USUAL)
        return {
            name: min(width + round(share * beyond), most)
            for (name, (_, _, width)), (share, most) in zip(_SIDES.items(), _SHARES.values(), strict=True)
        }

    def reset(self) -> None:
        for dock in self.docks.values():
            dock.setFloating(False)
            self.addDockWidget(dock.home, dock)
        self.set_widths(**self.first_widths())

    def event(self, event: QEvent) -> bool:
        """The edges between the panels are Qt's own, and the only part of it that is not covered."""
        taken = super().event(event)
        if event.type() is QEvent.Type.MouseButtonRelease:
            self.dragged.emit()
        return taken

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.seen_changed.emit()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self.seen_changed.emit()


class _Pages(QStackedWidget):
    """Needs no more room than the page that is seen."""

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint() if page is not None else super().minimumSizeHint()


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
