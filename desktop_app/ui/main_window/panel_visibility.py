"""Which panels are seen, where and how large: as the user wants, as there is room for, and as it was last time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from desktop_app.ui.main_window.workspace import Workspace
from desktop_app.ui.support.window_state import WindowState
from desktop_app.ui.widgets.basic import px

_NARROW, _SLIM, _SLIMMER, _LOW = 1200, 1040, 640, 620
_SLACK = 12
"""Pixels by which Qt may give a panel another width than it was told."""
_FORM = 1
"""Of what Qt saves of the places of the panels; what was saved in another form is not read."""


class PanelVisibility:
    """The panels of one window by name: "chat", "timeline", "inspector", "alternatives"; `buttons` show which are seen.

    What the user wants is kept apart from what there is room for. In a window under 1200 wide the inspector makes room
    until it is asked for; under 1040 it and the chat take turns, and pointing takes the place of both, under 640 a
    large picture too. In a window under 620 high the timeline folds and the alternatives are one line.
    """

    def __init__(self, window: QWidget, workspace: Workspace, buttons: Mapping[str, QAbstractButton]) -> None:
        self._window, self._workspace, self._buttons = window, workspace, buttons
        self._state = WindowState()
        self._wanted = dict.fromkeys(workspace.docks, True)
        self._asked = ""
        self._width_level = 0
        self._low = False
        self._folded = False
        self._restored = False
        self._own: dict[str, int] = {}
        self._given: dict[str, int] = {}
        self.locked = True
        for name, dock in workspace.docks.items():
            dock.close_wanted.connect(partial(self.show, name, False))
            dock.topLevelChanged.connect(self._arrange)
        workspace.alternatives.needed_changed.connect(self._arrange)
        workspace.page_changed.connect(self.fit)
        workspace.seen_changed.connect(self._seen_changed)
        workspace.dragged.connect(self._notice_own)

    def show(self, name: str, on: bool) -> None:
        """Shows or hides a panel, as the user wants, and its button in the tool bar with it."""
        self._wanted[name] = on
        if on and name in ("chat", "inspector"):
            self._asked = name
        elif self._asked == name:
            self._asked = ""
        self._arrange()
        if on:
            self._workspace.docks[name].raise_()  # in front of those that share its place

    def toggle(self, name: str) -> None:
        self.show(name, self._workspace.docks[name].isHidden())

    def toggle_locked(self) -> None:
        """Gives the panels title bars by which they are moved, or takes them away."""
        self.locked = not self.locked
        self._workspace.set_locked(self.locked)

    def reset(self) -> None:
        """All of them seen, each in its place, as in a new window."""
        self._wanted = dict.fromkeys(self._wanted, True)
        if not self.locked:
            self.toggle_locked()
        held = QApplication.focusWidget()
        self._own = {}
        self._workspace.reset()
        self._given = self._workspace.first_widths()
        self._arrange()
        if held is not None:  # a panel that is moved gives the keyboard away
            held.setFocus(Qt.FocusReason.OtherFocusReason)

    def begin_anew(self) -> None:
        """For an empty conversation: in a small window nothing is asked for yet."""
        self._asked = ""
        self._arrange()

    def fit(self) -> None:
        """Makes the best of the room that the window has now."""
        width, height = self._window.width(), self._window.height()
        level = sum(width < px(least) for least in (_NARROW, _SLIM, _SLIMMER))
        if level != self._width_level:
            self._width_level, self._asked = level, ""
        if (height < px(_LOW)) != self._low:
            self._low = not self._low
            if self._low:
                self._folded = self._workspace.timeline.folded
            self._workspace.timeline.set_folded(self._low or self._folded)
            self._workspace.alternatives.set_compact(self._low)
        self._arrange()
        self._share_width()

    def _share_width(self) -> None:
        """Panels as wide as the window has room for, but for those that the user made wider or narrower."""
        if not self._restored:
            return
        first = self._workspace.first_widths()
        wanted = {name: self._own.get(name, width) for name, width in first.items()}
        new = {name: width for name, width in wanted.items() if self._given.get(name) != width}
        if new:
            self._given |= new
            self._workspace.set_widths(**new)

    def _notice_own(self) -> None:
        """Keeps the widths that are not those that were given, after an edge was dragged: these the user made, and Qt
        those that come of a window without room.
        """
        for name, width in self._workspace.widths().items():
            if abs(width - self._given.get(name, width)) > _SLACK:
                self._own[name] = self._given[name] = width

    def _arrange(self, _: object = None) -> None:
        workspace, alone = self._workspace, self._alone
        room = self._room()
        for name, button in self._buttons.items():
            button.setChecked(room[name])
        room["alternatives"] &= workspace.alternatives.needed
        for name, dock in workspace.docks.items():
            seen = room[name] and (name == "chat" or not alone)
            dock.setVisible(seen and (workspace.isVisible() or not dock.isFloating()))

    @property
    def _alone(self) -> bool:
        """True while nothing but the chat is beside what is shown, a large picture in a small window too."""
        workspace = self._workspace
        return workspace.takes_all or (self._width_level == 3 and workspace.page is not workspace.graph)

    def _room(self) -> dict[str, bool]:
        """Which there is room for, out of those that are wanted; a panel that floats needs none."""
        shown, level = dict(self._wanted), self._width_level
        docks = self._workspace.docks
        shown["inspector"] &= level == 0 or self._asked == "inspector" or docks["inspector"].isFloating()
        if level >= 2 and not docks["chat"].isFloating():
            shown["chat"] &= not shown["inspector"] and not self._alone
        return shown

    def _seen_changed(self) -> None:
        """The places are taken up when they are first seen: before, there is no size to share."""
        if not self._restored and self._workspace.isVisible():
            self._restored = True
            data = self._state.data("layout")
            if not data.isEmpty():
                self._workspace.restoreState(data, _FORM)
            first = self._workspace.first_widths()
            self._own = {name: width for name in first if (width := self._state.number(f"{name}_width", 0))}
            self._given = first | self._own
            self._workspace.set_widths(**self._given)
        self._arrange()

    def restore(self) -> None:
        """As it was when the window was closed last; the window itself has its size by then."""
        workspace, state = self._workspace, self._state
        self._wanted = {name: state.flag(name, True) for name in self._wanted}
        workspace.timeline.set_folded(state.flag("folded", False))
        workspace.graph.side.restore(state.text("side"))
        self.fit()

    def keep(self) -> None:
        """Remembers how it is now: widths as they are at 100 %, as the next window may be of another scale."""
        workspace = self._workspace
        if self._restored:
            self._state.keep(layout=workspace.saveState(_FORM))
        self._state.keep(
            geometry=self._window.saveGeometry(),
            **{f"{name}_width": self._own.get(name, 0) for name in workspace.first_widths()},
            side=workspace.graph.side.shown,
            folded=self._folded if self._low else workspace.timeline.folded,
            **self._wanted,
        )

    def leave(self) -> None:
        """The window closes: panels that float go with it."""
        for dock in self._workspace.docks.values():
            if dock.isFloating():
                dock.hide()
