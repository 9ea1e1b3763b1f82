"""Which panels are seen and how large: shown and hidden by the user, by a small window, and remembered."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.ui.main_window.workspace import Workspace
from desktop_app.ui.support.window_state import WindowState
from desktop_app.ui.widgets.basic import px

_NARROW, _SLIM, _LOW = 1200, 1040, 620
_WIDTHS = {"chat": 304, "inspector": 300}


class Panels:
    """The panels of one window by name: "chat", "timeline", "inspector"; `buttons` show which are seen.

    What the user wants is kept apart from what there is room for. In a window under 1200 wide the inspector makes room
    until it is asked for; under 1040 it and the chat take turns, and pointing takes the place of both. In a window
    under 620 high the timeline folds and the alternatives are one line.
    """

    def __init__(self, window: QWidget, workspace: Workspace, buttons: Mapping[str, QAbstractButton]) -> None:
        self._window, self._workspace, self._buttons = window, workspace, buttons
        self._state = WindowState()
        self._by_name: dict[str, QWidget] = {
            "chat": workspace.chat,
            "timeline": workspace.timeline,
            "inspector": workspace.inspector,
        }
        self._wanted = dict.fromkeys(self._by_name, True)
        self._asked = ""
        self._width_level = 0
        self._low = False
        self._folded = False

    def show(self, name: str, on: bool) -> None:
        """Shows or hides a panel, as the user wants, and its button in the tool bar with it."""
        self._wanted[name] = on
        if on and name != "timeline":
            self._asked = name
        elif self._asked == name:
            self._asked = ""
        self._arrange()

    def toggle(self, name: str) -> None:
        """Hides a panel that is seen, shows one that is not."""
        self.show(name, self._by_name[name].isHidden())

    def begin_anew(self) -> None:
        """For an empty conversation: in a small window nothing is asked for yet."""
        self._asked = ""
        self._arrange()

    def fit(self) -> None:
        """Makes the best of the room that the window has now."""
        width, height = self._window.width(), self._window.height()
        level = 0 if width >= px(_NARROW) else 1 if width >= px(_SLIM) else 2
        if level != self._width_level:
            self._width_level, self._asked = level, ""
        if (height < px(_LOW)) != self._low:
            self._low = not self._low
            if self._low:
                self._folded = self._workspace.timeline.folded
            self._workspace.timeline.set_folded(self._low or self._folded)
            self._workspace.alternatives.set_compact(self._low)
        self._arrange()

    def _arrange(self) -> None:
        level = self._width_level
        shown = dict(self._wanted)
        shown["inspector"] &= level == 0 or self._asked == "inspector"
        if level == 2:
            shown["chat"] &= not shown["inspector"] and not self._workspace.takes_all
        for name, panel in self._by_name.items():
            panel.setVisible(shown[name])
            self._buttons[name].setChecked(shown[name])

    def restore(self) -> None:
        """As it was when the window was closed last; the window itself has its size by then."""
        workspace, state = self._workspace, self._state
        workspace.set_widths(*(px(state.number(f"{name}_width", _WIDTHS[name])) for name in _WIDTHS))
        self._wanted = {name: state.flag(name, True) for name in self._by_name}
        workspace.timeline.set_tall(state.flag("tall", False))
        workspace.timeline.set_folded(state.flag("folded", False))
        workspace.graph.side.restore(state.text("side"))
        self.fit()

    def _wide(self) -> list[str]:
        """The panels at the sides that are seen, and so have the width that the user wants."""
        return [name for name in _WIDTHS if self._by_name[name].isVisible()]

    def keep(self) -> None:
        """Remembers how it is now: widths as they are at 100 %, as the next window may be of another scale."""
        workspace = self._workspace
        self._state.keep(
            geometry=self._window.saveGeometry(),
            **{f"{name}_width": round(self._by_name[name].width() / px(1000) * 1000) for name in self._wide()},
            side=workspace.graph.side.shown,
            folded=self._folded if self._low else workspace.timeline.folded,
            tall=workspace.timeline.tall,
            **self._wanted,
        )
