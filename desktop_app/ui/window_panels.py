"""Which panels are seen and how large: shown and hidden by the user, by a narrow window, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_app.ui.widgets import px
from desktop_app.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow

_NARROW = 1200


class Panels:
    """The panels of one window by name: "chat", "timeline", "inspector"."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._state = WindowState()
        self._narrow_hid = False
        self._by_name: dict[str, QWidget] = {
            "chat": window.chat,
            "timeline": window.timeline,
            "inspector": window.inspector,
        }

    def show(self, name: str, on: bool) -> None:
        """Shows or hides a panel, and its button in the tool bar with it."""
        self._by_name[name].setVisible(on)
        self._window.tool_bar.panels[name].setChecked(on)

    def fit(self, width: int) -> None:
        """In a window under 1200 wide the inspector makes room, until it is asked for or there is room again."""
        narrow = width < px(_NARROW)
        if narrow and not self._narrow_hid and self._window.inspector.isVisibleTo(self._window):
            self.show("inspector", False)
            self._narrow_hid = True
        elif not narrow and self._narrow_hid:
            self.show("inspector", True)
            self._narrow_hid = False

    def restore(self) -> None:
        """As it was when the window was closed last."""
        window, state = self._window, self._state
        window.restoreGeometry(state.data("geometry"))
        window.body.restoreState(state.data("body"))
        window.work.restoreState(state.data("work"))
        for name in self._by_name:
            self.show(name, state.flag(name, True))
        window.timeline.set_folded(state.flag("folded", False))

    def keep(self) -> None:
        """Remembers how it is now."""
        window = self._window
        shown = {name: button.isChecked() for name, button in window.tool_bar.panels.items()}
        if self._narrow_hid:
            shown["inspector"] = True
        self._state.keep(
            geometry=window.saveGeometry(),
            body=window.body.saveState(),
            work=window.work.saveState(),
            folded=window.timeline.folded,
            **shown,
        )
