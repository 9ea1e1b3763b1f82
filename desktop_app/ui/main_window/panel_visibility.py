"""Which panels are seen and how large: shown and hidden by the user, by a small window, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_app.ui.support.window_state import WindowState
from desktop_app.ui.widgets.basic import px

if TYPE_CHECKING:
    from desktop_app.ui.main_window.main_window import MainWindow

_NARROW, _SLIM, _LOW = 1200, 1040, 620
_WIDTHS = {"chat": 304, "inspector": 300}


class Panels:
    """The panels of one window by name: "chat", "timeline", "inspector".

    What the user wants is kept apart from what there is room for. In a window under 1200 wide the inspector makes room
    until it is asked for; under 1040 it and the chat take turns, and pointing takes the place of both. In a window
    under 620 high the timeline folds and the alternatives are one line.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._state = WindowState()
        self._by_name: dict[str, QWidget] = {
            "chat": window.chat,
            "timeline": window.timeline,
            "inspector": window.inspector,
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
                self._folded = self._window.timeline.folded
            self._window.timeline.set_folded(self._low or self._folded)
            self._window.alternatives.set_compact(self._low)
        self._arrange()

    def _arrange(self) -> None:
        level, window = self._width_level, self._window
        shown = dict(self._wanted)
        shown["inspector"] &= level == 0 or self._asked == "inspector"
        if level == 2:
            shown["chat"] &= not shown["inspector"] and not window.pointing_now and not window.comparing_now
        for name, panel in self._by_name.items():
            panel.setVisible(shown[name])
            window.tool_bar.panels[name].setChecked(shown[name])

    def restore(self) -> None:
        """As it was when the window was closed last; the window itself has its size by then."""
        window, state = self._window, self._state
        chat, inspector = (state.number(f"{name}_width", _WIDTHS[name]) for name in _WIDTHS)
        window.body.setSizes([px(chat), max(1, window.width() - px(chat))])
        window.work.setSizes([max(1, window.width() - px(chat) - px(inspector)), px(inspector)])
        self._wanted = {name: state.flag(name, True) for name in self._by_name}
        window.timeline.set_tall(state.flag("tall", False))
        window.timeline.set_folded(state.flag("folded", False))
        window.graph.side.restore(state.text("side"))
        self.fit()

    def _wide(self) -> list[str]:
        """The panels at the sides that are seen, and so have the width that the user wants."""
        return [name for name in _WIDTHS if self._by_name[name].isVisible()]

    def keep(self) -> None:
        """Remembers how it is now: widths as they are at 100 %, as the next window may be of another scale."""
        window = self._window
        self._state.keep(
            geometry=window.saveGeometry(),
            **{f"{name}_width": round(self._by_name[name].width() / px(1000) * 1000) for name in self._wide()},
            side=window.graph.side.shown,
            folded=self._folded if self._low else window.timeline.folded,
            tall=window.timeline.tall,
            **self._wanted,
        )
